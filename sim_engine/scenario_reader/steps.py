"""Reads the steps of a scenario: actions, texts and expectations.

`sim_engine.actions` defines the steps. Their arguments are read field by field, as the struct
declares them: ranges, closed sets and patterns; references to the cluster are checked with the
scope, and conditions on several arguments in `step_rules`. Conditions that depend on the state,
such as whether a broker is up, are not checked: an impossible step is refused when it is performed.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from msgspec import Struct

from sim_engine.actions import (
    STEP_NAMED,
    Ask,
    Config,
    Expect,
    Note,
    Step,
    StepStruct,
    Words,
    name_of,
)
from sim_engine.actions.author_words import (
    ERROR_NAME_PATTERN,
    MAX_ANSWER_CHARACTERS,
    MAX_ANSWERS,
    MAX_NOTE_CHARACTERS,
    MAX_REASON_CHARACTERS,
    PARTITION_KEYS,
    PROPERTY_NAMES,
    ExpectedReplica,
)
from sim_engine.actions.base import MAX_BROKERS, MAX_RECORDS, FieldSpec, Role, specs_of
from sim_engine.budget import go_on
from sim_engine.error_texts import error, noun
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.checker import Checker, kind_of
from sim_engine.scenario_reader.document import ScenarioStep
from sim_engine.scenario_reader.fields import (
    check_broker_key,
    check_rack,
    check_replica,
    read_broker_configs,
    read_broker_list,
    read_configs,
)
from sim_engine.scenario_reader.log_notation import (
    read_epoch_pairs,
    report_too_many_records,
    split_records,
)
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.scenario_reader.step_rules import (
    NO_PARTITION,
    RULES,
    Arguments,
    StepScope,
    check_together,
    needed_arguments,
    spelled_out,
)
from sim_engine.scenario_reader.version import (
    CONDITION_KEYS,
    check_level_exists,
    check_version_ranges,
    read_condition,
)
from sim_engine.versions import LEVEL_NAMES, LevelName, dotted


def read_arguments(
    scope: StepScope, kind: type[StepStruct], arguments: Arguments, where: str
) -> dict[str, object] | None:
    """The fields of a step by their Python names; None if a required one is missing.

    An invalid value is reported and replaced by a harmless one.
    """
    read = {
        spec.name: read_field(
            scope, spec, arguments[spec.written], pointer(where, spec.written), arguments
        )
        for spec in specs_of(kind)
        if spec.written in arguments
    }
    whole = all(spec.name in read for spec in specs_of(kind) if spec.required)
    return read if whole else None


def read_field(
    scope: StepScope, spec: FieldSpec, value: object, where: str, arguments: Arguments
) -> object:
    """Read one argument; `arguments` are all arguments of the step."""
    if value is None and spec.nullable:
        return None
    if spec.role is not None:
        return _BY_ROLE[spec.role](scope, spec, value, where, arguments)
    return scope.checker.plain(spec, value, where)


def _acks(
    scope: StepScope, spec: FieldSpec, value: object, where: str, arguments: Arguments
) -> object:
    if value == "all" or (value == -1 and not isinstance(value, bool)):
        return "all"
    if isinstance(value, bool | float) or value not in (0, 1):
        scope.checker.report(where, error("acks_form", given=kind_of(value)))
        return "all"
    return value


def _kept(
    scope: StepScope, spec: FieldSpec, value: object, where: str, arguments: Arguments
) -> object:
    assert spec.items is not None, "the argument is a mapping of offsets"
    kept: dict[TopicPartition, int] = {}
    for name, offset in scope.checker.mapping(value, where, what=spec.written).items():
        inner = pointer(where, name)
        scope.partition(name, inner)
        kept[TopicPartition(name)] = scope.checker.integer(
            offset, inner, spec.items.lowest, spec.items.highest, what=noun("a_log_end_offset")
        )
    return kept


_BY_ROLE: Mapping[Role, Callable[[StepScope, FieldSpec, object, str, Arguments], object]] = {
    "acks": _acks,
    "broker": lambda scope, _, value, where, __: scope.broker(value, where),
    "client": lambda scope, _, value, where, __: scope.client(value, where),
    "endpoint": lambda scope, _, value, where, __: scope.endpoint(value, where),
    "kept": _kept,
    "partition": lambda scope, _, value, where, __: scope.partition(value, where),
    "rack": lambda scope, _, value, where, __: check_rack(scope.checker, value, where),
    "replicas": lambda scope, spec, value, where, __: read_broker_list(
        scope.checker, value, where, scope.brokers, what=spec.written
    ),
    "values": lambda scope, spec, value, where, __: scope.values(value, where, least=spec.least),
}


def read_config(scope: StepScope, value: object, where: str) -> Config:
    """Read a `config` step. Whether the release supports a level is checked when the step is
    performed.
    """
    checker = scope.checker
    arguments = checker.mapping(value, where, what=name_of(Config))
    topic: str | None = None
    if "topic" in arguments:
        topic_where = pointer(where, "topic")
        topic = checker.string(arguments["topic"], topic_where, what="topic")
        if topic and scope.topics and topic not in scope.topics:
            checker.unknown_name(topic, topic_where, scope.topics, what="topic")
    broker = _broker(scope, arguments, where)
    levels = _levels(scope, arguments, where)
    settings = {
        name: item
        for name, item in arguments.items()
        if name not in _ENTITIES and name not in _LEVEL_SPELLINGS
    }
    if isinstance(value, dict) and not settings and not levels:
        checker.report(where, error("config_without_setting"), code="missing")
    if broker is not None:
        own = read_broker_configs(checker, settings, where, scope.profile)
        return Config(broker=broker, settings=own)
    return Config(
        topic=topic,
        levels=levels,
        settings=read_configs(
            checker,
            settings,
            where,
            level="broker" if topic is None else "topic",
            profile=scope.profile,
        ),
    )


_ENTITIES = ("topic", "broker")
"""The keys that name whose settings change; without them, they are the cluster's."""


