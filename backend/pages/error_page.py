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

_WORDS = {
    404: {
        "en": ("There is nothing here", "The link may be misspelt, or cut off at its end."),
        "zh": ("这里什么也没有", "链接可能有拼写错误，或者末尾被截断了。"),
    },
    410: {
        "en": ("This was deleted", "Whoever shared it took it back, or it expired."),
        "zh": ("内容已被删除", "分享者已将其撤回，或者它已过期。"),
    },
    429: {
        "en": ("Too many broken links", "Wait a minute, then try again."),
        "zh": ("失效链接过多", "请稍等一分钟再试。"),
    },
}
_OTHERWISE = {
    "en": ("This page cannot be shown", "Try again in a moment."),
    "zh": ("无法显示此页面", "请稍后再试。"),
}
_HOME = {"en": "To the lessons", "zh": "查看课程"}


def error_page(request: Request, frontend: FrontendBuild, error: HighwaterError) -> HTMLResponse:
    """In the app's own dress on its pages; on an embed page without its script, inside a frame."""
    lang = preferred_language(request)
    title, advice = _WORDS.get(error.status.value, _OTHERWISE)[lang]
    is_embed = request.url.path.startswith("/e/")
    target = ' target="_blank" rel="noopener"' if is_embed else ""
    content = (
        f'<main class="problem" data-code="{text(error.code)}"><h1>{text(title)}</h1>'
        f'<p>{text(advice)}</p><p><a href="/"{target}>{text(_HOME[lang])}</a></p></main>'
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
