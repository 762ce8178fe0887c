"""The cause of a loss in frames that were stored as JSON, possibly by an older engine."""

import msgspec
from msgspec import Struct

from sim_engine.events import Event
from sim_engine.events.registry import EVENTS
from sim_engine.invariants import Cause, Losses

_RELEVANT = {kind.__name__: kind for kind in Losses.EVENTS}


class _StoredEvent(Struct):
    """The fields of an event's document that contain the event's own fields."""

    kind: str
    numbers: dict[str, object]
    variant: str | None = None
    rule: str | None = None
    subject: dict[str, object] = {}


class _StoredFrame(Struct):
    events: list[_StoredEvent]


def stored_loss_cause(frames: bytes) -> Cause | None:
    """The cause of the first loss of an acknowledged record in the frames of one branch, a JSON
    array, in order.

    None if it cannot be determined: the frames contain no such loss, or they contain events that
    this engine does not have, or has with other fields. An old event is never guessed at.
    """
    losses = Losses()
    try:
        for frame in msgspec.json.decode(frames, type=list[_StoredFrame]):
            for stored in frame.events:
                if stored.kind not in EVENTS:
                    return None
                if stored.kind in _RELEVANT:
                    losses.see(_event(stored))
    except msgspec.MsgspecError:
        return None
    return losses.cause


def _event(stored: _StoredEvent) -> Event:
    """The event that was stored. Raises msgspec.ValidationError if its class has other fields."""
    fields = {
        **stored.numbers,
        "variant": stored.variant,
        "rule": stored.rule,
        "subject": stored.subject,
    }
    return msgspec.convert(fields, _RELEVANT[stored.kind])
