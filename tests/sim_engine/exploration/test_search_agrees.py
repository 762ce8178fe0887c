"""`search` reduces what it compares and computes; a plain search must come to the same verdict.

Each case is a small cluster after a few random steps, or a lesson shortly before it fails, with a
random property and budget. The plain search goes as deep as it can within some steps, and
`search` to the same depth. None of the cases is cut.
"""

from functools import cache
from typing import get_args

import pytest
from msgspec import Struct
from msgspec.structs import replace

from sim_engine.exploration.alphabet import BUDGET_NAMES, ELECTION, EPOCH, Grain
from sim_engine.exploration.schedules import SeededRandom, random_schedule
from sim_engine.exploration.search import SearchOptions, SearchResult, search
from sim_engine.exploration.targets import search_target
from sim_engine.identifiers import Acks
from sim_engine.invariants.safety import PROPERTY_NAMES
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_step
from sim_engine.simulation.timeline import Frame
from sim_engine.versions import controls_of
from tests.sim_engine.exploration.brute_force import Truth, brute_force, start_of
from tests.sim_engine.exploration.brute_force import play as play_steps
from tests.sim_engine.played import lessons_played
from tests.sim_engine.runs import play

MOST_EXCHANGES = 4
RELEASES = ("0.10.2", "1.1", "2.0", "2.1", "2.8", "3.9", "4.1")


class Case(Struct, frozen=True, kw_only=True):
    """A search to compare, and where it begins."""

    scenario: Scenario
    start: Frame
    options: SearchOptions

    def __str__(self) -> str:
        return (
            f"{self.scenario.id} {self.start.cluster.profile.kafka}, frame {self.start.frame}:"
            f" {self.options}"
        )


@pytest.mark.parametrize("grain", ["step", "message"])
def test_a_plain_search_comes_to_the_same_verdict_at_the_same_depth(grain: Grain) -> None:
    differences, truths = compare(range(180), grain, most_steps=150)

    assert differences == []
    # Otherwise the cases compare nothing.
    assert sum(truth.violated for truth in truths) > 30
    assert sum(truth.complete for truth in truths) > 5
    assert sum(truth.exercised for truth in truths) > 60


def test_what_exchanges_find_is_real_and_not_exhausted_by_messages() -> None:
    differences, violated = compare_exchanges(range(60), most_steps=100)

    assert differences == []
    assert violated > 10


@pytest.mark.slow
def test_what_exchanges_find_in_thousands_of_cases_is_real() -> None:
    differences, _ = compare_exchanges(range(1_000, 3_000), most_steps=1_000)

    assert differences == []


@pytest.mark.slow
@pytest.mark.parametrize("grain", ["step", "message"])
def test_thousands_of_plain_searches_come_to_the_same_verdict(grain: Grain) -> None:
    differences, _ = compare(range(1_000, 3_000), grain, most_steps=1_500)

    assert differences == []


def compare(seeds: range, grain: Grain, most_steps: int) -> tuple[list[str], list[Truth]]:
    """The differences in these cases, and what is true in each."""
    truths: list[Truth] = []
    differences: list[str] = []
    for seed in seeds:
        case = random_case(seed, grain)
        truth = brute_force(case.start, case.options, most_steps)
        # What the plain search exhausts, the other must exhaust at some depth.
        depth = case.options.max_depth if truth.complete else truth.depth
        options = replace(case.options, max_depth=depth)
        differences += [
            f"seed {seed}, {case}: {what}"
            for what in difference(case, truth, search(case.start, options))
        ]
        truths.append(truth)
    return differences, truths


def compare_exchanges(seeds: range, most_steps: int) -> tuple[list[str], int]:
    """The differences in these cases, and the number of violations found."""
    violated = 0
    differences: list[str] = []
    for seed in seeds:
        case = random_case(seed, "exchange")
        by_messages = replace(case.options, grain="message")
        truth = brute_force(case.start, by_messages, most_steps)
        searched = search(case.start, replace(case.options, max_depth=MOST_EXCHANGES))
        wrong = untrue_counterexample(case, searched)
        if searched.verdict == "violated":
            violated += 1
            if truth.complete and not truth.violated:
                wrong.append("messages exhaust it without a violation")
        differences += [f"seed {seed}, {case}: {what}" for what in wrong]
    return differences, violated


