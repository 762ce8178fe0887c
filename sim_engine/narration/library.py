"""The narration's texts by language, and the addresses of the sources that they name: in a release,
of Kafka's classes too.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, TypedDict

from msgspec import Struct, json, to_builtins

from sim_engine.events.registry import drawings
from sim_engine.events.run import ActionRefused
from sim_engine.json_types import JsonObject
from sim_engine.languages.fluent import (
    Message,
    MissingTextError,
    Pattern,
    PatternDocument,
    Value,
    joined,
    pattern_document,
)
from sim_engine.languages.library import LANGUAGES, find_language, messages
from sim_engine.releases import (
    RELEASES,
    Number,
    Release,
    at_least,
    find_release,
    line_of,
    number_of,
)

_PLAIN_PARTS = ("rules", "reasons", "terms", "steps", "changes")


class Texts(Struct, frozen=True):
    """The narration's texts in one language: patterns by id, grouped by subject."""

    lang: str
    events: Mapping[str, Message]
    """By kind and variant, otherwise by kind; with a `formula` if the rule has one."""
    properties: Mapping[str, Message]
    """The title of each property, with the attributes `violated_title` and `sentence`."""
    plain: Mapping[str, Mapping[str, Pattern]]
    """The groups with one pattern for each name: rules, reasons, terms, steps, changes."""
    values: Mapping[str, Pattern]
    """Texts for values, by the value's name."""

    def fill(self, pattern: Pattern, numbers: Mapping[str, object], *, strict: bool = False) -> str:
        """Fill a pattern of this language, with the language's texts for values."""
        language = find_language(self.lang)
        return language.fill(pattern, numbers, words=self.values, strict=strict)


def text_id(*names: str) -> str:
    """The id of a text: its names joined by "-", which also replaces dots and spaces in them."""
    return "-".join(names).replace(".", "-").replace(" ", "-")


@cache
def texts_in(lang: str) -> Texts:
    """Every text in a language. Returns the same object on every call; do not modify it.

    For every reason there is an event "ActionRefused-<code>", so that a refused step has a text
    like any other event. The name of a message has the same text as its kind.

    Raises `MissingTextError` if the language is not one of `LANGUAGES`.
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
    """Id of a term → the words for it in a language's texts, separated by bars."""
    said = messages(lang, "narration/terms")
    return {
        name: message.attributes["words"]
        for name, message in said.items()
        if "words" in message.attributes
    }


@cache
def term_spellings(lang: str) -> Mapping[str, tuple[str, ...]]:
    """Id of a term → the words for it in a language's texts, also those that texts do not mark. The
    first one is its name. Terms that texts only paraphrase are absent.
    """
    said = messages(lang, "narration/terms")
    spelled = {
        name: message.attributes.get("words", message.attributes.get("unmarked"))
        for name, message in said.items()
    }
    return {
        name: tuple(str(pattern_document(words)).split("|"))
        for name, words in spelled.items()
        if words is not None
    }


def terms_in(text: str, lang: str) -> frozenset[str]:
    """The terms whose words are in a text. A word inside a longer one is not one of its own."""
    terms, pattern = _spelled(lang)
    return frozenset(terms[match[0]] for match in pattern.finditer(text.lower()))


@cache
def _spelled(lang: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """Word for a term, in lower case → the term; and what finds these words, the longest first."""
    terms = {word.lower(): term for term, words in term_spellings(lang).items() for word in words}
    alternatives = (
        rf"(?<![a-z0-9])(?:{re.escape(word)})(?![a-z0-9])"
        if re.match("[a-z]", word)
        else re.escape(word)
        for word in sorted(terms, key=len, reverse=True)
    )
    return terms, re.compile("|".join(alternatives))


class Catalogue(TypedDict):
    """The texts of some languages, the addresses of sources, and the drawings of events; the
    function `catalogue` describes them.
    """

    sources: dict[str, str]
    drawings: dict[str, list[JsonObject]]
    """Each a `Drawing`, without what is not stated."""
    languages: dict[str, dict[str, dict[str, Any]]]
    """Any: a pattern, or the patterns of a message by name."""


@cache
def catalogue(languages: tuple[str, ...] = LANGUAGES) -> Catalogue:
    """Every text in some languages (default: all) as plain data, which pages read.

    `languages` has for each language `events` ({"text", "formula"}, where `formula` may be null),
    `properties` ({"title", "violated_title", "sentence"}), and the patterns of the other groups,
    all by the ids from `text_id`. `sources` has addresses, `drawings` the dots and arrows of an
    event in the diagram of messages over time by the same ids as `events`.
    `sim_engine.languages.fluent` defines patterns. Returns the same object on every call; do not
    modify it.
    """
    return {
        "sources": source_texts(),
        "drawings": {
            text_id(*(name for name in case if name is not None)): [
                to_builtins(one) for one in drawn
            ]
            for case, drawn in drawings().items()
        },
        "languages": {lang: _document(texts_in(lang)) for lang in languages},
    }


@cache
def source_texts() -> dict[str, str]:
    """Name of a source in events → the address of the KIP, issue or Kafka class."""
    path = files("sim_engine.narration") / "sources.json"
    return dict(json.decode(path.read_bytes()))


def _document(texts: Texts) -> dict[str, dict[str, Any]]:
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
    """A pattern in which another pattern replaces a value."""
    return joined(part for own in pattern for part in (put_in if own == Value(name) else (own,)))


_TAGS = "https://github.com/apache/kafka/blob"


class _Stretch(Struct, frozen=True, rename={"since": "from", "until": "to"}):
    """A range of release lines, both ends included, in which a class is in one file."""

    since: str
    until: str
    path: str


def source_addresses(kafka: str) -> dict[str, str]:
    """The address of each source that events name, for one release.

    KIPs and issues have one address. For a class, the address is its file at the release's tag. If
    the release no longer has the class, or its files have not been examined, it is the last earlier
    release that is known to have it; if the release does not have it yet, the first that does. For
    a class that was renamed or split off, it is the file that contained the code before.

    Raises `UnknownVersionError` like `find_release`.
    """
    release = find_release(kafka)
    classes = {name: _address(stretches, release) for name, stretches in _source_files().items()}
    return {**source_texts(), **classes}


def _address(stretches: tuple[_Stretch, ...], release: Release) -> str:
    begun = [part for part in stretches if at_least(release.number, number_of(part.since))]
    if not begun:
        first = stretches[0]
        return f"{_TAGS}/{_releases_of(first.since)[0]}/{first.path}"
    held = begun[-1]
    if _is_after_line(release.number, held.until):
        return f"{_TAGS}/{_releases_of(held.until)[-1]}/{held.path}"
    return f"{_TAGS}/{_tag_of(release)}/{held.path}"


def _is_after_line(number: Number, line: str) -> bool:
    return at_least(number, number_of(line)) and line_of(number) != line


@cache
def _releases_of(line: str) -> tuple[str, ...]:
    """The releases of a line, oldest first."""
    return tuple(release for release in RELEASES if line_of(number_of(release)) == line)


def _tag_of(release: Release) -> str:
    """A release's tag is its number in full: 0.11.0.3 for "0.11"."""
    return ".".join(map(str, release.number))


@cache
def _source_files() -> dict[str, tuple[_Stretch, ...]]:
    path = files("sim_engine.narration") / "source_files.json"
    return json.decode(path.read_bytes(), type=dict[str, tuple[_Stretch, ...]])
