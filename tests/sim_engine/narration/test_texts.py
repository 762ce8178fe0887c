"""The texts of the narration have the form that their place requires, in every language."""

import re
from collections.abc import Mapping

import pytest

from sim_engine.actions import STEP_NAMED
from sim_engine.documents.shares import FAULT_KINDS as FAULTS_OF_A_SHARE
from sim_engine.exploration.alphabet import BUDGET_NAMES
from sim_engine.exploration.targets import SOUGHT_NAMES
from sim_engine.invariants.safety import PROPERTY_NAMES
from sim_engine.languages import LANGUAGES, messages
from sim_engine.languages.fluent import Message, Pattern, fill
from sim_engine.narration import change_name, source_texts, text_id, texts_in
from sim_engine.protocol.messages import KIND_OF
from sim_engine.versions import RULE_NAMES

FULL_STOP = re.compile(r"[.。？]$")
EVENTS = texts_in("en").events
PLAIN = texts_in("en").plain


def said(pattern: Pattern | None) -> str:
    """A pattern without its values."""
    assert pattern is not None
    return fill(pattern, {}, plurals={})


def part(lang: str, name: str) -> Mapping[str, Pattern | None]:
    texts = texts_in(lang)
    if name == "events":
        return {key: event.text for key, event in texts.events.items()}
    return texts.plain[name]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_tone_is_that_of_a_colleague(lang):
    for name in ("events", *PLAIN):
        for key, pattern in part(lang, name).items():
            assert not set("!！") & set(said(pattern)), key
            assert "simply" not in said(pattern).lower(), key


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["events", "rules", "terms"])
def test_sentences_end_with_a_full_stop(name, lang):
    for key, pattern in part(lang, name).items():
        assert FULL_STOP.search(said(pattern)), key


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", ["reasons", "steps", "changes"])
def test_clauses_and_labels_end_without_one(name, lang):
    for key, pattern in part(lang, name).items():
        assert not FULL_STOP.search(said(pattern)), key


def test_a_variant_says_more_than_its_kind():
    """A page that does not know a variant shows the kind's text, so each kind has a text."""
    assert {name.partition("-")[0] for name in EVENTS} <= set(EVENTS)


def test_every_rule_that_a_profile_can_switch_has_a_sentence():
    assert set(RULE_NAMES) <= set(PLAIN["rules"])


def test_every_property_has_its_words():
    assert set(texts_in("en").properties) == set(SOUGHT_NAMES)
    for said in texts_in("en").properties.values():
        assert set(said.attributes) == {"violated_title", "sentence"}
    for name in PROPERTY_NAMES:
        assert text_id("PropertyViolated", name) in EVENTS


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_message_has_a_name(lang):
    for kind in KIND_OF.values():
        assert texts_in(lang).values["message"] == texts_in(lang).values["kind"]
        assert said_of("message", kind, lang) != kind or kind == "heartbeat"


def said_of(name: str, value: str, lang: str) -> str:
    return fill(texts_in(lang).values[name], {"value": value}, plurals={})


def test_every_step_has_a_label():
    assert set(STEP_NAMED) <= set(PLAIN["steps"])


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_fault_has_its_names(lang):
    """One fault, as in the counts of shares, and several, as in a search budget."""
    steps = messages(lang, "narration/steps")

    named = {
        form: {name for name, said in steps.items() if form in said.attributes}
        for form in ("fault", "budget")
    }

    assert named == {"fault": set(FAULTS_OF_A_SHARE), "budget": set(BUDGET_NAMES)}


def test_sources_are_addresses_of_kafkas_own_pages():
    for name, address in source_texts().items():
        if name.startswith("KIP-"):
            assert address.startswith(f"https://cwiki.apache.org/confluence/display/KAFKA/{name}")
        elif name.startswith("KAFKA-"):
            assert address == f"https://issues.apache.org/jira/browse/{name}"
        else:
            assert address.startswith("https://github.com/apache/kafka/blob/3.4.1/")
            assert address.rpartition("/")[2].partition(".")[0] == name


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_refusal_is_an_event_too(lang):
    texts = texts_in(lang)
    for code, reason in texts.plain["reasons"].items():
        event: Message = texts.events[text_id("ActionRefused", code)]
        assert said(reason) in said(event.text)


def test_the_version_of_a_partition_is_called_what_it_is():
    names = {
        (lang, control): change_name("partition_epoch", None, lang, control=control)
        for lang in LANGUAGES
        for control in ("zookeeper", "kraft")
    }
    assert names == {
        ("en", "zookeeper"): "znode version",
        ("en", "kraft"): "partition epoch",
        ("zh", "zookeeper"): "znode 版本",
        ("zh", "kraft"): "分区纪元",
    }
