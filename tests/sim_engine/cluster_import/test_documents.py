"""Nodes of ZooKeeper and the metadata shell, assignments, elections, and resources of Strimzi."""

import json

import pytest

from sim_engine.cluster_import.assembly import ImportedCluster, import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile, UnreadableError
from sim_engine.identifiers import TopicPartition
from sim_engine.scenario_reader.document import PartitionSpec

T = TopicPartition("t-0")
DESCRIBED = (
    "Topic: t\tTopicId: AAA\tPartitionCount: 1\tReplicationFactor: 3\tConfigs: \n"
    "\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2\n"
)


def imported(text: str, kafka: str | None = None) -> ImportedCluster:
    return import_cluster([ClusterFile("pasted.txt", text)], kafka=kafka)


def partition_of(text: str, kafka: str | None = None) -> PartitionSpec:
    return imported(text, kafka).scenario.partitions[T]


def problem_of(text: str) -> str:
    with pytest.raises(UnreadableError) as caught:
        imported(text)
    (problem,) = caught.value.problems
    return str(problem)


def names(found: ImportedCluster) -> set[str]:
    return {statement.name for statement in found.unknown}


STATE = '{"controller_epoch":3,"leader":2,"version":1,"leader_epoch":4,"isr":[2,3]}'
STAT = (
    "cZxid = 0x1f\nctime = Mon Mar 11 10:23:41 UTC 2024\nmZxid = 0x2f\nmtime = Mon Mar 11\n"
    "pZxid = 0x1f\ncversion = 0\ndataVersion = 9\naclVersion = 0\nephemeralOwner = 0x0\n"
    "dataLength = 80\nnumChildren = 0\n"
)
TOPIC = (
    '{"version":3,"partitions":{"0":[2,3,1]},"topic_id":"AAA","adding_replicas":{"0":[1]},'
    '"removing_replicas":{"0":[3]}}'
)
BROKER = (
    '{"listener_security_protocol_map":{"PLAINTEXT":"PLAINTEXT"},"endpoints":["PLAINTEXT://b:9092"]'
    ',"rack":"east","jmx_port":-1,"host":"b","timestamp":"1","port":9092,"version":4}'
)
ZOOKEEPER = {
    "the shell of ZooKeeper": (
        "Connecting to localhost:2181\nWelcome to ZooKeeper!\nJLine support is enabled\n\n"
        "WATCHER::\n\nWatchedEvent state:SyncConnected type:None path:null\n"
        "[zk: localhost:2181(CONNECTED) 0] get /brokers/topics/t/partitions/0/state\n"
        f"{STATE}\n{STAT}"
        f"[zk: localhost:2181(CONNECTED) 1] get /brokers/topics/t\n{TOPIC}\n"
        f"[zk: localhost:2181(CONNECTED) 2] get /brokers/ids/2\n{BROKER}\n"
        "[zk: localhost:2181(CONNECTED) 3] ls /brokers/ids\n[1, 2, 3]\n"
    ),
    "commands of a shell": (
        "$ bin/zookeeper-shell.sh localhost:2181 get /kafka/brokers/topics/t/partitions/0/state\n"
        f"{STATE}\n{STAT}"
        f"$ zkCli.sh get /kafka/brokers/topics/t\n{TOPIC}\n"
        f"$ zkCli.sh get /kafka/brokers/ids/2\n{BROKER}\n"
        "$ zkCli.sh ls /kafka/brokers/ids\n[1, 2, 3]\n"
    ),
    "paths in front": (
        f"/brokers/topics/t/partitions/0/state: {STATE}\n{STAT}"
        f"/brokers/topics/t {TOPIC}\n/brokers/ids/2: {BROKER}\n/brokers/ids [1, 2, 3]\n"
    ),
}


@pytest.mark.parametrize("form", ZOOKEEPER)
def test_the_nodes_of_zookeeper_have_the_state_with_its_epochs(form: str) -> None:
    found = imported(ZOOKEEPER[form])

    partition = found.scenario.partitions[T]
    assert (partition.leader, partition.isr, partition.replicas) == (2, (2, 3), (2, 3, 1))
    assert (partition.leader_epoch, partition.partition_epoch) == (4, 9)
    assert (partition.adding, partition.removing) == ((1,), (3,))
    assert {broker.id: (broker.state, broker.rack) for broker in found.scenario.brokers} == {
        1: ("running", None),
        2: ("running", "east"),
        3: ("running", None),
    }
    assert found.scenario.control == "zookeeper"
    assert found.release.oldest == "2.8"
    assert found.not_used == ()


def test_a_node_without_its_path_is_an_error_with_an_example() -> None:
    assert "get /brokers/topics/orders/partitions/0/state" in problem_of(STATE)
    assert "get /brokers/ids/1" in problem_of(BROKER)


