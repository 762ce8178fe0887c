"""Reads structs field by field, as `document` and `sim_engine.actions` declare them.

`_READERS` has the readers of the fields that are more than a switch, a whole number or a word of a
closed set: references to the cluster, and parts with a syntax of their own.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct

from sim_engine.actions import ERROR_NAME_PATTERN, PROPERTY_NAMES, Expect, ExpectedReplica
from sim_engine.actions.base import MAX_BROKER_ID, MAX_BROKERS, FieldSpec, specs_of
from sim_engine.budget import go_on
from sim_engine.configs import ConfigValue, Level, WrongConfigError, check_config, setting_names
from sim_engine.error_texts import Wording, Words, error, literal, noun
from sim_engine.identifiers import (
    FIRST_OFFSET,
    NO_LEADER,
    BrokerId,
    LeaderEpoch,
    Offset,
    TopicPartition,
)
from sim_engine.json_types import as_items
from sim_engine.languages import term_names
from sim_engine.scenario_reader import rules
from sim_engine.scenario_reader.checker import Node, kind_of
from sim_engine.scenario_reader.document import (
    MAX_EXPLANATION_CHARACTERS,
    MAX_PARTITIONS,
    MAX_SOURCE_CHARACTERS,
    MAX_SOURCES,
    MAX_SUMMARY_CHARACTERS,
    MAX_TITLE_CHARACTERS,
    BrokerSpec,
    LogSpec,
    PartitionSpec,
    RecordSpec,
    Text,
    TopicSpec,
)
from sim_engine.scenario_reader.log_notation import read_epoch_pairs, read_records, split_records
from sim_engine.scenario_reader.source import shown
from sim_engine.scenario_reader.version import CONDITION_KEYS, check_version_ranges, read_condition

MIN_ISR = "min.insync.replicas"
_ERROR_NAME = re.compile(ERROR_NAME_PATTERN)

_Spec = TypeVar("_Spec", bound=Struct)


def read_struct(
    scope: rules.Scope,
    kind: type[_Spec],
    node: Node,
    *,
    what: Words,
    around: tuple[Struct, ...] = (),
    known: Mapping[str, object] = MappingProxyType({}),
) -> _Spec:
    """Read a struct from a mapping. `around` are the structs of which it is a part, as read so far,
    and `known` its fields that are not in the mapping. A required field that is missing is empty.
    """
    specs = [spec for spec in specs_of(kind) if spec.name not in known]
    members = node.mapping(
        what=what,
        known=[spec.written for spec in specs],
        required=[spec.written for spec in specs if spec.required],
    )
    return read_whole(scope, kind, members, around=around, known=known)


def read_whole(
    scope: rules.Scope,
    kind: type[_Spec],
    members: Mapping[str, Node],
    *,
    around: tuple[Struct, ...] = (),
    known: Mapping[str, object] = MappingProxyType({}),
) -> _Spec:
    """Read a struct from its fields. A required field that is missing is empty."""
    go_on()
    return kind(**{**_empty(kind), **read_fields(scope, kind, members, around=around, known=known)})


def read_fields(
    scope: rules.Scope,
    kind: type[Struct],
    members: Mapping[str, Node],
    *,
    around: tuple[Struct, ...] = (),
    known: Mapping[str, object] = MappingProxyType({}),
) -> dict[str, object]:
    """Read those fields of a struct that are given. Returns them and the `known` ones."""
    read = dict(known)

    def so_far() -> tuple[Struct, ...]:
        return (*around, kind(**{**_empty(kind), **read}))

    for spec in specs_of(kind):
        if spec.name not in known and spec.written in members:
            node = members[spec.written]
            field = Field(node.checker, node.value, node.where, scope, spec, so_far)
            read[spec.name] = _read(field)
    return read


def _empty(kind: type[Struct]) -> dict[str, object]:
    """Harmless values for the required fields of a struct."""
    required = (spec for spec in specs_of(kind) if spec.required)
    return {spec.name: () if spec.kind is tuple else "" for spec in required}


class Field(Node, frozen=True):
    """The value of a declared field; `so_far` are the structs of which it is a part, as read so
    far.
    """

    scope: rules.Scope
    spec: FieldSpec
    so_far: Callable[[], tuple[Struct, ...]]

    def within(self, kind: type[_Spec]) -> _Spec:
        """The struct of this kind of which the field is a part."""
        return next(struct for struct in self.so_far() if isinstance(struct, kind))


def _read(field: Field) -> object:
    spec = field.spec
    if field.value is None and spec.nullable:
        return None
    name = spec.part or spec.role
    if name is not None:
        return _READERS[name](field)
    if isinstance(spec.kind, type) and issubclass(spec.kind, Struct):
        return read_struct(field.scope, spec.kind, field, what=spec.written, around=field.so_far())
    return field.plain(spec)


# --- brokers, settings and topics -------------------------------------------------------------


def read_brokers(scope: rules.Scope, node: Node) -> tuple[BrokerSpec, ...]:
    """Read `brokers: [1, 2]`, or a mapping from broker to its properties."""
    brokers: dict[BrokerId, BrokerSpec] = {}
    if not isinstance(node.value, dict):
        for item in node.items(what="brokers", least=1, most=MAX_BROKERS, limit="brokers"):
            broker_id = _broker_id(item)
            if broker_id in brokers:
                item.report(error("broker_twice", broker=broker_id))
            brokers[broker_id] = BrokerSpec(id=broker_id)
        return tuple(brokers.values())
    what = noun("a_broker")
    for key, value in node.value.items():
        about = node.member(key, {} if value is None else value)
        if not rules.BROKER_KEY.fullmatch(key):
            reason = error("not_an_integer", what=what, given=literal(shown(key)))
            about.report(reason, at_key=True)
            continue
        broker_id = _broker_id(node.member(key, int(key)))
        brokers[broker_id] = read_struct(
            scope, BrokerSpec, about, what=what, known={"id": broker_id}
        )
    if not 1 <= len(node.value) <= MAX_BROKERS:
        node.report(
            error("broker_count", most=MAX_BROKERS, count=len(node.value)),
            code="out_of_range",
            limit="brokers" if node.value else None,
        )
    return tuple(brokers.values())


def _broker_id(node: Node) -> BrokerId:
    return BrokerId(node.integer(0, MAX_BROKER_ID, what=noun("a_broker")))


def read_broker_configs(scope: rules.Scope, members: Mapping[str, Node]) -> dict[str, ConfigValue]:
    """Read the settings of a single broker, which cannot be those of the controller, or, with
    eligible leader replicas, min.insync.replicas (KIP-966).
    """
    configs = read_configs(scope, members, level="broker", of_one_broker=True)
    has_elr = scope.profile is not None and scope.profile.rules.eligible_leader_replicas
    if has_elr and MIN_ISR in configs:
        reason = error("min_isr_of_one_broker", name=MIN_ISR)
        members[MIN_ISR].report(reason, code="wrong_config")
    return configs


def read_configs(
    scope: rules.Scope, members: Mapping[str, Node], *, level: Level, of_one_broker: bool = False
) -> dict[str, ConfigValue]:
    """Read settings by Kafka's names; checks the name, type, range and version of each."""
    configs: dict[str, ConfigValue] = {}
    names = setting_names(level)
    others = setting_names("broker" if level == "topic" else "topic")
    for name, setting in members.items():
        if name not in names and name not in others:
            setting.unknown_name(name, names, what="setting")
            continue
        if scope.profile is None:
            continue
        kafka = scope.profile.kafka
        try:
            configs[name] = check_config(
                name, setting.value, level=level, kafka=kafka, of_one_broker=of_one_broker
            )
        except WrongConfigError as problem:
            setting.report(problem.reason, code="wrong_config")
    return configs


