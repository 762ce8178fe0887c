"""The possible next steps: every step with its actor, and the reason if it is not possible.

Each choice is tried on a copy of the state, so the offers are exactly what the engine would do.
"""

from msgspec import Struct

from sim_engine.actions import Happening, Settle, TimeStep, name_of
from sim_engine.cluster.state import ClusterState
from sim_engine.events.run import RefusalNumbers
from sim_engine.identifiers import FIRST_FRAME
from sim_engine.simulation.clock import is_at_rest
from sim_engine.simulation.interventions import (
    offers_of_brokers,
    offers_of_links,
    offers_of_settings,
    offers_of_time,
    offers_of_timers,
    offers_of_timers_due,
)
from sim_engine.simulation.offers import (
    Offer,
    offers_of_clients,
    offers_of_controller,
    offers_of_fetches,
    offers_of_messages,
)
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step

MOST_FRAMES_TRIED = 400


class Choice(Struct, frozen=True, gc=False, kw_only=True):
    """One step that a user can take.

    `actor` is a broker id as text, `controller`, a client's name, `network` or `time`. If it is not
    possible, `reason_code` and `reason_numbers` give the reason, and `reason` is its English text.
    `row` is the position of the step's button on the row of a broker, null if it has none.
    """

    step: dict[str, object]
    actor: str
    enabled: bool
    rank: int
    row: int | None
    reason: str | None = None
    reason_code: str | None = None
    reason_numbers: RefusalNumbers = {}


def list_choices(cluster: ClusterState) -> list[Choice]:
    """Every offered step, the most relevant first; impossible ones come last."""
    choices = [_tried(cluster, offer) for offer in _offers(cluster)]
    return sorted(choices, key=lambda choice: (not choice.enabled, choice.rank))


def list_steps(cluster: ClusterState) -> list[Happening]:
    """Every step that makes sense in this state, without checking whether it is possible."""
    return [offer.step for offer in _offers(cluster)]


def _offers(cluster: ClusterState) -> list[Offer]:
    return [
        *offers_of_messages(cluster),
        *offers_of_fetches(cluster),
        *offers_of_controller(cluster),
        *offers_of_clients(cluster),
        *offers_of_brokers(cluster),
        *offers_of_links(cluster),
        *offers_of_timers(cluster),
        *offers_of_timers_due(cluster),
        *offers_of_settings(cluster),
        *offers_of_time(),
    ]


def _tried(cluster: ClusterState, offer: Offer) -> Choice:
    refused = _refusal(cluster, offer.step)
    return Choice(
        step=offer.step.as_step(),
        actor=offer.actor,
        enabled=refused is None,
        rank=offer.rank,
        row=type(offer.step).row,
        reason=None if refused is None else refused.reason,
        reason_code=None if refused is None else refused.code,
        reason_numbers={} if refused is None else refused.numbers,
    )


def _refusal(cluster: ClusterState, step: Happening) -> RefusedError | None:
    """Why a step is not possible now; None if it is. Steps that pass time are not tried, because
    that takes long.
    """
    if isinstance(step, Settle):
        return without_effect(step) if is_at_rest(cluster) else None
    if isinstance(step, TimeStep):
        return None
    execution = StepExecution(cluster, FIRST_FRAME, MOST_FRAMES_TRIED)
    try:
        execute_step(execution, step)
    except RefusedError as error:
        return error.with_traceback(None)  # otherwise the choice would keep all that was tried
    return None if execution.executed else without_effect(step)


def without_effect(step: Happening) -> RefusedError:
    """The refusal of a user's step that would create no frame."""
    if isinstance(step, Settle):
        return RefusedError("nothing_pending")
    return RefusedError("nothing_happened", step=name_of(type(step)))
