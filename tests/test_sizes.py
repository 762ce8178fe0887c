"""A file has about 600 lines at most: then it can be scrolled through. How hard a function is to
read is limited by the linters: ruff counts its branches (C901).
"""

import ast
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
FOLDERS = ("sim_engine", "backend", "analytics", "highwater", "frontend/src", "tests")
SUFFIXES = {".py", ".ts", ".svelte", ".css", ".js"}
MOST_LINES = 620

GENERATED = {"frontend/src/schema/openapi.ts", "frontend/src/language/names.d.ts"}
"""What `npm run types` writes."""

LIST_OF_NAMES = "sim_engine/__init__.py"
"""The public interface: imports, and their names in `__all__`. It may be longer."""


def test_no_file_is_too_long_to_be_scrolled_through() -> None:
    lengths = {
        name: len(path.read_text(encoding="utf-8").splitlines())
        for folder in FOLDERS
        for path in sorted((REPOSITORY / folder).rglob("*"))
        if path.suffix in SUFFIXES
        and (name := path.relative_to(REPOSITORY).as_posix()) not in GENERATED
    }

    assert len(lengths) > 1_000
    too_long = {name: lines for name, lines in lengths.items() if lines > MOST_LINES}
    assert too_long.keys() <= {LIST_OF_NAMES}, too_long


def test_a_list_of_names_contains_no_code() -> None:
    text = (REPOSITORY / LIST_OF_NAMES).read_text(encoding="utf-8")
    docstring, *statements = ast.parse(text).body

    assert isinstance(docstring, ast.Expr)
    assert {type(statement) for statement in statements} == {ast.ImportFrom, ast.Assign}
