"""The engine's words about events and properties, as the documents of this service hold them."""

from sim_engine import JsonView, event_sentence, property_title, say_message


def sentence(event: JsonView, lang: str) -> str:
    """One event in one language."""
    return event_sentence(event["kind"], event.get("variant"), event["numbers"], lang)


def violated_titles(properties: JsonView, lang: str) -> str | None:
    """What is violated now, in words; None when nothing is."""
    violated = [
        property_title(name, lang, violated=True)
        for name, found in properties.items()
        if found["status"] == "violated" and found.get("until_frame") is None
    ]
    return say_message(lang, "service", "separator").join(violated) or None
