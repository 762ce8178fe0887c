"""The output of tools besides those that describe topics and logs."""

import json

import pytest

from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile, UnreadableError
from sim_engine.identifiers import BrokerId, TopicPartition

T = TopicPartition("t-0")
DESCRIBED = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2\n"


def imported(text: str, kafka: str | None = None) -> ImportedCluster:
    return import_cluster([ClusterFile("pasted.txt", text)], kafka=kafka)


def problems_of(text: str) -> list[str]:
    with pytest.raises(UnreadableError) as caught:
        imported(text)
    return list(map(str, caught.value.problems))


def names(found: ImportedCluster) -> set[str]:
    return {statement.name for statement in found.unknown}


def feature(name: str, most: str, level: str) -> str:
    return (
        f"Feature: {name}\tSupportedMinVersion: 0\tSupportedMaxVersion: {most}\t"
        f"FinalizedVersionLevel: {level}\tEpoch: 33\n"
    )


@pytest.mark.parametrize(("level", "rules"), [("0", {"KIP-966": False}), ("1", {})])
def test_features_show_the_release_and_whether_there_are_eligible_leader_replicas(
    level: str, rules: dict[str, bool]
) -> None:
    features = feature("metadata.version", "4.1-IV1", "4.1-IV1") + feature(
        "eligible.leader.replicas.version", "1", level
    )

    found = imported(features + DESCRIBED)

    assert (found.release.oldest, found.release.newest) == ("4.1", "4.1")
    assert found.scenario.rules == rules


def test_get_offsets_prints_high_watermarks_which_members_of_the_isr_have() -> None:
    found = imported(f"{DESCRIBED}t:0:12\n")

    logs = found.scenario.partitions[T].logs
    assert [logs[BrokerId(broker)].log_end_offset for broker in (1, 2, 3)] == [12, 12, 0]


def test_log_dirs_show_how_far_a_replica_is_behind() -> None:
    def of(broker: int, lag: int) -> dict[str, object]:
        partition = {"partition": "t-0", "size": 1, "offsetLag": lag, "isFuture": False}
        folder = {"logDir": "/d", "error": None, "partitions": [partition]}
        return {"broker": broker, "logDirs": [folder]}

    log_dirs = json.dumps({"version": 1, "brokers": [of(1, 0), of(2, 0), of(3, 4)]}) + "\n"

    found = imported(f"{DESCRIBED}t:0:12\nQuerying brokers for log directories\n{log_dirs}")

    logs = found.scenario.partitions[T].logs
    assert [logs[BrokerId(broker)].log_end_offset for broker in (1, 2, 3)] == [12, 12, 8]
    # All of them have answered.
    assert {broker.state for broker in found.scenario.brokers} == {"running"}
    assert "lags_without_offsets" in names(imported(DESCRIBED + log_dirs))


KCAT = """\
Metadata for all topics (from broker 1: broker-a:9092/1):
 2 brokers:
  broker 1 at broker-a:9092
  broker 3 at broker-c:9092 (controller)
 1 topics:
  topic "t" with 2 partitions:
    partition 0, leader 3, replicas: 1,2,3, isrs: 1,3
    partition 1, leader -1, replicas: 1,2, isrs: 2, Broker: Leader not available
"""


def kcat_json() -> str:
    def of(number: int, leader: int, replicas: list[int], isr: list[int]) -> dict[str, object]:
        return {
            "partition": number,
            "leader": leader,
            "replicas": [{"id": replica} for replica in replicas],
            "isrs": [{"id": replica} for replica in isr],
        }

    topic = {"topic": "t", "partitions": [of(0, 3, [1, 2, 3], [1, 3]), of(1, -1, [1, 2], [2])]}
    brokers = [{"id": 1, "name": "a:9092"}, {"id": 3, "name": "c:9092"}]
    return json.dumps({"brokers": brokers, "topics": [topic]}, indent=1)


