"""One broker of the newest release: what is read is what Kafka's own tool prints, and reading it
leaves no trace. Clusters with failures are in `test_real_failures.py`.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backend.cluster_connection.conftest import NEWEST, Printed, cluster_or_skip, without_ids
from tests.backend.cluster_connection.traces import traces_of
from tests.kafka_cluster import KafkaCluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[KafkaCluster]:
    with cluster_or_skip(NEWEST) as started:
        started.topics("--create", "--topic", "orders", "--partitions", "2")
        started.produce("orders", 7)
        yield started


def test_a_cluster_is_read_as_kafka_topics_prints_it_and_stays_as_it_was(
    cluster: KafkaCluster, highwater: Printed, tmp_path: Path
) -> None:
    described = cluster.topics("--describe")
    before = traces_of(cluster)

    status, scenario, errors = highwater("connect", cluster.bootstrap())
    _, printed, _ = highwater("connect", cluster.bootstrap(), "--json")
    assessed = highwater("assess", "--connect", cluster.bootstrap(), "--json")

    after = traces_of(cluster)
    assert status == 0
    assert after == before
    assert "__consumer_offsets" not in cluster.topics("--list")
    (tmp_path / "mine.yaml").write_text(scenario)
    _, shown, _ = highwater("describe", str(tmp_path / "mine.yaml"))
    assert without_ids(shown) == without_ids(described)
    document = json.loads(printed)
    assert document["kafka"]["from"] == document["kafka"]["to"] == NEWEST[:3]
    assert document["differences"] == []
    assert all(note in errors for note in document["not_known"])
    assert "The cluster did not give" not in errors
    ends = [
        log["log"]
        for partition in document["scenario"]["topics"][0]["partitions"]
        for log in partition["logs"].values()
    ]
    assert sum(int((re.findall(r"o\*?([0-9]+)/", log) or [-1])[-1]) + 1 for log in ends) == 7

    worst = json.loads(assessed[1])
    assert assessed[0] == 1  # each partition has one replica
    assert worst["kafka"] == NEWEST[:3]
    assert [one["partition"] for one in worst["partitions"]] == ["orders-0", "orders-1"]
    assert worst["partitions"][0]["next"]["disk_loss"]["verdict"] == "lost"


def test_an_assessment_reads_files_or_a_cluster(highwater: Printed) -> None:
    for arguments in (["assess"], ["assess", "a.txt", "--connect", "localhost:1"]):
        status, output, errors = highwater(*arguments)

        assert (status, output) == (2, "")
        assert "PATH" in errors
        assert errors.count("\n") == 1


def test_what_does_not_exist_is_one_line(cluster: KafkaCluster, highwater: Printed) -> None:
    broker = cluster.bootstrap()

    status, output, errors = highwater("connect", broker, "--topic", "nope")

    assert (status, output) == (2, "")
    assert errors == f"{broker}: no such topic, or no right to describe it: nope\n"
    assert "nope" not in cluster.topics("--list")


def test_a_controller_is_not_a_broker(cluster: KafkaCluster, highwater: Printed) -> None:
    status, _, errors = highwater("connect", f"localhost:{cluster.controller_port}")

    assert status == 2
    assert errors.strip().endswith("no Metadata here: name a broker, not a controller")
