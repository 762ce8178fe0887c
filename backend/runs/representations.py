"""The responses with a run's forms for other programs: pictures, texts and the page that plays
offline.
"""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from backend.html.link_card import CARD_WIDTH
from backend.http.responses import PlainJsonResponse, tagged
from backend.runs.cards import card_response
from backend.runs.forms import FORMS, Asked, Makers
from backend.runs.run import Run, Shown


async def svg_response(
    makers: Makers, request: Request, shown: Shown, theme: str, lang: str
) -> Response:
    """One step as SVG."""
    return await _file(makers, request, Asked(shown=shown, theme=theme, lang=lang), "svg")


async def played_response(
    makers: Makers, request: Request, run: Run, frames: str, theme: str, lang: str
) -> Response:
    """The frames in a range as SVG that plays."""
    asked = Asked(
        shown=run.shown_exactly(), theme=theme, lang=lang, frames=run.frames_between(frames)
    )
    return await _file(makers, request, asked, "svg")


async def loop_response(
    makers: Makers, request: Request, shown: Shown, theme: str, lang: str
) -> Response:
    """A step with what leads to it, as SVG that plays."""
    asked = Asked(shown=shown, theme=theme, lang=lang, is_loop=True)
    return await _file(makers, request, asked, "svg")


async def gif_response(
    makers: Makers, request: Request, shown: Shown, theme: str, lang: str, width: int | None
) -> Response:
    """The same as an animated GIF, for places that do not show SVG."""
    asked = Asked(shown=shown, theme=theme, lang=lang, width=width)
    return await _file(makers, request, asked, "gif")


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
    asked = Asked(shown=shown, theme=theme, lang=lang, width=width, card_width=card_width)
    if width is not None:
        return await _file(makers, request, asked, "png")

    async def pixels() -> bytes:
        return await FORMS["png"].make(makers, asked)

    card = await card_response(request, makers.frontend, pixels)
    card.headers["Content-Disposition"] = _disposition(shown.run, "png")
    return card


async def offline_response(
    makers: Makers, request: Request, shown: Shown, theme: str | None, lang: str
) -> Response:
    """The run as a single page that plays offline and opens at what is shown. Without a theme it
    follows the reader's setting.
    """
    asked = Asked(shown=shown, theme=theme, lang=lang)
    page = await FORMS["html"].make(makers, asked)
    response = named(request, shown.run, HTMLResponse(page), "html")
    # The page is a download. On this site its script must not run.
    disposition = response.headers["Content-Disposition"]
    response.headers["Content-Disposition"] = disposition.replace("inline", "attachment")
    return response


async def text_response(
    makers: Makers, request: Request, shown: Shown, frames: str | None, lang: str, extension: str
) -> Response:
    """The run as a transcript that marks what is shown, a scenario file, or a sequence diagram."""
    asked = Asked(shown=shown, lang=lang, frames=shown.run.frames_between(frames))
    return await _file(makers, request, asked, extension)


async def trace_response(makers: Makers, request: Request, run: Run, lang: str) -> Response:
    """The run as a trace for TLA+ tools."""
    asked = Asked(shown=run.shown_exactly(), lang=lang)
    trace = await FORMS["itf.json"].make(makers, asked)
    return named(request, run, PlainJsonResponse(trace), "itf.json")


async def _file(makers: Makers, request: Request, asked: Asked, extension: str) -> Response:
    form = FORMS[extension]
    response = Response(await form.make(makers, asked), media_type=form.media_type)
    return named(request, asked.shown.run, response, extension)


def named(request: Request, run: Run, response: Response, extension: str) -> Response:
    """The response as a named file. No cache may keep it for long: what a run shows never changes,
    but a share can be deleted, and this service may learn to draw better.
    """
    response.headers["Content-Disposition"] = _disposition(run, extension)
    return tagged(request, response)


def _disposition(run: Run, extension: str) -> str:
    return f'inline; filename="{quote(run.about.file_name)}.{extension}"'
