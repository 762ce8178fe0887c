"""The result type of every transition of a replica."""

from typing import Literal

from msgspec import Struct

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.identifiers import UNDEFINED_OFFSET, Offset
from sim_engine.protocol.messages import Send
from sim_engine.protocol.replica import PendingIsr, Replica
from sim_engine.records import Record


class ProduceResponse(Struct, frozen=True, gc=False, kw_only=True):
    """The leader's response to one produce request."""

    request: int
    error: ErrorCode
    offset: Offset


ProcessEnd = Literal["exit", "halt", "hang"]
"""How a broker's process terminates by itself: `exit` shuts down cleanly, `halt` ends without a
clean shutdown, `hang` begins to shut down and never finishes.
"""


class Outcome(Struct, frozen=True, gc=False, kw_only=True):
    """The result of a transition of a replica.

    A caller stores `replica` first; then it takes `events`, `sends`, `produce_responses`,
    `isr_write` and `process_ends`, in this order.
    """

    replica: Replica
    """The replica after the transition."""
    sends: tuple[Send, ...] = ()
    """Messages to other brokers, in sending order."""
    produce_responses: tuple[ProduceResponse, ...] = ()
    """Responses to produce requests, both waiting and new ones."""
    events: tuple[Event, ...] = ()
    """The events, in causal order."""
    isr_write: PendingIsr | None = None
    """An ISR change that the leader makes now: under ZooKeeper a conditional write of the
    partition's state znode, with KIP-497 a request to the controller.
    """
    process_ends: ProcessEnd | None = None
    duplicate: Record | None = None
    """The original record of an idempotent producer's duplicate batch."""


def step_down_responses(replica: Replica) -> tuple[ProduceResponse, ...]:
    """The responses of a leader that is no longer the leader to its waiting produce requests:
    NOT_LEADER_OR_FOLLOWER.
    """
    if replica.leading is None:
        return ()
    return tuple(
        ProduceResponse(
            request=waiting.request, error=ErrorCode.NOT_LEADER_OR_FOLLOWER, offset=UNDEFINED_OFFSET
        )
        for waiting in replica.leading.produces
    )
