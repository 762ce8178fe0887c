"""All event classes and what they declare.

Stored frames have the names of classes: what is asked about a kind is answered for a name, and an
unknown one is an event that nothing is known about.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from types import MappingProxyType, ModuleType

from sim_engine.events import (
    consumer,
    controller,
    election,
    fetch,
    high_watermark,
    isr,
    log,
    metadata,
    metadata_records,
    network,
    process,
    producer,
    run,
)
from sim_engine.events.base import Event
from sim_engine.events.drawing import Drawings
from sim_engine.events.telling import Beliefs, Case, Mark, Rank

_MODULES = (
    *(consumer, controller, election, fetch, high_watermark, isr, log, metadata),
    *(metadata_records, network, process, producer, run),
)


def _concrete(modules: Sequence[ModuleType]) -> Iterator[type[Event]]:
    """Yield the event classes of some modules: those without subclasses."""
    for module in modules:
        for kind in vars(module).values():
            if isinstance(kind, type) and issubclass(kind, Event) and not kind.__subclasses__():
                yield kind


EVENTS: Mapping[str, type[Event]] = MappingProxyType(
    {kind.__name__: kind for kind in sorted(_concrete(_MODULES), key=lambda kind: kind.__name__)}
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
