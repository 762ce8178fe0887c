"""A walk through the states of a search is the same walk through clusters.

From a random cluster, random moves are played twice: by the engine, and on the states of one
search. After each move, the state must be that of the cluster, offer the same moves, and have the
same verdict. Effects that were computed in one state are thereby looked up in others. A move that
only the cluster offers makes no difference. Now and then, an entry of the budget is used up.
"""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.steps import Action, Shutdown, Start
from sim_engine.cluster.state import ClusterState
from sim_engine.exploration.alphabet import (
    ELECTION,
    EPOCH,
    FAULT_KINDS,
    GRAINS,
    Grain,
    steps_from,
    whole_budget,
)
from sim_engine.exploration.canonical import (
    METADATA_OFFSET,
    REQUESTS,
    numbers_at,
    renumbered,
    with_number,
)
from sim_engine.exploration.moves import Move
from sim_engine.exploration.recorded import Reads
from sim_engine.exploration.relevance import in_a_run
from sim_engine.exploration.search import SearchOptions, space_of, unlimited
from sim_engine.exploration.state_space import StateSpace
from sim_engine.exploration.states import State
from sim_engine.exploration.targets import search_target
from sim_engine.identifiers import BrokerId
from sim_engine.protocol.messages import Message
from tests.sim_engine.exploration.brute_force import Node, play, start_of
from tests.sim_engine.exploration.test_search_agrees import Case, random_case
from tests.sim_engine.runs import run

MOST_MOVES = 30
WALKS = 3
PLENTY = 99


@pytest.mark.parametrize("grain", GRAINS)
def test_states_change_as_clusters_do(grain: Grain) -> None:
    differences = [one for seed in range(40) for one in differences_in(seed, grain)]

    assert differences == []


@pytest.mark.slow
@pytest.mark.parametrize("grain", GRAINS)
def test_states_change_as_clusters_do_in_thousands_of_walks(grain: Grain) -> None:
    differences = [one for seed in range(1_000, 2_000) for one in differences_in(seed, grain)]

    assert differences == []


def test_the_actions_of_a_step_find_each_process_and_each_offset_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    within: list[State] = []
    act = StateSpace.act_in_step

    def noted(space: StateSpace, state: State, action: Action, reads: Reads) -> object:
        within.append(state)
        return act(space, state, action, reads)

    monkeypatch.setattr(StateSpace, "act_in_step", noted)
    options = SearchOptions(property="StrongIsr", grain="step", budget={"shutdown": 1})
    space = space_of(run(kafka="3.9").frame, options)
    count = len(space.cluster_of(space.start).brokers)

    after = space.start
    for step in (Shutdown(broker=BrokerId(1)), Start(broker=BrokerId(1))):
        after = (space.play(after, step) or ())[-1]

    assert {space.cluster_of(state).brokers[0].process for state in within} == {
        "running",
        "shutting_down",
        "stopped",
    }
    for state in within:
        for place, broker in enumerate(space.cluster_of(state).brokers):
            view = space.value_at(count + place, state[count + place])
            assert view == (broker.process, broker.incarnation, "t-0")
    written = [space.cluster_of(state).controller.metadata_offset for state in within]
    assert max(written) > METADATA_OFFSET
    assert space.cluster_of(after).controller.metadata_offset == METADATA_OFFSET


