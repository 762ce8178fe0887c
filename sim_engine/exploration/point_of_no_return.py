"""Finds the point of no return of a loss: the frame after which no continuation was found that
keeps the record.

A record is kept if it ends up safe: the leader according to the controller has it or, without a
leader, a replica that could be elected cleanly. From each frame since the record was last safe, a
bounded search looks for steps that lead to such a state, with the run's remaining budget.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from sim_engine.actions import Happening, Produce, Settle, name_of
from sim_engine.cluster.state import ClusterState
from sim_engine.exploration.alphabet import (
    BUDGET_NAMES,
    Budget,
    after_elections,
    steps_from,
)
from sim_engine.exploration.state_key import state_key
from sim_engine.identifiers import FIRST_FRAME, FrameNumber
from sim_engine.invariants import PROPERTY_NAMES
from sim_engine.simulation.frames import Frame
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_execution import LimitReachedError, StepExecution
from sim_engine.simulation.step_expansion import execute_step

RESCUE_DEPTH = 8
RESCUE_STATES = 2_000
"""The bounds of the search for a continuation that keeps the record: steps and states."""

_MOST_FRAMES = 400
_LOST = PROPERTY_NAMES.index("NoAckedRecordLost")


def point_of_no_return(
    path: Sequence[Frame],
    budgets: Sequence[Budget],
    is_over: Callable[[], bool] = lambda: False,
) -> FrameNumber | None:
    """Return the first frame of a path from which no continuation was found that keeps the lost
    records.

    `path` has the frames of one branch from its start, and `budgets` the remaining budget at each.
    Returns None if the path loses nothing, and if `is_over` ended the search.
    """
    lost_at = next(
        (place for place, frame in enumerate(path) if frame.verdicts[_LOST].status == "violated"),
        None,
    )
    if lost_at is None:
        return None
    lost = [
        record.request
        for record in path[lost_at].cluster.clients.produced
        if record.fate == "lost" and record.acks == "all"
    ]
    first = lost_at
    while first > 0 and not _is_kept(path[first - 1].cluster, lost):
        first -= 1
    for place in range(first, lost_at):
        if is_over():
            return None
        if not _can_be_kept(path[place].cluster, lost, budgets[place]):
            return path[place].frame
    return path[lost_at].frame


def _is_kept(cluster: ClusterState, requests: Sequence[int]) -> bool:
    """Whether none of these records is lost or at risk. A record that is not acknowledged yet is
    neither.
    """
    produced = cluster.clients.produced
    return all(
        request >= len(produced) or produced[request].fate in (None, "safe") for request in requests
    )


def _can_be_kept(cluster: ClusterState, requests: Sequence[int], budget: Budget) -> bool:
    level = [(cluster, _without_produces(budget))]
    seen = {hash((state_key(cluster), level[0][1]))}
    for depth in range(RESCUE_DEPTH):
        following: list[tuple[ClusterState, Budget]] = []
        for before, left in level:
            steps = steps_from(before, left, "step")
            # Inside a step, let its pending work finish first.
            tried = steps if depth else chain(((Settle(), left),), steps)
            for after, rest in _successors(before, tried):
                if _is_kept(after, requests):
                    return True
                key = hash((state_key(after), rest))
                if key not in seen and not _is_any_lost(after, requests):
                    seen.add(key)
                    following.append((after, rest))
                if len(seen) >= RESCUE_STATES:
                    return False
        level = following
    return False


def _is_any_lost(cluster: ClusterState, requests: Sequence[int]) -> bool:
    return any(cluster.clients.produced[request].fate == "lost" for request in requests)


def _successors(
    cluster: ClusterState, steps: Iterable[tuple[Happening, Budget]]
) -> Iterator[tuple[ClusterState, Budget]]:
    for step, left in steps:
        execution = StepExecution(cluster, FIRST_FRAME, _MOST_FRAMES)
        try:
            execute_step(execution, step)
        except (RefusedError, LimitReachedError):
            continue
        before, rest = cluster, left
        for executed in execution.executed:
            within = after_elections(rest, before, executed.transition.cluster)
            if within is None:
                break
            before, rest = executed.transition.cluster, within
        else:
            yield execution.cluster, rest


def _without_produces(budget: Budget) -> Budget:
    """The budget without further records, because new records cannot protect existing ones."""
    index = BUDGET_NAMES.index(name_of(Produce))
    return (*budget[:index], 0, *budget[index + 1 :])
