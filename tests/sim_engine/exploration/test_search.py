"""The search finds the shortest way to a loss, or reports its bounds if it finds none."""

import json
import time
from functools import partial
from io import StringIO
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from sim_engine.command_line import main
from sim_engine.exploration.alphabet import Grain
from sim_engine.exploration.relevance import confirmed_steps
from sim_engine.exploration.scope import SEARCHABLE
from sim_engine.exploration.search import SearchOptions, SearchResult, search, space_of
from sim_engine.exploration.state_space import StateSpace
from sim_engine.exploration.targets import search_target
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_document, read_step
from tests.sim_engine.runs import SETTLE, Run, play, run

start = partial(run, brokers=(1, 2))


def lose(kafka: str, depth: int, budget: dict[str, int], **configs: Any) -> Any:
    options = SearchOptions(property="NoAckedRecordLost", max_depth=depth, budget=budget)
    return search(start(kafka=kafka, configs=configs).frame, options)


ZOMBIE_LEADER = Path(__file__).parents[3] / "frontend/src/search/fixtures/zombie-leader.json"


@pytest.mark.parametrize("kafka", ["0.8.2", "2.1", "4.3"])
def test_the_page_s_zombie_leader_loses_what_it_acknowledged_with_acks_1(kafka: str) -> None:
    asked = json.loads(ZOMBIE_LEADER.read_text())
    options = SearchOptions(
        property=asked["property"],
        grain=asked["grain"],
        max_depth=asked["max_depth"],
        budget=asked["budget"],
        acks=asked["acks"],
        max_states=2_000,
    )

    found = search(start(kafka=kafka).frame, options)

    assert found.verdict == "violated"
    kinds = [next(iter(step)) for step in found.steps]
    assert {"isolate", "produce", "heal"} <= set(kinds)
    assert "crash" not in kinds


@pytest.mark.parametrize("kafka", ["0.8.2", "2.0", "2.1", "4.3"])
def test_a_zombie_leader_loses_nothing_with_acks_all(kafka: str) -> None:
    """Complete for two elections; without a bound on epochs, states never end."""
    asked = json.loads(ZOMBIE_LEADER.read_text())
    options = SearchOptions(
        property=asked["property"],
        grain=asked["grain"],
        max_depth=40,
        budget={**asked["budget"], "produce": 1, "election": 2, "epoch": 3},
        acks="all",
    )

    searched = search(start(kafka=kafka).frame, options)

    assert (searched.verdict, searched.complete) == ("none_within_bound", True)


def test_a_restart_and_a_crash_lose_an_acknowledged_record_before_leader_epochs() -> None:
    found = lose("0.10.2", 9, {"produce": 1, "drop": 1, "crash": 2})

    assert found.verdict == "violated"
    assert [next(iter(step)) for step in found.steps].count("crash") == 2


def test_the_counterexample_violates_the_property_when_it_is_run() -> None:
    found = lose("0.10.2", 9, {"produce": 1, "drop": 1, "crash": 2})
    timeline = start(kafka="0.10.2")

    timeline.do(*found.steps)

    assert timeline.status("NoAckedRecordLost") == "violated"


def test_the_same_budget_finds_nothing_with_leader_epochs_and_reports_its_bounds() -> None:
    searched = lose("2.1", 7, {"produce": 1, "drop": 1, "crash": 2})

    assert searched.verdict == "none_within_bound"
    assert searched.steps == ()
    assert searched.depth == 7
    assert searched.states > 100


def exhaust(grain: Grain, **budget: int) -> SearchResult:
    options = SearchOptions(
        property="NoAckedRecordLost", grain=grain, max_depth=40, max_states=20_000, budget=budget
    )
    return search(start().frame, options)


def test_a_search_that_has_nothing_left_to_try_is_complete() -> None:
    searched = exhaust("step", produce=1, election=1, epoch=2)

    assert searched.verdict == "none_within_bound"
    assert searched.complete
    assert searched.depth < 40


def test_a_search_to_a_depth_is_not_complete() -> None:
    assert not lose("2.1", 3, {"produce": 1, "crash": 1}).complete


def test_a_search_to_so_many_states_is_cut_and_not_complete() -> None:
    options = SearchOptions(property="NoAckedRecordLost", max_states=10, budget={"crash": 1})

    searched = search(start().frame, options)

    assert (searched.verdict, searched.complete, searched.states) == ("cut", False, 10)


