"""The layout of a documentation page: the site's header, the list of pages, the page's outline.

The page works without scripts. `frontend/src/docs.ts` adds the theme switch and copy buttons.
"""

from collections.abc import Iterator

from backend.documentation.contents import (
    ADDRESS,
    PAGES,
    SECTIONS,
    START,
    WORDS,
    page_address,
    page_title,
)
from backend.documentation.library import DocumentationPage
from backend.html.frontend_build import text
from backend.pages.site import SITE_PAGES
from sim_engine.languages import LANGUAGES, find_language
from sim_engine.languages import say as say_message

LOGO = (
    '<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">'
    '<path class="hw-mark" d="M3 13c3-2 5-2 8 0s6 2 10 0v4a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3z" />'
    '<rect class="hw-mark-box" x="2.9" y="4.9" width="18.2" height="14.2" rx="3.4" />'
    '<rect class="hw-mark-bar" x="14" y="1.5" width="2.6" height="21" /></svg>'
)
"""The shapes of frontend/src/view/logo/LogoShapes.svelte. A test compares the two."""


def documentation_content(shown: DocumentationPage, lang: str, *, query: str) -> str:
    """The page's content as HTML, in the reader's language; `query` is appended to every link."""
    words = _Words(lang)
    return (
        f'<a class="skip" href="#content">{words.site("skip")}</a>{_header(shown.page, words)}'
        f'<div class="docs">{_contents(shown.page, words, query)}'
        f'<main id="content" tabindex="-1"><article lang="{shown.lang}">'
        f"<h1>{text(shown.laid.title)}</h1>{_only_in(shown, words)}{shown.laid.body}</article>"
        f"{_neighbours(shown.page, words, query)}</main>{_outline(shown, words)}</div>"
    )


class _Words:
    """The texts of the layout in one language, escaped."""

    def __init__(self, lang: str) -> None:
        self.lang = lang

    def site(self, name: str, file: str = "interface/pages") -> str:
        return text(say_message(self.lang, file, name))

    def __call__(self, name: str, **values: str) -> str:
        return text(say_message(self.lang, WORDS, name, **values))


def _header(page: str, words: _Words) -> str:
    links = "".join(
        f'<a href="{one.path}{one.part}">{words.site(one.name, one.file)}</a>'
        for one in SITE_PAGES
        if one.in_menu
    )
    links += f'<a href="{ADDRESS}" aria-current="page">{words.site("docs")}</a>'
    languages = "".join(
        f'<a class="choice" href="{page_address(page)}?lang={tag}" lang="{tag}" '
        f'data-language="{tag}">{text(find_language(tag).name)}</a>'
        for tag in LANGUAGES
        if tag != words.lang
    )
    return (
        f'<header class="site"><a class="brand" href="/" aria-label="{words.site("home")}">'
        f"{LOGO}<span>Highwater</span></a>"
        '<button type="button" class="menu" popovertarget="site-links">'
        f"{words.site('menu')}</button>"
        f'<nav id="site-links" popover aria-label="{words.site("site")}">{links}</nav>'
        f'<div class="choices">{languages}</div></header>'
    )


def _contents(page: str, words: _Words, query: str) -> str:
    sections = "".join(
        f"<h2>{text(section.title(words.lang))}</h2><ul>"
        f"{''.join(_entry(entry, page, words, query) for entry in section.pages)}</ul>"
        for section in SECTIONS
    )
    return (
        f'<nav class="contents" aria-label="{words("contents")}"><ul>'
        f"{_entry(START, page, words, query)}</ul>{sections}</nav>"
    )


def _entry(entry: str, page: str, words: _Words, query: str) -> str:
    return (
        f'<li><a href="{page_address(entry)}{query}"{_is_current(entry == page, "page")}>'
        f"{text(page_title(entry, words.lang))}</a></li>"
    )


def _is_current(current: bool, what: str) -> str:
    return f' aria-current="{what}"' if current else ""


def _only_in(shown: DocumentationPage, words: _Words) -> str:
    if shown.lang == words.lang:
        return ""
    return f'<p class="note" lang="{words.lang}">{words("notTranslated")}</p>'


def _outline(shown: DocumentationPage, words: _Words) -> str:
    listed = [heading for heading in shown.laid.headings if heading.level <= 3]
    if len(listed) < 2:
        return ""
    entries = "".join(
        f'<li class="level-{heading.level}"><a href="#{text(heading.anchor)}">'
        f"{text(heading.text)}</a></li>"
        for heading in listed
    )
    return (
        f'<nav class="outline" aria-labelledby="outline-title" lang="{words.lang}">'
        f'<h2 id="outline-title">{words("onThisPage")}</h2>'
        f'<ul lang="{shown.lang}">{entries}</ul></nav>'
    )


def _neighbours(page: str, words: _Words, query: str) -> str:
    links = "".join(_neighbour_links(page, words, query))
    return f'<nav class="neighbours" aria-label="{words("neighbours")}">{links}</nav>'


def _neighbour_links(page: str, words: _Words, query: str) -> Iterator[str]:
    at = PAGES.index(page)
    for word, other in (("previous", at - 1), ("next", at + 1)):
        if 0 <= other < len(PAGES):
            yield (
                f'<a class="{word}" href="{page_address(PAGES[other])}{query}">'
                f"<span>{words(word)}</span> {text(page_title(PAGES[other], words.lang))}</a>"
            )
