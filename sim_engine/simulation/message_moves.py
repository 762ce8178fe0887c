"""Records the messages that were sent, delivered or lost while an action was performed.

A message in flight is part of the state; a move explains why it appeared or disappeared. A request
that is lost when it is sent is in no state at all.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.identifiers import TimeMs
from sim_engine.protocol.messages import Message

MessageFate = Literal["sent", "arrived", "arrived_unseen", "lost", "replaced"]
"""`arrived_unseen`: it arrived between two frames without a visible change. `replaced`: its sender
merged it into a newer message.
"""


class MessageMove(Struct, frozen=True, gc=False):
    """One message was sent, delivered or lost at a moment of virtual time."""

    fate: MessageFate
    message: Message
    time_ms: TimeMs


def unseen(moves: Iterable[MessageMove]) -> tuple[MessageMove, ...]:
    """The moves of an action that creates no frame, marked as unseen."""
    return tuple(
        replace(move, fate="arrived_unseen") if move.fate == "arrived" else move for move in moves
    )
