"""The engine's words, filled with an event's numbers: what the page does, for what is no page."""

import re
from collections.abc import Mapping
from typing import Any

from sim_engine import catalogue

_PLACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def filled(template: str, numbers: Mapping[str, Any]) -> str:
    """A sentence of the catalogue with its numbers in place."""

    def fill(match: re.Match[str]) -> str:
        name = match.group(1)
        return match.group(0)[0] if name is None else _shown(numbers.get(name))

    return _PLACE.sub(fill, template)


def _shown(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, list | tuple):
        return ", ".join(_shown(item) for item in value) or "–"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def sentence(event: Mapping[str, Any], lang: str) -> str:
    """One event in one language; its bare name where the catalogue has no words for it."""
    events = catalogue().get("events", {})
    kind, variant = event["kind"], event.get("variant")
    template = events.get(f"{kind}.{variant}") or events.get(kind)
    return filled(template[lang], event["numbers"]) if template else str(kind)


def violated_titles(properties: Mapping[str, Any], lang: str) -> str | None:
    """What is violated, in words; None when nothing is."""
    words = catalogue().get("properties", {})
    violated = [
        str(words[name]["violated_title"][lang]) if name in words else name
        for name, found in properties.items()
        if found["status"] == "violated"
    ]
    return "; ".join(violated) or None
