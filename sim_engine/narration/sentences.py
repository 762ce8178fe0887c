"""The texts of events, refusals, steps and properties in a language, and the refusal itself."""

from collections.abc import Mapping
from typing import Literal, Unpack

from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Config
from sim_engine.events.base import Event
from sim_engine.events.run import ActionRefused, RefusalCode, RefusalNumbers
from sim_engine.identifiers import Endpoint
from sim_engine.json_types import JsonView, as_mapping
from sim_engine.languages.fluent import Message, MissingTextError, Value
from sim_engine.languages.library import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.narration.library import Texts, text_id, texts_in

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
