"""All event classes, found through the subclasses of `Event`, and what they declare.

Stored frames have the names of classes: what is asked about a kind is answered for a name, and an
unknown one is an event that nothing is known about.
"""

from collections.abc import Iterator, Mapping, Set
from enum import Enum
from functools import cache
from types import MappingProxyType, NoneType
from typing import Literal, get_args, get_origin, get_type_hints

import msgspec

from sim_engine.events import (  # noqa: F401 - importing a module registers its events
    consumer,
    controller,
    election,
    fetch,
    high_watermark,
    isr,
    log,
    metadata,
    network,
    process,
    producer,
    run,
)
from sim_engine.events.base import COMMON_FIELDS, Event
from sim_engine.events.drawing import Drawings
from sim_engine.events.telling import Beliefs, Case, Mark, Rank


def _leaves(kind: type[Event]) -> Iterator[type[Event]]:
    """Yield the concrete event classes: those without subclasses."""
    below = kind.__subclasses__()
    if not below:
        yield kind
    for child in below:
        yield from _leaves(child)


EVENTS: Mapping[str, type[Event]] = MappingProxyType(
    {kind.__name__: kind for kind in sorted(_leaves(Event), key=lambda kind: kind.__name__)}
)
"""Every event class by its name, which documents and texts call its kind."""

_THE_CLASS = Case()


def class_named(kind: str) -> type[Event]:
    """The class of this name; `Event` itself if there is none."""
    return EVENTS.get(kind, Event)


@cache
def rank_of(kind: str, variant: str | None) -> Rank:
    """How telling an event is."""
    return _case(kind, variant).rank or class_named(kind).rank


@cache
def mark_of(kind: str, variant: str | None) -> Mark | None:
    """The notable kind of an event; None if it has none."""
    return _case(kind, variant).mark or class_named(kind).mark


def is_implied_by(kind: str, others: Set[str]) -> bool:
    """Whether an event is omitted next to others of these kinds."""
    implied_by = class_named(kind).implied_by
    return any(other != kind and issubclass(class_named(other), implied_by) for other in others)


def beliefs_reported_by(happened: Event) -> Beliefs:
    """The beliefs whose change an event reports."""
    return happened.reports | _case(happened.kind, happened.variant).reports


def drawings() -> dict[tuple[str, str | None], Drawings]:
    """The drawings of the events that the diagram draws, by kind, and by kind and variant where a
    variant is drawn differently.
    """
    drawn: dict[tuple[str, str | None], Drawings] = {}
    for name, kind in EVENTS.items():
        if kind.drawn:
            drawn[name, None] = kind.drawn
        for variant, case in kind.cases.items():
            if case.drawn is not None:
                drawn[name, variant] = case.drawn
    return drawn


def _case(kind: str, variant: str | None) -> Case:
    return class_named(kind).cases.get(variant or "", _THE_CLASS)


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
    if kind is run.ActionRefused:
        return REFUSAL_NUMBERS | run.RefusalNumbers.__annotations__.keys()
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind)) - COMMON_FIELDS
