"""The page of a share: the app, with the step's picture, title and card there before any script."""

from collections.abc import Iterator

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from backend.drawing.frontend_build import text, with_content, with_head
from backend.frames.narration import violated_titles
from backend.frames.packing import StoredFrame
from backend.http.errors import UnavailableError
from backend.http.headers import embed_policy, page_policy
from backend.pages.language import LanguageDep
from backend.pages.link_card import LinkCard, card_elements, oembed_links
from backend.pages.page import PAGE_METHODS, html_page, redirect_to_canonical
from backend.services import CountMisses, ServicesDep
from backend.settings import Settings
from backend.shares import transcript
from backend.shares.pictures import picture_of, style_sources
from backend.shares.shown import Share
from backend.shares.viewing import clamped_frame, place_in_story
from backend.shares.words import paragraphs, with_note
from sim_engine import say_message

router = APIRouter(include_in_schema=False, dependencies=[CountMisses])

_DESTINATION = "Sec-Fetch-Dest"
_FRAMES = ("iframe", "frame", "embed", "object")
"""What a browser says of a request whose answer stands in another page (Fetch Metadata, §2.1)."""


@router.api_route("/s/{sid}", methods=PAGE_METHODS)
async def share_page(
    sid: str,
    request: Request,
    services: ServicesDep,
    lang: LanguageDep,
) -> Response:
    """The app, with the picture of the step in it and a card about it."""
    redirect = redirect_to_canonical(request, "/s/", sid)
    if redirect is not None:
        return redirect
    if request.headers.get("sec-fetch-dest") in _FRAMES:
        return _to_embed(request, services.settings, sid)
    share = await services.shares.get(sid)
    services.metrics.share_views.labels(surface="page").inc()
    frame = clamped_frame(share, request.query_params.get("step"))
    try:
        picture = await picture_of(services.figures, share, frame, "light", lang)
    except UnavailableError:
        picture = ""  # the page says the same in words, and the app will draw
    title = transcript.in_language(share.title, lang)
    said = violated_titles(frame["properties"], lang) or transcript.headline(frame, lang)
    description = with_note(said, share.note)
    page = with_head(
        services.frontend.page("index.html"),
        title=f"{title} · Highwater",
        description=description,
        elements=_head(services.settings.base_url, share, frame, title, description, lang),
    )
    page = with_content(
        page, element="app", content=_first_sight(picture, title, frame, lang, share)
    )
    response = html_page(page, lang)
    response.headers.add_vary_header(_DESTINATION)
    response.headers["Content-Security-Policy"] = page_policy(
        frame_ancestors="'none'", styles=style_sources(picture)
    )
    return response


def _to_embed(request: Request, settings: Settings, sid: str) -> Response:
    """A link that was pasted where a site frames it: there the embed is shown."""
    query = f"?{request.url.query}" if request.url.query else ""
    response = RedirectResponse(f"/e/v1/s/{sid}{query}", status_code=302)
    response.headers["Content-Security-Policy"] = embed_policy(settings)
    response.headers["Vary"] = _DESTINATION
    return response


def _first_sight(picture: str, title: str, frame: StoredFrame, lang: str, share: Share) -> str:
    where = say_message(lang, "service", "place", **place_in_story(share, frame)._asdict())
    return (
        f'<main id="first-sight"><h1>{text(title)}</h1>'
        f"<figure>{picture}<figcaption><p>{text(where)} · Kafka {text(share.kafka)}</p>"
        f"<p>{text(transcript.headline(frame, lang))}</p></figcaption></figure>"
        f"{''.join(_from_author(share, lang))}</main>"
    )


def _from_author(share: Share, lang: str) -> Iterator[str]:
    """What the author says of the share, and what it was forked from."""
    if share.note is not None:
        yield f'<div class="note">{paragraphs(share.note)}</div>'
    if share.parent is not None:
        words = text(say_message(lang, "service", "forkedFrom"))
        yield f'<p>{words} <a href="/s/{share.parent}">/s/{share.parent[:8]}…</a></p>'


def _head(
    base_url: str, share: Share, frame: StoredFrame, title: str, description: str, lang: str
) -> str:
    """What a chat program or a search engine shows of the link, and how a site embeds it."""
    link = f"{base_url}/s/{share.sid}"
    opened = "" if frame["frame"] == share.at else f"{link}?step={frame['frame']}"
    card = card_elements(
        LinkCard(
            title=title,
            description=description,
            link=link,
            opened=opened,
            image=f"{link}.png?step={frame['frame']}&lang={lang}&v={share.digest[:8]}",
            lang=lang,
            is_article=True,
        )
    )
    return f"{card}\n    {oembed_links(base_url, opened or link)}"