def _broker(scope: StepScope, arguments: Mapping[str, object], where: str) -> BrokerId | None:
    if "broker" not in arguments:
        return None
    inner = pointer(where, "broker")
    if "topic" in arguments:
        scope.checker.report(inner, error("config_of_two"))
    return scope.broker(arguments["broker"], inner)


_LEVEL_SPELLINGS: Mapping[str, LevelName] = {
    written: name for name in LEVEL_NAMES for written in (name, dotted(name))
}
"""The names of the protocol level: the format's and Kafka's."""


def _levels(scope: StepScope, arguments: Mapping[str, object], where: str) -> dict[LevelName, str]:
    levels: dict[LevelName, str] = {}
    for written, name in _LEVEL_SPELLINGS.items():
        if written not in arguments:
            continue
        inner = pointer(where, written)
        level = check_level_exists(scope.checker, arguments[written], inner)
        if any(entity in arguments for entity in _ENTITIES):
            scope.checker.report(inner, error("level_of_topic", name=written))
        elif level is not None:
            levels[name] = level
    return levels


_ERROR_NAME = re.compile(ERROR_NAME_PATTERN)


def read_note(scope: StepScope, value: object, where: str) -> Note:
    """Read a text for all languages, or a mapping by language, which may have a condition."""
    checker = scope.checker
    if not isinstance(value, dict):
        text = checker.text(value, where, what=noun("a_note"), most=MAX_NOTE_CHARACTERS)
        return Note(text=text)
    arguments = checker.mapping(
        value, where, what=name_of(Note), known=(*LANGUAGES, *CONDITION_KEYS)
    )
    words = checker.words_of(arguments, where, what=noun("a_note"), most=MAX_NOTE_CHARACTERS)
    condition = read_condition(checker, arguments, where)
    return Note(text=words, **condition)


def read_question(scope: StepScope, value: object, where: str) -> Ask | None:
    """Read a question with its answers; None if it is not a mapping."""
    checker = scope.checker
    arguments = checker.mapping(
        value,
        where,
        what=name_of(Ask),
        known=(*LANGUAGES, "answers", "correct", "reasons", *CONDITION_KEYS),
        required=("answers", "correct"),
    )
    if not arguments:
        return None
    words = checker.words_of(arguments, where, what=noun("a_question"), most=MAX_NOTE_CHARACTERS)
    answers_where = pointer(where, "answers")
    answers = checker.items(
        arguments.get("answers", ["", ""]), answers_where, what="answers", least=2, most=MAX_ANSWERS
    )
    return Ask(
        text=words,
        answers=tuple(
            checker.text(
                answer,
                pointer(answers_where, index),
                what=noun("an_answer"),
                most=MAX_ANSWER_CHARACTERS,
            )
            for index, answer in enumerate(answers)
        ),
        correct=checker.integer(
            arguments.get("correct", 0),
            pointer(where, "correct"),
            0,
            max(len(answers) - 1, 0),
            what=noun("correct_answer"),
        ),
        reasons=_reasons(scope, arguments, where, answers=len(answers)),
        **read_condition(checker, arguments, where),
    )


def _reasons(
    scope: StepScope, arguments: Mapping[str, object], where: str, *, answers: int
) -> tuple[Mapping[str, str], ...] | None:
    """Read one text for each answer; None if there are none."""
    if "reasons" not in arguments:
        return None
    checker = scope.checker
    reasons_where = pointer(where, "reasons")
    reasons = checker.items(arguments["reasons"], reasons_where, what="reasons", most=MAX_ANSWERS)
    if isinstance(arguments["reasons"], list) and len(reasons) != answers:
        checker.report(
            reasons_where,
            error("reason_count", expected=answers, count=len(reasons)),
            code="missing" if len(reasons) < answers else "too_many",
        )
    return tuple(
        checker.text(
            reason, pointer(reasons_where, index), what=noun("a_reason"), most=MAX_REASON_CHARACTERS
        )
        for index, reason in enumerate(reasons)
    )


