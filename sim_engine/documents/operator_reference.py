"""Every metric and log line of the catalogue with its meaning, its releases and a lesson that shows
it: for the glossary and the documentation."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from msgspec import json

from sim_engine.curriculum import WordSeen, words_seen
from sim_engine.documents.operator_words import frame_words
from sim_engine.documents.pages import ranges_text
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import Document
from sim_engine.languages.library import LANGUAGES, say
from sim_engine.operator_words.log_lines import LINES, VOICES, Component, Level
from sim_engine.operator_words.metrics import METRICS, Period, Reporter
from sim_engine.releases import MODELLED, stretches_of
from sim_engine.scenario_reader.document import Scenario, Text
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import PROFILE_NAMES, Control, controls_of, resolve_profile

_TEXTS = "operator_words"


class SeenIn(Document, frozen=True, kw_only=True):
    """A step of a lesson in which a metric or a log line is shown."""

    lesson: str
    title: Text
    step: int
    kafka: str | None
    """The release under which to open it; null for the lesson's own."""


class MetricEntry(Document, frozen=True, kw_only=True):
    """A metric of the catalogue."""

    name: str
    bean: str
    """Its complete name in JMX."""
    reporter: Reporter
    sources: tuple[str, ...]
    """The Kafka classes that compute it."""
    releases: Text
    """The releases that have it, in words."""
    control: Control | None
    """The only controller under which it exists; null for both."""
    text: Text
    """What it counts."""
    seen: SeenIn | None
    """Null if no lesson shows it."""


class LineForm(Document, frozen=True, kw_only=True):
    """A form of a log line, with the releases that print it."""

    releases: Text
    level: Level
    source: str
    """The Kafka class that prints it."""
    template: str
    """The message: `{name}` is a value, "…" what the engine does not know."""


class LineEntry(Document, frozen=True, kw_only=True):
    """A log line of the catalogue."""

    id: str
    component: Component
    control: Control | None
    """The only controller under which it is printed; null for both."""
    releases: Text
    """The releases that print it in any form, in words."""
    look_for: str
    """The words to search logs for, in its newest form."""
    forms: tuple[LineForm, ...]
    """The newest first."""
    text: Text
    """What it means."""
    seen: SeenIn | None
    """Null if no lesson shows it."""


class OperatorReference(Document, frozen=True, kw_only=True):
    """The catalogue of metrics and log lines."""

    metrics: tuple[MetricEntry, ...]
    lines: tuple[LineEntry, ...]


@cache
def operator_reference() -> OperatorReference:
    """The catalogue with the texts in every language."""
    titles = {scenario.id: scenario.title for scenario in list_shipped()}
    return OperatorReference(
        metrics=tuple(
            MetricEntry(
                name=name,
                bean=metric.bean,
                reporter=metric.reporter,
                sources=tuple(dict.fromkeys(source for source, _ in metric.sources)),
                releases=_releases(period for _, period in metric.sources),
                control=_control(period for _, period in metric.sources),
                text=_text(name),
                seen=_seen(name, titles),
            )
            for name, metric in METRICS.items()
        ),
        lines=tuple(_line(name, titles) for name in LINES),
    )


def _line(name: str, titles: Mapping[str, Text]) -> LineEntry:
    forms = tuple(reversed(LINES[name]))
    return LineEntry(
        id=name,
        component=VOICES[forms[0].voice][0].component,
        control=_control(form.period for form in forms),
        releases=_releases(form.period for form in forms),
        look_for=" … ".join(forms[0].template.split("**")[1::2]),
        forms=tuple(
            LineForm(
                releases=_releases([form.period]),
                level=form.level,
                source=form.source,
                template=form.template.replace("**", "").replace("{{", "{").replace("}}", "}"),
            )
            for form in forms
        ),
        text=_text(name),
        seen=_seen(name, titles),
    )


def _text(name: str) -> Text:
    return {lang: say(lang, _TEXTS, name) for lang in LANGUAGES}


def _seen(name: str, titles: Mapping[str, Text]) -> SeenIn | None:
    seen = words_seen().get(name)
    if seen is None:
        return None
    return SeenIn(lesson=seen.lesson, title=titles[seen.lesson], step=seen.step, kafka=seen.kafka)


def _control(periods: Iterable[Period]) -> Control | None:
    controls = {period.control for period in periods}
    return controls.pop() if len(controls) == 1 else None


def _releases(periods: Iterable[Period]) -> Text:
    found = tuple(periods)
    return ranges_text(
        stretches_of(
            [
                kafka
                for kafka in MODELLED
                for control in controls_of(kafka)
                if any(one.contains(resolve_profile(kafka, control=control)) for one in found)
            ]
        )
    )


# --- where each is shown -----------------------------------------------------------------------


def words_seen_text() -> str:
    """The content of `curriculum/words.json`: for each metric and log line the first lesson, in
    teaching order, with the step that shows it. What no lesson shows in its own release has the
    first one on the menu that shows it. Lessons with a vocabulary do not show them.
    """
    lessons = [scenario for scenario in list_shipped() if scenario.vocabulary is None]
    seen: dict[str, WordSeen] = {}
    for kafka in (None, *PROFILE_NAMES):
        for scenario in lessons:
            for name, step in _shown_in(scenario, kafka):
                seen.setdefault(name, WordSeen(lesson=scenario.id, step=step, kafka=kafka))
    ordered = {name: seen[name] for name in (*METRICS, *LINES) if name in seen}
    return json.format(json.encode(ordered)).decode() + "\n"


def _shown_in(scenario: Scenario, kafka: str | None) -> Iterator[tuple[str, int]]:
    timeline = Timeline(scenario, kafka=kafka)
    timeline.run_all()
    path = timeline.path(timeline.head)
    last_frames: dict[int, FrameNumber] = {}
    for number in path:
        last_frames[timeline.frames[number].place.step] = number
    for step, number in last_frames.items():
        words = frame_words(timeline, number)
        for name in (
            *(metric.name for metric in words.metrics if metric.says == "shows"),
            *(line.id for line in words.lines),
        ):
            yield name, step
