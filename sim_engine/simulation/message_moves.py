"""Records the messages that were sent, delivered or lost while an action was performed.

A message in flight is part of the state; a move says why it is there or is not there any more. A
request that is lost as it is sent is in no state at all.
"""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.protocol.messages import Message

MessageFate = Literal["sent", "arrived", "arrived_unseen", "lost", "replaced"]
"""`arrived_unseen`: it arrived between two frames and changed nothing that one can see.
`replaced`: its sender put what it said into a newer message."""


class MessageMove(Struct, frozen=True, gc=False):
    """One message was sent, or its way ended, at a moment of virtual time."""

    fate: MessageFate
    message: Message
    time_ms: int


def unseen(moves: Iterable[MessageMove]) -> tuple[MessageMove, ...]:
    """The moves of an action that makes no frame."""
    return tuple(
        replace(move, fate="arrived_unseen") if move.fate == "arrived" else move for move in moves
    )
