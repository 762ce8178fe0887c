"""All event classes, found through the subclasses of `Event`."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

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
from sim_engine.events.base import Event


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
