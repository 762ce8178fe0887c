"""Reads the steps of a scenario: actions, texts and expectations.

`sim_engine.actions` defines the steps. Their arguments are read field by field, as the struct
declares them; conditions on several arguments, and on the cluster, are in `rules`. Conditions
that depend on the state, such as whether a broker is up, are not checked: an impossible step is
refused when it is performed.
"""

from collections.abc import Callable, Mapping
from typing import cast

from msgspec import structs

from sim_engine.actions import STEP_NAMED, Step
from sim_engine.actions.author_words import (
    MAX_ANSWER_CHARACTERS,
    MAX_ANSWERS,
    MAX_NOTE_CHARACTERS,
    MAX_REASON_CHARACTERS,
    PARTITION_KEYS,
    Ask,
    Expect,
    Note,
    Words,
)
from sim_engine.actions.base import StepStruct, name_of, specs_of
from sim_engine.actions.steps import METADATA, Config, OneMessage
from sim_engine.budget import go_on
from sim_engine.error_texts import error, noun
from sim_engine.identifiers import METADATA_RECORD, BrokerId
from sim_engine.languages.library import LANGUAGES
from sim_engine.scenario_reader.checker import Node, kind_of
from sim_engine.scenario_reader.document import ScenarioStep
from sim_engine.scenario_reader.fields import read_broker_configs, read_configs, read_fields
from sim_engine.scenario_reader.rules import check_in_cluster, check_together, needed_arguments
from sim_engine.scenario_reader.scope import Scope
from sim_engine.scenario_reader.source import shown
from sim_engine.scenario_reader.version import (
    CONDITION_KEYS,
    check_level_exists,
    check_version_ranges,
    read_condition,
)
from sim_engine.versions import LEVEL_NAMES, LevelName, dotted

MAX_STEPS = 10_000


def read_steps(scope: Scope, node: Node) -> tuple[ScenarioStep, ...]:
    """Read `steps`, at most `MAX_STEPS`."""
    steps: list[ScenarioStep] = []
    if isinstance(node.value, list) and len(node.value) > MAX_STEPS:
        reason = error("too_many_steps", most=MAX_STEPS, count=len(node.value))
        node.report(reason, code="too_many_events", limit="steps")
        return ()
    for item in node.items(what="steps", most=MAX_STEPS):
        go_on()
        step = read_scenario_step(scope, item)
        if step is not None:
            steps.append(step)
    return tuple(steps)


def read_scenario_step(
    scope: Scope, node: Node, *, only_actions: bool = False
) -> ScenarioStep | None:
    """Read one step; None if it is invalid. With `only_actions`, notes, questions and expectations
    are rejected.
    """
    if not isinstance(node.value, dict):
        given = kind_of(node.value)
        node.report(error("step_not_a_mapping", given=given), code="wrong_type")
        return None
    names = [key for key in node.value if key != "refused"]
    if len(names) != 1:
        several = error("step_of_several", names=tuple(map(shown, names)))
        node.report(several if names else error("step_empty"))
        return None
    (name,) = names
    arguments = node.member(name, node.value[name])
    kind = STEP_NAMED.get(name)
    if kind is None:
        arguments.unknown_name(name, tuple(STEP_NAMED), what="step")
        return None
    is_words = issubclass(kind, Words)
    if only_actions and is_words:
        arguments.report(error("not_an_action", name=name))
        return None
    refused: bool | tuple[str, ...] = False
    if not is_words:
        refused, arguments = _read_refused(node, arguments)
        if only_actions and refused is not False:
            arguments.report(error("refused_not_here"))
    elif "refused" in node.value:
        node.member("refused", None).unknown_name("refused", (name,), what="key")
    own = _OF_THEIR_OWN.get(kind)
    step = _read_fields(scope, kind, arguments) if own is None else own(scope, arguments)
    return None if step is None else ScenarioStep(cast("Step", step), refused)


def _read_refused(step: Node, arguments: Node) -> tuple[bool | tuple[str, ...], Node]:
    """Remove `refused` from a step, where it may be among the arguments or next to them."""
    values: list[Node] = []
    if isinstance(step.value, dict) and "refused" in step.value:
        values.append(step.member("refused", step.value["refused"]))
    if isinstance(arguments.value, dict) and "refused" in arguments.value:
        values.append(arguments.member("refused", arguments.value["refused"]))
        others = {key: item for key, item in arguments.value.items() if key != "refused"}
        arguments = structs.replace(arguments, value=others)
    if not values:
        return False, arguments
    if len(values) > 1:
        values[0].report(error("refused_twice"), at_key=True)
    if isinstance(values[0].value, bool):
        return values[0].value, arguments
    return check_version_ranges(values[0], what="refused"), arguments


def _read_fields(scope: Scope, kind: type[StepStruct], node: Node) -> StepStruct | None:
    """Read a step field by field, as its struct declares its arguments."""
    specs = specs_of(kind)
    arguments: Mapping[str, object] = node.value if isinstance(node.value, dict) else {}
    given = node.mapping(
        what=name_of(kind),
        known=[spec.written for spec in specs],
        required=needed_arguments(kind, arguments),
    )
    if issubclass(kind, OneMessage) and arguments.get("kind") == METADATA:
        given["kind"] = structs.replace(given["kind"], value=METADATA_RECORD)
    read = read_fields(scope, kind, given)
    if not all(spec.name in read for spec in specs if spec.required):
        scope.know_too_little()
        return None
    check_together(kind, node, arguments)
    step = kind(**read)
    check_in_cluster(scope, step, given)
    return step


