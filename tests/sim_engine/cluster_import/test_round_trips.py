"""A state that a controller has written, printed in each form that has one, imported: the same."""

import json
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from sim_engine.cluster.state import ClusterState
from sim_engine.cluster_import.assembly import import_cluster
from sim_engine.cluster_import.parsed_state import ClusterFile
from sim_engine.exploration.schedules import random_schedule
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.scenario_reader.document import PartitionSpec, Scenario
from sim_engine.versions import PROFILE_NAMES, Control, controls_of
from tests.sim_engine.runs import play
from tests.sim_engine.starts import start_of

FIELDS = {
    "replicas": "replicas",
    "leader": "leader",
    "isr": "isr",
    "leader_epoch": "leader_epoch",
    "partition_epoch": "partition_epoch",
    "adding_replicas": "adding",
    "removing_replicas": "removing",
    "elr": "elr",
    "last_known_elr": "last_known_elr",
}
"""The field of a registration → that of a start."""
WITHOUT_EPOCHS = ("replicas", "leader", "isr")
OF_ZOOKEEPER = (*WITHOUT_EPOCHS, "leader_epoch", "partition_epoch")


def active_in(cluster: ClusterState) -> list[BrokerId]:
    return [one.broker_id for one in cluster.controller.brokers if one.active]


def kcat(cluster: ClusterState) -> str:
    partitions = cluster.controller.partitions
    brokers = "".join(f"  broker {one} at host:9092\n" for one in active_in(cluster))
    lines = "".join(
        f'  topic "{one.partition.rpartition("-")[0]}" with 1 partitions:\n'
        f"    partition {one.partition.rpartition('-')[2]}, leader {one.leader}, replicas: "
        f"{joined(one.replicas)}, isrs: {joined(one.isr)}\n"
        for one in partitions
    )
    head = "Metadata for all topics (from broker 1: host:9092/1):\n"
    return f"{head} {len(active_in(cluster))} brokers:\n{brokers} 1 topics:\n{lines}"


def kcat_json(cluster: ClusterState) -> str:
    def nodes(brokers: tuple[BrokerId, ...]) -> list[dict[str, int]]:
        return [{"id": int(one)} for one in brokers]

    topics = [
        {
            "topic": one.partition.rpartition("-")[0],
            "partitions": [
                {
                    "partition": int(one.partition.rpartition("-")[2]),
                    "leader": one.leader,
                    "replicas": nodes(one.replicas),
                    "isrs": nodes(one.isr),
                }
            ],
        }
        for one in cluster.controller.partitions
    ]
    return json.dumps({"brokers": nodes(tuple(active_in(cluster))), "topics": topics})


def zookeeper(cluster: ClusterState) -> str:
    lines = [f"ls /brokers/ids\n[{', '.join(map(str, active_in(cluster)))}]"]
    topics: dict[str, dict[str, dict[str, list[int]]]] = {}
    for one in cluster.controller.partitions:
        topic, _, number = one.partition.rpartition("-")
        state = {
            "controller_epoch": 1,
            "leader": one.leader,
            "version": 1,
            "leader_epoch": one.leader_epoch,
            "isr": list(one.isr),
        }
        path = f"/brokers/topics/{topic}/partitions/{number}/state"
        lines.append(f"get {path}\n{json.dumps(state)}\ndataVersion = {one.partition_epoch}")
        node = topics.setdefault(topic, {"partitions": {}, "adding_replicas": {}})
        node.setdefault("removing_replicas", {})
        node["partitions"][number] = list(map(int, one.replicas))
        node["adding_replicas"][number] = list(map(int, one.adding_replicas))
        node["removing_replicas"][number] = list(map(int, one.removing_replicas))
    for topic, node in topics.items():
        lines.append(f"get /brokers/topics/{topic}\n{json.dumps({'version': 2, **node})}")
    return "\n".join(lines) + "\n"


