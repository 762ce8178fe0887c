"""Logs, leader epoch caches, what is on disk, and high watermarks as leaders and followers know
them.
"""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import (
    DISK,
    FILES,
    MEMORY,
    BrokerEvent,
    Case,
    PartitionEvent,
    Rank,
    ReplicaEvent,
    by_variant,
    dot,
)
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
"""The rule, and the case of it, that determines where a follower truncates its log."""


LossCase = Literal["acked", "replaced", "last_copy", "sent_again"]
"""How an acknowledged record is lost: its last copy disappears, or another record is committed at
its offset; or the last copy of a record that was already lost disappears. "sent_again": it was
not acknowledged, and another record with its value, from a retry, still exists."""


class EpochAssigned(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A replica adds an entry to its leader epoch cache: with the first record of an epoch, when it
    becomes or remains leader, or for a batch that it then does not append."""

    reports = frozenset({"epoch_cache"})

    variant: Literal["append", "not_appended", "leader", "goes_on"]
    rule: str | None = "KAFKA-7415"
    sources: tuple[str, ...] = ("KAFKA-7415", "LeaderEpochFileCache")
    epoch: LeaderEpoch
    start_offset: Offset


class EpochsDropped(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A truncation removes entries of the leader epoch cache. Each of `epochs` is "epoch→start"."""

    reports = frozenset({"epoch_cache"})

    rule: str | None = "KIP-101"
    sources: tuple[str, ...] = ("LeaderEpochFileCache",)
    epochs: tuple[str, ...]


class Truncation(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower has determined where to truncate its log.

    The leader's response is present only for rules that use one: `leader_epoch_answered` (the same
    as `diverging_epoch`) and `leader_end_offset`. `own_end_offset` is the end of that epoch in the
    follower's log. `leader_log_end_offset` is present only after OFFSET_OUT_OF_RANGE.
    """

    to: Offset
    high_watermark: Offset
    next_epoch: LeaderEpoch | UnsetType = UNSET
    """The latest epoch after the truncation, which the follower looks up next; -1 if there is
    none."""
    leader_epoch_answered: LeaderEpoch | UnsetType = UNSET
    diverging_epoch: LeaderEpoch | UnsetType = UNSET
    leader_end_offset: Offset | UnsetType = UNSET
    own_end_offset: Offset | UnsetType = UNSET
    leader_log_end_offset: Offset | UnsetType = UNSET


class LogTruncated(Truncation, frozen=True, gc=False, kw_only=True):
    """A follower truncates its log to offset `to`. `before` is the previous log end offset,
    `values` are the removed records."""

    rank = Rank.REMOVAL
    mark = "truncation"
    reports = FILES | {
        "log",
        "high_watermark",
        "fetch_offset",
        "fetch_phase",
        "forgot_epoch",
        "diverging_epoch",
    }
    drawn = dot("cuts", "bad")
    cases = by_variant(full=Case(reports=frozenset({"epoch_cache"})))

    variant: TruncationCase | Literal["full"]
    before: Offset
    values: tuple[str, ...]
    log_start_offset: Offset | UnsetType = UNSET
    """The start of the leader's log, if the follower discards its whole log and restarts there."""


class TruncationNotNeeded(Truncation, frozen=True, gc=False, kw_only=True):
    """A follower has determined where to truncate its log, and there is nothing to remove."""

    rank = Rank.DETAIL
    reports = frozenset({"fetch_offset", "fetch_phase", "diverging_epoch"})

    variant: TruncationCase
    log_end_offset: Offset


class LogLoaded(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A starting broker loads a log and recovers it, unless the last shutdown was clean.

    The checkpointed values are 0 if the files have no entry. `high_watermark` is the replica's
    initial high watermark.
    """

    rank = Rank.RECOVERY
    drawn = dot("opensLog")

    variant: Literal["clean", "recovered", "recovered_outside_log"]
    rule: str | None = "RECOVERY-FROM-DISK"
    sources: tuple[str, ...] = ("LogManager", "UnifiedLog")
    recovery_point: Offset
    log_end_offset: Offset
    high_watermark: Offset
    checkpoint_high_watermark: Offset


class LogFlushed(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A replica flushes its log up to its end, `flushed`. It was flushed up to `before`."""

    rank = Rank.DETAIL
    reports = frozenset({"flushed"})
    drawn = dot("flushes")

    rule: str | None = "POWER-LOSS"
    sources: tuple[str, ...] = ("LogManager",)
    before: Offset
    flushed: Offset


class UnflushedRecordsLost(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A power loss removes the records from `kept` to the log end, `before`, which were not
    flushed."""

    rank = Rank.REMOVAL
    reports = frozenset({"log"})
    drawn = dot("losesUnflushed", "bad")

    rule: str | None = "POWER-LOSS"
    sources: tuple[str, ...] = ("LogManager", "UnifiedLog")
    kept: Offset
    before: Offset
    values: tuple[str, ...]


class HighWatermarkCheckpointed(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker writes its replicas' high watermarks to the checkpoint file. Each is "partition:
    offset"."""

    rank = Rank.DETAIL
    reports = frozenset({"checkpoint_high_watermark"})
    drawn = dot("fileOfHighWatermark", values={"offsets": "high_watermarks"})

    rule: str | None = "HW-CHECKPOINT"
    sources: tuple[str, ...] = ("ReplicaManager",)
    high_watermarks: tuple[str, ...]


class RecoveryPointCheckpointed(BrokerEvent, frozen=True, gc=False, kw_only=True):
    """A broker writes its logs' recovery points to the checkpoint file. Each is "partition:
    offset"."""

    rank = Rank.DETAIL
    reports = frozenset({"checkpoint_recovery_point"})
    drawn = dot("fileOfRecoveryPoint", values={"offsets": "recovery_points"})

    rule: str | None = "RECOVERY-FROM-DISK"
    sources: tuple[str, ...] = ("LogManager",)
    recovery_points: tuple[str, ...]


class ReplicaCreated(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker creates an empty log for a partition that was assigned to it."""

    reports = frozenset({"loaded"})
    drawn = dot("replicaMade")

    rule: str | None = "REASSIGNMENT"
    sources: tuple[str, ...] = ("ReplicaManager",)


class ReplicaDeleted(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker deletes a replica that is no longer assigned to it."""

    rank = Rank.ASSIGNMENT
    reports = MEMORY | DISK
    drawn = dot("replicaDeleted", "warn")

    rule: str | None = "REASSIGNMENT"
    sources: tuple[str, ...] = ("ReplicaManager",)
    log_end_offset: Offset


class RecordLost(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """A record is lost. Without a variant, it was never acknowledged and its last copy disappeared.

    `instead` is the value of the record that is committed at its offset, null if there is none.
    `offset` is where it was first appended. `acked_frame` is the frame in which the producer
    received the acknowledgement, null if it did not.
    """

    rank = Rank.UNACKNOWLEDGED_LOSS
    drawn = dot("lostRecord", "bad", at="producers", needs="acked_frame")
    cases = by_variant(
        acked=Case(rank=Rank.LOSS, mark="loss"), replaced=Case(rank=Rank.LOSS, mark="loss")
    )

    variant: LossCase | None = None
    value: str
    offset: Offset | None
    acks: Acks
    acked_frame: FrameNumber | None
    instead: str | None


class FateTurned(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """The fate of acknowledged records turns."""

    variant: Literal["leaderless", "no_candidate"] | None = None
    values: tuple[str, ...]
    offsets: tuple[Offset, ...]
    leader: BrokerId
    candidates: tuple[BrokerId, ...]
    holders: tuple[BrokerId, ...]


class RecordsAtRisk(FateTurned, frozen=True, gc=False, kw_only=True):
    """Acknowledged records are at risk: the leader according to the controller does not have them.
    "leaderless": there is no leader, and none of `candidates`, the replicas that could be elected
    cleanly, has them. "no_candidate": no replica could be elected cleanly. `holders` are the
    brokers, up or down, that have at least one of the records."""

    rank = Rank.RISK
    mark = "at_risk"
    drawn = dot("recordsAtRisk", "warn", at="producers")


class RecordsSafeAgain(FateTurned, frozen=True, gc=False, kw_only=True):
    """Records that were at risk are safe again: the leader has them or, for "leaderless", one of
    `candidates`, the replicas that could be elected cleanly. `holders` as in `RecordsAtRisk`."""

    rank = Rank.SAFE_AGAIN
    drawn = dot("recordsSafe", "good", at="producers")

    variant: Literal["leaderless"] | None = None


# --- high watermarks ------------------------------------------------------------------------------


class HighWatermarkAdvanced(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader advances its high watermark to `after`: every replica that counts has all records
    below it.

    Each of `log_end_offsets` is "broker: offset" as the leader knows it, starting with its own.
    """

    rank = Rank.COMMIT
    reports = frozenset({"high_watermark", "produces"})
    drawn = dot("movesHighWatermark", "accent", if_moved=True)

    before: Offset
    after: Offset
    log_end_offsets: tuple[str, ...]


class HighWatermarkHeld(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader's high watermark does not advance although the whole ISR has more records: the ISR
    is below min.insync.replicas, or a replica outside it was caught up recently and still
    counts."""

    rank = Rank.COMMIT
    overtaken_by = (HighWatermarkAdvanced, "broker")

    variant: Literal["outsider"] | None = None
    high_watermark: Offset
    isr: tuple[BrokerId, ...]
    min_insync_replicas: int | UnsetType = UNSET
    without: Offset | UnsetType = UNSET
    """The high watermark without the `outsiders`."""
    outsiders: tuple[BrokerId, ...] | UnsetType = UNSET
    lag_ms: int | UnsetType = UNSET
    """replica.lag.time.max.ms: an outsider counts if it was caught up within this time."""


class FollowerHighWatermarkSet(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower sets its high watermark to the one in its leader's response, capped at the end of
    its own log."""

    rank = Rank.DETAIL
    implied_by = (HighWatermarkAdvanced,)
    reports = frozenset({"high_watermark", "diverging_epoch"})
    drawn = dot("movesHighWatermark", "accent", if_moved=True)

    variant: Literal["back", "diverging"] | None = None
    rule: str | None = "FOLLOWER-HIGH-WATERMARK"
    sources: tuple[str, ...] = ("ReplicaFetcherThread",)
    before: Offset
    after: Offset
    response_high_watermark: Offset
    log_end_offset: Offset
