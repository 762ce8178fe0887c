"""The page of a share: the app, with the step's picture, title and card in the HTML."""

from collections.abc import Iterator
from dataclasses import asdict

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from backend.frames.narration import violated_titles
from backend.html.frontend_build import text, with_content, with_head
from backend.html.link_card import LinkCard, card_elements, oembed_links
from backend.html.page import PAGE_METHODS, html_page, redirect_to_canonical
from backend.http.errors import UnavailableError
from backend.http.headers import embed_policy, page_policy
from backend.http.parameters import LanguageDep
from backend.routing.routes import DelegatedShare
from backend.services import CountUnknownIds, ServicesDep
from backend.settings import Settings
from backend.shares import transcript
from backend.shares.pictures import picture_of, style_sources
from backend.shares.share import Shown, query_of, shown_on_page
from backend.shares.tables import ShareRow
from backend.shares.title_and_note import paragraphs, with_note
from sim_engine.languages.library import say as say_message

router = APIRouter(
    route_class=DelegatedShare, include_in_schema=False, dependencies=[CountUnknownIds]
)

_DESTINATION = "Sec-Fetch-Dest"
_EMBEDDED = ("iframe", "frame", "embed", "object")
"""The values of `Sec-Fetch-Dest` for a request from an iframe (Fetch Metadata, §2.1)."""


@router.api_route("/s/{sid}", methods=PAGE_METHODS)
async def share_page(
    sid: str, request: Request, services: ServicesDep, lang: LanguageDep
) -> Response:
    """The app, with the step's picture and its link card."""
    redirect = redirect_to_canonical(request, "/s/", sid)
    if redirect is not None:
        return redirect
    if request.headers.get("sec-fetch-dest") in _EMBEDDED:
        return _to_embed(request, services.settings, sid)
    share = await services.shares.get(sid)
    services.metrics.share_views.labels(surface="page").inc()
    shown = shown_on_page(share, request.query_params)
    try:
        picture = await picture_of(services.figures, shown, "light", lang)
    except UnavailableError:
        picture = ""  # the page contains the same as text, and the app will draw it
    title = transcript.in_language(share.row.title, lang)
    sentence = transcript.told(shown, lang)
    subtitle = violated_titles(shown.frame["properties"], lang) or sentence
    description = with_note(subtitle, share.row.note)
    page = with_head(
        services.frontend.page("index.html"),
        title=f"{title} · Highwater",
        description=description,
        elements=_head(services.settings.base_url, shown, title, description, lang),
    )
    where = say_message(lang, "service", "place", **asdict(shown.place))
    page = with_content(
        page, element="app", content=_first_sight(picture, title, where, sentence, share.row, lang)
    )
    response = html_page(page, lang)
    response.headers.add_vary_header(_DESTINATION)
    response.headers["Content-Security-Policy"] = page_policy(
        frame_ancestors="'none'", styles=style_sources(picture)
    )
    return response


def _to_embed(request: Request, settings: Settings, sid: str) -> Response:
    """A redirect to the embed, for a share link that another site loads in an iframe."""
    query = f"?{request.url.query}" if request.url.query else ""
    response = RedirectResponse(f"/e/v1/s/{sid}{query}", status_code=302)
    response.headers["Content-Security-Policy"] = embed_policy(settings)
    response.headers["Vary"] = _DESTINATION
    return response


def _first_sight(
    picture: str, title: str, where: str, sentence: str, row: ShareRow, lang: str
) -> str:
    return (
        f'<main id="first-sight"><h1>{text(title)}</h1>'
        f"<figure>{picture}<figcaption><p>{text(where)} · Kafka {text(row.kafka)}</p>"
        f"<p>{text(sentence)}</p></figcaption></figure>"
        f"{''.join(_from_author(row, lang))}</main>"
    )


def _from_author(row: ShareRow, lang: str) -> Iterator[str]:
    """The author's title and note, and the share that it was forked from."""
    if row.note is not None:
        yield f'<div class="note">{paragraphs(row.note)}</div>'
    if row.parent_sid is not None:
        words = text(say_message(lang, "service", "forkedFrom"))
        yield f'<p>{words} <a href="/s/{row.parent_sid}">/s/{row.parent_sid[:8]}…</a></p>'


def _head(base_url: str, shown: Shown, title: str, description: str, lang: str) -> str:
    """The link card for chat programs and search engines, and the oEmbed links."""
    row, query = shown.share.row, shown.query
    link = f"{base_url}/s/{row.sid}"
    opened = "" if query == query_of(row.at_frame, is_message=False) else f"{link}?{query}"
    card = card_elements(
        LinkCard(
            title=title,
            description=description,
            link=link,
            opened=opened,
            image=f"{link}.png?{query}&lang={lang}",
            lang=lang,
            is_article=True,
        )
    )
    return f"{card}\n    {oembed_links(base_url, opened or link)}"
