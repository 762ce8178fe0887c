"""Every event has its texts: compares the registry of classes with the catalogue."""

from typing import get_args, get_origin

import msgspec

from sim_engine.events import EVENTS
from sim_engine.events.base import Event
from sim_engine.events.run import PropertyViolated, RefusalCode, RefusalNumbers
from sim_engine.identifiers import ErrorCode, MessageKind
from sim_engine.invariants.safety import PROPERTY_NAMES
from sim_engine.languages import LANGUAGES
from sim_engine.languages.fluent import Pattern, Selection, placeholders
from sim_engine.narration import source_texts, text_id, texts_in
from tests.sim_engine.events.declared import number_names, variants
from tests.tables import for_each

TEXTS = texts_in("en")
MAY_BE_SAID_BY_THE_KIND = frozenset({*map(str, ErrorCode), *get_args(MessageKind)})
"""Variants that name an error or a message: the sentence of the kind names it too."""


def names_of_texts(kind: type[Event]) -> set[str]:
    return {name for name in TEXTS.events if name.partition("-")[0] == kind.__name__}


def test_every_event_has_a_text_and_every_text_an_event():
    assert {name.partition("-")[0] for name in TEXTS.events} == set(EVENTS)


@for_each("kind", EVENTS.values, lambda kind: kind.__name__)
def test_the_variants_of_an_event_are_those_of_its_texts(kind):
    declared = {text_id(kind.__name__, variant) for variant in variants(kind) if variant}
    excused = {text_id(kind.__name__, variant) for variant in MAY_BE_SAID_BY_THE_KIND}

    said = names_of_texts(kind) - {kind.__name__}
    assert not declared or said <= declared
    assert declared - said <= excused


@for_each("kind", EVENTS.values, lambda kind: kind.__name__)
def test_the_texts_of_an_event_use_its_values(kind):
    for lang in LANGUAGES:
        for name in names_of_texts(kind):
            message = texts_in(lang).events[name]
            formula: Pattern = message.attributes.get("formula", ())
            for said in (message.text or (), formula):
                assert placeholders(said) <= number_names(kind), (lang, name)


@for_each("kind", EVENTS.values, lambda kind: kind.__name__)
def test_a_text_is_not_chosen_by_the_length_of_a_list(kind):
    """[0] is the list of broker 0 alone. The empty list is [nothing], one element is [one]."""
    lists = {
        field.name
        for field in msgspec.structs.fields(kind)
        if get_origin(field.type) in (tuple, frozenset)
    }
    for lang in LANGUAGES:
        for name in names_of_texts(kind):
            message = texts_in(lang).events[name]
            for part in message.text or ():
                if isinstance(part, Selection) and part.select in lists:
                    assert not any(key.isdigit() for key in part.variants), (lang, name)


@for_each("kind", EVENTS.values, lambda kind: kind.__name__)
def test_the_rule_and_sources_of_an_event_are_explained(kind):
    default = {field.name: field.default for field in msgspec.structs.fields(kind)}

    rule = default["rule"]
    assert rule is None or text_id(rule) in TEXTS.plain["rules"]
    assert set(default["sources"]) <= set(source_texts())


def test_every_refusal_has_a_reason_made_of_what_refusals_give():
    for lang in LANGUAGES:
        reasons = texts_in(lang).plain["reasons"]
        assert set(reasons) == set(get_args(RefusalCode))
        for name, reason in reasons.items():
            assert placeholders(reason) <= RefusalNumbers.__annotations__.keys(), (lang, name)


def test_the_text_of_a_violation_is_found_by_its_property():
    told = {name.split("-")[1] for name in names_of_texts(PropertyViolated) if "-" in name}

    assert told == set(PROPERTY_NAMES)
