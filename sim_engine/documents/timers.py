"""The timers that are running, and when each fires."""

from msgspec import UNSET, UnsetType

from sim_engine.actions import Notice, Timer
from sim_engine.actions.steps import TimerKind
from sim_engine.cluster.state import ClusterState
from sim_engine.documents.document import Document
from sim_engine.identifiers import CLOCK_START_MS
from sim_engine.simulation.autoplay import Due, due_timers


class DueTimerDocument(Document, frozen=True, kw_only=True):
    """A timer. An `advance` up to its time fires it."""

    kind: TimerKind
    broker: int | UnsetType = UNSET
    """The broker that it runs on; for a session timeout, the owner of the session. Absent for a
    timer of the controller."""
    due_ms: int
    """When it fires, in ms of virtual time since the start of the run."""
    partition: str | UnsetType = UNSET
    """For a long poll: the partition of the fetch."""
    follower: int | UnsetType = UNSET
    """For a long poll: the follower that fetched."""


def timers_document(cluster: ClusterState) -> tuple[DueTimerDocument, ...]:
    """Every running timer, grouped by broker; the controller's check comes last, while it would
    elect a leader.
    """
    return tuple(_timer(due) for due in due_timers(cluster))


def _timer(due: Due) -> DueTimerDocument:
    due_ms = due.due_ms - CLOCK_START_MS
    action = due.action
    if isinstance(action, Timer):
        return DueTimerDocument(
            kind=action.kind,
            broker=action.broker if isinstance(action.broker, int) else UNSET,
            due_ms=due_ms,
            partition=UNSET if action.partition is None else action.partition,
            follower=UNSET if action.follower is None else action.follower,
        )
    assert isinstance(action, Notice), "the controller detects an expired session"
    return DueTimerDocument(kind="session_timeout", broker=action.broker, due_ms=due_ms)
