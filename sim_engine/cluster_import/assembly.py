"""The scenario that starts from the state that a cluster's tools and files describe."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from msgspec import Struct

from sim_engine.cluster_import.choosing import Chosen, choose
from sim_engine.cluster_import.logs import starting_logs
from sim_engine.cluster_import.merging import ReplicaFacts, Replicas, replicas_of
from sim_engine.cluster_import.problems import ImportProblem, Problems, UnreadableError
from sim_engine.cluster_import.release import ReleaseFound, find_kafka
from sim_engine.cluster_import.seen import ClusterFile, Partition, Seen, SeenPartition
from sim_engine.cluster_import.statements import Statement
from sim_engine.cluster_import.texts import read_files
from sim_engine.cluster_import.tool_output import settings_named
from sim_engine.configs import ConfigValue, Level, WrongConfigError, check_config
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import Scenario, ScenarioError
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.versions import resolve_profile

_RACK_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


class ImportedCluster(Struct, frozen=True):
    """A scenario, what each part of the input was understood as, and what could not be known."""

    scenario: Scenario
    understood: tuple[Statement, ...]
    unknown: tuple[Statement, ...]


def import_cluster(
    files: Sequence[ClusterFile], *, kafka: str | None = None, topics: Collection[str] = ()
) -> ImportedCluster:
    """Read what a cluster's tools printed and its brokers wrote.

    `kafka` is the cluster's release, where it is known; `topics` are those to keep, all of the
    cluster's own if none is named. Raises `UnreadableError`, which names every line that is not
    understood, and `UnknownVersionError` for a release that never was.
    """
    problems = Problems()
    seen = read_files(files, problems)
    problems.stop()
    replicas = replicas_of(seen, problems)
    problems.stop()
    chosen = choose(seen, replicas, topics)
    found = find_kafka(seen, kafka)
    document = _document(seen, replicas, chosen, found)
    try:
        scenario = read_scenario_document(document)
    except ScenarioError as error:
        raise UnreadableError(
            [
                ImportProblem(
                    file="import",
                    line=1,
                    message=f"what was read does not fit together: {problem.where}: "
                    f"{problem.message}",
                )
                for problem in error.problems
            ]
        ) from None
    return ImportedCluster(scenario, tuple(seen.understood), tuple(seen.unknown))


def _document(
    seen: Seen, replicas: Replicas, chosen: Chosen, found: ReleaseFound
) -> dict[str, object]:
    has_epochs = resolve_profile(found.kafka, control=found.control).has_epochs
    topics: list[JsonObject] = []
    steps: list[JsonObject] = []
    for topic, of_topic in groupby(chosen.partitions, key=lambda name: name[0]):
        partitions: list[JsonObject] = []
        for name in of_topic:
            called = (topic, len(partitions))
            if name != called:
                numbers: dict[str, object] = {"partition": _name(name), "called": _name(called)}
                seen.unknown.append(Statement("renamed_partition", numbers))
            partitions.append(
                _partition(seen, chosen, name, replicas.get(name, {}), has_epochs=has_epochs)
            )
            steps += _steps_to_state(seen, chosen, name, steps)
        configs = _configs(seen, seen.topic_configs.get(topic, {}), "topic", found, topic)
        topics.append(
            {"name": topic, **({"configs": configs} if configs else {}), "partitions": partitions}
        )
    _say_the_rest(seen, chosen)
    return {
        "scenario": 1,
        "id": "imported-cluster",
        "title": Statement("title").texts(),
        "kafka": found.kafka,
        **({"control": found.control} if found.control else {}),
        "brokers": _brokers(seen, chosen),
        "configs": _cluster_configs(seen, chosen, found),
        "topics": topics,
        "steps": steps,
    }


def _brokers(seen: Seen, chosen: Chosen) -> list[int] | dict[str, object]:
    racks = {
        called: "".join(c if c in _RACK_CHARACTERS else "_" for c in seen.racks[broker][:32])
        for broker, called in chosen.ids.items()
        if seen.racks.get(broker)
    }
    if not racks:
        return sorted(chosen.ids.values())
    return {
        str(called): {"rack": racks[called]} if called in racks else {}
        for called in sorted(chosen.ids.values())
    }


def _cluster_configs(seen: Seen, chosen: Chosen, found: ReleaseFound) -> dict[str, ConfigValue]:
    """The cluster's settings, with those of its brokers; where brokers differ, the first counts."""
    given: dict[str, str] = dict(seen.cluster_configs)
    differing: set[str] = set()
    of_brokers: dict[str, str] = {}
    for broker in sorted(set(seen.broker_configs) & chosen.ids.keys()):
        for name, value in seen.broker_configs[broker].items():
            if of_brokers.setdefault(name, value) != value:
                differing.add(name)
    configs = _configs(seen, given | of_brokers, "broker", found, "")
    for name in sorted(differing & configs.keys()):
        seen.unknown.append(Statement("configs_differ", {"setting": name, "value": configs[name]}))
    return configs


