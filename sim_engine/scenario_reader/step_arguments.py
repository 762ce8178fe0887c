"""Reads the arguments of a step field by field, as its struct declares them.

The struct declares ranges, closed sets and patterns. References to the cluster are checked with the
scope. Conditions on several arguments are in `step_rules`.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from sim_engine.actions import StepStruct
from sim_engine.actions.fields import MAX_MS, FieldSpec, Role, specs_of
from sim_engine.error_texts import error, noun
from sim_engine.identifiers import TopicPartition
from sim_engine.scenario_reader.checker import kind_of
from sim_engine.scenario_reader.cluster_layout import check_rack, read_broker_list
from sim_engine.scenario_reader.source import pointer
from sim_engine.scenario_reader.step_scope import StepScope

Given = Mapping[str, object]


def read_arguments(
    scope: StepScope, kind: type[StepStruct], given: Given, where: str
) -> dict[str, object] | None:
    """The fields of a step by their Python names; None if a required one is missing.

    An invalid value is reported and replaced by a harmless one.
    """
    read = {
        spec.name: read_field(scope, spec, given[spec.written], pointer(where, spec.written), given)
        for spec in specs_of(kind)
        if spec.written in given
    }
    whole = all(spec.name in read for spec in specs_of(kind) if spec.required)
    return read if whole else None


def read_field(
    scope: StepScope, spec: FieldSpec, value: object, where: str, given: Given
) -> object:
    """Read one argument; `given` are all arguments of the step."""
    checker = scope.checker
    if value is None and spec.nullable:
        return None
    if spec.role is not None:
        return _BY_ROLE[spec.role](scope, spec, value, where, given)
    if spec.kind is Literal:
        names = [choice for choice in spec.choices if isinstance(choice, str)]
        what = spec.written if spec.noun is None else noun(spec.noun)
        return checker.one_of(value, where, names, what=what)
    if spec.kind is bool:
        return checker.switch(value, where, what=spec.written)
    assert spec.kind is int, f"{spec.name} needs a role"
    return checker.integer(
        value,
        where,
        spec.lowest,
        spec.highest,
        what=spec.written,
        limit="step_milliseconds" if spec.highest == MAX_MS else None,
    )


def _acks(scope: StepScope, spec: FieldSpec, value: object, where: str, given: Given) -> object:
    if value == "all" or (value == -1 and not isinstance(value, bool)):
        return "all"
    if isinstance(value, bool | float) or value not in (0, 1):
        scope.checker.report(where, error("acks_form", given=kind_of(value)))
        return "all"
    return value


def _kept(scope: StepScope, spec: FieldSpec, value: object, where: str, given: Given) -> object:
    assert spec.items is not None, "the argument is a mapping of offsets"
    kept: dict[TopicPartition, int] = {}
    for name, offset in scope.checker.mapping(value, where, what=spec.written).items():
        inner = pointer(where, name)
        scope.partition(name, inner)
        kept[TopicPartition(name)] = scope.checker.integer(
            offset, inner, spec.items.lowest, spec.items.highest, what=noun("a_log_end_offset")
        )
    return kept


_BY_ROLE: Mapping[Role, Callable[[StepScope, FieldSpec, object, str, Given], object]] = {
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
