"""The page of promises names an existing test for each promise and each hostile case.

It also states which of the tests take minutes, and which run on both databases.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.tables import for_each

REPOSITORY = Path(__file__).resolve().parent.parent
PAGE = (REPOSITORY / "docs/explanation/promises.md").read_text(encoding="utf-8")
TRANSLATIONS = sorted(REPOSITORY.glob("docs/*/explanation/promises.md"))
ROW = re.compile(r"^\| (P?\d+) \| (.+) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
TEST_OF_FRONTEND = re.compile(r"`(frontend/[\w./-]+\.test\.ts): ([^`]+)`")
MARKED_SLOW = re.compile(TEST.pattern + r" \(\*\w+\*\)")
ON_BOTH = re.compile(r"^\| SQLite \S+ PostgreSQL \| ([P\d, –]+) \|$", re.MULTILINE)

Function = ast.FunctionDef | ast.AsyncFunctionDef


def rows(prefix: str, page: str = PAGE) -> dict[str, str]:
    """The tests of each, by its number."""
    found = [(number, held) for number, _what, held in ROW.findall(page)]
    assert len(found) == len(dict(found)), "a number twice"
    return {number: held for number, held in found if number.startswith("P") == bool(prefix)}


def test_there_are_ten_promises_and_a_hundred_cases() -> None:
    assert list(rows("P")) == [f"P{n}" for n in range(1, 11)]
    assert list(rows("")) == [str(n) for n in range(1, 101)]


@for_each("number, held", lambda: {**rows("P"), **rows("")}.items(), lambda row: row[0])
def test_what_holds_it_is_there(number: str, held: str) -> None:
    named, of_frontend = TEST.findall(held), TEST_OF_FRONTEND.findall(held)
    if not named and not of_frontend:
        assert not number.startswith("P")
        assert re.match(r"(?:does not apply|open): \w", held), held
    for file, test in named:
        text = (REPOSITORY / file).read_text(encoding="utf-8")
        assert re.search(rf"^(?:async )?def {test}\(", text, re.MULTILINE), f"{file}::{test}"
    for file, title in of_frontend:
        text = (REPOSITORY / file).read_text(encoding="utf-8")
        assert re.search(rf'it(?:\.each\(\w+\))?\("{re.escape(title)}"', text), title


@pytest.mark.parametrize("file", TRANSLATIONS, ids=lambda file: file.parts[-3])
def test_a_translation_names_the_same_tests(file: Path) -> None:
    page = file.read_text(encoding="utf-8")
    for prefix in ("P", ""):
        original, translated = rows(prefix), rows(prefix, page)
        assert list(translated) == list(original)
        for number, held in original.items():
            for named in (TEST, TEST_OF_FRONTEND):
                assert named.findall(translated[number]) == named.findall(held), number


@pytest.mark.parametrize("page", [PAGE, *(file.read_text("utf-8") for file in TRANSLATIONS)])
def test_it_marks_the_tests_that_take_minutes(page: str) -> None:
    named = set(TEST.findall(page))

    assert set(MARKED_SLOW.findall(page)) == {one for one in named if is_slow(*one)} != set()


@pytest.mark.parametrize("page", [PAGE, *(file.read_text("utf-8") for file in TRANSLATIONS)])
def test_it_lists_what_is_tested_on_both_databases(page: str) -> None:
    both = [
        number
        for number, held in {**rows("P", page), **rows("", page)}.items()
        if any(is_on_both(*one) for one in TEST.findall(held))
    ]

    (listed,) = ON_BOTH.findall(page)
    assert list(expanded(listed)) == both


def expanded(listed: str) -> Iterator[str]:
    """The numbers in a list such as `P1, 3–5`."""
    for part in listed.split(", "):
        first, _, last = part.partition("–")
        prefix = "P" if first.startswith("P") else ""
        begin, end = int(first.removeprefix("P")), int((last or first).removeprefix("P"))
        yield from (f"{prefix}{number}" for number in range(begin, end + 1))


def is_slow(file: str, test: str) -> bool:
    """Whether only `make test-all` runs it: its file or the test itself has the mark."""
    marks = [ast.unparse(mark) for mark in functions_of(REPOSITORY / file)[test].decorator_list]
    marks += [
        ast.unparse(statement.value)
        for statement in parsed(REPOSITORY / file).body
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "pytestmark"
    ]
    return any("mark.slow" in mark for mark in marks)


def is_on_both(file: str, test: str) -> bool:
    """Whether it runs once for each kind of database: it uses a fixture that goes through them,
    directly or by other fixtures."""
    path = REPOSITORY / file
    places = [path, *(folder / "conftest.py" for folder in path.parents[: len(Path(file).parts)])]
    found = {name: one for place in reversed(places) for name, one in functions_of(place).items()}
    waiting, seen = [test], set[str]()
    while waiting:
        name = waiting.pop()
        if name in found and name not in seen:
            seen.add(name)
            waiting += [argument.arg for argument in found[name].args.args]
    decorators = [ast.unparse(one) for name in seen for one in found[name].decorator_list]
    return any("'sqlite'" in one and "'postgresql'" in one for one in decorators)


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8") if file.exists() else "")


def functions_of(file: Path) -> dict[str, Function]:
    return {one.name: one for one in parsed(file).body if isinstance(one, Function)}
