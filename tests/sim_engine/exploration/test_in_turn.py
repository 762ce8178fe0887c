"""Searches in turn: grains, budgets, and what their results decide together."""

from collections.abc import Callable, Mapping
from typing import Any

from sim_engine.assessment.searching import (
    PHASES,
    Question,
    SearchesInTurn,
    Turn,
    decided_of,
    undecided_of,
)
from sim_engine.exploration.alphabet import Grain
from sim_engine.exploration.scope import SearchScope
from sim_engine.exploration.search import SearchResult

QUESTION = Question("all", ({"crash": 1}, {"crash": 1, "produce": 1}, {"crash": 2, "produce": 1}))
NONE = SearchResult(
    verdict="none_within_bound",
    complete=True,
    limit=None,
    exercised=True,
    depth=5,
    states=10,
    transitions=20,
    scope=SearchScope((), ()),
)


def result(**changes: Any) -> SearchResult:
    return SearchResult(
        **{**{name: getattr(NONE, name) for name in NONE.__struct_fields__}, **changes}
    )


CUT = result(verdict="cut", complete=False, limit="cpu_seconds")
IDLE = result(verdict="not_exercised", exercised=False)
FOUND = result(verdict="violated", complete=False, steps=({"crash": {"broker": 1}},))
Answers = Callable[[Grain, Mapping[str, int], int], SearchResult]


def turns(
    answers: Answers, *, starts: int = 1, cost: float = 0.0
) -> tuple[list[Turn], list[float]]:
    """The turns of a question in 80 s, and the time that each search may take. A search takes
    `cost` seconds, if it may.
    """
    now, allowed = [0.0], list[float]()

    def search(start: int, grain: Grain, budget: Mapping[str, int], seconds: float) -> SearchResult:
        allowed.append(seconds)
        now[0] += min(cost, seconds)
        return answers(grain, budget, start)

    of_question = SearchesInTurn(
        QUESTION, starts=starts, seconds=80, clock=lambda: now[0], search=search
    )
    found = [turn for phase in PHASES for turn in of_question.of_phase(phase)]
    assert found == of_question.turns
    return found, allowed


def asked(found: list[Turn]) -> list[tuple[str, int]]:
    return [(turn.grain, QUESTION.budgets.index(turn.budget)) for turn in found]


def test_whole_steps_come_first_and_finer_grains_search_what_they_exhaust() -> None:
    found, _ = turns(lambda grain, budget, _: CUT if budget.get("crash") == 2 else NONE)

    assert asked(found) == [
        ("step", 0),
        ("step", 1),
        ("step", 2),
        ("exchange", 0),
        ("exchange", 1),
        ("message", 0),
        ("message", 1),
    ]
    assert [asked([turn])[0] for turn in decided_of(found)] == [("message", 1)]
    assert [asked([turn])[0] for turn in undecided_of(found)] == [("step", 2)]


def test_the_first_loss_ends_them() -> None:
    found, _ = turns(lambda _grain, budget, _: FOUND if "produce" in budget else NONE)

    assert asked(found) == [("step", 0), ("step", 1)]
    assert found[-1].is_violated
    assert found[-1].steps == FOUND.steps


def test_more_faults_change_nothing_where_nothing_can_be_violated() -> None:
    found, _ = turns(lambda _grain, budget, _: NONE if "produce" in budget else IDLE)

    assert asked(found).count(("step", 0)) == 1
    assert ("exchange", 0) not in asked(found)
    assert decided_of(found)[0].budget == {"crash": 2, "produce": 1}


def test_a_finer_grain_tries_the_smallest_budget_that_coarser_ones_do_not_exhaust() -> None:
    found, _ = turns(lambda *_: CUT)

    assert asked(found) == [("step", 0), ("exchange", 0), ("message", 0)]
    assert decided_of(found) == []


def test_whole_steps_have_half_of_the_time() -> None:
    found, allowed = turns(lambda *_: NONE, cost=30)

    assert asked(found) == [("step", 0), ("step", 1), ("exchange", 0), ("message", 0)]
    assert allowed == [40, 10, 30, 10]


def test_each_start_has_an_equal_part_and_a_result_is_true_of_all_of_them() -> None:
    found, allowed = turns(lambda _grain, _budget, start: CUT if start == 1 else NONE, starts=2)

    assert allowed[:2] == [20, 40]
    assert not found[0].is_complete
    assert found[0].states == 20
    assert found[0].limit == "cpu_seconds"


def test_a_loss_names_its_start() -> None:
    found, _ = turns(lambda _grain, _budget, start: FOUND if start == 1 else NONE, starts=3)

    assert [(turn.is_violated, turn.start) for turn in found] == [(True, 1)]
