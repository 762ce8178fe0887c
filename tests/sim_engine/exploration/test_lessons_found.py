"""The search finds by itself what the shipped lessons show.

From the start of each lesson that violates a property, with the faults that its own steps need to
get there, the search must find a violation of that property. It may find a shorter one.
"""

from collections import Counter
from collections.abc import Container, Iterator
from itertools import pairwise

import pytest
from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Produce
from sim_engine.exploration.alphabet import ELECTION, EPOCH, Grain, budgeted_as
from sim_engine.exploration.search import SearchOptions, search
from sim_engine.identifiers import NO_LEADER, Acks, FrameNumber
from sim_engine.invariants.safety import PROPERTY_NAMES
from sim_engine.scenario_reader.reader import read_step
from sim_engine.simulation.timeline import Frame
from tests.sim_engine.played import lessons_played
from tests.sim_engine.runs import Run

EVERYDAY_STATES = 2_000
SLOW_STATES = 10_000
MAX_DEPTH = 40
GRAINS: tuple[Grain, ...] = ("step", "exchange")
"""Tried in this order."""

_STRONG = "StrongIsr LeaderCandidateCompleteness"
_WEAK = f"WeakIsr {_STRONG}"
_LOSS = "AckedRecordAtRisk LeaderCompleteness NoAckedRecordLost"


def _pairs(*lines: tuple[str, str, str]) -> dict[tuple[str, str], str]:
    return {(lesson, name): why for lesson, names, why in lines for name in names.split()}


A_RECORD_MORE = frozenset({"undefined-epoch-fallback"})
"""Lessons with a second producer, which knows the new leader. A search has one, whose first record
to a new leader is refused.
"""

SLOWLY = _pairs(
    ("leader-flaps-lose-a-record", "NoAckedRecordLost", "7 steps"),
    ("unnoticed-bounce", "AckedRecordAtRisk", "7 exchanges"),
    ("follower-stops-itself", "LeaderCompleteness", "8 exchanges"),
    ("unnoticed-power-loss", "LeaderCompleteness", "8 exchanges"),
    ("unclean-election", "NoAckedRecordLost", "6 steps"),
    ("last-replica-standing", f"{_STRONG} NoAckedRecordLost", "6 steps"),
    ("eligible-replica-rescues", f"{_STRONG} AckedRecordAtRisk", "6 exchanges"),
    ("whole-cluster-power-loss", "NoAckedRecordLost", "7 steps"),
    ("surviving-copy-destroyed", "NoAckedRecordLost", "8 steps"),
    ("surviving-copy-destroyed-with-elr", "NoAckedRecordLost", "8 steps"),
    ("consumer-truncation", "ConsistentRead", "7 steps"),
    ("undefined-epoch-fallback", _WEAK, "8 steps"),
    ("isr-join-guard", "AckedRecordAtRisk LeaderCompleteness", "6 steps"),
    ("eligible-but-no-replica", "AckedRecordAtRisk", "7 steps"),
)
"""Lesson and property → why more than `EVERYDAY_STATES` are needed to find its violation."""

WITH_MORE_STATES = {
    ("unnoticed-bounce", "LeaderCompleteness"): 30_000,
    ("last-replica-standing", "LeaderCompleteness"): 20_000,
    ("fast-leader-failover", "LogMatching"): 30_000,
    ("fast-leader-failover", "WeakIsr"): 35_000,
}
"""Lesson and property → the states of a search that finds its violation, if `SLOW_STATES` are not
enough.
"""

NOT_FOUND = _pairs(
    ("unnoticed-bounce", "NoAckedRecordLost", "60,000 states are 9 exchanges deep"),
    ("undefined-epoch-fallback", _LOSS, "30,000 states are 7 steps deep"),
    ("isr-join-guard", "NoAckedRecordLost", "60,000 states are 8 steps deep"),
    (
        "stale-queued-epoch",
        f"{_WEAK} {_LOSS}",
        "a queued command is no step, and 60,000 states are 8 exchanges deep",
    ),
    (
        "last-known-leader",
        "AckedRecordAtRisk",
        "steps exhaust it without a violation, and 60,000 states are 13 exchanges deep",
    ),
    ("dead-last-known-leader", "AckedRecordAtRisk", "10,000 states are 6 moves deep"),
    ("whole-cluster-power-loss", "LeaderCompleteness", "60,000 states are 10 exchanges deep"),
    (
        "missed-deposition",
        f"{_WEAK} {_LOSS}",
        "its budget lets time pass, so little is reduced, and 10,000 states are 4 moves deep;"
        " test_known_failures.py finds the failure without that",
    ),
    (
        "late-answer-of-an-old-epoch",
        f"{_WEAK} {_LOSS}",
        "two partitions on three brokers: 40,000 states are 7 steps deep; test_known_failures.py"
        " finds the failure by a shorter way",
    ),
)
"""Lesson and property → why a search does not find its violation."""


