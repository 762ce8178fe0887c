"""The app's pages. The app decides from the address what to show.

Titles and link cards are filled in here, for readers that run no scripts.
"""

from fastapi import APIRouter, Request
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
from backend.settings import Settings
from sim_engine import (
    Scenario,
    find_challenge,
    in_language,
    list_articles,
    load_shipped,
    say_message,
)

router = APIRouter(include_in_schema=False)


async def app_page(
    request: Request, frontend: FrontendDep, settings: SettingsDep, lang: LanguageDep
) -> HTMLResponse:
    """The app, which reads the address itself."""
    tagline = say_message(lang, "service", "tagline")
    return _app(request, frontend, settings, lang, title="Highwater", description=tagline)


for _page in SITE_PAGES:
    router.add_api_route(_page.path, app_page, methods=PAGE_METHODS)


@router.api_route("/articles/{number}", methods=PAGE_METHODS)
async def article_page(
    number: str, request: Request, frontend: FrontendDep, settings: SettingsDep, lang: LanguageDep
) -> HTMLResponse:
    """The app, with the article's title."""
    articles = {str(place): article for place, article in enumerate(list_articles())}
    if number not in articles:
        raise NotFoundError("There is no such article.")
    title = f"{in_language(articles[number].title, lang)} · Highwater"
    description = in_language(articles[number].about, lang)
    return _app(request, frontend, settings, lang, title=title, description=description)


@router.api_route("/challenges/{challenge_id}", methods=PAGE_METHODS)
async def challenge_page(
    challenge_id: str,
    request: Request,
    frontend: FrontendDep,
    settings: SettingsDep,
    lang: LanguageDep,
) -> HTMLResponse:
    """The app, with the challenge's title."""
    try:
        challenge = find_challenge(challenge_id)
    except KeyError:
        raise NotFoundError("There is no such challenge.") from None
    title = f"{in_language(challenge.title, lang)} · Highwater"
    description = in_language(challenge.goal, lang)
    return _app(request, frontend, settings, lang, title=title, description=description)


@router.api_route("/recordings/{name}", methods=PAGE_METHODS)
async def recording_page(
    name: str, request: Request, frontend: FrontendDep, settings: SettingsDep, lang: LanguageDep
) -> HTMLResponse:
    """The app, with the recording's title."""
    recording = find_recording(name)
    if recording is None:
        raise NotFoundError("There is no such recording.")
    title = f"{in_language(recording.titles(), lang)} · Highwater"
    return _app(request, frontend, settings, lang, title=title, description=recording.shows)


def _app(
    request: Request,
    frontend: FrontendBuild,
    settings: Settings,
    lang: str,
    *,
    title: str,
    description: str,
) -> HTMLResponse:
    """The app, with the share's link card."""
    page = with_head(
        frontend.page("index.html"),
        title=title,
        description=description,
        elements=card_elements(
            LinkCard(
                title=title,
                description=description,
                link=f"{settings.base_url}{request.url.path}",
                image=f"{settings.base_url}/card.png?lang={lang}",
                lang=lang,
            )
        ),
    )
    return html_page(page, lang)


@router.api_route("/p/{code}", methods=PAGE_METHODS)
async def presentation_page(code: str, frontend: FrontendDep, lang: LanguageDep) -> Response:
    """The app, following a presentation."""
    require_code(code)
    return html_page(frontend.page("index.html"), lang)


@router.api_route("/lessons/{scenario_id}", methods=PAGE_METHODS)
async def lesson_page(
    scenario_id: str, frontend: FrontendDep, settings: SettingsDep, lang: LanguageDep
) -> HTMLResponse:
    """The app, with the lesson's title and summary."""
    try:
        scenario = load_shipped(scenario_id)
    except KeyError:
        raise NotFoundError("There is no such lesson.") from None
    page = with_head(
        frontend.page("index.html"),
        title=f"{in_language(scenario.title, lang)} · Highwater",
        description=in_language(scenario.summary, lang),
        elements=_lesson_elements(settings, scenario, lang),
    )
    return html_page(page, lang)


def _lesson_elements(settings: Settings, lesson: Scenario, lang: str) -> str:
    link = f"{settings.base_url}/lessons/{lesson.id}"
    card = card_elements(
        LinkCard(
            title=in_language(lesson.title, lang),
            description=in_language(lesson.summary, lang),
            link=link,
            image=f"{link}.png?lang={lang}",
            lang=lang,
            is_article=True,
        )
    )
    return f"{card}\n    {oembed_links(settings.base_url, link)}"


@router.api_route("/x/{session_id}", methods=PAGE_METHODS)
async def session_page(
    session_id: str, request: Request, frontend: FrontendDep, lang: LanguageDep
) -> Response:
    """The app, showing a run."""
    redirect = redirect_to_canonical(request, "/x/", session_id)
    return redirect or html_page(frontend.page("index.html"), lang)
