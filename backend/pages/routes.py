"""The app's pages. The app decides from the address what to show.

Titles and link cards are filled in here, for readers that run no scripts.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, Response

from backend.fidelity.recordings import find_recording
from backend.html.frontend_build import FrontendBuild, with_head
from backend.html.link_card import LinkCard, card_elements, oembed_links
from backend.html.page import PAGE_METHODS, html_page, redirect_to_canonical
from backend.http.errors import NotFoundError
from backend.http.parameters import LanguageDep
from backend.pages.site import SITE_PAGES
from backend.presentations.service import require_code
from backend.services import FrontendDep, SettingsDep
from sim_engine.articles import list_articles
from sim_engine.challenges import find_challenge
from sim_engine.languages.library import in_language
from sim_engine.languages.library import say as say_message
from sim_engine.scenario_reader.reader import load_shipped

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class _App:
    """The app for one request."""

    request: Request
    frontend: FrontendBuild
    base_url: str
    lang: str

    def page(self, title: str, description: str, *, elements: str | None = None) -> HTMLResponse:
        """The app with this title and description, and the link card of both; or with other
        elements in its head.
        """
        card = LinkCard(
            title=title,
            description=description,
            link=f"{self.base_url}{self.request.url.path}",
            image=f"{self.base_url}/card.png?lang={self.lang}",
            lang=self.lang,
        )
        page = with_head(
            self.frontend.page("index.html"),
            title=title,
            description=description,
            elements=card_elements(card) if elements is None else elements,
        )
        return html_page(page, self.lang)

    def page_about(self, title: Mapping[str, str], about: Mapping[str, str]) -> HTMLResponse:
        """The app with these words, which are in every language."""
        shown = f"{in_language(title, self.lang)} · Highwater"
        return self.page(shown, in_language(about, self.lang))


async def _app(
    request: Request, frontend: FrontendDep, settings: SettingsDep, lang: LanguageDep
) -> _App:
    return _App(request, frontend, settings.base_url, lang)


AppDep = Annotated[_App, Depends(_app)]


async def app_page(app: AppDep) -> HTMLResponse:
    """The app, which reads the address itself."""
    return app.page("Highwater", say_message(app.lang, "service", "tagline"))


for _page in SITE_PAGES:
    router.add_api_route(_page.path, app_page, methods=PAGE_METHODS)


@router.api_route("/articles/{number}", methods=PAGE_METHODS)
async def article_page(number: str, app: AppDep) -> HTMLResponse:
    """The app, with the article's title."""
    articles = {str(place): article for place, article in enumerate(list_articles())}
    if number not in articles:
        raise NotFoundError("There is no such article.")
    return app.page_about(articles[number].title, articles[number].about)


@router.api_route("/challenges/{challenge_id}", methods=PAGE_METHODS)
async def challenge_page(challenge_id: str, app: AppDep) -> HTMLResponse:
    """The app, with the challenge's title."""
    try:
        challenge = find_challenge(challenge_id)
    except KeyError:
        raise NotFoundError("There is no such challenge.") from None
    return app.page_about(challenge.title, challenge.goal)


@router.api_route("/recordings/{name}", methods=PAGE_METHODS)
async def recording_page(name: str, app: AppDep) -> HTMLResponse:
    """The app, with the recording's title."""
    recording = find_recording(name)
    if recording is None:
        raise NotFoundError("There is no such recording.")
    title = f"{in_language(recording.titles(), app.lang)} · Highwater"
    return app.page(title, recording.shows)


@router.api_route("/lessons/{scenario_id}", methods=PAGE_METHODS)
async def lesson_page(scenario_id: str, app: AppDep) -> HTMLResponse:
    """The app, with the lesson's title and summary."""
    try:
        lesson = load_shipped(scenario_id)
    except KeyError:
        raise NotFoundError("There is no such lesson.") from None
    title, summary = (in_language(words, app.lang) for words in (lesson.title, lesson.summary))
    link = f"{app.base_url}/lessons/{lesson.id}"
    card = LinkCard(
        title=title,
        description=summary,
        link=link,
        image=f"{link}.png?lang={app.lang}",
        lang=app.lang,
        is_article=True,
    )
    elements = f"{card_elements(card)}\n    {oembed_links(app.base_url, link)}"
    return app.page(f"{title} · Highwater", summary, elements=elements)


@router.api_route("/p/{code}", methods=PAGE_METHODS)
async def presentation_page(code: str, frontend: FrontendDep, lang: LanguageDep) -> Response:
    """The app, following a presentation."""
    require_code(code)
    return html_page(frontend.page("index.html"), lang)


@router.api_route("/x/{session_id}", methods=PAGE_METHODS)
async def session_page(
    session_id: str, request: Request, frontend: FrontendDep, lang: LanguageDep
) -> Response:
    """The app, showing a run."""
    redirect = redirect_to_canonical(request, "/x/", session_id)
    return redirect or html_page(frontend.page("index.html"), lang)
