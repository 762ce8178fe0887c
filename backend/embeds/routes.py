"""The embed page for other sites, and the frames that it loads on demand.

It runs in a sandbox with an opaque origin, without cookies and storage, and needs neither. Its
first content is a picture of the frame, which is shown without JavaScript and while the script
loads.
"""

from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse, Response

from backend.html.frontend_build import json_island, text, with_content, with_head, with_language
from backend.html.page import redirect_to_canonical
from backend.http.errors import LimitError, NotFoundError, UnavailableError, invalid
from backend.http.headers import embed_policy
from backend.http.parameters import (
    LanguageDep,
    LanguageQuery,
    PlainNumber,
    ShareId,
    reject_repeated,
)
from backend.http.responses import tagged
from backend.limit_table import EMBED_FRAMES
from backend.routing.routes import DelegatedShare
from backend.services import CountUnknownIds, ServicesDep
from backend.shares import transcript
from backend.shares.pictures import picture_of
from backend.shares.player import BLOCK, part_of, run_for_page
from backend.shares.share import shown_on_page
from backend.shares.title_and_note import with_note
from sim_engine.languages.library import DEFAULT_LANGUAGE

router = APIRouter(
    route_class=DelegatedShare,
    prefix="/e/v1",
    include_in_schema=False,
    dependencies=[CountUnknownIds],
)

_METHODS = ["GET", "HEAD"]


@router.api_route("/s/{sid}", methods=_METHODS)
async def embed_page(
    sid: str, request: Request, services: ServicesDep, lang: LanguageDep
) -> Response:
    """The embed page: a picture of the frame, which the script replaces with the
    interactive run.
    """
    redirect = redirect_to_canonical(request, "/e/v1/s/", sid)
    if redirect is not None:
        return redirect
    share = await services.shares.get(sid)
    services.metrics.share_views.labels(surface="embed").inc()
    shown = shown_on_page(share, request.query_params)
    try:
        picture = await picture_of(services.figures, shown, "page", lang)
    except UnavailableError:
        picture = ""  # the caption describes it
    title = transcript.in_language(share.row.title, lang)
    sentence = transcript.told(shown, lang)
    page = with_head(
        services.frontend.page("embed.html"),
        title=title,
        description=with_note(sentence, share.row.note),
        elements='<meta name="robots" content="noindex" />',
    )
    link = f"{services.settings.base_url}/s/{share.row.sid}?{shown.query}"
    figure = _figure(link, title, sentence, picture)
    page = with_content(page, element="embed", content=figure)
    run = await services.lanes.compute(run_for_page, shown, lang)
    island = json_island("highwater-run", msgspec.json.encode(run))
    page = page.replace("</body>", f"{island}\n  </body>", 1)
    response = HTMLResponse(
        with_language(page, lang, theme=_theme(request)), headers={"Vary": "Accept-Language"}
    )
    response.headers["Content-Security-Policy"] = embed_policy(services.settings)
    return tagged(request, response)


@router.api_route("/s/{sid}/frames.json", methods=_METHODS, dependencies=[Depends(reject_repeated)])
async def embed_frames(
    sid: ShareId,
    request: Request,
    services: ServicesDep,
    start: Annotated[PlainNumber, Query(alias="from", ge=0)],
    end: Annotated[PlainNumber, Query(alias="to", ge=1)],
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """Frames of the branch by position, in whole blocks. `to` is exclusive; positions after the end
    are omitted.
    """
    if start % BLOCK or end % BLOCK or start >= end:
        raise invalid("/to", f"from and to must be multiples of {BLOCK}, from before to")
    if end - start > EMBED_FRAMES.number:
        raise LimitError(EMBED_FRAMES, where="/to")
    share = await services.shares.get(sid)
    if start >= len(share.entries):
        raise NotFoundError("This share has no such frames.")
    part = await services.lanes.compute(part_of, share, start, min(end, len(share.entries)), lang)
    response = Response(msgspec.json.encode(part), media_type="application/json")
    return tagged(request, response)


def _theme(request: Request) -> str | None:
    """The theme that the address fixes, otherwise the initial theme that the embedding page
    requests."""
    asked = (request.query_params.get(name) for name in ("theme", "scheme"))
    return next((theme for theme in asked if theme in ("light", "dark")), None)


def _figure(link: str, title: str, sentence: str, picture: str) -> str:
    return (
        f'<figure class="still">{picture}<figcaption>{text(sentence)} '
        f'<a href="{text(link)}" target="_blank" rel="noopener">'
        f"{text(title)}</a></figcaption></figure>"
    )
