"""What else can be had of a share, for other programs: its data, a picture, a transcript."""

import asyncio
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request, Response

from backend.http.etag import IMMUTABLE, tagged
from backend.http.json_response import JsonAnswer
from backend.http.parameters import PlainNumber, reject_repeated, require_id
from backend.limits.table import PICTURE_WIDTH
from backend.pages.language import LanguageQuery
from backend.pages.link_card import CARD_WIDTH
from backend.services import (
    CountMisses,
    FiguresDep,
    MetricsDep,
    RasterDep,
    SharesDep,
    TimelinesDep,
)
from backend.shares import transcript
from backend.shares.pictures import picture_of
from backend.shares.service import Share
from backend.shares.viewing import exact_frame

router = APIRouter(include_in_schema=False, dependencies=[CountMisses, Depends(reject_repeated)])

_METHODS = ["GET", "HEAD"]
_EXTENSIONS = {
    "application/json": "json",
    "image/svg+xml": "svg",
    "image/png": "png",
    "text/markdown": "md",
}

ThemeQuery = Annotated[Literal["light", "dark"], Query()]


@router.api_route("/s/{sid}.json", methods=_METHODS)
async def share_json(
    sid: str,
    request: Request,
    shares: SharesDep,
    metrics: MetricsDep,
    v: Annotated[str, Query()] = "",
) -> Response:
    """What the interface answers for the share, to be kept as a file."""
    share = await shares.get(require_id(sid))
    metrics.share_views.labels(surface="json").inc()
    response = await share_document(request, share)
    return _described(request, share, response, v)


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
    shares: SharesDep,
    figures: FiguresDep,
    metrics: MetricsDep,
    step: Annotated[PlainNumber | None, Query(ge=0)] = None,
    theme: ThemeQuery = "light",
    lang: LanguageQuery = "en",
    v: Annotated[str, Query()] = "",
) -> Response:
    """One step as SVG."""
    share = await shares.get(require_id(sid))
    frame = exact_frame(share, share.at if step is None else step)
    picture = await picture_of(figures, share, frame, theme, lang)
    metrics.share_views.labels(surface="svg").inc()
    return _representation(request, share, picture.encode(), "image/svg+xml", v)


@router.api_route("/s/{sid}.png", methods=_METHODS)
async def share_pixels(
    sid: str,
    request: Request,
    shares: SharesDep,
    figures: FiguresDep,
    raster: RasterDep,
    metrics: MetricsDep,
    step: Annotated[PlainNumber | None, Query(ge=0)] = None,
    w: Annotated[PlainNumber | None, Query(ge=100, le=PICTURE_WIDTH.number)] = None,
    card: Annotated[PlainNumber, Query(ge=100, le=CARD_WIDTH)] = CARD_WIDTH,
    theme: ThemeQuery = "light",
    lang: LanguageQuery = "en",
    v: Annotated[str, Query()] = "",
) -> Response:
    """One step as PNG: `w` pixels wide, or else in the proportions of a link's card."""
    share = await shares.get(require_id(sid))
    frame = exact_frame(share, share.at if step is None else step)
    picture = await picture_of(figures, share, frame, theme, lang, is_card=w is None)
    pixels = await raster.png(picture, card if w is None else w)
    metrics.share_views.labels(surface="png").inc()
    return _representation(request, share, pixels, "image/png", v)


@router.api_route("/s/{sid}.md", methods=_METHODS)
async def share_transcript(
    sid: str,
    request: Request,
    shares: SharesDep,
    timelines: TimelinesDep,
    metrics: MetricsDep,
    lang: LanguageQuery = "en",
    v: Annotated[str, Query()] = "",
) -> Response:
    """Every step in words, as Markdown."""
    share = await shares.get(require_id(sid))
    words = await timelines.compute(transcript.markdown, share, lang)
    metrics.share_views.labels(surface="md").inc()
    return _representation(request, share, words.encode(), "text/markdown", v)


def _representation(
    request: Request, share: Share, body: bytes, media_type: str, version: str
) -> Response:
    return _described(request, share, Response(body, media_type=media_type), version)


def _described(request: Request, share: Share, response: Response, version: str) -> Response:
    media_type = (response.media_type or "").partition(";")[0]
    name = quote(f"highwater-{share.sid[:8]}.{_EXTENSIONS[media_type]}")
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    if version and version == share.digest[:8]:
        response.headers["Cache-Control"] = IMMUTABLE
    return tagged(request, response)