def record_of(one: PartitionRegistration, topic_id: str) -> dict[str, object]:
    return {
        "partitionId": int(one.partition.rpartition("-")[2]),
        "topicId": topic_id,
        "replicas": list(one.replicas),
        "isr": list(one.isr),
        "removingReplicas": list(one.removing_replicas),
        "addingReplicas": list(one.adding_replicas),
        "leader": one.leader,
        "leaderEpoch": one.leader_epoch,
        "partitionEpoch": one.partition_epoch,
        "eligibleLeaderReplicas": list(one.elr),
        "lastKnownElr": list(one.last_known_elr),
    }


def metadata_log(cluster: ClusterState) -> str:
    records: list[tuple[str, dict[str, object]]] = [
        ("REGISTER_BROKER_RECORD", {"brokerId": one.broker_id, "fenced": not one.active})
        for one in cluster.controller.brokers
    ]
    topics: dict[str, str] = {}
    for one in cluster.controller.partitions:
        topic = one.partition.rpartition("-")[0]
        if topic not in topics:
            topics[topic] = f"id-of-{topic}"
            records.append(("TOPIC_RECORD", {"name": topic, "topicId": topics[topic]}))
        records.append(("PARTITION_RECORD", record_of(one, topics[topic])))
    payloads = [json.dumps({"type": kind, "version": 0, "data": data}) for kind, data in records]
    return (
        "Dumping /d/__cluster_metadata-0/00000000000000000000.log\n"
        f"baseOffset: 0 lastOffset: {len(payloads) - 1} count: {len(payloads)} "
        "partitionLeaderEpoch: 1 isControl: false x: 1\n"
    ) + "".join(
        f"| offset: {offset} keySize: -1 valueSize: {len(payload)} headerKeys: [] "
        f"payload: {payload}\n"
        for offset, payload in enumerate(payloads)
    )


def metadata_shell(cluster: ClusterState) -> str:
    lines = []
    for one in cluster.controller.partitions:
        topic, _, number = one.partition.rpartition("-")
        lines.append(f">> cat /topics/{topic}/{number}/data")
        lines.append(json.dumps(record_of(one, f"id-of-{topic}"), indent=2))
    for broker in cluster.controller.brokers:
        lines.append(f">> cat /brokers/{broker.broker_id}/registration")
        data = {"brokerId": broker.broker_id, "brokerEpoch": 1, "fenced": not broker.active}
        lines.append(json.dumps(data))
    return "\n".join(lines) + "\n"


def logs(cluster: ClusterState) -> str:
    """Newest first, and behind each line one with an older state."""
    lines = []
    for second, one in enumerate(cluster.controller.partitions):
        for minute, isr in ((20, one.isr), (10, one.replicas)):
            time = f"[2024-03-11 10:{minute}:{second:02},000] "
            if cluster.profile.control == "kraft":
                lines.append(
                    f"{time}INFO [QuorumController id=9] Replayed PartitionRecord for new "
                    f"partition {one.partition} and PartitionRegistration(replicas="
                    f"{listed(one.replicas)}, isr={listed(isr)}, removingReplicas="
                    f"{listed(one.removing_replicas)}, addingReplicas="
                    f"{listed(one.adding_replicas)}, elr={listed(one.elr)}, lastKnownElr="
                    f"{listed(one.last_known_elr)}, leader={one.leader}, leaderRecoveryState="
                    f"RECOVERED, leaderEpoch={one.leader_epoch}, partitionEpoch="
                    f"{one.partition_epoch}). (org.apache.kafka.X)"
                )
            else:
                lines.append(
                    f"{time}TRACE [Broker id=1] Cached leader info UpdateMetadataPartitionState("
                    f"topicName='{one.partition.rpartition('-')[0]}', partitionIndex="
                    f"{one.partition.rpartition('-')[2]}, controllerEpoch=1, leader={one.leader}, "
                    f"leaderEpoch={one.leader_epoch}, isr={listed(isr)}, zkVersion="
                    f"{one.partition_epoch}, replicas={listed(one.replicas)}, offlineReplicas=[]) "
                    f"for partition {one.partition} in response to UpdateMetadata (state.change)"
                )
    for broker in cluster.controller.brokers:
        line = _line_of_broker(cluster, broker.broker_id, active=broker.active)
        lines.append(f"[2024-03-11 10:30:00,000] INFO {line} (kafka.X)")
    return "\n".join(lines) + "\n"


