"""Reads the fields of a scenario as `document` declares them: texts, brokers, settings, topics,
partitions, and the logs of replicas with their offsets, checkpoints and leader epochs.

`ClusterScope` walks the fields of a struct. `_PARTS` has the readers of those with a syntax of
their own.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct

from sim_engine.actions.base import CLIENT_PATTERN, MAX_BROKER_ID, MAX_BROKERS, FieldSpec, specs_of
from sim_engine.budget import go_on
from sim_engine.configs import ConfigValue, Level, WrongConfigError, check_config, setting_names
from sim_engine.error_texts import Wording, Words, error, literal, noun
from sim_engine.identifiers import FIRST_OFFSET, BrokerId, LeaderEpoch, Offset
from sim_engine.json_types import as_items
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.scenario_reader.checker import Checker, kind_of
from sim_engine.scenario_reader.document import (
    MAX_PARTITIONS,
    MAX_SOURCE_CHARACTERS,
    MAX_SOURCES,
    MAX_SUMMARY_CHARACTERS,
    MAX_TITLE_CHARACTERS,
    BrokerSpec,
    LogSpec,
    PartitionSpec,
    RecordSpec,
    TopicSpec,
)
from sim_engine.scenario_reader.log_notation import read_epoch_pairs, read_records
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.scenario_reader.version import CONDITION_KEYS, read_condition
from sim_engine.versions import Profile

MIN_ISR = "min.insync.replicas"
NAME_CHARACTERS = noun("characters", most=32, of="A-Z a-z 0-9 . _ -")
"""The characters of a rack and of a client's name."""
_RACK = re.compile(CLIENT_PATTERN)
BROKER_KEY = re.compile("0|[1-9][0-9]{0,9}")

_Spec = TypeVar("_Spec", bound=Struct)


class ClusterScope:
    """The cluster to which the structs belong that are read field by field, as they declare it."""

    def __init__(
        self, checker: Checker, brokers: Sequence[BrokerId] = (), profile: Profile | None = None
    ) -> None:
        self.checker = checker
        self.brokers = brokers
        self.profile = profile

    def read(
        self,
        kind: type[_Spec],
        value: object,
        where: str,
        *,
        what: Words,
        around: tuple[Struct, ...] = (),
        known: Mapping[str, object] = MappingProxyType({}),
    ) -> _Spec:
        """Read a struct from a mapping. `around` are the structs of which it is a part, as read so
        far, and `known` its fields that are not in the mapping.
        """
        specs = [spec for spec in specs_of(kind) if spec.name not in known]
        entries = self.checker.mapping(
            value,
            where,
            what=what,
            known=tuple(spec.written for spec in specs),
            required=[spec.written for spec in specs if spec.required],
        )
        return self.read_fields(kind, entries, where, around=around, known=known)

    def read_fields(
        self,
        kind: type[_Spec],
        entries: Mapping[str, object],
        where: str = "",
        *,
        around: tuple[Struct, ...] = (),
        known: Mapping[str, object] = MappingProxyType({}),
    ) -> _Spec:
        """Read the fields of a struct, except those that are known already. A required field that
        is missing is empty.
        """
        go_on()
        specs = [spec for spec in specs_of(kind) if spec.name not in known]
        read = {
            **{spec.name: () if spec.kind is tuple else "" for spec in specs if spec.required},
            **known,
        }
        for spec in specs:
            if spec.written in entries:
                value, inner = entries[spec.written], pointer(where, spec.written)
                read[spec.name] = self._field(spec, value, inner, lambda: (*around, kind(**read)))
        return kind(**read)

    def _field(
        self, spec: FieldSpec, value: object, where: str, so_far: Callable[[], tuple[Struct, ...]]
    ) -> object:
        if value is None and spec.nullable:
            return None
        if spec.part is not None:
            return _PARTS[spec.part](_Field(self, spec, value, where, so_far()))
        if spec.role == "replicas":
            return read_broker_list(self.checker, value, where, self.brokers, what=spec.written)
        if spec.role == "rack":
            return check_rack(self.checker, value, where)
        if isinstance(spec.kind, type) and issubclass(spec.kind, Struct):
            return self.read(spec.kind, value, where, what=spec.written, around=so_far())
        return self.checker.plain(spec, value, where)


class _Field(Struct, frozen=True):
    """A field with a syntax of its own: its declaration, its value and place, and the structs of
    which it is a part, as read so far.
    """

    scope: ClusterScope
    spec: FieldSpec
    value: object
    where: str
    around: tuple[Struct, ...]

    @property
    def checker(self) -> Checker:
        return self.scope.checker

    @property
    def partition(self) -> PartitionSpec:
        return next(struct for struct in self.around if isinstance(struct, PartitionSpec))

    @property
    def log(self) -> LogSpec:
        return next(struct for struct in self.around if isinstance(struct, LogSpec))


