"""The formats of a share for other programs: data, pictures and text."""

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, Literal

from fastapi import Depends, Query, Request, Response

from backend.html.link_card import CARD_WIDTH
from backend.http.errors import GoneError, NotFoundError, UnavailableError
from backend.http.parameters import (
    LanguageQuery,
    PlainNumber,
    ThemeQuery,
    WidthQuery,
    reject_repeated,
    require_id,
)
from backend.http.responses import PlainJsonResponse
from backend.limits.lanes import Lanes
from backend.routing.routes import DelegatedRoute, DelegatedShare, Router
from backend.runs.forms import FORMS, Asked, drawn
from backend.runs.representations import file_response, named
from backend.runs.run import Shown
from backend.services import CountUnknownIds, Services, ServicesDep
from backend.shares.share import MESSAGE, Share
from sim_engine.languages import DEFAULT_LANGUAGE

_DEPENDENCIES = [CountUnknownIds, Depends(reject_repeated)]
_pictures = Router(tags=["files"], route_class=DelegatedShare, dependencies=_DEPENDENCIES)
_exports = Router(tags=["files"], route_class=DelegatedRoute, dependencies=_DEPENDENCIES)

_METHODS = ["GET", "HEAD"]
_OTHERS_WAIT = 3
_LONGEST_WAIT_S = 2.0


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a link asks for: a frame, if it names one, and whether it shows a single message."""

    frame: int | None
    is_message: bool

    def of(self, share: Share) -> Shown:
        """What it shows of its share. Raises NotFoundError."""
        return share.shown_exactly(self.frame, is_message=self.is_message)


async def _asked(
    frame: Annotated[PlainNumber | None, Query(ge=0)] = None, level: Annotated[str, Query()] = ""
) -> _Asked:
    return _Asked(frame, level == MESSAGE)


AskedDep = Annotated[_Asked, Depends(_asked)]


@_exports.api_route("/s/{sid}.json", methods=_METHODS)
async def share_json(
    sid: str,
    request: Request,
    services: ServicesDep,
    form: Annotated[Literal["", "itf"], Query(alias="format")] = "",
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The share's API document as a file, or as a trace for TLA+ tools."""
    share = await services.shares.get(require_id(sid))
    services.metrics.share_views.labels(surface=form or "json").inc()
    if form == "itf":
        whole = Asked(shown=share.shown_exactly(), lang=lang)
        return await file_response(services, request, "itf.json", whole)
    document = await share_document(request, share, services.lanes)
    return named(request, share, document, "json")


async def share_document(request: Request, share: Share, lanes: Lanes) -> Response:
    """The share as JSON. Clients that accept gzip receive the frames as they are stored."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return PlainJsonResponse(
            await lanes.compute(share.document), headers={"Vary": "Accept-Encoding"}
        )
    return PlainJsonResponse(
        await lanes.compute(share.zipped_document),
        headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"},
    )


@_pictures.api_route("/s/{sid}.svg", methods=_METHODS)
async def share_picture(
    sid: str,
    request: Request,
    services: ServicesDep,
    asked: AskedDep,
    frames: Annotated[str | None, Query(alias="range")] = None,
    loop: Annotated[Literal["0", "1"], Query()] = "0",
    theme: ThemeQuery = "light",
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """One step as SVG; with `range`, an animation of several; with `loop`, one of what leads to the
    step.
    """
    share = await services.shares.get(require_id(sid))
    is_loop = loop == "1"
    picture = drawn(asked.of(share), frames, is_loop=is_loop, theme=theme, lang=lang)
    surface = "animation" if frames is not None else "loop" if is_loop else "svg"
    response = await file_response(services, request, "svg", picture)
    services.metrics.share_views.labels(surface=surface).inc()
    return response


@_pictures.api_route("/s/{sid}.gif", methods=_METHODS)
async def share_animation(
    sid: str,
    request: Request,
    services: ServicesDep,
    asked: AskedDep,
    w: WidthQuery = None,
    theme: ThemeQuery = "light",
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """What leads to one step, as an animated GIF of about six seconds."""
    share = await services.shares.get(require_id(sid))
    animation = Asked(shown=asked.of(share), theme=theme, lang=lang, width=w)
    response = await file_response(services, request, "gif", animation)
    services.metrics.share_views.labels(surface="gif").inc()
    return response


@_pictures.api_route("/s/{sid}.png", methods=_METHODS)
async def share_pixels(
    sid: str,
    request: Request,
    services: ServicesDep,
    asked: AskedDep,
    w: WidthQuery = None,
    card: Annotated[PlainNumber, Query(ge=100, le=CARD_WIDTH)] = CARD_WIDTH,
    theme: ThemeQuery = "light",
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """One step as PNG, `w` pixels wide. Without `w`, it is the picture of a link card."""
    share = await services.shares.get(require_id(sid))
    picture = Asked(shown=asked.of(share), theme=theme, lang=lang, width=w, card_width=card)
    response = await file_response(services, request, "png", picture)
    services.metrics.share_views.labels(surface="png").inc()
    return response


@_pictures.api_route("/s/{sid}.html", methods=_METHODS)
async def share_offline(
    sid: str,
    request: Request,
    services: ServicesDep,
    asked: AskedDep,
    theme: Annotated[Literal["light", "dark"] | None, Query()] = None,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The share as a single page that plays offline and opens at the frame asked for. Without
    `theme` it follows the reader's setting.
    """
    share = await services.shares.get(require_id(sid))
    page = Asked(shown=asked.of(share), theme=theme, lang=lang)
    response = await file_response(services, request, "html", page)
    services.metrics.share_views.labels(surface="html").inc()
    return response


@_exports.api_route("/s/{sid}.md", methods=_METHODS, name="share_transcript")
@_exports.api_route("/s/{sid}.yaml", methods=_METHODS, name="share_scenario")
@_exports.api_route("/s/{sid}.mmd", methods=_METHODS, name="share_diagram")
async def share_as_text(
    sid: str,
    request: Request,
    services: ServicesDep,
    asked: AskedDep,
    frames: Annotated[str | None, Query(alias="range")] = None,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The share as a transcript, a scenario file, or a sequence diagram. A transcript marks the
    frame asked for.
    """
    share = await services.shares.get(require_id(sid))
    extension = request.url.path.rpartition(".")[2]
    text = Asked(shown=asked.of(share), lang=lang, frames=share.frames_between(frames))
    response = await file_response(services, request, extension, text)
    services.metrics.share_views.labels(surface=extension).inc()
    return response


async def draw_card(services: Services, sid: str) -> None:
    """Draw the picture of a new share's link card, as crawlers request it, which is then kept for a
    while. Not while others wait for pictures, and not for long: it is then drawn when it is first
    requested.
    """
    if services.raster.waiting > _OTHERS_WAIT:
        return
    with suppress(GoneError, NotFoundError, UnavailableError, TimeoutError):
        async with asyncio.timeout(_LONGEST_WAIT_S):
            await _draw_card(services, sid)


async def _draw_card(services: Services, sid: str) -> None:
    shown = (await services.shares.read(sid)).shown_exactly(None, is_message=False)
    asked = Asked(shown=shown, theme="light", lang=DEFAULT_LANGUAGE, card_width=CARD_WIDTH)
    await FORMS["png"].make(services, asked)


router = Router()
router.routes += [*_exports.routes, *_pictures.routes]
