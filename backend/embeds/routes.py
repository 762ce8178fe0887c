"""The page that other sites frame. Everything it shows is in it: it asks for nothing more.

It runs in a sandbox with an origin of its own, where there are no cookies and no storage, so it
neither sets nor needs any.
"""

from typing import Any

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from backend.drawing.frontend_build import json_island, text, with_content, with_head, with_language
from backend.http.errors import NotFoundError, UnavailableError
from backend.http.etag import tagged
from backend.http.headers import embed_policy
from backend.identifiers import canonical_id
from backend.pages.language import LanguageDep
from backend.services import (
    CountMisses,
    FiguresDep,
    FrontendDep,
    MetricsDep,
    SettingsDep,
    SharesDep,
)
from backend.shares import transcript
from backend.shares.pictures import picture_of, style_sources
from backend.shares.service import Share
from backend.shares.viewing import clamped_frame
from sim_engine import catalogue

router = APIRouter(prefix="/e/v1", include_in_schema=False, dependencies=[CountMisses])


@router.api_route("/s/{sid}", methods=["GET", "HEAD"])
async def embed_page(
    sid: str,
    request: Request,
    shares: SharesDep,
    frontend: FrontendDep,
    figures: FiguresDep,
    settings: SettingsDep,
    metrics: MetricsDep,
    lang: LanguageDep,
) -> Response:
    """The page for a frame: the share, its words and a picture for where no script runs."""
    canonical = canonical_id(sid)
    if canonical is None:
        raise NotFoundError
    if canonical != sid:
        query = f"?{request.url.query}" if request.url.query else ""
        return RedirectResponse(f"/e/v1/s/{canonical}{query}", status_code=301)
    share = await shares.get(sid)
    metrics.share_views.labels(surface="embed").inc()
    frame = clamped_frame(share, request.query_params.get("step"))
    try:
        picture = await picture_of(figures, share, frame, "light", lang)
    except UnavailableError:
        picture = ""
    title = transcript.in_language(share.title, lang)
    link = f"{settings.base_url}/s/{share.sid}?step={frame['frame']}"
    fallback = (
        f'<noscript><figure>{picture}<figcaption><a href="{text(link)}" target="_blank" '
        f'rel="noopener">{text(title)}</a></figcaption></figure></noscript>'
    )
    page = with_head(
        frontend.page("embed.html"),
        title=title,
        description=transcript.headline(frame, lang),
        elements='<meta name="robots" content="noindex" />',
    )
    islands = json_island("highwater-share", share.document()) + json_island(
        "highwater-catalogue", msgspec.json.encode(_words(share, lang))
    )
    page = with_content(page, element="embed", content=fallback)
    page = page.replace("</body>", f"{islands}\n  </body>", 1)
    response = HTMLResponse(with_language(page, lang), headers={"Vary": "Accept-Language"})
    response.headers["Content-Security-Policy"] = embed_policy(
        settings, styles=style_sources(picture)
    )
    return tagged(request, response)


_SAID = ("properties", "reasons", "terms", "values")
"""The parts of the catalogue that a sentence or the player's head may need, whatever happened."""


def _words(share: Share, lang: str) -> dict[str, Any]:
    """The catalogue in one language, as far as the player says it: the sentences of this share's
    events, and no rules, sources or formulas. The whole is larger than the run."""
    texts = catalogue((lang,))["languages"][lang]
    kinds = {event["kind"] for entry in share.entries for event in entry["events"]}
    said = {
        name: (part if name in _SAID else {}) if isinstance(part, dict) else part
        for name, part in texts.items()
    }
    said["events"] = {
        name: {"text": told["text"], "formula": None}
        for name, told in texts["events"].items()
        if name.partition("-")[0] in kinds
    }
    return {"sources": {}, "languages": {lang: said}}