# --- brokers and topics -----------------------------------------------------------------------


def read_brokers(
    checker: Checker, value: object, profile: Profile | None
) -> tuple[BrokerSpec, ...]:
    """Read `brokers: [1, 2]`, or a mapping from broker to its properties."""
    where = "/brokers"
    brokers: dict[BrokerId, BrokerSpec] = {}
    if isinstance(value, dict):
        scope = ClusterScope(checker, (), profile)
        for key, about in value.items():
            inner = pointer(where, key)
            if not BROKER_KEY.fullmatch(key):
                reason = error("not_an_integer", what=noun("a_broker"), given=literal(shown(key)))
                checker.report(inner, reason, at_key=True)
                continue
            broker_id = _broker_id(checker, int(key), inner)
            properties = {} if about is None else about
            brokers[broker_id] = scope.read(
                BrokerSpec, properties, inner, what=noun("a_broker"), known={"id": broker_id}
            )
    else:
        for index, item in enumerate(
            checker.items(value, where, what="brokers", least=1, most=MAX_BROKERS, limit="brokers")
        ):
            inner = pointer(where, index)
            broker_id = _broker_id(checker, item, inner)
            if broker_id in brokers:
                checker.report(inner, error("broker_twice", broker=broker_id))
            brokers[broker_id] = BrokerSpec(id=broker_id)
    if isinstance(value, dict) and not 1 <= len(value) <= MAX_BROKERS:
        checker.report(
            where,
            error("broker_count", most=MAX_BROKERS, count=len(value)),
            code="out_of_range",
            limit="brokers" if value else None,
        )
    return tuple(brokers.values())


def _broker_id(checker: Checker, value: object, where: str) -> BrokerId:
    return BrokerId(checker.integer(value, where, 0, MAX_BROKER_ID, what=noun("a_broker")))


def check_rack(checker: Checker, value: object, where: str) -> str:
    """Check the name of a rack."""
    return checker.matching(value, where, _RACK, what=noun("a_rack"), right=NAME_CHARACTERS)


def read_broker_configs(
    checker: Checker, value: object, where: str, profile: Profile | None
) -> dict[str, ConfigValue]:
    """Read the settings of a single broker, which cannot be those of the controller, or, with
    eligible leader replicas, min.insync.replicas (KIP-966).
    """
    configs = read_configs(
        checker, value, where, level="broker", profile=profile, of_one_broker=True
    )
    has_elr = profile is not None and profile.rules.eligible_leader_replicas
    if has_elr and MIN_ISR in configs:
        reason = error("min_isr_of_one_broker", name=MIN_ISR)
        checker.report(pointer(where, MIN_ISR), reason, code="wrong_config")
    return configs


def read_configs(
    checker: Checker,
    value: object,
    where: str,
    *,
    level: Level,
    profile: Profile | None,
    of_one_broker: bool = False,
) -> dict[str, ConfigValue]:
    """Read settings by Kafka's names; checks the name, type, range and version of each."""
    configs: dict[str, ConfigValue] = {}
    for name, setting in checker.mapping(value, where, what="configs").items():
        inner = pointer(where, name)
        names = setting_names(level)
        if name not in names and name not in setting_names(
            "broker" if level == "topic" else "topic"
        ):
            checker.unknown_name(name, inner, names, what="setting")
            continue
        if profile is None:
            continue
        try:
            configs[name] = check_config(
                name, setting, level=level, kafka=profile.kafka, of_one_broker=of_one_broker
            )
        except WrongConfigError as problem:
            checker.report(inner, problem.reason, code="wrong_config")
    return configs


def read_topics(
    checker: Checker, value: object, brokers: Sequence[BrokerId], profile: Profile | None
) -> tuple[TopicSpec, ...]:
    """Read `topics`: the replicas and the initial state of every partition."""
    scope = ClusterScope(checker, brokers, profile)
    topics: dict[str, TopicSpec] = {}
    count = 0
    items = checker.items(
        value, "/topics", what="topics", least=1, most=MAX_PARTITIONS, limit="partitions"
    )
    for index, item in enumerate(items):
        where = pointer("/topics", index)
        topic = scope.read(TopicSpec, item, where, what=noun("a_topic"))
        if topic.name in topics and isinstance(item, dict) and "name" in item:
            checker.report(pointer(where, "name"), error("topic_twice", name=topic.name))
        topics[topic.name] = topic
        count += len(topic.partitions)
    if count > MAX_PARTITIONS:
        checker.report(
            "/topics",
            error("too_many_partitions", most=MAX_PARTITIONS, count=count),
            code="out_of_range",
            limit="partitions",
        )
    return tuple(topics.values())


# --- references to brokers --------------------------------------------------------------------


