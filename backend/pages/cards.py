"""The card pictures of pages other than shares: of lessons, and of the site itself."""

from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from backend.frames.telling import TellingPicture, telling_picture
from backend.html.link_card import CARD_WIDTH
from backend.html.page import PAGE_METHODS
from backend.http.errors import NotFoundError
from backend.http.parameters import LanguageQuery, PlainNumber, reject_repeated
from backend.http.responses import tagged
from backend.services import FiguresDep, LanesDep, RasterDep
from sim_engine.documents.frames import FrameDocument
from sim_engine.languages.library import DEFAULT_LANGUAGE, in_language
from sim_engine.languages.library import say as say_message
from sim_engine.narration.sentences import sentence as event_sentence
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline

router = APIRouter(include_in_schema=False, dependencies=[Depends(reject_repeated)])

_TOLD_BY_THE_SITE = "kip-101-data-loss"
"""The lesson in the site's own picture, the same as on the front page."""
_MOST_REMEMBERED = 16


@router.api_route("/card.png", methods=PAGE_METHODS)
async def site_card(
    request: Request,
    lanes: LanesDep,
    figures: FiguresDep,
    raster: RasterDep,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The card of every page without its own card."""
    shown: TellingPicture = await lanes.compute(_shown, _TOLD_BY_THE_SITE)
    words = {"title": "Highwater", "description": say_message(lang, "service", "tagline")}
    picture = await figures.draw(shown.frame, {**shown.options, **words, "lang": lang})
    return _image_response(request, await raster.png(picture, CARD_WIDTH))


@router.api_route("/lessons/{scenario_id}.png", methods=PAGE_METHODS)
async def lesson_card(
    scenario_id: str,
    request: Request,
    lanes: LanesDep,
    figures: FiguresDep,
    raster: RasterDep,
    card: Annotated[PlainNumber, Query(ge=100, le=CARD_WIDTH)] = CARD_WIDTH,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The card of a lesson: its most important frame."""
    try:
        lesson = load_shipped(scenario_id)
    except KeyError:
        raise NotFoundError("There is no such lesson.") from None
    shown: TellingPicture = await lanes.compute(_shown, lesson.id)
    words = {"title": in_language(lesson.title, lang), "description": _sentence(shown.frame, lang)}
    picture = await figures.draw(shown.frame, {**shown.options, **words, "lang": lang})
    return _image_response(request, await raster.png(picture, card))


@lru_cache(_MOST_REMEMBERED)
def _shown(scenario_id: str) -> TellingPicture:
    timeline = Timeline(load_shipped(scenario_id))
    timeline.run_all()
    return telling_picture(timeline)


def _sentence(frame: FrameDocument, lang: str) -> str:
    if not frame.events or not isinstance(frame.headline, int):
        return ""
    event = frame.events[frame.headline]
    variant = event.variant if isinstance(event.variant, str) else None
    return event_sentence(event.kind, variant, event.numbers, lang)


def _image_response(request: Request, picture: bytes) -> Response:
    return tagged(request, Response(picture, media_type="image/png"))
