"""A page that says what is wrong with a link: never a blank one, and never bare JSON."""

from starlette.requests import Request
from starlette.responses import HTMLResponse

from backend.drawing.frontend_build import (
    FrontendBuild,
    text,
    with_content,
    with_head,
    with_language,
    without_scripts,
)
from backend.http.errors import HighwaterError
from backend.pages.language import preferred_language
from sim_engine import say_message

_WORDS = {404: "notFound", 410: "gone", 429: "busy"}
"""The message of `service.ftl` for a status."""


def error_page(request: Request, frontend: FrontendBuild, error: HighwaterError) -> HTMLResponse:
    """In the app's own dress on its pages; on an embed page without its script, inside a frame."""
    lang = preferred_language(request)
    words = _WORDS.get(error.status.value, "failed")
    title = say_message(lang, "service", words)
    advice = say_message(lang, "service", f"{words}Advice")
    home = say_message(lang, "service", "home")
    is_embed = request.url.path.startswith("/e/")
    target = ' target="_blank" rel="noopener"' if is_embed else ""
    content = (
        f'<main class="problem" data-code="{text(error.code)}"><h1>{text(title)}</h1>'
        f'<p>{text(advice)}</p><p><a href="/"{target}>{text(home)}</a></p></main>'
    )
    if is_embed:
        page = with_head(frontend.page("embed.html"), title=title, description=advice, elements="")
        page = without_scripts(with_content(page, element="embed", content=content))
        page = with_language(page, lang)
    else:
        page = with_head(
            frontend.page("index.html"),
            title=f"{title} · Highwater",
            description=advice,
            elements="",
        )
        page = without_scripts(with_content(page, element="app", content=content))
    return HTMLResponse(page, status_code=error.status.value, headers=error.headers)