def difference(case: Case, truth: Truth, searched: SearchResult) -> list[str]:
    """In what a result is not the truth.

    The depth of a search does not count deliveries that make no difference. The steps that it
    reports have them, so that they are at least as many as the shortest way in truth.
    """
    wrong: list[str] = []
    is_violated = searched.verdict == "violated"
    if truth.violated:
        is_right = is_violated and searched.depth <= truth.depth <= len(searched.steps)
    else:
        same_depth = searched.depth == truth.depth or searched.complete
        is_right = not truth.complete and len(searched.steps) > truth.depth
        is_right = is_right if is_violated else same_depth
    if not is_right:
        wrong.append(f"{searched.verdict} at {searched.depth}; in truth {truth}")
    if searched.limit == "depth" and truth.complete:
        wrong.append(f"not complete; in truth {truth}")
    if searched.limit not in (None, "depth"):
        wrong.append(f"ended by {searched.limit}")
    may_exceed = not truth.complete
    if searched.exercised < truth.exercised or searched.exercised > truth.exercised + may_exceed:
        wrong.append(f"exercised is {searched.exercised}; in truth {truth}")
    return [*wrong, *untrue_counterexample(case, searched)]


def untrue_counterexample(case: Case, searched: SearchResult) -> list[str]:
    """Why the steps found do not violate the property when they are played from the start."""
    if searched.verdict != "violated":
        return []
    is_sought = search_target(case.options.property, case.options.acks)
    node = start_of(case.start, case.options)
    found = is_sought(node.verdicts, node.cluster)
    for step in searched.steps:
        played = play_steps(node, [read_step(step, case.scenario)], node.left)
        if not played:
            return [f"{step} is refused, among {searched.steps}"]
        found = found or any(is_sought(moment.verdicts, moment.cluster) for moment in played)
        node = played[-1]
    return [] if found else [f"does not violate it: {searched.steps}"]


# --- random cases ----------------------------------------------------------------------------


def random_case(seed: int, grain: Grain) -> Case:
    """A case from a seed, which does not violate the property yet."""
    chance = SeededRandom(seed)
    begin = chance.one_of((_after_random_steps, _shortly_before_a_failure))
    scenario, start, property_name = begin(chance)
    faults = [name for name in BUDGET_NAMES if name not in (ELECTION, EPOCH)]
    budget = {chance.one_of(faults): 1 + chance.below(2) for _ in range(chance.below(4))}
    for limit in (ELECTION, EPOCH):
        if chance.below(2):
            budget[limit] = chance.below(3)
    return Case(
        scenario=scenario,
        start=start,
        options=SearchOptions(
            property=property_name,
            grain=grain,
            max_depth=30,
            max_states=1_000_000,
            budget={"produce": chance.below(2), **budget},
            acks=chance.one_of(("all", *get_args(Acks))),
        ),
    )


def _after_random_steps(chance: SeededRandom) -> tuple[Scenario, Frame, str]:
    release = chance.one_of(RELEASES)
    control = chance.one_of(controls_of(release))
    while True:
        schedule = random_schedule(
            chance.below(2**32), steps=chance.below(12), kafka=release, control=control
        )
        # On a small cluster, the plain search goes deeper.
        if len(schedule.brokers) <= 2 + chance.below(2):
            break
    run = play(schedule)
    held = [name for name in PROPERTY_NAMES if run.frame.verdicts[name].status != "violated"]
    return schedule, run.frame, chance.one_of(held)


def _shortly_before_a_failure(chance: SeededRandom) -> tuple[Scenario, Frame, str]:
    scenario, frames, property_name = chance.one_of(_failures())
    return scenario, frames[max(0, len(frames) - 1 - chance.below(6))], property_name


@cache
def _failures() -> tuple[tuple[Scenario, tuple[Frame, ...], str], ...]:
    """Each lesson and property that it violates, with the frames before."""
    return tuple(
        (run.scenario, tuple(run.frames[:first]), name)
        for run in lessons_played()
        for name in PROPERTY_NAMES
        if (first := run.frame.verdicts[name].first_frame)
    )