@pytest.mark.parametrize("text", [KCAT, kcat_json()])
def test_kcat_lists_partitions_and_the_brokers_that_run(text: str) -> None:
    scenario = imported(text, "3.9").scenario

    partition = scenario.partitions[TopicPartition("t-1")]
    assert (partition.leader, partition.isr) == (-1, (2,))
    assert {broker.id: broker.state for broker in scenario.brokers} == {
        1: "running",
        2: "stopped",
        3: "running",
    }


def test_the_settings_of_a_broker_are_read_and_secrets_dropped() -> None:
    found = imported(
        f"{DESCRIBED}\nbroker.id=1\nlisteners=PLAINTEXT://:9092\nlog.dirs=/d\nbroker.rack=a\n"
        "min.insync.replicas=2\ninter.broker.protocol.version=2.8-IV0\n"
        "zookeeper.connect=z:2181\nssl.keystore.password=geheim\n"
    )

    assert found.scenario.configs == {"min.insync.replicas": 2}
    assert found.scenario.brokers[0].rack == "a"
    assert found.scenario.control == "zookeeper"
    assert found.release.oldest == "2.8"
    assert not any("geheim" in statement.text() for statement in found.unknown)
    (dropped,) = (statement for statement in found.unknown if statement.name == "secrets")
    assert "ssl.keystore.password" in dropped.text()


def record(kind: str, **data: object) -> str:
    return json.dumps({"type": kind, "version": 0, "data": data})


def test_a_dumped_metadata_log_has_leaders_epochs_and_isrs() -> None:
    records = [
        record("TOPIC_RECORD", name="t", topicId="AAA"),
        record(
            "PARTITION_RECORD",
            partitionId=0,
            topicId="AAA",
            replicas=[1, 2, 3],
            isr=[1, 2, 3],
            leader=1,
            leaderEpoch=4,
            partitionEpoch=7,
        ),
        record("PARTITION_CHANGE_RECORD", partitionId=0, topicId="AAA", isr=[1, 2]),
        record("PARTITION_CHANGE_RECORD", partitionId=0, topicId="AAA", isr=[2], leader=2),
    ]
    batch = (
        "baseOffset: 0 lastOffset: 3 count: 4 baseSequence: -1 lastSequence: -1 producerId: -1 "
        "producerEpoch: -1 partitionLeaderEpoch: 1 isTransactional: false isControl: false "
        "position: 0 CreateTime: 1 size: 9 magic: 2 compresscodec: none crc: 1 isvalid: true\n"
    )
    lines = "".join(
        f"| offset: {offset} CreateTime: 1 keySize: -1 valueSize: {len(payload)} sequence: -1 "
        f"headerKeys: [] payload: {payload}\n"
        for offset, payload in enumerate(records)
    )
    head = "Dumping /d/__cluster_metadata-0/00000000000000000000.log\nLog starting offset: 0\n"

    partition = imported(head + batch + lines, "3.9").scenario.partitions[T]

    assert (partition.leader, partition.isr, partition.leader_epoch) == (2, (2,), 5)
    assert partition.partition_epoch == 9


def test_records_of_the_metadata_log_need_no_heading() -> None:
    """As `grep` leaves them of a dump."""
    ids = {"partitionId": 0, "topicId": "A"}
    state = {"replicas": [1, 2], "isr": [1], "leader": 1, "leaderEpoch": 3, "partitionEpoch": 0}
    gone = {"isr": [], "leader": -1, "eligibleLeaderReplicas": [1]}
    records = (
        record("TOPIC_RECORD", name="t", topicId="A"),
        record("PARTITION_RECORD", **ids, **state),
        record("PARTITION_CHANGE_RECORD", **ids, **gone),
    )
    lines = [
        f"| offset: {number} CreateTime: 1 keySize: -1 valueSize: 9 sequence: -1 headerKeys: [] "
        f"payload: {payload}\n"
        for number, payload in enumerate(records)
    ]

    found = imported("".join(lines[:2]))

    spec = found.scenario.partitions[T]
    assert "partition_epochs" not in names(found)
    assert (spec.first_leader, spec.in_sync, spec.leader_epoch) == (1, (1,), 3)
    assert imported("".join(lines)).release.oldest == "4.0"


