"""The texts themselves: both languages are there and speak of the same numbers."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from sim_engine.actions import STEP_NAMED
from sim_engine.invariants import PROPERTY_NAMES
from sim_engine.narration import LANGUAGES, catalogue, placeholders
from sim_engine.protocol.messages import KIND_OF
from sim_engine.versions import RULE_NAMES

TEXTS = catalogue()
CHINESE = re.compile("[一-鿿]")
# Kafka's own words and pure formulas read the same in both languages.
SAME_IN_BOTH = re.compile(r"[A-Za-z0-9 .{}()=<>≤≥,:_-]*")


def bilingual(part: Mapping[str, Any], path: str) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Every pair of texts below a part of the catalogue, with its path."""
    if set(part) >= set(LANGUAGES):
        yield path, part
    for key, below in part.items():
        if isinstance(below, Mapping):
            yield from bilingual(below, f"{path}/{key}")


PAIRS = [pair for name in TEXTS for pair in bilingual(TEXTS[name], name)]


def test_both_languages_speak_of_the_same_numbers():
    for path, texts in PAIRS:
        english, chinese = texts["en"], texts["zh"]

        assert english.strip() == english, path
        assert english != "" or path in ("names/isr/–", "names/elr/–"), path
        assert placeholders(english) == placeholders(chinese), path
        assert CHINESE.search(english) is None, path
        assert CHINESE.search(chinese) or SAME_IN_BOTH.fullmatch(chinese), path


def test_the_tone_is_that_of_a_colleague():
    for path, texts in PAIRS:
        assert not set("!！") & set(texts["en"] + texts["zh"]), path
        assert "simply" not in texts["en"].lower(), path


@pytest.mark.parametrize("part", ["events", "rules", "terms"])
def test_sentences_end_with_a_full_stop(part):
    for name, texts in TEXTS[part].items():
        assert texts["en"].endswith("."), name
        assert texts["zh"].endswith(("。", "？")), name


@pytest.mark.parametrize("part", ["reasons", "steps", "message_kinds", "changes"])
def test_clauses_and_labels_end_without_one(part):
    for name, texts in TEXTS[part].items():
        assert not texts["en"].endswith("."), name
        assert not texts["zh"].endswith("。"), name


def test_a_variant_says_more_than_its_kind():
    """A page that does not know a variant says the kind, so the kind has a text of its own."""
    kinds = {name.partition(".")[0] for name in TEXTS["events"]}

    assert kinds <= set(TEXTS["events"])


def test_every_rule_that_a_profile_can_switch_has_a_sentence():
    assert set(RULE_NAMES) <= set(TEXTS["rules"])


def test_every_property_has_its_words():
    assert set(TEXTS["properties"]) == set(PROPERTY_NAMES)
    for name in PROPERTY_NAMES:
        assert set(TEXTS["properties"][name]) == {"title", "violated_title", "sentence"}
        assert f"PropertyViolated.{name}" in TEXTS["events"]


def test_every_message_has_a_name():
    assert set(KIND_OF.values()) <= set(TEXTS["message_kinds"])


def test_every_step_has_a_label():
    assert set(STEP_NAMED) <= set(TEXTS["steps"])


def test_sources_are_addresses_of_kafkas_own_pages():
    for name, address in TEXTS["sources"].items():
        if name.startswith("KIP-"):
            assert address.startswith(f"https://cwiki.apache.org/confluence/display/KAFKA/{name}")
        elif name.startswith("KAFKA-"):
            assert address == f"https://issues.apache.org/jira/browse/{name}"
        else:
            assert address.startswith("https://github.com/apache/kafka/blob/3.4.1/")
            assert address.rpartition("/")[2].partition(".")[0] == name


def test_a_refusal_is_an_event_too():
    for code, reason in TEXTS["reasons"].items():
        assert reason["en"] in TEXTS["events"][f"ActionRefused.{code}"]["en"]
        assert reason["zh"] in TEXTS["events"][f"ActionRefused.{code}"]["zh"]
