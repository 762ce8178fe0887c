"""The search for words in the shipped scenarios: in titles, sentences, rules, KIPs, settings and
errors.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from threading import Lock, Thread

from msgspec import Struct

from sim_engine.articles import source_name
from sim_engine.curriculum import lesson_index
from sim_engine.documents.runs import story_to
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.scenario_reader.writer import scenario_document
from sim_engine.simulation.timeline import Timeline

_collecting = Lock()


class _Words(Struct, frozen=True):
    """The texts of a lesson in lower case; `steps` has the sentence of each step by language."""

    title: str
    all: str
    steps: tuple[tuple[int, Mapping[str, str]], ...]


def find_lessons(wanted: str) -> list[JsonObject]:
    """All lessons that contain all of these words; matches in titles come first.

    The first call in a process waits for `collect_words`.
    """
    words = wanted.lower().split()
    if not words:
        return []
    in_title: list[JsonObject] = []
    elsewhere: list[JsonObject] = []
    with _collecting:
        library = _library()
    for lesson, texts in library.items():
        if all(word in texts.title for word in words):
            in_title.append({"id": lesson, "step": None})
        elif all(word in texts.all for word in words):
            elsewhere.append({"id": lesson, "step": _step_with(texts, words)})
    return [*in_title, *elsewhere]


def collect_words() -> None:
    """Play every lesson once in a process, in a thread, to collect the sentences of its steps."""
    if _library.cache_info().currsize == 0 and not _collecting.locked():
        Thread(target=lambda: find_lessons("a"), name="lesson-words", daemon=True).start()


def _step_with(texts: _Words, words: list[str]) -> JsonObject | None:
    for step, sentences in texts.steps:
        text = " ".join(sentences.values()).lower()
        if all(word in text for word in words):
            return {"step": step, "told": sentences}
    return None


@cache
def _library() -> Mapping[str, _Words]:
    return {scenario.id: _words_of(scenario) for scenario in list_shipped()}


def _words_of(scenario: Scenario) -> _Words:
    timeline = Timeline(scenario)
    timeline.run_all()
    steps = tuple((step.step, step.summary) for step in story_to(timeline, timeline.head))
    entry = lesson_index()[scenario.id]
    parts = [
        *_texts(scenario_document(scenario)),
        *(text for _, sentences in steps for text in sentences.values()),
        *(text for source in scenario.source for text in source_name(source).values()),
        *entry.rules,
        *entry.errors,
    ]
    title = " ".join((*scenario.title.values(), scenario.id, scenario.alias or ""))
    return _Words(title.lower(), f"{title} {' '.join(parts)}".lower(), steps)


def _texts(document: object) -> Iterator[str]:
    """Every text of a document, and the name of every setting."""
    if isinstance(document, str):
        yield document
    elif isinstance(document, Mapping):
        yield from (name for name in document if "." in name)
        for part in document.values():
            yield from _texts(part)
    elif isinstance(document, list | tuple):
        for part in document:
            yield from _texts(part)
