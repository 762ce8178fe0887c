"""The report of a failure: its necessary steps, what prevents it, and the point of no return."""

from functools import cache
from typing import Any

from sim_engine.exploration.alphabet import whole_budget
from sim_engine.exploration.report import (
    SearchReport,
    covers,
    point_of_no_return,
    prevented_by,
    search_report,
)
from sim_engine.exploration.search import SearchOptions
from sim_engine.exploration.shrink import violates
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.runs import SETTLE, Step, lesson, run

LOSS = "NoAckedRecordLost"


@cache
def report_on(name: str, kafka: str) -> SearchReport:
    timeline = lesson(name, kafka)
    return search_report(timeline, timeline.head, SearchOptions(property=LOSS))


def fates(timeline: Timeline, value: str) -> list[str | None]:
    """The fate of a record in each frame of a run."""
    return [
        next((one.fate for one in frame.cluster.clients.produced if one.value == value), None)
        for frame in timeline.frames
    ]


def test_no_step_of_a_counterexample_can_go() -> None:
    document = report_on("kip-101-data-loss", "0.10.2").scenario
    assert document is not None
    fails = violates(LOSS)

    assert fails(read_scenario_document(document))
    for index in range(len(document["steps"])):
        without = document["steps"][:index] + document["steps"][index + 1 :]
        assert not fails(read_scenario_document({**document, "steps": without}))


def test_what_prevents_a_failure_is_verified_by_running_it_again() -> None:
    report = report_on("follower-bounce-five-records", "0.10.2")
    document = report.scenario
    assert document is not None
    fails = violates(LOSS)

    assert {"rule": "KIP-101"} in report.prevented_by
    assert {"kafka": "0.11"} in report.prevented_by
    assert {"config": {"unclean.leader.election.enable": False}} in report.prevented_by
    changes: dict[str, Any] = {
        "rule": lambda name: {"rules": {name: True}},
        "kafka": lambda name: {"kafka": name},
        "config": lambda configs: {"configs": {**document["configs"], **configs}},
    }
    for prevention in report.prevented_by:
        ((kind, what),) = prevention.items()
        assert not fails(read_scenario_document({**document, **changes[kind](what)})), prevention


def test_a_rule_that_builds_on_what_prevents_it_is_not_named() -> None:
    named = {each.get("rule") for each in report_on("kip-101-data-loss", "0.10.2").prevented_by}

    assert "KIP-101" in named
    assert "KIP-279" not in named


def test_a_patch_of_the_same_line_comes_before_later_lines() -> None:
    report = report_on("late-answer-of-an-old-epoch", "3.9.0")

    assert {"kafka": "3.9.1"} in report.prevented_by
    assert {"rule": "KAFKA-18991"} in report.prevented_by


def test_a_change_that_makes_a_fault_impossible_is_not_a_prevention() -> None:
    scenario = run(
        {"produce": {"to": "t-0", "values": ["m1"]}},
        {"power_loss": {"broker": 1, "keep": {"t-0": 0}}},
        brokers=[1],
    ).scenario

    # A flushed record cannot be lost this way: with a flush for each record, the fault is refused.
    assert violates(LOSS)(scenario)
    assert prevented_by(scenario, LOSS) == ()


def lost_under(kafka: str, *steps: Step) -> Timeline:
    """m1 is on three brokers; then these steps happen."""
    produce = {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}
    return run(produce, SETTLE, *steps, kafka=kafka)


def point_with(timeline: Timeline, **budget: int) -> int | None:
    return point_of_no_return(timeline.frames, [whole_budget(budget) for _ in timeline.frames])


def test_there_is_no_return_from_the_election_of_a_broker_that_truncated() -> None:
    timeline = lesson("follower-bounce-five-records")

    point = point_with(timeline)

    became = fates(timeline, "m4")
    assert point is not None
    assert (became[point - 1], became[point], became[-1]) == ("safe", "at_risk", "lost")


def test_a_fault_that_is_left_can_be_the_way_back() -> None:
    """If the new leader crashes before the old one is back, the old one is elected again."""
    timeline = lesson("follower-bounce-five-records")

    without, with_one = point_with(timeline), point_with(timeline, crash=1)

    assert without is not None
    assert with_one is not None
    assert without < with_one


def test_a_record_at_risk_can_be_kept_while_another_of_the_isr_has_it() -> None:
    """Broker 2 is elected without m1, because the controller does not know yet that it is down."""
    timeline = lost_under(
        "2.1",
        {"crash": {"broker": 1}},
        {"power_loss": {"broker": 2}},
        {"detect": {"broker": 1}},
        {"power_loss": {"broker": 3}},
        {"power_loss": {"broker": 1}},
    )

    point = point_with(timeline)

    # Broker 1 has it as well, but is not in the ISR: only an unclean election would elect it.
    assert point is not None
    assert timeline.frames[point].action == {"power_loss": {"broker": 3}}
    assert fates(timeline, "m1")[point - 1] == "at_risk"


def test_a_run_that_loses_nothing_has_no_point_of_no_return() -> None:
    assert point_with(lost_under("2.1", {"crash": {"broker": 1}}, SETTLE)) is None


def test_other_properties_have_no_point_of_no_return() -> None:
    timeline = lesson("kip-101-data-loss")

    report = search_report(
        timeline, timeline.head, SearchOptions(property="LeaderCompleteness", max_depth=1)
    )

    assert report.result.verdict == "violated"
    assert report.point_of_no_return is None


def test_a_search_from_the_middle_of_a_step_has_no_scenario_file() -> None:
    timeline = lesson("kip-101-data-loss")
    inside = next(done.frames[0] for done in timeline.played_steps if len(done.frames) > 2)
    options = SearchOptions(property=LOSS, max_states=3_000)

    report = search_report(timeline, inside, options)

    assert report.result.verdict == "violated"
    assert report.scenario is None
    assert not report.document(options, seconds=0.0, cpu_seconds=0.0)["shrunk"]
    # The steps that the page plays have a point of no return too.
    assert report.return_until is not None
    assert report.return_step is not None
    assert 1 <= report.return_step <= len(report.result.steps)


def test_a_rescue_does_not_take_a_state_again_with_less_of_the_budget() -> None:
    all_of_it, some, unlimited = (2, 1, None), (2, 0, None), (2, 0, 3)

    assert covers(all_of_it, some)
    assert covers(some, unlimited)
    assert covers(some, some)
    assert not covers(some, all_of_it)
    assert not covers(unlimited, some)
