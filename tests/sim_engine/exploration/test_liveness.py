"""When the faults stop, does it get there? Liveness properties, and the searches for them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sim_engine.actions.steps import Boot, Crash, Happening
from sim_engine.cluster.state import ClusterState
from sim_engine.command_line import main
from sim_engine.exploration import targets
from sim_engine.exploration.alphabet import Grain
from sim_engine.exploration.report import search_report
from sim_engine.exploration.schedules import SeededRandom
from sim_engine.exploration.search import SearchOptions, SearchResult, search
from sim_engine.exploration.shrink import shrink, violates
from sim_engine.exploration.targets import (
    Continuation,
    continue_fairly,
    is_pending,
    shown_continuation,
)
from sim_engine.identifiers import BrokerId
from sim_engine.invariants.observation import Observation, PropertyResult
from sim_engine.invariants.safety import LIVENESS_BY_NAME, LIVENESS_NAMES
from sim_engine.scenario_reader.reader import load_shipped
from tests.sim_engine.exploration.brute_force import brute_force
from tests.sim_engine.exploration.test_search_agrees import Case, difference, random_case
from tests.sim_engine.runs import SETTLE, Run, Step, down, lesson, run

COMPLETES = "EventuallyReassignmentCompletes"
ELECTED = "EventuallyLeaderElected"
RECOVERS = "EventuallyIsrRecovers"
ANSWERED = "EventuallyWriteIsAcceptedOrRejected"


def continued(after: Run, name: str) -> Continuation:
    check = LIVENESS_BY_NAME[name].check
    assert is_pending(after.frame.cluster, check)
    return continue_fairly(after.frame.cluster, check)


def reassign(*replicas: int) -> Step:
    return {"reassign": {"partition": "t-0", "replicas": list(replicas)}}


def moved(*steps: Step, kafka: str = "4.3") -> Run:
    return run(*steps, replicas=(1, 2), kafka=kafka, control="kraft")


# --- continuations ---------------------------------------------------------------------------


def test_a_reassignment_completes_once_its_broker_runs_again() -> None:
    waiting = moved(*down(3), reassign(1, 3))

    assert continued(waiting, COMPLETES).ending == "reached"


@pytest.mark.parametrize("kafka", ["3.0", "3.7", "4.3", "4.4"])
def test_a_withdrawn_reassignment_never_completes(kafka: str) -> None:
    """Recorded on 4.3.1; see docs/findings/reassignment-last-word.md."""
    withdrawn = moved(*down(3), reassign(1, 3), reassign(1, 2), kafka=kafka)

    assert continued(withdrawn, COMPLETES).ending == "stuck"


@pytest.mark.parametrize("kafka", ["3.8", "4.2"])
def test_from_3_8_to_4_2_it_completes_with_the_request(kafka: str) -> None:
    withdrawn = moved(*down(3), reassign(1, 3), reassign(1, 2), kafka=kafka)

    assert not is_pending(withdrawn.frame.cluster, LIVENESS_BY_NAME[COMPLETES].check)


@pytest.mark.parametrize(
    "fault",
    [
        {"isolate": {"broker": 2, "from": "all"}},
        {"cut": {"from": 2, "to": 1}},
        {"pause": {"broker": 2}},
        {"crash": {"broker": 2}},
    ],
)
def test_every_fault_ends(fault: Step) -> None:
    produce: Step = {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}

    without_2 = run(fault, produce, {"run": {"ms": 90_000}}, kafka="4.1")

    assert continued(without_2, RECOVERS).ending == "reached"


def test_a_producer_gets_a_response_in_the_end() -> None:
    produce: Step = {"produce": {"to": "t-0", "values": ["m1"], "acks": "all", "as": "p1"}}

    after = run(produce, {"isolate": {"broker": 1, "from": "all"}}, kafka="4.1")

    assert continued(after, ANSWERED).ending == "reached"


def test_without_an_eligible_replica_no_leader_is_due() -> None:
    """The only member of the ISR lost its disk, and the ELR is empty."""
    emptied = run(*down(2), {"disk_loss": {"broker": 1}}, brokers=(1, 2), kafka="4.1")

    partition = emptied.frame.cluster.controller.partitions[0]
    check = LIVENESS_BY_NAME[ELECTED].check
    assert is_pending(emptied.frame.cluster, check) == bool(partition.isr or partition.elr)


def test_a_restart_that_the_controller_does_not_notice_leaves_no_leader() -> None:
    """KIP-380: under ZooKeeper before 2.2, a process that restarts within its session."""
    bounced: list[Step] = [{"crash": {"broker": 1}}, {"boot": {"broker": 1}}]

    before = run(*bounced, brokers=(1, 2), kafka="1.1")
    since = run(*bounced, brokers=(1, 2), kafka="2.2")

    assert continued(before, ELECTED).ending == "stuck"
    assert continued(since, ELECTED).ending == "reached"


def never(observation: Observation) -> PropertyResult:
    return {"partition": observation.cluster.partitions[0]}


def test_a_state_to_which_changes_return_recurs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here, a broker restarts in every round, which the controller does not notice (KIP-380)."""
    cluster = run(SETTLE, brokers=(1, 2), kafka="1.1").frame.cluster
    assert continue_fairly(cluster, never).ending == "stuck"

    def exits(_cluster: ClusterState) -> Iterator[Happening]:
        yield Crash(broker=BrokerId(2))
        yield Boot(broker=BrokerId(2))

    monkeypatch.setattr(targets, "_checked", exits)

    assert continue_fairly(cluster, never).ending == "recurs"


