"""The sections of the documentation, and the site's own pages, as entries of the search."""

import re
from collections.abc import Iterator, Mapping
from html import unescape

from backend.documentation.contents import PAGES, page_address
from backend.documentation.library import DocumentationPage, Library
from backend.pages.site import SITE_PAGES
from backend.site_search.entries import Entry, Kind
from sim_engine.languages.library import DEFAULT_LANGUAGE, LANGUAGES, say

_LISTS = ("reference/scenarios", "reference/operator-words", "explanation/articles")
"""Pages whose sections list what has entries of its own."""
_OF_PROGRAMS: Mapping[str, float] = {
    "reference/documents": 0.4,
    "reference/http": 0.5,
    "reference/command-line": 0.8,
}
"""How likely it is that somebody who searches wants a section of these pages: most who do are
writing a program.
"""
_SECTION = re.compile(r'<h([2-4]) id="([^"]+)"[^>]*>.*?</h\1>', re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_SPACES = re.compile(r"\s+")
_DEEPEST = 3
_SHOWN = 240


def documentation_entries(library: Library) -> Iterator[Entry]:
    """Every page, and every section of it by its heading. Renders all pages."""
    for page in PAGES:
        # A page that is not translated is in English, and only once.
        shown = {
            lang: laid
            for lang in LANGUAGES
            if (laid := library.read(page, lang)).lang == lang or lang == DEFAULT_LANGUAGE
        }
        yield from _entries(page, shown)


def page_entries() -> Iterator[Entry]:
    """The pages of the site that are described in a sentence."""
    for page in SITE_PAGES:
        if page.about:
            title, about = page.title or page.name, page.about
            yield Entry(
                kind="doc",
                id=page.path,
                address=page.path,
                title={lang: say(lang, page.file, title) for lang in LANGUAGES},
                text={lang: say(lang, page.file, about) for lang in LANGUAGES},
            )


def _entries(page: str, shown: dict[str, DocumentationPage]) -> Iterator[Entry]:
    kind: Kind = "finding" if page.startswith("findings/") else "doc"
    bodies = {lang: _sections(laid) for lang, laid in shown.items()}
    yield Entry(
        kind=kind,
        id=page,
        address=page_address(page),
        title={lang: laid.laid.title for lang, laid in shown.items()},
        text={lang: laid.laid.lead for lang, laid in shown.items()},
        names=(page.rpartition("/")[2],),
        # The sections of a finding are not entries: somebody who looks for it wants all of it.
        more={
            lang: " ".join(text for anchor, text in body.items() if kind == "finding" or not anchor)
            for lang, body in bodies.items()
        },
    )
    if kind == "finding" or page in _LISTS:
        return
    for heading in shown[DEFAULT_LANGUAGE].laid.headings:
        if heading.level > _DEEPEST:
            continue
        titles = {
            lang: own.text
            for lang, laid in shown.items()
            for own in laid.laid.headings
            if own.anchor == heading.anchor
        }
        texts = {lang: bodies[lang].get(heading.anchor, "") for lang in titles}
        yield Entry(
            kind="doc",
            id=f"{page}#{heading.anchor}",
            address=f"{page_address(page)}#{heading.anchor}",
            title=titles,
            text={
                lang: f"{shown[lang].laid.title} · {text[:_SHOWN]}" for lang, text in texts.items()
            },
            more={lang: text[_SHOWN:] for lang, text in texts.items()},
            rank=_OF_PROGRAMS.get(page, 1.0),
        )


def _sections(shown: DocumentationPage) -> dict[str, str]:
    """The text below each heading by its anchor; that before the first one by ""."""
    found: dict[str, str] = {}
    body, anchor, begins = shown.laid.body, "", 0
    for heading in _SECTION.finditer(body):
        found[anchor] = _text(body[begins : heading.start()])
        anchor, begins = heading[2], heading.end()
    found[anchor] = _text(body[begins:])
    return found


def _text(html: str) -> str:
    return _SPACES.sub(" ", unescape(_TAG.sub(" ", html))).strip()
