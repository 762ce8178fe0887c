"""`run`: plays a scenario and prints it frame by frame. `describe`: prints its topics as Kafka's
own tool does. `compare`: finds where two versions of a run, or two scenarios, diverge. For all
commands: the scenario that is named, and its run.
"""

import argparse
import json
import sys
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import TextIO

from sim_engine.cluster.state import ClusterState
from sim_engine.command_line import (
    FILE_OR_ID,
    HOLDS,
    add_scenario,
    coloured,
    plain,
    print_json,
    run_by,
)
from sim_engine.documents.author_words import unrefuted_words
from sim_engine.documents.comparison import ComparisonDocument, comparison_document
from sim_engine.documents.frames import frame_document
from sim_engine.documents.runs import run_document, story_to
from sim_engine.documents.state import ProducedDocument, StateDocument
from sim_engine.error_texts import WrongInputError, error
from sim_engine.identifiers import NO_LEADER, BrokerId, topic_of
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.narration import sentence_of
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.releases import UnknownVersionError, at_least
from sim_engine.scenario_reader.document import Problem, Scenario, ScenarioError
from sim_engine.scenario_reader.log_notation import written_log
from sim_engine.scenario_reader.reader import (
    SCENARIO_LIMITS,
    decoded,
    load_shipped,
    read_scenario_file,
    read_scenario_text,
    read_source_file,
    shipped_names,
    shipped_text,
)
from sim_engine.scenario_reader.source import Source, read_source, step_pointer
from sim_engine.simulation.step_execution import LimitReachedError
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import UnknownRuleError

_ID_BYTES = 16


def describe_topics(cluster: ClusterState) -> str:
    """The lines of all topics, each with a line end. The id of a topic is made from its name."""
    return "".join(f"{line}\n" for line in _lines(cluster))


def _lines(cluster: ClusterState) -> Iterator[str]:
    version = cluster.profile.version
    for topic, partitions in groupby(
        cluster.controller.partitions, key=lambda one: topic_of(one.partition)
    ):
        of_topic = list(partitions)
        configs = dict(cluster.topic_configs).get(topic, ())
        columns = {
            "Topic": topic,
            "TopicId": _topic_id(topic) if at_least(version, (2, 8)) else None,
            "PartitionCount": str(len(of_topic)),
            "ReplicationFactor": str(_replication_factor(of_topic[0], version)),
            "Configs": ",".join(f"{name}={_written(value)}" for name, value in configs),
        }
        yield _row(columns, ": " if at_least(version, (2, 4)) else ":")
        for one in of_topic:
            yield "\t" + _row(_partition(one, version), ": ")


def _replication_factor(first: PartitionRegistration, version: tuple[int, ...]) -> int:
    """The number of replicas; from 2.4 without those that are being added
    (`TopicCommand.getReplicationFactor`).
    """
    adding = first.adding_replicas if at_least(version, (2, 4)) else ()
    return len(first.replicas) - len(adding)


def _partition(one: PartitionRegistration, version: tuple[int, ...]) -> dict[str, str | None]:
    none = "none" if at_least(version, (2, 2)) else "-1"
    moves = at_least(version, (2, 4)) and bool(one.adding_replicas or one.removing_replicas)
    has_elr = at_least(version, (3, 7))
    topic, _, number = one.partition.rpartition("-")
    return {
        "Topic": topic,
        "Partition": number,
        "Leader": none if one.leader == NO_LEADER else str(one.leader),
        "Replicas": _ids(one.replicas),
        "Isr": _ids(one.isr),
        "Adding Replicas": _ids(one.adding_replicas) if moves else None,
        "Removing Replicas": _ids(one.removing_replicas) if moves else None,
        "Elr": _ids(one.elr) if has_elr else None,
        "LastKnownElr": _ids(one.last_known_elr) if has_elr else None,
    }


def _row(columns: dict[str, str | None], after: str) -> str:
    return "\t".join(f"{name}{after}{text}" for name, text in columns.items() if text is not None)