def test_a_state_without_the_assignment_has_the_replicas_that_it_names() -> None:
    found = imported(f"get /brokers/topics/t/partitions/0/state\n{STATE}\n")

    assert found.scenario.partitions[T].replicas == (2, 3)
    assert "replicas_assumed" in names(found)


def test_settings_in_zookeeper_are_read() -> None:
    config = '{"version":1,"config":{"min.insync.replicas":"2","cleanup.policy":"delete"}}'

    found = imported(f"{DESCRIBED}get /config/topics/t\n{config}\n", "2.7")

    assert found.scenario.topics[0].configs == {"min.insync.replicas": 2}


def test_a_log_directory_that_is_offline_is_said() -> None:
    folder = {"logDir": "/d", "error": "KafkaStorageException", "partitions": []}
    log_dirs = {"version": 1, "brokers": [{"broker": 2, "logDirs": [folder]}]}

    (said,) = (
        one
        for one in imported(DESCRIBED + json.dumps(log_dirs)).unknown
        if one.name == "log_dir_offline"
    )

    assert "log directory of broker 2 is offline" in said.text()


SHELL = {"replicas": [1, 2, 3], "isr": [1], "leader": 1, "leaderEpoch": 4, "partitionEpoch": 7}


def shell(**more: object) -> str:
    return json.dumps({"partitionId": 0, "topicId": "AAA", **SHELL, **more}, indent=2) + "\n"


@pytest.mark.parametrize(
    "text",
    [
        f">> cat /topics/t/0/data\n{shell()}",
        f"{DESCRIBED.replace('Isr: 1,2', 'Isr: 1')}{shell()}",
        f"{shell()}{DESCRIBED.replace('Isr: 1,2', 'Isr: 1')}",
        ">> cat /image/topics/byName/t/0\nPartitionRegistration(replicas=[1, 2, 3], directories="
        "[x, y, z], isr=[1], removingReplicas=[], addingReplicas=[], elr=[], lastKnownElr=[], "
        "leader=1, leaderRecoveryState=RECOVERED, leaderEpoch=4, partitionEpoch=7)\n",
    ],
)
def test_a_partition_of_the_metadata_shell_has_its_epochs(text: str) -> None:
    found = imported(text)

    partition = found.scenario.partitions[T]
    assert (partition.leader, partition.isr, partition.replicas) == (1, (1,), (1, 2, 3))
    assert (partition.leader_epoch, partition.partition_epoch) == (4, 7)
    assert "described_twice" not in names(found)


def test_a_description_that_differs_from_the_one_before_is_said() -> None:
    found = imported(DESCRIBED + shell())

    assert "described_twice" in names(found)
    assert found.scenario.partitions[T].isr == (1,)


REGISTERED = {"brokerId": 3, "incarnationId": "x", "brokerEpoch": 5, "fenced": False}


@pytest.mark.parametrize(
    ("changes", "state", "said"),
    [
        ({"inControlledShutdown": True}, "stopped", True),
        ({"fenced": True}, "stopped", False),
        ({}, "running", False),
    ],
)
def test_a_registered_broker_may_be_fenced_or_in_a_controlled_shutdown(
    changes: dict[str, bool], state: str, said: bool
) -> None:
    found = imported(DESCRIBED + json.dumps({**REGISTERED, **changes}) + "\n")

    states = {int(broker.id): broker.state for broker in found.scenario.brokers}
    assert states[3] == state
    assert ("shutting_down" in names(found)) is said


def dumped(*records: tuple[str, dict[str, object]]) -> str:
    payloads = [json.dumps({"type": kind, "version": 0, "data": data}) for kind, data in records]
    batch = (
        f"baseOffset: 0 lastOffset: {len(payloads) - 1} count: {len(payloads)} baseSequence: -1 "
        "lastSequence: -1 producerId: -1 producerEpoch: -1 partitionLeaderEpoch: 1 "
        "isTransactional: false isControl: false position: 0 CreateTime: 1 size: 9 magic: 2 "
        "compresscodec: none crc: 1 isvalid: true\n"
    )
    lines = "".join(
        f"| offset: {offset} CreateTime: 1 keySize: -1 valueSize: {len(payload)} sequence: -1 "
        f"headerKeys: [] payload: {payload}\n"
        for offset, payload in enumerate(payloads)
    )
    return f"Dumping /d/__cluster_metadata-0/00000000000000000000.log\n{batch}{lines}"


