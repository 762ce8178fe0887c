"""The app's pages. The app finds out by itself what to show from its address.

Only a lesson's title and the page of a share are filled in here: they are there before any script
runs.
"""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from backend.drawing.frontend_build import with_head
from backend.http.errors import NotFoundError
from backend.pages.language import LanguageDep
from backend.pages.page import PAGE_METHODS, html_page, redirect_to_canonical
from backend.services import FrontendDep
from sim_engine import load_shipped

router = APIRouter(include_in_schema=False)


@router.api_route("/", methods=PAGE_METHODS)
@router.api_route("/new", methods=PAGE_METHODS)
@router.api_route("/glossary", methods=PAGE_METHODS)
@router.api_route("/insights", methods=PAGE_METHODS)
async def app_page(frontend: FrontendDep, lang: LanguageDep) -> HTMLResponse:
    """The app, at an address that it reads itself."""
    return html_page(frontend.page("index.html"), lang)


@router.api_route("/lessons/{scenario_id}", methods=PAGE_METHODS)
async def lesson_page(scenario_id: str, frontend: FrontendDep, lang: LanguageDep) -> HTMLResponse:
    """The app, with the lesson's title and summary in its head."""
    try:
        scenario = load_shipped(scenario_id)
    except KeyError:
        raise NotFoundError("There is no such lesson.") from None
    page = with_head(
        frontend.page("index.html"),
        title=f"{scenario.title[lang]} · Highwater",
        description=scenario.summary[lang],
        elements="",
    )
    return html_page(page, lang)


@router.api_route("/x/{session_id}", methods=PAGE_METHODS)
async def session_page(
    session_id: str, request: Request, frontend: FrontendDep, lang: LanguageDep
) -> Response:
    """The app, on a run."""
    redirect = redirect_to_canonical(request, "/x/", session_id)
    return redirect or html_page(frontend.page("index.html"), lang)
