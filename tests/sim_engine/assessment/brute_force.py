"""The plain enumeration with which what follows a failure must agree: every step that may happen
is tried in every state, by the engine as it runs, and states are compared as a whole.
"""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct, json
from msgspec.structs import replace

from sim_engine.actions import steps
from sim_engine.assessment.cases import NAME, Case
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import CONTROLLER, FIRST_FRAME, NO_LEADER
from sim_engine.narration import RefusedError
from sim_engine.simulation.performing.controller import may_elect_preferred
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step

_FRAME = re.compile(rb'"\w*frame":\d+')
_RANKED = re.compile(rb'"(?:id|awaiting|in_reply_to|message_id|request|contact_lost_order)":(\d+)')


class TooManyStatesError(Exception):
    """The enumeration would take too long."""


class Truth(Struct, frozen=True):
    """What can follow a failure: see `what_follows.Followed`."""

    loses: bool
    survives: bool
    leaderless: bool
    refuses: bool


def truth_of(case: Case, failure: Sequence[steps.Happening], most: int) -> Truth | None:
    """What can follow; None if the engine refuses the failure."""
    struck, loses = case.cluster, False
    for step in failure:
        moments = play(struck, step)
        if moments is None:
            return None
        loses = loses or any(_is_lost(case, moment) for moment in moments)
        struck = moments[-1]
    if loses:
        return Truth(loses=True, survives=False, leaderless=False, refuses=False)
    settled = _reached(case, [struck], most, returns=False)
    everything = _reached(case, settled[0], most, returns=True)
    ends = [one for one in settled[0] if _is_settled(one)]
    return Truth(
        loses=settled[1] or everything[1],
        survives=any(map(_is_settled, everything[0])),
        leaderless=any(map(_has_no_leader, ends)),
        refuses=any(not _has_no_leader(one) and _is_below(one) for one in ends),
    )


def _reached(
    case: Case, starts: Sequence[ClusterState], most: int, *, returns: bool
) -> tuple[list[ClusterState], bool]:
    """The states in which nothing is lost, and whether something is lost in others."""
    states, loses = list(starts), False
    seen = set(map(_whole, states))
    for state in states:
        for step in (*_pending(state), *(_others(state) if returns else ())):
            moments = play(state, step)
            if not moments:
                continue
            if any(_is_lost(case, moment) for moment in moments):
                loses = True
            elif _whole(moments[-1]) not in seen:
                seen.add(_whole(moments[-1]))
                states.append(moments[-1])
            if len(states) > most:
                raise TooManyStatesError
    return states, loses


def play(state: ClusterState, step: steps.Happening) -> list[ClusterState] | None:
    """The state after each action of a step; None if it is refused."""
    execution = StepExecution(state, FIRST_FRAME, 1_000)
    try:
        execute_step(execution, step)
    except RefusedError:
        return None
    return [*(one.transition.cluster for one in execution.executed), execution.cluster]


def _pending(state: ClusterState) -> Iterator[steps.Happening]:
    for broker in state.brokers:
        yield steps.Detect(broker=broker.broker_id)
        one = broker.broker_id
        yield steps.Deliver(
            kind="alter_partition_request", from_=one, to=CONTROLLER, partition=NAME
        )
        yield steps.Deliver(kind="alter_partition_response", to=one, partition=NAME)
        for kind in {message.kind for message in state.messages if message.sender == CONTROLLER}:
            if kind != "alter_partition_response":
                partition = None if kind == "update_metadata" else NAME
                yield steps.Deliver(kind=kind, to=one, partition=partition)
    allowed = state.settings_of(NAME).unclean_leader_election_enable
    if allowed and state.controller.partition(NAME).leader == NO_LEADER:
        yield steps.Timer(kind="unclean_leader_check")


def _others(state: ClusterState) -> Iterator[steps.Happening]:
    overlooks = state.controller_kind.overlooks_restarts(state.profile.rules)
    for broker in state.brokers:
        yield steps.Start(broker=broker.broker_id)
        yield steps.Heal(broker=broker.broker_id)
        yield steps.Fetch(broker=broker.broker_id, partition=NAME)
        if overlooks:
            yield steps.Boot(broker=broker.broker_id)
            yield steps.Boot(broker=broker.broker_id, session="kept")
    if may_elect_preferred(state):
        yield steps.Elect(partition=NAME, kind="preferred")


def _is_settled(state: ClusterState) -> bool:
    """Whether nothing happens any more by itself."""
    before = _whole(state)
    return all(
        not moments or _whole(moments[-1]) == before
        for moments in (play(state, step) for step in _pending(state))
    )


def _is_lost(case: Case, state: ClusterState) -> bool:
    registration = state.controller.partition(NAME)
    logs = {
        broker.broker_id: {(one.offset, one.id) for one in replica.log.records}
        for broker in state.brokers
        if (replica := broker.replica(NAME)) is not None
    }
    counting = logs
    if registration.leader != NO_LEADER and state.broker(registration.leader).alive:
        leader = state.replica(registration.leader, NAME)
        if leader.leading is not None and leader.leader_epoch == registration.leader_epoch:
            counting = {registration.leader: logs[registration.leader]}
    return any(all(tuple(one) not in log for log in counting.values()) for one in case.acked)


def _has_no_leader(state: ClusterState) -> bool:
    leader = state.controller.partition(NAME).leader
    return leader == NO_LEADER or not (
        state.broker(leader).running and state.reaches_controller(leader)
    )


def _is_below(state: ClusterState) -> bool:
    least = state.settings_of(NAME).effective_min_insync_replicas
    return len(state.controller.partition(NAME).isr) < least


def _whole(state: ClusterState) -> bytes:
    """A state as text, with ranks instead of numbers that only name something."""
    changed = replace(
        state, profile=None, settings=(), broker_settings=(), next_message_id=0, losses_of_contact=0
    )
    text = _FRAME.sub(b"", json.encode(changed))
    numbers = sorted({int(number) for number in _RANKED.findall(text)})
    ranks = {b"%d" % number: b"%d" % rank for rank, number in enumerate(numbers)}
    return _RANKED.sub(lambda found: found[0].replace(found[1], ranks[found[1]]), text)
