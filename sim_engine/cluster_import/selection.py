"""Selects the partitions and brokers that fit into a scenario, and their names."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from sim_engine.actions.base import MAX_BROKER_ID, MAX_BROKERS
from sim_engine.cluster_import.parsed_state import ParsedPartition, ParsedState, Partition
from sim_engine.cluster_import.problems import ImportProblem, UnreadableError
from sim_engine.cluster_import.replica_facts import Replicas
from sim_engine.cluster_import.statements import Statement
from sim_engine.error_texts import error
from sim_engine.identifiers import BrokerId
from sim_engine.scenario_reader.initial_cluster import MAX_PARTITIONS


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
        numbers: dict[str, object] = {"count": len(wanted) - len(kept), "kept": len(kept)}
        parsed.unknown.append(Statement("partitions_left_out", numbers))
    for broker in sorted(parsed.brokers):
        if len(brokers) < MAX_BROKERS:
            brokers.add(broker)
    return Selection({name: kept[name] for name in sorted(kept)}, _ids(parsed, sorted(brokers)))


def _nothing_to_start_from(
    topics: Collection[str], described: Mapping[Partition, ParsedPartition]
) -> ImportProblem:
    if topics and described:
        known = tuple(sorted({topic for topic, _ in described}))
        reason = error("import_without_topic", name=tuple(sorted(topics)), names=known)
    else:
        reason = error("import_without_partition")
    return ImportProblem(file="import", line=1, reason=reason)


def _from_logs(parsed: ParsedState, replicas: Replicas) -> dict[Partition, ParsedPartition]:
    """Partitions known only from the brokers' folders: every broker with a log is a replica, and
    every replica with all records below the high watermark is assumed to be in the ISR.
    """
    found: dict[Partition, ParsedPartition] = {}
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
        found[partition] = ParsedPartition(
            file="", line=1, replicas=ids, leader=leader, isr=isr or ids
        )
        numbers: dict[str, object] = {
            "partition": f"{partition[0]}-{partition[1]}",
            "replicas": list(ids),
            "leader": leader,
            "isr": list(isr or ids),
        }
        parsed.unknown.append(Statement("not_described", numbers))
    return found


def _of_topics(
    parsed: ParsedState, described: Mapping[Partition, ParsedPartition], topics: Collection[str]
) -> dict[Partition, ParsedPartition]:
    if topics:
        return {name: about for name, about in described.items() if name[0] in topics}
    own = {name: about for name, about in described.items() if not name[0].startswith("__")}
    internal = sorted({name[0] for name in described} - {name[0] for name in own})
    if own and internal:
        parsed.unknown.append(Statement("internal_topics", {"topics": internal}))
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
            parsed.unknown.append(Statement("renamed_broker", {"broker": broker, "called": called}))
    return ids
