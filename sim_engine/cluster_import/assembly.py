"""Builds the scenario that starts from the state described by a cluster's tools and files: selects
the partitions and brokers that fit, and their names."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sim_engine.actions.base import MAX_BROKER_ID, MAX_BROKERS
from sim_engine.cluster.start import start_cluster
from sim_engine.cluster_import.conclusions import ReleaseFound, conclude, releases_for
from sim_engine.cluster_import.file_reader import read_files
from sim_engine.cluster_import.logs import MOST_KEPT, Replicas, replicas_of, starting_logs
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
from sim_engine.error_texts import Wording, error
from sim_engine.identifiers import NO_LEADER, BrokerId
from sim_engine.json_types import JsonObject
from sim_engine.left_out import LeftOut, find_left_out
from sim_engine.scenario_reader.document import MAX_PARTITIONS, Problem, Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.scenario_reader.version import profile_for
from sim_engine.versions import resolve_profile


class Selection(Struct, frozen=True):
    """The selected partitions by topic and number, and the ids of their brokers."""

    partitions: Mapping[Partition, ParsedPartition]
    ids: Mapping[BrokerId, BrokerId]
    """Broker id in the cluster → id in the scenario."""


def select(parsed: ParsedState, replicas: Replicas, topics: Collection[str]) -> Selection:
    """Select everything that fits. Omissions and renamings are added to the assumptions.

    Raises `UnreadableError` if no partition can be selected.
    """
    described = described_partitions(parsed, replicas)
    wanted = _of_topics(parsed, described, topics)
    if not wanted:
        raise UnreadableError([_nothing_to_start_from(parsed, topics, described)])
    kept: dict[Partition, ParsedPartition] = {}
    brokers: set[BrokerId] = set()
    for partition in sorted(wanted, key=lambda name: _interest(name, wanted[name], replicas)):
        of_partition = _brokers_of(wanted[partition])
        if len(kept) < MAX_PARTITIONS and len(brokers | of_partition) <= MAX_BROKERS:
            kept[partition] = wanted[partition]
            brokers |= of_partition
    if len(kept) < len(wanted):
        parsed.assume("partitions_left_out", count=len(wanted) - len(kept), kept=len(kept))
    for broker in sorted(parsed.brokers):
        if len(brokers) < MAX_BROKERS:
            brokers.add(broker)
    return Selection({name: kept[name] for name in sorted(kept)}, _ids(parsed, sorted(brokers)))


def described_partitions(
    parsed: ParsedState, replicas: Replicas
) -> dict[Partition, ParsedPartition]:
    """The partitions that a tool describes, otherwise those of which there are logs."""
    return dict(parsed.partitions) or _from_logs(parsed, replicas)


def _brokers_of(about: ParsedPartition) -> set[BrokerId]:
    """The replicas of a partition, and brokers that a reassignment has left in its lists."""
    return {*about.replicas, *(about.isr or ()), *about.elr, *about.last_known_elr}


def _nothing_to_start_from(
    parsed: ParsedState, topics: Collection[str], described: Mapping[Partition, ParsedPartition]
) -> ImportProblem:
    if topics and described:
        known = tuple(sorted({name.topic for name in described}))
        reason = error("import_without_topic", name=tuple(sorted(topics)), names=known)
    elif parsed.understood:
        first = parsed.understood[0]
        what = Wording(first.name, first.numbers, "cluster_import")
        reason = error("import_describes_none", what=what)
        return ImportProblem(file=first.file or "import", line=first.line or 1, reason=reason)
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
    whole = about.leader != NO_LEADER and set(about.isr or about.replicas) == set(about.replicas)
    return (name not in replicas, whole, name)


def _ids(parsed: ParsedState, brokers: Sequence[BrokerId]) -> dict[BrokerId, BrokerId]:
    numbers = map(BrokerId, range(1, MAX_BROKER_ID))
    free = (number for number in numbers if number not in brokers)
    ids = {broker: broker if broker <= MAX_BROKER_ID else next(free) for broker in sorted(brokers)}
    for broker, called in ids.items():
        if broker != called:
            parsed.assume("renamed_broker", broker=broker, called=called)
    return ids


_ELR = "KIP-966"
_MIN_ISR = "min.insync.replicas"
_RACK_LENGTH = 32
_RACK_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


class ImportedCluster(Struct, frozen=True):
    """A scenario, the interpretation of each part of the input, and the assumptions."""

    scenario: Scenario
    release: ReleaseFound
    understood: tuple[Statement, ...]
    unknown: tuple[Statement, ...]
    not_used: tuple[Statement, ...]
    differences: tuple[Statement, ...]
    """What the start does not keep of the described state."""


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
    return assemble(parsed, kafka=kafka, topics=topics)


def assemble(
    parsed: ParsedState, *, kafka: str | None = None, topics: Collection[str] = ()
) -> ImportedCluster:
    """Convert what was read to a scenario. The arguments and the errors are those of
    `import_cluster`. Completes the partitions of `parsed`, and adds assumptions to it.
    """
    problems = Problems()
    conclude(parsed)
    replicas = replicas_of(parsed, problems)
    problems.stop()
    releases = releases_for(parsed, kafka)
    selection = select(parsed, replicas, topics)
    aside: list[Statement] = []
    while True:
        tried = _try_releases(parsed, replicas, selection, releases, guessed=kafka is None)
        if isinstance(tried, ImportedCluster):
            return replace(tried, differences=(*aside, *tried.differences))
        left, omitted = _set_aside(parsed, selection, tried)
        if not left.partitions or not omitted:
            problem_of = [_problem_of(selection, problem) for problem in tried.problems]
            raise UnreadableError(problem_of)
        selection = left
        aside += omitted


def _try_releases(
    parsed: ParsedState,
    replicas: Replicas,
    selection: Selection,
    releases: Sequence[ReleaseFound],
    *,
    guessed: bool,
) -> ImportedCluster | ScenarioError:
    """The scenario of the first release that can be in the described state, otherwise what is
    wrong with it in the first one.
    """
    first: ScenarioError | None = None
    for release in releases:
        tried = replace(parsed, unknown=[*parsed.unknown])
        if guessed and release.oldest != release.newest:
            tried.assume("release", kafka=release.kafka, oldest=release.oldest)
        try:
            scenario = read_scenario_document(start_document(tried, replicas, selection, release))
        except ScenarioError as wrong:
            first = first or wrong
            if any(problem.code != "impossible_start" for problem in wrong.problems):
                break
            continue
        return ImportedCluster(
            scenario,
            release,
            tuple(parsed.understood),
            tuple(_about(parsed, selection, tried.unknown)),
            tuple(parsed.not_used),
            tuple(differences(selection, scenario)),
        )
    assert first is not None, "at least one release was tried"
    return first


def _about(
    parsed: ParsedState, selection: Selection, statements: Sequence[Statement]
) -> Iterator[Statement]:
    """The statements, without those about partitions that do not fit."""
    omitted = {str(name) for name in parsed.partitions.keys() - selection.partitions.keys()}
    for statement in statements:
        if statement.numbers.get("partition") not in omitted:
            yield statement


_NOT_ELECTED = frozenset({"start_would_be_elected", "start_elr_would_be_elected"})
"""Why a partition without a leader is none that a history of the engine leads to, although one of
Kafka does: its replica is on a log directory that is offline (KIP-112, KIP-858), its broker shuts
down, or the controller has not elected yet.
"""


def _set_aside(
    parsed: ParsedState, selection: Selection, wrong: ScenarioError
) -> tuple[Selection, list[Statement]]:
    """The selection without the partitions that wait for a broker which runs, and a statement about
    each of them. Nothing is omitted if anything else is wrong.
    """
    if any(problem.reason.code not in _NOT_ELECTED for problem in wrong.problems):
        return selection, []
    omitted: dict[Partition, Statement] = {}
    for problem in wrong.problems:
        name = _partition_at(selection, problem.where)
        if name is not None:
            about = selection.partitions[name]
            numbers = {"partition": str(name), "broker": problem.reason.values["broker"]}
            omitted[name] = Statement("set_aside", numbers, about.file, about.line, about.line)
    left = {name: about for name, about in selection.partitions.items() if name not in omitted}
    brokers = {broker for about in left.values() for broker in _brokers_of(about)}
    ids = {one: called for one, called in selection.ids.items() if one in brokers | parsed.brokers}
    return Selection(left, ids), list(omitted.values())


def _partition_at(selection: Selection, where: str) -> Partition | None:
    """The partition whose description is at a JSON Pointer of the document."""
    topics = groupby(selection.partitions, key=lambda name: name.topic)
    for topic, (_, of_topic) in enumerate(topics):
        for number, name in enumerate(of_topic):
            if where.startswith(f"/topics/{topic}/partitions/{number}/"):
                return name
    return None


def _problem_of(selection: Selection, problem: Problem) -> ImportProblem:
    """A problem of the scenario, at the line that describes the partition which it is in."""
    name = _partition_at(selection, problem.where)
    about = None if name is None else selection.partitions[name]
    if about is not None and about.file is not None:
        reason = error("import_impossible", name=str(name), reason=problem.reason)
        return ImportProblem(file=about.file, line=about.line or 1, reason=reason)
    reason = error("import_inconsistent", name=problem.where, reason=problem.reason)
    return ImportProblem(file="import", line=1, reason=reason)


def differences(selection: Selection, scenario: Scenario) -> Iterator[Statement]:
    """Compare each described partition with what the controller has at the scenario's start."""
    cluster = start_cluster(scenario, profile_for(scenario))
    starts = zip(selection.partitions.items(), cluster.controller.partitions, strict=True)
    for (name, about), start in starts:
        if about.file is None:
            continue
        kept_columns = _columns(
            ParsedPartition(
                replicas=start.replicas,
                leader=start.leader,
                isr=start.isr,
                elr=start.elr,
                last_known_elr=start.last_known_elr,
                adding=start.adding_replicas,
                removing=start.removing_replicas,
            ),
            {},
        )
        for column, wanted in _columns(about, selection.ids).items():
            kept = kept_columns[column]
            if wanted != kept:
                numbers = {
                    "partition": str(name),
                    "column": column,
                    "printed": ",".join(wanted) or "–",
                    "kept": ",".join(kept) or "–",
                }
                yield Statement("difference", numbers, about.file, about.line, about.line)


