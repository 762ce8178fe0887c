"""Assigns each file to its broker, merges the facts about each replica, and builds the initial logs
of one partition's replicas.

Dumped records are kept. If only offsets are known, placeholder records are used: `o17` is the
record at offset 17. The beginning of a long log is removed, as by retention.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from sim_engine.actions.base import MAX_OFFSET, MAX_RECORDS
from sim_engine.cluster_import.parsed_state import (
    LogFacts,
    Origin,
    ParsedLog,
    ParsedPartition,
    ParsedRecord,
    ParsedState,
    Partition,
    Problems,
    Statement,
)
from sim_engine.error_texts import error
from sim_engine.identifiers import (
    FIRST_EPOCH,
    FIRST_OFFSET,
    NO_LEADER,
    BrokerId,
    LeaderEpoch,
    Offset,
    offsets_between,
)
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import RecordSpec
from sim_engine.scenario_reader.log_notation import log_line

Replicas = dict[Partition, dict[BrokerId, LogFacts]]


def replicas_of(parsed: ParsedState, problems: Problems) -> Replicas:
    """The facts about each replica. A file whose broker cannot be determined is reported as a
    problem.
    """
    merged: Replicas = {}
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
            numbers = {"partition": str(log.partition), "broker": broker}
            parsed.unknown.append(Statement("stray", numbers, *place))
            continue
        if log.origin.stated is None and len(replicas) != 1:
            guessed[log.origin.file, broker] = None
        facts = merged.setdefault(log.partition, {}).setdefault(broker, LogFacts())
        _merge(facts, log)
        if log.old_format:
            parsed.until["0.11"] = "until_old_format"
    for file, broker in guessed:
        parsed.assume("broker_guessed", file, broker=broker)
    _merge_high_watermarks(parsed, merged)
    return merged


def _merge_high_watermarks(parsed: ParsedState, merged: Replicas) -> None:
    """Add the ends of logs that follow from the leaders' high watermarks and the lags."""
    for partition, high_watermark in parsed.high_watermarks.items():
        described = parsed.partitions.get(partition)
        if described is None:
            continue
        facts = merged.setdefault(partition, {})
        for broker in described.replicas:
            lag = parsed.lags.get((partition, broker))
            if broker == described.leader or (lag is None and broker in (described.isr or ())):
                known = facts.setdefault(broker, LogFacts())
                known.high_watermark = max(known.high_watermark or FIRST_OFFSET, high_watermark)
            elif lag is not None:
                known = facts.setdefault(broker, LogFacts())
                end = Offset(max(high_watermark - lag, FIRST_OFFSET))
                known.high_watermark = max(known.high_watermark or FIRST_OFFSET, end)
    if parsed.lags and not parsed.high_watermarks:
        parsed.assume("lags_without_offsets")


def _broker_of(origin: Origin, replicas: Sequence[BrokerId]) -> BrokerId | None:
    if origin.stated is not None:
        return origin.stated
    for guess in origin.guesses:
        if not replicas or guess in replicas:
            return guess
    return replicas[0] if len(replicas) == 1 else None


def _merge(facts: LogFacts, log: ParsedLog) -> None:
    for offset, record in log.records.items():
        known = facts.records.get(offset, record)
        facts.records[offset] = ParsedRecord(
            known.value if record.value is None else record.value,
            known.epoch if record.epoch is None else record.epoch,
        )
    if log.first is not None:
        facts.first = log.first if facts.first is None else min(facts.first, log.first)
    facts.control += log.control
    for producer_id, offsets in log.written.items():
        facts.written.setdefault(producer_id, []).extend(offsets)
    for producer_id, offset in log.ended.items():
        facts.add_batch(producer_id, offset, is_marker=True)
    if log.epochs is not None:
        facts.epochs = log.epochs
    if log.high_watermark is not None:
        facts.high_watermark = log.high_watermark
    if log.recovery_point is not None:
        facts.recovery_point = log.recovery_point
    if log.log_start is not None:
        facts.log_start = log.log_start
    if log.end is not None:
        facts.end = log.end


