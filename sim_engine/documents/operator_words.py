"""What an operator sees in a state: the metrics that a cluster of its release reports, and the log
lines that it prints at some events. A page or a report shows it as it is; it applies no rule."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import BrokerId, FrameNumber, TopicPartition
from sim_engine.json_types import Document
from sim_engine.languages.library import LANGUAGES, find_language, messages, say
from sim_engine.operator_words.gauges import (
    Moment,
    Note,
    Reading,
    has_trouble,
    read_metrics,
    why_not_in,
)
from sim_engine.operator_words.log_lines import Component, Level
from sim_engine.operator_words.metrics import Reporter
from sim_engine.operator_words.spoken import log_lines
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.scenario_reader.document import Text
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import Control

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
