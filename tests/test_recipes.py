"""CONTRIBUTING states how few files a change touches; these tests check it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from sim_engine.actions import ACTIONS, STEPS
from sim_engine.actions.base import name_of
from sim_engine.events import EVENTS
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.releases import RELEASES
from sim_engine.versions import PROFILE_NAMES

REPOSITORY = Path(__file__).parents[1]
_CODE = ("*.py", "*.ts", "*.svelte")
_GENERATED = ("openapi.ts", "names.d.ts")


def _code_files() -> list[Path]:
    folders = ("sim_engine", "backend", "analytics", "highwater_kafka", "frontend/src")
    return [
        path
        for folder in folders
        for pattern in _CODE
        for path in sorted((REPOSITORY / folder).rglob(pattern))
        if path.name not in _GENERATED and not re.search(r"test|fixture", str(path.name))
    ]


def test_a_fault_is_named_where_it_is_performed():
    """Its struct is called `DiskLoss`; everything else derives the name from it. The failures of an
    assessment have names of their own, in its document and in what performs them; a recording
    performs it on real brokers, and replays that.
    """
    naming = [
        path.relative_to(REPOSITORY).as_posix()
        for path in _code_files()
        if "disk_loss" in path.read_text(encoding="utf-8")
    ]

    assert sorted(naming) == [
        "backend/recording/carrying_out.py",
        "backend/recording/plan.py",
        "sim_engine/assessment/cases.py",
        "sim_engine/conformance/replay.py",
        "sim_engine/conformance/verb_replay.py",
        "sim_engine/documents/assessment.py",
        "sim_engine/simulation/performing/brokers.py",
    ]


STEPS_WITH_ANOTHER_MEANING = {
    "ask": "a person's question; the page asks before it deletes",
    "config": "a setting that would prevent a failure; the variant of an event",
    "cut": "a search that was cut off; a record that was cut",
    "fetch": "the page's name of a message",
    "note": "a person's note about a share",
    "pause": "the player's button",
    "release": "a release of Kafka",
    "resume": "a lesson that is resumed",
    "run": "a run, and the command",
    "shutdown": "the variant of an event",
    "slow": "the variant of an event",
    "start": "the end of a line or of a text",
    "tick": "a mark on a track",
    "timer": "what can be selected on the stage",
    "transaction": "a property of a drawing",
}
"""A file that names only these does not name steps."""

STEPS_NAMED = {
    "backend/documentation/generated/searched_grids.py": "causes of losses; one has a step's name",
    "backend/openapi.py": "examples of requests",
    "backend/site_search/index.py": "a concept of the search has the name of a step",
    "highwater_kafka/mcp_server.py": "examples of arguments",
    "sim_engine/assessment/cases.py": "failures of an assessment, by the names of its document",
    "sim_engine/campaign/play.py": "planned entries: clients' requests, by another table",
    "sim_engine/conformance/fidelity.py": "operations on a real cluster, each with a text",
    "sim_engine/documents/assessment.py": "failures of an assessment; some have a step's name",
    "sim_engine/exploration/alphabet.py": "asks whether a controller can do it",
    "sim_engine/exploration/schedule_check.py": "what is still open at the end of a run",
    "sim_engine/protocol/controller/kraft/controller.py": "what this kind of controller can do",
    "sim_engine/protocol/controller/state.py": "what a kind of controller can do",
    "sim_engine/simulation/performing/controller.py": "asks whether a controller can do it",
    "frontend/src/new-run/draft-document.ts": "what an author writes is not performed",
    "frontend/src/run/StepForm.svelte": "opens with a record",
    "frontend/src/run/choices.ts": "tells consumers from producers, and records by `to`",
    "frontend/src/run/step-keys.ts": "the keys of the page",
    "frontend/src/search/presets.ts": "the presets of the page",
    "frontend/src/step-form/StepFields.svelte": "the texts of `kind`",
    "frontend/src/step-form/fields.ts": "tells consumers from producers",
    "frontend/src/trace/message-steps.ts": "what can be done to a message",
    "frontend/src/view/messages-over-time/next-timers.ts": "performs the step that reaches a timer",
    "frontend/src/view/stage/LinkDrag.svelte": "performs the step of a drag",
    "frontend/src/view/stage/MessageCard.svelte": "performs the step of each button",
}
"""Why a file names steps. In the page's code, `StepName` of the schema checks each name."""


def test_steps_are_not_named_in_code():
    """Everything that is true of a step is said at its struct; others read it there."""
    naming = {
        path.relative_to(REPOSITORY).as_posix(): found
        for path in _code_files()
        if "sim_engine/actions/" not in path.as_posix()
        and (found := _steps_named_in(path) - STEPS_WITH_ANOTHER_MEANING.keys())
    }

    assert naming.keys() == STEPS_NAMED.keys(), naming


def _steps_named_in(path: Path) -> set[str]:
    """Names of steps and actions as strings and, in the page's code, as the key of a step."""
    names = {name_of(kind) for kind in (*STEPS, *ACTIONS)}
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return names & set(_strings_in(ast.parse(text)))
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return names & set(re.findall(r"""(?:["'`]|[{,]\s*(?=\w+: ))(\w+)(?:["'`]|: [{[\d])""", text))


def test_events_are_matched_by_their_class():
    """The page's code has no classes: there, `EventName` of the schema checks each name."""
    naming = {
        path.relative_to(REPOSITORY).as_posix(): found
        for path in _code_files()
        if path.suffix == ".py"
        and (found := EVENTS.keys() & set(_strings_in(ast.parse(path.read_text(encoding="utf-8")))))
    }

    assert naming == {}


def _strings_in(tree: ast.AST) -> Iterator[str]:
    """The strings of a module, but its docstrings, which stand alone."""
    for node in ast.walk(tree):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Constant) and not isinstance(node, ast.Expr):
                yield str(child.value)


def test_the_releases_are_listed_in_one_file():
    """Log lines have a form for each range of releases, which a new release extends by itself."""
    names = {*RELEASES, *PROFILE_NAMES}
    listing = [
        path.relative_to(REPOSITORY).as_posix()
        for path in _code_files()
        if len(names & set(re.findall(r"[\d.]+\d", path.read_text(encoding="utf-8")))) > 20
    ]

    assert listing == ["sim_engine/kafka_history.py", "sim_engine/operator_words/log_lines.py"]


def test_languages_are_named_by_their_folders_alone():
    """But the default, where it is chosen and as the language of a template of HTML, and the
    columns of stored facts, which have the languages of the first shares."""
    naming = {
        path.relative_to(REPOSITORY).as_posix(): found
        for path in _code_files()
        if (found := _languages_named_in(path))
    }

    assert naming == {
        "sim_engine/languages/__init__.py": {DEFAULT_LANGUAGE},
        "backend/html/frontend_build.py": {DEFAULT_LANGUAGE},
        "frontend/src/language/languages.ts": {DEFAULT_LANGUAGE},
        "sim_engine/documents/shares.py": {"en", "zh"},
    }


def _languages_named_in(path: Path) -> set[str]:
    """Language tags as strings and, in the page's code, as properties and keys."""
    tags = "|".join(LANGUAGES)
    as_name = rf"|\w\??\.({tags})\b|[{{,]\s*({tags}):" if path.suffix != ".py" else ""
    named = re.finditer(rf"""["'`]({tags})["'`]{as_name}""", path.read_text(encoding="utf-8"))
    return {tag for found in named for tag in found.groups() if tag}
