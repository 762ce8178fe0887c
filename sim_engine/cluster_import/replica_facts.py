"""Assigns each file to its broker, and merges the facts about each replica."""

from collections.abc import Sequence

from msgspec import Struct, field

from sim_engine.cluster_import.parsed_state import (
    Epochs,
    Origin,
    ParsedLog,
    ParsedRecord,
    ParsedState,
    Partition,
)
from sim_engine.cluster_import.problems import Problems
from sim_engine.cluster_import.statements import Statement
from sim_engine.error_texts import error
from sim_engine.identifiers import BrokerId, Offset


class ReplicaFacts(Struct):
    """The known facts about one replica's disk."""

    records: dict[Offset, ParsedRecord] = field(default_factory=dict)
    first: Offset | None = None
    """The start of its oldest segment among those read."""
    control: int = 0
    epochs: Epochs | None = None
    high_watermark: Offset | None = None
    """The high watermark in the broker's checkpoint file."""
    recovery_point: Offset | None = None
    log_start: Offset | None = None


Replicas = dict[Partition, dict[BrokerId, ReplicaFacts]]


def replicas_of(parsed: ParsedState, problems: Problems) -> Replicas:
    """The facts about each replica. A file whose broker cannot be determined is reported as a
    problem.
    """
    found: Replicas = {}
    guessed: dict[tuple[str, BrokerId], None] = {}
    asked: set[tuple[str, int]] = set()
    for log in parsed.logs:
        described = parsed.partitions.get(log.partition)
        if parsed.partitions and described is None:
            continue  # its topic was not requested; a checkpoint file lists all topics
        replicas = () if described is None else described.replicas
        broker = _broker_of(log.origin, replicas)
        place = (log.origin.file, log.origin.line)
        if broker is None:
            if place not in asked:
                asked.add(place)
                problems.report(*place, error("import_whose"))
            continue
        if replicas and broker not in replicas:
            numbers: dict[str, object] = {"partition": _name(log.partition), "broker": broker}
            parsed.unknown.append(Statement("stray", numbers, *place))
            continue
        if log.origin.told is None and len(replicas) != 1:
            guessed[log.origin.file, broker] = None
        facts = found.setdefault(log.partition, {}).setdefault(broker, ReplicaFacts())
        _merge(facts, log)
        if log.old_format:
            parsed.until.append(("0.11", "magic"))
    for file, broker in guessed:
        parsed.unknown.append(Statement("broker_guessed", {"broker": broker}, file))
    return found


def _broker_of(origin: Origin, replicas: Sequence[BrokerId]) -> BrokerId | None:
    if origin.told is not None:
        return origin.told
    for guess in origin.guesses:
        if not replicas or guess in replicas:
            return guess
    return replicas[0] if len(replicas) == 1 else None


def _merge(facts: ReplicaFacts, log: ParsedLog) -> None:
    for offset, record in log.records.items():
        known = facts.records.get(offset, record)
        facts.records[offset] = ParsedRecord(
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