def _columns(
    about: ParsedPartition, ids: Mapping[BrokerId, BrokerId]
) -> dict[str, tuple[str, ...]]:
    columns = {
        "Leader": (NO_LEADER if about.leader is None else about.leader,),
        "Replicas": about.replicas,
        "Isr": about.isr or (),
        "Elr": about.elr,
        "LastKnownElr": about.last_known_elr,
        "Adding Replicas": about.adding,
        "Removing Replicas": about.removing,
    }
    return {
        name: tuple(str(ids.get(broker, broker)) for broker in brokers)
        for name, brokers in columns.items()
    }


def start_document(
    parsed: ParsedState, replicas: Replicas, selection: Selection, release: ReleaseFound
) -> dict[str, object]:
    """The scenario without steps of which frame 0 is the state of the selected partitions."""
    profile = resolve_profile(release.kafka, control=release.control)
    has_epochs = profile.has_epochs
    topics: list[JsonObject] = []
    elr_enabled = profile.rules.eligible_leader_replicas
    switched = parsed.elr_enabled is not None and parsed.elr_enabled is not elr_enabled
    rules = {_ELR: parsed.elr_enabled} if switched else {}
    if switched:
        parsed.assume("elr_on" if parsed.elr_enabled else "elr_off", kafka=release.kafka)
    for topic, of_topic in groupby(selection.partitions, key=lambda name: name.topic):
        partitions: list[JsonObject] = []
        following = 0
        for name in of_topic:
            number = {} if name.number == following else {"number": name.number}
            described = _partition(
                parsed, selection, name, replicas.get(name, {}), has_epochs=has_epochs
            )
            partitions.append({**number, **described})
            following = name.number + 1
        configs = configs_of(parsed, parsed.topic_configs.get(topic, {}), "topic", release, topic)
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
        "rules": rules,
        "brokers": _brokers(parsed, selection),
        "configs": cluster_configs(parsed, selection, release),
        "topics": topics,
        "steps": [],
    }


