"""The command line: what it prints, where, and with what exit status."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sim_engine.command_line import main
from sim_engine.command_line.check import list_verdicts
from sim_engine.documents import run_schema
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.versions import PROFILE_NAMES

LOSS = """\
id: kip-101-data-loss
kafka: "0.10.2"
brokers: [1, 2]
configs: {unclean.leader.election.enable: true}
topics: [{name: t, partitions: [{replicas: [2, 1]}]}]
steps:
  - produce: {to: t-0, values: [m1], as: p1}
  - fetch: {broker: 1}
  - fetch: {broker: 1}
  - produce: {to: t-0, values: [m2], as: p1}
  - fetch: {broker: 1}
  - fetch: {broker: 1, drop: response}
  - timer: {broker: 1, kind: high_watermark_checkpoint}
  - crash: {broker: 1}
  - detect: {broker: 1}
  - start: {broker: 1}
  - timer: {broker: 2, kind: high_watermark_checkpoint}
  - crash: {broker: 2}
  - elect: {partition: t-0, kind: unclean, leader: 1}
  - start: {broker: 2}
  - fetch: {broker: 2}
  - expect:
      kafka: ["0.10.2"]
      leader: 1
      leader_epoch: 2
      replicas: {1: {log: "m1", hw: 1}, 2: {log: "m1", hw: 1}}
      lost: [m2]
      violated: [NoAckedRecordLost]
  - expect:
      kafka: ["1.1", "2.0.1", "3.9"]
      leader: 1
      replicas: {1: {log: "m1/0 m2/0"}, 2: {log: "m1/0 m2/0"}}
      lost: []
      violated: []