def test_the_metadata_log_has_the_states_of_brokers_and_settings() -> None:
    partition = {"partitionId": 0, "topicId": "AAA", **SHELL}
    found = imported(
        dumped(
            ("REGISTER_BROKER_RECORD", {"brokerId": 1, "fenced": True, "rack": "east"}),
            ("REGISTER_BROKER_RECORD", {"brokerId": 2, "fenced": True, "rack": None}),
            ("REGISTER_BROKER_RECORD", {"brokerId": 3, "fenced": True, "rack": None}),
            ("BROKER_REGISTRATION_CHANGE_RECORD", {"brokerId": 1, "fenced": -1}),
            ("BROKER_REGISTRATION_CHANGE_RECORD", {"brokerId": 3, "fenced": -1}),
            (
                "BROKER_REGISTRATION_CHANGE_RECORD",
                {"brokerId": 3, "fenced": 0, "inControlledShutdown": 1},
            ),
            ("TOPIC_RECORD", {"name": "t", "topicId": "AAA"}),
            ("PARTITION_RECORD", partition),
            ("TOPIC_RECORD", {"name": "gone", "topicId": "BBB"}),
            ("PARTITION_RECORD", {**partition, "topicId": "BBB"}),
            ("REMOVE_TOPIC_RECORD", {"topicId": "BBB"}),
            (
                "CONFIG_RECORD",
                {
                    "resourceType": 2,
                    "resourceName": "t",
                    "name": "min.insync.replicas",
                    "value": "2",
                },
            ),
        )
    )

    assert [(topic.name, topic.configs) for topic in found.scenario.topics] == [
        ("t", {"min.insync.replicas": 2})
    ]
    assert {int(one.id): (one.state, one.rack) for one in found.scenario.brokers} == {
        1: ("running", "east"),
        2: ("stopped", None),
        3: ("stopped", None),
    }
    assert "shutting_down" in names(found)


def test_a_snapshot_of_the_metadata_log_is_read_with_and_without_offsets() -> None:
    payloads = [
        json.dumps({"type": "TOPIC_RECORD", "data": {"name": "t", "topicId": "AAA"}}),
        json.dumps(
            {"type": "PARTITION_RECORD", "data": {"partitionId": 0, "topicId": "AAA", **SHELL}}
        ),
    ]
    head = (
        "Dumping /d/__cluster_metadata-0/00000000000000000010-0000000001.checkpoint\n"
        "Snapshot end offset: 10, epoch: 1\n"
        "baseOffset: 0 lastOffset: 0 count: 1 partitionLeaderEpoch: 1 isControl: true x: 1\n"
        '| offset: 0 keySize: 4 valueSize: 19 headerKeys: [] SnapshotHeader {"version":0}\n'
        "baseOffset: 1 lastOffset: 2 count: 2 partitionLeaderEpoch: 1 isControl: false x: 1\n"
    )
    whole = "".join(
        f"| offset: {offset} keySize: -1 valueSize: {len(payload)} headerKeys: [] "
        f"payload: {payload}\n"
        for offset, payload in enumerate(payloads, 1)
    )
    skipped = "".join(f" payload: {payload}\n" for payload in payloads)

    for text in (head + whole, head + skipped):
        partition = partition_of(text)
        assert (partition.isr, partition.leader_epoch, partition.partition_epoch) == ((1,), 4, 7)


LISTED = "Current partition reassignments:\nt-0: replicas: 1,2,3. adding: 3. removing: 2.\n"


@pytest.mark.parametrize("text", [LISTED + DESCRIBED, DESCRIBED + LISTED])
def test_a_list_of_reassignments_has_what_older_descriptions_lack(text: str) -> None:
    partition = partition_of(text)

    assert (partition.leader, partition.isr) == (1, (1, 2))
    assert (partition.adding, partition.removing) == ((3,), (2,))


def test_a_reassignment_of_which_only_the_progress_is_known_is_said() -> None:
    verified = (
        "Status of partition reassignment: \nReassignment of partition t-0 is still in progress.\n"
        "Reassignment of partition t-1 is completed.\nReassignment of partition [u,0] "
        "completed successfully\nClearing broker-level throttles on brokers 1,2\n"
    )

    found = imported(DESCRIBED + verified)

    (said,) = (one for one in found.unknown if one.name == "reassignment_unknown")
    assert "t-0 is being reassigned" in said.text()
    assert [one.name for one in found.not_used] == ["not_used_reassignment"]
    assert "reassignment_unknown" not in names(imported(DESCRIBED + LISTED + verified))


def test_a_plan_shows_nothing_of_the_state_unless_it_is_the_current_assignment() -> None:
    plan = '{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[4,5]}]}\n'
    both = (
        "Current partition replica assignment\n"
        '{"version":1,"partitions":[{"topic":"t","partition":0,"replicas":[3,2,1]}]}\n\n'
        f"Proposed partition reassignment configuration\n{plan}"
    )

    found = imported(DESCRIBED + plan)
    current = imported(both)

    assert found.scenario.partitions[T].replicas == (1, 2, 3)
    assert [(one.name, one.line) for one in found.not_used] == [("not_used_plan", 3)]
    assert current.scenario.partitions[T].replicas == (3, 2, 1)
    assert "state_assumed" in names(current)


