"""Events of metadata: brokers read the controller's decisions, and take their roles."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import ISR, ROLE, BrokerEvent, Rank, ReplicaEvent, dot
from sim_engine.events.controller import LeaderElected
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset


class BecameLeader(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker becomes leader of a partition with its current log, or continues as leader in a new
    epoch."""

    rank = Rank.LEADING
    implied_by = (LeaderElected,)
    reports = ROLE
    drawn = dot("leads", "accent")

    variant: Literal["goes_on"] | None = None
    rule: str | None = "LEADER-NEVER-TRUNCATES"
    sources: tuple[str, ...] = ("Partition",)
    leader_epoch: LeaderEpoch
    log_end_offset: Offset
    high_watermark: Offset


class BecameFollower(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker becomes a follower of another one."""

    rank = Rank.FOLLOWING
    implied_by = (LeaderElected,)
    reports = ROLE
    drawn = dot("follows")

    sources: tuple[str, ...] = ("Partition", "ReplicaManager")
    leader: BrokerId
    leader_epoch: LeaderEpoch


class BecameLeaderless(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker learns that a partition has no leader, and waits."""

    reports = ROLE
    drawn = dot("leaderless", "warn")

    sources: tuple[str, ...] = ("ReplicaManager",)
    leader_epoch: LeaderEpoch


class LeaderStateReset(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader resets its state for its current epoch, as it does on every partition change: the
    epoch's start offset is now its log end offset."""

    reports = frozenset({"partition_epoch", "leader_epoch_start_offset", "followers"})

    rule: str | None = "KAFKA-13790"
    sources: tuple[str, ...] = ("KAFKA-13790", "Partition")
    leader_epoch: LeaderEpoch
    leader_epoch_start_offset: Offset


class PartitionChangeTaken(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker reads a partition change that does not change its role.

    `replicas`, `isr` and `pending` are present only for a leader. `pending` is the ISR that it had
    proposed, empty if it had proposed none.
    """

    rank = Rank.ROUTINE
    reports = ISR | {"leader_epoch", "followers"}

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
    """A broker that is shutting down ignores its new role."""

    rank = Rank.MISSED

    rule: str | None = "KAFKA-14296"
    sources: tuple[str, ...] = ("KAFKA-14296", "ReplicaManager")
    leader_epoch: LeaderEpoch


class StatesPassedOver(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker reads several changes of a partition in one delivery and applies only the final
    state. `states` is their number."""

    rank = Rank.NOTICE

    rule: str | None = "METADATA-LAST-STATE"
    sources: tuple[str, ...] = ("ReplicaManager",)
    states: int
    leader: BrokerId
    leader_epoch: LeaderEpoch
    isr: tuple[BrokerId, ...]


class DepositionMissed(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader advances directly to a later epoch of its own, without applying the leadership of
    another broker in between.

    `leaders` are the brokers that were leader in between, in some of `epochs`. Each of `remembered`
    is "broker: offset", a log end offset that it still assumes; in 0.8 it forgets them. `waiting`
    is the number of produce requests that keep waiting.
    """

    rank = Rank.STALE

    variant: Literal["command_skipped", "ends_forgotten"] | None = None
    sources: tuple[str, ...] = ("ReplicaManager", "Partition", "Replica")
    leaders: tuple[BrokerId, ...]
    epochs: tuple[LeaderEpoch, ...]
    leader_epoch_before: LeaderEpoch
    leader_epoch: LeaderEpoch
    remembered: tuple[str, ...]
    waiting: int


class CommandIgnored(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker ignores a LeaderAndIsr: the leader epoch is not newer than the broker's, or it names
    no live leader."""

    rank = Rank.ROUTINE
    drawn = dot("ignores", "warn")

    variant: Literal["no_leader"] | None = None
    sources: tuple[str, ...] = ("ReplicaManager",)
    leader_epoch: LeaderEpoch
    local_leader_epoch: LeaderEpoch


class CommandSkipped(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A LeaderAndIsr is never delivered, because the next one to that broker replaces it."""

    rank = Rank.MISSED

    rule: str | None = "ZK-SKIPPED-COMMAND"
    sources: tuple[str, ...] = ("KafkaController", "ControllerChannelManager")
    leader: BrokerId
    leader_epoch: LeaderEpoch


class CommandFenced(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker rejects a command of a former controller, or one that was meant for its previous
    incarnation. The epochs that were compared are present."""

    rank = Rank.MISSED
    drawn = dot("ignores", "warn", values={"what": "variant"})

    variant: Literal["STALE_CONTROLLER_EPOCH", "STALE_BROKER_EPOCH"]
    controller_epoch: int | UnsetType = UNSET
    known_controller_epoch: int | UnsetType = UNSET
    broker_epoch: int | UnsetType = UNSET
    own_broker_epoch: int | UnsetType = UNSET


class StopReplicaIgnored(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker receives a command to delete a replica that it does not have; or to stop fetching,
    in a leader epoch that is not newer than its own."""

    variant: Literal["same_epoch"] | None = None
    leader_epoch: LeaderEpoch | UnsetType = UNSET


class FetchingStopped(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker that is shutting down does not fetch a partition any more."""

    rank = Rank.FOLLOWING
    reports = ROLE

    rule: str | None = "STOPPING-FOLLOWER"
    sources: tuple[str, ...] = ("ReplicaManager",)


class DeletionDelayed(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker that is to delete a replica stops fetching, and waits for the response to its last
    fetch first.
    """

    rule: str | None = "KAFKA-6051"
    sources: tuple[str, ...] = ("ReplicaFetcherThread",)


class MetadataApplied(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker reads the metadata log up to an offset. None of its replicas changes."""

    offset: Offset


class MetadataUnread(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker that is shutting down stops reading the metadata log."""

    rule: str | None = "KAFKA-13858"
    sources: tuple[str, ...] = ("KAFKA-13858", "BrokerMetadataListener")


class MetadataCacheUpdated(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker updates its metadata cache from an UpdateMetadata: live brokers and partitions. Each
    of `partitions` is "partition: leader …, ISR …"."""

    variant: Literal["brokers"] | None = None
    sources: tuple[str, ...] = ("KafkaController", "ReplicaManager")
    live: tuple[BrokerId, ...]
    partitions: tuple[str, ...]
