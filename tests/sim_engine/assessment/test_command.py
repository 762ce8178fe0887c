"""`assess`: its output and its exit status."""

import json
from pathlib import Path

import pytest

from sim_engine.command_line import main
from tests.sim_engine.assessment.clusters import TWELVE, described


@pytest.fixture
def paste(tmp_path: Path) -> Path:
    path = tmp_path / "paste.txt"
    path.write_text(TWELVE, encoding="utf-8")
    return path


def test_json_has_every_partition_with_its_own_brokers(
    paste: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(["assess", str(paste), "--kafka", "4.1", "--down", "1", "--json"])
    document = json.loads(capsys.readouterr().out)

    assert status == 1
    assert set(document) == {"kafka", "partitions", "known_losses", "searches"}
    found = {one["partition"]: one for one in document["partitions"]}
    assert len(found) == 12
    assert document["partitions"][0]["partition"] == "payments-3"
    stops = found["orders-4"]
    assert (stops["leader"], stops["isr"], stops["min_insync_replicas"]) == (6, [6, 4], 2)
    assert stops["next"]["crash"]["verdict"] == "writes_stop"
    assert stops["next"]["crash"]["brokers"] == [4, 6]
    assert stops["next"]["isolated_leader"]["brokers"] == [6]
    gone = found["payments-3"]
    assert (gone["leader"], gone["isr"], gone["elr"]) == (-1, [], [1])
    assert "last known leader" in gone["next"]["crash"]["why"]


def test_a_cluster_that_keeps_everything_has_the_status_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "paste.txt"
    path.write_text(described(min_isr=2), encoding="utf-8")

    status = main(["assess", str(path), "--kafka", "3.9"])

    assert status == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        "No single failure loses acknowledged records.",
        "Partitions: 1 keeps everything.",
    ]


def test_the_verdict_comes_first_and_the_known_ways_to_lose_last(
    paste: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["assess", str(paste), "--kafka", "4.1", "--down", "1"])
    lines = capsys.readouterr().out.splitlines()

    assert lines[0].startswith("payments-3 can lose acknowledged records when broker 1 comes back.")
    assert lines[3].startswith("Kafka 4.1; elr=on; acks=all; min.insync.replicas=2, 1;")
    (row,) = (line for line in lines if line.startswith("audit-1  "))
    verdicts = row.split("min 1")[1]
    assert verdicts.split() == ["unavailable", "can", "lose", "lost", "unavailable", "keeps"]
    assert any(line.startswith("  isolated leader 6: The controller ends") for line in lines)
    assert "Known ways to lose:" in lines
    assert all(len(line) <= 145 for line in lines[5:13])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--set", "acks=2"], "--set: acks must be all, 1 or 0"),
        (["--set", "elr=maybe"], "--set: elr must be on or off"),
        (["--set", "control=raft"], "--set: control must be zookeeper or kraft"),
        (["--set", "min.insync.replicas"], "--set must look like"),
        (["--set", "no.such.setting=1"], "--set: "),
        (["--down", "x"], "--down must look like 2,3"),
        (["--kafka", "new"], "is not a Kafka version"),
    ],
)
def test_what_cannot_be_assessed_is_wrong_input(
    paste: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], told: str
) -> None:
    status = main(["assess", str(paste), *arguments])
    output = capsys.readouterr()

    assert (status, output.out) == (2, "")
    assert told in output.err


def test_a_partition_in_an_impossible_state_is_refused_at_its_line_and_the_others_are_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "paste.txt"
    lines = [
        "Topic: good Partition: 0 Leader: 1 Replicas: 1,2,3 Isr: 1,2,3",
        "Topic: odd Partition: 0 Leader: 3 Replicas: 1,2,3 Isr: 1,2",
        "Topic: odd Partition: 1 Leader: 3 Replicas: 1,2,3 Isr: 1,2",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")

    status = main(["assess", str(path), "--kafka", "3.9", "--json"])
    output = capsys.readouterr()
    document = json.loads(output.out)
    path.write_text("\n".join(lines[1:]), encoding="utf-8")
    alone = main(["assess", str(path), "--kafka", "3.9"])

    assert status == 1, "what is not judged may lose"
    assert [one["partition"] for one in document["partitions"]] == ["good-0"]
    (refused,) = document["refused"]
    assert (refused["partitions"], refused["line"]) == (["odd-0", "odd-1"], 2)
    assert "3" in refused["why"]
    assert f"{path}:2:1: odd-0 cannot be as it is described" in output.err
    assert "1 partitions like it" in output.err
    assert (alone, capsys.readouterr().out) == (2, "")


def test_a_broker_that_is_down_and_has_no_partition_is_named_and_changes_nothing(
    paste: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["assess", str(paste), "--kafka", "4.1", "--down", "1"])
    without = capsys.readouterr()

    status = main(["assess", str(paste), "--kafka", "4.1", "--down", "1,99"])
    output = capsys.readouterr()

    assert (status, output.out) == (1, without.out)
    assert "--down: the input has no broker 99" in output.err


def test_the_worse_case_of_a_broker_that_may_be_up_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "paste.txt"
    path.write_text(described("none", isr="1"), encoding="utf-8")

    main(["assess", str(path), "--kafka", "3.5", "--down", "1", "--json"])
    (partition,) = json.loads(capsys.readouterr().out)["partitions"]

    assert partition["next"]["unclean_election"]["why"].endswith("2, 3 up.")
    assert partition["next"]["power_loss"]["why"].endswith("2, 3 down.")


def test_a_partition_that_waits_for_a_broker_which_runs_is_named_at_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "paste.txt"
    lines = [
        "Topic: leads Partition: 0 Leader: 1 Replicas: 1,2,3 Isr: 1,2,3",
        "Topic: waits Partition: 0 Leader: none Replicas: 1,2,3 Isr: 1",
    ]
    path.write_text("\n".join(lines), encoding="utf-8")

    main(["assess", str(path)])
    output = capsys.readouterr()

    assert f"{path}:2:1: waits-0 has no leader, although the input shows" in output.err
    assert "Broker 1 runs, but is not elected to lead waits-0" in output.out
