"""What else can be had of a share, for other programs: its data, pictures, and it as text."""

import asyncio
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import HTMLResponse

from backend.http.etag import IMMUTABLE, tagged
from backend.http.json_response import JsonAnswer
from backend.http.parameters import PlainNumber, reject_repeated, require_id
from backend.limits.table import PICTURE_WIDTH
from backend.pages.language import LanguageQuery
from backend.pages.link_card import CARD_WIDTH
from backend.services import CountMisses, ServicesDep
from backend.shares.animation import animated, moments
from backend.shares.informal_trace import itf
from backend.shares.offline_page import offline_page
from backend.shares.pictures import picture_of
from backend.shares.shown import Share
from backend.shares.text_files import TEXTS, TextAsked
from backend.shares.viewing import exact_frame, frames_between

router = APIRouter(include_in_schema=False, dependencies=[CountMisses, Depends(reject_repeated)])

_METHODS = ["GET", "HEAD"]

ThemeQuery = Annotated[Literal["light", "dark"], Query()]


@router.api_route("/s/{sid}.json", methods=_METHODS)
async def share_json(
    sid: str,
    request: Request,
    services: ServicesDep,
    form: Annotated[Literal["", "itf"], Query(alias="format")] = "",
    lang: LanguageQuery = "en",
    v: Annotated[str, Query()] = "",
) -> Response:
    """What the interface answers for the share, to be kept as a file; or as a trace for TLA+."""
    share = await services.shares.get(require_id(sid))
    services.metrics.share_views.labels(surface=form or "json").inc()
    if form == "itf":
        trace = await services.timelines.compute_long(itf, share, lang)
        return _described(request, share, JsonAnswer(trace), "itf.json", v)
    return _described(request, share, await share_document(request, share), "json", v)


async def share_document(request: Request, share: Share) -> Response:
    """The share as JSON; to whom reads gzip, the frames are sent as they are stored."""
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return JsonAnswer(share.document(), headers={"Vary": "Accept-Encoding"})
    return JsonAnswer(
        await asyncio.to_thread(share.zipped_document),
        headers={"Content-Encoding": "gzip", "Vary": "Accept-Encoding"},
    )


@router.api_route("/s/{sid}.svg", methods=_METHODS)
async def share_picture(
    sid: str,
    request: Request,
    services: ServicesDep,
    step: Annotated[PlainNumber | None, Query(ge=0)] = None,
    frames: Annotated[str | None, Query(alias="range")] = None,
    theme: ThemeQuery = "light",
    lang: LanguageQuery = "en",
    v: Annotated[str, Query()] = "",
) -> Response:
    """One step as SVG; with `range`, several that play."""
    share = await services.shares.get(require_id(sid))
    if frames is not None:
        shown = await asyncio.to_thread(moments, share, frames_between(share, frames))
        played = await animated(services.figures, share, shown, theme, lang)
        services.metrics.share_views.labels(surface="animation").inc()
        response = Response(played.encode(), media_type="image/svg+xml")
        return _described(request, share, response, "svg", v)
    frame = exact_frame(share, share.at if step is None else step)
    picture = await picture_of(services.figures, share, frame, theme, lang)
    services.metrics.share_views.labels(surface="svg").inc()
    response = Response(picture.encode(), media_type="image/svg+xml")
    return _described(request, share, response, "svg", v)


@router.api_route("/s/{sid}.png", methods=_METHODS)
async def share_pixels(
    sid: str,
    request: Request,
    services: ServicesDep,
    step: Annotated[PlainNumber | None, Query(ge=0)] = None,
    w: Annotated[PlainNumber | None, Query(ge=100, le=PICTURE_WIDTH.number)] = None,
    card: Annotated[PlainNumber, Query(ge=100, le=CARD_WIDTH)] = CARD_WIDTH,
    theme: ThemeQuery = "light",
    lang: LanguageQuery = "en",
    v: Annotated[str, Query()] = "",
) -> Response:
    """One step as PNG: `w` pixels wide, or else in the proportions of a link's card."""
    share = await services.shares.get(require_id(sid))
    frame = exact_frame(share, share.at if step is None else step)
    picture = await picture_of(services.figures, share, frame, theme, lang, is_card=w is None)
    pixels = await services.raster.png(picture, card if w is None else w)
    services.metrics.share_views.labels(surface="png").inc()
    response = Response(pixels, media_type="image/png")
    return _described(request, share, response, "png", v)


@router.api_route("/s/{sid}.html", methods=_METHODS)
async def share_offline(
    sid: str,
    request: Request,
    services: ServicesDep,
    lang: LanguageQuery = "en",
    v: Annotated[str, Query()] = "",
) -> Response:
    """The share as one page that plays without a service, to be kept."""
    share = await services.shares.get(require_id(sid))
    picture = await picture_of(services.figures, share, exact_frame(share, share.at), "page", lang)
    page = await asyncio.to_thread(
        offline_page, services.frontend, share, picture, lang, services.settings.base_url
    )
    services.metrics.share_views.labels(surface="html").inc()
    response = _described(request, share, HTMLResponse(page), "html", v)
    # Beside other pages its script must not run, and does not; it is for a disk.
    disposition = response.headers["Content-Disposition"]
    response.headers["Content-Disposition"] = disposition.replace("inline", "attachment")
    return response


@router.api_route("/s/{sid}.md", methods=_METHODS)
@router.api_route("/s/{sid}.yaml", methods=_METHODS)
@router.api_route("/s/{sid}.mmd", methods=_METHODS)
async def share_as_text(
    sid: str,
    request: Request,
    services: ServicesDep,
    frames: Annotated[str | None, Query(alias="range")] = None,
    lang: LanguageQuery = "en",
    v: Annotated[str, Query()] = "",
) -> Response:
    """Every step in words, as a scenario file, or as a diagram of its messages."""
    share = await services.shares.get(require_id(sid))
    extension = request.url.path.rpartition(".")[2]
    made = TEXTS[extension]
    asked = TextAsked(
        lang, f"{services.settings.base_url}/s/{share.sid}", frames_between(share, frames)
    )
    written: str = await services.timelines.compute_long(made.write, share, asked)
    services.metrics.share_views.labels(surface=extension).inc()
    response = Response(written.encode(), media_type=made.media_type)
    return _described(request, share, response, extension, v)


def _described(
    request: Request, share: Share, response: Response, extension: str, version: str
) -> Response:
    """The response as a file with a name; kept for ever where its address names its content."""
    name = quote(f"highwater-{share.sid[:8]}.{extension}")
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    if version and version == share.digest[:8]:
        response.headers["Cache-Control"] = IMMUTABLE
    return tagged(request, response)
