"""Every claim of the articles has its assessment, its versions and steps that show it."""

import re
from functools import cache
from pathlib import Path

import pytest

from sim_engine.articles import articles_by_file, list_articles, source_name, versions_of
from sim_engine.documents.runs import story_to
from sim_engine.languages import LANGUAGES
from sim_engine.releases import MODELLED
from tests.sim_engine.runs import lesson
from tests.tables import for_each

TITLES = (
    "副本刨析",
    "CAP 理论实践（下）",
    "HW 与 LEO 更新",
    "Kafka 副本机制（胡夕）",
    "复制与ISR机制",
)


def claims():
    for number, article in enumerate(list_articles()):
        for place, claim in enumerate((*article.claims, *article.questions), start=1):
            yield f"{number}-{place}", claim


@cache
def kinds_by_step(name, kafka):
    """The kinds of the events of each step, by its number."""
    timeline = lesson(name, kafka)
    return {
        step.step: {
            event.kind
            for number in timeline.path(timeline.head)
            if step.first_frame <= number <= step.last_frame
            for event in timeline.frames[number].events
        }
        for step in story_to(timeline, timeline.head)
    }


def test_the_articles_are_in_order():
    assert [article.source for article in list_articles()] == list(TITLES)


@for_each("place, claim", claims, lambda row: row[0])
def test_what_a_claim_is_about_can_be_watched_at_the_step_that_it_names(place, claim):
    assert claim.watch
    for watch in claim.watch:
        steps = kinds_by_step(watch.lesson, watch.kafka)
        assert watch.step in steps
        assert watch.shows in steps[watch.step]


@for_each("place, claim", claims, lambda row: row[0])
def test_a_claim_has_texts_in_every_language(place, claim):
    told = [claim.claim, claim.kafka] if hasattr(claim, "claim") else [claim.question, claim.answer]

    for text in told:
        assert all(text[lang].strip() for lang in LANGUAGES)
        assert re.search(r"[\u4e00-\u9fff]", text["zh"])
        assert not re.search(r"[\u4e00-\u9fff]", text["en"])


def test_compiled_modules_are_not_read_as_articles(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    (tmp_path / "__pycache__").mkdir()
    monkeypatch.setattr("sim_engine.articles.files", lambda _package: tmp_path)

    assert articles_by_file.__wrapped__() == {}


def test_a_claim_that_is_right_holds_in_some_version():
    claims = [claim for article in list_articles() for claim in article.claims]

    assert [
        claim.claim for claim in claims if claim.assessment == "right" and not versions_of(claim)
    ] == []
    assert {claim.assessment for claim in claims} == {"right", "nearly", "wrong"}


def test_a_range_is_of_all_releases():
    (loss,) = (
        claim
        for claim in list_articles()[1].claims
        if claim.claim["en"].endswith("acks=all.") and claim.assessment == "right"
    )

    assert versions_of(loss) == MODELLED[: MODELLED.index("0.11.0.0")]


def test_a_source_is_called_by_its_english_title_on_english_pages():
    assert source_name("副本刨析")["en"] == "Replicas in depth"
    assert source_name("KIP-101") == dict.fromkeys(LANGUAGES, "KIP-101")
