"""What every transition of a replica returns."""

from typing import Literal

from msgspec import Struct

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.identifiers import UNDEFINED_OFFSET, Offset
from sim_engine.protocol.messages import Send
from sim_engine.protocol.replica import PendingIsr, Replica
from sim_engine.records import Record


class ProduceAnswer(Struct, frozen=True, gc=False, kw_only=True):
    """What the leader tells the client of one produce request."""

    request: int
    error: ErrorCode
    offset: Offset


ProcessEnd = Literal["exit", "halt", "hang"]
"""How a broker's process ends by itself: `exit` shuts down cleanly, `halt` ends at once, `hang`
begins to shut down and never ends."""


class Outcome(Struct, frozen=True, gc=False, kw_only=True):
    """What a transition of a replica returns.

    A caller stores `replica` first; then it takes `events`, `sends`, `answers`, `isr_write` and
    `process_ends`, in this order.
    """

    replica: Replica
    """The replica after the transition."""
    sends: tuple[Send, ...] = ()
    """Messages to other brokers, in the order in which they go out."""
    answers: tuple[ProduceAnswer, ...] = ()
    """Responses to produce requests that waited or have just arrived."""
    events: tuple[Event, ...] = ()
    """What happened, in the order in which one thing led to the next."""
    isr_write: PendingIsr | None = None
    """An ISR change that the leader wants to make now: under ZooKeeper a conditional write of the
    partition's state znode, with KIP-497 a request to the controller."""
    process_ends: ProcessEnd | None = None
    duplicate: Record | None = None
    """The record that an idempotent producer's repeated batch had written before."""


def step_down_answers(replica: Replica) -> tuple[ProduceAnswer, ...]:
    """What a deposed leader tells the producers that still wait."""
    if replica.leading is None:
        return ()
    return tuple(
        ProduceAnswer(
            request=waiting.request, error=ErrorCode.NOT_LEADER_OR_FOLLOWER, offset=UNDEFINED_OFFSET
        )
        for waiting in replica.leading.produces
    )
