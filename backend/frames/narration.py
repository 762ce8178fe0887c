"""The engine's sentences for events and properties in the documents of this service."""

from sim_engine.documents.runs import StoredEvent, StoredFrame, headline_of
from sim_engine.narration import sentence as event_sentence


def sentence(event: StoredEvent, lang: str) -> str:
    """The sentence of one event in one language."""
    return event_sentence(event["kind"], event.get("variant"), event["numbers"], lang)


def headline(frame: StoredFrame, lang: str) -> str:
    """The sentence of a frame's most important event, for places with room for only one; empty if
    the frame has no event.
    """
    event = headline_of(frame)
    return "" if event is None else sentence(event, lang)
