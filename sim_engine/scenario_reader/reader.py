"""Reads scenarios from text (with the line of every error), from parsed data, and from the library;
and their steps: actions, texts and expectations.

The reader finds every error that can be found without running the scenario, and skips nothing:
every unknown key, name or number is a problem with its place and what is allowed. Only this module
and the command line open files in the engine; so the text of the shipped campaign is here too.

`sim_engine.actions` defines the steps. Their arguments are read field by field, as the struct
declares them; conditions on several arguments, and on the cluster, are in `rules`. Conditions that
depend on the state, such as whether a broker is up, are not checked: an impossible step is refused
when it is performed.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import cast

from msgspec import structs

from sim_engine import actions
from sim_engine.actions.base import MAX_BROKERS, MAX_MS, MAX_RECORDS, StepStruct, name_of, specs_of
from sim_engine.actions.steps import METADATA, Config, Happening, OneMessage
from sim_engine.budget import go_on
from sim_engine.error_texts import Wording, error, noun
from sim_engine.identifiers import METADATA_RECORD, BrokerId
from sim_engine.languages import LANGUAGES
from sim_engine.languages.fluent import LanguageFileError
from sim_engine.scenario_reader.checker import Checker, Node, kind_of
from sim_engine.scenario_reader.document import (
    CHAPTERS,
    FORMAT_VERSION,
    MAX_PARTITIONS,
    Problem,
    Scenario,
    ScenarioError,
    ScenarioStep,
)
from sim_engine.scenario_reader.fields import (
    read_broker_configs,
    read_brokers,
    read_configs,
    read_fields,
    read_topics,
    read_whole,
)
from sim_engine.scenario_reader.rules import (
    Scope,
    check_in_cluster,
    check_together,
    find_impossible,
    needed_arguments,
)
from sim_engine.scenario_reader.source import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    Source,
    plain_source,
    read_own_source,
    read_source,
    shown,
)
from sim_engine.scenario_reader.translations import (
    LESSON_FILES,
    lesson_places,
    translated,
    translated_text,
)
from sim_engine.scenario_reader.version import (
    CONDITION_KEYS,
    check_level_exists,
    check_version_ranges,
    profile_for,
    read_condition,
    read_version,
)
from sim_engine.versions import LEVEL_NAMES, LevelName, dotted

MAX_STEPS = 10_000
DOCUMENT_KEYS = ("scenario", *(spec.written for spec in specs_of(Scenario)))
_LESSONS = Path(__file__).resolve().parent.parent / "lessons"
"""One folder for each chapter."""
_CAMPAIGNS = _LESSONS.parent / "campaigns"

_ALIAS = re.compile("^alias: *([a-z0-9-]+) *$", re.MULTILINE)
_WITHOUT_NUMBER = 10**6

SCENARIO_LIMITS: Mapping[str, int] = MappingProxyType(
    {
        "scenario_bytes": MAX_BYTES,
        "scenario_values": MAX_NODES,
        "scenario_depth": MAX_DEPTH,
        "brokers": MAX_BROKERS,
        "partitions": MAX_PARTITIONS,
        "records_a_log": MAX_RECORDS,
        "steps": MAX_STEPS,
        "step_milliseconds": MAX_MS,
    }
)
"""The limits of a scenario, by name. A `Problem` names the limit that was exceeded."""


def read_scenario_text(text: str, *, filename: str | None = None) -> Scenario:
    """Read a scenario file, YAML or JSON. Raises `ScenarioError`, whose problems have the file's
    name, line and column.
    """
    try:
        return _read(read_source(text))
    except ScenarioError as wrong:
        raise ScenarioError(wrong.problems, filename=filename) from None


def read_scenario_document(document: object) -> Scenario:
    """Read a scenario that is already parsed from JSON. Raises `ScenarioError`, whose places are
    JSON Pointers.
    """
    return _read(plain_source(document))


def read_step(step: object, scenario: Scenario) -> Happening:
    """Read one action on the cluster of a scenario. Raises `ScenarioError`, whose places begin with
    `/step`.

    The action may name clients that are not in the scenario, because users act too.
    """
    checker = Checker(plain_source({"step": step}))
    scope = Scope(profile_for(scenario), earlier_clients=False)
    scope.brokers = scenario.broker_ids
    scope.partitions = scenario.partitions
    read = read_scenario_step(scope, checker.root.mapping(what="step")["step"], only_actions=True)
    checker.stop()
    assert read is not None, "a step without problems is returned"
    assert not isinstance(read.step, actions.Words), "only actions are read"
    return read.step


def read_scenario_file(path: Path) -> Scenario:
    """Read a scenario file from disk. Raises `ScenarioError` for an invalid or unreadable file.

    A shipped lesson is returned with its translations, as by `load_shipped`.
    """
    shipped = path.resolve().parent.parent == _LESSONS
    source = read_source_file(path, own=shipped)
    if shipped:
        try:
            source = structs.replace(source, document=_translated(source.document, path.stem))
        except LanguageFileError as problem:
            raise _unreadable(path, error("translation_unreadable", problem=str(problem))) from None
    try:
        return _read(source)
    except ScenarioError as wrong:
        raise ScenarioError(wrong.problems, filename=str(path)) from None


def read_source_file(path: Path, *, own: bool = False) -> Source:
    """Parse a YAML or JSON file of another format under the syntax rules of scenario files; `own`
    is for files of this package. Raises `ScenarioError` for an invalid or unreadable file.
    """
    try:
        return (read_own_source if own else read_source)(_text_of(path))
    except ScenarioError as wrong:
        raise ScenarioError(wrong.problems, filename=str(path)) from None


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as problem:
        reason = error("file_unreadable", problem=str(problem.strerror))
        raise _unreadable(path, reason) from None
    return decoded(content, path)


def decoded(content: bytes, path: Path) -> str:
    """The text of a file. Raises `ScenarioError` if it is too long or not UTF-8."""
    if len(content) > MAX_BYTES:
        raise _unreadable(path, error("document_too_large", most=MAX_BYTES))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        column = problem.start - (content.rfind(b"\n", 0, problem.start) + 1) + 1
        raise _unreadable(path, error("file_not_utf8"), line, column) from None


def list_shipped() -> list[Scenario]:
    """Every shipped scenario, in teaching order."""
    return list(_library().values())


def load_shipped(name: str) -> Scenario:
    """A shipped scenario by its id or alias, without reading the others. Raises `KeyError` if there
    is none.
    """
    return _shipped(_shipped_files()[name])


def shipped_names() -> list[str]:
    """The ids and aliases of the shipped scenarios."""
    return sorted(_shipped_files())


def shipped_text(scenario: Scenario) -> str:
    """The text of a shipped scenario's file as its author wrote it, with its translations
    inserted.
    """
    assert scenario.chapter is not None, "a shipped scenario has a chapter"
    return _shipped_text(_LESSONS / scenario.chapter / f"{scenario.id}.yaml")


@cache
def _shipped_text(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    document = read_own_source(text).document
    return translated_text(text, document, lesson_places(document), _lesson_file(path.stem))


def _translated(document: object, lesson: str) -> object:
    return translated(document, lesson_places(document), _lesson_file(lesson))


def _lesson_file(lesson: str) -> str:
    return f"{LESSON_FILES}/{lesson}"


@cache
def _library() -> Mapping[str, Scenario]:
    scenarios = [_shipped(path) for path in set(_shipped_files().values())]
    scenarios.sort(key=lambda scenario: (_teaching_order(scenario), scenario.id))
    return {scenario.id: scenario for scenario in scenarios}


@cache
def _shipped(path: Path) -> Scenario:
    return structs.replace(read_scenario_file(path), chapter=path.parent.name)


@cache
def _shipped_files() -> Mapping[str, Path]:
    """The file of each shipped scenario, by its id, which is the file's name, and by its alias."""
    paths = [path for chapter in CHAPTERS for path in (_LESSONS / chapter).glob("*.yaml")]
    found = {path.stem: path for path in paths}
    for path in paths:
        alias = _ALIAS.search(path.read_text(encoding="utf-8"))
        if alias is not None:
            found.setdefault(alias[1], path)
    return found


