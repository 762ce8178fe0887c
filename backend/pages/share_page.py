"""The page of a share: the app, with the step's picture, title and card in the HTML."""

from collections.abc import Iterator
from dataclasses import asdict

from fastapi import Request, Response

from backend.html.frontend_build import text, with_content
from backend.html.link_card import oembed_links, with_card
from backend.html.page import PAGE_METHODS, html_page, redirect_to_canonical
from backend.http.errors import UnavailableError
from backend.http.headers import page_policy
from backend.http.parameters import LanguageDep
from backend.pages.embedded import DESTINATION, is_embedded, to_embed
from backend.routing.routes import DelegatedShare, Router
from backend.runs import transcript
from backend.runs.cards import moment_card
from backend.runs.pictures import picture_of, style_sources
from backend.runs.title_and_note import paragraphs
from backend.services import CountUnknownIds, ServicesDep
from backend.shares.share import query_of, shown_on_page
from backend.shares.tables import ShareRow
from sim_engine.languages import say as say_message

router = Router(route_class=DelegatedShare, include_in_schema=False, dependencies=[CountUnknownIds])


@router.api_route("/s/{sid}", methods=PAGE_METHODS)
async def share_page(
    sid: str, request: Request, services: ServicesDep, lang: LanguageDep
) -> Response:
    """The app, with the step's picture and its link card."""
    redirect = redirect_to_canonical(request, "/s/", sid)
    if redirect is not None:
        return redirect
    if is_embedded(request):
        return to_embed(request, services.settings)
    share = await services.shares.get(sid)
    services.metrics.share_views.labels(surface="page").inc()
    shown = shown_on_page(share, request.query_params)
    try:
        picture = await picture_of(services.figures, shown, "light", lang)
    except UnavailableError:
        picture = ""  # the page contains the same as text, and the app will draw it
    sentence = transcript.told(shown, lang)
    opens_here = shown.query == query_of(share.row.at_frame, is_message=False)
    base_url = services.settings.base_url
    card = moment_card(base_url, shown, lang, names_moment=not opens_here)
    links = oembed_links(base_url, card.opened or card.link)
    page = with_card(services.frontend.page("index.html"), card, links)
    where = say_message(lang, "service", "place", **asdict(shown.place))
    page = with_content(
        page,
        element="app",
        content=_first_sight(picture, card.title, where, sentence, share.row, lang),
    )
    response = html_page(page, lang)
    response.headers.add_vary_header(DESTINATION)
    response.headers["Content-Security-Policy"] = page_policy(
        frame_ancestors="'none'", styles=style_sources(picture)
    )
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
