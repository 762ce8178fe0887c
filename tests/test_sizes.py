"""Files and classes stay small enough to be read at once: 400 lines and 250 lines at most."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
FOLDERS = ("sim_engine", "backend", "analytics", "highwater", "frontend/src", "tests")
SUFFIXES = {".py", ".ts", ".svelte", ".css", ".js"}
MOST_LINES_IN_A_FILE = 400
MOST_LINES_IN_A_CLASS = 250

GENERATED = {"frontend/src/schema/openapi.ts", "frontend/src/language/names.d.ts"}
"""What `npm run types` writes."""

LISTS = {
    "sim_engine/__init__.py": "the public interface: imports, and their names in `__all__`",
}
"""Files that only list names, with what they list. They may be longer."""

_CLASS = re.compile(r"^(?:export )?(?:default )?(?:abstract )?class (\w+).*$")


def written_by_hand() -> dict[str, str]:
    """The text of each file, by its path."""
    return {
        name: path.read_text(encoding="utf-8")
        for folder in FOLDERS
        for path in sorted((REPOSITORY / folder).rglob("*"))
        if path.suffix in SUFFIXES
        and (name := path.relative_to(REPOSITORY).as_posix()) not in GENERATED
    }


@pytest.fixture(scope="module", name="files")
def _files() -> dict[str, str]:
    return written_by_hand()


def classes_in(name: str, text: str) -> Iterator[tuple[str, int]]:
    """Each class of a file, with the number of its lines."""
    if name.endswith(".py"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                assert node.end_lineno is not None, "it was parsed from text"
                yield node.name, node.end_lineno - node.lineno + 1
        return
    # The formatter closes a class with a brace at the start of a line.
    lines = text.splitlines()
    for first, line in enumerate(lines):
        found = _CLASS.match(line)
        if found is not None:
            last = first if line.endswith("}") else lines.index("}", first)
            yield found[1], last - first + 1


def test_no_file_is_longer_than_400_lines(files: dict[str, str]) -> None:
    lengths = {name: len(text.splitlines()) for name, text in files.items()}

    assert len(lengths) > 1_000
    too_long = {
        name: lines
        for name, lines in lengths.items()
        if lines > MOST_LINES_IN_A_FILE and name not in LISTS
    }
    assert too_long == {}


@pytest.mark.parametrize("name", LISTS)
def test_a_list_of_names_contains_no_code(files: dict[str, str], name: str) -> None:
    docstring, *statements = ast.parse(files[name]).body

    assert isinstance(docstring, ast.Expr)
    assert {type(statement) for statement in statements} == {ast.ImportFrom, ast.Assign}


def test_no_class_is_longer_than_250_lines(files: dict[str, str]) -> None:
    lengths = {
        f"{name}: {kind}": lines
        for name, text in files.items()
        for kind, lines in classes_in(name, text)
    }

    assert {Path(name.partition(":")[0]).suffix for name in lengths} >= {".py", ".ts"}
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES_IN_A_CLASS} == {}


def test_the_length_of_a_class_is_counted_in_both_languages() -> None:
    python = "class Small:\n    one = 1\n\n\nclass Larger:\n    one = 1\n    two = 2\n"
    typescript = (
        "export class Tiny {}\nexport class Small {\n  get one() {\n    return 1;\n  }\n}\n"
    )

    assert list(classes_in("a.py", python)) == [("Small", 2), ("Larger", 3)]
    assert list(classes_in("a.ts", typescript)) == [("Tiny", 1), ("Small", 5)]
