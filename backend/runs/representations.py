"""The response with one form of a run, for other programs: pictures, texts and the page that plays
offline.
"""

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from backend.http.responses import tagged
from backend.runs.cards import card_response
from backend.runs.forms import FORMS, Asked, Makers
from backend.runs.run import Run


async def file_response(makers: Makers, request: Request, extension: str, asked: Asked) -> Response:
    """The file of this extension. A PNG without a width is the picture of its link card."""
    form = FORMS[extension]

    async def made() -> bytes:
        return await form.make(makers, asked)

    run = asked.shown.run
    if extension == "png" and asked.width is None:
        card = await card_response(request, makers.frontend, made)
        card.headers["Content-Disposition"] = _disposition(run, extension)
        return card
    return named(request, run, Response(await made(), media_type=form.media_type), extension)


def named(request: Request, run: Run, response: Response, extension: str) -> Response:
    """The response as a named file. No cache may keep it for long: what a run shows never changes,
    but a share can be deleted, and this service may learn to draw better.
    """
    response.headers["Content-Disposition"] = _disposition(run, extension)
    return tagged(request, response)


def _disposition(run: Run, extension: str) -> str:
    # A page is a download: on this site its script must not run.
    kind = "attachment" if extension == "html" else "inline"
    return f'{kind}; filename="{quote(run.about.file_name)}.{extension}"'