@pytest.mark.parametrize("name", ["unclean-cancel", "eligible-but-no-replica"])
def test_a_partition_that_only_an_administrator_can_help_never_gets_a_leader(name: str) -> None:
    check = LIVENESS_BY_NAME[ELECTED].check
    waiting = [frame for frame in lesson(name, "4.3").frames if is_pending(frame.cluster, check)]

    assert any(continue_fairly(frame.cluster, check).ending == "stuck" for frame in waiting)


def test_what_is_shown_never_ends_either_and_has_few_steps() -> None:
    withdrawn = moved(*down(3), reassign(1, 3), reassign(1, 2))
    check = LIVENESS_BY_NAME[COMPLETES].check

    shown = shown_continuation(withdrawn.frame.cluster, check)

    assert shown.never_ends
    assert [next(iter(step.as_step())) for step in shown.steps][:2] == ["start", "settle"]


# --- searches --------------------------------------------------------------------------------


def completed(kafka: str, grain: Grain = "step", depth: int = 4) -> SearchResult:
    options = SearchOptions(
        property=COMPLETES, grain=grain, max_depth=depth, budget={"reassign": 2}
    )
    return search(moved(kafka=kafka).frame, options)


@pytest.mark.parametrize("grain", ["step", "exchange", "message"])
def test_a_search_finds_the_reassignment_that_never_completes(grain: Grain) -> None:
    found = completed("4.3", grain)

    assert (found.verdict, found.depth, found.ending) == ("violated", 2, "stuck")
    kinds = [next(iter(step)) for step in found.steps]
    assert kinds[: -found.continuation] == ["reassign", "reassign"]
    after = moved(kafka="4.3")
    after.do(*found.steps)
    assert is_pending(after.frame.cluster, LIVENESS_BY_NAME[COMPLETES].check)


def test_where_the_rule_is_different_it_finds_none() -> None:
    found = completed("4.2")

    assert (found.verdict, found.exercised, found.continuation) == ("none_within_bound", True, 0)


def test_without_a_reassignment_nothing_is_checked() -> None:
    options = SearchOptions(property=COMPLETES, max_depth=2, budget={"crash": 1})

    assert search(moved().frame, options).verdict == "not_exercised"


