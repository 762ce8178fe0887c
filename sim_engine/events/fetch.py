"""Followers' fetches, epoch and offset lookups, and the responses."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import Case, Rank, ReplicaEvent, by_variant, dot
from sim_engine.events.log import LogTruncated
from sim_engine.events.process import LongerThanLeader
from sim_engine.identifiers import BrokerId, Endpoint, ErrorCode, LeaderEpoch, MessageKind, Offset

WhichOffset = Literal["earliest", "latest"]
"""Which offset of the leader's log is requested."""


class FetchSent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower fetches from an offset. This acknowledges every record below it.

    An epoch is null if the request does not have that field.
    """

    rank = Rank.ROUTINE

    variant: Literal["with_epoch"] | None = None
    rule: str | None = "FETCH-ACKNOWLEDGES"
    sources: tuple[str, ...] = ("AbstractFetcherThread",)
    leader: BrokerId
    fetch_offset: Offset
    leader_epoch: LeaderEpoch | None
    last_fetched_epoch: LeaderEpoch | None


class FetchHandled(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader responds to a fetch. `records` is the number of records; the high watermark is the
    one at the time of the read. "no_replica": the sender is not a replica, and the release has no
    error for this."""

    rank = Rank.IDLE
    reports = frozenset({"followers"})

    variant: Literal["empty", "no_replica"] | None = None
    rule: str | None = "RESPONSE-SNAPSHOT"
    sources: tuple[str, ...] = ("Partition", "ReplicaManager")
    follower: BrokerId
    fetch_offset: Offset
    records: int
    high_watermark: Offset
    log_end_offset: Offset