def read_topics(scope: rules.Scope, node: Node) -> tuple[TopicSpec, ...]:
    """Read `topics`: the replicas and the initial state of every partition."""
    topics: dict[str, TopicSpec] = {}
    count = 0
    for item in node.items(what="topics", least=1, most=MAX_PARTITIONS, limit="partitions"):
        topic = read_struct(scope, TopicSpec, item, what=noun("a_topic"))
        if topic.name in topics and isinstance(item.value, dict) and "name" in item.value:
            item.member("name", topic.name).report(error("topic_twice", name=topic.name))
        topics[topic.name] = topic
        count += len(topic.partitions)
    if count > MAX_PARTITIONS:
        reason = error("too_many_partitions", most=MAX_PARTITIONS, count=count)
        node.report(reason, code="out_of_range", limit="partitions")
    return tuple(topics.values())


def _partitions(field: Field) -> tuple[PartitionSpec, ...]:
    items = field.items(what="partitions", least=1, most=MAX_PARTITIONS, limit="partitions")
    what = noun("a_partition")
    partitions: list[PartitionSpec] = []
    least = 0
    for item in items:
        partition = read_struct(field.scope, PartitionSpec, item, what=what)
        if partition.number is not None and partition.number < least:
            reason = error("partition_number_too_small", least=least, number=partition.number)
            item.member("number", partition.number).report(reason)
        least = 1 + (least if partition.number is None else max(least, partition.number))
        partitions.append(partition)
    return tuple(partitions)