def test_a_violation_that_a_run_does_not_come_to_is_not_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(StateSpace, "judge", lambda *_: {})

    searched = exhaust("step", produce=1, election=1, epoch=1)

    assert (searched.verdict, searched.limit, searched.complete) == ("cut", "unconfirmed", False)
    assert searched.steps == ()


def test_only_steps_that_violate_the_property_in_a_run_are_confirmed() -> None:
    found = lose("0.10.2", 9, {"produce": 1, "drop": 1, "crash": 2})
    timeline = start(kafka="0.10.2")
    steps = [read_step(step, timeline.scenario) for step in found.steps]
    is_sought = search_target("NoAckedRecordLost")

    def confirmed(count: int, first: int = 0) -> bool:
        played = confirmed_steps(timeline.frame, steps[first:count], is_sought)
        return played is not None

    assert confirmed(len(steps))
    assert not confirmed(len(steps) - 1)
    # The first restart is refused without the crash before it.
    assert not confirmed(len(steps), first=_place_of_first(found, "start"))


def _place_of_first(found: SearchResult, kind: str) -> int:
    return next(place for place, step in enumerate(found.steps) if kind in step)


def test_what_producers_were_told_is_kept_for_retries_only() -> None:
    produced = start({"produce": {"to": "t-0", "values": ["m1"], "acks": 1}}).frame
    outcomes = {
        entry: space_of(produced, SearchOptions(property="WeakIsr", budget={entry: 1}))
        for entry in ("retry", "produce")
    }

    told = {
        entry: space.cluster_of(space.start).clients.produced[0].outcome
        for entry, space in outcomes.items()
    }

    assert told == {"retry": "acked", "produce": "pending"}


def test_messages_are_a_finer_grain_than_steps() -> None:
    coarse, fine = exhaust("step", epoch=0), exhaust("message", epoch=0)

    assert coarse.complete
    assert fine.complete
    assert fine.states > coarse.states


def test_a_counterexample_of_messages_has_no_steps_of_several_actions() -> None:
    options = SearchOptions(
        property="NoAckedRecordLost", grain="message", budget={"produce": 1, "crash": 2}
    )

    found = search(start(kafka="0.10.2").frame, options)

    kinds = {next(iter(step)) for step in found.steps}
    assert found.verdict == "violated"
    assert {"boot", "timer"} <= kinds
    assert not kinds & {"start", "fetch"}


@pytest.mark.parametrize(("budget", "verdict"), [(2, "violated"), (0, "none_within_bound")])
@pytest.mark.parametrize("bound", ["election", "epoch"])
def test_elections_and_epochs_are_bounded_by_the_budget(
    bound: str, budget: int, verdict: str
) -> None:
    # The loss requires that broker 1 is elected, in a new epoch.
    faults = {"produce": 1, "drop": 1, "crash": 2}

    assert lose("0.10.2", 9, {**faults, bound: budget}).verdict == verdict


