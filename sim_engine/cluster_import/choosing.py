"""Which partitions and brokers of a cluster a scenario has room for, and what they are called."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from sim_engine.actions.fields import MAX_BROKER_ID, MAX_BROKERS
from sim_engine.cluster_import.merging import Replicas
from sim_engine.cluster_import.problems import ImportProblem, UnreadableError
from sim_engine.cluster_import.seen import Partition, Seen, SeenPartition
from sim_engine.cluster_import.statements import Statement
from sim_engine.scenario_reader.cluster_layout import MAX_PARTITIONS


class Chosen(Struct, frozen=True):
    """The partitions that are kept, by topic and number, and the id of each of their brokers."""

    partitions: Mapping[Partition, SeenPartition]
    ids: Mapping[int, int]
    """What a broker is called in the scenario, by its id in the cluster."""


def choose(seen: Seen, replicas: Replicas, topics: Collection[str]) -> Chosen:
    """Everything that fits. What is left out, or is called otherwise, is said."""
    described = dict(seen.partitions) or _from_logs(seen, replicas)
    wanted = _of_topics(seen, described, topics)
    if not wanted:
        raise UnreadableError([_nothing_to_start_from(topics, described)])
    kept: dict[Partition, SeenPartition] = {}
    brokers: set[int] = set()
    for partition in sorted(wanted, key=lambda name: _interest(name, wanted[name], replicas)):
        of_partition = set(wanted[partition].replicas)
        if len(kept) < MAX_PARTITIONS and len(brokers | of_partition) <= MAX_BROKERS:
            kept[partition] = wanted[partition]
            brokers |= of_partition
    if len(kept) < len(wanted):
        numbers: dict[str, object] = {"count": len(wanted) - len(kept), "kept": len(kept)}
        seen.unknown.append(Statement("partitions_left_out", numbers))
    for broker in sorted(seen.brokers):
        if len(brokers) < MAX_BROKERS:
            brokers.add(broker)
    return Chosen({name: kept[name] for name in sorted(kept)}, _ids(seen, sorted(brokers)))


def _nothing_to_start_from(
    topics: Collection[str], described: Mapping[Partition, SeenPartition]
) -> ImportProblem:
    if topics and described:
        known = ", ".join(sorted({topic for topic, _ in described}))
        message = f"there is no topic {', '.join(sorted(topics))}; topics are {known}"
    else:
        message = (
            "no partition is described: give the output of kafka-topics --describe, or a broker's "
            "data directory"
        )
    return ImportProblem(file="import", line=1, message=message)


def _from_logs(seen: Seen, replicas: Replicas) -> dict[Partition, SeenPartition]:
    """Partitions that only the brokers' folders know: whoever has a log is a replica, and whoever
    has everything that a high watermark covers is taken to be in the ISR."""
    found: dict[Partition, SeenPartition] = {}
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
        found[partition] = SeenPartition(
            file="", line=1, replicas=ids, leader=leader, isr=isr or ids
        )
        numbers: dict[str, object] = {
            "partition": f"{partition[0]}-{partition[1]}",
            "replicas": list(ids),
            "leader": leader,
            "isr": list(isr or ids),
        }
        seen.unknown.append(Statement("not_described", numbers))
    return found


def _of_topics(
    seen: Seen, described: Mapping[Partition, SeenPartition], topics: Collection[str]
) -> dict[Partition, SeenPartition]:
    if topics:
        return {name: about for name, about in described.items() if name[0] in topics}
    own = {name: about for name, about in described.items() if not name[0].startswith("__")}
    internal = sorted({name[0] for name in described} - {name[0] for name in own})
    if own and internal:
        seen.unknown.append(Statement("internal_topics", {"topics": internal}))
    return own or dict(described)


def _interest(
    name: Partition, about: SeenPartition, replicas: Replicas
) -> tuple[bool, bool, Partition]:
    """What was printed of its logs comes first, then what is not as it should be."""
    whole = about.leader != -1 and set(about.isr or about.replicas) == set(about.replicas)
    return (name not in replicas, whole, name)


def _ids(seen: Seen, brokers: Sequence[int]) -> dict[int, int]:
    free = (number for number in range(1, MAX_BROKER_ID) if number not in brokers)
    ids = {broker: broker if broker <= MAX_BROKER_ID else next(free) for broker in sorted(brokers)}
    for broker, called in ids.items():
        if broker != called:
            seen.unknown.append(Statement("renamed_broker", {"broker": broker, "called": called}))
    return ids
