"""Lines of the brokers' and the controllers' logs, as each release writes them."""

from itertools import permutations

import pytest

from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.parsed_state import ClusterFile, LogLine, ParsedState, Problems
from sim_engine.documents.operator_words import run_words
from sim_engine.exploration.schedules import random_schedule
from sim_engine.identifiers import BrokerId, FrameNumber, TopicPartition
from sim_engine.scenario_reader.document import PartitionSpec
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import PROFILE_NAMES, Control, controls_of
from tests.sim_engine.runs import play

T = TopicPartition("t-0")
DESCRIBED = (
    "Topic: t\tTopicId: AAA\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: \n"
    "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2\n"
)


def at(second: int, text: str) -> str:
    return f"[2024-03-11 10:23:{second:02},000] INFO {text} (kafka.Class)\n"


def read(text: str) -> ParsedState:
    problems = Problems()
    parsed = read_files([ClusterFile("server.log", text)], problems)
    problems.stop()
    return parsed


def imported(text: str, kafka: str | None = None) -> ImportedCluster:
    return import_cluster([ClusterFile("server.log", text)], kafka=kafka)


def partition_of(text: str, kafka: str | None = None) -> PartitionSpec:
    return imported(text, kafka).scenario.partitions[T]


def ends_of(text: str) -> list[int]:
    logs = partition_of(text).logs
    return [logs[BrokerId(broker)].log_end_offset for broker in (1, 2, 3)]


def facts_of(line: LogLine) -> dict[str, object]:
    names = LogLine.__struct_fields__
    found = {name: getattr(line, name) for name in names}
    for name in ("file", "line", "time", "partition"):
        del found[name]
    return {name: one for name, one in found.items() if one not in (None, {}, False)}


