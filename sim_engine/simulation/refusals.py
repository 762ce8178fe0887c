"""Whether a step is possible in a state, found without performing it.

A function of an action refuses before it changes anything but what clients know of their
partitions; a step is refused before its first action counts. Therefore an action that begins to
change the cluster is not refused, and neither is a step whose first action is not. What follows
would take most of the time: the rest of the action, its events, the fates of records, further
actions.
"""

from typing import NoReturn

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Action, Happening, Settle, TimeStep
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import FIRST_FRAME
from sim_engine.narration.sentences import RefusedError
from sim_engine.simulation.clock import is_at_rest
from sim_engine.simulation.step_execution import ExecutedAction, StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.simulation.transition import PRIMITIVES
from sim_engine.simulation.working_copy import WorkingCopy

MOST_FRAMES_TRIED = 400


def refusal(cluster: ClusterState, step: Happening) -> RefusedError | None:
    """Why a step is not possible now; None if it is. Steps that pass time are not tried, because
    that takes long.
    """
    if isinstance(step, Settle):
        return without_effect(step) if is_at_rest(cluster) else None
    if isinstance(step, TimeStep):
        return None
    try:
        execute_step(_UntilItBegins(cluster, FIRST_FRAME, MOST_FRAMES_TRIED), step)
    except RefusedError as error:
        return error.with_traceback(None)  # otherwise the choice would keep all that was tried
    except _BegunError:
        return None
    return without_effect(step)


def without_effect(step: Happening) -> RefusedError:
    """The refusal of a user's step that would create no frame."""
    if isinstance(step, Settle):
        return RefusedError("nothing_pending")
    return RefusedError("nothing_happened", step=name_of(type(step)))


class _BegunError(Exception):
    """It is not refused."""


class _UntilItBegins(StepExecution):
    """A step execution that raises `_BegunError` instead of keeping its first action."""

    def act(self, action: Action) -> NoReturn:
        """Raise the action's refusal, or `_BegunError`."""
        PRIMITIVES[type(action)](_UntilItChanges(self.cluster, self.next_frame), action)
        raise _BegunError

    def _keep(self, executed: ExecutedAction) -> NoReturn:
        raise _BegunError


class _UntilItChanges(WorkingCopy):
    """A working copy that raises `_BegunError` at the first change of anything but what clients
    know.
    """

    def _store(self, cluster: ClusterState) -> None:
        known = self._cluster
        if cluster.clients.produced is not known.clients.produced or not (
            _differs_at_most_in_clients(known, cluster)
        ):
            raise _BegunError
        super()._store(cluster)


def _differs_at_most_in_clients(one: ClusterState, other: ClusterState) -> bool:
    return all(
        getattr(one, field) is getattr(other, field)
        for field in ClusterState.__struct_fields__
        if field != "clients"
    )