class FetchParked(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader has no records to send yet, so it parks the fetch for at most `wait_ms`
    milliseconds."""

    rank = Rank.IDLE
    reports = frozenset({"followers"})

    rule: str | None = "LONG-POLL-REREAD"
    sources: tuple[str, ...] = ("DelayedFetch",)
    follower: BrokerId
    fetch_offset: Offset
    wait_ms: int


class LongPollExpired(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A parked fetch times out, and the leader sends an empty response."""

    rank = Rank.IDLE

    rule: str | None = "LONG-POLL-REREAD"
    sources: tuple[str, ...] = ("DelayedFetch",)
    follower: BrokerId
    high_watermark: Offset


class FetchDiverging(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """The last fetched epoch and offset of a fetch do not match the leader's log. The leader
    returns the end offset of its own largest epoch up to that one."""

    rank = Rank.REPAIR
    implied_by = (LogTruncated,)

    rule: str | None = "KAFKA-10554"
    sources: tuple[str, ...] = ("KAFKA-10554", "KIP-595", "Partition")
    follower: Endpoint
    fetch_offset: Offset
    last_fetched_epoch: LeaderEpoch | None
    diverging_epoch: LeaderEpoch
    end_offset: Offset


class FetchOutOfRange(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader responds with OFFSET_OUT_OF_RANGE: the offset is beyond the end of its log, before
    the start, or after an epoch whose end it does not know."""

    rank = Rank.REPAIR
    implied_by = (LogTruncated, LongerThanLeader)

    variant: Literal["below_start", "undefined"] | None = None
    rule: str | None = "OFFSET-OUT-OF-RANGE"
    sources: tuple[str, ...] = ("ReplicaManager", "ReplicaFetcherThread")
    follower: Endpoint
    fetch_offset: Offset
    log_start_offset: Offset
    log_end_offset: Offset


class FetchRejected(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker rejects a request and does not apply any part of it.

    The variant is the error, "stale_broker_epoch", or "unknown_replica" if the leader does not have
    the sender as a replica. The leader epochs are the request's (null if it has none) and the
    broker's; the broker epochs are present only if the request is rejected because of its broker
    epoch. The sender is a follower, or a client that looks up an epoch.
    """

    rank = Rank.REPAIR

    variant: str
    sources: tuple[str, ...] = ("Partition",)
    follower: Endpoint
    error: ErrorCode
    request_epoch: LeaderEpoch | UnsetType | None = UNSET
    leader_epoch: LeaderEpoch | UnsetType = UNSET
    request_broker_epoch: int | UnsetType | None = UNSET
    broker_epoch: int | UnsetType | None = UNSET


class FollowerEndForgotten(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader no longer knows the log end offset of a follower, which was `before`, because a
    fetch of that follower failed."""

    rank = Rank.REPAIR
    reports = frozenset({"followers"})

    rule: str | None = "KAFKA-8400"
    sources: tuple[str, ...] = ("KAFKA-8400", "ReplicaManager")
    follower: BrokerId
    before: Offset


class FetchApplied(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower appends the records of a response. `records` is their number; `high_watermark` is
    the one in the response."""

    rank = Rank.APPEND
    reports = frozenset({"log", "flushed", "fetch_offset", "has_fetched", "forgot_epoch"})
    drawn = dot("appends")
    cases = by_variant(empty=Case(rank=Rank.IDLE, drawn=()))

    variant: Literal["empty"] | None = None
    rule: str | None = "FOLLOWER-HIGH-WATERMARK"
    sources: tuple[str, ...] = ("ReplicaFetcherThread",)
    leader: BrokerId
    records: int
    values: tuple[str, ...]
    log_end_offset: Offset
    high_watermark: Offset


class FetchedEpochForgotten(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """An empty response clears a follower's last fetched epoch, which was `epoch`. Its requests
    have none until it receives records."""

    reports = frozenset({"forgot_epoch"})

    rule: str | None = "KAFKA-15080"
    sources: tuple[str, ...] = ("KAFKA-15510", "AbstractFetcherThread")
    leader: BrokerId
    epoch: LeaderEpoch


class FetchErrorReceived(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower receives an error. It retries after `backoff_ms` milliseconds; null after
    OFFSET_OUT_OF_RANGE, when it looks up the leader's offsets immediately."""

    rank = Rank.ROUTINE
    implied_by = (FetchOutOfRange, FetchRejected, LogTruncated)
    reports = frozenset({"fetch_phase"})

    variant: Literal["out_of_range"] | None = None
    sources: tuple[str, ...] = ("AbstractFetcherThread",)
    leader: BrokerId
    error: ErrorCode
    backoff_ms: int | None


class BackoffEnded(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower's backoff after an error ends, and it may fetch again."""

    sources: tuple[str, ...] = ("AbstractFetcherThread",)


class PartitionFailed(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower stops fetching a partition after an error, until the controller sends newer
    metadata."""

    rank = Rank.STANDSTILL
    reports = frozenset({"fetch_phase"})
    drawn = dot("fetcherFails", "bad")

    rule: str | None = "KIP-320"
    sources: tuple[str, ...] = ("KIP-320", "AbstractFetcherThread")
    error: ErrorCode


class DivergenceHeard(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower receives the point at which its log diverges from the leader's, and will truncate
    it in its next step. Its high watermark does not change in between.
    """

    rank = Rank.REPAIR
    implied_by = (LogTruncated, FetchDiverging)
    reports = frozenset({"diverging_epoch"})

    rule: str | None = "KAFKA-14704"
    sources: tuple[str, ...] = ("KAFKA-14704", "AbstractFetcherThread")
    leader: BrokerId
    diverging_epoch: LeaderEpoch
    end_offset: Offset
    high_watermark: Offset


class EpochLookupSent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower requests the end offset of its latest epoch from its leader; -1 if it has no
    epoch."""

    variant: Literal["no_epoch"] | None = None
    rule: str | None = "KIP-101"
    sources: tuple[str, ...] = ("KIP-101", "ReplicaFetcherThread")
    leader: BrokerId
    epoch: LeaderEpoch


class EpochLookupAnswered(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader returns the end offset of an epoch in its log. Epoch and offset are -1 if it cannot
    determine them. The request may come from a client."""

    rank = Rank.REQUEST

    variant: Literal["offset_only", "undefined", "no_epoch", "no_epoch_either"] | None = None
    sources: tuple[str, ...] = ("KIP-101", "LeaderEpochFileCache")
    follower: Endpoint
    epoch: LeaderEpoch
    answer_epoch: LeaderEpoch
    end_offset: Offset


class ListOffsetsSent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower requests the start or end offset of the leader's log."""

    rule: str | None = "OFFSET-OUT-OF-RANGE"
    sources: tuple[str, ...] = ("AbstractFetcherThread",)
    leader: BrokerId
    which: WhichOffset


class ListOffsetsAnswered(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader returns the start or end offset of its log to a follower."""

    rule: str | None = "OFFSET-OUT-OF-RANGE"
    sources: tuple[str, ...] = ("ReplicaFetcherThread",)
    follower: Endpoint
    which: WhichOffset
    offset: Offset


class LeaderOffsetHeard(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower receives the start or end offset of its leader's log and does not need to
    truncate."""

    reports = frozenset({"fetch_phase"})

    variant: Literal["latest"] | None = None
    rule: str | None = "OFFSET-OUT-OF-RANGE"
    sources: tuple[str, ...] = ("AbstractFetcherThread",)
    leader: BrokerId
    offset: Offset
    log_end_offset: Offset


class RoundsRepeat(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower's requests have led back to the state before them, so it repeats them until
    something else changes: lookups of its latest epoch, `epoch`, that remove no record, or fetches
    that are out of range although the offset lookups after them truncate nothing."""

    rank = Rank.STANDSTILL

    variant: Literal["lookup", "out_of_range"]
    leader: BrokerId
    epoch: LeaderEpoch


class LateResponseEvent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """The response to a request of an earlier fetch loop arrives.

    The request was sent in epoch `asked_in` to `leader`, for `fetch_offset`; the broker now follows
    in `leader_epoch`.
    """

    variant: Literal["lookup"] | None = None
    leader: BrokerId
    message: MessageKind
    fetch_offset: Offset
    asked_in: LeaderEpoch
    leader_epoch: LeaderEpoch


class LateResponseAccepted(LateResponseEvent, frozen=True, gc=False, kw_only=True):
    """A follower applies the response to a request of an earlier fetch loop, because only the
    offset is compared and it still matches."""

    rank = Rank.LATE_RESPONSE


class LateResponseDiscarded(LateResponseEvent, frozen=True, gc=False, kw_only=True):
    """A follower discards the response to a request of an earlier fetch loop because of its
    epoch."""

    rank = Rank.DETAIL
    drawn = dot("ignores", "warn")