def _ids(brokers: Iterable[BrokerId]) -> str:
    return ",".join(map(str, brokers))


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _topic_id(topic: str) -> str:
    name = topic.encode()[:_ID_BYTES].ljust(_ID_BYTES, b"\0")
    return urlsafe_b64encode(name).decode().rstrip("=")


def declare_run(parser: argparse.ArgumentParser) -> None:
    """Declare `run FILE|ID`: plays a scenario."""
    run_by(parser, _run)
    add_scenario(parser)
    parser.add_argument(
        "--control", metavar="C", help="zookeeper or kraft, for releases that support both"
    )
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=DEFAULT_LANGUAGE, help="language of the sentences"
    )


def _run(options: argparse.Namespace) -> int:
    scenario = find_scenario(options.scenario)
    timeline = play(scenario, options.kafka, options.control, name=options.scenario)
    if options.json:
        print_json(run_document(timeline))
    else:
        for line in run_lines(timeline, options.lang):
            print(line)
    return HOLDS


def run_lines(timeline: Timeline, language: str) -> Iterator[str]:
    """A run as text: every frame with its sentences, then the final state."""
    scenario = timeline.scenario
    profile = timeline.profile
    title = unrefuted_words(scenario, profile.kafka, profile.control)["title"]
    yield f"{title[language]} ({scenario.id})"
    yield f"Kafka {profile.kafka}, {profile.control}, {len(timeline.frames)} frames"
    yield ""
    titles = {step.step: step.title[language] for step in story_to(timeline, timeline.head)}
    item: int | None = None
    for frame in timeline.frames:
        if frame.item != item and frame.item is not None:
            item = frame.item
            yield f"{item:>5}  {coloured(titles.get(frame.place.step, ''), 'strong')}"
        for happened in frame.events[:1]:
            yield f"       {frame.frame:>4}  {sentence_of(happened, language)}"
        for happened in frame.events[1:]:
            yield f"             {sentence_of(happened, language)}"
    yield ""
    document = frame_document(timeline, timeline.head)
    yield from _final(document.state)
    for name, verdict in document.properties.items():
        if verdict.first_frame is None:
            continue
        if verdict.until_frame is None:
            yield coloured(f"{name} is violated, first in frame {verdict.first_frame}", "bad")
        else:
            yield (
                f"{name} was violated, first in frame {verdict.first_frame}; "
                f"holds since frame {verdict.until_frame}"
            )


def _final(state: StateDocument) -> Iterator[str]:
    for partition, registration in state.partitions.items():
        yield (
            f"{partition}  leader {registration.leader}, "
            f"leader epoch {registration.leader_epoch}, ISR {plain(registration.isr)}"
        )
        for broker, replica in state.replicas[partition].items():
            log = written_log((record.value, record.epoch) for record in replica.log)
            cache = replica.epoch_cache
            pairs = None if cache is None else [f"{epoch}→{first}" for epoch, first in cache]
            epochs = "" if pairs is None else f", epochs {plain(pairs)}"
            yield (
                f"  broker {broker}  {replica.broker_state} {replica.role}  "
                f"[{log}]  log end {replica.log_end_offset}, "
                f"high watermark {plain(replica.high_watermark)}{epochs}"
            )
    for produced in state.clients.produced:
        error = f" {produced.error}" if produced.error else ""
        yield (
            f"{produced.value}  from {produced.as_} to {produced.partition}, "
            f"acks={produced.acks}: {produced.outcome}{error}{_fate(produced)}"
        )


def _fate(produced: ProducedDocument) -> str:
    """The fate of a record, unless it is safe."""
    if produced.fate in ("at_risk", "lost"):
        word = produced.fate.replace("_", " ")
        last = produced.lost_frame if produced.fate == "lost" else None
        gone = (
            f", last copy lost in frame {last}" if last not in (None, produced.fate_frame) else ""
        )
        return f", {word} since frame {produced.fate_frame}{gone}"
    return f", last copy lost in frame {produced.lost_frame}" if produced.lost_frame else ""