# --- settings --------------------------------------------------------------------------------

_ENTITIES = ("topic", "broker")
"""The keys that name whose settings change; without them, they are the cluster's."""

_LEVEL_SPELLINGS: Mapping[str, LevelName] = {
    written: name for name in LEVEL_NAMES for written in (name, dotted(name))
}
"""The names of the protocol level: the format's and Kafka's."""


def _config(scope: Scope, node: Node) -> Config:
    """Read a `config` step. Whether the release supports a level is checked when the step is
    performed.
    """
    given = node.mapping(what=name_of(Config))
    topic = _topic(scope, given["topic"]) if "topic" in given else None
    broker = _broker(scope, given) if "broker" in given else None
    levels = _levels(given)
    only = read_fields(scope, Config, {"only": given["only"]}) if "only" in given else {}
    others = (*_ENTITIES, "only", *_LEVEL_SPELLINGS)
    settings = {name: item for name, item in given.items() if name not in others}
    if isinstance(node.value, dict) and not settings and not levels:
        node.report(error("config_without_setting"), code="missing")
    if broker is not None:
        step = Config(broker=broker, settings=read_broker_configs(scope, settings))
    else:
        configs = read_configs(scope, settings, level="broker" if topic is None else "topic")
        step = Config(topic=topic, levels=levels, settings=configs)
    return structs.replace(step, **only)


def _topic(scope: Scope, node: Node) -> str:
    topic = node.string(what="topic")
    if topic and scope.topics and topic not in scope.topics:
        node.unknown_name(topic, scope.topics, what="topic")
    return topic


def _broker(scope: Scope, given: Mapping[str, Node]) -> BrokerId:
    if "topic" in given:
        given["broker"].report(error("config_of_two"))
    return scope.broker(given["broker"])


def _levels(given: Mapping[str, Node]) -> dict[LevelName, str]:
    levels: dict[LevelName, str] = {}
    for written, name in _LEVEL_SPELLINGS.items():
        if written not in given:
            continue
        level = check_level_exists(given[written])
        if any(entity in given for entity in _ENTITIES):
            given[written].report(error("level_of_topic", name=written))
        elif level is not None:
            levels[name] = level
    return levels


# --- words -----------------------------------------------------------------------------------


def _note(scope: Scope, node: Node) -> Note:
    """Read a text for all languages, or a mapping by language, which may have a condition."""
    what, most = noun("a_note"), MAX_NOTE_CHARACTERS
    if not isinstance(node.value, dict):
        return Note(text=node.text(what=what, most=most))
    given = node.mapping(what=name_of(Note), known=(*LANGUAGES, *CONDITION_KEYS))
    return Note(text=node.words(given, what=what, most=most), **read_condition(given))


def _question(scope: Scope, node: Node) -> Ask | None:
    """Read a question with its answers; None if it is not a mapping."""
    given = node.mapping(
        what=name_of(Ask),
        known=(*LANGUAGES, "answers", "correct", "reasons", *CONDITION_KEYS),
        required=("answers", "correct"),
    )
    if not given:
        return None
    words = node.words(given, what=noun("a_question"), most=MAX_NOTE_CHARACTERS)
    none, first = node.member("answers", ["", ""]), node.member("correct", 0)
    answers = given.get("answers", none).items(what="answers", least=2, most=MAX_ANSWERS)
    last = max(len(answers) - 1, 0)
    what, most = noun("an_answer"), MAX_ANSWER_CHARACTERS
    return Ask(
        text=words,
        answers=tuple(answer.text(what=what, most=most) for answer in answers),
        correct=given.get("correct", first).integer(0, last, what=noun("correct_answer")),
        reasons=_reasons(given["reasons"], len(answers)) if "reasons" in given else None,
        **read_condition(given),
    )


def _reasons(node: Node, answers: int) -> tuple[Mapping[str, str], ...]:
    """Read one text for each answer."""
    reasons = node.items(what="reasons", most=MAX_ANSWERS)
    if isinstance(node.value, list) and len(reasons) != answers:
        node.report(
            error("reason_count", expected=answers, count=len(reasons)),
            code="missing" if len(reasons) < answers else "too_many",
        )
    what, most = noun("a_reason"), MAX_REASON_CHARACTERS
    return tuple(reason.text(what=what, most=most) for reason in reasons)


def _expectation(scope: Scope, node: Node) -> StepStruct:
    """Read an expectation. If there are several partitions, an expectation about one must
    name it.
    """
    known = [spec.written for spec in specs_of(Expect)]
    given = node.mapping(what=name_of(Expect), known=known)
    if isinstance(node.value, dict) and not given.keys() - {"partition", "kafka"}:
        node.report(error("expectation_empty"), code="missing")
    is_about_one = any(key in given for key in PARTITION_KEYS)
    if is_about_one and "partition" not in given and len(scope.partitions) > 1:
        first = next(iter(scope.partitions))
        node.report(error("partition_not_named", name=first), code="missing")
    read: dict[str, object] = {}
    # In the order of the file, but the partition first: the others are about it.
    for key in sorted(given, key=lambda key: key != "partition"):
        read = read_fields(scope, Expect, {key: given[key]}, known=read)
    kind: type[StepStruct] = Expect
    return kind(**read)


_OF_THEIR_OWN: Mapping[type[StepStruct], Callable[[Scope, Node], StepStruct | None]] = {
    Config: _config,
    Note: _note,
    Ask: _question,
    Expect: _expectation,
}
"""The steps that are not read field by field."""