KEPT_WHOLE = 40
"""A log with at most this many records is kept completely."""
CONTEXT = 5
"""The number of records to keep before the first relevant offset."""
MOST_KEPT = 16_000
"""The number of records in the logs of all partitions, so that the file of the scenario is not
larger than a file may be.
"""


class _Extent(Struct):
    """The start and end of a replica's log. `known` if a dump contained its end."""

    start: Offset
    end: Offset
    known: bool


def starting_logs(
    parsed: ParsedState,
    partition: Partition,
    facts: Mapping[BrokerId, LogFacts],
    leader: BrokerId,
    isr: Sequence[BrokerId],
    replicas: Sequence[BrokerId],
    *,
    has_epochs: bool,
    most: int = MAX_RECORDS,
) -> tuple[dict[BrokerId, JsonObject], LeaderEpoch]:
    """The logs of a partition by broker, in the form of a scenario, and the newest epoch in them.
    `has_epochs`: the release keeps leader epochs. Each log keeps at most `most` records.
    """
    name = str(partition)
    if not facts:
        parsed.assume("logs_empty", partition=name)
        return {}, FIRST_EPOCH
    extents = _extents(parsed, name, facts, leader, replicas, isr)
    by_trust = sorted(facts, key=lambda broker: (broker != leader, broker))
    dumped = next((facts[one] for one in by_trust if facts[one].records), LogFacts())
    for producer_id, offset in sorted(dumped.open_transactions.items()):
        parsed.assume("open_transaction", partition=name, producer=producer_id, offset=offset)
    front = _front(facts, extents, isr, most)
    lowest = min(extent.start for extent in extents.values())
    if front > lowest:
        parsed.assume("window", partition=name, offset=front)
    base = front if max(extent.end for extent in extents.values()) > MAX_OFFSET else FIRST_OFFSET
    if base:
        parsed.assume("rebased", partition=name, offset=base)
    writer = _LogWriter(parsed, name, facts, leader, front, base, has_epochs)
    logs = {
        broker: writer.log(broker, extents[broker], in_isr=broker in isr) for broker in replicas
    }
    writer.report()
    return logs, writer.newest_epoch


def _extents(
    parsed: ParsedState,
    name: str,
    facts: Mapping[BrokerId, LogFacts],
    leader: BrokerId,
    replicas: Sequence[BrokerId],
    isr: Sequence[BrokerId],
) -> dict[BrokerId, _Extent]:
    committed = max(fact.high_watermark or FIRST_OFFSET for fact in facts.values())
    fetched = max((facts[one].end or committed for one in isr if one in facts), default=committed)
    extents: dict[BrokerId, _Extent] = {}
    for broker in replicas:
        fact = facts.get(broker)
        at_least = committed if broker in isr else FIRST_OFFSET
        if broker == leader:  # its ISR has fetched from it
            at_least = max(at_least, fetched)
        if fact is None:
            extents[broker] = _Extent(FIRST_OFFSET, at_least, known=False)
            parsed.assume("log_unknown", partition=name, broker=broker, offset=at_least)
            continue
        extents[broker] = extent = _extent(fact, at_least)
        if not extent.known:
            parsed.assume("log_end", partition=name, broker=broker, offset=extent.end)
    lowest = min(extents[broker].start for broker in facts)
    for broker in replicas:
        if broker not in facts:
            extents[broker].start = min(lowest, extents[broker].end)
    return extents


def _extent(fact: LogFacts, committed: Offset) -> _Extent:
    """The end of a log: after its last record if it was dumped, otherwise as its broker reported
    it, or the highest offset in its files. A member of the ISR has what is committed.
    """
    dumped = bool(fact.records) or fact.first is not None
    if fact.end is not None and not dumped:
        end = max(fact.end, committed)
        return _Extent(Offset(min(fact.log_start or 0, end)), end, known=end == fact.end)
    named = [fact.high_watermark or 0, fact.recovery_point or 0, fact.log_start or 0]
    if fact.epochs:
        named.append(fact.epochs[-1][1])
    printed = max(fact.records) + 1 if fact.records else fact.first or 0
    highest = max(printed, *named) if dumped else max(committed, *named)
    known = dumped and highest == printed
    starts = [min(fact.records)] if fact.records else []
    if fact.first is not None:
        starts.append(fact.first)
    if not starts and fact.epochs:
        starts.append(fact.epochs[0][1])
    start = max(min(starts, default=0), fact.log_start or 0)
    return _Extent(Offset(min(start, highest)), Offset(highest), known)


