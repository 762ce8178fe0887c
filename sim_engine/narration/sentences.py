"""Says events, refusals, steps and properties in a language."""

from collections.abc import Mapping
from typing import Any

from sim_engine.events import Event
from sim_engine.narration.library import catalogue
from sim_engine.narration.template import MissingTextError, fill

Numbers = Mapping[str, Any]


def sentence_of(happened: Event, lang: str, *, strict: bool = False) -> str:
    """What happened, in one language; see `sentence`, which says it of a stored document."""
    return sentence(happened.kind, happened.variant, happened.numbers(), lang, strict=strict)


def formula_of(happened: Event, lang: str, *, strict: bool = False) -> str | None:
    """An event's formula with its numbers put in; null where its rule has none."""
    return formula(happened.kind, happened.variant, happened.numbers(), lang, strict=strict)


def sentence(
    kind: str, variant: str | None, numbers: Numbers, lang: str, *, strict: bool = False
) -> str:
    """One event in one language. An event without a text is said by its kind.

    In strict mode a missing text or number is an error (`MissingTextError`, `MissingNumberError`).
    """
    text = _event_text(kind, variant)
    if text is None:
        if strict:
            raise MissingTextError(f"no text for event {kind}, variant {variant}")
        return kind
    return _filled(text[lang], numbers, lang, strict)


def formula(
    kind: str, variant: str | None, numbers: Numbers, lang: str, *, strict: bool = False
) -> str | None:
    """The event's formula with its numbers put in; null where its rule has none."""
    text = _event_text(kind, variant)
    if text is None or text["formula"] is None:
        return None
    return _filled(text["formula"][lang], numbers, lang, strict)


def reason_text(code: str, numbers: Numbers, lang: str, *, strict: bool = False) -> str:
    """Why an action cannot happen: a clause without a full stop, to stand after "—" or alone."""
    text = catalogue()["reasons"].get(code)
    if text is None:
        if strict:
            raise MissingTextError(f"no text for reason {code}")
        return code.replace("_", " ")
    return _filled(text[lang], numbers, lang, strict)


def step_label(step: Mapping[str, Any], lang: str, *, strict: bool = False) -> str:
    """What a button says that does this step of a scenario.

    The text is looked up by "step.<name of an argument>", then by "step.<a textual argument>", each
    in the order of the arguments, then by the step alone. `settings` stands for what `config` sets.
    """
    ((kind, given),) = step.items()
    arguments: Mapping[str, Any] = given or {}
    if kind == "config":
        settings = {name: value for name, value in arguments.items() if name != "topic"}
        arguments = {**arguments, "settings": settings}
    texts = catalogue()["steps"]
    qualifiers = [*arguments, *(value for value in arguments.values() if isinstance(value, str))]
    for key in (*(f"{kind}.{qualifier}" for qualifier in qualifiers), kind):
        if key in texts:
            return _filled(texts[key][lang], arguments, lang, strict)
    if strict:
        raise MissingTextError(f"no text for step {kind}")
    return kind.replace("_", " ")


def property_title(name: str, lang: str, *, violated: bool) -> str:
    """A property as a headline, as what holds or as what has happened."""
    text = catalogue()["properties"].get(name)
    if text is None:
        return name
    return str(text["violated_title" if violated else "title"][lang])


def _event_text(kind: str, variant: str | None) -> Mapping[str, Any] | None:
    events: Mapping[str, Mapping[str, Any]] = catalogue()["events"]
    found = events.get(f"{kind}.{variant}") if variant is not None else None
    return found if found is not None else events.get(kind)


def _filled(template: str, numbers: Numbers, lang: str, strict: bool) -> str:
    return fill(template, numbers, lang=lang, names=catalogue()["names"], strict=strict)
