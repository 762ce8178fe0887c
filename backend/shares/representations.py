"""The formats of a share for other programs: data, pictures and text."""

from dataclasses import dataclass
from typing import Annotated, Literal
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import HTMLResponse

from backend.html.link_card import CARD_WIDTH
from backend.http.parameters import LanguageQuery, PlainNumber, reject_repeated, require_id
from backend.http.responses import PlainJsonResponse, tagged
from backend.limit_table import PICTURE_WIDTH
from backend.limits.lanes import Lanes
from backend.routing.routes import DelegatedRoute, DelegatedShare
from backend.services import CountUnknownIds, ServicesDep
from backend.shares.pictures import animated, moments, picture_of
from backend.shares.player import offline_page
from backend.shares.share import MESSAGE, Share, Shown, frames_between, shown_exactly
from backend.shares.text_files import TEXTS, TextAsked, itf
from sim_engine.languages.library import DEFAULT_LANGUAGE

_DEPENDENCIES = [CountUnknownIds, Depends(reject_repeated)]
_pictures = APIRouter(route_class=DelegatedShare, dependencies=_DEPENDENCIES)
_exports = APIRouter(route_class=DelegatedRoute, dependencies=_DEPENDENCIES)

_METHODS = ["GET", "HEAD"]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What a link asks for: a frame, if it names one, and whether it shows a single message."""

    frame: int | None
    is_message: bool

    def of(self, share: Share) -> Shown:
        """What it shows of its share. Raises NotFoundError."""
        return shown_exactly(share, self.frame, is_message=self.is_message)


async def _asked(
    frame: Annotated[PlainNumber | None, Query(ge=0)] = None, level: Annotated[str, Query()] = ""
) -> _Asked:
    return _Asked(frame, level == MESSAGE)


AskedDep = Annotated[_Asked, Depends(_asked)]
ThemeQuery = Annotated[Literal["light", "dark"], Query()]


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
        trace = await services.lanes.compute_long(itf, share, lang)
        return _described(request, share, PlainJsonResponse(trace), "itf.json")
    document = await share_document(request, share, services.lanes)
    return _described(request, share, document, "json")


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
    theme: ThemeQuery = "light",
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """One step as SVG; with `range`, an animation of several."""
    share = await services.shares.get(require_id(sid))
    if frames is not None:
        shown = await services.lanes.compute(moments, share, frames_between(share, frames))
        played = await animated(services.figures, share, shown, theme, lang)
        services.metrics.share_views.labels(surface="animation").inc()
        response = Response(played.encode(), media_type="image/svg+xml")
        return _described(request, share, response, "svg")
    picture = await picture_of(services.figures, asked.of(share), theme, lang)
    services.metrics.share_views.labels(surface="svg").inc()
    response = Response(picture.encode(), media_type="image/svg+xml")
    return _described(request, share, response, "svg")


@_pictures.api_route("/s/{sid}.png", methods=_METHODS)
async def share_pixels(
    sid: str,
    request: Request,
    services: ServicesDep,
    asked: AskedDep,
    w: Annotated[PlainNumber | None, Query(ge=100, le=PICTURE_WIDTH.number)] = None,
    card: Annotated[PlainNumber, Query(ge=100, le=CARD_WIDTH)] = CARD_WIDTH,
    theme: ThemeQuery = "light",
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """One step as PNG, `w` pixels wide. Without `w`, it has the size of a link card."""
    share = await services.shares.get(require_id(sid))
    picture = await picture_of(services.figures, asked.of(share), theme, lang, is_card=w is None)
    pixels = await services.raster.png(picture, card if w is None else w)
    services.metrics.share_views.labels(surface="png").inc()
    response = Response(pixels, media_type="image/png")
    return _described(request, share, response, "png")


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
    shown = asked.of(share)
    picture = await picture_of(services.figures, shown, "page", lang)
    base_url = services.settings.base_url
    page = await services.lanes.compute(
        offline_page, services.frontend, shown, picture, lang, base_url, theme=theme
    )
    services.metrics.share_views.labels(surface="html").inc()
    response = _described(request, share, HTMLResponse(page), "html")
    # The page is a download. On this site its script must not run.
    disposition = response.headers["Content-Disposition"]
    response.headers["Content-Disposition"] = disposition.replace("inline", "attachment")
    return response


@_exports.api_route("/s/{sid}.md", methods=_METHODS)
@_exports.api_route("/s/{sid}.yaml", methods=_METHODS)
@_exports.api_route("/s/{sid}.mmd", methods=_METHODS)
async def share_as_text(
    sid: str,
    request: Request,
    services: ServicesDep,
    link: AskedDep,
    frames: Annotated[str | None, Query(alias="range")] = None,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """The share as a transcript, a scenario file, or a sequence diagram. A transcript marks the
    frame asked for.
    """
    share = await services.shares.get(require_id(sid))
    extension = request.url.path.rpartition(".")[2]
    made = TEXTS[extension]
    asked = TextAsked(
        lang,
        f"{services.settings.base_url}/s/{share.row.sid}",
        frames_between(share, frames),
        marked=link.frame,
        is_message=link.is_message,
    )
    written: str = await services.lanes.compute_long(made.write, share, asked)
    services.metrics.share_views.labels(surface=extension).inc()
    response = Response(written.encode(), media_type=made.media_type)
    return _described(request, share, response, extension)


def _described(request: Request, share: Share, response: Response, extension: str) -> Response:
    """The response as a named file. No cache may keep it for long: a share never changes, but it
    can be deleted.
    """
    name = quote(f"highwater-{share.row.sid[:8]}.{extension}")
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return tagged(request, response)


router = APIRouter(include_in_schema=False)
router.include_router(_exports)
router.include_router(_pictures)