# --- the state of a partition -----------------------------------------------------------------


def _isr(field: Field) -> tuple[BrokerId, ...]:
    partition = field.within(PartitionSpec)
    # A cancelled reassignment may leave others behind, but then nobody leads (KAFKA-14424).
    leaderless = partition.leader == NO_LEADER
    isr = _some_of_cluster(field) if leaderless else _some_of_replicas(field)
    leader = partition.first_leader if partition.replicas else NO_LEADER
    if leader not in (NO_LEADER, *isr):
        is_named = partition.leader is not None
        code = "leader_not_in_isr" if is_named else "first_replica_not_in_isr"
        field.report(error(code, broker=leader))
    return isr


def _some_of_replicas(field: Field) -> tuple[BrokerId, ...]:
    replicas, what = field.within(PartitionSpec).replicas, noun("a_member", of=field.spec.written)
    return rules.read_distinct(
        field,
        lambda item: rules.check_replica(item, replicas, what=what),
        what=field.spec.written,
        least=0,
    )


def _some_of_cluster(field: Field) -> tuple[BrokerId, ...]:
    brokers = field.scope.brokers
    return rules.read_distinct(
        field, lambda item: rules.check_broker(item, brokers), what=field.spec.written, least=0
    )


def _leader(field: Field) -> BrokerId | None:
    if field.value == NO_LEADER and not isinstance(field.value, bool):
        return NO_LEADER
    replicas = field.within(PartitionSpec).replicas
    return rules.check_replica(field, replicas, what=noun("the_leader_or_none"))


def _logs(field: Field) -> dict[BrokerId, LogSpec]:
    around, replicas = field.so_far(), field.within(PartitionSpec).replicas
    logs = rules.replicas_of(field.mapping(what="logs"), replicas, what="logs")
    return {
        broker: read_struct(field.scope, LogSpec, log, what=noun("a_log"), around=around)
        for broker, log in logs
    }


def _records(field: Field) -> tuple[RecordSpec, ...]:
    records = read_records(field)
    leader_epoch = field.within(PartitionSpec).leader_epoch
    before = 0
    for record in records:
        epoch = record.epoch or 0
        if epoch < before:
            reason = error("record_epoch_decreases", value=record.value, epoch=epoch, before=before)
            field.report(reason)
            return records
        before = epoch
    if before > leader_epoch:
        field.report(error("log_epoch_too_high", epoch=before, leader_epoch=leader_epoch))
    return records


def _acked(field: Field) -> tuple[str, ...]:
    """Check values, each of exactly one record of the logs."""
    logs = field.within(PartitionSpec).logs.values()
    written = {
        (log.log_start + index, record) for log in logs for index, record in enumerate(log.records)
    }
    acked = rules.check_values(field)
    for value in acked:
        count = sum(record.value == value for _, record in written)
        if count != 1:
            field.report(error("acked_of_no_record", value=value, count=count))
    return acked


def _offset_in_log(field: Field, lowest: Offset) -> Offset:
    """Check an offset from `lowest` to the log end offset."""
    spec, value = field.spec, field.value
    if isinstance(value, bool) or not isinstance(value, int):
        field.integer(spec.lowest, spec.highest, what=spec.written)
        return lowest
    offset, log = Offset(value), field.within(LogSpec)
    if lowest <= offset <= log.log_end_offset:
        return offset
    _report_out_of_log(field, log, literal(spec.written), lowest, offset)
    return lowest