def _configs(
    seen: Seen, given: Mapping[str, str], level: Level, found: ReleaseFound, topic: str
) -> dict[str, ConfigValue]:
    configs: dict[str, ConfigValue] = {}
    left_out: list[str] = []
    for name, value in settings_named(dict(given)):
        try:
            configs[name] = check_config(name, value, level=level, kafka=found.kafka)
        except WrongConfigError:
            left_out.append(name)
    if left_out and level == "topic":
        numbers: dict[str, object] = {"topic": topic, "names": left_out}
        seen.unknown.append(Statement("topic_configs_left_out", numbers))
    elif left_out:
        seen.unknown.append(Statement("configs_left_out", {"count": len(left_out)}))
    return configs


def _partition(
    seen: Seen,
    chosen: Chosen,
    name: Partition,
    facts: Mapping[int, ReplicaFacts],
    *,
    has_epochs: bool,
) -> JsonObject:
    about = chosen.partitions[name]
    isr, leader = _start_of(about)
    logs = starting_logs(_name(name), facts, about.replicas, leader, isr, has_epochs=has_epochs)
    seen.unknown += logs.unknown
    numbers: dict[str, object] = {"partition": _name(name), "epoch": logs.leader_epoch}
    seen.unknown.append(Statement("leader_epoch", numbers))
    document: JsonObject = {
        "replicas": [chosen.ids[broker] for broker in about.replicas],
        "leader": chosen.ids[leader],
        "leader_epoch": logs.leader_epoch,
        "isr": [chosen.ids[broker] for broker in isr],
    }
    if logs.logs:
        document["logs"] = {str(chosen.ids[int(broker)]): log for broker, log in logs.logs.items()}
    return document


def _start_of(about: SeenPartition) -> tuple[tuple[int, ...], int]:
    """The ISR and the leader before the steps that lead to what was printed.

    A scenario starts with a leader and without an ELR. Where there is no leader, or somebody is in
    the ELR, these led or were in the ISR just before, and steps take them away.
    """
    before = tuple(dict.fromkeys((*(about.isr or ()), *about.elr)))
    isr = tuple(broker for broker in before if broker in about.replicas)
    if about.leader in about.replicas:
        assert about.leader is not None, "it is one of the replicas"
        return isr if about.leader in isr else (about.leader, *isr), about.leader
    known = [broker for broker in about.last_known_elr if broker in isr]
    leader = (known or isr or about.replicas)[0]
    return isr or (leader,), leader


def _steps_to_state(
    seen: Seen, chosen: Chosen, name: Partition, earlier: Sequence[JsonObject]
) -> list[JsonObject]:
    """The crashes that lead from the start to a partition without a leader, or with an ELR."""
    about = chosen.partitions[name]
    isr, leader = _start_of(about)
    gone = [broker for broker in isr if broker in about.elr and broker != leader]
    if about.leader == -1:
        gone += [broker for broker in isr if broker not in gone and broker != leader]
        gone.append(leader)
    down = {step["crash"]["broker"] for step in earlier if "crash" in step}
    steps: list[JsonObject] = []
    for broker in dict.fromkeys(gone):
        called = chosen.ids[broker]
        if called not in down:
            steps += [{"crash": {"broker": called}}, {"detect": {"broker": called}}]
    if gone:
        numbers: dict[str, object] = {
            "partition": _name(name),
            "brokers": [chosen.ids[broker] for broker in dict.fromkeys(gone)],
        }
        seen.unknown.append(Statement("crashed_to_state", numbers))
    return steps


def _say_the_rest(seen: Seen, chosen: Chosen) -> None:
    """What no tool prints."""
    in_an_isr = {
        broker
        for about in chosen.partitions.values()
        for broker in (*(about.isr or ()), *about.elr, about.leader)
    }
    replicas = {broker for about in chosen.partitions.values() for broker in about.replicas}
    outside = [chosen.ids[broker] for broker in sorted(replicas - in_an_isr)]
    if outside:
        seen.unknown.append(Statement("running", {"brokers": outside}))
    seen.unknown.append(Statement("memory"))


def _name(partition: Partition) -> str:
    return f"{partition[0]}-{partition[1]}"
