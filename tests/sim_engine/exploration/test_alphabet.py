"""What a search may try: everything that the engine can do, or a reason why not, and nothing that
is certainly refused.
"""

import re
from contextlib import suppress
from functools import partial
from itertools import chain, product
from pathlib import Path
from random import Random

import pytest

from sim_engine.actions import STEPS, steps
from sim_engine.actions.base import StepStruct, name_of, specs_of
from sim_engine.cluster.state import ClusterState
from sim_engine.exploration import scope
from sim_engine.exploration.alphabet import (
    BUDGET_NAMES,
    DEFAULT_BUDGET,
    ELECT,
    FAULT_KINDS,
    GRAINS,
    LATE,
    Grain,
    entries_used,
    sources,
    steps_from,
    whole_budget,
)
from sim_engine.exploration.moves import Move
from sim_engine.exploration.scope import (
    DEFAULTS,
    LEFT_OUT,
    REASONS,
    SEARCHABLE,
    TEXTS,
    LeftOut,
    scope_of,
)
from sim_engine.identifiers import FIRST_FRAME, Acks, BrokerId
from sim_engine.languages import LANGUAGES, messages
from sim_engine.narration import RefusedError
from sim_engine.scenario_reader.reader import read_step
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step
from tests.sim_engine.runs import run

RELEASES = ("0.8.2", "0.10.2", "1.1", "2.8", "3.9", "4.1")
OLD, NEW = "2.3", "4.1"
"""A release with a ZooKeeper controller and one with a KRaft controller."""
EVERYTHING = dict.fromkeys(FAULT_KINDS, 9)

AT_FIRST = (
    {"produce": {"to": "t-0", "values": ["m1", "m2"]}},
    {"send_fetch": {"broker": 2}},
    {"hold": {"kind": "fetch_request", "from": 2, "to": 1}},
    {"crash": {"broker": 3}},
)

ROOT = Path(__file__).resolve().parents[3]

by_grain = pytest.mark.parametrize("grain", GRAINS)
start = partial(run, brokers=(1, 2, 3), replicas=(1, 2))


def cluster_of(kafka: str) -> ClusterState:
    return start(kafka=kafka).cluster


def after(cluster: ClusterState, move: Move) -> ClusterState:
    execution = StepExecution(cluster, FIRST_FRAME, 10_000)
    for step in move.steps:
        execute_step(execution, step)
    return execution.cluster


def moves_of(cluster: ClusterState, grain: Grain, acks: Acks = "all") -> list[Move]:
    return [move for move, _ in steps_from(cluster, whole_budget(EVERYTHING), grain, acks)]


# --- everything, or a reason -----------------------------------------------------------------


@by_grain
@pytest.mark.parametrize("kafka", [OLD, NEW])
def test_a_scope_contains_everything_once(grain: Grain, kafka: str) -> None:
    found = scope_of(cluster_of(kafka), grain, EVERYTHING)

    assert sorted((*found.tried, *(one.name for one in found.left_out))) == sorted(SEARCHABLE)


@by_grain
def test_everything_is_tried_in_some_release_or_never_for_a_reason(grain: Grain) -> None:
    """A new step or timer is neither, until it is offered or has its reason in `LEFT_OUT`."""
    scopes = [scope_of(cluster_of(kafka), grain, EVERYTHING) for kafka in (OLD, "3.9", NEW)]
    tried = {name for one in scopes for name in one.tried}

    assert tried | LEFT_OUT[grain].keys() == set(SEARCHABLE)
    assert not tried & LEFT_OUT[grain].keys()


def test_a_step_that_no_search_knows_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shake(StepStruct, frozen=True, kw_only=True):
        """A new step."""

    monkeypatch.setattr(scope, "SEARCHABLE", (*SEARCHABLE, "shake"))

    left_out = scope_of(cluster_of(NEW), "message", EVERYTHING).left_out

    assert Shake not in STEPS
    assert LeftOut("shake", "release") in left_out
    assert "shake" not in LEFT_OUT["message"]


