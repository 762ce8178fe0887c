"""Every event has its words: the registry of classes on one side, the catalogue on the other."""

from typing import get_args

import msgspec
import pytest

from sim_engine.error_codes import ErrorCode
from sim_engine.events import EVENTS, Event, number_names, variants
from sim_engine.events.run import PropertyViolated, RefusalCode, RefusalNumbers
from sim_engine.identifiers import MessageKind
from sim_engine.invariants import PROPERTY_NAMES
from sim_engine.narration import LANGUAGES, catalogue, placeholders

TEXTS = catalogue()
MAY_BE_SAID_BY_THE_KIND = frozenset({*map(str, ErrorCode), *get_args(MessageKind)})
"""Variants that name an error or a message: the sentence of the kind names it too."""


def names_of_texts(kind: type[Event]) -> set[str]:
    return {name for name in TEXTS["events"] if name.partition(".")[0] == kind.__name__}


def test_every_event_has_a_text_and_every_text_an_event():
    assert {name.partition(".")[0] for name in TEXTS["events"]} == set(EVENTS)


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_the_variants_of_an_event_are_those_of_its_texts(kind):
    declared = variants(kind) - {None}

    said = {name.partition(".")[2] for name in names_of_texts(kind)} - {""}
    assert not declared or said <= declared
    assert declared - said <= MAY_BE_SAID_BY_THE_KIND


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_the_texts_of_an_event_speak_of_its_numbers(kind):
    for name in names_of_texts(kind):
        text = TEXTS["events"][name]
        for said in (text, text["formula"] or {}):
            for lang in LANGUAGES:
                assert placeholders(said.get(lang, "")) <= number_names(kind), name


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS)
def test_the_rule_and_sources_of_an_event_are_explained(kind):
    default = {field.name: field.default for field in msgspec.structs.fields(kind)}

    assert default["rule"] in {None, *TEXTS["rules"]}
    assert set(default["sources"]) <= set(TEXTS["sources"])


def test_every_refusal_has_a_reason_made_of_what_refusals_give():
    assert set(TEXTS["reasons"]) == set(get_args(RefusalCode))
    for name, reason in TEXTS["reasons"].items():
        for lang in LANGUAGES:
            assert placeholders(reason[lang]) <= RefusalNumbers.__annotations__.keys(), name


def test_a_violation_is_said_by_the_name_of_its_property():
    told = {name.partition(".")[2].partition(".")[0] for name in names_of_texts(PropertyViolated)}

    assert told - {""} == set(PROPERTY_NAMES)
