"""`highwater conform`: what it prints, where, and with what exit status."""

import json
from pathlib import Path
from typing import Any

import pytest

from sim_engine.command_line import main

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


def test_conform_prints_the_first_difference(tmp_path, capsys):
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


def test_conform_of_several_files_exits_with_the_highest_status_and_reports_all(tmp_path, capsys):
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
