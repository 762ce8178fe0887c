"""What the classes of events declare: their variants, and the names of their numbers."""

from collections.abc import Iterator
from enum import Enum
from functools import cache
from types import NoneType
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec

from sim_engine.events.base import COMMON_FIELDS, Event
from sim_engine.events.run import ActionRefused, RefusalNumbers

REFUSAL_NUMBERS = frozenset({"reason", "reason_code", "rule"})
"""The numbers that every refusal has, apart from those of its reason."""


def variants(kind: type[Event]) -> frozenset[str | None]:
    """The variants that a class declares; null represents the event without a variant. Empty if any
    string is allowed.
    """
    owner = next(base for base in kind.__mro__ if "variant" in base.__annotations__)
    if owner is Event:
        return frozenset({None})
    return frozenset(_values(get_type_hints(owner)["variant"]))


def _values(hint: object) -> Iterator[str | None]:
    if hint is NoneType:
        yield None
    elif isinstance(hint, type) and issubclass(hint, Enum):
        yield from (str(member.value) for member in hint)
    elif get_origin(hint) is Literal:
        yield from get_args(hint)
    else:
        for part in get_args(hint):
            yield from _values(part)


@cache
def number_names(kind: type[Event]) -> frozenset[str]:
    """The values that an event of a class can have, by their names in texts."""
    if kind is ActionRefused:
        return REFUSAL_NUMBERS | RefusalNumbers.__annotations__.keys()
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind)) - COMMON_FIELDS
