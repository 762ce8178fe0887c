"""Logs, their epochs, and what of them is on disk."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import BrokerEvent, PartitionEvent, ReplicaEvent
from sim_engine.identifiers import Acks, BrokerId, FrameNumber, LeaderEpoch, Offset

TruncationCase = Literal[
    "high_watermark",
    "kip_101",
    "no_epoch_either",
    "kip_279",
    "kip_279_again",
    "kip_279_alone",
    "undefined",
    "no_answer",
    "on_fetch",
    "on_fetch_again",
    "on_fetch_alone",
    "out_of_range",
    "no_epochs",
]
"""Which case of which rule says where a follower cuts its log."""


LossCase = Literal["acked", "replaced", "last_copy"]
"""How an acknowledged record is lost: its last copy is gone, or another record is committed at its
offset; or the last copy of one that was lost before is gone."""


class EpochAssigned(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A replica notes in its leader epoch cache that an epoch starts at an offset: with the first
    record of that epoch, or on becoming or staying leader."""

    variant: Literal["append", "leader", "goes_on"]
    rule: str | None = "KAFKA-7415"
    sources: tuple[str, ...] = ("KAFKA-7415", "LeaderEpochFileCache")
    epoch: LeaderEpoch
    start_offset: Offset


class EpochsDropped(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A truncation removes entries of the leader epoch cache. Each of `epochs` is "epoch→start"."""

    rule: str | None = "KIP-101"
    sources: tuple[str, ...] = ("LeaderEpochFileCache",)
    epochs: tuple[str, ...]


class Truncation(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower has settled where its log has to end.

    The leader's answer is there only where the rule goes by one: `leader_epoch_answered`, which is
    also `diverging_epoch`, and `leader_end_offset`; `own_end_offset` is the follower's own end of
    that epoch. `leader_log_end_offset` is there after OFFSET_OUT_OF_RANGE alone.
    """

    to: Offset
    high_watermark: Offset
    next_epoch: LeaderEpoch | UnsetType = UNSET
    """The latest epoch after the cut, -1 where there is none: what the follower asks about next."""
    leader_epoch_answered: LeaderEpoch | UnsetType = UNSET
    diverging_epoch: LeaderEpoch | UnsetType = UNSET
    leader_end_offset: Offset | UnsetType = UNSET
    own_end_offset: Offset | UnsetType = UNSET
    leader_log_end_offset: Offset | UnsetType = UNSET


class LogTruncated(Truncation, frozen=True, gc=False, kw_only=True):
    """A follower cuts its log to offset `to`. `before` is where it ended, `values` are the records
    that go."""

    variant: TruncationCase | Literal["full"]
    before: Offset
    values: tuple[str, ...]
    log_start_offset: Offset | UnsetType = UNSET
    """Where the leader's log starts, if the follower drops everything to start over there."""


class TruncationNotNeeded(Truncation, frozen=True, gc=False, kw_only=True):
    """A follower has settled where its log has to end, and it reaches no further."""

    variant: TruncationCase
    log_end_offset: Offset


class LogLoaded(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A starting broker opens a log, and recovers it where it had not stopped cleanly.

    The checkpointed values are 0 where the files name none. `high_watermark` is what the replica
    starts with.
    """

    variant: Literal["clean", "recovered", "recovered_outside_log"]
    rule: str | None = "RECOVERY-FROM-DISK"
    sources: tuple[str, ...] = ("LogManager", "UnifiedLog")
    recovery_point: Offset
    log_end_offset: Offset
    high_watermark: Offset
    checkpoint_high_watermark: Offset


class LogFlushed(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A replica's log is on disk up to its end, `flushed`; it was up to `before`."""

    rule: str | None = "POWER-LOSS"
    sources: tuple[str, ...] = ("LogManager",)
    before: Offset
    flushed: Offset


class UnflushedRecordsLost(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A power loss costs a log its records from `kept` to its end, `before`: they were not on
    disk."""

    rule: str | None = "POWER-LOSS"
    sources: tuple[str, ...] = ("LogManager", "UnifiedLog")
    kept: Offset
    before: Offset
    values: tuple[str, ...]


class HighWatermarkCheckpointed(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker writes its replicas' high watermarks to the checkpoint file, each as
    "partition: offset"."""

    rule: str | None = "HW-CHECKPOINT"
    sources: tuple[str, ...] = ("ReplicaManager",)
    high_watermarks: tuple[str, ...]


class RecoveryPointCheckpointed(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker writes its logs' recovery points to the checkpoint file, each as
    "partition: offset"."""

    rule: str | None = "RECOVERY-FROM-DISK"
    sources: tuple[str, ...] = ("LogManager",)
    recovery_points: tuple[str, ...]


class ReplicaCreated(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker makes an empty log for a partition that was assigned to it."""

    rule: str | None = "REASSIGNMENT"
    sources: tuple[str, ...] = ("ReplicaManager",)


class ReplicaDeleted(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker deletes a replica that is not assigned to it any more."""

    rule: str | None = "REASSIGNMENT"
    sources: tuple[str, ...] = ("ReplicaManager",)
    log_end_offset: Offset


class RecordLost(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A record is lost. Without a variant it was never acknowledged, and its last copy is gone.

    `instead` is the value of the record that is committed at its offset, null where none is.
    `offset` is where it was first appended; `acked_frame` is the frame in which its producer was
    told, null where it was not.
    """

    variant: LossCase | None = None
    value: str
    offset: Offset | None
    acks: Acks
    acked_frame: FrameNumber | None
    instead: str | None


class RecordsAtRisk(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """Acknowledged records are at risk: the replica that the controller names leader lacks them.
    "leaderless": nobody leads, and none of `candidates`, which could be elected cleanly, has them.
    "no_candidate": nobody could be elected cleanly. `holders` are the brokers, up or down, that
    have at least one of them."""

    variant: Literal["leaderless", "no_candidate"] | None = None
    values: tuple[str, ...]
    offsets: tuple[Offset, ...]
    leader: BrokerId
    candidates: tuple[BrokerId, ...]
    holders: tuple[BrokerId, ...]


class RecordsSafeAgain(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """Records that were at risk are safe again: the leader has them or, "leaderless", one of
    `candidates`, which could be elected cleanly. `holders` as for `RecordsAtRisk`."""

    variant: Literal["leaderless"] | None = None
    values: tuple[str, ...]
    offsets: tuple[Offset, ...]
    leader: BrokerId
    candidates: tuple[BrokerId, ...]
    holders: tuple[BrokerId, ...]