def read_broker_list(
    checker: Checker, value: object, where: str, brokers: Sequence[BrokerId], *, what: str
) -> tuple[BrokerId, ...]:
    """Read a list of distinct existing brokers."""
    return _distinct(
        checker, value, where, what, lambda item, inner: check_broker(checker, item, inner, brokers)
    )


def _distinct(
    checker: Checker,
    value: object,
    where: str,
    what: str,
    check: Callable[[object, str], BrokerId | None],
) -> tuple[BrokerId, ...]:
    members: list[BrokerId] = []
    for index, item in enumerate(checker.items(value, where, what=what, least=1, most=MAX_BROKERS)):
        inner = pointer(where, index)
        broker = check(item, inner)
        if broker in members:
            checker.report(inner, error("broker_twice_in", broker=broker, what=literal(what)))
        elif broker is not None:
            members.append(broker)
    return tuple(members)


def check_broker(
    checker: Checker, value: object, where: str, brokers: Sequence[BrokerId]
) -> BrokerId | None:
    """Check the id of an existing broker."""
    if isinstance(value, bool) or not isinstance(value, int):
        reason = error("not_an_integer", what=noun("a_broker"), given=kind_of(value))
        checker.report(where, reason, code="wrong_type")
        return None
    if brokers and value not in brokers:
        known = tuple(map(str, brokers))
        reason = error("no_broker", broker=value, names=known)
        checker.report(where, reason, code="unknown_reference")
        return None
    return BrokerId(value)


def check_replica(
    checker: Checker, value: object, where: str, replicas: Sequence[BrokerId], *, what: Wording
) -> BrokerId | None:
    """Check a broker that has a replica of the partition."""
    broker = check_broker(checker, value, where, ())
    if broker is not None and replicas and broker not in replicas:
        known = tuple(map(str, replicas))
        checker.report(
            where,
            error("not_a_replica", what=what, names=known, broker=broker),
            code="unknown_reference",
        )
        return None
    return broker


def check_broker_key(
    checker: Checker, key: str, where: str, replicas: Sequence[BrokerId], *, what: str
) -> BrokerId | None:
    """Check a replica that is the key of a mapping. A key is text even if it looks like
    a number.
    """
    if BROKER_KEY.fullmatch(key) and (int(key) in replicas or not replicas):
        return BrokerId(int(key))
    known = tuple(map(str, replicas))
    checker.report(
        where,
        error("not_by_replica", what=literal(what), given=literal(shown(key)), names=known),
        code="unknown_reference",
        at_key=True,
    )
    return None


# --- fields with a syntax of their own --------------------------------------------------------


def _offset_in_log(field: _Field, lowest: Offset) -> Offset:
    """Check an offset from `lowest` to the log end offset."""
    spec, value = field.spec, field.value
    if isinstance(value, bool) or not isinstance(value, int):
        lowest_ever, highest = spec.lowest, spec.highest
        field.checker.integer(value, field.where, lowest_ever, highest, what=spec.written)
    elif lowest <= value <= field.log.log_end_offset:
        return Offset(value)
    else:
        _report_out_of_log(field, field.where, literal(spec.written), lowest, Offset(value))
    return lowest


def _report_out_of_log(
    field: _Field, where: str, what: Wording, lowest: Offset, offset: Offset
) -> None:
    highest = field.log.log_end_offset
    reason = error("offset_out_of_log", what=what, lowest=lowest, highest=highest, number=offset)
    field.checker.report(where, reason, code="out_of_range")


def _recovery_point(field: _Field) -> Offset:
    recovery_point, flushed = _offset_in_log(field, FIRST_OFFSET), field.log.flushed
    if flushed is not None and recovery_point > flushed:
        reason = error("recovery_point_not_flushed", number=recovery_point, flushed=flushed)
        field.checker.report(field.where, reason)
    return recovery_point


def _isr(field: _Field) -> tuple[BrokerId, ...]:
    checker, partition, what = field.checker, field.partition, noun("isr_member")
    isr = _distinct(
        checker,
        field.value,
        field.where,
        field.spec.written,
        lambda item, where: check_replica(checker, item, where, partition.replicas, what=what),
    )
    first = partition.replicas[0] if partition.replicas else None
    leader = first if partition.leader is None else partition.leader
    if isr and leader is not None and leader not in isr:
        is_named = partition.leader is not None
        code = "leader_not_in_isr" if is_named else "first_replica_not_in_isr"
        checker.report(field.where, error(code, broker=leader))
    return isr


def _records(field: _Field) -> tuple[RecordSpec, ...]:
    records = read_records(field.checker, field.value, field.where)
    leader_epoch = field.partition.leader_epoch
    before = 0
    for record in records:
        epoch = record.epoch or 0
        if epoch < before:
            reason = error("record_epoch_decreases", value=record.value, epoch=epoch, before=before)
            field.checker.report(field.where, reason)
            return records
        before = epoch
    if before > leader_epoch:
        reason = error("log_epoch_too_high", epoch=before, leader_epoch=leader_epoch)
        field.checker.report(field.where, reason)
    return records


