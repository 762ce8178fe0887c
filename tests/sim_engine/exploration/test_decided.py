"""What the page states of its presets is what a search decides (scripts/write-decided)."""

import json
from pathlib import Path

import pytest
from msgspec import convert

from sim_engine.exploration.alphabet import BUDGET_NAMES
from tests.sim_engine.exploration.decided import FILE, QUESTIONS, Decided, Question, asked

DOCUMENT = json.loads((Path(__file__).parents[3] / FILE).read_text())
ROWS = convert(DOCUMENT["decided"], list[Decided])
QUICK_STATES = 6_000
"""The searches with more states take more than a second."""


def test_the_file_asks_the_questions_of_the_script() -> None:
    assert convert(DOCUMENT["questions"], dict[str, Question]) == QUESTIONS
    named = [budget for question in QUESTIONS.values() for budget in question.budgets]
    assert all(budget.keys() <= set(BUDGET_NAMES) for budget in named)


@pytest.mark.parametrize("row", [row for row in ROWS if row.states <= QUICK_STATES], ids=str)
def test_a_search_decides_what_the_page_states(row: Decided) -> None:
    found = asked(row.preset, row.control, row.brokers, row.grain, row.budget)

    assert (found.verdict == "violated", found.complete) == (row.violated, not row.violated)
    # Fewer are better; then the file is written anew.
    assert found.states <= row.states


@pytest.mark.slow
@pytest.mark.parametrize("row", [row for row in ROWS if row.states > QUICK_STATES], ids=str)
def test_a_long_search_decides_what_the_page_states(row: Decided) -> None:
    found = asked(row.preset, row.control, row.brokers, row.grain, row.budget, seconds=None)

    assert (found.verdict == "violated", found.complete) == (row.violated, not row.violated)