class Shown(Struct, frozen=True, kw_only=True):
    """A property that a lesson violates, with the search for it."""

    lesson: str
    start: Frame
    options: SearchOptions

    def __str__(self) -> str:
        return f"{self.lesson}: {self.options}"

    def is_in(self, table: Container[tuple[str, str]]) -> bool:
        """Whether a set of lessons and properties contains it."""
        return (self.lesson, self.options.property) in table

    def is_found(self) -> bool:
        """Whether a search at one of the grains finds a violation."""
        return any(
            search(self.start, replace(self.options, grain=grain)).verdict == "violated"
            for grain in GRAINS
        )


def test_a_search_finds_what_a_lesson_shows() -> None:
    others = {*SLOWLY, *WITH_MORE_STATES, *NOT_FOUND}

    missing = [
        str(one) for one in shown(EVERYDAY_STATES) if not one.is_in(others) and not one.is_found()
    ]

    assert missing == []


@pytest.mark.slow
def test_a_long_search_finds_what_other_lessons_show() -> None:
    missing = [str(one) for one in shown(SLOW_STATES) if one.is_in(SLOWLY) and not one.is_found()]

    assert missing == []


@pytest.mark.slow
def test_a_search_of_more_states_finds_what_the_longest_lessons_show() -> None:
    searched = [one for one in shown(0) if one.is_in(WITH_MORE_STATES)]

    missing = [
        str(one)
        for one in searched
        for states in [WITH_MORE_STATES[one.lesson, one.options.property]]
        if not replace(one, options=replace(one.options, max_states=states)).is_found()
    ]

    assert len(searched) == len(WITH_MORE_STATES)
    assert missing == []


@pytest.mark.slow
def test_only_what_is_not_found_is_listed_as_such() -> None:
    found = [str(one) for one in shown(SLOW_STATES) if one.is_in(NOT_FOUND) and one.is_found()]

    assert found == []


def test_the_tables_name_what_lessons_show() -> None:
    pairs = {(one.lesson, one.options.property) for one in shown(0)}

    assert len(pairs) > 100
    tables = [*SLOWLY, *WITH_MORE_STATES, *NOT_FOUND]
    assert {*tables} <= pairs
    assert len(tables) == len({*tables})


def shown(max_states: int, grain: Grain = "step") -> Iterator[Shown]:
    """Every property that a lesson violates."""
    for run in lessons_played():
        verdicts = run.frame.verdicts
        for name in PROPERTY_NAMES:
            first = verdicts[name].first_frame
            if first:
                budget, acks = _used(run, first)
                options = SearchOptions(
                    property=name,
                    grain=grain,
                    max_depth=MAX_DEPTH,
                    max_states=max_states,
                    budget=budget,
                    acks=acks,
                )
                yield Shown(lesson=run.scenario.id, start=run.frames[0], options=options)


def _used(run: Run, frame: int) -> tuple[dict[str, int], Acks]:
    """The budget that a lesson's own steps use up to a frame, and the acks of its records."""
    budget = Counter({name_of(Produce): int(run.scenario.id in A_RECORD_MORE)})
    acks: list[Acks] = []
    for done in run.played_steps:
        if done.after >= frame:
            break
        step = read_step(done.step, run.scenario)
        name = budgeted_as(step)
        if name is not None:
            budget[name] += len(step.values) if isinstance(step, Produce) else 1
        if isinstance(step, Produce):
            acks.append(step.acks)
    frames = [run.frames[number] for number in run.path(FrameNumber(frame))]
    partitions = [frame.cluster.controller.partitions for frame in frames]
    changes = [pair for two in pairwise(partitions) for pair in zip(*two, strict=True)]
    budget[ELECTION] = sum(now.leader not in (NO_LEADER, was.leader) for was, now in changes)
    budget[EPOCH] = sum(max(0, now.leader_epoch - was.leader_epoch) for was, now in changes)
    return dict(budget), max(acks, key=acks.count, default="all")
