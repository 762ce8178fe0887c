import ast
from pathlib import Path

import sim_engine


def test_the_public_interface_is_a_list_of_names() -> None:
    tree = ast.parse(Path(sim_engine.__file__).read_text(encoding="utf-8"))
    docstring, *statements = tree.body

    assert isinstance(docstring, ast.Expr)
    assert {type(statement) for statement in statements} == {ast.ImportFrom, ast.Assign}