SHRUNK = {"leader": 1, "isr": (1, 2, 3), "proposed": (1, 2)}
LINES: dict[str, tuple[str, dict[str, object]]] = {
    "0.8.2 shrinking": (
        "Partition [t,0] on broker 1: Shrinking ISR for partition [t,0] from 1,2,3 to 1,2",
        SHRUNK,
    ),
    "0.10.2 expanding": (
        "Partition [t,0] on broker 1: Expanding ISR for partition t-0 from 1,2 to 1,2,3",
        {"leader": 1, "isr": (1, 2), "proposed": (1, 2, 3)},
    ),
    "1.1 shrinking": ("[Partition t-0 broker=1] Shrinking ISR from 1,2,3 to 1,2", SHRUNK),
    "2.3 shrinking": (
        "[Partition t-0 broker=1] Shrinking ISR from 1,2,3 to 1,2. Leader: (highWatermark: 7, "
        "endOffset: 9). Out of sync replicas: (brokerId: 3, endOffset: 5).",
        {**SHRUNK, "high_watermark": 7, "ends": {1: 9, 3: 5}},
    ),
    "3.9 shrinking, an end unknown": (
        "[Partition t-0 broker=1] Shrinking ISR from 1,2,3 to 1. Leader: (highWatermark: 7, "
        "endOffset: 9). Out of sync replicas: (brokerId: 2, endOffset: unknown, "
        "lastCaughtUpTimeMs: unknown) (brokerId: 3, endOffset: 5, lastCaughtUpTimeMs: 12).",
        {**SHRUNK, "proposed": (1,), "high_watermark": 7, "ends": {1: 9, 3: 5}},
    ),
    "2.4 updated": (
        "[Partition t-0 broker=1] ISR updated to [1,2] and zkVersion updated to [47]",
        {"leader": 1, "isr": (1, 2), "partition_epoch": 47},
    ),
    "2.7 updated": (
        "[Partition t-0 broker=1] ISR updated from AlterIsr to 1,2 and version updated to [47]",
        {"leader": 1, "isr": (1, 2), "partition_epoch": 47},
    ),
    "3.4 updated": (
        "[Partition t-0 broker=1] ISR updated to 1,2 and version updated to 47",
        {"leader": 1, "isr": (1, 2), "partition_epoch": 47},
    ),
    "3.5 updated": (
        "[Partition t-0 broker=1] ISR updated to 1,2 (under-min-isr) and version updated to 47",
        {"leader": 1, "isr": (1, 2), "partition_epoch": 47},
    ),
    "3.9 updated, with two spaces": (
        "[Partition t-0 broker=1] ISR updated to 1,2  and version updated to 47",
        {"leader": 1, "isr": (1, 2), "partition_epoch": 47},
    ),
    "refused": (
        "[Partition t-0 broker=1] Cached zkVersion [46] not equal to that in zookeeper, skip "
        "updating ISR",
        {"leader": 1, "refused": True},
    ),
    "1.1 leader": (
        "[Partition t-0 broker=1] t-0 starts at Leader Epoch 5 from offset 10. Previous Leader "
        "Epoch was: 4",
        {"leader": 1, "leader_epoch": 5, "before_epoch": 4, "epoch_start": 10, "ends": {1: 10}},
    ),
    "2.4 leader": (
        "[Partition t-0 broker=1] t-0 starts at leader epoch 5 from offset 10 with high watermark "
        "8. Previous leader epoch was 4.",
        {
            "leader": 1,
            "leader_epoch": 5,
            "before_epoch": 4,
            "epoch_start": 10,
            "high_watermark": 8,
            "ends": {1: 10},
        },
    ),
    "2.8 leader": (
        "[Broker id=1] Leader t-0 starts at leader epoch 5 from offset 10 with high watermark 8 "
        "ISR [1,2] addingReplicas [3] removingReplicas []. Previous leader epoch was 4.",
        {
            "leader": 1,
            "leader_epoch": 5,
            "before_epoch": 4,
            "epoch_start": 10,
            "high_watermark": 8,
            "isr": (1, 2),
            "adding": (3,),
            "removing": (),
            "ends": {1: 10},
        },
    ),
    "3.9 leader": (
        "[Broker id=1] Leader t-0 with topic id Some(W_CQe07QQN-tN-PDUi1Riw) starts at leader "
        "epoch 5 from offset 10 with partition epoch 9, high watermark 8, ISR [1,2], adding "
        "replicas [] and removing replicas [3] (under-min-isr). Previous leader Some(2) and "
        "previous leader epoch was 4.",
        {
            "leader": 1,
            "leader_epoch": 5,
            "before_epoch": 4,
            "epoch_start": 10,
            "partition_epoch": 9,
            "high_watermark": 8,
            "isr": (1, 2),
            "adding": (),
            "removing": (3,),
            "ends": {1: 10},
            "others": (2,),
        },
    ),
    "2.8 follower": (
        "[Broker id=3] Follower t-0 starts at leader epoch 5 from offset 4 with high watermark 2. "
        "Previous leader epoch was 4.",
        {"leader_epoch": 5, "ends": {3: 4}},
    ),
    "3.9 follower": (
        "[Broker id=3] Follower t-0 starts at leader epoch 5 from offset 4 with partition epoch 9 "
        "and high watermark 2. Current leader is 1. Previous leader Some(1) and previous leader "
        "epoch was 4.",
        {"leader": 1, "leader_epoch": 5, "partition_epoch": 9, "ends": {3: 4}, "others": (1,)},
    ),
    "2.4 truncates to its high watermark": (
        "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Truncating partition t-0 to local "
        "high watermark 4",
        {"ends": {3: 4}, "others": (1,)},
    ),
    "3.9 truncates": (
        "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Truncating partition t-0 with "
        "TruncationState(offset=4, completed=true) due to leader epoch and offset "
        "EpochEndOffset(errorCode=0, partition=0, leaderEpoch=3, endOffset=150)",
        {"least_epoch": 3, "ends": {3: 4}, "others": (1,)},
    ),
    "0.10 controller": (
        "Controller 1 epoch 3 changed partition [t,0] from OnlinePartition to OnlinePartition "
        "with leader 2",
        {"leader": 2},
    ),
    "0.8.2 controller": (
        'New leader and ISR for partition [t,0] is {"leader":1,"leader_epoch":5,"isr":[1,2]}',
        {"leader": 1, "leader_epoch": 5, "isr": (1, 2)},
    ),
    "0.10 election": (
        'Selected new leader and ISR {"leader":1,"leader_epoch":5,"isr":[1]} for offline '
        "partition [t,0]",
        {"leader": 1, "leader_epoch": 5, "isr": (1,)},
    ),
    "2.8 controller": (
        "[Controller id=1 epoch=3] Changed partition t-0 from OfflinePartition to OnlinePartition "
        "with state LeaderAndIsr(leader=2, leaderEpoch=5, isr=List(2, 3), zkVersion=9)",
        {"leader": 2, "leader_epoch": 5, "isr": (2, 3), "partition_epoch": 9},
    ),
    "3.6 controller": (
        "[Controller id=1 epoch=3] Changed partition t-0 from OnlinePartition to OnlinePartition "
        "with state LeaderAndIsr(leader=2, leaderEpoch=5, isrWithBrokerEpoch=List(BrokerState("
        "brokerId=2, brokerEpoch=-1), BrokerState(brokerId=3, brokerEpoch=-1)), "
        "leaderRecoveryState=RECOVERED, partitionEpoch=9)",
        {"leader": 2, "leader_epoch": 5, "isr": (2, 3), "partition_epoch": 9},
    ),
    "1.1 assignment": (
        "[Controller id=1 epoch=3] Changed partition t-0 state from NonExistentPartition to "
        "NewPartition with assigned replicas 1,2,3",
        {"replicas": (1, 2, 3)},
    ),
    "2.8 cached": (
        "[Broker id=1] Cached leader info UpdateMetadataPartitionState(topicName='t', "
        "partitionIndex=0, controllerEpoch=3, leader=2, leaderEpoch=5, isr=[2, 3], zkVersion=9, "
        "replicas=[1, 2, 3], offlineReplicas=[]) for partition t-0 in response to UpdateMetadata",
        {
            "leader": 2,
            "leader_epoch": 5,
            "isr": (2, 3),
            "partition_epoch": 9,
            "replicas": (1, 2, 3),
        },
    ),
    "3.9 KRaft change": (
        "[QuorumController id=1] UNCLEAN partition change for t-0 with topic ID AAA: isr: [2] -> "
        "[1], leader: -1 -> 1, leaderRecoveryState: RECOVERED -> RECOVERING, leaderEpoch: 4 -> 5, "
        "elr: [2] -> [], lastKnownElr: [1] -> [], partitionEpoch: 8 -> 9",
        {
            "isr": (1,),
            "leader": 1,
            "leader_epoch": 5,
            "elr": (),
            "last_known_elr": (),
            "partition_epoch": 9,
        },
    ),
    "4.0 KRaft registration": (
        "[QuorumController id=1] Replayed PartitionRecord for new partition t-0 with topic ID AAA "
        "and PartitionRegistration(replicas=[1, 2, 3], directories=[x, y, z], isr=[1, 2], "
        "removingReplicas=[], addingReplicas=[], elr=[3], lastKnownElr=[], leader=1, "
        "leaderRecoveryState=RECOVERED, leaderEpoch=5, partitionEpoch=9).",
        {
            "replicas": (1, 2, 3),
            "isr": (1, 2),
            "removing": (),
            "adding": (),
            "elr": (3,),
            "last_known_elr": (),
            "leader": 1,
            "leader_epoch": 5,
            "partition_epoch": 9,
        },
    ),
    "4.2 truncates below the high watermark": (
        "[ReplicaFetcher replicaId=3, leaderId=1, fetcherId=0] Truncating t-0 to offset 4 below "
        "high watermark 6",
        {"ends": {3: 4}},
    ),
    "0.10 cannot elect": (
        "Controller 1 epoch 3 encountered error while electing leader for partition [t,0] due to: "
        "No broker in ISR for partition [t,0] is alive. Live brokers are: [Set(1)], ISR brokers "
        "are: [2].",
        {"leader": -1, "isr": (2,)},
    ),
    "2.8 cannot elect": (
        "[Controller id=1 epoch=3] Controller 1 epoch 3 failed to change state for partition t-0 "
        "from OfflinePartition to OnlinePartition",
        {"leader": -1},
    ),
    "0.10 unclean election": (
        "[OfflinePartitionLeaderSelector]: No broker in ISR is alive for [t,0]. Elect leader 2 "
        "from live brokers 2. There's potential data loss.",
        {"leader": 2},
    ),
    "2.0 preferred leader": (
        "[Controller id=1] Partition t-0 completed preferred replica leader election. New leader "
        "is 1",
        {"leader": 1},
    ),
    "lagging": (
        "Failed to fetch offsets for partition t-0 with leader epoch Optional[5] as this "
        "partition's high watermark (884213) is lagging behind the start offset from the "
        "beginning of this epoch (884221).",
        {"high_watermark": 884213, "epoch_start": 884221},
    ),
}