def declare_describe(parser: argparse.ArgumentParser) -> None:
    """Declare `describe FILE|ID [--step N]`: prints a state as `kafka-topics --describe` does."""
    run_by(parser, _describe)
    add_scenario(parser)
    parser.add_argument(
        "--step", metavar="N", type=int, help="after this step of the story; 0 is the start"
    )


def _describe(options: argparse.Namespace) -> int:
    scenario = find_scenario(options.scenario)
    timeline = play(scenario, options.kafka, None, name=options.scenario)
    frames = [step.last_frame for step in story_to(timeline, timeline.head)]
    asked = len(frames) - 1 if options.step is None else options.step
    if not 0 <= asked < len(frames):
        raise WrongInputError(f"--step must be from 0 to {len(frames) - 1}, not {asked}")
    text = describe_topics(timeline.frames[frames[asked]].cluster)
    if options.json:
        print_json({"step": asked, "frame": frames[asked], "text": text})
    else:
        print(text, end="")
    return HOLDS


def declare_compare(parser: argparse.ArgumentParser) -> None:
    """Declare `compare FILE --kafka A --kafka B` or `--with FILE`: finds where two runs diverge."""
    run_by(parser, _compare)
    add_scenario(parser, kafka=False)
    parser.add_argument(
        "--kafka",
        metavar="V",
        action="append",
        default=[],
        help="a Kafka version; required twice, or with --with optional once",
    )
    parser.add_argument(
        "--with",
        dest="other",
        metavar=FILE_OR_ID,
        help="compare with this scenario, under the same version and controller",
    )


def _compare(options: argparse.Namespace) -> int:
    if options.other is None:
        one, other = _two_versions(options)
        names = [f"Kafka {run.profile.kafka} ({run.profile.control})" for run in (one, other)]
    else:
        one, other = _two_scenarios(options)
        names = [options.scenario, options.other]
    document = comparison_document(one, other)
    if options.json:
        print_json(document)
        return HOLDS
    if options.other is not None:
        print(f"Kafka {one.profile.kafka} ({one.profile.control})")
    for line in comparison_lines(document, names):
        print(line)
    return HOLDS


def _two_versions(options: argparse.Namespace) -> tuple[Timeline, Timeline]:
    if len(options.kafka) != 2:
        raise WrongInputError(
            "compare needs two versions, --kafka A --kafka B, or another scenario, --with FILE|ID"
        )
    scenario = find_scenario(options.scenario)
    one, other = (play(scenario, kafka, None, name=options.scenario) for kafka in options.kafka)
    return one, other


def _two_scenarios(options: argparse.Namespace) -> tuple[Timeline, Timeline]:
    if len(options.kafka) > 1:
        raise WrongInputError("compare --with accepts one version, used for both scenarios")
    scenario, other = find_scenario(options.scenario), find_scenario(options.other)
    kafka = options.kafka[0] if options.kafka else None
    run = play(scenario, kafka, None, name=options.scenario)
    profile = run.profile
    return run, play(other, profile.kafka, profile.control, name=options.other)


def comparison_lines(document: ComparisonDocument, names: Sequence[str]) -> Iterator[str]:
    """A comparison as text; `names` are those of the two runs."""
    if document.start:
        yield f"{names[0]} and {names[1]} start with different {', '.join(document.start)}"
    parting = document.parting
    if parting is not None:
        yield f"{names[0]} and {names[1]} take different steps"
        frames, steps = (parting.frame_a, parting.frame_b), (parting.steps_a, parting.steps_b)
        for name, frame, done in zip(names, frames, steps, strict=True):
            yield f"  {name}, up to frame {frame}:"
            lines = [json.dumps(step, ensure_ascii=False) for step in done]
            yield from (f"    {line}" for line in lines or ["no more steps"])
    if document.where is None:
        yield f"{names[0]} and {names[1]} do not differ"
    else:
        yield f"{names[0]} and {names[1]} diverge {_ended(document, names)}"
        yield f"  {document.where}"
        yield f"  {names[0]}, frame {document.frame_a}: {plain(document.a)}"
        yield f"  {names[1]}, frame {document.frame_b}: {plain(document.b)}"
    loss, other_property = document.loss, document.property
    for one_sided in (loss, None if other_property == loss else other_property):
        if one_sided is not None:
            name = names["ab".index(one_sided.violated_in)]
            since = one_sided.first_frame
            yield f"{one_sided.name} is violated only in {name}, since frame {since}"


