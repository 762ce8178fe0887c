"""Followers' fetches, lookups of epochs and of offsets, and their answers."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.error_codes import ErrorCode
from sim_engine.events.base import ReplicaEvent
from sim_engine.identifiers import BrokerId, Endpoint, LeaderEpoch, MessageKind, Offset

WhichOffset = Literal["earliest", "latest"]
"""The offset of its log that a leader is asked for."""


class FetchSent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower asks its leader for records from an offset, which acknowledges all below it.

    The epochs are null where the request does not carry them.
    """

    variant: Literal["with_epoch"] | None = None
    rule: str | None = "FETCH-ACKNOWLEDGES"
    sources: tuple[str, ...] = ("AbstractFetcherThread",)
    leader: BrokerId
    fetch_offset: Offset
    leader_epoch: LeaderEpoch | None
    last_fetched_epoch: LeaderEpoch | None


class FetchHandled(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader answers a fetch with as many `records`, and with the high watermark as it stood when
    it read them."""

    variant: Literal["empty"] | None = None
    rule: str | None = "RESPONSE-SNAPSHOT"
    sources: tuple[str, ...] = ("Partition", "ReplicaManager")
    follower: BrokerId
    fetch_offset: Offset
    records: int
    high_watermark: Offset
    log_end_offset: Offset


class FetchParked(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader has nothing to send yet, so the fetch waits there for `wait_ms` milliseconds at
    most."""

    rule: str | None = "LONG-POLL-REREAD"
    sources: tuple[str, ...] = ("DelayedFetch",)
    follower: BrokerId
    fetch_offset: Offset
    wait_ms: int


class LongPollExpired(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A waiting fetch has waited long enough and is answered without records."""

    rule: str | None = "LONG-POLL-REREAD"
    sources: tuple[str, ...] = ("DelayedFetch",)
    follower: BrokerId
    high_watermark: Offset


class FetchDiverging(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A fetch names an epoch and offset that the leader's log does not have: the leader answers
    where its own largest epoch up to that one ends."""

    rule: str | None = "KAFKA-10554"
    sources: tuple[str, ...] = ("KAFKA-10554", "KIP-595", "Partition")
    follower: Endpoint
    fetch_offset: Offset
    last_fetched_epoch: LeaderEpoch | None
    diverging_epoch: LeaderEpoch
    end_offset: Offset


class FetchOutOfRange(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader refuses a fetch with OFFSET_OUT_OF_RANGE: beyond its log's end, before its start, or
    after an epoch of which it knows no end."""

    variant: Literal["below_start", "undefined"] | None = None
    rule: str | None = "OFFSET-OUT-OF-RANGE"
    sources: tuple[str, ...] = ("ReplicaManager", "ReplicaFetcherThread")
    follower: Endpoint
    fetch_offset: Offset
    log_start_offset: Offset
    log_end_offset: Offset


class FetchRejected(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A broker refuses a follower's request, which then counts for nothing.

    Its variant is the error, or "stale_broker_epoch". The leader epochs are those of the request,
    null where it carries none, and of the broker. The broker epochs are there where the request is
    refused for its own. The one who asks may be a client: anybody may look up an epoch.
    """

    variant: str
    sources: tuple[str, ...] = ("Partition",)
    follower: Endpoint
    error: ErrorCode
    request_epoch: LeaderEpoch | UnsetType | None = UNSET
    leader_epoch: LeaderEpoch | UnsetType = UNSET
    request_broker_epoch: int | UnsetType | None = UNSET
    broker_epoch: int | UnsetType | None = UNSET


class FetchApplied(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower appends the records of a response, as many as `records`. `high_watermark` is what
    the response says."""

    variant: Literal["empty"] | None = None
    rule: str | None = "FOLLOWER-HIGH-WATERMARK"
    sources: tuple[str, ...] = ("ReplicaFetcherThread",)
    leader: BrokerId
    records: int
    values: tuple[str, ...]
    log_end_offset: Offset
    high_watermark: Offset


class FetchedEpochForgotten(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A response without records makes a follower forget that `epoch` is the last that it fetched;
    its requests name none until records come."""

    rule: str | None = "KAFKA-15080"
    sources: tuple[str, ...] = ("KAFKA-15510", "AbstractFetcherThread")
    leader: BrokerId
    epoch: LeaderEpoch


class FetchErrorReceived(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower is answered with an error. It tries again after `backoff_ms` milliseconds; null
    after OFFSET_OUT_OF_RANGE, where it asks for the leader's offsets at once."""

    variant: Literal["out_of_range"] | None = None
    sources: tuple[str, ...] = ("AbstractFetcherThread",)
    leader: BrokerId
    error: ErrorCode
    backoff_ms: int | None


class BackoffEnded(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower has waited long enough after an error and may fetch again."""

    sources: tuple[str, ...] = ("AbstractFetcherThread",)


class PartitionFailed(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower gives up fetching a partition after an error, until the controller tells it
    something newer."""

    rule: str | None = "KIP-320"
    sources: tuple[str, ...] = ("KIP-320", "AbstractFetcherThread")
    error: ErrorCode


class DivergenceHeard(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower hears that its log diverges from the leader's, and will cut it in its next step.
    Its high watermark does not move meanwhile."""

    rule: str | None = "KAFKA-14704"
    sources: tuple[str, ...] = ("KAFKA-14704", "AbstractFetcherThread")
    leader: BrokerId
    diverging_epoch: LeaderEpoch
    end_offset: Offset
    high_watermark: Offset


class EpochLookupSent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower asks its leader where its latest epoch ends; -1 where it knows none."""

    variant: Literal["no_epoch"] | None = None
    rule: str | None = "KIP-101"
    sources: tuple[str, ...] = ("KIP-101", "ReplicaFetcherThread")
    leader: BrokerId
    epoch: LeaderEpoch


class EpochLookupAnswered(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader answers where an epoch ends in its log. Both parts of the answer are -1 where it
    cannot tell. The one who asks may be a client."""

    variant: Literal["offset_only", "undefined", "no_epoch", "no_epoch_either"] | None = None
    sources: tuple[str, ...] = ("KIP-101", "LeaderEpochFileCache")
    follower: Endpoint
    epoch: LeaderEpoch
    answer_epoch: LeaderEpoch
    end_offset: Offset


class ListOffsetsSent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower asks its leader where its log starts or ends."""

    rule: str | None = "OFFSET-OUT-OF-RANGE"
    sources: tuple[str, ...] = ("AbstractFetcherThread",)
    leader: BrokerId
    which: WhichOffset


class ListOffsetsAnswered(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader answers a follower where its log starts or ends."""

    rule: str | None = "OFFSET-OUT-OF-RANGE"
    sources: tuple[str, ...] = ("ReplicaFetcherThread",)
    follower: Endpoint
    which: WhichOffset
    offset: Offset


class LeaderOffsetHeard(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower hears where its leader's log starts or ends, and has nothing to cut for that."""

    variant: Literal["latest"] | None = None
    rule: str | None = "OFFSET-OUT-OF-RANGE"
    sources: tuple[str, ...] = ("AbstractFetcherThread",)
    leader: BrokerId
    offset: Offset
    log_end_offset: Offset


class LateAnswerEvent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """The answer to a request of an earlier fetch loop arrives.

    The request was sent in epoch `asked_in` to `leader`, for `fetch_offset`; by now the broker
    follows in `leader_epoch`.
    """

    variant: Literal["lookup"] | None = None
    leader: BrokerId
    message: MessageKind
    fetch_offset: Offset
    asked_in: LeaderEpoch
    leader_epoch: LeaderEpoch


class LateAnswerTaken(LateAnswerEvent, frozen=True, gc=False, kw_only=True):
    """A follower applies the answer to a request of an earlier fetch loop: its offset still fits,
    and nothing else is compared."""


class LateAnswerDropped(LateAnswerEvent, frozen=True, gc=False, kw_only=True):
    """A follower drops the answer to a request of an earlier fetch loop for its epoch."""
