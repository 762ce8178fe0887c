"""What can happen now: every step with its actor, and why it cannot where it cannot.

A choice is tried on the side, so what is offered is exactly what the engine would do.
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
from sim_engine.simulation.play import Play
from sim_engine.simulation.refusal import RefusedError
from sim_engine.simulation.step_expansion import play_step

MOST_FRAMES_TRIED = 400


class Choice(Struct, frozen=True, gc=False, kw_only=True):
    """One step that a person could take.

    `actor` is a broker id as text, `controller`, a client's name, `network` or `time`. Where it is
    not enabled, `reason_code` and `reason_numbers` say why, and `reason` says it in English.
    """

    step: dict[str, object]
    actor: str
    enabled: bool
    rank: int
    reason: str | None = None
    reason_code: str | None = None
    reason_numbers: RefusalNumbers = {}


def list_choices(cluster: ClusterState) -> list[Choice]:
    """Every step on offer, the most natural next first; what is refused comes after."""
    choices = [_tried(cluster, offer) for offer in _offers(cluster)]
    return sorted(choices, key=lambda choice: (not choice.enabled, choice.rank))


def list_steps(cluster: ClusterState) -> list[Happening]:
    """The whole alphabet: every step that makes sense to name in this state, untried."""
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
        reason=None if refused is None else refused.reason,
        reason_code=None if refused is None else refused.code,
        reason_numbers={} if refused is None else refused.numbers,
    )


def _refusal(cluster: ClusterState, step: Happening) -> RefusedError | None:
    """Why a step cannot happen now; null where it can. Time is not tried, for that takes long."""
    if isinstance(step, Settle):
        return without_effect(step) if is_at_rest(cluster) else None
    if isinstance(step, TimeStep):
        return None
    play = Play(cluster, FIRST_FRAME, MOST_FRAMES_TRIED)
    try:
        play_step(play, step)
    except RefusedError as error:
        return error
    return None if play.played else without_effect(step)


def without_effect(step: Happening) -> RefusedError:
    """Why a person's step that would make no frame is refused."""
    if isinstance(step, Settle):
        return RefusedError("nothing_pending")
    return RefusedError("nothing_happened", step=name_of(type(step)))