def read_expectation(scope: StepScope, value: object, where: str) -> StepStruct:
    """Read an expectation. If there are several partitions, an expectation about one must
    name it.
    """
    checker = scope.checker
    specs = {spec.written: spec for spec in specs_of(Expect)}
    arguments = checker.mapping(value, where, what=name_of(Expect), known=tuple(specs))
    if isinstance(value, dict) and not set(arguments) - {"partition", "kafka"}:
        checker.report(where, error("expectation_empty"), code="missing")
    expected: dict[str, object] = {}
    partition = (
        next(iter(scope.partitions), TopicPartition(""))
        if len(scope.partitions) == 1
        else NO_PARTITION
    )
    if "partition" in arguments:
        partition = scope.partition(arguments["partition"], pointer(where, "partition"))
        expected["partition"] = partition
    elif len(scope.partitions) > 1 and any(key in arguments for key in PARTITION_KEYS):
        first = next(iter(scope.partitions))
        checker.report(where, error("partition_not_named", name=first), code="missing")
    replicas = scope.replicas(partition)
    for key, item in arguments.items():
        if key in specs and key != "partition":
            where_key = pointer(where, key)
            expected[key] = _expected(_Expected(scope, specs[key], item, where_key, replicas))
    kind: type[StepStruct] = Expect
    return kind(**expected)


class _Expected(Struct, frozen=True):
    """A field of an expectation: its declaration, its value and place, and the brokers that may
    have a replica of the partition.
    """

    scope: StepScope
    spec: FieldSpec
    value: object
    where: str
    replicas: Sequence[BrokerId]

    def items(self, most: int) -> Iterator[tuple[object, str]]:
        """The elements of the list, each with its place."""
        items = self.scope.checker.items(self.value, self.where, what=self.spec.written, most=most)
        return ((item, pointer(self.where, index)) for index, item in enumerate(items))

    def entries(self) -> Iterator[tuple[str, object, str]]:
        """The entries of the mapping, each with its place."""
        entries = self.scope.checker.mapping(self.value, self.where, what=self.spec.written)
        return ((key, item, pointer(self.where, key)) for key, item in entries.items())


def _leader_or_none(field: _Expected) -> BrokerId | None:
    if field.value == NO_LEADER and not isinstance(field.value, bool):
        return NO_LEADER
    what = noun("the_leader_or_none")
    return check_replica(field.scope.checker, field.value, field.where, field.replicas, what=what)


def _expected_replicas(field: _Expected) -> dict[str, object]:
    checker = field.scope.checker
    return {
        key: _expected_replica(checker, item, where)
        for key, item, where in field.entries()
        if check_broker_key(checker, key, where, field.replicas, what="replicas") is not None
    }


def _expected_replica(checker: Checker, value: object, where: str) -> Mapping[str, object]:
    specs = specs_of(ExpectedReplica)
    known = tuple(spec.written for spec in specs)
    entries = checker.mapping(value, where, what=noun("a_replica"), known=known)
    held: dict[str, object] = {}
    for spec in specs:
        if spec.written not in entries:
            continue
        item, inner = entries[spec.written], pointer(where, spec.written)
        if item is None and spec.nullable:
            held[spec.written] = None
        elif spec.part == "log_line":
            held[spec.written] = _log_line(checker, item, inner)
        elif spec.part == "epochs":
            held[spec.written] = read_epoch_pairs(checker, item, inner)
        else:
            held[spec.written] = checker.plain(spec, item, inner)
    return held


def _log_line(checker: Checker, value: object, where: str) -> object:
    words = split_records(checker, value, where)
    if sum(count or 1 for _, count, _ in words) > MAX_RECORDS:
        report_too_many_records(checker, where)
    return value


def _error_name(checker: Checker, value: object, where: str) -> str | None:
    if value is None:
        return None
    what, right = noun("an_error"), noun("error_names")
    return checker.matching(value, where, _ERROR_NAME, what=what, right=right)


_EXPECTED: Mapping[str, Callable[[_Expected], object]] = {
    "error_names": lambda field: {
        record: _error_name(field.scope.checker, name, where)
        for record, name, where in field.entries()
    },
    "expected_replicas": _expected_replicas,
    "leader_or_none": _leader_or_none,
    "members": lambda field: tuple(
        check_replica(
            field.scope.checker,
            member,
            where,
            field.replicas,
            what=noun("a_member", of=field.spec.written),
        )
        for member, where in field.items(MAX_BROKERS)
    ),
    "properties": lambda field: tuple(
        field.scope.checker.one_of(name, where, PROPERTY_NAMES, what=noun("a_property"))
        for name, where in field.items(len(PROPERTY_NAMES))
    ),
    "ranges": lambda field: check_version_ranges(
        field.scope.checker, field.value, field.where, what=field.spec.written
    ),
    "values_read": lambda field: {
        consumer: field.scope.values(values, where) for consumer, values, where in field.entries()
    },
}
"""Part of an expectation → its reader."""


