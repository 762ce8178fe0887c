"""The claims of five articles about Kafka's replication, compared with what Kafka does.

Each article is a YAML file in this folder, and the only place that contains its claims: the
service, the pages and `docs/explanation/articles.md` are generated from it. Its translations are in
the languages' folders, in a file of the same name in `articles/`. A claim names the lessons that
show it. A test runs them and checks that each named step contains the named event. A claim that
holds in some releases has a probe, which decides it in all of them
(`tests/sim_engine/articles/probes.py`).
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from msgspec import Struct, convert

from sim_engine.languages import LANGUAGES
from sim_engine.releases import MODELLED, is_in_a_stretch, releases_within, stretches_of
from sim_engine.scenario_reader.document import Text
from sim_engine.scenario_reader.source import read_own_source
from sim_engine.scenario_reader.translations import Place, Places, entries, translated

ARTICLE_FILES = "articles"
"""The folder of a language that has a file for each article."""

Assessment = Literal["right", "nearly", "wrong"]


class Watch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of a lesson that shows a claim: `shows` is the kind of event that it must contain.

    The step is counted in the lesson's run under `kafka`, or under its own release.
    """

    lesson: str
    step: int
    shows: str
    kafka: str | None = None


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One claim of an article, what Kafka does, and the lesson steps that show it, the best one
    first.

    `holds` are the releases in which the claim is correct, a range or several; null if there are
    none.
    """

    claim: Text
    assessment: Assessment
    kafka: Text
    watch: tuple[Watch, ...]
    holds: str | tuple[str, ...] | None = None

    @property
    def held_ranges(self) -> tuple[str, ...]:
        """The ranges of `holds`."""
        return (self.holds,) if isinstance(self.holds, str) else self.holds or ()


class Question(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question that an article asks its readers, and a short, correct answer."""

    question: Text
    answer: Text
    watch: tuple[Watch, ...]


class Article(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An article. `source` is its short name, by which scenarios refer to it in their `source`;
    `printed` its title as printed, `language` the tag of its language (BCP 47), and the fields from
    `site` on what its text says of its origin. None if it does not say so.
    """

    title: Text
    source: str
    printed: str
    language: str
    about: Text
    claims: tuple[Claim, ...]
    questions: tuple[Question, ...] = ()
    site: str | None = None
    date: str | None = None
    book: str | None = None
    """The book from which it takes its contents; then `author` is that of the book."""
    author: str | None = None
    first_part: str | None = None
    """The address of the article that it continues."""

    @property
    def lessons(self) -> tuple[str, ...]:
        """The ids of the lessons that show its claims, in the order of the claims."""
        watched = [watch for claim in self.claims for watch in claim.watch]
        watched += [watch for question in self.questions for watch in question.watch]
        return tuple(dict.fromkeys(watch.lesson for watch in watched))


def list_articles() -> tuple[Article, ...]:
    """The articles in order; an article's number is its index, from 0."""
    return tuple(articles_by_file().values())


@cache
def articles_by_file() -> Mapping[str, Article]:
    """The articles in their order, by the names of their files without ".yaml"."""
    # Python puts its compiled modules into a subfolder.
    texts = sorted(
        (file.name.removesuffix(".yaml"), file.read_text(encoding="utf-8"))
        for file in files("sim_engine.articles").iterdir()
        if file.name.endswith(".yaml")
    )
    return {name: _read(name, text) for name, text in texts}


def _read(name: str, text: str) -> Article:
    document = read_own_source(text).document
    file = f"{ARTICLE_FILES}/{name}"
    return convert(translated(document, article_places(document), file), Article)


def article_places(document: object) -> Places:
    """The places of an article's texts: title, subject, claims and questions, numbered from 1."""
    places: dict[str, Place] = {"title": ("title",), "about": ("about",)}
    for key, text, response in (("claims", "claim", "kafka"), ("questions", "question", "answer")):
        for index, _ in enumerate(entries(document, key)):
            name = f"{text}-{index + 1}"
            places |= {name: (key, index, text), f"{name}.{response}": (key, index, response)}
    return places


def versions_of(claim: Claim) -> tuple[str, ...]:
    """All releases in which a claim is correct, by their complete names, oldest first."""
    within = {name for text in claim.held_ranges for name in releases_within(text)}
    return tuple(name for name in MODELLED if name in within)


def held_in(claim: Claim, menu: Sequence[str]) -> tuple[bool, ...]:
    """Whether a claim is correct, for each release of a menu."""
    within = stretches_of(versions_of(claim))
    return tuple(is_in_a_stretch(kafka, within) for kafka in menu)


def source_name(source: str) -> Text:
    """The name of a scenario's source in a language. Only articles have a translated title."""
    titles = {article.source: article.title for article in list_articles()}
    return titles.get(source, dict.fromkeys(LANGUAGES, source))
