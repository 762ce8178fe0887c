"""The texts of the narration by language, and the addresses of the sources that they name."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from msgspec import Struct

from sim_engine.events.run import ActionRefused
from sim_engine.json_types import JsonObject
from sim_engine.languages import (
    LANGUAGES,
    Message,
    MissingTextError,
    Pattern,
    PatternDocument,
    Value,
    fill,
    find_language,
    joined,
    messages,
    pattern_document,
)

_PLAIN_PARTS = ("rules", "reasons", "terms", "steps", "changes")


class Texts(Struct, frozen=True):
    """What the narration says in one language: patterns by their ids, part by part."""

    lang: str
    events: Mapping[str, Message]
    """By kind and variant, else by kind, with a `formula` where the rule has one."""
    properties: Mapping[str, Message]
    """The title; `violated_title` and `sentence` beside it."""
    plain: Mapping[str, Mapping[str, Pattern]]
    """The parts that are one pattern a name: rules, reasons, terms, steps, changes."""
    values: Mapping[str, Pattern]
    """Words for values, by the number's name."""

    def fill(self, pattern: Pattern, numbers: Mapping[str, object], *, strict: bool = False) -> str:
        """A pattern of this language with numbers put in, values said by their words."""
        plurals = find_language(self.lang).plurals
        return fill(pattern, numbers, plurals=plurals, words=self.values, strict=strict)


def text_id(*names: str) -> str:
    """The id of a text: its names joined by "-", which also stands for dots and spaces in them."""
    return "-".join(names).replace(".", "-").replace(" ", "-")


@cache
def texts_in(lang: str) -> Texts:
    """Every text in a language. It is the same object on every call: read it, do not change it.

    For every reason there is an event "ActionRefused-<code>", so that a refused step is said like
    any other event. A message's name is said by the words for its kind.

    Raises `MissingTextError` where the language is none of `LANGUAGES`.
    """
    if lang not in LANGUAGES:
        raise MissingTextError(f"no language {lang}; there are {', '.join(LANGUAGES)}")
    plain = {part: _patterns(lang, part) for part in _PLAIN_PARTS}
    events = dict(messages(lang, "narration/events"))
    refused = events[ActionRefused.__name__]
    assert refused.text is not None
    for code, reason in plain["reasons"].items():
        said = Message(_with_value(refused.text, "reason", reason), refused.attributes)
        events[text_id(ActionRefused.__name__, code)] = said
    values = _patterns(lang, "values")
    return Texts(
        lang=lang,
        events=events,
        properties=messages(lang, "narration/properties"),
        plain=plain,
        values={**values, "message": values["kind"]},
    )


@cache
def term_words(lang: str) -> Mapping[str, Pattern]:
    """What the texts of a language say for a term, by its id: words separated by bars."""
    said = messages(lang, "narration/terms")
    return {
        name: message.attributes["words"]
        for name, message in said.items()
        if "words" in message.attributes
    }


@cache
def catalogue(languages: tuple[str, ...] = LANGUAGES) -> JsonObject:
    """Every text in some languages, in all unless told, as plain data: what a page reads.

    `languages` holds for each language `events` ({"text", "formula"}, which may be null),
    `properties` ({"title", "violated_title", "sentence"}), and the patterns of the other parts, all
    by the ids that `text_id` makes; `sources` holds addresses. `sim_engine.languages.fluent` says
    what a pattern is. It is the same object on every call: read it, do not change it.
    """
    return {
        "sources": source_texts(),
        "languages": {lang: _document(texts_in(lang)) for lang in languages},
    }


@cache
def source_texts() -> dict[str, str]:
    """Where a KIP, an issue or a class of Kafka can be read, by the name that events give it."""
    path = files("sim_engine.narration") / "sources.json"
    return dict(json.loads(path.read_text(encoding="utf-8")))


def _document(texts: Texts) -> JsonObject:
    return {
        "events": {
            name: {"formula": None, **_message_document(said, "text")}
            for name, said in texts.events.items()
        },
        "properties": {
            name: _message_document(said, "title") for name, said in texts.properties.items()
        },
        **{part: _documents(patterns) for part, patterns in texts.plain.items()},
        "term_words": _documents(term_words(texts.lang)),
        "values": _documents(texts.values),
    }


def _message_document(message: Message, text: str) -> dict[str, PatternDocument | None]:
    own = None if message.text is None else pattern_document(message.text)
    return {text: own, **_documents(message.attributes)}


def _documents(patterns: Mapping[str, Pattern]) -> dict[str, PatternDocument]:
    return {name: pattern_document(pattern) for name, pattern in patterns.items()}


def _patterns(lang: str, part: str) -> dict[str, Pattern]:
    said = messages(lang, f"narration/{part}")
    return {name: message.text for name, message in said.items() if message.text is not None}


def _with_value(pattern: Pattern, name: str, put_in: Pattern) -> Pattern:
    """A pattern with another one in the place of a value."""
    return joined(part for own in pattern for part in (put_in if own == Value(name) else (own,)))
