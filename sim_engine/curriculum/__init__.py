"""The index of the shipped scenarios, available without running them: how each ends in every
release, what goes wrong in it, and its picture.

`scripts/write scenarios` runs them all and writes `index.json` in this folder; a test compares it
with the runs.
"""

from collections.abc import Container, Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal, get_args

from msgspec import Struct, convert, json

from sim_engine.actions import Note
from sim_engine.json_types import Document, JsonObject
from sim_engine.languages import (
    DEFAULT_LANGUAGE,
    LANGUAGES,
    TRANSLATIONS,
    messages,
    translations_in,
)
from sim_engine.languages.fluent import pattern_document
from sim_engine.narration import term_spellings, terms_in
from sim_engine.releases import (
    MODELLED,
    Stretch,
    is_in_a_stretch,
    releases_in,
    releases_within,
    stretches_of,
)
from sim_engine.scenario_reader.document import Scenario, Text
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.scenario_reader.source import read_own_source
from sim_engine.scenario_reader.translations import LESSON_FILES, REMEMBER

Outcome = Literal["lost", "fails", "holds"]
"""An acknowledged record is lost; another property is violated; all hold."""

FAILURES: tuple[Outcome, ...] = ("lost", "fails")

Mishap = Literal["lost", "diverged", "leaderless", "went_back", "shrank"]
"""The kinds of failure: an acknowledged record is lost, logs diverge, a partition has no leader, a
consumer's read contradicts an earlier one, the ISR shrinks.
"""
MISHAPS: tuple[Mishap, ...] = get_args(Mishap)

_LOSS = "NoAckedRecordLost"

PATH = (
    "a-record-and-its-copy",
    "where-a-log-ends",
    "what-counts-as-safe",
    "who-must-have-it",
    "who-led-when",
    "who-may-lead-next",
    "two-rounds",
    "slowest-replica-decides",
    "shrink-releases-high-watermark",
    "not-enough-replicas",
    "uncommitted-tail",
    "kip-101-data-loss",
    "follower-bounce-with-epochs",
    "epoch-lookup-table",
    "zombie-leader",
    "unclean-election",
    "surviving-copy-destroyed",
    "eligible-replica-rescues",
)
"""A short selection of lessons: from the first record to a lost one, and how Kafka fixed it."""


StagePart = Literal[
    "offsets", "log_end", "high_watermark", "acknowledgements", "isr", "epochs", "controller", "elr"
]

TERM_OF_PART: Mapping[StagePart, str] = {
    "offsets": "offset",
    "log_end": "LEO",
    "high_watermark": "HW",
    "acknowledgements": "acknowledged",
    "isr": "ISR",
    "epochs": "leader-epoch",
    "controller": "controller",
    "elr": "ELR",
}
"""Part of the simple view → the term that a reader must know to understand it."""


class NewTerm(Document, frozen=True, kw_only=True):
    """A term that a lesson introduces."""

    term: str
    words: dict[str, tuple[str, ...]]
    """Language → the words for it in texts."""
    explanation: Text
    note: dict[str, int]
    """Language → the first note that uses it, as the note's place among the steps."""


class SimpleLesson(Document, frozen=True, kw_only=True):
    """A lesson with a simple view."""

    id: str
    title: Text
    names: dict[str, tuple[str, ...]]
    """Language → the names of the terms that it introduces; an abbreviation beside what it is short
    for is not named."""


class SimpleView(Document, frozen=True, kw_only=True):
    """What the simple view of a lesson shows, and what it explains."""

    parts: tuple[StagePart, ...]
    new_parts: tuple[StagePart, ...]
    """Those that earlier lessons did not show."""
    introduces: tuple[NewTerm, ...]
    path: tuple[SimpleLesson, ...]
    """All lessons with a simple view, in order."""
    next: str
    """The id of the next lesson of the path."""


def simple_view(scenario: Scenario) -> SimpleView | None:
    """The simple view of a lesson of the path; null if the lesson declares no vocabulary."""
    if scenario.vocabulary is None or scenario.id not in PATH[:-1]:
        return None
    known = scenario.vocabulary.known
    return SimpleView(
        parts=_parts_for(known),
        new_parts=_parts_for(scenario.vocabulary.introduces),
        introduces=tuple(
            NewTerm(
                term=term,
                words={lang: term_spellings(lang).get(term, (term,)) for lang in LANGUAGES},
                explanation=explanation,
                note=_first_notes(scenario, term),
            )
            for term, explanation in scenario.vocabulary.introduces.items()
        ),
        path=_simple_lessons(),
        next=PATH[PATH.index(scenario.id) + 1],
    )


def _parts_for(terms: Container[str]) -> tuple[StagePart, ...]:
    return tuple(part for part, term in TERM_OF_PART.items() if term in terms)


def _first_notes(scenario: Scenario, term: str) -> dict[str, int]:
    """Language → the first note with a word for a term, among the steps."""
    notes = [(at, one.step) for at, one in enumerate(scenario.steps) if isinstance(one.step, Note)]
    using = {
        lang: [at for at, note in notes if term in terms_in(str(note.arguments()[lang]), lang)]
        for lang in LANGUAGES
    }
    return {lang: min(found) for lang, found in using.items() if found}


