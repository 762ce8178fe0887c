"""Generates the documentation page of the articles' claims, from the same data as the site's
pages."""

from collections.abc import Iterator

from sim_engine.articles import Article, Assessment, Claim, list_articles, versions_of
from sim_engine.documents.release_ranges import ranges_in_words
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.releases import stretches_of
from sim_engine.scenario_reader.reader import load_shipped

_MARKS: dict[Assessment, str] = {"right": "✓", "nearly": "~", "wrong": "✗"}


def articles_page() -> str:
    """Return the whole page, in Markdown."""
    return "\n".join(
        (
            "# Five articles, compared with what Kafka does",
            "",
            "Generated from `sim_engine/articles/*.yaml` by `scripts/write-scenarios`. Edit those "
            "files, not this page. The site shows it with pictures at `/articles`.",
            "",
            "The first scenarios were written from five articles about Kafka's replication. Most "
            "of what the articles say is correct, for some versions. This page lists their claims, "
            "what Kafka does, and the scenarios and steps that show it: "
            "`python -m sim_engine run s26`.",
            "",
            "✓ correct for the given versions · ~ nearly correct · ✗ not what Kafka does",
            "",
            *(line for article in list_articles() for line in _section(article)),
        )
    )


def _section(article: Article) -> Iterator[str]:
    yield f"## {article.source}"
    yield ""
    yield f"{article.title[DEFAULT_LANGUAGE]}. {article.about[DEFAULT_LANGUAGE]}"
    yield ""
    yield "| claim | | holds in | what Kafka does | scenarios |"
    yield "| --- | --- | --- | --- | --- |"
    for claim in article.claims:
        yield f"| {' | '.join(_cells(claim))} |"
    yield ""


def _cells(claim: Claim) -> Iterator[str]:
    yield claim.claim[DEFAULT_LANGUAGE]
    yield _MARKS[claim.assessment]
    yield ranges_in_words(stretches_of(versions_of(claim)), DEFAULT_LANGUAGE)
    yield claim.kafka[DEFAULT_LANGUAGE]
    yield ", ".join(
        f"{load_shipped(watch.lesson).alias or watch.lesson} step {watch.step}"
        for watch in claim.watch
    )
