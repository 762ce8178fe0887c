"""The page for an error, so that a broken link never shows a blank page or plain JSON."""

from starlette.requests import Request
from starlette.responses import HTMLResponse

from backend.html.frontend_build import (
    FrontendBuild,
    text,
    with_content,
    with_head,
    with_language,
    without_scripts,
)
from backend.http.errors import HighwaterError
from backend.http.parameters import preferred_language
from sim_engine.languages import say as say_message

_WORDS = {404: "notFound", 410: "gone", 429: "busy", 503: "unavailable", 507: "unavailable"}
"""The message of `service.ftl` for a status."""
_WORDS_OF_CODES = {"share_damaged": "damaged", "taken_down": "takenDown"}
"""The message for a code that is more specific than its status."""


def error_page(request: Request, frontend: FrontendBuild, error: HighwaterError) -> HTMLResponse:
    """The app with the error as one of its pages. For an embed page, a page without scripts that
    fits into an iframe.
    """
    lang = preferred_language(request)
    words = _WORDS_OF_CODES.get(error.code) or _WORDS.get(error.status.value, "failed")
    title = say_message(lang, "service", words)
    reason = str(error.members.get("reason", ""))
    texts = error.members.get("said")
    advice = (
        texts[lang]
        if isinstance(texts, dict)
        else say_message(lang, "service", f"{words}Advice", reason=reason)
    )
    home = say_message(lang, "service", "home")
    is_embed = request.url.path.startswith("/e/")
    if is_embed:
        content = (
            f'<main class="problem" data-code="{text(error.code)}"><h1>{text(title)}</h1>'
            f'<p>{text(advice)}</p><p><a href="/" target="_blank" rel="noopener">{text(home)}</a>'
            "</p></main>"
        )
        page = with_head(frontend.page("embed.html"), title=title, description=advice, elements="")
        page = without_scripts(with_content(page, element="embed", content=content))
    else:
        content = (
            f'<main id="first-sight" data-status="{error.status.value}" '
            f'data-code="{text(error.code)}" data-reason="{text(reason)}">'
            f'<p><a href="/">Highwater</a></p><h1>{text(title)}</h1><p>{text(advice)}</p>'
            f'<p><a href="/">{text(home)}</a></p></main>'
        )
        page = with_head(
            frontend.page("index.html"),
            title=f"{title} · Highwater",
            description=advice,
            elements="",
        )
        page = with_content(page, element="app", content=content)
    headers = {**error.headers, "Vary": "Accept-Language"}
    return HTMLResponse(with_language(page, lang), error.status.value, headers=headers)
