"""The base of every step and action: its name and its JSON form."""

import re
from collections.abc import Mapping
from functools import cache
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import astuple, fields

from sim_engine.json_types import JsonObject


class StepStruct(Struct, frozen=True, gc=False, kw_only=True, rename=lambda name: name.rstrip("_")):
    """One kind of step or action.

    Its name in a scenario file is the class name in snake case, and its arguments are its fields;
    `as_` and `from_` stand for the reserved words `as` and `from`. An argument that was not given
    is null (false for a switch) and is omitted from the JSON form.
    """

    fault: ClassVar[bool] = False
    """Whether this is a fault. Shares count their faults."""
    affects: ClassVar[Literal["process", "machine"] | None] = None
    """What the fault affects: `process` requires a running broker, `machine` is possible at any
    time. None: the search for a violation does not inject it. The search tries all others on every
    broker.
    """
    row: ClassVar[int | None] = None
    """The position of its button on a broker's row, the lowest first. None: it has no button."""

    def step(self) -> "StepStruct":
        """The scenario step that this action is, or is part of."""
        return self

    def arguments(self) -> JsonObject:
        """The arguments as JSON. Arguments that were not given are omitted."""
        said: JsonObject = {}
        for (written, default), value in zip(
            _written_fields(type(self)), astuple(self), strict=True
        ):
            if value is not default or default not in (None, False):
                said[written] = _as_json(value)
        return said

    def as_step(self) -> JsonObject:
        """The step in the syntax of a scenario file: `{"crash": {"broker": 2}}`."""
        said = self.step()
        return {name_of(type(said)): said.arguments()}


@cache
def name_of(kind: type[StepStruct]) -> str:
    """The name of a step or action class in JSON: `power_loss` for `PowerLoss`."""
    return re.sub("(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


@cache
def _written_fields(kind: type[StepStruct]) -> tuple[tuple[str, object], ...]:
    return tuple((field.encode_name, field.default) for field in fields(kind))


def _as_json(value: object) -> object:
    if isinstance(value, tuple | list):
        return [_as_json(item) for item in value]
    if isinstance(value, Mapping):
        return {key: _as_json(item) for key, item in value.items()}
    return value