def _report_out_of_log(
    node: Node, log: LogSpec, what: Wording, lowest: Offset, offset: Offset
) -> None:
    highest = log.log_end_offset
    reason = error("offset_out_of_log", what=what, lowest=lowest, highest=highest, number=offset)
    node.report(reason, code="out_of_range")


def _recovery_point(field: Field) -> Offset:
    recovery_point, flushed = _offset_in_log(field, FIRST_OFFSET), field.within(LogSpec).flushed
    if flushed is not None and recovery_point > flushed:
        field.report(error("recovery_point_not_flushed", number=recovery_point, flushed=flushed))
    return recovery_point


def _epochs(field: Field) -> tuple[tuple[LeaderEpoch, Offset], ...]:
    log, leader_epoch = field.within(LogSpec), field.within(PartitionSpec).leader_epoch
    epochs = read_epoch_pairs(field)
    for index, (epoch, start) in enumerate(epochs):
        entry = field.member(index, (epoch, start))
        if epoch > leader_epoch:
            entry.report(error("entry_epoch_too_high", epoch=epoch, leader_epoch=leader_epoch))
        if not log.log_start <= start <= log.log_end_offset:
            _report_out_of_log(entry, log, noun("start_of_epoch"), log.log_start, start)
        elif start < log.log_end_offset:
            right = log.records[start - log.log_start].epoch
            if right != epoch:
                reason = error("record_epoch_differs", offset=start, right=str(right), epoch=epoch)
                entry.report(reason)
    return epochs


# --- the texts about a scenario ---------------------------------------------------------------


def _condition(field: Field) -> dict[str, object]:
    members = field.mapping(what=field.spec.written, known=CONDITION_KEYS)
    condition: dict[str, object] = {**read_condition(members)}
    if "kafka" in condition:
        condition["kafka"] = list(as_items(condition["kafka"]))
    return condition


def _sources(field: Field) -> tuple[str, ...]:
    what, most = noun("a_source"), MAX_SOURCE_CHARACTERS
    items = field.items(what=field.spec.written, most=MAX_SOURCES)
    return tuple(item.one_text(what=what, most=most) for item in items)


def _matching(field: Field, what: Words, most: int, characters: str) -> str:
    right = noun("characters", most=most, of=characters)
    return field.matching(re.compile(field.spec.pattern or ""), what=what, right=right)


# --- the arguments of a step ------------------------------------------------------------------


def _acks(field: Field) -> object:
    value = field.value
    if value == "all" or (value == -1 and not isinstance(value, bool)):
        return "all"
    if isinstance(value, bool | float) or value not in (0, 1):
        field.report(error("acks_form", given=kind_of(value)))
        return "all"
    return value


def _kept(field: Field) -> dict[TopicPartition, int]:
    offset = field.spec.items
    assert offset is not None, "the argument is a mapping of offsets"
    kept: dict[TopicPartition, int] = {}
    for name, node in field.mapping(what=field.spec.written).items():
        field.scope.partition(field.member(name, name))
        what = noun("a_log_end_offset")
        kept[TopicPartition(name)] = node.integer(offset.lowest, offset.highest, what=what)
    return kept


# --- expectations -----------------------------------------------------------------------------


def _expected_of(field: Field) -> tuple[BrokerId, ...]:
    """The brokers that may have a replica of the partition of an expectation: the named one, or the
    only one.
    """
    scope, named = field.scope, field.within(Expect).partition
    if named is None and len(scope.partitions) == 1:
        (named,) = scope.partitions
    return scope.replicas(named or rules.NO_PARTITION)


def _leader_or_none(field: Field) -> BrokerId | None:
    if field.value == NO_LEADER and not isinstance(field.value, bool):
        return NO_LEADER
    return rules.check_replica(field, _expected_of(field), what=noun("the_leader_or_none"))


def _members(field: Field) -> tuple[BrokerId | None, ...]:
    replicas, what = _expected_of(field), noun("a_member", of=field.spec.written)
    items = field.items(what=field.spec.written, most=MAX_BROKERS)
    return tuple(rules.check_replica(item, replicas, what=what) for item in items)