@pytest.mark.parametrize("name", LINES)
def test_a_line_states_what_its_release_writes(name: str) -> None:
    text, facts = LINES[name]

    (line,) = read(at(1, text)).log_lines

    assert str(line.partition) == "t-0"
    assert facts_of(line) == facts


READ = {
    "isr-shrinks", "isr-expands", "isr-written", "isr-updated", "isr-not-written", "leader-starts",
    "follower-starts", "log-truncated", "truncated-below-high-watermark", "truncation-planned",
    "truncation-to-high-watermark", "live-brokers-changed", "broker-failure", "broker-startup",
    "broker-unfenced", "shutdown-started", "unclean-election-chosen", "partition-changed",
    "election-failed", "preferred-leader-elected", "broker-fenced", "unfencing-granted",
    "shutdown-granted", "unclean-election", "unclean-change",
}  # fmt: skip
"""The lines that `sim_engine.operator_words` prints of a run and that state something here."""


@pytest.mark.parametrize("control", ["zookeeper", "kraft"])
def test_what_a_run_logs_under_each_release_is_read_and_true_of_its_frame(control: Control) -> None:
    seen: set[str] = set()
    for kafka in PROFILE_NAMES:
        for seed in range(2) if control in controls_of(kafka) else ():
            timeline = play(random_schedule(seed, kafka=kafka, control=control))
            for line in run_words(timeline).lines:
                text = "".join(part.text for part in line.parts)
                if line.id not in READ:
                    continue
                seen.add(line.id)
                file = ClusterFile("broker-1.log", at(1, text))
                parsed = read_files([file], Problems())
                assert parsed.log_lines or parsed.broker_lines, (kafka, line.id, text)
                assert line.frame is not None, "a run has frames"
                (ends, epochs) = stated(timeline, line.frame)
                for found in parsed.log_lines:
                    if line.id in ("leader-starts", "follower-starts"):
                        assert found.leader_epoch in epochs, (kafka, text)
                        assert {*found.ends.items()} <= ends, (kafka, text)
    assert len(seen) > 9