def _expected(field: _Expected) -> object:
    if field.spec.part is not None:
        return _EXPECTED[field.spec.part](field)
    return read_field(field.scope, field.spec, field.value, field.where, {})


MAX_STEPS = 10_000

_OF_THEIR_OWN: Mapping[type[StepStruct], Callable[[StepScope, object, str], StepStruct | None]] = {
    Config: read_config,
    Note: read_note,
    Ask: read_question,
    Expect: read_expectation,
}
"""The steps that are not read field by field."""


def read_steps(scope: StepScope, value: object) -> tuple[ScenarioStep, ...]:
    """Read `steps`, at most `MAX_STEPS`."""
    steps: list[ScenarioStep] = []
    if isinstance(value, list) and len(value) > MAX_STEPS:
        scope.checker.report(
            "/steps",
            error("too_many_steps", most=MAX_STEPS, count=len(value)),
            code="too_many_events",
            limit="steps",
        )
        return ()
    items = scope.checker.items(value, "/steps", what="steps", most=MAX_STEPS)
    for index, item in enumerate(items):
        go_on()
        step = read_scenario_step(scope, item, pointer("/steps", index))
        if step is not None:
            steps.append(step)
    return tuple(steps)


def read_scenario_step(
    scope: StepScope, value: object, where: str, *, only_actions: bool = False
) -> ScenarioStep | None:
    """Read one step; None if it is invalid. With `only_actions`, notes, questions and expectations
    are rejected.
    """
    checker = scope.checker
    if not isinstance(value, dict):
        reason = error("step_not_a_mapping", given=kind_of(value))
        checker.report(where, reason, code="wrong_type")
        return None
    names = [key for key in value if key != "refused"]
    if len(names) != 1:
        shown_names = tuple(map(shown, names))
        checker.report(
            where, error("step_of_several", names=shown_names) if names else error("step_empty")
        )
        return None
    name = names[0]
    inner = pointer(where, name)
    kind = STEP_NAMED.get(name)
    if kind is None:
        checker.unknown_name(name, inner, tuple(STEP_NAMED), what="step")
        return None
    is_words = issubclass(kind, Words)
    if only_actions and is_words:
        checker.report(inner, error("not_an_action", name=name))
        return None
    arguments = value[name]
    refused: bool | tuple[str, ...] = False
    if not is_words:
        refused, arguments = _read_refused(scope, value, arguments, where, inner)
        if only_actions and refused is not False:
            checker.report(inner, error("refused_not_here"))
    elif "refused" in value:
        checker.unknown_name("refused", pointer(where, "refused"), (name,), what="key")
    read = _OF_THEIR_OWN.get(kind)
    if read is not None:
        step = read(scope, arguments, inner)
    else:
        step = _read_fields(scope, kind, arguments, inner)
    return None if step is None else ScenarioStep(cast("Step", step), refused)


def _read_fields(
    scope: StepScope, kind: type[StepStruct], value: object, where: str
) -> StepStruct | None:
    specs = specs_of(kind)
    arguments: Mapping[str, object] = scope.checker.mapping(
        value,
        where,
        what=name_of(kind),
        known=tuple(spec.written for spec in specs),
        required=needed_arguments(kind, value),
    )
    read = read_arguments(scope, kind, spelled_out(kind, arguments), where)
    if read is None:
        scope.know_too_little()
        return None
    check_together(scope.checker, kind, arguments, where)
    step = kind(**read)
    if kind in RULES:
        RULES[kind](scope, step, arguments, where)
    return step


def _read_refused(
    scope: StepScope, step: Mapping[str, object], arguments: object, where: str, inner: str
) -> tuple[bool | tuple[str, ...], object]:
    """Remove `refused` from a step, where it may be among the arguments or next to them."""
    values: list[tuple[object, str]] = []
    if "refused" in step:
        values.append((step["refused"], pointer(where, "refused")))
    if isinstance(arguments, dict) and "refused" in arguments:
        values.append((arguments["refused"], pointer(inner, "refused")))
        arguments = {key: item for key, item in arguments.items() if key != "refused"}
    if not values:
        return False, arguments
    if len(values) > 1:
        scope.checker.report(values[0][1], error("refused_twice"), at_key=True)
    value, place = values[0]
    if isinstance(value, bool):
        return value, arguments
    return check_version_ranges(scope.checker, value, place, what="refused"), arguments