def _expected_replicas(field: Field) -> dict[str, object]:
    members = field.mapping(what="replicas")
    known = [spec.written for spec in specs_of(ExpectedReplica)]
    return {
        str(broker): read_fields(
            field.scope, ExpectedReplica, about.mapping(what=noun("a_replica"), known=known)
        )
        for broker, about in rules.replicas_of(members, _expected_of(field), what="replicas")
    }


def _log_line(field: Field) -> object:
    split_records(field)
    return field.value


def _error_names(field: Field) -> dict[str, str | None]:
    what, right = noun("an_error"), noun("error_names")
    return {
        record: None if name.value is None else name.matching(_ERROR_NAME, what=what, right=right)
        for record, name in field.mapping(what=field.spec.written).items()
    }


def _properties(field: Field) -> tuple[str, ...]:
    items = field.items(what=field.spec.written, most=len(PROPERTY_NAMES))
    return tuple(name.one_of(PROPERTY_NAMES, what=noun("a_property")) for name in items)


def _terms(field: Field) -> tuple[str, ...]:
    items = field.items(what=field.spec.written, most=len(term_names()))
    return tuple(name.one_of(term_names(), what=noun("a_term")) for name in items)


def _new_terms(field: Field) -> dict[str, Text]:
    members = field.mapping(what=field.spec.written, known=term_names())
    what = noun("the_explanation")
    return {
        term: node.text(what=what, most=MAX_EXPLANATION_CHARACTERS, lines=False)
        for term, node in members.items()
    }


def _values_read(field: Field) -> dict[str, tuple[str, ...]]:
    members = field.mapping(what=field.spec.written)
    return {consumer: rules.check_values(values) for consumer, values in members.items()}


_READERS: Mapping[str, Callable[[Field], object]] = {
    "acked": _acked,
    "acks": _acks,
    "broker": lambda field: field.scope.broker(field),
    "broker_configs": lambda field: read_broker_configs(field.scope, field.mapping(what="configs")),
    "client": lambda field: rules.check_name(field, what=noun("a_client_name")),
    "condition": _condition,
    "configs": lambda field: read_configs(
        field.scope, field.mapping(what="configs"), level="broker"
    ),
    "endpoint": lambda field: field.scope.endpoint(field),
    "epoch_file": _epochs,
    "epochs": read_epoch_pairs,
    "error_names": _error_names,
    "expected_replicas": _expected_replicas,
    "high_watermark": lambda field: _offset_in_log(field, field.within(LogSpec).log_start),
    "isr": _isr,
    "kept": _kept,
    "leader": _leader,
    "leader_or_none": _leader_or_none,
    "log_line": _log_line,
    "logs": _logs,
    "members": _members,
    "name": lambda field: _matching(field, field.spec.written, 64, "a-z 0-9 -"),
    "offset_in_log": lambda field: _offset_in_log(field, FIRST_OFFSET),
    "partition": lambda field: field.scope.partition(field),
    "new_terms": _new_terms,
    "partitions": _partitions,
    "properties": _properties,
    "rack": lambda field: rules.check_name(field, what=noun("a_rack")),
    "ranges": lambda field: check_version_ranges(field, what=field.spec.written),
    "records": _records,
    "recovery_point": _recovery_point,
    "replicas": lambda field: rules.read_distinct(
        field, lambda item: rules.check_broker(item, field.scope.brokers), what=field.spec.written
    ),
    "some_of_cluster": _some_of_cluster,
    "some_of_replicas": _some_of_replicas,
    "sources": _sources,
    "summary": lambda field: field.text(what=noun("the_summary"), most=MAX_SUMMARY_CHARACTERS),
    "terms": _terms,
    "title": lambda field: field.text(
        what=noun("the_title"), most=MAX_TITLE_CHARACTERS, lines=False
    ),
    "topic_configs": lambda field: read_configs(
        field.scope, field.mapping(what="configs"), level="topic"
    ),
    "topic_name": lambda field: _matching(field, noun("a_topic_name"), 249, "A-Z a-z 0-9 . _ -"),
    "values": lambda field: rules.check_values(field, least=field.spec.least),
    "values_read": _values_read,
}
"""Part of the format, or role of an argument → its reader."""
