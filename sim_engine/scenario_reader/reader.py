"""Reads scenarios from text (with the line of every error), from parsed data, and from the library.

The reader finds every error that can be found without running the scenario, and skips nothing:
every unknown key, name or number is a problem with its place and what is allowed. Only this module
and the command line open files in the engine; so the text of the shipped campaign is here too.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from msgspec import structs

from sim_engine.actions.author_words import Words
from sim_engine.actions.base import MAX_BROKERS, MAX_MS, MAX_RECORDS, specs_of
from sim_engine.actions.steps import Happening
from sim_engine.error_texts import Wording, error, noun
from sim_engine.languages.fluent import LanguageFileError
from sim_engine.languages.library import LANGUAGES
from sim_engine.scenario_reader.checker import Checker, Node
from sim_engine.scenario_reader.document import (
    CHAPTERS,
    FORMAT_VERSION,
    MAX_PARTITIONS,
    Problem,
    Scenario,
    ScenarioError,
)
from sim_engine.scenario_reader.fields import read_brokers, read_topics, read_whole
from sim_engine.scenario_reader.rules import find_impossible
from sim_engine.scenario_reader.scope import Scope
from sim_engine.scenario_reader.source import (
    MAX_BYTES,
    MAX_DEPTH,
    MAX_NODES,
    Source,
    plain_source,
    read_own_source,
    read_source,
)
from sim_engine.scenario_reader.steps import MAX_STEPS, read_scenario_step, read_steps
from sim_engine.scenario_reader.translations import (
    LESSON_FILES,
    lesson_places,
    translated,
    translated_text,
)
from sim_engine.scenario_reader.version import profile_for, read_version

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
    assert not isinstance(read.step, Words), "only actions are read"
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