def _brokers(parsed: ParsedState, selection: Selection) -> list[BrokerId] | dict[str, object]:
    racks = {
        called: rack_name(parsed.racks[broker])
        for broker, called in selection.ids.items()
        if parsed.racks.get(broker)
    }
    states = {
        selection.ids[broker]: state for broker, state in states_of_brokers(parsed, selection)
    }
    if not racks and not states:
        return sorted(selection.ids.values())
    return {
        str(called): {
            **({"state": states[called]} if called in states else {}),
            **({"rack": racks[called]} if called in racks else {}),
        }
        for called in sorted(selection.ids.values())
    }


def rack_name(name: str) -> str:
    """A rack's name in a scenario: other characters than those of a name are replaced."""
    return "".join(c if c in _RACK_CHARACTERS else "_" for c in name[:_RACK_LENGTH])


def states_of_brokers(
    parsed: ParsedState, selection: Selection
) -> Iterator[tuple[BrokerId, Literal["stopped", "unknown"]]]:
    """The brokers that are down or whose state the input does not show. A leader runs, and so do a
    member of its ISR and, unless it is known to be down, a replica that is being added. A broker
    that runs without being elected, and that no other selected partition needs, starts as stopped.
    """
    of_leaders: set[BrokerId] = set()
    added: set[BrokerId] = set()
    described: set[BrokerId] = set()
    offline: set[BrokerId] = set()
    for about in (*parsed.partitions.values(), *selection.partitions.values()):
        if about.file is not None:
            described.update(about.replicas)
        offline.update(about.offline)
        offline.update({*about.replicas} & (parsed.down | parsed.shutting_down))
        if parsed.live or parsed.lists_live:
            offline.update({*about.replicas} - parsed.live)
        of_leaders |= _needed_by_leader(about)
        added.update(about.adding)
    of_leaders |= added - offline
    not_elected = {
        broker
        for about in selection.partitions.values()
        if about.leader == NO_LEADER
        for broker in (about.isr or about.elr)
    }
    for about in selection.partitions.values():
        not_elected -= _needed_by_leader(about)
    live = parsed.live | parsed.up
    for broker in sorted(selection.ids):
        waits = broker in not_elected and broker in live | of_leaders
        if waits or (broker in offline and broker not in of_leaders):
            yield broker, "stopped"
        elif broker in described and broker not in of_leaders and broker not in live:
            yield broker, "unknown"


