"""What the page states of its presets is what a search decides (scripts/write decided)."""

import json
from pathlib import Path

import pytest
from msgspec import convert

from sim_engine.assessment.searching import PHASES, QUESTIONS, Phase, Question
from sim_engine.exploration.alphabet import BUDGET_NAMES
from tests.sim_engine.exploration.decided import (
    FILE,
    Decided,
    asked,
    build_timeline,
    digest,
    digests,
)

DOCUMENT = json.loads((Path(__file__).parents[3] / FILE).read_text())
ROWS = convert(DOCUMENT["decided"], list[Decided])
TIMELINE = build_timeline()
QUICK_STATES = 1_000
"""The searches with more states take more than half a second."""


def test_the_file_asks_the_questions_of_the_script() -> None:
    assert convert(DOCUMENT["questions"], dict[str, Question]) == QUESTIONS
    assert convert(DOCUMENT["phases"], tuple[Phase, ...]) == PHASES
    named = [budget for question in QUESTIONS.values() for budget in question.budgets]
    assert all(budget.keys() <= set(BUDGET_NAMES) for budget in named)


def test_the_file_is_about_the_run_that_build_opens_with() -> None:
    assert list(dict.fromkeys(row.state for row in ROWS)) == digests(TIMELINE)


def test_every_question_has_a_verdict_in_every_frame() -> None:
    answered = {(row.state, row.preset) for row in ROWS}

    assert answered == {(state, preset) for state in digests(TIMELINE) for preset in QUESTIONS}


def test_a_digest_is_that_of_the_page() -> None:
    # frontend/src/search/state-digest.test.ts
    assert digest({"b": [2**63 - 1, True, None], "a": {"2": "é中", "10": "x"}}) == "a59bd2b3"


def _repeated(row: Decided) -> None:
    found = asked(TIMELINE, digests(TIMELINE).index(row.state), row.preset, row.budget, None)

    assert (found.verdict == "violated", found.complete) == (row.violated, not row.violated)
    assert (found.depth, found.states) == (row.depth, row.states)


@pytest.mark.parametrize("row", [row for row in ROWS if row.states <= QUICK_STATES], ids=str)
def test_a_search_decides_what_the_page_states(row: Decided) -> None:
    _repeated(row)


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if row.states > QUICK_STATES], ids=str)
def test_a_long_search_decides_what_the_page_states(row: Decided) -> None:
    _repeated(row)
