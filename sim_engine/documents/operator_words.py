"""What an operator sees in a state: the metrics that a cluster of its release reports, and the log
lines that it prints at some events. A page or a report shows it as it is; it applies no rule. The
glossary and the documentation show the whole catalogue: each metric and log line with its meaning,
its releases and a lesson that shows it.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from typing import Literal

from msgspec import json
from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.curriculum import WordSeen, words_seen
from sim_engine.documents.pages import ranges_text
from sim_engine.identifiers import BrokerId, FrameNumber, TopicPartition
from sim_engine.json_types import Document
from sim_engine.languages import LANGUAGES, find_language, messages, say
from sim_engine.operator_words.log_lines import LINES, VOICES, Component, Level
from sim_engine.operator_words.metrics import (
    METRICS,
    Moment,
    Note,
    Period,
    Reading,
    Reporter,
    has_trouble,
    read_metrics,
    why_not_in,
)
from sim_engine.operator_words.spoken import log_lines
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.releases import MODELLED, stretches_of
from sim_engine.scenario_reader.document import Scenario, Text
from sim_engine.scenario_reader.reader import list_shipped
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import PROFILE_NAMES, Control, controls_of, resolve_profile

_TEXTS = "operator_words"

MetricSays = Literal["shows", "misses", "quiet"]
"""Whether a metric shows what is wrong or, for a meter, what has just happened; does not show it
although one might look for it there; or is at rest.
"""


class MetricValue(Document, frozen=True, kw_only=True):
    """The value of a metric on one broker."""

    broker: BrokerId | None
    """Null for the controller."""
    value: int


class OperatorMetric(Document, frozen=True, kw_only=True):
    """One metric of this state."""

    name: str
    bean: str
    """Its complete name in JMX."""
    source: str
    """The Kafka class that computes it; `/sources` has its address."""
    reporter: Reporter
    counts: Literal["now", "run"]
    """Of the state, or of the events since the start of the run."""
    values: tuple[MetricValue, ...]
    """On each broker that reports it; empty if none does."""
    says: MetricSays
    value: Text
    """The values in words: "1 on the controller"."""
    note: Text | None
    """Why it does not show what is wrong; null if it does or if nothing is wrong."""


class LogLinePart(Document, frozen=True, kw_only=True):
    """Some words of a log line."""

    text: str
    look_for: bool
    """Whether they are the words to search logs for."""


class OperatorLogLine(Document, frozen=True, kw_only=True):
    """One log line, as its component prints it."""

    id: str
    """Its name in the catalogue, and on the glossary's page."""
    frame: FrameNumber | None
    """The frame in which it is printed; null outside a run."""
    component: Component
    who: str
    """The broker's id, the client's name, or "controller"."""
    level: Level
    logger: str
    parts: tuple[LogLinePart, ...]
    """The message, in order. "…" is what the engine does not know, such as a topic id."""
    source: str
    """The Kafka class that prints it; `/sources` has its address."""


class OperatorWords(Document, frozen=True, kw_only=True):
    """The metrics of a state, and the log lines of what has just happened."""

    kafka: str
    """The exact release."""
    control: Control
    partition: TopicPartition | None
    """The partition that it is about; null for all."""
    metrics: tuple[OperatorMetric, ...]
    """First those that show what is wrong, then those that miss it, then those at rest."""
    lines: tuple[OperatorLogLine, ...]
    """In the order in which they are printed."""


_ORDER: Mapping[MetricSays, int] = {"shows": 0, "misses": 1, "quiet": 2}


def operator_words(
    cluster: ClusterState,
    moments: Sequence[Moment] = (),
    *,
    history: Iterable[Moment] | None = None,
    partition: TopicPartition | None = None,
) -> OperatorWords:
    """The metrics of a state, and the log lines of some moments, of the cluster's own release.

    `history` are all moments of the run up to this state; without it (a state that was printed by
    a real cluster), metrics that count events are left out. With a partition, only that one is
    counted, and only its log lines and those of brokers and the controller are given.

    Raises `KeyError` for an unknown partition.
    """
    registrations = (
        cluster.controller.partitions
        if partition is None
        else (cluster.controller.partition(partition),)
    )
    names = tuple(one.partition for one in registrations)
    moved = {
        reading.metric.name: reading.total
        for reading in read_metrics(cluster, names, moments)
        if reading.metric.counts == "run"
    }
    metrics = [
        _metric(cluster, registrations, reading, moved.get(reading.metric.name, reading.total))
        for reading in read_metrics(cluster, names, history)
    ]
    profile = cluster.profile
    return OperatorWords(
        kafka=".".join(map(str, profile.version)),
        control=profile.control,
        partition=partition,
        metrics=tuple(sorted(metrics, key=lambda metric: _ORDER[metric.says])),
        lines=tuple(_lines(moments, names)),
    )


