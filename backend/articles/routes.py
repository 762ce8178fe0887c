"""The articles that the lessons are based on, claim by claim, with the steps of lessons that show
what they are about. All responses are constant.
"""

from collections import Counter
from functools import cache
from typing import Annotated

from fastapi import Path, Request, Response

from backend.articles.schemas import ArticleListRead, ArticleRead
from backend.http.errors import NotFoundError
from backend.http.responses import described
from backend.http.schemas import Problem
from backend.routing.compression import ConstantJson
from backend.routing.files import article_numbers, kept_as_file
from backend.routing.routes import API, Router
from sim_engine.articles import Article, Claim, Watch, held_in, list_articles, versions_of
from sim_engine.documents.lesson_entries import picture_of
from sim_engine.documents.pages import ranges_text
from sim_engine.documents.runs import story_to
from sim_engine.json_types import JsonObject
from sim_engine.releases import stretches_of
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import list_versions

router = Router(prefix=API, tags=["articles"])


@cache
def _steps_shown(scenario_id: str, kafka: str | None) -> dict[int, JsonObject]:
    """Each step of a shipped scenario under a release or, for None, its own, by its number: a
    summary, and a picture of its last frame.

    Cached for the life of the process, because shipped scenarios do not change.
    """
    scenario = load_shipped(scenario_id)
    timeline = Timeline(scenario, kafka=kafka)
    timeline.run_all()
    path = timeline.path(timeline.head)
    return {
        step.step: {
            "title": scenario.title,
            "kafka": timeline.profile.kafka,
            "told": step.summary,
            "picture": picture_of(
                timeline, [n for n in path if step.first_frame <= n <= step.last_frame]
            ),
        }
        for step in story_to(timeline, timeline.head)
    }


@router.get("/articles", response_model=ArticleListRead)
@kept_as_file()
async def read_articles(request: Request) -> Response:
    """The articles in order, each with the number of its claims that are correct."""
    return await _list.respond(request)


@router.get(
    "/articles/{number}",
    response_model=ArticleRead,
    responses={404: described(Problem, "No article has this number.")},
)
@kept_as_file(number=article_numbers)
async def read_article(
    number: Annotated[int, Path(ge=0, le=1_000, description="Its index, from 0.")], request: Request
) -> Response:
    """The claims of one article: what is correct, in which releases, and which lesson step shows
    it."""
    articles = list_articles()
    if number >= len(articles):
        raise NotFoundError(f"No article has this number; the last one is {len(articles) - 1}.")
    # The first request waits until its lessons have run. Other requests are not blocked.
    return await _document.respond(request, number)


@ConstantJson
def _list() -> JsonObject:
    return {
        "articles": [_summary(number, article) for number, article in enumerate(list_articles())]
    }


@ConstantJson
def _document(number: int) -> JsonObject:
    article = list_articles()[number]
    versions = [str(version["kafka"]) for version in list_versions()]
    return {
        "article": _summary(number, article),
        "versions": versions,
        "claims": [
            {
                "number": place,
                "claim": claim.claim,
                "assessment": claim.assessment,
                "kafka": claim.kafka,
                **_range(claim, versions),
                "watch": [_watch(watch) for watch in claim.watch],
            }
            for place, claim in enumerate(article.claims, start=1)
        ],
        "questions": [
            {
                "question": question.question,
                "answer": question.answer,
                "watch": [_watch(watch) for watch in question.watch],
            }
            for question in article.questions
        ],
    }


def _range(claim: Claim, menu: list[str]) -> JsonObject:
    return {
        "holds": list(held_in(claim, menu)),
        "holds_in": ranges_text(stretches_of(versions_of(claim))),
    }


def _summary(number: int, article: Article) -> JsonObject:
    counts = Counter(claim.assessment for claim in article.claims)
    return {
        "number": number,
        "title": article.title,
        "origin": {
            "printed": article.printed,
            "language": article.language,
            "site": article.site,
            "date": article.date,
            "book": article.book,
            "author": article.author,
            "first_part": article.first_part,
        },
        "about": article.about,
        "claims": len(article.claims),
        "assessments": {
            assessment: counts[assessment] for assessment in ("right", "nearly", "wrong")
        },
        "lessons": list(article.lessons),
    }


def _watch(watch: Watch) -> JsonObject:
    shown = _steps_shown(watch.lesson, watch.kafka)[watch.step]
    is_own = watch.kafka is None
    return {"lesson": watch.lesson, "step": watch.step, "own_release": is_own, **shown}
