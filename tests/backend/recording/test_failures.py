"""Every reason why there is no recording has its sentence in every language."""

import ast
from collections.abc import Iterator
from pathlib import Path

import backend.recording
from backend import commands
from backend.recording.failures import TEXTS
from sim_engine.languages import LANGUAGES, messages
from sim_engine.languages.fluent import placeholders


def calls() -> Iterator[tuple[str, set[str]]]:
    """The codes that are named in calls of `failure`, with the names of their values."""
    folders = (Path(str(package.__file__)).parent for package in (backend.recording, commands))
    for path in (path for folder in folders for path in folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "failure":
                assert isinstance(node.args[0], ast.Constant)
                yield str(node.args[0].value), {str(one.arg) for one in node.keywords}


def test_every_reason_has_the_values_of_its_text_in_every_language() -> None:
    used = list(calls())

    assert len(used) > 35
    for lang in LANGUAGES:
        said = messages(lang, TEXTS)
        assert {code for code, _ in used} == set(said)
        for code, values in used:
            text = said[code].text
            assert text is not None
            assert placeholders(text) == values, (lang, code)