def run_words(timeline: Timeline, *, partition: TopicPartition | None = None) -> OperatorWords:
    """The metrics at the start of a run, and the log lines of the whole branch to its head: what an
    operator would see if it happened. Raises `KeyError` for an unknown partition.
    """
    path = timeline.path(timeline.head)
    cluster = timeline.frames[path[0]].cluster
    words = operator_words(cluster, partition=partition)
    names = cluster.partitions if partition is None else (partition,)
    return replace(words, lines=tuple(_lines(_moments(timeline, path), names)))


def frame_words(
    timeline: Timeline, number: FrameNumber, *, partition: TopicPartition | None = None
) -> OperatorWords:
    """The metrics after a frame, with what its branch has counted, and the log lines of its step.

    The step's log lines are those of its frames up to this one. Raises `IndexError` if no frame has
    this number, and `KeyError` for an unknown partition.
    """
    frame = timeline.frames[number]
    path = timeline.path(number)
    step = [one for one in path if timeline.frames[one].place.step == frame.place.step]
    return operator_words(
        frame.cluster,
        _moments(timeline, step),
        history=_moments(timeline, path),
        partition=partition,
    )


def _moments(timeline: Timeline, frames: Iterable[FrameNumber]) -> tuple[Moment, ...]:
    found = (timeline.frames[number] for number in frames)
    return tuple(
        Moment(timeline.frames[frame.parent].cluster, frame.cluster, frame.events, frame.frame)
        for frame in found
        if frame.parent is not None
    )


def _lines(
    moments: Iterable[Moment], partitions: Collection[TopicPartition]
) -> Iterator[OperatorLogLine]:
    for moment in moments:
        for line in log_lines(moment):
            if line.partition is None or line.partition in partitions:
                yield OperatorLogLine(
                    id=line.id,
                    frame=moment.frame,
                    component=line.form.component,
                    who=line.who,
                    level=line.form.level,
                    logger=line.form.logger,
                    parts=tuple(
                        LogLinePart(text=text, look_for=look_for)
                        for text, look_for in line.form.parts
                    ),
                    source=line.form.source,
                )


def _metric(
    cluster: ClusterState,
    registrations: Iterable[PartitionRegistration],
    reading: Reading,
    telling: int,
) -> OperatorMetric:
    """`telling` is the gauge's value, or what a meter has counted in the last moments."""
    metric = reading.metric
    note, says = _what_it_says(cluster, registrations, reading, telling)
    return OperatorMetric(
        name=metric.name,
        bean=metric.bean,
        source=reading.source,
        reporter=metric.reporter,
        counts=metric.counts,
        values=tuple(MetricValue(broker=broker, value=value) for broker, value in reading.values),
        says=says,
        value={lang: _value_in(lang, reading) for lang in LANGUAGES},
        note=None if note is None else {lang: _note_in(lang, note) for lang in LANGUAGES},
    )


_NEVER_ZERO = frozenset({"ActiveControllerCount", "ActiveBrokerCount"})
"""Gauges that are not 0 in a cluster in which nothing is wrong."""


def _what_it_says(
    cluster: ClusterState,
    registrations: Iterable[PartitionRegistration],
    reading: Reading,
    telling: int,
) -> tuple[Note | None, MetricSays]:
    if telling > 0 and reading.metric.name not in _NEVER_ZERO:
        return None, "shows"
    for registration in registrations:
        if has_trouble(cluster, registration):
            note = why_not_in(cluster, registration, reading)
            if note is not None:
                return note, "misses"
    return None, "quiet"


def _value_in(lang: str, reading: Reading) -> str:
    if not reading.values:
        return say(lang, _TEXTS, "on-none")
    if reading.metric.reporter == "controller":
        return say(lang, _TEXTS, "on-controller", value=reading.total)
    return _separator(lang).join(_by_value(lang, reading))


def _by_value(lang: str, reading: Reading) -> Iterator[str]:
    """The brokers with each value, the largest first; those with 0 only if no value is larger."""
    found = sorted(reading.values, key=lambda pair: (-pair[1], pair[0] or 0))
    for value, pairs in groupby(found, key=lambda pair: pair[1]):
        brokers = [broker for broker, _ in pairs]
        if len(brokers) == len(found) and len(found) > 1:
            yield say(lang, _TEXTS, "on-all", value=value)
        elif value > 0 or len(found) == 1:
            yield say(lang, _TEXTS, "on-brokers", value=value, count=len(brokers), brokers=brokers)


def _separator(lang: str) -> str:
    text = messages(lang, _TEXTS)["value-separator"].text
    assert text is not None
    return find_language(lang).fill(text, {})


def _note_in(lang: str, note: Note) -> str:
    return say(
        lang, _TEXTS, f"note-{note.code}", count=len(note.brokers), brokers=list(note.brokers)
    )


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