@cache
def _simple_lessons() -> tuple[SimpleLesson, ...]:
    lessons = [load_shipped(lesson) for lesson in PATH]
    return tuple(
        SimpleLesson(
            id=lesson.id,
            title=lesson.title,
            names={lang: _names_of(lesson.vocabulary.introduces, lang) for lang in LANGUAGES},
        )
        for lesson in lessons
        if lesson.vocabulary is not None
    )


def _names_of(terms: Iterable[str], lang: str) -> tuple[str, ...]:
    names = {term: term_spellings(lang).get(term, (term,))[0] for term in terms}
    return tuple(
        name
        for term, name in names.items()
        if not any(_is_short_for(term, other, lang) for other in names.values() if other != name)
    )


def _is_short_for(term: str, name: str, lang: str) -> bool:
    """Whether the glossary spells a term out as this name: an abbreviation's text begins with what
    it is short for.
    """
    text = messages(lang, "narration/terms").get(term)
    said = "" if text is None else str(pattern_document(text.text or ()))
    return said.lower().startswith(name.lower())


class Ending(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The properties that a lesson violates, and all releases under which it violates just these.
    Releases that do not have one of its steps are in no ending.
    """

    violated: tuple[str, ...]
    releases: tuple[Stretch, ...]

    @property
    def outcome(self) -> Outcome:
        """What these properties mean for a user."""
        if _LOSS in self.violated:
            return "lost"
        return "fails" if self.violated else "holds"


class LessonEntry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One lesson."""

    endings: tuple[Ending, ...]
    """In the order of their first releases."""
    mishaps: tuple[Mishap, ...]
    rules: tuple[str, ...]
    """The rules that its events name, under its own release."""
    errors: tuple[str, ...]
    """The errors in its responses."""
    steps: int
    minutes: int
    """The reading time, in minutes."""
    picture: JsonObject
    """A `PictureDocument` of its decisive step."""

    def releases_with(self, outcome: Outcome) -> tuple[Stretch, ...]:
        """All releases with this outcome."""
        found = (ending.releases for ending in self.endings if ending.outcome == outcome)
        return stretches_of(
            {name for releases in found for one in releases for name in releases_in(one)}
        )

    def outcome_under(self, kafka: str) -> Outcome | None:
        """The outcome under a release; null if the release does not have one of its steps."""
        found = (one.outcome for one in self.endings if is_in_a_stretch(kafka, one.releases))
        return next(found, None)

    def changes_at(self, kafka: str) -> bool:
        """Whether the outcome is different from a release on: from the first one of a line."""
        first = MODELLED.index(releases_within(f"={kafka}")[0])
        earlier = (self.outcome_under(name) for name in reversed(MODELLED[:first]))
        before = next((outcome for outcome in earlier if outcome is not None), None)
        return before is not None and self.outcome_under(MODELLED[first]) not in (None, before)


@cache
def lesson_index() -> Mapping[str, LessonEntry]:
    """Every shipped scenario by its id."""
    text = files("sim_engine.curriculum").joinpath("index.json").read_bytes()
    return json.decode(text, type=dict[str, LessonEntry])


@cache
def lines_to_remember() -> Mapping[str, Mapping[str, str]]:
    """The line to remember of each lesson: id → language → text.

    `remember.yaml` has the English; a translation is in the lesson's file of a language's folder.
    """
    text = files("sim_engine.curriculum").joinpath("remember.yaml").read_text(encoding="utf-8")
    lines = convert(read_own_source(text).document, dict[str, str])
    return {lesson: _in_every_language(lesson, line) for lesson, line in lines.items()}


def _in_every_language(lesson: str, english: str) -> Mapping[str, str]:
    said = {lang: translations_in(lang, f"{LESSON_FILES}/{lesson}") for lang in TRANSLATIONS}
    translated = {lang: words[REMEMBER] for lang, words in said.items() if REMEMBER in words}
    return {DEFAULT_LANGUAGE: english, **translated}


@cache
def lessons_of_terms() -> Mapping[str, str]:
    """Id of a term of the glossary → id of the lesson that shows it."""
    text = files("sim_engine.curriculum").joinpath("terms.yaml").read_text(encoding="utf-8")
    return convert(read_own_source(text).document, dict[str, str])


class WordSeen(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The step of a lesson that shows a metric or a log line."""

    lesson: str
    step: int
    kafka: str | None
    """The release under which it is shown; null for the lesson's own."""


@cache
def words_seen() -> Mapping[str, WordSeen]:
    """Where each metric and log line is shown, by its name. Those that no lesson shows are absent.

    `scripts/write scenarios` writes `words.json` in this folder.
    """
    text = files("sim_engine.curriculum").joinpath("words.json").read_bytes()
    return json.decode(text, type=dict[str, WordSeen])


def next_lesson(lesson: str, order: tuple[str, ...]) -> str | None:
    """The lesson that follows a lesson: the next one on the path if the lesson is on the path,
    otherwise the next one in `order`.
    """
    along = PATH if lesson in PATH[:-1] else order
    if lesson not in along[:-1]:
        return None
    return along[along.index(lesson) + 1]
