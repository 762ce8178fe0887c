"""The embed page for other sites, and the frames that it loads on demand.

It uses no cookies and no storage, and also runs in a sandbox with an opaque origin. Its first
content is a picture of the frame, which is shown without JavaScript and while the script
loads.
"""

from typing import Annotated

import msgspec
from fastapi import Depends, Query, Request
from starlette.responses import HTMLResponse, Response

from backend.html.frontend_build import json_island, text, with_content, with_head, with_language
from backend.html.page import redirect_to_canonical
from backend.http.errors import LimitError, NotFoundError, UnavailableError, invalid
from backend.http.headers import FETCH_SITE, OTHER_ORIGINS, embed_policy
from backend.http.parameters import (
    LanguageDep,
    LanguageQuery,
    PlainNumber,
    ShareId,
    reject_repeated,
)
from backend.http.responses import tagged
from backend.limit_table import EMBED_FRAMES
from backend.routing.files import kept_as_file, languages, lesson_ids
from backend.routing.routes import DelegatedShare, Router
from backend.runs import transcript
from backend.runs.pictures import picture_of
from backend.runs.player import BLOCK, part_of, run_for_page, whole_run
from backend.runs.run import Run, Shown
from backend.runs.title_and_note import with_note
from backend.services import CountUnknownIds, Services, ServicesDep
from backend.shares.share import shown_on_page
from sim_engine.languages import DEFAULT_LANGUAGE

router = Router(prefix="/e/v1", tags=["embeds"])
_shares = Router(
    prefix="/e/v1", tags=["embeds"], route_class=DelegatedShare, dependencies=[CountUnknownIds]
)

_METHODS = ["GET", "HEAD"]


def _optional(**meanings: str) -> dict[str, object]:
    """The query of a page, which ignores what it cannot use, for the OpenAPI document."""
    return {
        "parameters": [
            {"name": name, "in": "query", "schema": {"type": "string"}, "description": meaning}
            for name, meaning in meanings.items()
        ]
    }


_LOOK = {"lang": "Default: the browser's.", "theme": "light or dark. Default: the reader's."}


@_shares.api_route(
    "/s/{sid}",
    methods=_METHODS,
    responses={301: {"description": "The id is written in another way."}},
    openapi_extra=_optional(frame="A frame.", level="`message`: one message at a time.", **_LOOK),
)
async def share_embed(
    sid: str, request: Request, services: ServicesDep, lang: LanguageDep
) -> Response:
    """The embed page of a share."""
    redirect = redirect_to_canonical(request, "/e/v1/s/", sid)
    if redirect is not None:
        return redirect
    share = await services.shares.get(sid)
    services.metrics.share_views.labels(surface="embed").inc()
    return await _embed(request, services, shown_on_page(share, request.query_params), lang)


@router.api_route(
    "/lessons/{scenario_id}",
    methods=_METHODS,
    openapi_extra=_optional(
        step="A step of the story, from 0.",
        message="One of its messages, from 1.",
        kafka="A release.",
        **_LOOK,
    ),
)
@kept_as_file(scenario_id=lesson_ids, lang=languages)
async def lesson_embed(
    scenario_id: str, request: Request, services: ServicesDep, lang: LanguageDep
) -> Response:
    """The embed page of a lesson at one of its steps, of which nothing is stored."""
    run = await services.shipped_runs.get(scenario_id, request.query_params.get("kafka"))
    services.metrics.lesson_embeds.labels(lesson=run.lesson.scenario["id"]).inc()
    return await _embed(request, services, run.shown_on_page(request.query_params), lang)


PositionQuery = Annotated[PlainNumber, Query(alias="from", ge=0)]
EndQuery = Annotated[PlainNumber, Query(alias="to", ge=1)]


@_shares.api_route(
    "/s/{sid}/frames.json", methods=_METHODS, dependencies=[Depends(reject_repeated)]
)
async def share_frames(
    sid: ShareId,
    request: Request,
    services: ServicesDep,
    start: PositionQuery,
    end: EndQuery,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """Frames of the branch by position, in whole blocks. `to` is exclusive; positions after the end
    are omitted.
    """
    _check_block(start, end)
    share = await services.shares.get(sid)
    return await _frames(request, services, share, start, end, lang)


@router.api_route(
    "/lessons/{scenario_id}/frames.json", methods=_METHODS, dependencies=[Depends(reject_repeated)]
)
async def lesson_frames(
    scenario_id: str,
    request: Request,
    services: ServicesDep,
    start: PositionQuery,
    end: EndQuery,
    kafka: str | None = None,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> Response:
    """Frames of a lesson's run by position, as of a share."""
    _check_block(start, end)
    run = await services.shipped_runs.get(scenario_id, kafka)
    return await _frames(request, services, run, start, end, lang)


router.routes += _shares.routes


async def _embed(request: Request, services: Services, shown: Shown, lang: str) -> Response:
    """The page: a picture of the frame, which the script replaces with the interactive run."""
    try:
        picture = await picture_of(services.figures, shown, "page", lang)
    except UnavailableError:
        picture = ""  # the caption describes it
    about = shown.run.about
    title = transcript.in_language(about.title, lang)
    sentence = transcript.told(shown, lang)
    page = with_head(
        services.frontend.page("embed.html"),
        title=title,
        description=with_note(sentence, about.note),
        elements='<meta name="robots" content="noindex" />',
    )
    link = f"{services.settings.base_url}{about.path}?{shown.query}"
    figure = _figure(link, title, sentence, picture)
    page = with_content(page, element="embed", content=figure)
    with_frames = whole_run if services.is_copied else run_for_page
    run = await services.lanes.compute(with_frames, shown, lang)
    island = json_island("highwater-run", msgspec.json.encode(run))
    page = page.replace("</body>", f"{island}\n  </body>", 1)
    response = HTMLResponse(
        with_language(page, lang, theme=_theme(request)),
        headers={"Vary": f"Accept-Language, {FETCH_SITE}"},
    )
    fetch_site = request.headers.get(FETCH_SITE)
    response.headers["Content-Security-Policy"] = embed_policy(
        services.settings, fetch_site=fetch_site
    )
    if fetch_site in OTHER_ORIGINS:
        # Some shared caches ignore Vary, and would send this policy to a page of this origin.
        response.headers["Cache-Control"] = "private, max-age=300"
    return tagged(request, response)


def _check_block(start: int, end: int) -> None:
    if start % BLOCK or end % BLOCK or start >= end:
        raise invalid("/to", f"from and to must be multiples of {BLOCK}, from before to")
    if end - start > EMBED_FRAMES.number:
        raise LimitError(EMBED_FRAMES, where="/to")


async def _frames(
    request: Request, services: Services, run: Run, start: int, end: int, lang: str
) -> Response:
    if start >= len(run.entries):
        raise NotFoundError("This run has no such frames.")
    part = await services.lanes.compute(part_of, run, start, min(end, len(run.entries)), lang)
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
