"""The controller: which brokers it considers alive, what it writes, and which replicas it
assigns."""

from typing import Literal

from sim_engine.events.base import BrokerEvent, Event, PartitionEvent
from sim_engine.events.metadata_records import MetadataRecord
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset


class ControllerElected(Event, frozen=True, gc=False, kw_only=True):
    """Another broker becomes the ZooKeeper controller. `before` is the previous controller
    epoch."""

    rule: str | None = "CONTROLLER-EPOCH"
    sources: tuple[str, ...] = ("KafkaController",)
    before: int
    controller_epoch: int


class SessionExpired(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's ZooKeeper session ends, and the controller considers the broker dead."""

    rule: str | None = "SESSION-TIMEOUT"
    sources: tuple[str, ...] = ("KafkaController",)


class BrokerJoined(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A ZooKeeper controller detects a new registration and sends the broker its leaderships and
    followerships."""

    sources: tuple[str, ...] = ("KafkaController",)


class HeartbeatReceived(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller receives a broker's heartbeat."""

    sources: tuple[str, ...] = ("BrokerHeartbeatManager",)


class BrokerRegistered(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller registers a broker under a new broker epoch.

    `previous_broker_epoch` is the epoch that the broker read from its clean-shutdown marker, -1
    without one. `registered_broker_epoch` is the epoch that the controller had for it.
    """

    variant: Literal["clean_shutdown", "unclean_shutdown"] | None = None
    sources: tuple[str, ...] = ("ClusterControlManager",)
    broker_epoch: int
    previous_broker_epoch: int
    registered_broker_epoch: int


class BrokerFenced(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller fences a broker: its heartbeat timed out, or its controlled shutdown is
    complete."""

    variant: Literal["shutdown"] | None = None
    rule: str | None = "SESSION-TIMEOUT"
    sources: tuple[str, ...] = ("BrokerHeartbeatManager", "ReplicationControlManager")


class BrokerUnfenced(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller unfences a broker that has caught up with the metadata log.

    Variant "again": the broker's heartbeats had stopped arriving. It may not have read the latest
    records yet, because only its own registration matters.
    """

    variant: Literal["again"] | None = None
    sources: tuple[str, ...] = ("BrokerHeartbeatManager",)


class MetadataRecordsWritten(Event, frozen=True, gc=False, kw_only=True):
    """A KRaft controller writes records to the metadata log. The log now ends at `offset`."""

    sources: tuple[str, ...] = ("ReplicationControlManager", "ClusterControlManager")
    offset: Offset
    count: int
    records: tuple[MetadataRecord, ...]


class ReassignmentStarted(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A reassignment begins, from the replicas `before` to those of `target`. It may only add or
    only remove replicas."""

    variant: Literal["adding", "removing"] | None = None
    rule: str | None = "REASSIGNMENT"
    before: tuple[BrokerId, ...]
    target: tuple[BrokerId, ...]
    adding: tuple[BrokerId, ...]
    removing: tuple[BrokerId, ...]


class ReassignmentCompleted(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A reassignment is complete."""

    rule: str | None = "REASSIGNMENT"
    replicas: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]
    leader: BrokerId
    leader_epoch: LeaderEpoch


class ReplicasReordered(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A partition's replicas are reordered. The first one is the preferred leader."""

    replicas: tuple[BrokerId, ...]
    leader_epoch: LeaderEpoch


class ProtocolLevelChanged(Event, frozen=True, gc=False, kw_only=True):
    """The protocol level is raised or lowered. Variant "only": no modelled rule changes.

    `name` is the setting. `opened` are the rules that apply from now on, `closed` those that no
    longer apply.
    """

    variant: Literal["raised", "raised_only", "lowered", "lowered_only"]
    rule: str | None = "PROTOCOL-LEVEL"
    sources: tuple[str, ...] = ("MetadataVersion",)
    name: str
    before: str
    level: str
    opened: tuple[str, ...]
    closed: tuple[str, ...]


class ConfigChanged(Event, frozen=True, gc=False, kw_only=True):
    """A setting changes, for one topic or for the whole cluster (`topic` is null)."""

    variant: Literal["topic"] | None = None
    name: str
    value: bool | int | str
    topic: str | None
