"""docs/reference/python.md, made from the docstrings."""

import inspect
import re
from collections.abc import Iterator

import highwater_kafka

_INTRODUCTION = """\
# Python

`import highwater_kafka` gives notebooks, tests and builds of documents what the command line has. \
It needs no service and no database. The guide is \
[Use Highwater in a notebook](../how-to/notebook.md).

This page is written by `scripts/write python-reference` from the docstrings. Its examples are run \
as tests."""
_FUNCTIONS = ("run", "compare", "search", "assess", "embed")
_CLASSES = (
    "Run", "Moment", "Shown", "Comparison", "Search", "Cluster", "Assessment", "Embed",
    "HighwaterError", "Problem",
)  # fmt: skip


def page() -> str:
    """The whole page."""
    return "\n\n".join(_blocks()) + "\n"


def _blocks() -> Iterator[str]:
    yield _INTRODUCTION
    assert {*_FUNCTIONS, *_CLASSES, "__version__"} == set(highwater_kafka.__all__)
    for name in _FUNCTIONS:
        yield f"## {name}"
        yield from _described(name, getattr(highwater_kafka, name))
    for name in _CLASSES:
        kind = getattr(highwater_kafka, name)
        yield f"## {name}"
        yield from _text(inspect.getdoc(kind) or "")
        for member, found in vars(kind).items():
            if member.startswith("_"):
                continue
            if isinstance(found, property) or hasattr(found, "func"):
                yield f"### {name}.{member}"
                yield from _text(inspect.getdoc(found) or "")
            elif callable(found) or isinstance(found, classmethod):
                yield f"### {name}.{member}()"
                yield from _described(member, getattr(kind, member))
    yield "## \\_\\_version\\_\\_\n\nThe version, as `highwater --version` prints it."


def _described(name: str, function: object) -> Iterator[str]:
    assert callable(function)
    signature = inspect.signature(function)
    own = [one for one in signature.parameters.values() if one.name != "self"]
    shown = str(signature.replace(parameters=own))
    for module in ("highwater_kafka.api.runs.", "highwater_kafka.api.searches.", "pathlib."):
        shown = shown.replace(module, "")
    shown = re.sub(r"highwater_kafka\.\w+(\.\w+)?\.|collections\.abc\.|typing\.", "", shown)
    yield f"```python\n{name}{shown}\n```".replace("'Moment'", "Moment").replace("'Shown'", "Shown")
    yield from _text(inspect.getdoc(function) or "")


def _text(docstring: str) -> Iterator[str]:
    """The paragraphs of a docstring, each on one line, and its examples."""
    for block in docstring.split("\n\n"):
        if block.lstrip().startswith(">>>"):
            yield f"```python\n{block}\n```"
        else:
            yield " ".join(block.split())
