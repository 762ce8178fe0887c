"""Consumers: what they read, where they continue, and which fetches fail."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import PartitionEvent, ReplicaEvent
from sim_engine.events.drawing import response
from sim_engine.events.telling import Rank
from sim_engine.identifiers import BrokerId, ErrorCode, LeaderEpoch, Offset


class ConsumerEvent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A consumer's request to a broker about a partition."""

    consumer: str


class ReadEvent(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A broker responds to a consumer's fetch. With read_committed a consumer reads up to
    `last_stable_offset`, otherwise up to the high watermark, to which `last_stable_offset` is then
    equal."""

    rule: str | None = "CONSUMER-HIGH-WATERMARK"
    sources: tuple[str, ...] = ("ReplicaManager",)
    high_watermark: Offset
    last_stable_offset: Offset
    log_end_offset: Offset


class ConsumerRead(ReadEvent, frozen=True, gc=False, kw_only=True):
    """A consumer reads records from a leader or a follower. Its next position is `to_offset`."""

    rank = Rank.READ
    drawn = response("consumes", to="consumers")

    variant: Literal["committed", "follower"] | None = None
    values: tuple[str, ...]
    from_offset: Offset
    to_offset: Offset


class ConsumerReadNothing(ReadEvent, frozen=True, gc=False, kw_only=True):
    """A consumer's fetch at `offset` returns no records: it may not read what follows or, for
    "end", nothing follows in the broker's log."""

    rank = Rank.DETAIL
    drawn = response("readsNothing", to="consumers")

    variant: Literal["committed", "follower", "end"] | None = None
    offset: Offset


class ConsumerPassedOver(ReadEvent, frozen=True, gc=False, kw_only=True):
    """A consumer skips control records or records of aborted transactions. Its next position is
    `to_offset`."""

    drawn = response("readsNothing", to="consumers")

    variant: Literal["aborted"] | None = None
    rule: str | None = "LAST-STABLE-OFFSET"
    sources: tuple[str, ...] = ("KIP-98",)
    values: tuple[str, ...]
    to_offset: Offset


class ConsumerOutOfRange(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer's position is outside the log. At a leader it is reset to `reset_to`; at a
    follower the consumer returns to the leader."""

    rank = Rank.READ
    drawn = response("fails", "bad", to="consumers")

    variant: Literal["follower", "below_start", "undefined"] | None = None
    rule: str | None = "CONSUMER-HIGH-WATERMARK"
    offset: Offset
    log_end_offset: Offset
    log_start_offset: Offset | UnsetType = UNSET
    reset_to: Offset | UnsetType = UNSET


class ConsumerSentToFollower(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A leader redirects a consumer to a follower in the consumer's rack."""

    drawn = response("toldToFollower", to="consumers")

    rule: str | None = "KIP-392"
    sources: tuple[str, ...] = ("KIP-392", "ReplicaManager")
    follower: BrokerId
    rack: str


class ConsumerOffsetNotAvailable(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A new leader does not return its latest offset yet, because it could be lower than one
    returned before. The consumer stays at `offset`."""

    rank = Rank.READ
    drawn = response("fails", "warn", to="consumers")

    rule: str | None = "KIP-207"
    sources: tuple[str, ...] = ("KIP-207", "Partition")
    offset: Offset
    high_watermark: Offset
    leader_epoch_start_offset: Offset
    error: ErrorCode


class ConsumerTruncationDetected(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer detects a truncation: the last epoch that it read ends at `end_offset`, below its
    position."""

    rank = Rank.STALE
    mark = "surprise"
    drawn = response("fails", "bad", to="consumers")

    rule: str | None = "KIP-320-CONSUMER"
    sources: tuple[str, ...] = ("KIP-320",)
    offset: Offset
    epoch: LeaderEpoch
    end_offset: Offset
    leader_epoch: LeaderEpoch


class ReadReplaced(PartitionEvent, frozen=True, gc=False, kw_only=True):
    """The leader according to the controller now has other records, `instead`, at offsets at which
    a consumer has read `values`. The consumer does not notice it yet."""

    rank = Rank.WRONG_READ
    mark = "surprise"

    consumer: str
    leader: BrokerId
    values: tuple[str, ...]
    offsets: tuple[Offset, ...]
    instead: tuple[str, ...]


class ConsumerPositionValidated(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer confirms that its position is still valid."""

    rule: str | None = "KIP-320-CONSUMER"
    sources: tuple[str, ...] = ("KIP-320",)
    offset: Offset
    epoch: LeaderEpoch
    end_offset: Offset


class ConsumeFailed(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer's fetch fails with an error. `broker` is -1 if there is no leader."""

    rank = Rank.READ
    drawn = response("fails", "bad", to="consumers")

    variant: ErrorCode
    error: ErrorCode
