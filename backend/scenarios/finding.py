"""Finding lessons by words: of their titles, their sentences, rules, KIPs, settings and errors."""

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec import Struct

from sim_engine import (
    JsonObject,
    Scenario,
    Timeline,
    lesson_index,
    list_shipped,
    scenario_document,
    source_name,
    story_to,
)

MOST_FOUND = 40


class _Words(Struct, frozen=True):
    """What a lesson says, in lower case; `steps` has the sentence of each step by language."""

    title: str
    all: str
    steps: tuple[tuple[int, Mapping[str, str]], ...]


def find_lessons(wanted: str) -> list[JsonObject]:
    """The lessons that have every one of these words, those with them in the title first.

    The first call of a process plays every lesson through, for what its steps say.
    """
    words = wanted.lower().split()
    if not words:
        return []
    in_title: list[JsonObject] = []
    elsewhere: list[JsonObject] = []
    for lesson, said in _library().items():
        if all(word in said.title for word in words):
            in_title.append({"id": lesson, "step": None})
        elif all(word in said.all for word in words):
            elsewhere.append({"id": lesson, "step": _step_with(said, words)})
    return [*in_title, *elsewhere][:MOST_FOUND]


def _step_with(said: _Words, words: list[str]) -> JsonObject | None:
    for step, told in said.steps:
        text = " ".join(told.values()).lower()
        if all(word in text for word in words):
            return {"step": step, "told": told}
    return None


@cache
def _library() -> Mapping[str, _Words]:
    return {scenario.id: _words_of(scenario) for scenario in list_shipped()}


def _words_of(scenario: Scenario) -> _Words:
    timeline = Timeline(scenario)
    timeline.run_all()
    steps = tuple((told.step, told.summary) for told in story_to(timeline, timeline.head))
    entry = lesson_index()[scenario.id]
    parts = [
        *_texts(scenario_document(scenario)),
        *(text for _, told in steps for text in told.values()),
        *(text for source in scenario.source for text in source_name(source).values()),
        *entry.rules,
        *entry.errors,
    ]
    title = " ".join((*scenario.title.values(), scenario.id, scenario.alias or ""))
    return _Words(title.lower(), f"{title} {' '.join(parts)}".lower(), steps)


def _texts(document: object) -> Iterator[str]:
    """Every text of a document, and every name of a setting."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, Mapping):
        yield from (name for name in document if "." in name)
        for part in document.values():
            yield from _texts(part)
    elif isinstance(document, list | tuple):
        for part in document:
            yield from _texts(part)