def test_a_search_without_a_budget_tries_no_fault_and_says_so() -> None:
    found = scope_of(cluster_of(NEW), "message", {})

    assert not {"crash", "unclean", "elect", "consume", "flush"} & set(found.tried)
    assert LeftOut("crash", "budget", "crash") in found.left_out
    assert LeftOut("elect", "budget", ELECT) in found.left_out
    assert LeftOut("flush", "without", "power_loss") in found.left_out


def test_a_search_with_the_default_budget_does_not_read_what_it_produces() -> None:
    found = scope_of(cluster_of(NEW), "step", DEFAULT_BUDGET)

    assert {"crash", "drop", "hold", "produce", "fetch", "detect"} <= set(found.tried)
    assert LeftOut("consume", "budget", "consume") in found.left_out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_is_a_sentence(lang: str) -> None:
    assert messages(lang, TEXTS).keys() == set(REASONS)
    told = LeftOut("flush", "without", "power_loss").why.text(lang)
    assert "power_loss" in told


def test_arguments_are_chosen_or_always_have_their_defaults() -> None:
    """A new argument of a step has its default, until a search chooses a value for it."""
    given: set[str] = set()
    for kafka, grain, seed in product((OLD, "2.4", NEW), GRAINS, range(6)):
        random = Random(seed)
        # Held messages and unflushed records are there from the start.
        cluster = start(*AT_FIRST, kafka=kafka).cluster
        for _ in range(25):
            possible = moves_of(cluster, grain, acks=1)
            given.update(
                f"{name_of(type(step))}.{spec.written}"
                for move in possible
                for step in move.steps
                for spec in specs_of(type(step))
                if not spec.required and getattr(step, spec.name) != spec.default
            )
            with suppress(RefusedError):  # a fetch whose request is held
                cluster = after(cluster, random.choice(possible))

    optional = {
        f"{name_of(kind)}.{spec.written}"
        for kind in STEPS
        if name_of(kind) in SEARCHABLE
        for spec in specs_of(kind)
        if not spec.required
    }
    assert given & set(DEFAULTS) == set()
    assert optional - given == set(DEFAULTS)


def test_a_power_loss_loses_the_records_from_any_offset_on_that_is_not_flushed() -> None:
    cluster = start({"produce": {"to": "t-0", "values": ["m1", "m2", "m3"]}}, kafka=NEW).cluster

    kept = [
        step.keep
        for move in moves_of(cluster, "step")
        for step in move.steps
        if isinstance(step, steps.PowerLoss) and step.broker == 1
    ]

    assert kept == [None, {"t-0": 1}, {"t-0": 2}]


def test_a_broker_may_start_while_its_znode_exists() -> None:
    booted = {
        kafka: [
            move.steps[0].as_step()["boot"]
            for move in moves_of(start({"crash": {"broker": 2}}, kafka=kafka).cluster, "message")
            if isinstance(move.steps[0], steps.Boot)
        ]
        for kafka in (OLD, NEW)
    }

    assert booted == {OLD: [{"broker": 2}, {"broker": 2, "session": "kept"}], NEW: [{"broker": 2}]}


# --- what is offered -------------------------------------------------------------------------


@by_grain
@pytest.mark.parametrize("kafka", RELEASES)
def test_no_move_is_refused_and_no_timer_idle(grain: Grain, kafka: str) -> None:
    for seed in range(4):
        random = Random(f"{kafka}{grain}{seed}")
        cluster = cluster_of(kafka)
        for _ in range(25):
            possible = moves_of(cluster, grain)
            for move in possible:
                try:
                    done = after(cluster, move)
                except RefusedError as refused:
                    pytest.fail(f"{move} is refused: {refused.code}")
                is_idle = isinstance(move.steps[0], steps.Timer) and done == cluster
                assert not is_idle, move
            cluster = after(cluster, random.choice(possible))


