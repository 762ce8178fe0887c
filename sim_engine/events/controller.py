"""The controller: which brokers it counts as alive, what it writes, which replicas it assigns."""

from typing import Literal

from sim_engine.events.base import BrokerEvent, Event, PartitionEvent
from sim_engine.events.metadata_records import MetadataRecord
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset


class ControllerElected(Event, frozen=True, gc=False, kw_only=True):
    """Another broker becomes the ZooKeeper controller. `before` is the controller epoch until
    then."""

    rule: str | None = "CONTROLLER-EPOCH"
    sources: tuple[str, ...] = ("KafkaController",)
    before: int
    controller_epoch: int


class SessionExpired(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker's ZooKeeper session ends, and the controller no longer counts it as alive."""

    rule: str | None = "SESSION-TIMEOUT"
    sources: tuple[str, ...] = ("KafkaController",)


class BrokerJoined(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A ZooKeeper controller sees a broker again and tells it what it leads and follows."""

    sources: tuple[str, ...] = ("KafkaController",)


class HeartbeatReceived(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller receives a broker's heartbeat."""

    sources: tuple[str, ...] = ("BrokerHeartbeatManager",)


class BrokerRegistered(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller registers a broker under a new broker epoch.

    `previous_broker_epoch` is what the broker reports of its last clean stop, -1 where it knows of
    none; `registered_broker_epoch` is the one that the controller had.
    """

    variant: Literal["clean_shutdown", "unclean_shutdown"] | None = None
    sources: tuple[str, ...] = ("ClusterControlManager",)
    broker_epoch: int
    previous_broker_epoch: int
    registered_broker_epoch: int


class BrokerFenced(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller fences a broker: it has not heard of it in time, or lets it stop."""

    variant: Literal["shutdown"] | None = None
    rule: str | None = "SESSION-TIMEOUT"
    sources: tuple[str, ...] = ("BrokerHeartbeatManager", "ReplicationControlManager")


class BrokerUnfenced(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A KRaft controller unfences a broker that has read the metadata log."""

    sources: tuple[str, ...] = ("BrokerHeartbeatManager",)


class MetadataRecordsWritten(Event, frozen=True, gc=False, kw_only=True):
    """A KRaft controller has written records to the metadata log, which now reaches `offset`."""

    sources: tuple[str, ...] = ("ReplicationControlManager", "ClusterControlManager")
    offset: Offset
    count: int
    records: tuple[MetadataRecord, ...]


class ReassignmentStarted(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A partition begins to move from the replicas `before` to those of `target`; it may only get
    more, or only fewer."""

    variant: Literal["adding", "removing"] | None = None
    rule: str | None = "REASSIGNMENT"
    before: tuple[BrokerId, ...]
    target: tuple[BrokerId, ...]
    adding: tuple[BrokerId, ...]
    removing: tuple[BrokerId, ...]


class ReassignmentCompleted(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A partition has the replicas that it was to have."""

    rule: str | None = "REASSIGNMENT"
    replicas: tuple[BrokerId, ...]
    isr: tuple[BrokerId, ...]
    leader: BrokerId
    leader_epoch: LeaderEpoch


class ReplicasReordered(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A partition's replicas are listed in another order; the first is the preferred leader."""

    replicas: tuple[BrokerId, ...]
    leader_epoch: LeaderEpoch


class ProtocolLevelChanged(Event, frozen=True, gc=False, kw_only=True):
    """The level of the protocol is raised or lowered; "only" where that changes no rule modelled
    here.

    `name` is the setting. `opened` and `closed` are the rules that are in force from here on, and
    no longer.
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
    """A setting changes for all, or for one topic; `topic` is null for all."""

    variant: Literal["topic"] | None = None
    name: str
    value: bool | int | str
    topic: str | None
