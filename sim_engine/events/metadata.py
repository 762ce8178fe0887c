"""What brokers learn from the controller, and which role they take for it."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import BrokerEvent, ReplicaEvent
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset


class BecameLeader(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker begins to lead a partition, with the log that it has, or goes on in a new epoch."""

    variant: Literal["goes_on"] | None = None
    rule: str | None = "LEADER-NEVER-TRUNCATES"
    sources: tuple[str, ...] = ("Partition",)
    leader_epoch: LeaderEpoch
    log_end_offset: Offset
    high_watermark: Offset


class BecameFollower(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker begins to follow another one."""

    sources: tuple[str, ...] = ("Partition", "ReplicaManager")
    leader: BrokerId
    leader_epoch: LeaderEpoch


class BecameLeaderless(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker learns that nobody leads a partition, and waits."""

    sources: tuple[str, ...] = ("ReplicaManager",)
    leader_epoch: LeaderEpoch


class LeaderStateReset(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader that goes on in its epoch starts over what it keeps of that epoch, as with every
    change of the partition: the epoch's start is now the end of its log."""

    rule: str | None = "KAFKA-13790"
    sources: tuple[str, ...] = ("KAFKA-13790", "Partition")
    leader_epoch: LeaderEpoch
    leader_epoch_start_offset: Offset


class PartitionChangeTaken(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker reads a change of a partition in which it keeps its role.

    A leader's `replicas`, `isr` and `pending`, the ISR that it had asked for, empty where it had
    asked for none, are there only of a leader.
    """

    variant: (
        Literal["isr", "proposal", "pending_dropped", "replicas", "follower", "follower_epoch"]
        | None
    ) = None
    rule: str | None = "KRAFT-PARTITION-CHANGE"
    sources: tuple[str, ...] = ("Partition", "ReplicaManager")
    leader: BrokerId
    leader_epoch: LeaderEpoch
    partition_epoch: int
    replicas: tuple[BrokerId, ...] | UnsetType = UNSET
    isr: tuple[BrokerId, ...] | UnsetType = UNSET
    pending: tuple[BrokerId, ...] | UnsetType = UNSET


class RoleIgnored(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker that is shutting down passes over its new role."""

    rule: str | None = "KAFKA-14296"
    sources: tuple[str, ...] = ("KAFKA-14296", "ReplicaManager")
    leader_epoch: LeaderEpoch


class StatesPassedOver(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker reads several changes of a partition in one delivery, as many as `states`, and
    applies only the state that they lead to."""

    rule: str | None = "METADATA-LAST-STATE"
    sources: tuple[str, ...] = ("ReplicaManager",)
    states: int
    leader: BrokerId
    leader_epoch: LeaderEpoch
    isr: tuple[BrokerId, ...]


class DepositionMissed(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader goes straight to a later epoch of its own and never hears that another broker led in
    between.

    `leaders` led in between, in some of `epochs`; each of `remembered` is "broker: offset", a log
    end that it goes on believing; `waiting` produce requests go on waiting.
    """

    variant: Literal["command_skipped"] | None = None
    sources: tuple[str, ...] = ("ReplicaManager", "Partition", "Replica")
    leaders: tuple[BrokerId, ...]
    epochs: tuple[LeaderEpoch, ...]
    leader_epoch_before: LeaderEpoch
    leader_epoch: LeaderEpoch
    remembered: tuple[str, ...]
    waiting: int


class CommandIgnored(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker ignores a LeaderAndIsr: its epoch is not above the broker's own, or it names no
    leader to follow."""

    variant: Literal["no_leader"] | None = None
    sources: tuple[str, ...] = ("ReplicaManager",)
    leader_epoch: LeaderEpoch
    local_leader_epoch: LeaderEpoch


class CommandSkipped(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A LeaderAndIsr never arrives: the next one to that broker stands in for it."""

    rule: str | None = "ZK-SKIPPED-COMMAND"
    sources: tuple[str, ...] = ("KafkaController", "ControllerChannelManager")
    leader: BrokerId
    leader_epoch: LeaderEpoch


class CommandFenced(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker refuses a command of a controller that is over, or one that was meant for an earlier
    start of itself. The epochs that were compared are there."""

    variant: Literal["STALE_CONTROLLER_EPOCH", "STALE_BROKER_EPOCH"]
    controller_epoch: int | UnsetType = UNSET
    known_controller_epoch: int | UnsetType = UNSET
    broker_epoch: int | UnsetType = UNSET
    own_broker_epoch: int | UnsetType = UNSET


class StopReplicaIgnored(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker is told to delete a replica that it does not have."""


class MetadataApplied(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker reads the metadata log up to an offset; for its replicas nothing changes."""

    offset: Offset


class MetadataUnread(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker that is shutting down reads the metadata log no further."""

    rule: str | None = "KAFKA-13858"
    sources: tuple[str, ...] = ("KAFKA-13858", "BrokerMetadataListener")


class MetadataCacheUpdated(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker takes over what a ZooKeeper controller says of live brokers and of partitions; each
    of `partitions` is "partition: leader …, ISR …"."""

    variant: Literal["brokers"] | None = None
    sources: tuple[str, ...] = ("KafkaController", "ReplicaManager")
    live: tuple[BrokerId, ...]
    partitions: tuple[str, ...]
