"""Whose log each file is of, and what all files together say of one replica."""

from collections.abc import Sequence

from msgspec import Struct, field

from sim_engine.cluster_import.problems import Problems
from sim_engine.cluster_import.seen import Epochs, Origin, Partition, Seen, SeenLog, SeenRecord
from sim_engine.cluster_import.statements import Statement


class ReplicaFacts(Struct):
    """What is known of one replica's disk."""

    records: dict[int, SeenRecord] = field(default_factory=dict)
    first: int | None = None
    """Where its oldest segment starts, of those that were read."""
    control: int = 0
    epochs: Epochs | None = None
    high_watermark: int | None = None
    """As its checkpoint file has it."""
    recovery_point: int | None = None
    log_start: int | None = None


Replicas = dict[Partition, dict[int, ReplicaFacts]]


def replicas_of(seen: Seen, problems: Problems) -> Replicas:
    """What was read of each replica. A file whose broker cannot be told is a problem."""
    found: Replicas = {}
    guessed: dict[tuple[str, int], None] = {}
    asked: set[tuple[str, int]] = set()
    for log in seen.logs:
        described = seen.partitions.get(log.partition)
        if seen.partitions and described is None:
            continue  # its topic was not asked for; a checkpoint file has them all
        replicas = () if described is None else described.replicas
        broker = _broker_of(log.origin, replicas)
        place = (log.origin.file, log.origin.line)
        if broker is None:
            if place not in asked:
                asked.add(place)
                problems.report(
                    *place, "which broker is this from? write it on a line above: # broker 1"
                )
            continue
        if replicas and broker not in replicas:
            numbers: dict[str, object] = {"partition": _name(log.partition), "broker": broker}
            seen.unknown.append(Statement("stray", numbers, *place))
            continue
        if log.origin.told is None and len(replicas) != 1:
            guessed[log.origin.file, broker] = None
        facts = found.setdefault(log.partition, {}).setdefault(broker, ReplicaFacts())
        _merge(facts, log)
        if log.old_format:
            seen.until.append(("0.11", "magic"))
    for file, broker in guessed:
        seen.unknown.append(Statement("broker_guessed", {"broker": broker}, file))
    return found


def _broker_of(origin: Origin, replicas: Sequence[int]) -> int | None:
    if origin.told is not None:
        return origin.told
    for guess in origin.guesses:
        if not replicas or guess in replicas:
            return guess
    return replicas[0] if len(replicas) == 1 else None


def _merge(facts: ReplicaFacts, log: SeenLog) -> None:
    for offset, record in log.records.items():
        known = facts.records.get(offset, record)
        facts.records[offset] = SeenRecord(
            known.value if record.value is None else record.value,
            known.epoch if record.epoch is None else record.epoch,
        )
    if log.first is not None:
        facts.first = log.first if facts.first is None else min(facts.first, log.first)
    facts.control += log.control
    if log.epochs is not None:
        facts.epochs = log.epochs
    if log.high_watermark is not None:
        facts.high_watermark = log.high_watermark
    if log.recovery_point is not None:
        facts.recovery_point = log.recovery_point
    if log.log_start is not None:
        facts.log_start = log.log_start


def _name(partition: Partition) -> str:
    return f"{partition[0]}-{partition[1]}"