def stated(timeline: Timeline, number: FrameNumber) -> tuple[set[tuple[int, int]], set[int]]:
    """The log ends of brokers before and after a frame, and the leader epochs of its brokers."""
    ends: set[tuple[int, int]] = set()
    epochs: set[int] = set()
    for one in (timeline.frames[max(number - 1, 0)].cluster, timeline.frames[number].cluster):
        for broker in one.brokers:
            for replica in broker.replicas:
                ends.add((broker.broker_id, replica.log.log_end_offset))
                epochs.add(replica.leader_epoch)
    return ends, epochs


@pytest.mark.parametrize(
    "text",
    [
        "[Log partition=t-0, dir=/data/kafka-2] Truncating to offset 4",
        "[UnifiedLog partition=t-0, dir=/data/kafka-2] Truncating to 9 has no effect as the "
        "largest offset in the log is 3",
        "[Log partition=t-0, dir=/data/kafka-2] Completed load of log with 1 segments, log start "
        "offset 0 and log end offset 4 in 12 ms",
        "Completed load of Log(dir=/data/kafka-2/t-0, topicId=AAA, topic=t, partition=0, "
        "highWatermark=2, lastStableOffset=2, logStartOffset=0, logEndOffset=4) with 1 segments, "
        "local-log-start-offset 0 and log-end-offset 4 in 3ms (1/1 completed in /data/kafka-2)",
        "Truncating log t-0 to offset 4.",
        "Completed load of log t-0 with 1 log segments and log end offset 4 in 3 ms",
    ],
)
def test_the_end_of_a_log_is_that_of_the_broker_whose_folder_or_file_it_is(text: str) -> None:
    parsed = ParsedState()
    file = ClusterFile("broker-2.log", at(1, text))

    parsed = read_files([file], Problems())

    assert [line.ends for line in parsed.log_lines] == [{2: 4}]


@pytest.mark.parametrize(
    "before",
    [
        "[2024-03-11 10:23:41,882] INFO ",
        "2024-03-11 10:23:41,882 INFO ",
        "2024-03-11T10:23:41.882Z INFO ",
        "kafka-1  | [2024-03-11 10:23:41,882] INFO ",
        "\x1b[36mkafka-1  |\x1b[0m [2024-03-11 10:23:41,882] INFO ",
        "[pod/my-kafka-0/kafka] 2024-03-11 10:23:41,882 INFO ",
        "> [2024-03-11 10:23:41,882] INFO ",
        "INFO ",
        "",
    ],
)
def test_a_line_is_read_with_whatever_stands_before_it(before: str) -> None:
    line = "[Partition t-0 broker=1] Shrinking ISR from 1,2,3 to 1,2 (kafka.cluster.Partition)\n"

    (found,) = read(before + line).log_lines

    assert found.proposed == (1, 2)
    assert found.time in ("2024-03-11 10:23:41,882", "")


