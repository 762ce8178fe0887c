"""A walk through the states of a search is the same walk through clusters.

From a random cluster, random moves are played twice: by the engine, and on the states of one
search. After each move, the state must be that of the cluster, offer the same moves, and have the
same verdict. Effects that were computed in one state are thereby looked up in others.
"""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec import Struct
from msgspec.structs import replace

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
from sim_engine.exploration.confirmation import is_unawaited
from sim_engine.exploration.moves import Move
from sim_engine.exploration.request_numbers import REQUESTS, numbers_at, renumbered, with_number
from sim_engine.exploration.search import space_of
from sim_engine.exploration.state_space import StateSpace
from sim_engine.exploration.states import State
from sim_engine.exploration.targets import search_target
from sim_engine.protocol.messages import Message
from tests.sim_engine.exploration.brute_force import Node, play, start_of
from tests.sim_engine.exploration.test_search_agrees import Case, random_case

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


def differences_in(seed: int, grain: Grain) -> list[str]:
    """The differences in some walks from one start, through the states of one search."""
    random = Random(f"{grain}{seed}")
    case = random_case(seed, grain)
    allowed = random.sample(FAULT_KINDS, random.randrange(len(FAULT_KINDS)))
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
    state, node = space.start, _without_unawaited(start_of(case.start, case.options))
    for _ in range(MOST_MOVES):
        offered = _moves(case, node.cluster)
        to_state = _moves(case, space.cluster_of(state))
        if sorted(map(repr, offered)) != sorted(map(repr, to_state)):
            more = [one for one in (*offered, *to_state) if (one in offered) != (one in to_state)]
            return [f"only the cluster or only its state is offered {more}"]
        if not offered:
            return []
        move = _one_of(offered, random)
        nodes, states = play(node, move.steps, node.left), _play(space, state, move)
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
        node, state = _without_unawaited(nodes[-1]), states[-1]
        different = _different_parts(space, state, node)
        if different:
            return [f"after {move}, different are {different}"]
    return []


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


def _play(space: StateSpace, state: State, move: Move) -> tuple[State, ...]:
    states: tuple[State, ...] = ()
    for step in move.steps:
        after = space.play(states[-1] if states else state, step)
        if after is None:
            return ()
        states += after
    return states


def _without_unawaited(node: Node) -> Node:
    """The state without the responses that nobody waits for."""
    cluster = node.cluster
    messages = tuple(one for one in cluster.messages if not is_unawaited(cluster, one))
    return replace(node, cluster=replace(cluster, messages=messages))


def _different_parts(space: StateSpace, state: State, node: Node) -> list[str]:
    """In what a state is not that of a cluster."""
    expected = space.state_of(_numbered_anew(node.cluster), node.history)
    # The committed records are the last part.
    if state[-1] != expected[-1]:
        return ["the committed records"]
    given = space.state_of(_numbered_anew(space.cluster_of(state)), node.history)
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
