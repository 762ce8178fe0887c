"""Run a test with one rule inverted in every release."""

import importlib
import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from sim_engine import versions


def inverting(rule: str) -> Callable[[set[str]], None]:
    """What to put in the place of `versions._require_together`, so that every profile that is made
    has this rule inverted and all other rules unchanged.
    """
    require_together = versions._require_together

    def inverted(on: set[str]) -> None:
        require_together(on)
        on.symmetric_difference_update({rule})

    return inverted


def flip(monkeypatch: pytest.MonkeyPatch, rule: str) -> None:
    """From now on every profile has this rule inverted; all other rules are unchanged."""
    monkeypatch.setattr(versions, "_require_together", inverting(rule))
    # Profiles are cached; these are created each time and not cached.
    monkeypatch.setattr(versions, "_resolved", versions._resolved.__wrapped__)


def calls_of(test: Callable[..., None]) -> Iterator[tuple[str, Callable[[], None]]]:
    """A test's calls, one for each row of its table, with the row's id."""
    tables = [mark.args for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    rows = [
        [(_names(names), _row(names, row), getattr(row, "id", None) or "") for row in table]
        for names, table, *_ in tables
    ]
    for chosen in itertools.product(*rows):
        given = {
            name: value
            for names, values, _ in chosen
            for name, value in zip(names, values, strict=True)
        }
        yield "-".join(label for *_, label in chosen), partial(test, **given)


def _names(names: str | tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part.strip() for part in names.split(",")) if isinstance(names, str) else names


def _row(names: str | tuple[str, ...], row: Any) -> tuple[Any, ...]:
    if hasattr(row, "values") and hasattr(row, "marks"):
        return tuple(row.values)
    return (row,) if isinstance(names, str) and "," not in names else tuple(row)


def calls_by_case(modules: tuple[str, ...]) -> dict[str, Callable[[], None]]:
    """Every case of these modules of this folder, by its id."""
    found: dict[str, Callable[[], None]] = {}
    for module in modules:
        tests = vars(importlib.import_module(f"tests.sim_engine.kafka_cases.{module}"))
        for name, test in tests.items():
            if name.startswith("test_"):
                found.update((label, call) for label, call in calls_of(test) if label)
    return found


def calls_by_name(path: str) -> list[Callable[[], None]]:
    """Every call of one test elsewhere: `protocol.test_x.test_y`."""
    module, _, name = path.rpartition(".")
    test = getattr(importlib.import_module(f"tests.sim_engine.{module}"), name)
    return [call for _, call in calls_of(test)]


def fails(call: Callable[[], None]) -> bool:
    """Whether a call of a test fails, for any reason."""
    try:
        call()
    except (Exception, pytest.fail.Exception):
        return True
    return False
