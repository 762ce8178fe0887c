"""Whether a step is refused is known without performing it."""

from collections.abc import Iterator

from sim_engine.actions.steps import Happening, TimeStep
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import FIRST_FRAME
from sim_engine.narration import RefusedError
from sim_engine.simulation.choices import list_steps
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import (
    MOST_FRAMES_TRIED,
    execute_step,
    refusal,
    without_effect,
)
from tests.sim_engine.played import lessons_played


def performed(cluster: ClusterState, step: Happening) -> RefusedError | None:
    """The refusal of a step that is performed to its end."""
    execution = StepExecution(cluster, FIRST_FRAME, MOST_FRAMES_TRIED)
    try:
        execute_step(execution, step)
    except RefusedError as refused:
        return refused
    return None if execution.executed else without_effect(step)


def said(refused: RefusedError | None) -> tuple[object, ...] | None:
    return None if refused is None else (refused.code, refused.numbers, refused.rule)


def clusters() -> Iterator[ClusterState]:
    for lesson in lessons_played():
        yield from (frame.cluster for frame in lesson.frames[::6])


def test_a_step_is_refused_for_the_reason_for_which_performing_it_fails() -> None:
    refused = 0
    for cluster in clusters():
        for step in list_steps(cluster):
            if isinstance(step, TimeStep):
                continue
            expected = said(performed(cluster, step))
            refused += expected is not None

            assert said(refusal(cluster, step)) == expected, step

    assert refused > 100
