"""What every transition of a replica returns."""

from msgspec import Struct

from sim_engine.identifiers import BrokerId, Offset
from sim_engine.protocol.errors import ErrorCode
from sim_engine.protocol.events import Event
from sim_engine.protocol.log.replica_log import Record
from sim_engine.protocol.messages import Send
from sim_engine.protocol.replica import PendingIsr, Replica


class ProduceAnswer(Struct, frozen=True, gc=False, kw_only=True):
    """What the leader tells the client of one produce request."""

    request: int
    error: ErrorCode
    offset: Offset


class Outcome(Struct, frozen=True, gc=False, kw_only=True):
    """The replica as it is now, what it sends, tells clients, proposes, and what happened.

    `isr_write` is an ISR change the leader wants to make now: under ZooKeeper a conditional write
    of the state znode, with KIP-497 a request to the controller. `process_ends` is how the process
    ends by itself, where a rule makes it. `duplicate` is the record that a produce request of an
    idempotent producer wrote before.
    """

    replica: Replica
    sends: tuple[Send, ...] = ()
    answers: tuple[ProduceAnswer, ...] = ()
    events: tuple[Event, ...] = ()
    isr_write: PendingIsr | None = None
    process_ends: str | None = None
    unparked: tuple[BrokerId, ...] = ()
    duplicate: Record | None = None


def step_down_answers(replica: Replica) -> tuple[ProduceAnswer, ...]:
    """What a deposed leader tells the producers that still wait."""
    if replica.leading is None:
        return ()
    return tuple(
        ProduceAnswer(request=waiting.request, error=ErrorCode.NOT_LEADER_OR_FOLLOWER, offset=-1)
        for waiting in replica.leading.produces
    )
