"""The page of verdicts shows what the search decides, and the benchmark reads what TLC prints."""

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from sim_engine.command_line import main
from tests.benchmarks.tlc import Cost, check, read_result
from tests.benchmarks.verdicts import (
    PAGES,
    Checked,
    Question,
    Searched,
    Specification,
    generated_part,
    read_questions,
    read_record,
    read_searched,
    with_generated_part,
)

ASKED = read_questions()
RECORD = read_record()
EVERYDAY_CPU_SECONDS = 1.5
"""With the start of the program; a test starts none."""


def recorded(question: Question) -> Searched:
    return RECORD.results[question.id].search


ANSWERED = [question for question in ASKED.questions if question.id in RECORD.results]
QUICK = [one for one in ANSWERED if recorded(one).cpu_seconds <= EVERYDAY_CPU_SECONDS]


def ask(question: Question, folder: Path) -> Searched:
    file = folder / question.cluster
    file.write_text(ASKED.clusters[question.cluster])
    output = StringIO()
    with redirect_stdout(output):
        main([*question.arguments(str(file)), "--json"])
    return read_searched(json.loads(output.getvalue()), cpu_seconds=0, wall_seconds=0)


@pytest.mark.parametrize("question", QUICK, ids=lambda question: str(question.id))
def test_a_quick_search_decides_what_the_page_says(question: Question, tmp_path: Path) -> None:
    """`make bench ARGS="search --record"` and `scripts/write verdicts` bring it up to date."""
    assert ask(question, tmp_path).counted() == recorded(question).counted()


@pytest.mark.slow
@pytest.mark.parametrize("question", ANSWERED, ids=lambda question: str(question.id))
def test_every_search_decides_what_the_page_says(question: Question, tmp_path: Path) -> None:
    assert ask(question, tmp_path).counted() == recorded(question).counted()


@pytest.mark.parametrize("lang", PAGES)
def test_the_page_is_up_to_date(lang: str) -> None:
    """`scripts/write verdicts` brings it up to date."""
    page = PAGES[lang].read_text(encoding="utf-8")

    assert page == with_generated_part(page, generated_part(lang, ASKED, RECORD))


def test_every_question_is_answered_on_both_sides() -> None:
    assert ASKED.questions == ANSWERED
    assert len(RECORD.results) == len(ANSWERED)
    for question in ASKED.questions:
        assert (RECORD.results[question.id].tlc is None) == (question.specification is None)
        assert set(question.about) == set(question.differs) == set(PAGES)


def test_some_quick_questions_are_asked_every_day() -> None:
    assert {recorded(question).verdict for question in QUICK} >= {"violated"}


SPECIFIED = Specification(
    module="Counter",
    replicas=2,
    log_size=3,
    max_records=1,
    max_leader_epoch=2,
    invariants=["Small"],
    definition="Small == n < 3",
)
VIOLATED = """\
TLC2 Version 2.20
Error: Invariant Small is violated.
Error: The behavior up to this point is:
State 1: <Initial predicate>
7 states generated, 1,204 distinct states found, 1 states left on queue.
The depth of the complete state graph search is 4.
"""
COMPLETED = """\
Model checking completed. No error has been found.
45141 states generated, 21493 distinct states found, 0 states left on queue.
The depth of the complete state graph search is 22.
"""


def cost(output: str) -> Cost:
    return Cost(output, 1.234, 2.0, 0)


def test_the_result_of_tlc_is_read_from_its_output() -> None:
    assert read_result(cost(VIOLATED)) == Checked(
        violated="Small", depth=3, states=1204, cpu_seconds=1.23, wall_seconds=2.0
    )
    assert read_result(cost(COMPLETED)) == Checked(
        violated=None, depth=21, states=21493, cpu_seconds=1.23, wall_seconds=2.0
    )


def test_tlc_that_did_not_finish_is_no_result() -> None:
    with pytest.raises(ValueError, match="no such module"):
        read_result(cost("no such module"))


def test_tlc_checks_the_module_with_the_added_invariant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Java that prints its module and a result stands in for TLC."""
    (tmp_path / "Counter.tla").write_text("---- MODULE Counter ----\n====\n")
    java = tmp_path / "java"
    java.write_text(f"#!/bin/sh\ncat Counter.tla question.cfg >&1\ncat <<'E'\n{VIOLATED}E\n")
    java.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    seen: list[Cost] = []
    monkeypatch.setattr("tests.benchmarks.tlc.read_result", seen.append)

    check(SPECIFIED, tmp_path / "tla2tools.jar", tmp_path)

    lines = seen[0].output.splitlines()
    assert lines.index("Small == n < 3") < lines.index("====")
    assert {"  Replicas = {r1, r2}", "  MaxLeaderEpoch = 2", "INVARIANTS Small"} <= set(lines)