def with_m1_at_1_and_3(kafka: str) -> Run:
    """On leader 1, m1 is pending, and it knows that 3 has m1; 2, the preferred leader, does not."""
    fetch = {"fetch": {"broker": 3}}
    return run(
        {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
        fetch,
        fetch,
        kafka=kafka,
        control="kraft",
        configs={"min.insync.replicas": 2, "unclean.leader.election.enable": False},
        replicas=[2, 1, 3],
        partition={"leader": 1},
    )


def search_from(timeline: Run, property: str, depth: int, budget: dict[str, int]) -> Any:
    options = SearchOptions(property=property, max_depth=depth, budget=budget)
    return search(timeline.frame, options)


@pytest.mark.parametrize("kafka", ["3.5", "3.9", "4.1"])
def test_a_leader_that_misses_its_own_deposition_is_found(kafka: str) -> None:
    found = search_from(with_m1_at_1_and_3(kafka), "StrongIsr", 6, {"crash": 1, "hold": 1})

    assert found.verdict == "violated"
    assert "hold" in found.steps[0]
    (read_together,) = [step for step in found.steps if "deliver" in step]
    assert read_together["deliver"]["records"] == 2


def test_a_leader_that_reads_of_its_deposition_breaks_nothing() -> None:
    searched = search_from(with_m1_at_1_and_3("3.9"), "StrongIsr", 6, {"crash": 1})

    assert searched.verdict == "none_within_bound"


@pytest.mark.slow
@pytest.mark.parametrize("kafka", ["3.9", "4.1"])
def test_the_loss_that_follows_a_missed_deposition_is_found(kafka: str) -> None:
    start_frame = with_m1_at_1_and_3(kafka)

    found = search_from(start_frame, "LeaderCompleteness", 8, {"crash": 2, "hold": 1})

    assert found.verdict == "violated"
    assert [next(iter(step)) for step in found.steps].count("crash") == 2


def test_a_search_without_time_is_cut_short_and_reported_as_cut() -> None:
    ticks = iter(range(10_000))
    options = SearchOptions(property="NoAckedRecordLost", seconds=1.0)

    searched = search(start().frame, options, clock=lambda: float(next(ticks)))

    assert (searched.verdict, searched.limit) == ("cut", "cpu_seconds")


def test_an_interrupted_search_returns_what_it_searched() -> None:
    def interrupt(_depth: int, _states: int, _transitions: int) -> None:
        raise KeyboardInterrupt

    searched = search(start().frame, SearchOptions(property="NoAckedRecordLost"), watch=interrupt)

    assert (searched.verdict, searched.limit, searched.complete) == ("cut", "interrupt", False)
    assert searched.depth >= 1
    assert searched.states > 1


@pytest.mark.parametrize(
    ("bounds", "limit"),
    [({"max_depth": 2}, "depth"), ({"max_states": 3}, "states"), ({"budget": {}}, None)],
)
def test_what_was_not_searched_has_its_limit(bounds: dict[str, Any], limit: str | None) -> None:
    bounds = {"max_depth": 40, **bounds}

    searched = search(start().frame, SearchOptions(property="LeaderInIsr", **bounds))

    assert (searched.limit, searched.complete) == (limit, limit is None)


def test_a_property_that_no_state_can_violate_is_not_exercised() -> None:
    """Without a record, there is nothing to lose."""
    options = SearchOptions(property="NoAckedRecordLost", budget={"crash": 1})

    searched = search(start().frame, options)

    assert (searched.verdict, searched.exercised) == ("not_exercised", False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (SearchOptions(property="Safe"), "there is no property 'Safe'"),
        (SearchOptions(property="LogMatching", budget={"fire": 1}), "there is no fault 'fire'"),
        (
            SearchOptions(property="LogMatching", grain=cast("Any", "byte")),
            "there is no grain 'byte'",
        ),
    ],
)
def test_what_does_not_exist_is_named(options: SearchOptions, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        search(start().frame, options)


def test_the_command_line_prints_the_counterexample_and_ends_with_1(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = ["--property", "NoAckedRecordLost", "--budget", "produce=1,drop=1,crash=2"]

    status = main(["search", "s01", "--kafka", "0.10.2", *found, "--max-depth", "9", "--json"])

    document = json.loads(capsys.readouterr().out)
    assert status == 1
    assert document["verdict"] == "violated"
    assert document["complete"] is False
    assert document["shrunk"] is True
    assert {"kafka": "0.11"} in document["prevented_by"]
    assert isinstance(document["point_of_no_return"], int)
    assert read_scenario_document(document["scenario"]).kafka == "0.10.2"


SEARCH_FOR_A_LOSS = ["search", "s01", "--property", "NoAckedRecordLost", "--max-depth", "6"]


def test_an_interrupt_prints_one_line_of_what_is_known_and_ends_with_130(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sim_engine.command_line.search._Progress.show", interrupt)

    status = main(SEARCH_FOR_A_LOSS)

    output = capsys.readouterr()
    assert status == 130
    assert output.out.startswith("cut: NoAckedRecordLost, ")
    assert len(output.out.splitlines()) == 1
    assert output.err == ""


def test_a_search_that_finds_nothing_prints_its_scope(capsys: pytest.CaptureFixture[str]) -> None:
    status = main([*SEARCH_FOR_A_LOSS, "--budget", "crash=1", "--max-depth", "3"])

    first, *scope = capsys.readouterr().out.splitlines()
    assert status == 0
    assert first.startswith("none_within_bound: NoAckedRecordLost, depth 3, ")
    assert scope[:2] == [
        "not complete: states after more than 3 steps were not examined",
        "budget: crash=1; grain: step",
    ]
    tried = scope[2].removeprefix("tried: ").split(", ")
    assert {"fetch", "crash", "start"} <= set(tried)
    assert scope[3] == "not tried:"
    (unbudgeted,) = [line for line in scope[4:] if line.startswith("  Its budget is 0: ")]
    assert "produce" in unbudgeted.split(": ")[1].split(", ")


def test_the_document_has_the_scope_with_a_reason_for_each_omission(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main([*SEARCH_FOR_A_LOSS, "--budget", "crash=1", "--max-depth", "1", "--json"])

    scope = json.loads(capsys.readouterr().out)["scope"]
    left_out = {one["step"]: one for one in scope["left_out"]}
    assert sorted([*scope["tried"], *left_out]) == sorted(SEARCHABLE)
    assert left_out["power_loss"] == {
        "step": "power_loss",
        "reason": "budget",
        "why": "Its budget is 0: set power_loss to try it.",
    }


def test_a_failure_whose_analysis_is_interrupted_is_printed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sim_engine.exploration.report.needed_steps", interrupt)
    found = ["--kafka", "0.10.2", "--budget", "produce=1,crash=2,drop=1", "--max-depth", "9"]

    status = main([*SEARCH_FOR_A_LOSS, *found])

    first, *steps = capsys.readouterr().out.splitlines()
    assert status == 130
    assert first.startswith("violated: ")
    assert steps[-1].startswith("  - {")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("stream", "expected"), [(Terminal(), "… searching"), (StringIO(), "")])
def test_progress_is_shown_from_the_start_on_a_terminal_only(
    stream: StringIO, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", stream)

    main([*SEARCH_FOR_A_LOSS, "--states", "200"])

    shown = stream.getvalue()
    assert shown.startswith(expected)
    assert shown == expected or shown.endswith("\r\x1b[K")


def test_a_busy_machine_does_not_cut_a_search(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between two looks at the clock on the wall, other programs ran for an hour."""
    hours = count(step=3600.0)
    monkeypatch.setattr(time, "monotonic", lambda: next(hours))

    main([*SEARCH_FOR_A_LOSS, "--seconds", "600", "--states", "200"])

    shown = capsys.readouterr()
    assert shown.out.startswith("cut: NoAckedRecordLost, depth 4, 200 states")
    assert "… depth " in shown.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--property", "Safe"],
        ["--property", "LogMatching", "--budget", "fire=1"],
        ["--property", "LogMatching", "--budget", "crash"],
        ["--property", "LogMatching", "--max-depth", "0"],
        ["--property", "LogMatching", "--states", "0"],
    ],
)
def test_a_wrong_search_ends_with_2_and_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["search", "s01", *arguments]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize(
    ("kafka", "verdict"), [("3.9.0", "violated"), ("3.9.1", "none_within_bound")]
)
def test_one_crash_puts_a_record_at_risk_while_an_answer_of_an_old_epoch_is_under_way(
    kafka: str, verdict: str
) -> None:
    lesson = load_shipped("late-answer-of-an-old-epoch")
    released = [step.kind for step in lesson.steps].index("release")
    timeline = play(replace(lesson, steps=lesson.steps[: released + 1]), kafka=kafka)

    options = SearchOptions(property="AckedRecordAtRisk", max_depth=3, budget={"crash": 1})
    found = search(timeline.frame, options)

    assert found.verdict == verdict
    if verdict == "violated":
        assert [next(iter(step)) for step in found.steps] == ["deliver", "crash", "detect"]


@pytest.mark.parametrize(
    ("property_name", "verdict"),
    [("AckedRecordAtRisk", "violated"), ("NoAckedRecordLost", "none_within_bound")],
)
def test_electing_a_broker_that_is_down_is_a_risk_and_no_loss(
    property_name: str, verdict: str
) -> None:
    timeline = run({"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}}, SETTLE, kafka="2.1")

    budget = {"crash": 1, "power_loss": 1}
    options = SearchOptions(property=property_name, max_depth=4, budget=budget)
    found = search(timeline.frame, options)

    assert found.verdict == verdict


def test_a_zombie_leader_loses_only_what_it_acknowledged_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    topic = "{name: t, partitions: [{replicas: [1, 2]}]}"
    (tmp_path / "two.yaml").write_text(
        f"id: two\nkafka: '3.9'\nbrokers: [1, 2]\ntopics: [{topic}]\nsteps: [{{settle: {{}}}}]\n"
    )
    verdicts: list[str] = []
    for acks in ("1", "all"):
        main(
            [
                *("search", str(tmp_path / "two.yaml"), "--property", "NoAckedRecordLost"),
                *("--budget", "isolate=1,produce=1", "--acks", acks, "--max-depth", "7"),
            ]
        )
        verdicts.append(capsys.readouterr().out.partition(":")[0])

    assert verdicts == ["violated", "none_within_bound"]