STORY = [
    at(1, "[Broker id=1] Leader t-0 starts at leader epoch 3 from offset 6 with high watermark 6 "
          "ISR [1,2,3] addingReplicas [] removingReplicas []. Previous leader epoch was 2."),
    at(2, "[Partition t-0 broker=1] Shrinking ISR from 1,2,3 to 1,2. Leader: (highWatermark: 8, "
          "endOffset: 10). Out of sync replicas: (brokerId: 3, endOffset: 7)."),
    at(3, "[Partition t-0 broker=1] ISR updated to 1,2 and version updated to 47"),
]  # fmt: skip


@pytest.mark.parametrize("lines", list(permutations(STORY)))
def test_the_newest_line_counts_in_whatever_order_lines_are_pasted(lines: tuple[str, ...]) -> None:
    partition = partition_of("".join(lines))

    assert (partition.leader, partition.isr, partition.replicas) == (1, (1, 2), (1, 2, 3))
    assert (partition.leader_epoch, partition.partition_epoch) == (3, 47)
    # The leader's end and that of the broker which is out of sync are stated; broker 2 has at
    # least what is committed.
    assert ends_of("".join(lines)) == [10, 8, 7]
    epochs = [record.epoch for record in partition.logs[BrokerId(1)].records]
    assert epochs == [2] * 6 + [3] * 4


def test_a_member_of_the_isr_has_what_is_committed_whatever_an_older_line_states() -> None:
    older = at(0, LINES["2.8 follower"][0].replace("id=3", "id=2").replace("offset 4", "offset 6"))

    assert ends_of(older.replace("epoch 5", "epoch 3") + "".join(STORY)) == [10, 8, 7]


def test_a_description_counts_more_than_a_line_and_the_contradiction_is_said() -> None:
    expanding = at(9, "[Partition t-0 broker=1] Expanding ISR from 1,2 to 1,2,3")

    found = imported(DESCRIBED + "".join(STORY) + expanding)

    partition = found.scenario.partitions[T]
    assert (partition.isr, partition.partition_epoch, partition.leader_epoch) == ((1, 2), 47, 3)
    (said,) = (one for one in found.unknown if one.name == "log_contradicts")
    assert "Isr is 1,2 in the description, and 1,2,3 in the newest line" in said.text()
    assert (said.line, "10:23:09" in said.text()) == (6, True)
    agrees = imported(DESCRIBED + "".join(STORY))
    assert "log_contradicts" not in {one.name for one in agrees.unknown}


def test_epochs_of_another_leader_or_isr_are_not_taken() -> None:
    found = imported(DESCRIBED.replace("Leader: 1", "Leader: 2") + "".join(STORY))

    partition = found.scenario.partitions[T]
    assert (partition.leader, partition.partition_epoch) == (2, 0)
    assert "log_contradicts" in {one.name for one in found.unknown}


def test_a_refused_proposal_is_not_the_isr() -> None:
    refused = at(5, "[Partition t-0 broker=1] Cached zkVersion 47 not equal to that in zookeeper, "
                    "skip updating ISR")  # fmt: skip
    shrinking = at(4, "[Partition t-0 broker=1] Shrinking ISR from 1,2 to 1")

    assert partition_of("".join(STORY) + shrinking).isr == (1,)
    assert partition_of("".join(STORY) + shrinking + refused, "2.7").isr == (1, 2)


def test_a_truncation_to_the_end_of_an_older_epoch_is_newer_than_the_leader_that_it_follows() -> (
    None
):
    started = at(1, LINES["3.9 leader"][0].replace("ISR [1,2]", "ISR [1,3]"))
    truncated = at(2, LINES["3.9 truncates"][0].replace("offset=4", "offset=10"))
    followed = at(1, LINES["3.9 follower"][0].replace("offset 4", "offset 12"))

    partition = partition_of(started + followed + truncated)

    assert (partition.leader_epoch, partition.replicas) == (5, (1, 2, 3))
    assert partition.logs[BrokerId(3)].log_end_offset == 10
    # Alone, it shows an epoch that the leader has.
    (said,) = read(truncated).log_lines
    assert said.leader_epoch is None