"""


@pytest.fixture
def loss(tmp_path: Path) -> Path:
    """A file with KIP-101's first scenario, which holds."""
    path = tmp_path / "loss.yaml"
    path.write_text(LOSS, encoding="utf-8")
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A file that crashes a broker that is not there."""
    path = tmp_path / "wrong.yaml"
    path.write_text(LOSS.replace("crash: {broker: 1}", "crash: {broker: 9}"), encoding="utf-8")
    return path


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    """A file that expects another leader than there is, in one version."""
    path = tmp_path / "failing.yaml"
    path.write_text(
        LOSS.replace('["1.1", "2.0.1", "3.9"]\n      leader: 1', '["2.0.1"]\n      leader: 2'),
        encoding="utf-8",
    )
    return path


def test_a_run_is_told_in_json_that_fits_its_schema(loss, capsys):
    status = main(["run", str(loss), "--json"])
    document = json.loads(capsys.readouterr().out)

    assert status == 0
    assert list(Draft202012Validator(run_schema()).iter_errors(document)) == []
    assert (document["scenario"], document["kafka"]) == ("kip-101-data-loss", "0.10.2")
    assert document["final"]["partitions"]["t-0"]["leader"] == 1
    assert document["properties"]["NoAckedRecordLost"]["status"] == "violated"


@pytest.mark.parametrize(
    ("options", "kafka", "control"),
    [
        ([], "0.10.2", "zookeeper"),
        (["--kafka", "2.0.1"], "2.0.1", "zookeeper"),
        (["--kafka", "3.9.2"], "3.9.2", "kraft"),
        (["--kafka", "3.9", "--control", "zookeeper"], "3.9", "zookeeper"),
    ],
)
def test_a_run_names_the_release_that_was_asked_for(loss, capsys, options, kafka, control):
    main(["run", str(loss), "--json", *options])
    document = json.loads(capsys.readouterr().out)

    assert (document["kafka"], document["control"]) == (kafka, control)


def test_a_file_keeps_its_controller_in_a_release_that_had_it(tmp_path, capsys):
    path = tmp_path / "zookeeper.yaml"
    path.write_text(LOSS.replace("brokers:", "control: zookeeper\nbrokers:"), encoding="utf-8")

    main(["run", str(path), "--json", "--kafka", "3.9"])

    assert json.loads(capsys.readouterr().out)["control"] == "zookeeper"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_run_is_told_in_words(loss, capsys, language):
    status = main(["run", str(loss), "--lang", language])
    told = capsys.readouterr().out

    assert status == 0
    assert "Kafka 0.10.2, zookeeper" in told
    assert "broker 1  running leader  [m1]  log end 1, high watermark 1" in told
    assert "NoAckedRecordLost is violated since frame" in told


def test_check_holds_a_file_under_every_version_that_it_names(loss, capsys):
    status = main(["check", str(loss), "--json"])
    results = json.loads(capsys.readouterr().out)

    assert status == 0
    assert [result["kafka"] for result in results] == ["0.10.2", "1.1", "2.0.1", "3.9"]
    assert all(result["holds"] and result["differences"] == [] for result in results)
    assert {result["file"] for result in results} == {str(loss)}


def test_check_says_what_does_not_hold_and_where(failing, capsys):
    status = main(["check", str(failing), "--json"])
    results = json.loads(capsys.readouterr().out)

    assert status == 1
    assert [result["holds"] for result in results] == [True, False]
    assert results[1]["differences"] == [
        {"step": 16, "where": "/steps/16/expect/leader", "expected": 2, "got": 1}
    ]

    main(["check", str(failing)])
    assert (
        f"{failing}: Kafka 2.0.1: /steps/16/expect/leader: expected 2, got 1"
        in capsys.readouterr().out.splitlines()
    )


def test_wrong_input_is_told_on_standard_error_one_problem_a_line(wrong, capsys):
    status = main(["run", str(wrong), "--json"])
    output = capsys.readouterr()

    assert status == 2
    assert output.out == ""
    assert output.err == (
        f"{wrong}:14:21: /steps/7/crash/broker: there is no broker 9; brokers are 1, 2\n"
    )


def test_of_several_files_the_worst_decides_and_the_others_are_checked(
    loss, failing, wrong, capsys
):
    assert main(["check", str(loss), str(failing)]) == 1
    assert main(["check", str(wrong), str(failing), str(loss), "--json"]) == 2

    output = capsys.readouterr()
    assert str(loss) in output.out
    assert output.err.startswith(f"{wrong}:14:21: ")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "no-such-scenario"], "no-such-scenario:1:1: /: no file or shipped scenario"),
        (["run", "LOSS", "--kafka", "0.8.1"], "Kafka 0.8.1 is older than 0.8.2.0"),
        (["run", "LOSS", "--kafka", "new"], "'new' is no Kafka version"),
        (["run", "LOSS", "--control", "kraft"], "Kafka 0.10.2 does not support kraft"),
        (["compare", "LOSS", "--kafka", "2.0.1"], "compare needs two versions"),
        (
            ["compare", "LOSS", "--with", "no-such"],
            "no-such:1:1: /: no file or shipped scenario with",
        ),
        (
            ["compare", "LOSS", "--with", "s27", "--kafka", "1.0", "--kafka", "1.1"],
            "compare --with accepts one version",
        ),
        (["check"], "required"),
        (["schema", "cluster"], "invalid choice"),
        (["dance"], "invalid choice"),
        ([], "required"),
    ],
)
def test_a_wrong_command_is_wrong_input(loss, capsys, arguments, told):
    status = main([str(loss) if argument == "LOSS" else argument for argument in arguments])
    output = capsys.readouterr()

    assert status == 2
    assert output.out == ""
    assert told in output.err


def test_a_file_of_garbage_is_one_line(tmp_path, capsys):
    path = tmp_path / "garbage.yaml"
    path.write_bytes(b"[" * 100_000)

    assert main(["check", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_compare_finds_where_two_versions_part(loss, capsys):
    status = main(["compare", str(loss), "--kafka", "0.10.2", "--kafka", "2.0.1", "--json"])
    document = json.loads(capsys.readouterr().out)

    assert status == 0
    assert document["item"] == 9
    assert document["where"] == "/replicas/t-0/1/log"
    assert (document["a"], document["b"]) == ("m1", "m1 m2")
    assert document["property"]["name"] == "NoAckedRecordLost"
    assert document["property"]["violated_in"] == "a"
    assert [step["item"] for step in document["steps"]] == list(range(15))


def test_compare_says_so_where_nothing_differs(loss, capsys):
    assert main(["compare", str(loss), "--kafka", "2.0.1", "--kafka", "2.0.1"]) == 0
    assert "do not differ" in capsys.readouterr().out

    main(["compare", str(loss), "--kafka", "2.0.1", "--kafka", "2.0.1", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert [document[key] for key in ("item", "where", "a", "b", "frame_a", "frame_b")] == [
        None
    ] * 6
    assert document["property"] is None


def test_compare_sets_a_file_beside_another_under_one_version(loss, tmp_path, capsys):
    path = tmp_path / "no-vote.yaml"
    path.write_text(LOSS.replace("unclean, leader: 1", "preferred"), encoding="utf-8")

    status = main(["compare", str(loss), "--with", str(path), "--kafka", "0.11", "--json"])
    document = json.loads(capsys.readouterr().out)

    assert status == 0
    assert (document["kafka_a"], document["kafka_b"]) == ("0.11", "0.11")
    assert [step["elect"]["kind"] for step in document["parting"]["steps_a"]] == ["unclean"]
    assert [step["elect"]["kind"] for step in document["parting"]["steps_b"]] == ["preferred"]
    assert (document["item"], document["item_b"]) == (12, 12)


def test_compare_names_the_first_steps_that_only_one_scenario_does(capsys):
    assert main(["compare", "s54", "--with", "s54b"]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Kafka 3.9 (kraft)"
    assert lines[1] == "s54 and s54b take different steps"
    assert [line.rpartition(", ")[2] for line in lines if '"deliver"' in line] == [
        '"records": 3}}',
        '"records": 1}}',
        '"records": 2}}',
    ]
    assert "s54 and s54b diverge at the end of step 16 of s54, step 17 of s54b" in lines
    assert "  s54, frame 42: pending" in lines
    assert "  s54b, frame 43: failed" in lines
    assert "WeakIsr is violated only in s54, since frame 49" in lines


def test_compare_holds_both_scenarios_to_one_version(capsys):
    assert main(["compare", "s54", "--with", "s54b", "--kafka", "2.8"]) == 0

    told = capsys.readouterr().out
    assert told.startswith("Kafka 2.8 (kraft)")
    assert "s54 and s54b do not differ" in told


RECORDING: dict[str, Any] = {
    "conformance": 1,
    "id": "one-record",
    "kafka": "3.9.2",
    "control": "kraft",
    "brokers": [1],
    "configs": {},
    "topic": {"name": "t", "partitions": [{"replicas": [1]}]},
    "steps": [
        {"do": {"create_topic": {"replicas": [[1]]}}},
        {
            "do": {
                "produce": {"broker": None, "values": ["m1"], "acks": "all", "timeout_ms": 9000}
            },
            "produced": [{"value": "m1", "outcome": "acked", "offset": 0}],
        },
    ],
}


def recorded(folder: Path, **changes: object) -> str:
    """The name of a file with a recording of one record on one broker, changed."""
    path = folder / "recording.json"
    path.write_text(json.dumps(RECORDING | changes, indent=1), encoding="utf-8")
    return str(path)


def test_conform_replays_recordings(tmp_path, capsys):
    name = recorded(tmp_path)

    assert main(["conform", name, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [
        {"file": name, "kafka": "3.9.2", "holds": True, "differences": []}
    ]


def test_conform_tells_the_first_difference_in_words(tmp_path, capsys):
    produced = [{"value": "m1", "outcome": "acked", "offset": 5}]
    steps = [RECORDING["steps"][0], RECORDING["steps"][1] | {"produced": produced}]

    assert main(["conform", recorded(tmp_path, steps=steps)]) == 1
    told = capsys.readouterr().out
    assert "step 1, produced/0/offset: recorded 5, the engine has 0" in told


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"conformance": 2}, ":2:17: /conformance: this is not a recording"),
        ({"steps": 1}, ":20:11: /steps: expected `array`, got `int`"),
        ({"steps": [{"do": {"juggle": {}}}]}, "/steps/0/do/juggle: the engine does not model"),
        ({"kafka": "0.8.1"}, "/kafka: Kafka 0.8.1 is older than 0.8.2.0"),
    ],
)
def test_a_recording_that_cannot_be_replayed_is_wrong_input(tmp_path, capsys, changes, told):
    assert main(["conform", recorded(tmp_path, **changes)]) == 2
    assert told in capsys.readouterr().err


def test_conform_gives_every_difference_as_json(tmp_path, capsys):
    produced = [{"value": "m1", "outcome": "failed", "offset": 5}]
    steps = [RECORDING["steps"][0], RECORDING["steps"][1] | {"produced": produced}]
    name = recorded(tmp_path, steps=steps)

    assert main(["conform", name, "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == [
        {
            "file": name,
            "kafka": "3.9.2",
            "holds": False,
            "differences": [
                {"step": 1, "where": "produced/0/outcome", "expected": "failed", "got": "acked"},
                {"step": 1, "where": "produced/0/offset", "expected": 5, "got": 0},
            ],
        }
    ]


def test_conform_of_several_files_ends_with_the_highest_and_still_tells_of_the_others(
    tmp_path, capsys
):
    holds = recorded(tmp_path)
    missing = str(tmp_path / "missing.json")

    assert main(["conform", missing, holds, "--json"]) == 2
    told = capsys.readouterr()
    assert [one["file"] for one in json.loads(told.out)] == [holds]
    (problem,) = told.err.splitlines()
    assert problem.startswith(f"{missing}:1:1: /: the file cannot be read")


def test_a_recording_that_cannot_be_read_is_wrong_input(tmp_path, capsys):
    assert main(["conform", str(tmp_path / "missing.json")]) == 2
    assert "missing.json:1:1: /: the file cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("document", [[], ["scenario"], ["run"]])
def test_schemas_are_printed(capsys, document):
    assert main(["schema", *document]) == 0
    Draft202012Validator.check_schema(json.loads(capsys.readouterr().out))


def test_the_module_runs_as_a_program(loss):
    result = subprocess.run(
        [sys.executable, "-m", "sim_engine", "check", str(loss)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (result.returncode, result.stderr) == (0, "")


def test_the_list_says_what_each_scenario_violates_in_which_version(capsys):
    assert main(["list"]) == 0

    lines = capsys.readouterr().out.splitlines()
    first = next(index for index, line in enumerate(lines) if line.startswith("s26 "))
    assert lines[first + 1].strip() == "NoAckedRecordLost: 0.8.2–0.10.2"
    assert lines[first + 2].strip() == f"all holds: 0.11–{PROFILE_NAMES[-1]}"


def test_verdicts_are_over_what_an_expectation_holds():
    """StrongIsr falls with the record, but no expectation of this scenario speaks of it."""
    verdicts = list_verdicts(load_shipped("kip-101-data-loss"))

    assert verdicts["0.10.2"] == ["NoAckedRecordLost"]
    assert verdicts["3.9"] == []
