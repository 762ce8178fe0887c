"""The texts about events, refusals, steps and properties: short sentences in every language, filled
with values; the refusal itself; and the addresses of the sources that the texts name.

A page reads `catalogue()`; the other functions return the same texts in Python. The texts are in
the languages' folders (`sim_engine/languages`); `README.md` describes how to find and write them.
"""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal, TypedDict, Unpack

from msgspec import Struct, json, to_builtins

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Config
from sim_engine.events import drawings
from sim_engine.events.base import Event
from sim_engine.events.run import ActionRefused, RefusalCode, RefusalNumbers
from sim_engine.identifiers import Endpoint
from sim_engine.json_types import JsonObject, JsonView, as_mapping
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, find_language, messages
from sim_engine.languages.fluent import (
    Message,
    MissingTextError,
    Pattern,
    PatternDocument,
    Value,
    joined,
    pattern_document,
)
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


Numbers = Mapping[str, object]

_CONFIG = name_of(Config)


def sentence_of(happened: Event, lang: str, *, strict: bool = False) -> str:
    """The sentence of an event in one language; `sentence` does the same for a stored document."""
    return sentence(happened.kind, happened.variant, happened.numbers(), lang, strict=strict)


def formula_of(happened: Event, lang: str, *, strict: bool = False) -> str | None:
    """An event's formula, filled with its values; None if its rule has none."""
    return formula(happened.kind, happened.variant, happened.numbers(), lang, strict=strict)


def sentence(
    kind: str, variant: str | None, numbers: Numbers, lang: str, *, strict: bool = False
) -> str:
    """The sentence of one event in one language. For an event without a text, its kind.

    In strict mode a missing text or number is an error (`MissingTextError`, `MissingNumberError`).
    """
    texts = texts_in(lang)
    said = _event_text(texts, kind, variant)
    if said is None or said.text is None:
        if strict:
            raise MissingTextError(f"no text for event {kind}, variant {variant}")
        return kind
    return texts.fill(said.text, numbers, strict=strict)


def formula(
    kind: str, variant: str | None, numbers: Numbers, lang: str, *, strict: bool = False
) -> str | None:
    """The event's formula, filled with its values; None if its rule has none."""
    texts = texts_in(lang)
    said = _event_text(texts, kind, variant)
    if said is None or "formula" not in said.attributes:
        return None
    return texts.fill(said.attributes["formula"], numbers, strict=strict)


def reason_text(code: str, numbers: Numbers, lang: str, *, strict: bool = False) -> str:
    """Why an action is not possible: a clause without a full stop, for use after "—" or alone.

    For an unknown code, the code itself; in strict mode this raises `MissingTextError`.
    """
    texts = texts_in(lang)
    text = texts.plain["reasons"].get(code)
    if text is None:
        if strict:
            raise MissingTextError(f"no text for reason {code}")
        return code.replace("_", " ")
    return texts.fill(text, numbers, strict=strict)


class RefusedError(Exception):
    """An action is not possible in this state, or not supported by this version.

    `code` identifies the reason; `sim_engine.narration` has its text in each language, with
    `numbers` as values. When it is raised, nothing has changed.
    """

    def __init__(
        self,
        code: RefusalCode,
        /,
        *,
        rule: str | None = None,
        link: tuple[Endpoint, Endpoint | Literal["brokers", "all"]] | None = None,
        **numbers: Unpack[RefusalNumbers],
    ) -> None:
        if link is not None:
            numbers = {**numbers, "from": link[0], "to": link[1]}
        super().__init__(code, numbers)
        self.code: RefusalCode = code
        self.rule = rule
        self.numbers = numbers

    @property
    def reason(self) -> str:
        """The reason in English."""
        return self._in(DEFAULT_LANGUAGE)

    def said(self) -> dict[str, str]:
        """The reason in every language: a clause without a full stop."""
        return {lang: self._in(lang) for lang in LANGUAGES}

    def _in(self, lang: str) -> str:
        return reason_text(self.code, dict(self.numbers), lang)

    def as_event(self) -> Event:
        """The event of the frame that a refused step creates."""
        return ActionRefused(
            variant=self.code, rule=self.rule, reason=self.reason, given=self.numbers
        )


def step_label(step: JsonView, lang: str, *, strict: bool = False) -> str:
    """The label of the button for a step.

    The text is looked up by "step-<name of an argument>", then by "step-<a textual argument>", each
    in the order of the arguments, then by the step alone. `settings` represents the settings of
    `config`. In strict mode a missing text raises `MissingTextError`.
    """
    ((kind, given),) = step.items()
    arguments = as_mapping(given)
    if kind == _CONFIG:
        arguments = {**arguments, "settings": settings_named(arguments)}
    texts = texts_in(lang)
    labels = texts.plain["steps"]
    qualifiers = [*arguments, *(value for value in arguments.values() if isinstance(value, str))]
    for key in (*(text_id(kind, qualifier) for qualifier in qualifiers), kind):
        if key in labels:
            return texts.fill(labels[key], arguments, strict=strict)
    if strict:
        raise MissingTextError(f"no text for step {kind}")
    return kind.replace("_", " ")


def settings_named(arguments: Numbers) -> dict[str, object]:
    """The settings that a `config` step changes, by Kafka's names: `metadata.version`, which a
    scenario file writes as `metadata_version`.
    """
    return {
        name.replace("_", "."): value
        for name, value in arguments.items()
        if name not in ("topic", "broker")
    }


def rule_text(name: str, lang: str) -> str:
    """The sentence that describes a rule. Raises `KeyError` for a rule without a text."""
    texts = texts_in(lang)
    return texts.fill(texts.plain["rules"][text_id(name)], {})


def property_title(name: str, lang: str, *, violated: bool) -> str:
    """The title of a property: its statement or, if it is violated, what happened."""
    texts = texts_in(lang)
    said = texts.properties.get(name)
    if said is None or said.text is None:
        return name
    return texts.fill(said.attributes["violated_title"] if violated else said.text, {})


def change_name(what: str, subject: str | None, lang: str, *, control: str) -> str:
    """The name of a changed value, as in a frame's `changes`. `control` is `zookeeper` or `kraft`:
    some values have another name there.
    """
    texts = texts_in(lang)
    pattern = texts.plain["changes"].get(what)
    return (
        what if pattern is None else texts.fill(pattern, {"subject": subject, "control": control})
    )


def value_words(name: str, value: object, lang: str) -> str:
    """The text for a value, by the value's name. Empty for an empty set."""
    texts = texts_in(lang)
    # A value without its own text is formatted as in a sentence.
    pattern = texts.values.get(name, (Value("value"),))
    return texts.fill(pattern, {"value": value})


def _event_text(texts: Texts, kind: str, variant: str | None) -> Message | None:
    found = texts.events.get(text_id(kind, variant)) if variant is not None else None
    return found if found is not None else texts.events.get(kind)
