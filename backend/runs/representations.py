"""The responses with a run's forms for other programs: pictures, texts and the page that plays
offline.
"""

from collections.abc import Sequence
from typing import Protocol
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from backend.drawing.figures import Figures
from backend.drawing.raster import Raster
from backend.html.frontend_build import FrontendBuild
from backend.html.link_card import CARD_WIDTH
from backend.http.responses import PlainJsonResponse, tagged
from backend.limits.lanes import Lanes
from backend.runs.animation import Moment, animated, gif, loop, moments
from backend.runs.cards import card_response
from backend.runs.pictures import picture_of
from backend.runs.player import offline_page
from backend.runs.run import Run, Shown
from backend.runs.text_files import TEXTS, TextAsked, itf
from backend.settings import Settings

GIF_WIDTH = 800


class Makers(Protocol):
    """The parts of the service that make the forms of a run."""

    @property
    def settings(self) -> Settings:
        """With the site's address."""

    @property
    def frontend(self) -> FrontendBuild:
        """With the player's script, for pages that play offline."""

    @property
    def figures(self) -> Figures:
        """Draws frames as SVG."""

    @property
    def raster(self) -> Raster:
        """Draws SVG as PNG and GIF."""

    @property
    def lanes(self) -> Lanes:
        """Computes outside the event loop."""


async def svg_response(
    makers: Makers, request: Request, shown: Shown, theme: str, lang: str
) -> Response:
    """One step as SVG."""
    picture = await picture_of(makers.figures, shown, theme, lang)
    return _as_svg(request, shown.run, picture)


async def played_response(
    makers: Makers, request: Request, run: Run, frames: str, theme: str, lang: str
) -> Response:
    """The frames in a range as SVG that plays."""
    played = await makers.lanes.compute(moments, run, run.frames_between(frames))
    return await _played(makers, request, run, played, theme, lang)


async def loop_response(
    makers: Makers, request: Request, shown: Shown, theme: str, lang: str
) -> Response:
    """A step with what leads to it, as SVG that plays."""
    played = await makers.lanes.compute(loop, shown)
    return await _played(makers, request, shown.run, played, theme, lang)


async def gif_response(
    makers: Makers, request: Request, shown: Shown, theme: str, lang: str, width: int | None
) -> Response:
    """The same as an animated GIF, for places that do not show SVG."""
    played = await makers.lanes.compute(loop, shown)
    width = GIF_WIDTH if width is None else width
    animation = await gif(makers.figures, makers.raster, played, theme, lang, width)
    response = Response(animation, media_type="image/gif")
    return named(request, shown.run, response, "gif")


async def png_response(
    makers: Makers,
    request: Request,
    shown: Shown,
    theme: str,
    lang: str,
    *,
    width: int | None,
    card_width: int = CARD_WIDTH,
) -> Response:
    """One step as PNG, `width` pixels wide; without a width, the picture of its link card."""

    async def pixels() -> bytes:
        picture = await picture_of(makers.figures, shown, theme, lang, is_card=width is None)
        return await makers.raster.png(picture, card_width if width is None else width)

    if width is None:
        card = await card_response(request, makers.frontend, pixels)
        card.headers["Content-Disposition"] = _disposition(shown.run, "png")
        return card
    response = Response(await pixels(), media_type="image/png")
    return named(request, shown.run, response, "png")


async def offline_response(
    makers: Makers, request: Request, shown: Shown, theme: str | None, lang: str
) -> Response:
    """The run as a single page that plays offline and opens at what is shown. Without a theme it
    follows the reader's setting.
    """
    picture = await picture_of(makers.figures, shown, "page", lang)
    base_url = makers.settings.base_url
    page = await makers.lanes.compute(
        offline_page, makers.frontend, shown, picture, lang, base_url, theme=theme
    )
    response = named(request, shown.run, HTMLResponse(page), "html")
    # The page is a download. On this site its script must not run.
    disposition = response.headers["Content-Disposition"]
    response.headers["Content-Disposition"] = disposition.replace("inline", "attachment")
    return response


async def text_response(
    makers: Makers, request: Request, shown: Shown, frames: str | None, lang: str, extension: str
) -> Response:
    """The run as a transcript that marks what is shown, a scenario file, or a sequence diagram."""
    made = TEXTS[extension]
    asked = TextAsked(
        shown, shown.run.frames_between(frames), lang=lang, base_url=makers.settings.base_url
    )
    written: str = await makers.lanes.compute_long(made.write, asked)
    response = Response(written.encode(), media_type=made.media_type)
    return named(request, shown.run, response, extension)


async def trace_response(makers: Makers, request: Request, run: Run, lang: str) -> Response:
    """The run as a trace for TLA+ tools."""
    trace = await makers.lanes.compute_long(itf, run, lang)
    return named(request, run, PlainJsonResponse(trace), "itf.json")


async def _played(
    makers: Makers, request: Request, run: Run, played: Sequence[Moment], theme: str, lang: str
) -> Response:
    return _as_svg(request, run, await animated(makers.figures, played, theme, lang))


def _as_svg(request: Request, run: Run, picture: str) -> Response:
    return named(request, run, Response(picture.encode(), media_type="image/svg+xml"), "svg")


def named(request: Request, run: Run, response: Response, extension: str) -> Response:
    """The response as a named file. No cache may keep it for long: what a run shows never changes,
    but a share can be deleted, and this service may learn to draw better.
    """
    response.headers["Content-Disposition"] = _disposition(run, extension)
    return tagged(request, response)


def _disposition(run: Run, extension: str) -> str:
    return f'inline; filename="{quote(run.about.file_name)}.{extension}"'
