"""Where an event happens: at a broker, at the controller, or at neither."""

from collections.abc import Mapping, Sequence
from typing import Literal

from sim_engine.events import controller, election
from sim_engine.events.base import BrokerEvent, PartitionEvent
from sim_engine.events.isr import IsrChangesTaken, IsrShrunk
from sim_engine.events.registry import EVENTS
from sim_engine.identifiers import BrokerId

Place = BrokerId | Literal["controller"] | None
"""None: in no process, such as a cut link or the loss of a record."""

_OF_CONTROLLER = frozenset(
    kind
    for kind, event in EVENTS.items()
    if event.__module__ in (controller.__name__, election.__name__) or event is IsrChangesTaken
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
