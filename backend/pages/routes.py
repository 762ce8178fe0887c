"""The app's pages and files, the page of a share, and what else can be had of a share.

The app finds out by itself what to show from its address. Only the page of a share is filled
in here: its picture, title and card are there before any script runs.
"""

import mimetypes
import re
from pathlib import Path
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse

from backend.database import DatabaseDep
from backend.errors import NotFoundError, UnavailableError
from backend.frame_packing import FrameDocument
from backend.frontend_build import text, with_content, with_head, with_language
from backend.guess_limit import CountMisses
from backend.headers import page_policy
from backend.identifiers import canonical_id
from backend.metrics import Metrics
from backend.migrations import code_revision, database_revision
from backend.narration import violated_titles
from backend.pages.dependencies import (
    FiguresDep,
    FrontendDep,
    LanguageDep,
    LanguageQuery,
    SettingsDep,
    ThemeQuery,
)
from backend.pages.pictures import picture_of, style_sources
from backend.parameters import PlainNumber, reject_repeated, require_id
from backend.sessions.dependencies import TimelinesDep
from backend.shares import transcript
from backend.shares.dependencies import SharesDep
from backend.shares.service import Share
from backend.shares.viewing import clamped_frame, exact_frame
from sim_engine import find_language, in_language, load_shipped, say_message

router = APIRouter(include_in_schema=False)
shares_router = APIRouter(include_in_schema=False, dependencies=[CountMisses])

_PAGE_METHODS = ["GET", "HEAD"]
_IMMUTABLE = "public, max-age=31536000, immutable"
_HASHED_NAME = re.compile(r"-[A-Za-z0-9_-]{8,}\.\w+$")
# What a chat program may take into a link with the sentence around it.
_TRAILING = ".)_,;!?]}>'\""
_TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".woff2": "font/woff2",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}


# ------------------------------------------------------------------ the app


@router.api_route("/", methods=_PAGE_METHODS)
@router.api_route("/new", methods=_PAGE_METHODS)
@router.api_route("/insights", methods=_PAGE_METHODS)
async def app_page(frontend: FrontendDep, lang: LanguageDep) -> HTMLResponse:
    return _app_page(frontend.page("index.html"), lang)


@router.api_route("/lessons/{scenario_id}", methods=_PAGE_METHODS)
async def lesson_page(scenario_id: str, frontend: FrontendDep, lang: LanguageDep) -> HTMLResponse:
    try:
        scenario = load_shipped(scenario_id)
    except KeyError:
        raise NotFoundError("There is no such lesson.") from None
    page = with_head(
        frontend.page("index.html"),
        title=f"{in_language(scenario.title, lang)} · Highwater",
        description=in_language(scenario.summary, lang),
        elements="",
    )
    return _app_page(page, lang)


@router.api_route("/x/{session_id}", methods=_PAGE_METHODS)
async def session_page(
    session_id: str, request: Request, frontend: FrontendDep, lang: LanguageDep
) -> Response:
    redirect = _to_canonical(request, "/x/", session_id)
    return redirect or _app_page(frontend.page("index.html"), lang)


def _app_page(page: str, lang: str) -> HTMLResponse:
    return HTMLResponse(with_language(page, lang), headers={"Vary": "Accept-Language"})


def _to_canonical(request: Request, prefix: str, identifier: str) -> RedirectResponse | None:
    """Where an id is written in another way than ours, the way to ours; None where it is ours."""
    canonical = canonical_id(identifier.rstrip(_TRAILING))
    if canonical is None:
        raise NotFoundError
    if canonical == identifier:
        return None
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{prefix}{canonical}{query}", status_code=301)


# ------------------------------------------------------------------ files of the build


@router.api_route("/assets/{path:path}", methods=_PAGE_METHODS)
async def asset(path: str, frontend: FrontendDep) -> FileResponse:
    return _file(frontend.file("assets", path))


@router.api_route("/embed/{path:path}", methods=_PAGE_METHODS)
async def embed_script(path: str, frontend: FrontendDep) -> FileResponse:
    return _file(frontend.file("embed", path))


@router.api_route("/favicon.svg", methods=_PAGE_METHODS)
async def favicon(frontend: FrontendDep) -> FileResponse:
    return _file(frontend.file("", "favicon.svg"))


def _file(path: Path | None) -> FileResponse:
    if path is None:
        raise NotFoundError
    kind = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    # The build writes a hash of the content into a name: under that name it cannot change.
    headers = {"Cache-Control": _IMMUTABLE} if _HASHED_NAME.search(path.name) else {}
    return FileResponse(path, media_type=kind or "application/octet-stream", headers=headers)


# ------------------------------------------------------------------ a share


@shares_router.api_route(
    "/s/{sid}.json", methods=_PAGE_METHODS, dependencies=[Depends(reject_repeated)]
)
async def share_json(
    sid: str, request: Request, shares: SharesDep, v: Annotated[str, Query()] = ""
) -> Response:
    share = await shares.get(require_id(sid))
    _count_view(request, "json")
    return _representation(request, share, share.document(), "application/json", v, "")


@shares_router.api_route(
    "/s/{sid}.svg", methods=_PAGE_METHODS, dependencies=[Depends(reject_repeated)]
)
async def share_picture(
    sid: str,
    request: Request,
    shares: SharesDep,
    figures: FiguresDep,
    step: Annotated[PlainNumber | None, Query(ge=0)] = None,
    theme: ThemeQuery = "light",
    lang: LanguageQuery = "en",
    v: Annotated[str, Query()] = "",
) -> Response:
    share = await shares.get(require_id(sid))
    frame = exact_frame(share, share.at if step is None else step)
    picture = await picture_of(figures, share, frame, theme, lang)
    _count_view(request, "svg")
    variant = f"{frame['frame']}-{theme}-{lang}"
    return _representation(request, share, picture.encode(), "image/svg+xml", v, variant)