def _teaching_order(scenario: Scenario) -> tuple[int, int, str]:
    """The sort key: the chapter, then the number in an alias such as s28b, then its letter.

    Scenarios without a chapter or number come last.
    """
    chapter = len(CHAPTERS) if scenario.chapter is None else CHAPTERS.index(scenario.chapter)
    match = re.fullmatch("s([0-9]+)([a-z]*)", scenario.alias or "")
    return (chapter, int(match[1]), match[2]) if match else (chapter, _WITHOUT_NUMBER, "")


def _read(source: Source) -> Scenario:
    checker = Checker(source)
    given = checker.root.mapping(
        what=noun("a_scenario"),
        known=DOCUMENT_KEYS,
        required=[spec.written for spec in specs_of(Scenario) if spec.required],
    )
    if not isinstance(source.document, dict):
        checker.stop()
    if "scenario" in given:
        version = given["scenario"].value
        if isinstance(version, bool) or version != FORMAT_VERSION:
            given["scenario"].report(error("format_not_supported", version=FORMAT_VERSION))
    known, profile = read_version(given)
    scope = Scope(profile)
    so_far = checker.problem_count
    brokers = read_brokers(scope, given["brokers"]) if "brokers" in given else ()
    if checker.problem_count == so_far:
        scope.brokers = [broker.id for broker in brokers]
    so_far = checker.problem_count
    topics = read_topics(scope, given["topics"]) if "topics" in given else ()
    topics_are_right = checker.problem_count == so_far
    known |= {"brokers": brokers, "topics": topics, "steps": ()}
    scenario = read_whole(scope, Scenario, given, known=known)
    if topics_are_right:
        scope.partitions = scenario.partitions
    steps = read_steps(scope, given["steps"]) if "steps" in given else ()
    checker.stop()
    assert profile is not None, "a version without problems has a profile"
    for where, reason in find_impossible(scenario, profile):
        Node(checker, None, where).report(reason, code="impossible_start")
    checker.stop()
    return structs.replace(
        scenario,
        title=scenario.title or dict.fromkeys(LANGUAGES, scenario.id),
        summary=scenario.summary or dict.fromkeys(LANGUAGES, ""),
        steps=steps,
    )


