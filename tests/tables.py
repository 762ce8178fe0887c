"""Tables as one test: each lesson, release or file is a row, and the report lists wrong ones."""

import functools
import inspect
import itertools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

WRONG = (Exception, pytest.fail.Exception, pytest.skip.Exception)
"""What makes a row wrong. Pytest's own outcomes are no Exceptions; a table cannot skip one row."""

Wrong = list[tuple[str, BaseException]]
"""The wrong rows, each with its name."""

# Any: a row is whatever the decorated test takes.
Rows = Iterable[Any] | Callable[[], Iterable[Any]]


def for_each(
    names: str, rows: Rows, name_of: Callable[[Any], object] = str
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Run a test for each row, and fail once with all rows that fail.

    `names` are the parameters that take a row, like those of `pytest.mark.parametrize`: one name
    takes the row itself, several take its parts. `rows` may be a function, which is called when the
    test runs: nothing is computed while tests are collected. A function's fixtures are shared by
    all rows.
    """
    parameters = [name.strip() for name in names.split(",")]

    def decorate(test: Callable[..., Any]) -> Callable[..., Any]:
        def cells() -> list[tuple[str, dict[str, Any]]]:
            found = [
                (str(name_of(row)), dict(zip(parameters, _parts(row, parameters), strict=True)))
                for row in (rows() if callable(rows) else rows)
            ]
            assert found, "the table is empty"
            return found

        if inspect.iscoroutinefunction(test):

            @functools.wraps(test)
            async def run_rows(**fixtures: Any) -> None:
                wrong: Wrong = []
                for name, cell in cells():
                    with _noted(wrong, name):
                        await test(**fixtures, **cell)
                _report(wrong)
        else:

            @functools.wraps(test)
            def run_rows(**fixtures: Any) -> None:
                wrong: Wrong = []
                for name, cell in cells():
                    with _noted(wrong, name):
                        test(**fixtures, **cell)
                _report(wrong)

        signature = inspect.signature(test)
        left = [one for one in signature.parameters.values() if one.name not in parameters]
        run_rows.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]  # what pytest reads
        return run_rows

    return decorate


def _parts(row: Any, parameters: list[str]) -> Iterable[Any]:
    return (row,) if len(parameters) == 1 else row


@contextmanager
def _noted(wrong: Wrong, name: str) -> Iterator[None]:
    """Note what makes a row wrong, so that the next one is tested too."""
    try:
        yield
    except WRONG as error:
        wrong.append((name, error))


def _report(wrong: Wrong) -> None:
    """Fail if any row is wrong; the traceback of the first one is shown before the list."""
    if not wrong:
        return
    lines = [f"{len(wrong)} wrong:"]
    for name, error in itertools.islice(wrong, 30):
        told = str(error).splitlines() or [type(error).__name__]
        lines.append(f"  {name}: {told[0]}")
        lines += [f"      {line}" for line in told[1:8]]
    raise AssertionError("\n".join(lines)) from wrong[0][1]