def _ended(document: ComparisonDocument, names: Sequence[str]) -> str:
    """The description of the steps after which runs diverge, by their numbers in one file or in two
    files.
    """
    items = (document.item, document.item_b)
    if items == (None, None):
        return "at the start"
    if document.parting is None:
        return f"at the end of step {items[0]}"
    ended = [
        f"step {item} of {name}"
        for item, name in zip(items, names, strict=True)
        if item is not None
    ]
    return f"at the end of {', '.join(ended)}"


STANDARD_INPUT = "-"
_MOST_BYTES = SCENARIO_LIMITS["scenario_bytes"]


def find_scenario(name: str) -> Scenario:
    """The scenario in a file or in standard input, or the shipped one with this id or alias. Raises
    `WrongInputError` if there is neither, and `ScenarioError` for an invalid file.
    """
    if name == STANDARD_INPUT:
        return read_scenario_text(_given(sys.stdin), filename=name)
    path = Path(name)
    if path.exists():
        return read_scenario_file(path)
    try:
        return load_shipped(name)
    except KeyError:
        close = get_close_matches(name, shipped_names(), n=1)
        if path.suffix or len(path.parts) > 1:
            raise WrongInputError(f"{name}: no such file") from None
        right = (
            f"; did you mean {close[0]}?" if close else "; run `list` to see the shipped scenarios"
        )
        raise WrongInputError(f"{name}: no such file or shipped scenario{right}") from None


@lru_cache(maxsize=1)
def _given(stream: TextIO) -> str:
    """The text of standard input, which can be read once but named several times. Raises
    `ScenarioError`.
    """
    return decoded(stream.buffer.read(_MOST_BYTES + 1), Path(STANDARD_INPUT))


def play(scenario: Scenario, kafka: str | None, control: str | None, *, name: str) -> Timeline:
    """Play all steps of a scenario under a version, with the scenario's controller if the version
    supports it.

    Raises `WrongInputError` for an unknown version, and `ScenarioError` if the run becomes too
    long. `name` is the scenario's name in errors.
    """
    timeline = start(scenario, kafka, control, name=name)
    try:
        timeline.run_all()
    except LimitReachedError as reached:
        reason = error("run_too_long", most=reached.value, name=reached.limit)
        where = step_pointer(reached.item)
        line, column = source_of(scenario, name).place(where) or (None, None)
        problem = Problem(where=where, reason=reason, line=line, column=column)
        raise ScenarioError((problem,), filename=name) from None
    return timeline


def source_of(scenario: Scenario, name: str) -> Source:
    """The text that a scenario was read from, with the places of its parts; empty if unknown."""
    if name == STANDARD_INPUT:
        return read_source(_given(sys.stdin))
    path = Path(name)
    if path.exists():
        return read_source_file(path)
    shipped = scenario.chapter is not None
    return read_source(shipped_text(scenario)) if shipped else Source(document=None)


def start(scenario: Scenario, kafka: str | None, control: str | None, *, name: str) -> Timeline:
    """The initial timeline of a scenario under a version. Raises `WrongInputError` for an unknown
    version or rule.
    """
    try:
        return Timeline(scenario, kafka=kafka, control=control)
    except (UnknownVersionError, UnknownRuleError) as wrong:
        raise WrongInputError(f"{name}: {wrong}") from None
