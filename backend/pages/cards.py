"""The card pictures of the pages that are not about one run: of the site and its parts, challenges,
articles with their claims, and the terms of the glossary.
"""

from functools import lru_cache
from typing import Annotated

from fastapi import Depends, Path, Query, Request, Response

from backend.frames.telling import TellingPicture, telling_picture
from backend.html.link_card import CARD_WIDTH
from backend.html.page import PAGE_METHODS
from backend.http.errors import NotFoundError
from backend.http.parameters import LanguageQuery, PlainNumber, reject_repeated
from backend.pages.site import SITE_PAGES
from backend.pages.subjects import (
    Subject,
    about_article,
    about_challenge,
    about_page,
    about_recording,
    about_term,
    the_site,
)
from backend.routing.files import (
    article_numbers,
    challenge_ids,
    kept_as_file,
    languages,
    recording_names,
)
from backend.routing.routes import Router
from backend.runs.cards import card_response
from backend.runs.pictures import Words, picture_of
from backend.services import Services, ServicesDep
from sim_engine.challenges import find_challenge
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline

router = Router(include_in_schema=False, dependencies=[Depends(reject_repeated)])

_MOST_REMEMBERED = 16


def _pages() -> list[str]:
    return [page.path.removeprefix("/") for page in SITE_PAGES if page.path != "/"]


@router.api_route("/card.png", methods=PAGE_METHODS)
@kept_as_file(lang=languages)
async def site_card(
    request: Request, services: ServicesDep, lang: LanguageQuery = DEFAULT_LANGUAGE
) -> Response:
    """The card of the site."""
    return await subject_card(request, services, the_site(lang), lang)


@router.api_route("/articles/{number}.png", methods=PAGE_METHODS)
@kept_as_file(number=article_numbers, lang=languages)
async def article_card(
    number: str,
    request: Request,
    services: ServicesDep,
    claim: Annotated[PlainNumber | None, Query(ge=1)] = None,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The card of an article, or of one of its claims: the step of a lesson that shows it."""
    return await subject_card(request, services, about_article(number, claim, lang), lang)


@router.api_route("/challenges/{challenge_id}.png", methods=PAGE_METHODS)
@kept_as_file(challenge_id=challenge_ids, lang=languages)
async def challenge_card(
    challenge_id: str,
    request: Request,
    services: ServicesDep,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The card of a challenge: the cluster at its start."""
    subject = about_challenge(challenge_id, lang)

    async def pixels() -> bytes:
        start: TellingPicture = await services.lanes.compute(_start_of, challenge_id)
        words = {"title": subject.title, "description": subject.sentence, "lang": lang}
        picture = await services.figures.draw(start.frame, {**start.options, **words})
        return await services.raster.png(picture, CARD_WIDTH)

    return await card_response(request, services.frontend, pixels)


@router.api_route("/recordings/{name}.png", methods=PAGE_METHODS)
@kept_as_file(name=recording_names, lang=languages)
async def recording_card(
    name: str, request: Request, services: ServicesDep, lang: LanguageQuery = DEFAULT_LANGUAGE
) -> Response:
    """The card of a recording."""
    return await subject_card(request, services, about_recording(name, lang), lang)


@router.api_route("/{page}.png", methods=PAGE_METHODS)
@kept_as_file(page=_pages, lang=languages)
async def page_card(
    page: Annotated[str, Path()],
    request: Request,
    services: ServicesDep,
    term: str | None = None,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The card of a page of the site; of the glossary, also of one of its terms."""
    found = next((one for one in SITE_PAGES if one.path == f"/{page}"), None)
    if found is None:
        raise NotFoundError
    subject = (
        about_term(term, lang)
        if term is not None and found.path == "/glossary"
        else about_page(found, lang)
    )
    return await subject_card(request, services, subject, lang)


async def subject_card(
    request: Request, services: Services, subject: Subject, lang: str
) -> Response:
    """The card of a subject: its picture with its words, or its words alone."""

    async def pixels() -> bytes:
        return await services.raster.png(await _drawn(services, subject, lang), CARD_WIDTH)

    return await card_response(request, services.frontend, pixels)


async def _drawn(services: Services, subject: Subject, lang: str) -> str:
    """The step of a lesson with the subject's words, or the words alone."""
    if subject.lesson is not None:
        run = await services.shipped_runs.get(subject.lesson)
        words = Words(subject.title, subject.sentence)
        shown = run.shown_at(subject.step)
        return await picture_of(services.figures, shown, "light", lang, is_card=True, words=words)
    return await services.figures.draw(None, {**subject.words(), "lang": lang})


@lru_cache(_MOST_REMEMBERED)
def _start_of(challenge_id: str) -> TellingPicture:
    timeline = Timeline(read_scenario_document(find_challenge(challenge_id).document()))
    timeline.run_all()
    return telling_picture(timeline)
