"""The engine's sentences for events and properties in the documents of this service."""

from collections.abc import Mapping

from sim_engine.documents.runs import StoredEvent, StoredFrame, StoredProperty, headline_of
from sim_engine.languages.library import say as say_message
from sim_engine.narration.sentences import property_title
from sim_engine.narration.sentences import sentence as event_sentence


def sentence(event: StoredEvent, lang: str) -> str:
    """The sentence of one event in one language."""
    return event_sentence(event["kind"], event.get("variant"), event["numbers"], lang)


def headline(frame: StoredFrame, lang: str) -> str:
    """The sentence of a frame's most important event, for places with room for only one; empty if
    the frame has no event.
    """
    event = headline_of(frame)
    return "" if event is None else sentence(event, lang)


def violated_titles(properties: Mapping[str, StoredProperty], lang: str) -> str | None:
    """The titles of the properties that are violated now; None if none is."""
    violated = [
        property_title(name, lang, violated=True)
        for name, status in properties.items()
        if status["status"] == "violated" and status["until_frame"] is None
    ]
    return say_message(lang, "service", "separator").join(violated) or None