@by_grain
@pytest.mark.parametrize("kafka", [OLD, NEW])
def test_the_sources_of_a_search_are_the_same_in_each_of_its_states(
    grain: Grain, kafka: str
) -> None:
    cluster = cluster_of(kafka)
    random = Random(7)
    known = sources(cluster, grain)

    for _ in range(20):
        cluster = after(cluster, random.choice(moves_of(cluster, grain)))

        assert sources(cluster, grain) == known
    assert len(set(known)) == len(known)


@by_grain
@pytest.mark.parametrize("kafka", [OLD, NEW])
def test_every_move_can_be_written_to_a_scenario_and_read_back(grain: Grain, kafka: str) -> None:
    timeline = start(kafka=kafka)
    cluster = timeline.frames[0].cluster
    random = Random(3)

    for _ in range(25):
        possible = moves_of(cluster, grain)
        for move in possible:
            for step in move.steps:
                assert read_step(step.as_step(), timeline.scenario) == step
        cluster = after(cluster, random.choice(possible))


@pytest.mark.parametrize("acks", ["all", 1, 0])
def test_records_are_sent_with_the_acks_that_are_asked_for(acks: Acks) -> None:
    budget = whole_budget({"produce": 1})

    sent = [
        step.acks
        for move, _ in steps_from(cluster_of(NEW), budget, "message", acks)
        for step in move.steps
        if isinstance(step, steps.Produce)
    ]

    assert sent == [acks]


def test_where_each_message_is_a_step_the_controller_s_commands_stay_in_flight() -> None:
    cluster = start({"crash": {"broker": 2}}, kafka=OLD).cluster

    (noticed,) = [
        move
        for move in moves_of(cluster, "message")
        if move.steps == (steps.Timer(broker=BrokerId(2), kind="session_timeout"),)
    ]
    gone = after(cluster, noticed)
    (booted,) = [move for move in moves_of(gone, "message") if "boot" in move.steps[0].as_step()]
    back = after(gone, booted)
    detected = after(back, Move((steps.Detect(broker=BrokerId(2), only="controller"),)))

    assert Move((steps.Detect(broker=BrokerId(2), only="controller"),)) in moves_of(back, "message")
    assert {message.kind for message in detected.messages} > {"leader_and_isr"}
    assert not detected.replica(BrokerId(2), detected.partitions[0]).following


@pytest.mark.parametrize("grain", ["exchange", "message"])
@pytest.mark.parametrize("kafka", [OLD, NEW])
def test_where_each_message_is_a_step_no_step_but_time_consists_of_several(
    grain: Grain, kafka: str
) -> None:
    """States have no order of messages on different links, in which a step could deliver them."""
    random = Random(5)
    cluster = cluster_of(kafka)
    of_several: set[str] = set()

    for _ in range(40):
        possible = moves_of(cluster, grain)
        for step in chain.from_iterable(move.steps for move in possible):
            execution = StepExecution(cluster, FIRST_FRAME, 10_000)
            with suppress(RefusedError):  # the second step of a move, without the first
                execute_step(execution, step)
            if len(execution.executed) > 1:
                of_several.add(name_of(type(step)))
        cluster = after(cluster, random.choice(possible))

    assert of_several <= {"advance"}


@pytest.mark.parametrize("grain", ["step", "exchange"])
def test_only_a_late_exchange_has_its_messages_delivered_one_by_one(grain: Grain) -> None:
    begun = [move for move in moves_of(cluster_of(NEW), grain) if move.budget == LATE]
    cluster = after(cluster_of(NEW), begun[0])
    (request,) = deliveries_of(cluster, grain)
    parked = after(cluster, request)
    (ended,) = [
        one for one in moves_of(parked, "exchange") if isinstance(one.steps[0], steps.Timer)
    ]
    (response,) = deliveries_of(after(parked, ended), grain)

    assert not deliveries_of(cluster_of(NEW), grain)
    assert not [move for move in moves_of(cluster_of(NEW), "message") if move.budget == LATE]
    assert after(after(parked, ended), response).messages == ()


def deliveries_of(cluster: ClusterState, grain: Grain) -> list[Move]:
    return [move for move in moves_of(cluster, grain) if isinstance(move.steps[0], steps.Deliver)]