def test_an_election_is_compared_with_the_description() -> None:
    elected = "Successfully completed leader election (PREFERRED) for partitions t-0\n"
    led_by_another = DESCRIBED.replace("Leader: 1", "Leader: 2")

    found = imported(led_by_another + elected)

    (said,) = (one for one in found.unknown if one.name == "election_contradicts")
    assert "preferred leader 1 of t-0 is elected, but it is described with leader 2" in said.text()
    for text in (DESCRIBED + elected, led_by_another + elected.replace("PREFERRED", "UNCLEAN")):
        assert "election_contradicts" not in names(imported(text))


def test_topics_of_which_only_a_part_is_printed_are_said() -> None:
    line = "\tTopic: t\tPartition: 4\tLeader: 1\tReplicas: 1,2\tIsr: 1\n"
    head = "Topic: t\tPartitionCount: 6\tReplicationFactor: 2\tConfigs: \n"

    assert "topic_line_missing" in names(imported(line))
    assert "part_printed" in names(imported(head + line))
    assert names(imported(DESCRIBED)).isdisjoint({"topic_line_missing", "part_printed"})


TOPIC_RESOURCE = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: KafkaTopic
metadata:
  name: t
spec:
  partitions: 2
  replicas: 2
  config:
    min.insync.replicas: 2
    retention.ms: 7200000
"""
KAFKA_RESOURCE = """\
apiVersion: kafka.strimzi.io/v1beta2
kind: Kafka
metadata:
  name: my-cluster
spec:
  kafka:
    version: 3.6.1
    replicas: 3
    config:
      unclean.leader.election.enable: true
  zookeeper:
    replicas: 3
"""


def test_the_resources_of_strimzi_have_settings_release_and_brokers() -> None:
    found = imported(f"{KAFKA_RESOURCE}---\n{TOPIC_RESOURCE}")

    scenario = found.scenario
    assert (scenario.kafka, scenario.control) == ("3.6", "zookeeper")
    assert scenario.broker_ids == (0, 1, 2)
    assert scenario.configs == {"unclean.leader.election.enable": True}
    assert scenario.topics[0].configs == {"min.insync.replicas": 2}
    assert [one.replicas for one in scenario.topics[0].partitions] == [(0, 1), (1, 2)]
    (said,) = (one for one in found.unknown if one.name == "placement_assumed")
    assert "Paste kafka-topics --describe" in said.text()


def test_a_resource_in_json_is_the_same() -> None:
    spec = {"partitions": 2, "replicas": 2, "config": {"min.insync.replicas": 2}}
    resource = {
        "apiVersion": "kafka.strimzi.io/v1beta2",
        "kind": "KafkaTopic",
        "metadata": {"name": "t"},
        "spec": {**spec, "config": {"min.insync.replicas": 2, "retention.ms": 7200000}},
    }

    found = imported(json.dumps({"kind": "List", "apiVersion": "v1", "items": [resource]}))

    assert found.scenario == imported(TOPIC_RESOURCE).scenario


def test_a_described_topic_takes_only_the_settings_of_its_resource() -> None:
    found = imported(f"{TOPIC_RESOURCE}\n{DESCRIBED}")

    assert found.scenario.partitions[T].replicas == (1, 2, 3)
    assert found.scenario.topics[0].configs == {"min.insync.replicas": 2}
    assert "placement_assumed" not in names(found)


def test_a_list_of_resources_and_other_kinds_are_read_and_passed_over() -> None:
    indented = TOPIC_RESOURCE.replace("\n", "\n  ").strip()
    listed = f"apiVersion: v1\nkind: List\nitems:\n- {indented}\n"
    other = "---\napiVersion: v1\ndata:\n  password: c2VjcmV0\nkind: Secret\n"

    found = imported(listed + other)

    assert [topic.name for topic in found.scenario.topics] == ["t"]
    assert [(one.name, one.line) for one in found.not_used] == [("not_used_resource", 15)]


def test_yaml_that_cannot_be_read_is_one_error() -> None:
    assert "kubectl get --output yaml" in problem_of("kind: KafkaTopic\nspec: {a: [\n")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("t:0:12\n", "High watermarks of leaders: 1 partition"),
        ("broker.id=1\nlog.dirs=/d\nmin.insync.replicas=2\n", "Settings of broker 1"),
        (KAFKA_RESOURCE, "Resources of Strimzi"),
    ],
)
def test_input_that_describes_no_partition_is_named_with_what_to_add(text: str, what: str) -> None:
    problem = problem_of(text)

    assert problem.startswith("pasted.txt:1:1: this was read: ")
    assert what in problem
    assert "kafka-topics --describe" in problem
