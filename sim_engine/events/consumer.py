"""Consumers: what they read, where they go on, and what they are refused."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.error_codes import ErrorCode
from sim_engine.events.base import ReplicaEvent
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset


class ConsumerEvent(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A consumer asks a broker about a partition."""

    consumer: str


class ReadEvent(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A broker answers a consumer's fetch. Reading committed records, a consumer may read below
    `last_stable_offset`, else below the high watermark; that is what this one says then too."""

    rule: str | None = "CONSUMER-HIGH-WATERMARK"
    sources: tuple[str, ...] = ("ReplicaManager",)
    high_watermark: Offset
    last_stable_offset: Offset
    log_end_offset: Offset


class ConsumerRead(ReadEvent, frozen=True, gc=False, kw_only=True):
    """A consumer reads records from a leader or a follower and goes on at `to_offset`."""

    variant: Literal["committed", "follower"] | None = None
    values: tuple[str, ...]
    from_offset: Offset
    to_offset: Offset


class ConsumerReadNothing(ReadEvent, frozen=True, gc=False, kw_only=True):
    """There is nothing at `offset` that a consumer may read."""

    variant: Literal["committed", "follower"] | None = None
    offset: Offset


class ConsumerPassedOver(ReadEvent, frozen=True, gc=False, kw_only=True):
    """A consumer passes over markers, or over records of aborted transactions, and goes on at
    `to_offset`."""

    variant: Literal["aborted"] | None = None
    rule: str | None = "LAST-STABLE-OFFSET"
    sources: tuple[str, ...] = ("KIP-98",)
    values: tuple[str, ...]
    to_offset: Offset


class ConsumerOutOfRange(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer's offset is outside the log. From a leader it is given another one to go on at,
    `reset_to`; from a follower it goes back to the leader."""

    variant: Literal["follower", "below_start", "undefined"] | None = None
    rule: str | None = "CONSUMER-HIGH-WATERMARK"
    offset: Offset
    log_end_offset: Offset
    log_start_offset: Offset | UnsetType = UNSET
    reset_to: Offset | UnsetType = UNSET


class ConsumerSentToFollower(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A leader sends a consumer to a follower in the consumer's rack."""

    rule: str | None = "KIP-392"
    sources: tuple[str, ...] = ("KIP-392", "ReplicaManager")
    follower: BrokerId
    rack: str


class ConsumerOffsetNotAvailable(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A new leader does not tell a consumer its latest offset yet, which could be lower than one
    told before. The consumer stays at `offset`."""

    rule: str | None = "KIP-207"
    sources: tuple[str, ...] = ("KIP-207", "Partition")
    offset: Offset
    high_watermark: Offset
    leader_epoch_start_offset: Offset
    error: ErrorCode


class ConsumerTruncationDetected(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer learns that the epoch that it read last ends below its position: what it read from
    `end_offset` on is gone."""

    rule: str | None = "KIP-320-CONSUMER"
    sources: tuple[str, ...] = ("KIP-320",)
    offset: Offset
    epoch: LeaderEpoch
    end_offset: Offset
    leader_epoch: LeaderEpoch


class ConsumerPositionValidated(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer learns that its position is still on the log."""

    rule: str | None = "KIP-320-CONSUMER"
    sources: tuple[str, ...] = ("KIP-320",)
    offset: Offset
    epoch: LeaderEpoch
    end_offset: Offset


class ConsumeFailed(ConsumerEvent, frozen=True, gc=False, kw_only=True):
    """A consumer's fetch is answered with an error; `broker` is -1 where nobody leads."""

    variant: ErrorCode
    error: ErrorCode