@by_grain
@pytest.mark.parametrize("kafka", [OLD, NEW])
def test_any_live_member_of_the_isr_can_be_elected(grain: Grain, kafka: str) -> None:
    cluster = cluster_of(kafka)
    name = cluster.partitions[0]

    (elected,) = [move for move in moves_of(cluster, grain) if move.budget == ELECT]
    done = after(cluster, elected)

    assert [type(step) for step in elected.steps] == [steps.Reassign, steps.Elect]
    assert cluster.controller.partition(name).leader == 1
    assert done.controller.partition(name).leader == 2
    assert done.controller.partition(name).isr == (1, 2)


def test_a_member_that_is_down_is_not_elected() -> None:
    cluster = start({"crash": {"broker": 2}}, {"detect": {"broker": 2}}, kafka=NEW).cluster

    assert not [move for move in moves_of(cluster, "step") if move.budget == ELECT]


def test_an_end_of_a_shutdown_uses_no_budget() -> None:
    cluster = cluster_of(NEW)
    budget = whole_budget({"shutdown": 1})

    (begin,) = [
        (move, left)
        for move, left in steps_from(cluster, budget, "message")
        if move.steps[0].as_step() == {"shutdown": {"broker": 2, "only": "begin"}}
    ]
    begun = after(cluster, begin[0])
    ends = [
        (move, left)
        for move, left in steps_from(begun, begin[1], "message")
        if "shutdown" in move.steps[0].as_step()
    ]

    ((end, left),) = ends
    assert end.steps[0].as_step() == {"shutdown": {"broker": 2, "only": "end"}}
    assert left == whole_budget({})
    assert after(begun, end).broker(BrokerId(2)).process == "stopped"


def test_the_steps_of_a_free_election_count_as_one() -> None:
    (elected,) = [move for move in moves_of(cluster_of(NEW), "step") if move.budget == ELECT]

    assert entries_used(elected.steps, "step") == [None, ELECT]
    assert entries_used(elected.steps[:1], "step") == ["reassign"]
    assert entries_used([], "step") == []
    assert entries_used([steps.SendFetch(broker=BrokerId(2))], "step") == [LATE]
    assert entries_used([steps.SendFetch(broker=BrokerId(2))], "message") == [None]


def test_time_passes_until_a_follower_that_does_not_fetch_leaves_the_isr() -> None:
    cluster = start({"produce": {"to": "t-0", "values": ["m1"]}}, kafka=OLD).cluster
    (waited,) = [move for move in moves_of(cluster, "message") if move.budget == "advance"]

    assert after(cluster, waited).controller.partition(cluster.partitions[0]).isr == (1,)


@pytest.mark.parametrize("kafka", [OLD, NEW])
def test_every_link_may_be_cut(kafka: str) -> None:
    cut = {
        (step["from"], step["to"])
        for move in moves_of(cluster_of(kafka), "message")
        if move.budget == "cut"
        for step in [move.steps[0].as_step()["cut"]]
        if isinstance(step, dict)
    }

    assert len(cut) == 12
    assert {("controller", 1), (1, "controller"), (1, 2), (2, 1)} <= cut


def test_every_entry_of_a_budget_is_used_by_a_source_or_limits_elections() -> None:
    used = {
        source.budget
        for kafka in (OLD, NEW)
        for grain in GRAINS
        for source in sources(cluster_of(kafka), grain)
    }

    assert used - {None} == set(BUDGET_NAMES) - {"election", "epoch"}


@pytest.mark.parametrize("page", ["docs/reference", "docs/zh/reference"])
def test_the_reference_describes_every_entry_of_a_budget_and_the_default(page: str) -> None:
    text = (ROOT / page / "command-line.md").read_text(encoding="utf-8")
    default = ",".join(f"{name}={count}" for name, count in DEFAULT_BUDGET.items())
    (section,) = [one for one in text.split("\n## ") if f"`{default}`" in one]

    assert tuple(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == BUDGET_NAMES
