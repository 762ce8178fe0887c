"""How far records count as committed, as leaders and followers know it."""

from typing import Literal

from msgspec import UNSET, UnsetType

from sim_engine.events.base import ReplicaEvent
from sim_engine.identifiers import BrokerId, Offset


class HighWatermarkAdvanced(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader moves its high watermark: every replica that counts has everything below `after`.

    Each of `log_end_offsets` is "broker: offset" as the leader knows it, its own first.
    """

    before: Offset
    after: Offset
    log_end_offsets: tuple[str, ...]


class HighWatermarkHeld(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A leader's high watermark stays although the ISR has more: the ISR is below
    min.insync.replicas, or a replica outside it that was caught up a moment ago counts as well."""

    variant: Literal["outsider"] | None = None
    high_watermark: Offset
    isr: tuple[BrokerId, ...]
    min_insync_replicas: int | UnsetType = UNSET
    without: Offset | UnsetType = UNSET
    """Where the high watermark would be without the `outsiders`."""
    outsiders: tuple[BrokerId, ...] | UnsetType = UNSET
    lag_ms: int | UnsetType = UNSET
    """replica.lag.time.max.ms, within which an outsider was caught up."""


class FollowerHighWatermarkSet(ReplicaEvent, frozen=True, gc=False, kw_only=True):
    """A follower sets its high watermark to what its leader's response says, at most to the end of
    its own log."""

    variant: Literal["back", "diverging"] | None = None
    rule: str | None = "FOLLOWER-HIGH-WATERMARK"
    sources: tuple[str, ...] = ("ReplicaFetcherThread",)
    before: Offset
    after: Offset
    response_high_watermark: Offset
    log_end_offset: Offset
