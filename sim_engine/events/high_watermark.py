"""High watermarks, as leaders and followers know them."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import ReplicaEvent
from sim_engine.events.drawing import dot
from sim_engine.events.telling import Rank
from sim_engine.identifiers import BrokerId, Offset


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