def _epochs(field: _Field) -> tuple[tuple[LeaderEpoch, Offset], ...]:
    checker, log, leader_epoch = field.checker, field.log, field.partition.leader_epoch
    epochs = read_epoch_pairs(checker, field.value, field.where)
    for index, (epoch, start) in enumerate(epochs):
        where = pointer(field.where, index)
        if epoch > leader_epoch:
            reason = error("entry_epoch_too_high", epoch=epoch, leader_epoch=leader_epoch)
            checker.report(where, reason)
        if not log.log_start <= start <= log.log_end_offset:
            _report_out_of_log(field, where, noun("start_of_epoch"), log.log_start, start)
        elif start < log.log_end_offset:
            right = log.records[start - log.log_start].epoch
            if right != epoch:
                reason = error("record_epoch_differs", offset=start, right=str(right), epoch=epoch)
                checker.report(where, reason)
    return epochs


def _logs(field: _Field) -> dict[BrokerId, LogSpec]:
    logs: dict[BrokerId, LogSpec] = {}
    for key, log in field.checker.mapping(field.value, field.where, what="logs").items():
        inner = pointer(field.where, key)
        replicas = field.partition.replicas
        broker = check_broker_key(field.checker, key, inner, replicas, what="logs")
        if broker is not None:
            what = noun("a_log")
            logs[broker] = field.scope.read(LogSpec, log, inner, what=what, around=field.around)
    return logs


def _partitions(field: _Field) -> tuple[PartitionSpec, ...]:
    partitions = field.checker.items(
        field.value,
        field.where,
        what="partitions",
        least=1,
        most=MAX_PARTITIONS,
        limit="partitions",
    )
    what = noun("a_partition")
    return tuple(
        field.scope.read(PartitionSpec, partition, pointer(field.where, number), what=what)
        for number, partition in enumerate(partitions)
    )


def _condition(field: _Field) -> dict[str, object]:
    entries = field.checker.mapping(
        field.value, field.where, what=field.spec.written, known=CONDITION_KEYS
    )
    condition: dict[str, object] = {**read_condition(field.checker, entries, field.where)}
    if "kafka" in condition:
        condition["kafka"] = list(as_items(condition["kafka"]))
    return condition


def _sources(field: _Field) -> tuple[str, ...]:
    checker, what = field.checker, noun("a_source")
    sources: list[str] = []
    for index, item in enumerate(
        checker.items(field.value, field.where, what=field.spec.written, most=MAX_SOURCES)
    ):
        where = pointer(field.where, index)
        text = checker.string(item, where, what=what)
        source = checker.text(text, where, what=what, most=MAX_SOURCE_CHARACTERS)
        sources.append(source[DEFAULT_LANGUAGE])
    return tuple(sources)


def _matching(field: _Field, what: Words, most: int, characters: str) -> str:
    pattern = re.compile(field.spec.pattern or "")
    right = noun("characters", most=most, of=characters)
    return field.checker.matching(field.value, field.where, pattern, what=what, right=right)


_PARTS: Mapping[str, Callable[[_Field], object]] = {
    "broker_configs": lambda field: read_broker_configs(
        field.checker, field.value, field.where, field.scope.profile
    ),
    "condition": _condition,
    "configs": lambda field: read_configs(
        field.checker, field.value, field.where, level="broker", profile=field.scope.profile
    ),
    "epochs": _epochs,
    "high_watermark": lambda field: _offset_in_log(field, field.log.log_start),
    "isr": _isr,
    "leader": lambda field: check_replica(
        field.checker, field.value, field.where, field.partition.replicas, what=noun("the_leader")
    ),
    "logs": _logs,
    "name": lambda field: _matching(field, field.spec.written, 64, "a-z 0-9 -"),
    "offset_in_log": lambda field: _offset_in_log(field, FIRST_OFFSET),
    "partitions": _partitions,
    "records": _records,
    "recovery_point": _recovery_point,
    "sources": _sources,
    "topic_configs": lambda field: read_configs(
        field.checker, field.value, field.where, level="topic", profile=field.scope.profile
    ),
    "summary": lambda field: field.checker.text(
        field.value, field.where, what=noun("the_summary"), most=MAX_SUMMARY_CHARACTERS
    ),
    "title": lambda field: field.checker.text(
        field.value, field.where, what=noun("the_title"), most=MAX_TITLE_CHARACTERS, lines=False
    ),
    "topic_name": lambda field: _matching(field, noun("a_topic_name"), 249, "A-Z a-z 0-9 . _ -"),
}
"""Part of the format → its reader."""
