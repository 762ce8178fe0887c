"""The page of promises names an existing test for each promise and each hostile case."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent
PAGE = (REPOSITORY / "docs/explanation/promises.md").read_text(encoding="utf-8")
TRANSLATIONS = sorted(REPOSITORY.glob("docs/*/explanation/promises.md"))
ROW = re.compile(r"^\| (P?\d+) \| (.+) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")


def rows(prefix: str, page: str = PAGE) -> dict[str, str]:
    """The tests of each, by its number."""
    found = [(number, held) for number, _what, held in ROW.findall(page)]
    assert len(found) == len(dict(found)), "a number twice"
    return {number: held for number, held in found if number.startswith("P") == bool(prefix)}


def test_there_are_ten_promises_and_a_hundred_cases() -> None:
    assert list(rows("P")) == [f"P{n}" for n in range(1, 11)]
    assert list(rows("")) == [str(n) for n in range(1, 101)]


@pytest.mark.parametrize(("number", "held"), {**rows("P"), **rows("")}.items())
def test_what_holds_it_is_there(number: str, held: str) -> None:
    named = TEST.findall(held)
    if not named:
        assert not number.startswith("P")
        assert re.match(r"(?:does not apply|open): \w", held), held
    for file, test in named:
        text = (REPOSITORY / file).read_text(encoding="utf-8")
        assert re.search(rf"^(?:async )?def {test}\(", text, re.MULTILINE), f"{file}::{test}"


@pytest.mark.parametrize("file", TRANSLATIONS, ids=lambda file: file.parts[-3])
def test_a_translation_names_the_same_tests(file: Path) -> None:
    page = file.read_text(encoding="utf-8")
    for prefix in ("P", ""):
        original, translated = rows(prefix), rows(prefix, page)
        assert list(translated) == list(original)
        for number, held in original.items():
            assert TEST.findall(translated[number]) == TEST.findall(held), number
