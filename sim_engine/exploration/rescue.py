"""The point of no return of a loss: from which frame on no continuation is found that keeps it.

A record is kept where it ends up safe: the replica that the controller names leader has it, or who
could be elected cleanly. From each frame since the record was last safe a bounded search looks for
steps that lead there, with what the run had left of its budget.
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
from sim_engine.simulation.play import LimitReachedError, Play
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import play_step
from sim_engine.simulation.timeline import Frame

RESCUE_DEPTH = 8
RESCUE_STATES = 2_000
"""How far a continuation that keeps the record is looked for: steps, and states."""

_MOST_FRAMES = 400
_LOST = PROPERTY_NAMES.index("NoAckedRecordLost")


def point_of_no_return(
    path: Sequence[Frame],
    budgets: Sequence[Budget],
    is_over: Callable[[], bool] = lambda: False,
) -> FrameNumber | None:
    """The first frame of a path after which none is found that keeps what the path loses.

    `path` are the frames of one branch from its start; `budgets` say what is left of the budget at
    each. Null where the path loses nothing, and where `is_over` ended the search.
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
    """Whether none of these is lost or at risk; one that is not yet acknowledged is neither."""
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
            # What is under way in the middle of a step comes to rest first.
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
        play = Play(cluster, FIRST_FRAME, _MOST_FRAMES)
        try:
            play_step(play, step)
        except (RefusedError, LimitReachedError):
            continue
        before, rest = cluster, left
        for played in play.played:
            within = after_elections(rest, before, played.transition.cluster)
            if within is None:
                break
            before, rest = played.transition.cluster, within
        else:
            yield play.cluster, rest


def _without_produces(budget: Budget) -> Budget:
    """A budget without further records: they keep none that is there."""
    index = BUDGET_NAMES.index(name_of(Produce))
    return (*budget[:index], 0, *budget[index + 1 :])
