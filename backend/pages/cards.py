"""The card pictures of pages other than shares: of lessons, and of the site itself."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from backend.html.link_card import CARD_WIDTH
from backend.html.page import PAGE_METHODS
from backend.http.errors import NotFoundError
from backend.http.parameters import LanguageQuery, PlainNumber, reject_repeated
from backend.http.responses import tagged
from backend.services import FiguresDep, LanesDep, RasterDep
from sim_engine.documents.frames import FrameDocument, frame_document
from sim_engine.documents.runs import story_to
from sim_engine.events.log import RecordLost
from sim_engine.identifiers import FrameNumber
from sim_engine.languages.library import DEFAULT_LANGUAGE, in_language
from sim_engine.languages.library import say as say_message
from sim_engine.narration.sentences import sentence as event_sentence
from sim_engine.scenario_reader.reader import load_shipped
from sim_engine.simulation.timeline import Timeline

router = APIRouter(include_in_schema=False, dependencies=[Depends(reject_repeated)])

_TOLD_BY_THE_SITE = "kip-101-data-loss"
"""The lesson in the site's own picture, the same as on the front page."""
_TOLD_FIRST = ("NoAckedRecordLost", "LogMatching", "AckedRecordAtRisk")
"""The properties whose violation is the main event of a story. For a story without such a violation
the card shows the last frame.
"""
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
    shown: _Shown = await lanes.compute(_shown, _TOLD_BY_THE_SITE)
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
    shown: _Shown = await lanes.compute(_shown, lesson.id)
    words = {"title": in_language(lesson.title, lang), "description": _sentence(shown.frame, lang)}
    picture = await figures.draw(shown.frame, {**shown.options, **words, "lang": lang})
    return _image_response(request, await raster.png(picture, card))


@dataclass(frozen=True, slots=True)
class _Shown:
    """The frame of a lesson that is drawn, with its options, in any language."""

    frame: FrameDocument
    options: dict[str, object]


@lru_cache(_MOST_REMEMBERED)
def _shown(scenario_id: str) -> _Shown:
    timeline = Timeline(load_shipped(scenario_id))
    timeline.run_all()
    story = story_to(timeline, timeline.head)
    steps = {
        str(frame): step.step
        for step in story
        for frame in range(step.first_frame, step.last_frame + 1)
    }
    options = {
        "card": True,
        "theme": "light",
        "kafka": timeline.profile.kafka,
        "stepsOf": steps,
        "steps": story[-1].step,
    }
    return _Shown(telling_frame(timeline), options)


def telling_frame(timeline: Timeline) -> FrameDocument:
    """The most important frame of a run: the first in which a record is lost; otherwise the first
    in which a property is violated; otherwise the last.
    """
    last = frame_document(timeline, timeline.head)
    number = _first_loss(timeline)
    if number is None:
        number = _first_violation(last)
    return last if number is None else frame_document(timeline, number)


def _first_loss(timeline: Timeline) -> FrameNumber | None:
    for number in timeline.path(timeline.head):
        if any(isinstance(event, RecordLost) for event in timeline.frames[number].events):
            return number
    return None


def _first_violation(frame: FrameDocument) -> FrameNumber | None:
    for name in _TOLD_FIRST:
        first = frame.properties[name].first_frame
        if first is not None:
            return first
    return None


def _sentence(frame: FrameDocument, lang: str) -> str:
    if not frame.events or not isinstance(frame.headline, int):
        return ""
    event = frame.events[frame.headline]
    variant = event.variant if isinstance(event.variant, str) else None
    return event_sentence(event.kind, variant, event.numbers, lang)


def _image_response(request: Request, picture: bytes) -> Response:
    return tagged(request, Response(picture, media_type="image/png"))
