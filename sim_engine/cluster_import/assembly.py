"""Builds the scenario that starts from the state described by a cluster's tools and files:
determines its release and controller, and selects the partitions and brokers that fit, and their
names."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from sim_engine.actions.base import MAX_BROKER_ID, MAX_BROKERS, name_of
from sim_engine.actions.steps import Crash, Detect
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.logs import Replicas, replicas_of, starting_logs
from sim_engine.cluster_import.parsed_state import (
    ClusterFile,
    ImportProblem,
    LogFacts,
    ParsedPartition,
    ParsedState,
    Partition,
    Problems,
    Statement,
    UnreadableError,
)
from sim_engine.cluster_import.tool_output import settings_named
from sim_engine.configs import ConfigValue, Level, WrongConfigError, check_config
from sim_engine.error_texts.wording import error
from sim_engine.identifiers import BrokerId
from sim_engine.json_types import JsonObject
from sim_engine.left_out import LeftOut, find_left_out
from sim_engine.releases import Number, at_least, newest_of_lines, number_of
from sim_engine.scenario_reader.document import MAX_PARTITIONS, Scenario, ScenarioError, StepJson
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.versions import Control, resolve_profile


class ReleaseFound(Struct, frozen=True):
    """A release by the name of its line, and a controller if it supports two."""

    kafka: str
    control: Control | None


def find_kafka(parsed: ParsedState, asked: str | None) -> ReleaseFound:
    """Return the requested release, otherwise the newest one that matches the input. A guess is
    added to the assumptions.

    Raises `UnknownVersionError` for an unknown release.
    """
    control = _control(parsed)
    if asked is not None:
        return ReleaseFound(asked, _where_it_was_a_choice(asked, control))
    since = max(map(number_of, parsed.since), default=number_of("0.8.2"))
    until = min(map(number_of, parsed.until), default=None)
    lines = [line for line in newest_of_lines() if _fits(line.number, since, until, control)]
    if not lines:  # if tools and brokers have different versions, the brokers' files count
        lines = [line for line in newest_of_lines() if _fits(line.number, since, None, control)]
    kafka = lines[-1].name if lines else newest_of_lines()[-1].name
    parsed.assume("release", kafka=kafka, oldest=".".join(map(str, since)))
    return ReleaseFound(kafka, _where_it_was_a_choice(kafka, control))


def _control(parsed: ParsedState) -> Control | None:
    """The kind of controller; input that exists only under KRaft determines it."""
    if "kraft" in parsed.controls:
        return "kraft"
    return "zookeeper" if "zookeeper" in parsed.controls else None


def _fits(number: Number, since: Number, until: Number | None, control: Control | None) -> bool:
    if not at_least(number, since) or (until is not None and at_least(number, until)):
        return False
    if control == "zookeeper":
        return not at_least(number, (4, 0))
    return control is None or at_least(number, (2, 8))


def _where_it_was_a_choice(kafka: str, control: Control | None) -> Control | None:
    own = resolve_profile(kafka).control
    if control is None or control == own:
        return None
    number = number_of(kafka)
    both = at_least(number, (2, 8)) and not at_least(number, (4, 0))
    return control if both else None


class Selection(Struct, frozen=True):
    """The selected partitions by topic and number, and the ids of their brokers."""

    partitions: Mapping[Partition, ParsedPartition]
    ids: Mapping[BrokerId, BrokerId]
    """Broker id in the cluster → id in the scenario."""


def select(parsed: ParsedState, replicas: Replicas, topics: Collection[str]) -> Selection:
    """Select everything that fits. Omissions and renamings are added to the assumptions.

    Raises `UnreadableError` if no partition can be selected.
    """
    described = dict(parsed.partitions) or _from_logs(parsed, replicas)
    wanted = _of_topics(parsed, described, topics)
    if not wanted:
        raise UnreadableError([_nothing_to_start_from(topics, described)])
    kept: dict[Partition, ParsedPartition] = {}
    brokers: set[BrokerId] = set()
    for partition in sorted(wanted, key=lambda name: _interest(name, wanted[name], replicas)):
        of_partition = set(wanted[partition].replicas)
        if len(kept) < MAX_PARTITIONS and len(brokers | of_partition) <= MAX_BROKERS:
            kept[partition] = wanted[partition]
            brokers |= of_partition
    if len(kept) < len(wanted):
        parsed.assume("partitions_left_out", count=len(wanted) - len(kept), kept=len(kept))
    for broker in sorted(parsed.brokers):
        if len(brokers) < MAX_BROKERS:
            brokers.add(broker)
    return Selection({name: kept[name] for name in sorted(kept)}, _ids(parsed, sorted(brokers)))


def _nothing_to_start_from(
    topics: Collection[str], described: Mapping[Partition, ParsedPartition]
) -> ImportProblem:
    if topics and described:
        known = tuple(sorted({name.topic for name in described}))
        reason = error("import_without_topic", name=tuple(sorted(topics)), names=known)
    else:
        reason = error("import_without_partition")
    return ImportProblem(file="import", line=1, reason=reason)


def _from_logs(parsed: ParsedState, replicas: Replicas) -> dict[Partition, ParsedPartition]:
    """Partitions known only from the brokers' folders: every broker with a log is a replica, and
    every replica with all records below the high watermark is assumed to be in the ISR.
    """
    partitions: dict[Partition, ParsedPartition] = {}
    for partition, facts in sorted(replicas.items()):
        ids = tuple(sorted(facts))
        ends = {
            broker: max(
                [
                    *(offset + 1 for offset in fact.records),
                    fact.first or 0,
                    fact.high_watermark or 0,
                    fact.recovery_point or 0,
                    *(start for _, start in fact.epochs or ()),
                ]
            )
            for broker, fact in facts.items()
        }
        committed = max(fact.high_watermark or 0 for fact in facts.values())
        isr = tuple(broker for broker in ids if ends[broker] >= committed)
        newest = {
            broker: max(
                [
                    *(record.epoch or 0 for record in fact.records.values()),
                    *(epoch for epoch, _ in fact.epochs or ()),
                    0,
                ]
            )
            for broker, fact in facts.items()
        }
        leader = max(isr or ids, key=lambda broker: (newest[broker], ends[broker], -broker))
        partitions[partition] = ParsedPartition(replicas=ids, leader=leader, isr=isr or ids)
        parsed.assume(
            "not_described",
            partition=str(partition),
            replicas=list(ids),
            leader=leader,
            isr=list(isr or ids),
        )
    return partitions


def _of_topics(
    parsed: ParsedState, described: Mapping[Partition, ParsedPartition], topics: Collection[str]
) -> dict[Partition, ParsedPartition]:
    if topics:
        return {name: about for name, about in described.items() if name.topic in topics}
    own = {name: about for name, about in described.items() if not name.topic.startswith("__")}
    internal = sorted({name.topic for name in described} - {name.topic for name in own})
    if own and internal:
        parsed.assume("internal_topics", topics=internal)
    return own or dict(described)


def _interest(
    name: Partition, about: ParsedPartition, replicas: Replicas
) -> tuple[bool, bool, Partition]:
    """The sort key for partitions: those with dumped logs first, then those in an unusual state."""
    whole = about.leader != -1 and set(about.isr or about.replicas) == set(about.replicas)
    return (name not in replicas, whole, name)


def _ids(parsed: ParsedState, brokers: Sequence[BrokerId]) -> dict[BrokerId, BrokerId]:
    numbers = map(BrokerId, range(1, MAX_BROKER_ID))
    free = (number for number in numbers if number not in brokers)
    ids = {broker: broker if broker <= MAX_BROKER_ID else next(free) for broker in sorted(brokers)}
    for broker, called in ids.items():
        if broker != called:
            parsed.assume("renamed_broker", broker=broker, called=called)
    return ids


_CRASH, _DETECT = name_of(Crash), name_of(Detect)

_RACK_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


class ImportedCluster(Struct, frozen=True):
    """A scenario, the interpretation of each part of the input, and the assumptions."""

    scenario: Scenario
    understood: tuple[Statement, ...]
    unknown: tuple[Statement, ...]


def import_cluster(
    files: Sequence[ClusterFile], *, kafka: str | None = None, topics: Collection[str] = ()
) -> ImportedCluster:
    """Convert the output of a cluster's tools and its brokers' files to a scenario.

    `kafka` is the cluster's release, if known; `topics` are the topics to include (default: all
    except internal ones). Raises `UnreadableError`, which names every line that cannot be parsed,
    and `UnknownVersionError` for an unknown release.
    """
    problems = Problems()
    parsed = read_files(files, problems)
    problems.stop()
    replicas = replicas_of(parsed, problems)
    problems.stop()
    selection = select(parsed, replicas, topics)
    release = find_kafka(parsed, kafka)
    document = _document(parsed, replicas, selection, release)
    try:
        scenario = read_scenario_document(document)
    except ScenarioError as wrong:
        raise UnreadableError(
            [
                ImportProblem(
                    file="import",
                    line=1,
                    reason=error("import_inconsistent", name=problem.where, reason=problem.reason),
                )
                for problem in wrong.problems
            ]
        ) from None
    return ImportedCluster(scenario, tuple(parsed.understood), tuple(parsed.unknown))


def _document(
    parsed: ParsedState, replicas: Replicas, selection: Selection, release: ReleaseFound
) -> dict[str, object]:
    has_epochs = resolve_profile(release.kafka, control=release.control).has_epochs
    topics: list[JsonObject] = []
    steps: list[StepJson] = []
    for topic, of_topic in groupby(selection.partitions, key=lambda name: name.topic):
        partitions: list[JsonObject] = []
        for name in of_topic:
            called = Partition(topic, len(partitions))
            if name != called:
                parsed.assume("renamed_partition", partition=str(name), called=str(called))
            partitions.append(
                _partition(parsed, selection, name, replicas.get(name, {}), has_epochs=has_epochs)
            )
            steps += _steps_to_state(parsed, selection, name, steps)
        configs = _configs(parsed, parsed.topic_configs.get(topic, {}), "topic", release, topic)
        topics.append(
            {"name": topic, **({"configs": configs} if configs else {}), "partitions": partitions}
        )
    _say_the_rest(parsed, selection)
    return {
        "scenario": 1,
        "id": "imported-cluster",
        "title": Statement("title").texts(),
        "kafka": release.kafka,
        **({"control": release.control} if release.control else {}),
        "brokers": _brokers(parsed, selection),
        "configs": _cluster_configs(parsed, selection, release),
        "topics": topics,
        "steps": steps,
    }


def _brokers(parsed: ParsedState, selection: Selection) -> list[BrokerId] | dict[str, object]:
    racks = {
        called: "".join(c if c in _RACK_CHARACTERS else "_" for c in parsed.racks[broker][:32])
        for broker, called in selection.ids.items()
        if parsed.racks.get(broker)
    }
    if not racks:
        return sorted(selection.ids.values())
    return {
        str(called): {"rack": racks[called]} if called in racks else {}
        for called in sorted(selection.ids.values())
    }


def _cluster_configs(
    parsed: ParsedState, selection: Selection, release: ReleaseFound
) -> dict[str, ConfigValue]:
    """The cluster's settings, including those of its brokers; if brokers differ, the first one
    counts.
    """
    of_cluster: dict[str, str] = dict(parsed.cluster_configs)
    differing: set[str] = set()
    of_brokers: dict[str, str] = {}
    for broker in sorted(set(parsed.broker_configs) & selection.ids.keys()):
        for name, value in parsed.broker_configs[broker].items():
            if of_brokers.setdefault(name, value) != value:
                differing.add(name)
    configs = _configs(parsed, of_cluster | of_brokers, "broker", release, "")
    for name in sorted(differing & configs.keys()):
        parsed.assume("configs_differ", setting=name, value=configs[name])
    return configs


def _configs(
    parsed: ParsedState,
    settings: Mapping[str, str],
    level: Level,
    release: ReleaseFound,
    topic: str,
) -> dict[str, ConfigValue]:
    configs: dict[str, ConfigValue] = {}
    left_out: list[str] = []
    of_rows: dict[LeftOut, list[str]] = {}
    for name, value in settings_named(dict(settings)):
        try:
            configs[name] = check_config(name, value, level=level, kafka=release.kafka)
        except WrongConfigError:
            row = find_left_out(name)
            (left_out if row is None else of_rows.setdefault(row, [])).append(name)
    for row, names in of_rows.items():
        parsed.leave_out(row, names)
    if left_out and level == "topic":
        parsed.assume("topic_configs_left_out", topic=topic, names=left_out)
    elif left_out:
        parsed.assume("configs_left_out", count=len(left_out))
    return configs


def _partition(
    parsed: ParsedState,
    selection: Selection,
    name: Partition,
    facts: Mapping[BrokerId, LogFacts],
    *,
    has_epochs: bool,
) -> JsonObject:
    about = selection.partitions[name]
    isr, leader = _start_of(about)
    logs, leader_epoch = starting_logs(
        parsed, name, facts, leader, isr, about.replicas, has_epochs=has_epochs
    )
    parsed.assume("leader_epoch", partition=str(name), epoch=leader_epoch)
    document: JsonObject = {
        "replicas": [selection.ids[broker] for broker in about.replicas],
        "leader": selection.ids[leader],
        "leader_epoch": leader_epoch,
        "isr": [selection.ids[broker] for broker in isr],
    }
    if logs:
        document["logs"] = {str(selection.ids[broker]): log for broker, log in logs.items()}
    return document


def _start_of(about: ParsedPartition) -> tuple[tuple[BrokerId, ...], BrokerId]:
    """The initial ISR and leader, before the steps that lead to the described state.

    A scenario starts with a leader and without an ELR. If the cluster has no leader, or has an ELR,
    the replicas concerned start as the leader or in the ISR, and steps remove them.
    """
    before = tuple(dict.fromkeys((*(about.isr or ()), *about.elr)))
    isr = tuple(broker for broker in before if broker in about.replicas)
    if about.leader in about.replicas:
        assert about.leader is not None, "the leader is one of the replicas"
        return isr if about.leader in isr else (about.leader, *isr), about.leader
    known = [broker for broker in about.last_known_elr if broker in isr]
    leader = (known or isr or about.replicas)[0]
    return isr or (leader,), leader


def _steps_to_state(
    parsed: ParsedState, selection: Selection, name: Partition, earlier: Sequence[StepJson]
) -> list[StepJson]:
    """The crashes that lead from the start to a partition without a leader, or with an ELR."""
    about = selection.partitions[name]
    isr, leader = _start_of(about)
    gone = [broker for broker in isr if broker in about.elr and broker != leader]
    if about.leader == -1:
        gone += [broker for broker in isr if broker not in gone and broker != leader]
        gone.append(leader)
    down = {step[_CRASH]["broker"] for step in earlier if _CRASH in step}
    steps: list[StepJson] = []
    for broker in dict.fromkeys(gone):
        called = selection.ids[broker]
        if called not in down:
            steps += [{_CRASH: {"broker": called}}, {_DETECT: {"broker": called}}]
    if gone:
        called_brokers = [selection.ids[broker] for broker in dict.fromkeys(gone)]
        parsed.assume("crashed_to_state", partition=str(name), brokers=called_brokers)
    return steps


def _say_the_rest(parsed: ParsedState, selection: Selection) -> None:
    """Report the state that no tool prints."""
    in_an_isr = {
        broker
        for about in selection.partitions.values()
        for broker in (*(about.isr or ()), *about.elr, about.leader)
    }
    replicas = {broker for about in selection.partitions.values() for broker in about.replicas}
    outside = [selection.ids[broker] for broker in sorted(replicas - in_an_isr)]
    if outside:
        parsed.assume("running", brokers=outside)
    parsed.assume("memory")
