"""Descriptions of fields: the string literal below a field describes it.

Python does not keep these strings. They are read from the source of the class's module, once, when
a schema is requested. A wheel contains the source, and `python -OO` does not change it. A class
that is not in its module's source (`msgspec.defstruct`) has no descriptions.
"""

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping
from functools import cache

_COMPILED = ("builtins", "msgspec")
"""The packages of the bases of all structs and dictionaries, which declare no fields."""


@cache
def field_descriptions(kind: type) -> Mapping[str, str]:
    """The descriptions of a class's fields, by their names in Python, with those of its bases.

    Raises `OSError` if the module's source is not installed.
    """
    described: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        if base.__module__.partition(".")[0] not in _COMPILED:
            described |= _in_module(base.__module__).get(base.__qualname__, {})
    return described


@cache
def _in_module(name: str) -> Mapping[str, Mapping[str, str]]:
    """The descriptions of all classes of a module, by class and field."""
    body = ast.parse(inspect.getsource(sys.modules[name])).body
    return {part.name: dict(_in_class(part)) for part in body if isinstance(part, ast.ClassDef)}


def _in_class(declared: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in zip(declared.body, declared.body[1:], strict=False):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, " ".join(text.split())