def differences_in(seed: int, grain: Grain) -> list[str]:
    """The differences in some walks from one start, through the states of one search."""
    random = Random(f"{grain}{seed}")
    case = random_case(seed, grain)
    allowed = random.sample(
        FAULT_KINDS, random.randrange(len(FAULT_KINDS) // random.choice((1, 3)))
    )
    budget = {**dict.fromkeys(allowed, PLENTY), ELECTION: PLENTY, EPOCH: PLENTY}
    case = replace(case, options=replace(case.options, budget=budget))
    space = space_of(case.start, case.options)
    return [
        f"seed {seed}, {case}: {difference}"
        for _ in range(WALKS)
        for difference in _walk(case, space, random)
    ]


def _walk(case: Case, space: StateSpace, random: Random) -> list[str]:
    is_sought = search_target(case.options.property, case.options.acks)
    left = unlimited(case.options.budget)
    state, node = space.start, start_of(case.start, case.options)
    for _ in range(MOST_MOVES):
        allowed = [name for name in FAULT_KINDS if case.options.budget.get(name)]
        if allowed and random.random() < 0.1:
            case = _without(case, random.choice(allowed))
            left = unlimited(case.options.budget)
            state = space.within(state, space.needs_of(left))
        offered = _moves(case, node.cluster)
        to_state = _moves(case, space.cluster_of(state))
        useless = [move for move in offered if move not in to_state]
        if useless:
            move = random.choice(useless)
            for after in play(node, move.steps, node.left)[-1:]:
                different = _different_parts(space, state, after, left)
                if different:
                    return [f"only the cluster offers {move}, which changes {different}"]
        if not to_state:
            return []
        move = _one_of(to_state, random)
        nodes, states = _play_in_a_run(node, move), _play(space, state, move, left)
        if not states:
            # It is refused, or does nothing.
            if any(one.cluster != node.cluster for one in nodes):
                return [f"{move} leads nowhere, but {nodes} in a run"]
            continue
        if not nodes:
            return [f"{move} is refused in a run"]
        is_violated = any(is_sought(one.verdicts, one.cluster) for one in nodes)
        judged = [space.judge(was, now) for was, now in zip((state, *states), states, strict=False)]
        if is_violated != any(isinstance(one, dict) for one in judged):
            return [f"after {move}, violated is {is_violated}, and the state is judged {judged}"]
        if is_violated:
            return []
        node, state = nodes[-1], states[-1]
        different = _different_parts(space, state, node, left)
        if different:
            return [f"after {move}, different are {different}"]
    return []


def _without(case: Case, name: str) -> Case:
    """The case without an entry of its budget."""
    budget = {**case.options.budget, name: 0}
    return replace(case, options=replace(case.options, budget=budget))


def _moves(case: Case, cluster: ClusterState) -> list[Move]:
    budget = whole_budget(case.options.budget)
    offered = steps_from(cluster, budget, case.options.grain, case.options.acks)
    return [move for move, _ in offered]


def _one_of(offered: list[Move], random: Random) -> Move:
    """A move: one that needs no budget more often, and each kind as often as the others."""
    free = [move for move in offered if move.budget is None]
    possible = free if free and random.random() < 0.7 else offered
    kinds = sorted({type(move.steps[-1]).__name__ for move in possible})
    kind = random.choice(kinds)
    return random.choice([one for one in possible if type(one.steps[-1]).__name__ == kind])


def _play(space: StateSpace, state: State, move: Move, left: tuple[int, ...]) -> tuple[State, ...]:
    states: tuple[State, ...] = ()
    for step in move.steps:
        after = space.play(states[-1] if states else state, step, space.needs_of(left))
        if after is None:
            return ()
        states += after
    return states


def _play_in_a_run(node: Node, move: Move) -> list[Node]:
    """The states after each action of a move, with the deliveries that a run needs in addition."""
    nodes: list[Node] = []
    for step in move.steps:
        for one in in_a_run(step, node.cluster):
            after = play(node, [one], node.left)
            if not after:
                return []
            nodes += after
            node = after[-1]
    return nodes


def _different_parts(
    space: StateSpace, state: State, node: Node, left: tuple[int, ...]
) -> list[str]:
    """In what a state is not that of a cluster."""
    of_cluster = space.state_of(node.cluster, node.history, left)
    # The committed records are the last part.
    if state[-1] != of_cluster[-1]:
        return ["the committed records"]
    given, expected = (
        space.state_of(_numbered_anew(space.cluster_of(one)), node.history, left)
        for one in (state, of_cluster)
    )
    if given == expected:
        return []
    one, other = space.cluster_of(given), space.cluster_of(expected)
    return list(_differences(one, other, "cluster"))


def _differences(one: object, other: object, where: str) -> Iterator[str]:
    if isinstance(one, Struct) and type(one) is type(other):
        for name in one.__struct_fields__:
            yield from _differences(getattr(one, name), getattr(other, name), f"{where}.{name}")
    elif isinstance(one, tuple) and isinstance(other, tuple) and len(one) == len(other):
        for place, (mine, others) in enumerate(zip(one, other, strict=True)):
            yield from _differences(mine, others, f"{where}[{place}]")
    elif one != other:
        yield f"{where} is {one}, not {other}"


def _numbered_anew(cluster: ClusterState) -> ClusterState:
    """The cluster with requests that are numbered in the order of those who wait for them. Their
    numbers depend on the way to a state, and make no difference.
    """
    waited = [number for broker in cluster.brokers for _, number in numbers_at(broker)]
    in_flight = sorted(cluster.messages, key=_link)
    asked = [
        message.id if message.in_reply_to is None else message.in_reply_to
        for message in in_flight
        if message.kind in REQUESTS or message.in_reply_to is not None
    ]
    numbers = {number: 10**6 + rank for rank, number in enumerate(dict.fromkeys([*waited, *asked]))}
    return replace(
        cluster,
        brokers=tuple(renumbered(broker, numbers) for broker in cluster.brokers),
        messages=tuple(with_number(message, numbers) for message in cluster.messages),
    )


def _link(message: Message) -> tuple[str, ...]:
    ends = str(message.sender), str(message.receiver)
    return *ends, message.kind, message.partition or ""
