"""What every step and action has in common: its name, and how it is written as JSON."""

import re
from collections.abc import Mapping
from functools import cache
from typing import ClassVar, Literal

from msgspec import Struct
from msgspec.structs import astuple, fields

from sim_engine.json_types import JsonObject


class StepStruct(Struct, frozen=True, gc=False, kw_only=True, rename=lambda name: name.rstrip("_")):
    """One kind of step or action.

    Its name in a scenario file is the name of its class in snake case, and its arguments are its
    fields; `as_` and `from_` are Python's spelling of `as` and `from`. An argument that was not
    given is null (a switch false) and is left out when the step is written.
    """

    fault: ClassVar[bool] = False
    """Whether something breaks by it: a share counts its faults."""
    befalls: ClassVar[Literal["process", "machine"] | None] = None
    """What a fault happens to unasked: the process of a broker while there is one, or the machine
    under it at any time. The search for a violation tries these with every broker."""

    def step(self) -> "StepStruct":
        """The step of a scenario file that this is, or is part of."""
        return self

    def arguments(self) -> JsonObject:
        """The arguments as JSON, without those that were not given."""
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
    """The name of a step or action in JSON: `power_loss` for `PowerLoss`."""
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
