"""Lets time pass, or fires one timer immediately."""

from typing import Annotated, Literal

from msgspec import Meta

from sim_engine.actions.base import StepStruct
from sim_engine.actions.fields import Broker, Milliseconds, Partition, TimerOf

TimerKind = Literal[
    "isr_expiration",
    "high_watermark_checkpoint",
    "recovery_point_checkpoint",
    "flush",
    "isr_change_propagation",
    "heartbeat",
    "session_timeout",
    "preferred_leader_check",
    "unclean_leader_check",
    "long_poll",
    "fetch_backoff",
    "produce_timeout",
]
CONTROLLER_TIMER_KINDS: tuple[TimerKind, ...] = ("preferred_leader_check", "unclean_leader_check")


class Timer(StepStruct, frozen=True, gc=False, kw_only=True):
    """Fires one timer without advancing time. A timer of the controller needs no `broker`.

    If several fetches are parked at the broker, `partition` and `follower` select the `long_poll`
    that ends.
    """

    broker: TimerOf | None = None
    kind: Annotated[TimerKind, Meta(extra={"noun": "timer_kind"})]
    partition: Partition | None = None
    follower: Broker | None = None


class Advance(StepStruct, frozen=True, gc=False, kw_only=True):
    """Advances the clock and fires due timers. No message is delivered and no follower sends."""

    ms: Milliseconds


class Tick(StepStruct, frozen=True, gc=False, kw_only=True):
    """Advances the clock by `ms`. `since` is the time since the last frame, if that is longer."""

    ms: int
    since: int | None = None

    @property
    def told_ms(self) -> int:
        """The elapsed time that the frame reports, in ms."""
        return self.ms if self.since is None else self.since

    def step(self) -> Advance:
        """The step that this action is part of."""
        return Advance(ms=self.told_ms)


class Run(StepStruct, frozen=True, gc=False, kw_only=True):
    """Autoplay: performs everything that is due within this time, in order of time."""

    ms: Milliseconds


class Settle(StepStruct, frozen=True, gc=False, kw_only=True):
    """Autoplay until nothing is pending. Then the last long polls end with empty responses."""


TimeStep = Advance | Run | Settle
"""A step that lets time pass. It may expand to thousands of actions; any other step expands to a
few.
"""

Happening = Timer | TimeStep
"""The steps of this module."""

Action = Timer | Tick
"""The actions of this module."""
