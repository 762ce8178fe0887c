"""The page of a shared assessment, its link card and its forms for other programs."""

from fastapi import Depends, Request, Response

from backend.html.link_card import CARD_WIDTH, LinkCard, with_card
from backend.html.page import PAGE_METHODS, html_page, redirect_to_canonical
from backend.http.parameters import LanguageDep, LanguageQuery, reject_repeated, require_id
from backend.http.responses import tagged
from backend.routing.routes import Router
from backend.services import CountUnknownIds, ServicesDep
from sim_engine.languages import DEFAULT_LANGUAGE, in_language

router = Router(include_in_schema=False, dependencies=[CountUnknownIds, Depends(reject_repeated)])


@router.api_route("/assess/s/{sid}.json", methods=PAGE_METHODS)
async def assessment_json(sid: str, request: Request, services: ServicesDep) -> Response:
    """The document as a file."""
    shared = await services.assessments.get(require_id(sid))
    return tagged(request, Response(bytes(shared.page), media_type="application/json"))


@router.api_route("/assess/s/{sid}.md", methods=PAGE_METHODS)
async def assessment_report(
    sid: str, request: Request, services: ServicesDep, lang: LanguageQuery = DEFAULT_LANGUAGE
) -> Response:
    """The report in Markdown, with its link."""
    sid = require_id(sid)
    shared = await services.assessments.get(sid)
    link = f"{services.settings.base_url}/assess/s/{sid}"
    text = f"{in_language(shared.reports, lang)}\n{link}\n"
    return tagged(request, Response(text, media_type="text/markdown; charset=utf-8"))


@router.api_route("/assess/s/{sid}.png", methods=PAGE_METHODS)
async def assessment_card(
    sid: str, request: Request, services: ServicesDep, lang: LanguageQuery = DEFAULT_LANGUAGE
) -> Response:
    """The picture of the link card: the worst run, below the verdict."""
    shared = await services.assessments.get(require_id(sid))
    words = {
        "title": in_language(shared.title, lang),
        "description": in_language(shared.about, lang),
        "lang": lang,
    }
    picture = await services.figures.draw(shared.card, {**shared.card_options, **words})
    pixels = await services.raster.png(picture, CARD_WIDTH)
    return tagged(request, Response(pixels, media_type="image/png"))


@router.api_route("/assess/s/{sid}", methods=PAGE_METHODS)
async def assessment_page(
    sid: str, request: Request, services: ServicesDep, lang: LanguageDep
) -> Response:
    """The app, with the verdict in its title and its link card."""
    redirect = redirect_to_canonical(request, "/assess/s/", sid)
    if redirect is not None:
        return redirect
    shared = await services.assessments.get(sid)
    link = f"{services.settings.base_url}/assess/s/{sid}"
    card = LinkCard(
        title=in_language(shared.title, lang),
        description=in_language(shared.about, lang),
        link=link,
        image=f"{link}.png?lang={lang}",
        lang=lang,
        is_article=True,
    )
    return html_page(with_card(services.frontend.page("index.html"), card), lang)
