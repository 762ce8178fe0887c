"""The app's pages. The app decides from the address what to show.

Titles and link cards are filled in here, for readers that run no scripts.
"""

import re
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from backend.html.frontend_build import FrontendBuild, text, with_head
from backend.html.link_card import LinkCard, card_elements
from backend.html.page import PAGE_METHODS, html_page, redirect_to_canonical
from backend.http.errors import NotFoundError
from backend.http.parameters import LanguageDep
from backend.identifiers import is_page_id
from backend.pages.site import SITE_PAGES, SitePage
from backend.pages.subjects import (
    Subject,
    about_article,
    about_challenge,
    about_page,
    about_recording,
    about_term,
)
from backend.presentations.service import require_code
from backend.routing.files import (
    article_numbers,
    challenge_ids,
    kept_as_file,
    languages,
    recording_names,
)
from backend.routing.routes import Router
from backend.services import FrontendDep, MirrorDep, SettingsDep, WatchDep
from sim_engine.curriculum import lesson_index

router = Router(include_in_schema=False)

_PLACE = re.compile(r"[0-9]{1,4}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _App:
    """The app for one request."""

    request: Request
    frontend: FrontendBuild
    base_url: str
    lang: str

    def page(self, subject: Subject) -> HTMLResponse:
        """The app with what this page says of itself, and its link card."""
        path, _, query = subject.path.partition("?")
        link = f"{self.base_url}{path}"
        card = LinkCard(
            title=subject.title,
            description=subject.sentence,
            link=link,
            opened=f"{link}?{query}" if query else "",
            image=subject.picture(self.base_url, self.lang),
            lang=self.lang,
        )
        title = "Highwater" if path == "/" else f"{subject.title} · Highwater"
        page = with_head(
            self.frontend.page("index.html"),
            title=title,
            description=subject.sentence,
            elements=f"{card_elements(card)}{_feed_link(self.base_url, path)}",
        )
        return html_page(page, self.lang)


def _feed_link(base_url: str, path: str) -> str:
    if path not in ("/", "/gallery"):
        return ""
    kind = "application/atom+xml"
    return f'\n    <link rel="alternate" type="{kind}" href="{text(base_url)}/feed.xml" />'


async def _app(
    request: Request, frontend: FrontendDep, settings: SettingsDep, lang: LanguageDep
) -> _App:
    return _App(request, frontend, settings.base_url, lang)


AppDep = Annotated[_App, Depends(_app)]


def _handler(page: SitePage) -> Callable[[_App], Coroutine[None, None, HTMLResponse]]:
    @kept_as_file(lang=languages)
    async def site_page(app: AppDep) -> HTMLResponse:
        """The app, which reads the address itself."""
        return app.page(about_page(page, app.lang))

    return site_page


for _page in SITE_PAGES:
    if _page.path != "/glossary":
        router.add_api_route(_page.path, _handler(_page), methods=PAGE_METHODS)


@router.api_route("/lessons", methods=PAGE_METHODS)
async def lessons_page() -> Response:
    """The list of lessons, which is a part of the home page."""
    lessons = next(page for page in SITE_PAGES if page.name == "lessons")
    return RedirectResponse(f"{lessons.path}{lessons.part}", status_code=308)


@router.api_route("/glossary", methods=PAGE_METHODS)
@kept_as_file(lang=languages)
async def glossary_page(app: AppDep) -> HTMLResponse:
    """The app; with `?term=`, the card of that term."""
    term = app.request.query_params.get("term")
    try:
        subject = None if term is None else about_term(term, app.lang)
    except NotFoundError:
        subject = None  # the page lists all terms
    glossary = next(page for page in SITE_PAGES if page.path == "/glossary")
    return app.page(about_page(glossary, app.lang) if subject is None else subject)


@router.api_route("/articles/{number}", methods=PAGE_METHODS)
@kept_as_file(number=article_numbers, lang=languages)
async def article_page(number: str, app: AppDep) -> HTMLResponse:
    """The app, with the article's title; with `?claim=`, the card of that claim."""
    article = about_article(number, None, app.lang)
    claim = app.request.query_params.get("claim", "")
    try:
        return app.page(
            about_article(number, int(claim), app.lang) if _PLACE.fullmatch(claim) else article
        )
    except NotFoundError:
        return app.page(article)


@router.api_route("/challenges/{challenge_id}", methods=PAGE_METHODS)
@kept_as_file(challenge_id=challenge_ids, lang=languages)
async def challenge_page(challenge_id: str, app: AppDep) -> HTMLResponse:
    """The app, with the challenge's title."""
    return app.page(about_challenge(challenge_id, app.lang))


@router.api_route("/recordings/{name}", methods=PAGE_METHODS)
@kept_as_file(name=recording_names, lang=languages)
async def recording_page(name: str, app: AppDep) -> HTMLResponse:
    """The app, with the recording's title."""
    return app.page(about_recording(name, app.lang))


@router.api_route("/watch", methods=PAGE_METHODS)
async def watch_page(_watch: WatchDep, frontend: FrontendDep, lang: LanguageDep) -> HTMLResponse:
    """The app, with the live cluster that this service watches."""
    return html_page(frontend.page("index.html"), lang)


@router.api_route("/watch/recording", methods=PAGE_METHODS)
async def mirror_page(_mirror: MirrorDep, frontend: FrontendDep, lang: LanguageDep) -> HTMLResponse:
    """The app, with the recording that this service watches."""
    return html_page(frontend.page("index.html"), lang)


@router.api_route("/p/{code}", methods=PAGE_METHODS)
async def presentation_page(code: str, frontend: FrontendDep, lang: LanguageDep) -> Response:
    """The app, following a presentation."""
    require_code(code)
    return html_page(frontend.page("index.html"), lang)


@router.api_route("/x/{session_id}", methods=PAGE_METHODS)
async def session_page(
    session_id: str, request: Request, frontend: FrontendDep, lang: LanguageDep
) -> Response:
    """The app, showing a run: a session, or one that only this browser keeps. Of a run that cannot
    exist, it leads to the lesson in which that began, if the address names one.
    """
    redirect = None
    if not is_page_id(session_id):
        try:
            redirect = redirect_to_canonical(request, "/x/", session_id)
        except NotFoundError:
            if request.query_params.get("lesson") not in lesson_index():
                raise
    return redirect or html_page(frontend.page("index.html"), lang)
