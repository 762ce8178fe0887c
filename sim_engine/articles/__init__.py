"""What five articles say about Kafka's replication, claim by claim, and what Kafka does.

Each article is a YAML file beside this one, and the only place where its claims stand: the service,
the pages and `docs/explanation/articles.md` take them from here. A claim names the lessons that
show it; a test runs them and looks for what each step is said to show.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Literal

from msgspec import Struct, convert

from sim_engine.releases import is_within
from sim_engine.scenario_reader.document import Text
from sim_engine.scenario_reader.source_text import read_source
from sim_engine.versions import PROFILE_NAMES

Verdict = Literal["right", "nearly", "wrong"]


class Watch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The step of a lesson that shows something: `shows` is the kind of the event to look for.

    The step is one of the lesson under its own release.
    """

    lesson: str
    step: int
    shows: str


class Claim(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One claim of an article, what Kafka does, and where that is seen, the best place first.

    `holds` are the releases in which it is as the article says; null where in none.
    """

    claim: Text
    verdict: Verdict
    kafka: Text
    watch: tuple[Watch, ...]
    holds: str | None = None


class Question(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question that an article asks its readers, and a short answer that is right."""

    question: Text
    answer: Text
    watch: tuple[Watch, ...]


class Article(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An article. Its Chinese title is what scenarios call it in `source`."""

    title: Text
    about: Text
    claims: tuple[Claim, ...]
    questions: tuple[Question, ...] = ()

    @property
    def lessons(self) -> tuple[str, ...]:
        """The ids of the lessons that show its claims, in the order of the claims."""
        watched = [watch for claim in self.claims for watch in claim.watch]
        watched += [watch for question in self.questions for watch in question.watch]
        return tuple(dict.fromkeys(watch.lesson for watch in watched))


@cache
def list_articles() -> tuple[Article, ...]:
    """The articles in their order; an article's number is its place."""
    # Python keeps its compiled modules in a folder beside them.
    texts = sorted(
        (file.name, file.read_text(encoding="utf-8"))
        for file in files("sim_engine.articles").iterdir()
        if file.name.endswith(".yaml")
    )
    return tuple(convert(read_source(text).document, Article) for _, text in texts)


def versions_of(claim: Claim, menu: Sequence[str] = PROFILE_NAMES) -> list[str]:
    """The releases of the menu in which it is as the article says."""
    if claim.holds is None:
        return []
    return [kafka for kafka in menu if is_within(kafka, claim.holds)]


def source_name(source: str) -> Text:
    """What a scenario's source is called: articles have a title, all else is the same in every
    language."""
    titles = {article.title["zh"]: article.title for article in list_articles()}
    return titles.get(source, {"en": source, "zh": source})
