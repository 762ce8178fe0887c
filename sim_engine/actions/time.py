"""Time passes, or one timer fires at once."""

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
    """One timer fires and no time passes: a broker's, or the controller's, which need no broker.

    Of a `long_poll`, `partition` and `follower` say whose wait ends where there are several.
    """

    broker: TimerOf | None = None
    kind: Annotated[TimerKind, Meta(title="the kind of timer")]
    partition: Partition | None = None
    follower: Broker | None = None


class Advance(StepStruct, frozen=True, gc=False, kw_only=True):
    """The clock moves and due timers fire; no message is delivered, no follower sends."""

    ms: Milliseconds


class Tick(StepStruct, frozen=True, gc=False, kw_only=True):
    """The clock moves by `ms`; `since` is how long ago the last frame was, where that is more."""

    ms: int
    since: int | None = None

    @property
    def told_ms(self) -> int:
        """How much time the frame says that passed."""
        return self.ms if self.since is None else self.since

    def step(self) -> Advance:
        """The step that it is part of."""
        return Advance(ms=self.told_ms)


class Run(StepStruct, frozen=True, gc=False, kw_only=True):
    """Autoplay: everything that is due within so much time happens, in the order of time."""

    ms: Milliseconds


class Settle(StepStruct, frozen=True, gc=False, kw_only=True):
    """Autoplay until nothing is left to wait for; then the last long polls are answered."""


TimeStep = Advance | Run | Settle
"""A step in which time passes: it may be thousands of actions, where any other is a few."""

Happening = Timer | TimeStep
"""What of these a scenario file may say."""

Action = Timer | Tick
"""What of these the engine performs."""