def running_brokers(parsed: ParsedState) -> set[BrokerId]:
    """The brokers that the input shows to run: it lists them, or they are needed by a leader."""
    needed = (_needed_by_leader(about) for about in parsed.partitions.values())
    return parsed.live.union(parsed.up, *needed)


def _needed_by_leader(about: ParsedPartition) -> set[BrokerId]:
    if about.leader is None or about.leader == NO_LEADER:
        return set()
    return {about.leader, *(about.isr or ())}


def cluster_configs(
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
    configs = configs_of(parsed, of_cluster | of_brokers, "broker", release, "")
    for name in sorted(differing & configs.keys()):
        parsed.assume("configs_differ", setting=name, value=configs[name])
    # An ELR shows that the ISR is smaller than min.insync.replicas (KIP-966).
    at_least = 1 + max(
        (
            len(about.isr or ())
            for name, about in selection.partitions.items()
            if about.elr and _MIN_ISR not in parsed.topic_configs.get(name.topic, {})
        ),
        default=0,
    )
    if at_least > 1 and _MIN_ISR not in configs:
        configs[_MIN_ISR] = at_least
        parsed.assume("min_isr", setting=_MIN_ISR, least=at_least)
    return configs


def configs_of(
    parsed: ParsedState,
    settings: Mapping[str, str],
    level: Level,
    release: ReleaseFound,
    topic: str,
) -> dict[str, ConfigValue]:
    """The settings that the engine knows; the others are added to the assumptions."""
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
    isr = about.isr or ()
    leader = NO_LEADER if about.leader is None else about.leader
    # All of these have what is committed, and the first one is the most likely to lead next.
    whole = (*isr, *about.elr) or about.last_known_elr
    likely = [one for one in (leader, *about.last_known_elr, *whole) if one in about.replicas]
    logs, leader_epoch = starting_logs(
        parsed,
        name,
        facts,
        (likely or about.replicas)[0],
        whole,
        about.replicas,
        has_epochs=has_epochs,
        most=MOST_KEPT // sum(len(one.replicas) for one in selection.partitions.values()),
    )
    if about.leader_epoch is not None:
        leader_epoch = max(about.leader_epoch, leader_epoch)
    else:
        parsed.assume("leader_epoch", partition=str(name), epoch=leader_epoch)
    ids = selection.ids
    document: JsonObject = {
        "replicas": [ids[broker] for broker in about.replicas],
        "leader": ids.get(leader, leader),
        "leader_epoch": leader_epoch,
        "isr": [ids.get(broker, broker) for broker in isr],
    }
    if about.partition_epoch:
        document["partition_epoch"] = about.partition_epoch
    named = {
        "elr": about.elr,
        "last_known_elr": about.last_known_elr,
        "adding": about.adding,
        "removing": about.removing,
    }
    for key, brokers in named.items():
        if brokers:
            document[key] = [ids.get(broker, broker) for broker in brokers]
    if logs:
        document["logs"] = {str(selection.ids[broker]): log for broker, log in logs.items()}
    return document


def _say_the_rest(parsed: ParsedState, selection: Selection) -> None:
    """Report the state that no tool prints."""
    states = dict(states_of_brokers(parsed, selection))
    if unknown := [selection.ids[one] for one, state in states.items() if state == "unknown"]:
        parsed.assume("state_unknown", brokers=unknown)
    runs = running_brokers(parsed)
    listed = [
        selection.ids[one]
        for one, state in states.items()
        if state == "stopped" and one in runs and one not in parsed.shutting_down
    ]
    if listed:
        parsed.assume("live_but_not_elected", brokers=listed)
    for one in sorted(parsed.shutting_down & selection.ids.keys()):
        stopped = one in states
        parsed.assume(
            "shutting_down" if stopped else "shutting_down_and_leads", broker=selection.ids[one]
        )
    if wrongly_down := sorted((parsed.down & selection.ids.keys()) - states.keys()):
        parsed.assume("down_but_in_sync", brokers=[selection.ids[one] for one in wrongly_down])
    if any(about.partition_epoch is None for about in selection.partitions.values()):
        parsed.assume("partition_epochs")
    parsed.assume("memory")