def test_a_report_shrinks_the_run_and_keeps_its_continuation() -> None:
    options = SearchOptions(property=COMPLETES, max_depth=4, budget={"reassign": 2})
    timeline = moved(*down(3), {"start": {"broker": 3}}, SETTLE)

    report = search_report(timeline, timeline.head, options)

    assert report.scenario is not None
    assert [next(iter(step)) for step in report.scenario["steps"]] == [
        *("reassign", "reassign"),
        *("settle", "run", "run"),
    ]
    assert report.prevented_by == ()
    assert report.document(options, seconds=0, cpu_seconds=0)["ending"] == "stuck"


def test_a_release_that_completes_it_prevents_it() -> None:
    options = SearchOptions(property=COMPLETES, max_depth=4, budget={"reassign": 2})
    timeline = moved(kafka="3.7")

    report = search_report(timeline, timeline.head, options)

    assert {"kafka": "3.8"} in report.prevented_by


def test_the_lesson_shrinks_to_two_requests() -> None:
    shortest = shrink(load_shipped("reassignment-last-word"), violates(COMPLETES))

    assert [step.kind for step in shortest.steps] == ["reassign", "reassign"]


def test_the_command_line_states_that_it_does_not_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "cluster.json"
    document: dict[str, Any] = {
        "scenario": 1,
        "id": "c",
        "title": "c",
        "kafka": "4.3",
        "brokers": [1, 2, 3],
        "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
        "steps": [],
    }
    file.write_text(json.dumps(document))

    assert main(["search", str(file), "--property", COMPLETES, "--budget", "reassign=2"]) == 1

    assert "does not end: the last steps end every fault" in capsys.readouterr().out


# --- against a plain search ------------------------------------------------------------------


@pytest.mark.parametrize("grain", ["step", "message"])
def test_a_plain_search_comes_to_the_same_verdict(grain: Grain) -> None:
    differences, violated = compare(range(60), grain, most_steps=40)

    assert differences == []
    assert violated > 5


@pytest.mark.slow
@pytest.mark.parametrize("grain", ["step", "message"])
def test_thousands_of_plain_searches_come_to_the_same_verdict(grain: Grain) -> None:
    differences, _ = compare(range(1_000, 2_500), grain, most_steps=300)

    assert differences == []


def compare(seeds: range, grain: Grain, most_steps: int) -> tuple[list[str], int]:
    """The differences in these cases, and the number of violations."""
    differences: list[str] = []
    violated = 0
    for seed in seeds:
        case = liveness_case(seed, grain)
        truth = brute_force(case.start, case.options, most_steps)
        # The plain search judges the start like any other state, so it may be violated there.
        depth = case.options.max_depth if truth.complete else truth.depth
        searched = search(case.start, replace(case.options, max_depth=max(depth, 1)))
        violated += searched.verdict == "violated"
        # Elections of the continuation use nothing of the budget.
        path = searched.steps[: len(searched.steps) - searched.continuation]
        wrong = difference(case, truth, replace(searched, steps=path)) if depth else []
        differences += [f"seed {seed}, {case}: {one}" for one in wrong]
    return differences, violated


def liveness_case(seed: int, grain: Grain) -> Case:
    """A case of `random_case` with one of the liveness properties, and with reassignments."""
    case = random_case(seed, grain)
    chance = SeededRandom(seed + 1)
    name, budget = chance.one_of(LIVENESS_NAMES), {"reassign": chance.below(3)}
    if chance.below(2):
        name, budget = COMPLETES, {"reassign": 1 + chance.below(2)}
        steps = (*down(1 + chance.below(3)), reassign(1, 3), reassign(1, 2))
        release = chance.one_of(("3.7", "4.1", "4.3"))
        begun = moved(*steps[: chance.below(len(steps))], kafka=release)
        case = replace(case, scenario=begun.scenario, start=begun.frame)
    return replace(
        case, options=replace(case.options, property=name, budget={**case.options.budget, **budget})
    )
