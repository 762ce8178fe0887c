"""Chinese texts use one word for each term: the table in the README of the languages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sim_engine.languages
from sim_engine import Scenario, list_shipped
from sim_engine.actions import Ask, Note
from sim_engine.curriculum import lines_to_remember
from sim_engine.languages import Pattern
from sim_engine.languages.fluent import Selection
from tests.sim_engine.languages.test_folders import FILES, patterns

README = Path(sim_engine.languages.__file__).parent / "README.md"
TABLE = re.compile(r"^\| [^|]+ \| [^|]+ \| ([^|]+) \|$", re.MULTILINE)
# A term may be followed by its English name, and a text may quote what Kafka prints.
ASIDE = re.compile(r"（[^（）]*）|“[^”]*”")


def unwanted_words() -> list[re.Pattern[str]]:
    """English words only where they stand alone, not as a part of an identifier."""
    text = README.read_text(encoding="utf-8")
    cells = TABLE.findall(text[text.index("## Chinese terms") :])
    words = [word.strip() for cell in cells for word in cell.split(",")]
    assert words[:2] == ["not", "---"]
    return [
        re.compile(rf"(?<![A-Za-z_.-]){word}(?![A-Za-z_.-])" if word.isascii() else word)
        for word in words[2:]
    ]


UNWANTED = unwanted_words()


def unwanted_in(text: str) -> list[str]:
    checked = ASIDE.sub("", text)
    return [word.pattern for word in UNWANTED if word.search(checked)]


def texts(pattern: Pattern) -> Iterator[str]:
    """The strings of a pattern and of every variant."""
    for part in pattern:
        if isinstance(part, str):
            yield part
        elif isinstance(part, Selection):
            for variant in part.variants.values():
                yield from texts(variant)


def words_of(scenario: Scenario) -> Iterator[str]:
    yield scenario.title["zh"]
    yield scenario.summary["zh"]
    for step in scenario.steps:
        if isinstance(step.step, Note | Ask):
            yield step.step.text["zh"]
        if isinstance(step.step, Ask):
            yield from (answer["zh"] for answer in step.step.answers)
            yield from (reason["zh"] for reason in step.step.reasons or ())


def test_the_table_lists_words_to_avoid():
    assert unwanted_in("从 offset 5 开始，控制器宕机") != []
    assert unwanted_in("从位移 5 开始，leader_epoch 为 2（leader epoch）") == []


@pytest.mark.parametrize("file", FILES)
def test_a_file_uses_the_words_of_the_table(file):
    for name, pattern in patterns("zh", file):
        if not name.endswith(".formula"):
            assert not unwanted_in("".join(texts(pattern))), name


@pytest.mark.parametrize("scenario", list_shipped(), ids=lambda scenario: scenario.id)
def test_a_lesson_uses_the_words_of_the_table(scenario):
    for text in words_of(scenario):
        assert not unwanted_in(text), text


def test_the_key_points_use_the_words_of_the_table():
    for line in lines_to_remember().values():
        assert not unwanted_in(line["zh"]), line["zh"]
