"""Fetch rounds: what a state looks like, and rounds that repeat for ever: they are shown once in a
step, and a frame reports that they repeat.
"""

from functools import partial
from itertools import pairwise
from typing import Any

import pytest

from sim_engine.events.fetch import FetchOutOfRange, FetchSent, RoundsRepeat
from sim_engine.simulation.fetch_rounds import FetchLoops, looks_the_same, observable
from sim_engine.simulation.timeline import PlayedStep
from tests.call_count import count_calls
from tests.sim_engine.builders import B1, B2, B3, PARTITION
from tests.sim_engine.runs import SETTLE, Run, Step, lesson, run


@pytest.mark.parametrize(
    "scenario_id", ["slow-but-steady-follower", "unnoticed-bounce", "three-brokers-three-epochs"]
)
def test_what_two_states_share_makes_no_difference_to_whether_they_look_the_same(
    scenario_id: str,
) -> None:
    timeline = lesson(scenario_id)
    states = [frame.cluster for frame in timeline.frames]
    compared = [*pairwise(states), *zip(states, reversed(states), strict=True)]

    found = [looks_the_same(one, other) for one, other in compared]

    assert found == [observable(one) == observable(other) for one, other in compared]
    assert {True, False} <= set(found)


OUT_OF_RANGE: dict[str, Any] = {
    "kafka": "3.5",
    "brokers": (1, 2),
    "partition": {
        "leader_epoch": 5,
        "isr": [1],
        "logs": {
            1: {"log": "a*3/3", "high_watermark": 3, "epochs": [[3, 0]]},
            2: {"log": "a*3/3", "high_watermark": 3, "epochs": [[3, 0], [5, 3]]},
        },
    },
}
"""KAFKA-15608: the leader's epoch cache lacks its own epoch, which the follower's has."""

EMPTY_EPOCH: list[Step] = [
    {"produce": {"to": "t-0", "values": ["m1"], "acks": "all", "as": "p1"}},
    {"pause": {"broker": 2}},
    {"elect": {"partition": "t-0", "kind": "clean"}},
    {"fetch": {"broker": 3}},
    {"pause": {"broker": 1}},
    {"detect": {"broker": 1}},
    {"pause": {"broker": 3}},
    {"detect": {"broker": 3}},
    {"produce": {"to": "t-0", "values": ["m2"], "acks": 1, "as": "p2", "broker": 1}},
    *({"resume": {"broker": broker}} for broker in (1, 2, 3)),
    SETTLE,
]
"""KAFKA-10706: a follower's latest epoch has no record, and its end is not below its log's."""


played = partial(run, **OUT_OF_RANGE)


def empty_epoch() -> Run:
    return run(*EMPTY_EPOCH, kafka="2.0.1", configs={"unclean.leader.election.enable": True})


def events_of(timeline: Run, done: PlayedStep, kind: type) -> list[Any]:
    told = (happened for number in done.frames for happened in timeline.frames[number].events)
    return [happened for happened in told if isinstance(happened, kind)]


ROUND = 9
"""Frames: of the fetch and of two offset lookups, each a request, its response and its effect."""


@pytest.mark.parametrize("step", [SETTLE, {"fetch": {"broker": 2}}, {"run": {"ms": 1_000}}])
def test_a_fetch_that_is_always_out_of_range_is_shown_once(step: Step) -> None:
    timeline = played(step)

    (done,) = timeline.played_steps
    assert len(done.frames) == ROUND + 1
    (told,) = events_of(timeline, done, RoundsRepeat)
    assert (told.variant, told.broker, told.leader, told.epoch) == ("out_of_range", B2, B1, 5)
    assert timeline.frames[-1].events == (told,)


def test_a_lookup_that_removes_nothing_is_shown_once() -> None:
    timeline = empty_epoch()

    settle = timeline.played_steps[-1]
    (told,) = events_of(timeline, settle, RoundsRepeat)
    assert (told.variant, told.broker) == ("lookup", B3)


def test_each_step_shows_one_round_and_ends() -> None:
    timeline = played(SETTLE, {"run": {"ms": 5_000}}, {"run": {"ms": 5_000}})

    for done in timeline.played_steps:
        assert len(events_of(timeline, done, RoundsRepeat)) == 1
        assert len(events_of(timeline, done, FetchSent)) == 1


def test_time_goes_on_while_requests_repeat() -> None:
    timeline = played({"run": {"ms": 60_000}})

    assert timeline.frames[-1].cluster.now_ms == timeline.frames[0].cluster.now_ms + 60_000
    assert len(events_of(timeline, timeline.played_steps[0], FetchOutOfRange)) == 1


def test_the_loop_ends_with_a_record() -> None:
    timeline = played(SETTLE, {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}, SETTLE)

    state = timeline.frames[-1].cluster
    assert state.controller.partition(PARTITION).isr == (1, 2)
    assert (
        state.replica(B2, PARTITION).log
        == state.replica(state.controller.partition(PARTITION).leader, PARTITION).log
    )
    assert events_of(timeline, timeline.played_steps[-1], RoundsRepeat) == []


def test_settling_is_possible_as_long_as_requests_repeat() -> None:
    timeline = played(SETTLE)

    made = timeline.act(timeline.head, SETTLE)

    assert len(made.frames) == ROUND + 1


def test_what_a_step_has_begun_does_not_make_its_next_round_slower() -> None:
    """Only the rounds since the last change are kept."""
    loops = FetchLoops()
    clusters = [
        played({"produce": {"to": "t-0", "values": [value], "as": "p1", "acks": 1}})
        .frames[-1]
        .cluster
        for value in ("m1", "m2")
    ]

    costs = [
        count_calls(partial(loops.begin, clusters[number % 2], B2, PARTITION))
        for number in range(50)
    ]

    assert costs[-1] <= costs[1]