def test_a_line_of_an_older_epoch_is_older_whatever_its_time() -> None:
    late = at(8, "[Broker id=3] Follower t-0 starts at leader epoch 2 from offset 1 with partition "
                 "epoch 4 and high watermark 1. Current leader is 3.")  # fmt: skip

    assert partition_of("".join(STORY) + late).leader == 1


def test_lines_of_partitions_that_are_not_described_are_listed_as_not_used() -> None:
    other = "".join(STORY).replace("t-0", "other-0")

    found = imported(DESCRIBED + other)

    assert [(one.name, one.line, one.last_line) for one in found.not_used] == [
        ("not_used_not_described", 3, 5)
    ]
    assert [topic.name for topic in found.scenario.topics] == ["t"]


def test_other_lines_of_a_log_and_traces_of_stacks_are_not_used() -> None:
    trace = "java.io.IOException: no\n\tat kafka.X.y(X.scala:1)\nCaused by: a.b\n\t... 3 more\n"

    found = imported(DESCRIBED + at(1, "nothing of a partition") + trace)

    assert [(one.name, one.line, one.last_line) for one in found.not_used] == [
        ("not_used_broker_log", 3, 7)
    ]


@pytest.mark.parametrize(
    ("lines", "states", "said"),
    [
        (
            ["[QuorumController id=9] Fencing broker 3 because its session has timed out."],
            {3: "stopped"},
            None,
        ),
        (
            [
                "[QuorumController id=9] Fencing broker 3 because its session has timed out.",
                "[QuorumController id=9] The request from broker 3 to unfence has been granted "
                "because it has caught up",
            ],
            {3: "running"},
            None,
        ),
        (
            [
                "[QuorumController id=9] Unfenced broker 3 has requested and been granted a "
                "controlled shutdown."
            ],
            {3: "stopped"},
            "shutting_down",
        ),
        (
            ["[Controller id=1] Shutting down broker 2"],
            {2: "running", 3: "unknown"},
            "shutting_down_and_leads",
        ),
        (
            [
                "[Controller id=1] Newly added brokers: , deleted brokers: 3, bounced brokers: , "
                "all live brokers: 1,2"
            ],
            {3: "stopped"},
            None,
        ),
        (["[Controller id=1] Broker failure callback for 2"], {2: "running"}, "down_but_in_sync"),
    ],
)
def test_the_controllers_log_shows_which_brokers_run(
    lines: list[str], states: dict[int, str], said: str | None
) -> None:
    text = "".join(at(second, line) for second, line in enumerate(lines))

    found = imported(DESCRIBED + text, "3.9")

    brokers = {broker.id: broker.state for broker in found.scenario.brokers}
    assert {broker: brokers[BrokerId(broker)] for broker in states} == states
    names = {one.name for one in found.unknown}
    assert names & {"shutting_down", "shutting_down_and_leads", "down_but_in_sync"} == (
        {said} if said else set()
    )


def test_what_only_some_releases_log_shows_the_release() -> None:
    old = imported(at(1, LINES["0.8.2 shrinking"][0]))
    new = imported(at(1, LINES["3.5 updated"][0]))

    assert old.release.newest == "0.11.0"
    assert imported(at(1, LINES["2.4 updated"][0])).release.newest == "2.7"
    assert imported(at(1, LINES["2.7 updated"][0])).release.newest == "3.0"
    assert new.release.oldest == "3.5"


def test_an_election_that_the_setting_allowed_shows_the_setting() -> None:
    """With its default from 0.11 on, a crash of the only member of the ISR would lose nothing."""
    elected = at(1, "WARN [OfflinePartitionLeaderSelector]: No broker in ISR is alive for [t,0]. "
    "Elect leader 1 from live brokers 1. There's potential data loss.")  # fmt: skip
    name = "unclean.leader.election.enable"

    def is_on(text: str) -> object:
        (topic,) = imported(text + elected, "0.11").scenario.topics
        return dict(topic.configs).get(name, False)

    assert is_on(DESCRIBED) is True
    assert is_on(DESCRIBED.replace("Configs: ", f"Configs: {name}=false")) is False
