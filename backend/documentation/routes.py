"""The documentation's pages and the pictures in them."""

from urllib.parse import urlencode

from fastapi import Request
from starlette.responses import RedirectResponse, Response

from backend.documentation.contents import (
    ADDRESS,
    FOLDER,
    PAGES,
    SECTIONS,
    START,
    WORDS,
    lesson_of_finding,
    page_address,
)
from backend.documentation.library import IMAGES
from backend.documentation.page import documentation_content
from backend.html.frontend_build import text, with_content, with_head
from backend.html.link_card import LinkCard, card_elements
from backend.html.page import PAGE_METHODS, html_page
from backend.http.errors import NotFoundError
from backend.http.parameters import LanguageDep, LanguageQuery
from backend.http.responses import tagged
from backend.pages.assets import file_response
from backend.pages.cards import subject_card
from backend.pages.subjects import Subject
from backend.routing.files import kept_as_file, languages
from backend.routing.routes import Router
from backend.runs.transcript import told
from backend.services import Services, ServicesDep
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES
from sim_engine.languages import say as say_message

router = Router(include_in_schema=False)


def _pictures() -> list[str]:
    return sorted(file.name for file in (FOLDER / IMAGES).iterdir())


def _pages() -> list[str]:
    return list(PAGES)


def _other_pages() -> list[str]:
    return [page for page in PAGES if page != START]


@router.api_route(ADDRESS, methods=PAGE_METHODS)
@kept_as_file(lang=languages)
async def first_page(request: Request, services: ServicesDep, lang: LanguageDep) -> Response:
    """The first page of the documentation."""
    return await _page(START, request, services, lang)


@router.api_route(f"{ADDRESS}/", methods=PAGE_METHODS)
async def with_slash(request: Request) -> Response:
    """The first page, as people type it."""
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{ADDRESS}{query}", status_code=308)


@router.api_route(f"{ADDRESS}/{IMAGES}/{{name}}", methods=PAGE_METHODS)
@kept_as_file(name=_pictures)
async def picture(name: str, request: Request) -> Response:
    """A picture used in the documentation."""
    pictures = {file.name: file for file in (FOLDER / IMAGES).iterdir()}
    return await file_response(request, pictures.get(name))


@router.api_route(f"{ADDRESS}/{{page:path}}.png", methods=PAGE_METHODS)
@kept_as_file(page=_pages, lang=languages)
async def page_card(
    page: str, request: Request, services: ServicesDep, lang: LanguageQuery = DEFAULT_LANGUAGE
) -> Response:
    """The card of a page; that of a finding shows the lesson's most important step."""
    if page not in PAGES:
        raise NotFoundError("There is no such page.")
    shown = await services.lanes.compute_long(services.documentation.read, page, lang)
    lesson = lesson_of_finding(page)
    subject = Subject(
        title=shown.laid.title,
        sentence=shown.laid.lead if lesson is None else await _told(services, lesson, lang),
        path=page_address(page),
        kind=next((one.title(lang) for one in SECTIONS if page in one.pages), ""),
        lesson=lesson,
    )
    return await subject_card(request, services, subject, lang)


async def _told(services: Services, lesson: str, lang: str) -> str:
    run = await services.shipped_runs.get(lesson)
    return told(run.shown_at(None), lang)


@router.api_route(f"{ADDRESS}/{{page:path}}", methods=PAGE_METHODS)
@kept_as_file(page=_other_pages, lang=languages)
async def page(page: str, request: Request, services: ServicesDep, lang: LanguageDep) -> Response:
    """A page of the documentation, as HTML."""
    if page not in PAGES or page == START:
        raise NotFoundError("There is no such page.")
    return await _page(page, request, services, lang)


async def _page(page: str, request: Request, services: Services, lang: str) -> Response:
    chosen = request.query_params.get("lang") in LANGUAGES
    query = f"?{urlencode({'lang': lang})}" if chosen else ""
    shown = await services.lanes.compute_long(services.documentation.read, page, lang, query=query)
    title = f"{shown.laid.title} · Highwater"
    document = with_head(
        services.frontend.page("docs.html"),
        title=title,
        description=shown.laid.lead,
        elements=_head_elements(page, title, shown.laid.lead, services.settings.base_url, lang),
    )
    document = with_content(
        document, element="docs", content=documentation_content(shown, lang, query=query)
    )
    return tagged(request, html_page(document, lang))


def _head_elements(page: str, title: str, lead: str, base_url: str, lang: str) -> str:
    link = f"{base_url}{page_address(page)}"
    card = card_elements(
        LinkCard(
            title=title,
            description=lead,
            link=link,
            image=f"{base_url}{ADDRESS}/{page}.png?lang={lang}",
            lang=lang,
            is_article=True,
        )
    )
    others = "".join(
        f'\n    <link rel="alternate" hreflang="{tag}" href="{text(link)}?lang={tag}" />'
        for tag in LANGUAGES
    )
    words = "".join(
        f'\n    <meta name="highwater-{name}" content="{text(say_message(lang, file, word))}" />'
        for name, (file, word) in _WORDS_OF_SCRIPT.items()
    )
    return f"{card}{others}{words}"


_WORDS_OF_SCRIPT = {
    "copy": (WORDS, "copy"),
    "copied": (WORDS, "copied"),
    "contents": (WORDS, "contents"),
    "search": ("interface/site-search", "searchAll"),
    "to-dark": ("interface/pages", "toDark"),
    "to-light": ("interface/pages", "toLight"),
    "to-system": ("interface/pages", "toSystem"),
}
"""The texts that `frontend/src/docs.ts` needs for its controls."""