def _front(
    facts: Mapping[BrokerId, LogFacts],
    extents: Mapping[BrokerId, _Extent],
    isr: Sequence[BrokerId],
    most: int,
) -> Offset:
    """The first offset to keep: everything that differs, or that a replica may still truncate to,
    is kept, up to `most` records.
    """
    lowest = min(extent.start for extent in extents.values())
    highest = max(extent.end for extent in extents.values())
    if highest - lowest <= KEPT_WHOLE:
        return lowest
    matters = [extent.end for broker, extent in extents.items() if extent.end or broker in isr]
    for fact in facts.values():
        matters += [at for at in (fact.high_watermark, fact.recovery_point) if at]
        matters += [start for _, start in (fact.epochs or ())[-2:]]
        matters += sorted(fact.records)[-KEPT_WHOLE:][:1]
    matters += _first_differences(facts.values())
    return Offset(max(lowest, min(matters) - CONTEXT, highest - min(most, MAX_RECORDS), 0))


def _first_differences(facts: Iterable[LogFacts]) -> list[Offset]:
    """The lowest offset at which the epochs of two replicas differ."""
    caches = [dict(fact.epochs) for fact in facts if fact.epochs]
    return [
        min(start, other[epoch])
        for index, cache in enumerate(caches)
        for other in caches[index + 1 :]
        for epoch, start in cache.items()
        if epoch in other and other[epoch] != start
    ]


