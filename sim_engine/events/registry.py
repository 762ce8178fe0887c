"""Every event there is, found by walking the subclasses of `Event`."""

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from sim_engine.events import (  # noqa: F401 - a module's events are known once it is imported
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
    """The classes that events are made of: those that nothing derives from."""
    below = kind.__subclasses__()
    if not below:
        yield kind
    for child in below:
        yield from _leaves(child)


EVENTS: Mapping[str, type[Event]] = MappingProxyType(
    {kind.__name__: kind for kind in sorted(_leaves(Event), key=lambda kind: kind.__name__)}
)
"""Every class of events by its name, which documents and texts call its kind."""
