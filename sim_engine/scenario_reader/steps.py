"""Reads the steps of a scenario: actions, texts and expectations.

`sim_engine.actions` defines the steps and their arguments. Conditions that depend on the state,
such as whether a broker is up, are not checked here: an impossible step is refused when it is
performed.
"""

from collections.abc import Callable, Mapping
from typing import cast

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
from sim_engine.actions.fields import specs_of
from sim_engine.budget import go_on
from sim_engine.error_texts import error
from sim_engine.scenario_reader.author_words import read_expectation, read_note, read_question
from sim_engine.scenario_reader.checker import kind_of
from sim_engine.scenario_reader.cluster_version import check_version_ranges
from sim_engine.scenario_reader.config_step import read_config
from sim_engine.scenario_reader.document import ScenarioStep
from sim_engine.scenario_reader.source import pointer, shown
from sim_engine.scenario_reader.step_arguments import read_arguments
from sim_engine.scenario_reader.step_rules import (
    RULES,
    check_together,
    needed_arguments,
    spelled_out,
)
from sim_engine.scenario_reader.step_scope import StepScope

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
        checker.report(
            where,
            error("step_not_a_mapping", given=kind_of(value)),
            code="wrong_type",
        )
        return None
    names = [key for key in value if key != "refused"]
    if len(names) != 1:
        said = tuple(map(shown, names))
        checker.report(
            where,
            error("step_of_several", names=said) if names else error("step_empty"),
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
    given: Mapping[str, object] = scope.checker.mapping(
        value,
        where,
        what=name_of(kind),
        known=tuple(spec.written for spec in specs),
        required=needed_arguments(kind, value),
    )
    read = read_arguments(scope, kind, spelled_out(kind, given), where)
    if read is None:
        scope.know_too_little()
        return None
    check_together(scope.checker, kind, given, where)
    step = kind(**read)
    if kind in RULES:
        RULES[kind](scope, step, given, where)
    return step


def _read_refused(
    scope: StepScope, step: Mapping[str, object], arguments: object, where: str, inner: str
) -> tuple[bool | tuple[str, ...], object]:
    """Remove `refused` from a step, where it may be among the arguments or next to them."""
    given: list[tuple[object, str]] = []
    if "refused" in step:
        given.append((step["refused"], pointer(where, "refused")))
    if isinstance(arguments, dict) and "refused" in arguments:
        given.append((arguments["refused"], pointer(inner, "refused")))
        arguments = {key: item for key, item in arguments.items() if key != "refused"}
    if not given:
        return False, arguments
    if len(given) > 1:
        scope.checker.report(given[0][1], error("refused_twice"), at_key=True)
    value, place = given[0]
    if isinstance(value, bool):
        return value, arguments
    return check_version_ranges(scope.checker, value, place, what="refused"), arguments