class _LogWriter(Struct):
    """Writes the logs of one partition, and counts the placeholders."""

    parsed: ParsedState
    name: str
    facts: Mapping[BrokerId, LogFacts]
    leader: BrokerId
    front: Offset
    """The first offset that is kept."""
    base: Offset
    """The offset that becomes 0."""
    has_epochs: bool
    newest_epoch: LeaderEpoch = FIRST_EPOCH
    stand_ins: set[Offset] = field(default_factory=set)
    changed: set[Offset] = field(default_factory=set)
    without_epoch: set[Offset] = field(default_factory=set)
    by_trust: list[LogFacts] = field(default_factory=list)
    """The leader's facts, then those of the others."""
    values: dict[tuple[Offset, LeaderEpoch | None], str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        brokers = sorted(self.facts, key=lambda broker: (broker != self.leader, broker))
        self.by_trust = [self.facts[broker] for broker in brokers]
        self.values = {
            (offset, record.epoch): record.value
            for fact in reversed(self.by_trust)
            for offset, record in fact.records.items()
            if record.value is not None
        }

    def log(self, broker: BrokerId, extent: _Extent, *, in_isr: bool) -> JsonObject:
        """One replica's log in the form of a scenario."""
        fact = self.facts.get(broker, LogFacts())
        start = min(max(extent.start, self.front), extent.end)
        records = self._records(fact, start, extent.end)
        document: JsonObject = {"log": log_line(records)}
        if start - self.base:
            document["log_start"] = start - self.base
        if fact.high_watermark is not None:
            if not in_isr:
                mark = min(max(fact.high_watermark, start), extent.end)
                document["high_watermark"] = mark - self.base
            checkpoint = {"high_watermark": max(0, fact.high_watermark - self.base)}
        else:
            checkpoint = {}
        if fact.recovery_point is not None:
            point = max(0, min(fact.recovery_point, extent.end) - self.base)
            document["flushed"] = point
            checkpoint["recovery_point"] = point
        if checkpoint:
            document["checkpoint"] = checkpoint
        epochs = self._epochs(fact, records, start, extent.end, broker)
        if epochs is not None:
            document["epochs"] = epochs
        return document

    def _records(self, fact: LogFacts, start: Offset, end: Offset) -> list[RecordSpec]:
        records = []
        epoch = FIRST_EPOCH
        for offset in offsets_between(start, end):
            epoch = max(epoch, self._epoch_at(fact, offset))
            records.append(RecordSpec(self._value_at(fact, offset), epoch))
        self.newest_epoch = max(self.newest_epoch, epoch)
        return records

    def _epoch_at(self, fact: LogFacts, offset: Offset) -> LeaderEpoch:
        """The epoch of a record: its own, otherwise from this replica's cache, otherwise from the
        leader's.
        """
        for one in (fact, *self.by_trust):
            record = one.records.get(offset)
            if record is not None and record.epoch is not None:
                return record.epoch
            begun = [epoch for epoch, start in one.epochs or () if start <= offset]
            if begun:
                return begun[-1]
        if self.has_epochs:
            self.without_epoch.add(offset)
        return FIRST_EPOCH

    def _value_at(self, fact: LogFacts, offset: Offset) -> str:
        record = fact.records.get(offset)
        value = None
        if record is not None:
            value = record.value or self.values.get((offset, record.epoch))
        elif not fact.records:
            value = self.values.get((offset, self._epoch_at(fact, offset)))
            value = value or self.values.get((offset, None))
        if value is None:
            self.stand_ins.add(offset)
            return f"o{offset}"
        written = as_record_value(value)
        if written != value:
            self.changed.add(offset)
        return written

    def _epochs(
        self,
        fact: LogFacts,
        records: Sequence[RecordSpec],
        start: Offset,
        end: Offset,
        broker: BrokerId,
    ) -> list[list[int]] | None:
        if fact.epochs is None or not self.has_epochs:
            return None
        before = [epoch for epoch, begins in fact.epochs if begins < start]
        entries = [(epoch, begins) for epoch, begins in fact.epochs if start <= begins <= end]
        if before and (not entries or entries[0][1] != start):
            entries.insert(0, (before[-1], start))
        fits = all(
            begins == end or records[begins - start].epoch == epoch for epoch, begins in entries
        )
        if not fits:
            self.parsed.assume("epochs_disagree", partition=self.name, broker=broker)
            return None
        self.newest_epoch = max([self.newest_epoch, *(epoch for epoch, _ in entries)])
        return [[epoch, begins - self.base] for epoch, begins in entries]

    def report(self) -> None:
        """Report the number of placeholders."""
        control = max(fact.control for fact in self.facts.values())
        for name, count in (
            ("stand_ins", len(self.stand_ins)),
            ("changed_values", len(self.changed)),
            ("record_epochs", len(self.without_epoch)),
            ("control_records", control),
        ):
            if count:
                self.parsed.assume(name, partition=self.name, count=count)


def as_record_value(text: str) -> str:
    """A value in a form that scenarios allow: up to 32 printable characters without
    space, / and *.
    """
    kept = "".join(
        character if character.isprintable() and not character.isspace() else "_"
        for character in text[:32]
    )
    return kept.replace("/", "_").replace("*", "_") or "empty"


_MOST_NAMES = 8
_MOST_STATEMENTS = 40
_Key = tuple[str, tuple[tuple[str, object], ...]]
"""A statement's name and its values, without the partitions."""
_LEARNT_NO_MORE = frozenset({"refused", "unreachable", "log_dir_failed"})


def changes_between(before: ParsedState, after: ParsedState) -> tuple[Statement, ...]:
    """The changes: of brokers, of partitions, of settings, and what is no longer known."""
    found = (
        *_of_brokers(before, after),
        *_of_partitions(before, after),
        *_of_settings(before, after),
        *_not_learnt(before, after),
    )
    rest = len(found) - _MOST_STATEMENTS
    if rest <= 0:
        return found
    return (*found[:_MOST_STATEMENTS], Statement("changed_more", {"count": rest}))


def _of_brokers(before: ParsedState, after: ParsedState) -> Iterator[Statement]:
    for name, brokers in (
        ("changed_broker_gone", before.live - after.live),
        ("changed_broker_back", after.live - before.live),
    ):
        if brokers:
            yield Statement(name, {"brokers": sorted(brokers), "count": len(brokers)})


def _of_partitions(before: ParsedState, after: ParsedState) -> Iterator[Statement]:
    alike: dict[_Key, list[Partition]] = {}
    for name in sorted(before.partitions.keys() | after.partitions.keys()):
        old, new = before.partitions.get(name), after.partitions.get(name)
        if old == new:
            continue
        for code, values in _of_one(old, new):
            alike.setdefault((code, tuple(values.items())), []).append(name)
    for (code, fields), names in alike.items():
        partitions = {"partitions": _shortened(names), "partition_count": len(names)}
        shown = {field: list(of) if isinstance(of, tuple) else of for field, of in fields}
        yield Statement(code, {**shown, **partitions})


def _of_one(
    old: ParsedPartition | None, new: ParsedPartition | None
) -> Iterator[tuple[str, dict[str, object]]]:
    """What happened to one partition: the names of statements, with their values."""
    if old is None or new is None:
        yield ("changed_new" if old is None else "changed_deleted"), {}
        return
    yield from _of_leader(old, new)
    lists: tuple[tuple[str, Iterable[BrokerId], Iterable[BrokerId]], ...] = (
        ("isr", old.isr or (), new.isr or ()),
        ("elr", old.elr, new.elr),
        ("last_known", old.last_known_elr, new.last_known_elr),
        ("replicas", old.replicas, new.replicas),
    )
    for name, were, are in lists:
        left, joined = sorted({*were} - {*are}), sorted({*are} - {*were})
        if left:
            yield f"changed_{name}_left", {"brokers": tuple(left), "count": len(left)}
        if joined:
            yield f"changed_{name}_joined", {"brokers": tuple(joined), "count": len(joined)}
    was_moving, is_moving = bool(old.adding or old.removing), bool(new.adding or new.removing)
    if is_moving and (old.adding, old.removing) != (new.adding, new.removing):
        yield (
            "changed_reassigning",
            {"adding": _listed(new.adding), "removing": _listed(new.removing)},
        )
    elif was_moving and not is_moving:
        yield "changed_reassigned", {}


def _of_leader(
    old: ParsedPartition, new: ParsedPartition
) -> Iterator[tuple[str, dict[str, object]]]:
    was, now = old.leader, new.leader
    if was == now:
        if old.leader_epoch != new.leader_epoch and None not in (
            old.leader_epoch,
            new.leader_epoch,
        ):
            yield "changed_epoch", {"before": old.leader_epoch, "after": new.leader_epoch}
    elif now == NO_LEADER:
        yield "changed_no_leader", {"before": was}
    elif was == NO_LEADER:
        yield "changed_elected", {"after": now}
    else:
        yield "changed_leader", {"before": was, "after": now}


def _of_settings(before: ParsedState, after: ParsedState) -> Iterator[Statement]:
    for topic in sorted(before.topic_configs.keys() | after.topic_configs.keys()):
        old, new = before.topic_configs.get(topic, {}), after.topic_configs.get(topic, {})
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                yield Statement(
                    "changed_topic_setting", {"topic": topic, **_values(name, old, new)}
                )
    for broker in sorted(before.broker_configs.keys() & after.broker_configs.keys()):
        of_old, of_new = before.broker_configs[broker], after.broker_configs[broker]
        for name in sorted(of_old.keys() | of_new.keys()):
            if of_old.get(name) != of_new.get(name):
                values = {"broker": broker, **_values(name, of_old, of_new)}
                yield Statement("changed_broker_setting", values)


def _values(name: str, old: dict[str, str], new: dict[str, str]) -> dict[str, object]:
    return {"setting": name, "before": old.get(name, "–"), "after": new.get(name, "–")}


def _not_learnt(before: ParsedState, after: ParsedState) -> Iterator[Statement]:
    known = [one for one in before.unknown if one.name in _LEARNT_NO_MORE]
    for one in after.unknown:
        if one.name in _LEARNT_NO_MORE and one not in known:
            yield one


def _listed(brokers: Iterable[BrokerId]) -> str:
    return ", ".join(map(str, brokers)) or "–"


def _shortened(names: list[Partition]) -> list[str]:
    shown = [str(name) for name in names[:_MOST_NAMES]]
    rest = len(names) - len(shown)
    return [*shown, f"… +{rest}"] if rest else shown
