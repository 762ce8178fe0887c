"""The output of real tools of several releases is converted to the state of the real cluster."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile
from sim_engine.documents.frames import frame_document
from sim_engine.scenario_reader.reader import read_scenario_text
from sim_engine.scenario_reader.writer import scenario_text
from tests.sim_engine.runs import play

REAL = Path(__file__).parent / "real"
RELEASES = ("0.10.2.2", "2.0.1", "3.9.1", "4.1.1")


def files(release: str, *names: str) -> list[ClusterFile]:
    """The files of a release, including those in its folders."""
    found = []
    for name in names:
        for path in sorted((REAL / release).glob(name)):
            inner = sorted(path.rglob("*")) if path.is_dir() else [path]
            found += [
                ClusterFile(str(file.relative_to(REAL / release)), file.read_bytes())
                for file in inner
                if file.is_file()
            ]
    return found


def end_of(imported: ImportedCluster) -> dict[str, Any]:
    """The final state of the scenario, by partition and broker."""
    timeline = play(imported.scenario)
    document = json.decode(json.encode(frame_document(timeline, timeline.head)))
    state = document["state"]
    return {"partitions": state["partitions"], "replicas": state["replicas"]}


def log_of(state: dict[str, Any], partition: str, broker: int) -> list[tuple[str, int | None]]:
    replica = state["replicas"][partition][str(broker)]
    return [(record["value"], record["epoch"]) for record in replica["log"]]


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("with_logs", ["data-*", "dump-[123]-t-0.txt"])
def test_leaders_isrs_and_logs_are_those_of_the_cluster(release: str, with_logs: str) -> None:
    imported = import_cluster(files(release, "topics.txt", with_logs), kafka=release)

    state = end_of(imported)
    t = state["partitions"]["t-0"]
    assert (t["leader"], sorted(t["isr"]), t["replicas"]) == (2, [1, 2], [1, 2, 3])
    values = {b: [value for value, _ in log_of(state, "t-0", b)] for b in (1, 2, 3)}
    assert values == {
        1: ["m1", "m2", "m3", "m4", "m5"],
        2: ["m1", "m2", "m3", "m4", "m5"],
        3: ["m1", "m2", "m3"],
    }
    assert state["partitions"]["orders-1"]["leader"] == 1


def test_epochs_are_those_of_the_epoch_files() -> None:
    imported = import_cluster(files("2.0.1", "topics.txt", "data-*"), kafka="2.0.1")

    state = end_of(imported)
    leader = state["replicas"]["t-0"]["2"]
    assert state["partitions"]["t-0"]["leader_epoch"] == 2
    assert leader["epoch_cache"] == [[0, 0], [1, 3], [2, 4]]
    assert log_of(state, "t-0", 2)[2:] == [("m3", 0), ("m4", 1), ("m5", 2)]


def test_checkpoints_are_those_of_the_files() -> None:
    imported = import_cluster(files("3.9.1", "topics.txt", "data-*"), kafka="3.9.1")

    replicas = end_of(imported)["replicas"]["t-0"]
    assert replicas["2"]["checkpoints"] == {"high_watermark": 5, "recovery_point": 0}
    assert replicas["3"]["checkpoints"]["high_watermark"] == 3
    assert [replicas[broker]["high_watermark"] for broker in ("1", "2")] == [5, 5]


def test_a_partition_without_a_leader_is_the_start() -> None:
    imported = import_cluster(files("4.1.1", "topics-one-left.txt"), kafka="4.1.1")

    state = end_of(imported)
    orders, t = state["partitions"]["orders-1"], state["partitions"]["t-0"]
    assert (orders["leader"], orders["isr"], orders["elr"]) == (-1, [], [1])
    assert (t["leader"], t["isr"], t["elr"]) == (2, [2], [1])
    assert imported.scenario.steps == ()
    assert imported.differences == ()


@pytest.mark.parametrize(
    ("release", "newest"),
    # Without eligible leader replicas, a partition that nobody leads keeps a member in its ISR.
    [("3.9.1", "4.0"), ("4.1.1", "4.4")],
)
def test_all_that_the_tools_print_is_understood_together(release: str, newest: str) -> None:
    imported = import_cluster(files(release, "*.txt", "data-*"))

    scenario = imported.scenario
    assert scenario.kafka == newest
    assert scenario.topics[1].configs["min.insync.replicas"] == 2
    assert scenario.broker_ids == (1, 2, 3)
    assert {"topic", "dump", "quorum", "epoch_file", "offset_file", "topic_configs"} <= {
        statement.name for statement in imported.understood
    }


def test_settings_of_brokers_are_those_that_are_not_defaults() -> None:
    imported = import_cluster(files("4.1.1", "topics.txt", "configs-broker*.txt"), kafka="4.1.1")

    assert imported.scenario.configs["broker.session.timeout.ms"] == 5000
    assert imported.scenario.configs["auto.leader.rebalance.enable"] is False
    assert "broker.heartbeat.interval.ms" not in imported.scenario.configs
    assert imported.scenario.brokers[0].rack == "a"


@pytest.mark.parametrize(
    ("release", "names", "kafka"),
    [
        ("0.10.2.2", ("topics.txt", "dump-*.txt"), "0.10.2"),
        ("2.0.1", ("topics.txt", "data-*"), "2.3"),
        ("3.9.1", ("topics.txt", "quorum-replication.txt"), "4.4"),
    ],
)
def test_the_release_is_the_newest_that_prints_this(
    release: str, names: tuple[str, ...], kafka: str
) -> None:
    imported = import_cluster(files(release, *names))

    assert imported.scenario.kafka == kafka
    assert next(s for s in imported.unknown if s.name == "release").numbers["kafka"] == kafka


@pytest.mark.parametrize("release", RELEASES)
def test_what_is_written_reads_back(release: str) -> None:
    scenario = import_cluster(files(release, "topics.txt", "data-*"), kafka=release).scenario

    assert read_scenario_text(scenario_text(scenario)) == scenario


def test_brokers_folders_alone_are_enough() -> None:
    imported = import_cluster(files("4.1.1", "data-*"), kafka="4.1.1")

    t = imported.scenario.topics[1].partitions[0]
    assert (t.replicas, t.leader, t.isr) == ((1, 2, 3), 1, (1, 2))
    assert "not_described" in {statement.name for statement in imported.unknown}
