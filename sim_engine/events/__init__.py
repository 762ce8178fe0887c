"""Events: what happened, as values. Narration, the stage and analytics read nothing else.

One frozen struct for each event, in a module named after its subject. Events are never inferred
from states: the code that makes a change emits the event, with the numbers that it used and the
rule that it applied. Texts are looked up by an event's class and variant (`sim_engine.narration`);
code matches on the class. What is true of every event of a class, such as how telling it is, the
class says itself (`base.py`).

This module has all classes, by name. Stored frames have the names of classes: what is asked about a
kind is answered for a name, and an unknown one is an event that nothing is known about.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from types import MappingProxyType, ModuleType
from typing import Literal

from sim_engine.events import clients, controller, fetch, isr, log, metadata, network, process, run
from sim_engine.events.base import (
    Beliefs,
    BrokerEvent,
    Case,
    Drawings,
    Event,
    Mark,
    PartitionEvent,
    Rank,
)
from sim_engine.events.isr import IsrChangesTaken, IsrShrunk
from sim_engine.identifiers import BrokerId

_MODULES = (clients, controller, fetch, isr, log, metadata, network, process, run)


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


# --- places ---------------------------------------------------------------------------------------


Place = BrokerId | Literal["controller"] | None
"""None: in no process, such as a cut link or the loss of a record."""

_OF_CONTROLLER = frozenset(
    kind
    for kind, event in EVENTS.items()
    if event.__module__ == controller.__name__ or event is IsrChangesTaken
)


def place_of(
    kind: str, variant: str | None, numbers: Mapping[str, object], replicas: Sequence[BrokerId]
) -> Place:
    """The place of an event, from its document: its kind, its variant, its numbers and the replicas
    that it is about.

    An event of an older release, whose kind is unknown, happens at the first of its replicas.
    """
    if kind in _OF_CONTROLLER or (kind, variant) == (IsrShrunk.__name__, "controller"):
        return "controller"
    event = EVENTS.get(kind)
    broker = numbers.get("broker")
    if event is not None and issubclass(event, BrokerEvent):
        # A client's request that no leader receives names broker -1.
        return BrokerId(broker) if isinstance(broker, int) and broker >= 0 else None
    if event is not None and issubclass(event, PartitionEvent):
        return None
    return replicas[0] if replicas else None