def _line_of_broker(cluster: ClusterState, broker: BrokerId, *, active: bool) -> str:
    if cluster.profile.control == "zookeeper":
        return (
            f"[Controller id=1] Newly added brokers: {broker}, deleted brokers: , bounced brokers: "
            if active
            else f"[Controller id=1] Broker failure callback for {broker}"
        )
    return (
        f"[QuorumController id=9] The request from broker {broker} to unfence has been granted"
        if active
        else f"[QuorumController id=9] Fencing broker {broker} because its session has timed out."
    )


def listed(brokers: tuple[BrokerId, ...]) -> str:
    return f"[{', '.join(map(str, brokers))}]"


def joined(brokers: tuple[BrokerId, ...]) -> str:
    return ",".join(map(str, brokers))


Printer = Callable[[ClusterState], str]
FORMS: dict[str, tuple[Printer, tuple[Control, ...], tuple[str, ...]]] = {
    "kcat": (kcat, ("zookeeper", "kraft"), WITHOUT_EPOCHS),
    "kcat in JSON": (kcat_json, ("zookeeper", "kraft"), WITHOUT_EPOCHS),
    "ZooKeeper": (
        zookeeper,
        ("zookeeper",),
        (*OF_ZOOKEEPER, "adding_replicas", "removing_replicas"),
    ),
    "metadata log": (metadata_log, ("kraft",), tuple(FIELDS)),
    "metadata shell": (metadata_shell, ("kraft",), tuple(FIELDS)),
    "logs of ZooKeeper": (logs, ("zookeeper",), OF_ZOOKEEPER),
    "logs of KRaft": (logs, ("kraft",), tuple(FIELDS)),
}
"""Name of a form → how it is printed, under which controllers, and the fields that it has."""


@cache
def states(control: Control) -> tuple[tuple[str, ClusterState], ...]:
    """Different states of random runs under each release that has this controller."""
    return tuple(_states(control))


def _states(control: Control) -> Iterator[tuple[str, ClusterState]]:
    for kafka in PROFILE_NAMES:
        if control not in controls_of(kafka):
            continue
        seen: set[object] = set()
        for seed in range(2):
            timeline = play(random_schedule(seed, kafka=kafka, control=control))
            for frame in timeline.frames:
                cluster = frame.cluster
                state = (cluster.controller.partitions, tuple(active_in(cluster)))
                if state not in seen and start_of(timeline, cluster) is not None:
                    seen.add(state)
                    yield kafka, cluster


@pytest.mark.parametrize("form", FORMS)
def test_what_a_form_has_of_a_state_is_imported(form: str) -> None:
    printed, controls, fields = FORMS[form]
    count = 0
    for control in controls:
        for kafka, cluster in states(control):
            text = printed(cluster)
            found = import_cluster([ClusterFile("pasted.txt", text)], kafka=kafka)
            count += 1
            where = (form, kafka, control, text)
            assert found.differences == (), where
            for one in cluster.controller.partitions:
                start = found.scenario.partitions[one.partition]
                assert kept(start, fields) == {name: getattr(one, name) for name in fields}, where
            assert running(found.scenario) == set(active_in(cluster)) & named(cluster), where
    assert count > 50


def kept(start: PartitionSpec, fields: tuple[str, ...]) -> dict[str, object]:
    return {name: getattr(start, FIELDS[name]) for name in fields}


def named(cluster: ClusterState) -> set[BrokerId]:
    return {replica for one in cluster.controller.partitions for replica in one.replicas}


def running(scenario: Scenario) -> set[BrokerId]:
    replicas = {replica for one in scenario.partitions.values() for replica in one.replicas}
    return {
        broker for broker, state in scenario.broker_states.items() if state == "running"
    } & replicas