@pytest.mark.parametrize(
    ("synonyms", "range_of"),
    [
        ("STATIC_BROKER_CONFIG:{name}=3.2, DEFAULT_CONFIG:{name}=3.5-IV2", ("3.5", "3.5")),
        ("STATIC_BROKER_CONFIG:{name}=3.2", ("3.2", "3.9")),
    ],
)
def test_the_protocol_version_of_a_broker_bounds_its_release(
    synonyms: str, range_of: tuple[str, str]
) -> None:
    name = "inter.broker.protocol.version"
    configs = (
        "All configs for broker 1 are:\n"
        f"  {name}=3.2 sensitive=false synonyms={{{synonyms.format(name=name)}}}\n"
    )

    release = imported(DESCRIBED + configs).release

    assert (release.oldest, release.newest) == range_of


def batch(
    offset: int, *, marker: bool = False, transactional: bool = True, valid: bool = True
) -> str:
    return (
        f"baseOffset: {offset} lastOffset: {offset} count: 1 baseSequence: 0 lastSequence: 0 "
        "producerId: 2000 producerEpoch: 0 partitionLeaderEpoch: 3 isTransactional: "
        f"{str(transactional).lower()} isControl: {str(marker).lower()} position: 0 CreateTime: 1 "
        f"size: 9 magic: 2 compresscodec: none crc: 1 isvalid: {str(valid).lower()}\n"
    )


FIRST_SEGMENT = "Dumping /broker-1/t-0/00000000000000000000.log\n"
SECOND_SEGMENT = "Dumping /broker-1/t-0/00000000000000000002.log\n"


def said_of_transactions(text: str) -> list[str]:
    return [one.text() for one in imported(text, "3.9").unknown if one.name == "open_transaction"]


def test_a_transaction_is_open_until_its_marker_which_may_be_in_a_later_segment() -> None:
    begun = FIRST_SEGMENT + batch(0) + batch(1)

    (said,) = said_of_transactions(begun)
    assert "open transaction of producer 2000 from offset 0" in said
    assert "last stable offset is at most 0" in said
    ended = begun + SECOND_SEGMENT + batch(2, marker=True)
    assert said_of_transactions(ended) == []
    (next_one,) = said_of_transactions(ended + batch(3) + batch(4))
    assert "from offset 3" in next_one
    assert said_of_transactions(FIRST_SEGMENT + batch(0, transactional=False)) == []


def test_a_batch_that_is_marked_as_invalid_is_said() -> None:
    found = imported(FIRST_SEGMENT + batch(0, valid=False), "3.9")

    said = {one.name: one.text() for one in found.unknown}
    assert "offset 0 of t-0 as invalid" in said["batch_invalid"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("GROUP TOPIC PARTITION CURRENT-OFFSET\ng t 0 1\n", "kafka-consumer-groups"),
        ("PARTITION  LEADER  EPOCH  REPLICAS\n0 1 1 [1 2]\n", "rpk"),
        ("TransactionalId Coordinator ProducerId\nt 1 2000\n", "kafka-transactions"),
    ],
)
def test_output_that_is_not_read_is_one_error_with_its_name(text: str, name: str) -> None:
    (problem,) = problems_of(text)

    assert name in problem
    assert "paste the output of kafka-topics" in problem


def test_lines_with_the_same_problem_are_one_error() -> None:
    (problem,) = problems_of("hello\nworld\nagain\n")

    assert problem.startswith("pasted.txt:1:1: this line cannot be parsed")
    assert problem.endswith("(lines 1 to 3)")