@shares_router.api_route(
    "/s/{sid}.md", methods=_PAGE_METHODS, dependencies=[Depends(reject_repeated)]
)
async def share_transcript(
    sid: str,
    request: Request,
    shares: SharesDep,
    timelines: TimelinesDep,
    lang: LanguageQuery = "en",
    v: Annotated[str, Query()] = "",
) -> Response:
    share = await shares.get(require_id(sid))
    words = await timelines.compute(transcript.markdown, share, lang)
    _count_view(request, "md")
    return _representation(request, share, words.encode(), "text/markdown", v, lang)


@shares_router.api_route("/s/{sid}", methods=_PAGE_METHODS)
async def share_page(
    sid: str,
    request: Request,
    shares: SharesDep,
    frontend: FrontendDep,
    figures: FiguresDep,
    settings: SettingsDep,
    lang: LanguageDep,
) -> Response:
    """The app, with the picture of the step in it and a card about it."""
    redirect = _to_canonical(request, "/s/", sid)
    if redirect is not None:
        return redirect
    share = await shares.get(sid)
    _count_view(request, "page")
    frame = clamped_frame(share, request.query_params.get("step"))
    try:
        picture = await picture_of(figures, share, frame, "light", lang)
    except UnavailableError:
        picture = ""  # the page says the same in words, and the app will draw
    title = transcript.in_language(share.title, lang)
    description = violated_titles(frame["properties"], lang) or transcript.headline(frame, lang)
    page = with_head(
        frontend.page("index.html"),
        title=f"{title} · Highwater",
        description=description,
        elements=_card(settings.base_url, share, frame, title, description, lang),
    )
    page = with_content(
        page, element="app", content=_first_sight(picture, title, frame, lang, share)
    )
    response = _app_page(page, lang)
    response.headers["Content-Security-Policy"] = page_policy(
        frame_ancestors="'none'", styles=style_sources(picture)
    )
    return response


def _first_sight(picture: str, title: str, frame: FrameDocument, lang: str, share: Share) -> str:
    last = share.last_depth
    depth = frame["depth"]
    where = say_message(lang, "service", "place", step=depth, steps=last)
    return (
        f'<main id="first-sight"><h1>{text(title)}</h1>'
        f"<figure>{picture}<figcaption><p>{text(where)} · Kafka {text(share.kafka)}</p>"
        f"<p>{text(transcript.headline(frame, lang))}</p></figcaption></figure></main>"
    )


def _card(
    base_url: str, share: Share, frame: FrameDocument, title: str, description: str, lang: str
) -> str:
    """What a chat program or a search engine shows of the link."""
    link = f"{base_url}/s/{share.sid}"
    opened = "" if frame["frame"] == share.at else f"?step={frame['frame']}"
    image = f"{link}.svg?step={frame['frame']}&lang={lang}&v={share.digest[:8]}"
    properties = {
        "og:type": "article",
        "og:site_name": "Highwater",
        "og:title": title[:70],
        "og:description": description[:200],
        "og:url": f"{link}{opened}",
        "og:image": image,
        "og:image:type": "image/svg+xml",
        "og:image:alt": description[:200],
        "og:locale": find_language(lang).locale,
    }
    metas = [
        f'<meta property="{name}" content="{text(value)}" />' for name, value in properties.items()
    ]
    metas.append('<meta name="twitter:card" content="summary_large_image" />')
    metas.append(f'<link rel="canonical" href="{text(link)}" />')
    return "\n    ".join(metas)


def _representation(
    request: Request, share: Share, body: bytes, media_type: str, version: str, variant: str
) -> Response:
    tag = f'"{share.digest[:32]}{f"-{variant}" if variant else ""}"'
    headers = {"ETag": tag}
    if version and version == share.digest[:8]:
        headers["Cache-Control"] = _IMMUTABLE
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    extension = {"application/json": "json", "image/svg+xml": "svg"}.get(media_type, "md")
    name = quote(f"highwater-{share.sid[:8]}.{extension}")
    headers["Content-Disposition"] = f'inline; filename="{name}"'
    return Response(body, media_type=media_type, headers=headers)


def _count_view(request: Request, surface: str) -> None:
    metrics = request.app.state.metrics
    assert isinstance(metrics, Metrics)
    metrics.count("highwater_share_views_total", surface=surface)


# ------------------------------------------------------------------ operations


@router.api_route("/livez", methods=_PAGE_METHODS)
async def livez() -> Response:
    """The event loop answers. Asks nobody else."""
    return Response('{"status":"pass"}', media_type="application/health+json")


@router.api_route("/readyz", methods=_PAGE_METHODS)
async def readyz(request: Request, database: DatabaseDep) -> Response:
    """The database answers, and has the schema that this code was written for."""
    draining = bool(request.app.state.draining)
    ready = not draining and await database.answers()
    if ready:
        ready = await database_revision(database) == code_revision()
    status = "pass" if ready else "fail"
    return Response(
        f'{{"status":"{status}"}}',
        status_code=200 if ready else 503,
        media_type="application/health+json",
    )


@router.api_route("/metrics", methods=_PAGE_METHODS)
async def metrics(request: Request, shares: SharesDep, timelines: TimelinesDep) -> Response:
    counted = request.app.state.metrics
    assert isinstance(counted, Metrics)
    gauges = [
        ("highwater_sessions_open", "Sessions held in memory.", len(timelines)),
        ("highwater_shares_stored", "Shares in the database.", await shares.count()),
    ]
    return Response(counted.exposition(gauges), media_type="text/plain; version=0.0.4")
