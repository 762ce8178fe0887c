"""A cluster's topics as `kafka-topics --describe` of its release prints them (`TopicCommand`).

Up to 2.1 the tool reads ZooKeeper and prints -1 for a partition without a leader; then `none`. From
2.4 there is a space after `Topic:`, and the replicas that a reassignment adds and removes are
printed; from 2.8 topics have an id, and from 3.7 there are columns of the ELR.
"""

from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from itertools import groupby

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import NO_LEADER, BrokerId, topic_of
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.releases import at_least

_ID_BYTES = 16


def describe_topics(cluster: ClusterState) -> str:
    """The lines of all topics, each with a line end. The id of a topic is made from its name."""
    return "".join(f"{line}\n" for line in _lines(cluster))


def _lines(cluster: ClusterState) -> Iterator[str]:
    version = cluster.profile.version
    for topic, partitions in groupby(
        cluster.controller.partitions, key=lambda one: topic_of(one.partition)
    ):
        of_topic = list(partitions)
        configs = dict(cluster.topic_configs).get(topic, ())
        columns = {
            "Topic": topic,
            "TopicId": _topic_id(topic) if at_least(version, (2, 8)) else None,
            "PartitionCount": str(len(of_topic)),
            "ReplicationFactor": str(_replication_factor(of_topic[0], version)),
            "Configs": ",".join(f"{name}={_written(value)}" for name, value in configs),
        }
        yield _row(columns, ": " if at_least(version, (2, 4)) else ":")
        for one in of_topic:
            yield "\t" + _row(_partition(one, version), ": ")


def _replication_factor(first: PartitionRegistration, version: tuple[int, ...]) -> int:
    """The number of replicas; from 2.4 without those that are being added
    (`TopicCommand.getReplicationFactor`).
    """
    adding = first.adding_replicas if at_least(version, (2, 4)) else ()
    return len(first.replicas) - len(adding)


def _partition(one: PartitionRegistration, version: tuple[int, ...]) -> dict[str, str | None]:
    none = "none" if at_least(version, (2, 2)) else "-1"
    moves = at_least(version, (2, 4)) and bool(one.adding_replicas or one.removing_replicas)
    has_elr = at_least(version, (3, 7))
    topic, _, number = one.partition.rpartition("-")
    return {
        "Topic": topic,
        "Partition": number,
        "Leader": none if one.leader == NO_LEADER else str(one.leader),
        "Replicas": _ids(one.replicas),
        "Isr": _ids(one.isr),
        "Adding Replicas": _ids(one.adding_replicas) if moves else None,
        "Removing Replicas": _ids(one.removing_replicas) if moves else None,
        "Elr": _ids(one.elr) if has_elr else None,
        "LastKnownElr": _ids(one.last_known_elr) if has_elr else None,
    }


def _row(columns: dict[str, str | None], after: str) -> str:
    return "\t".join(f"{name}{after}{text}" for name, text in columns.items() if text is not None)


def _ids(brokers: Iterable[BrokerId]) -> str:
    return ",".join(map(str, brokers))


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _topic_id(topic: str) -> str:
    name = topic.encode()[:_ID_BYTES].ljust(_ID_BYTES, b"\0")
    return urlsafe_b64encode(name).decode().rstrip("=")
