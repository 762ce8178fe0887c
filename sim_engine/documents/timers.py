"""What happens as time passes: the timers that are running, and when each fires."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from sim_engine.actions import Notice, Timer
from sim_engine.actions.time import TimerKind
from sim_engine.cluster.state import ClusterState
from sim_engine.documents.document import Document
from sim_engine.identifiers import CLOCK_START_MS
from sim_engine.simulation.autoplay import Due, due_timers


class DueTimerDocument(Document, frozen=True, kw_only=True):
    """A timer, which an `advance` up to its time fires."""

    kind: TimerKind
    broker: Annotated[
        int, Meta(description="Whose process it runs in; of a session, whose session ends.")
    ]
    due_ms: Annotated[
        int, Meta(description="When it fires, in ms of virtual time from the start of the run.")
    ]
    partition: Annotated[
        str | UnsetType, Meta(description="Of a long poll, the partition that is fetched.")
    ] = UNSET
    follower: Annotated[int | UnsetType, Meta(description="Of a long poll, whose wait ends.")] = (
        UNSET
    )


def timers_document(cluster: ClusterState) -> tuple[DueTimerDocument, ...]:
    """Every timer that is running, those of one broker together."""
    return tuple(_timer(due) for due in due_timers(cluster))


def _timer(due: Due) -> DueTimerDocument:
    due_ms = due.due_ms - CLOCK_START_MS
    action = due.action
    if isinstance(action, Timer):
        assert isinstance(action.broker, int), "the controller's timers are fired by hand alone"
        return DueTimerDocument(
            kind=action.kind,
            broker=action.broker,
            due_ms=due_ms,
            partition=UNSET if action.partition is None else action.partition,
            follower=UNSET if action.follower is None else action.follower,
        )
    assert isinstance(action, Notice), "a session that ends is noticed"
    return DueTimerDocument(kind="session_timeout", broker=action.broker, due_ms=due_ms)