def _unreadable(path: Path, reason: Wording, line: int = 1, column: int = 1) -> ScenarioError:
    problem = Problem(where="", reason=reason, line=line, column=column, code="unreadable")
    return ScenarioError((problem,), filename=str(path))


def shipped_grid_text() -> str:
    """The text of the grid file (YAML)."""
    return (_CAMPAIGNS / "shipped.yaml").read_text("utf-8")


def searched_summary_texts() -> list[bytes]:
    """The texts of the summaries of searched grids (JSON in UTF-8), by their names."""
    return [file.read_bytes() for file in sorted(_CAMPAIGNS.glob("searched-*.json"))]


def shipped_summary_text() -> bytes:
    """The text of the summary (JSON in UTF-8)."""
    return (_CAMPAIGNS / "shipped.json").read_bytes()


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
    kind = actions.STEP_NAMED.get(name)
    if kind is None:
        arguments.unknown_name(name, tuple(actions.STEP_NAMED), what="step")
        return None
    is_words = issubclass(kind, actions.Words)
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
    return None if step is None else ScenarioStep(cast("actions.Step", step), refused)


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


def _note(scope: Scope, node: Node) -> actions.Note:
    """Read a text for all languages, or a mapping by language, which may have a condition."""
    what, most = noun("a_note"), actions.MAX_NOTE_CHARACTERS
    if not isinstance(node.value, dict):
        return actions.Note(text=node.text(what=what, most=most))
    given = node.mapping(what=name_of(actions.Note), known=(*LANGUAGES, *CONDITION_KEYS))
    return actions.Note(text=node.words(given, what=what, most=most), **read_condition(given))


def _question(scope: Scope, node: Node) -> actions.Ask | None:
    """Read a question with its answers; None if it is not a mapping."""
    given = node.mapping(
        what=name_of(actions.Ask),
        known=(*LANGUAGES, "answers", "correct", "reasons", *CONDITION_KEYS),
        required=("answers", "correct"),
    )
    if not given:
        return None
    words = node.words(given, what=noun("a_question"), most=actions.MAX_NOTE_CHARACTERS)
    none, first = node.member("answers", ["", ""]), node.member("correct", 0)
    answers = given.get("answers", none).items(what="answers", least=2, most=actions.MAX_ANSWERS)
    last = max(len(answers) - 1, 0)
    what, most = noun("an_answer"), actions.MAX_ANSWER_CHARACTERS
    return actions.Ask(
        text=words,
        answers=tuple(answer.text(what=what, most=most) for answer in answers),
        correct=given.get("correct", first).integer(0, last, what=noun("correct_answer")),
        reasons=_reasons(given["reasons"], len(answers)) if "reasons" in given else None,
        **read_condition(given),
    )


def _reasons(node: Node, answers: int) -> tuple[Mapping[str, str], ...]:
    """Read one text for each answer."""
    reasons = node.items(what="reasons", most=actions.MAX_ANSWERS)
    if isinstance(node.value, list) and len(reasons) != answers:
        node.report(
            error("reason_count", expected=answers, count=len(reasons)),
            code="missing" if len(reasons) < answers else "too_many",
        )
    what, most = noun("a_reason"), actions.MAX_REASON_CHARACTERS
    return tuple(reason.text(what=what, most=most) for reason in reasons)


def _expectation(scope: Scope, node: Node) -> StepStruct:
    """Read an expectation. If there are several partitions, an expectation about one must
    name it.
    """
    known = [spec.written for spec in specs_of(actions.Expect)]
    given = node.mapping(what=name_of(actions.Expect), known=known)
    if isinstance(node.value, dict) and not given.keys() - {"partition", "kafka"}:
        node.report(error("expectation_empty"), code="missing")
    is_about_one = any(key in given for key in actions.PARTITION_KEYS)
    if is_about_one and "partition" not in given and len(scope.partitions) > 1:
        first = next(iter(scope.partitions))
        node.report(error("partition_not_named", name=first), code="missing")
    read: dict[str, object] = {}
    # In the order of the file, but the partition first: the others are about it.
    for key in sorted(given, key=lambda key: key != "partition"):
        read = read_fields(scope, actions.Expect, {key: given[key]}, known=read)
    kind: type[StepStruct] = actions.Expect
    return kind(**read)


_OF_THEIR_OWN: Mapping[type[StepStruct], Callable[[Scope, Node], StepStruct | None]] = {
    Config: _config,
    actions.Note: _note,
    actions.Ask: _question,
    actions.Expect: _expectation,
}
"""The steps that are not read field by field."""
