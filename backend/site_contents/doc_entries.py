"""The sections of the documentation, and the site's own pages, as entries of the search.

They are read from the files, which contain their generated parts, and not from the rendered pages:
rendering all of them takes seconds.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from mdit_py_plugins.anchors.index import slugify
from msgspec import Struct

from backend.documentation.contents import PAGES, page_address, page_file
from backend.pages.site import SITE_PAGES
from backend.site_search.entry import Entry, Kind
from sim_engine.languages import DEFAULT_LANGUAGE, LANGUAGES, say

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
_HEADING = re.compile(r"^(#{1,4}) ([^\n]+)$|^```.*?^```$", re.M | re.S)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^)]*\)")
_APART = re.compile(r"</?[a-z!][^>]*>|^```[^\n]*|^ *(?:-|\d+\.) |^[|:\- ]+$|\|", re.M | re.I)
_MARK = re.compile(r"[`*]|\\(?=\W)")
_SPACES = re.compile(r"\s+")
_TITLE, _DEEPEST = 1, 3
_SHOWN = 240


class _Section(Struct, frozen=True):
    """A heading with what stands below it; the first is the page's title."""

    level: int
    title: str
    anchor: str
    text: str


def documentation_entries() -> Iterator[Entry]:
    """Every page, and every section of it by its heading."""
    for page in PAGES:
        # A page that is not translated is in English, and only once.
        files = {lang: file for lang in LANGUAGES if (file := page_file(page, lang)) is not None}
        yield from _entries(
            page, {lang: _sections(file.read_text("utf-8")) for lang, file in files.items()}
        )


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


def _entries(page: str, shown: Mapping[str, list[_Section]]) -> Iterator[Entry]:
    kind: Kind = "finding" if page.startswith("findings/") else "doc"
    yield Entry(
        kind=kind,
        id=page,
        address=page_address(page),
        title={lang: sections[0].title for lang, sections in shown.items()},
        text={lang: sections[0].text[:_SHOWN] for lang, sections in shown.items()},
        names=(page.rpartition("/")[2],),
        # The sections of a finding are not entries: somebody who looks for it wants all of it.
        more={
            lang: " ".join(one.text for one in (sections if kind == "finding" else sections[:1]))
            for lang, sections in shown.items()
        },
    )
    if kind == "finding" or page in _LISTS:
        return
    for place, section in enumerate(shown[DEFAULT_LANGUAGE]):
        if not _TITLE < section.level <= _DEEPEST:
            continue
        # A translation has the same sections in the same order.
        own = {lang: sections[place] for lang, sections in shown.items() if place < len(sections)}
        yield Entry(
            kind="doc",
            id=f"{page}#{section.anchor}",
            address=f"{page_address(page)}#{section.anchor}",
            title={lang: one.title for lang, one in own.items()},
            text={
                lang: f"{shown[lang][0].title} · {one.text[:_SHOWN]}" for lang, one in own.items()
            },
            more={lang: one.text[_SHOWN:] for lang, one in own.items()},
            rank=_OF_PROGRAMS.get(page, 1.0),
        )


def _sections(text: str) -> list[_Section]:
    headings = [found for found in _HEADING.finditer(text) if found[1]]
    ends = [*(found.start() for found in headings[1:]), len(text)]
    sections: list[_Section] = []
    counts: Counter[str] = Counter()
    for found, end in zip(headings, ends, strict=True):
        title, body = _plain(found[2]), _plain(text[found.end() : end])
        slug = slugify(title)
        anchor = f"{slug}-{counts[slug]}" if counts[slug] else slug
        counts[slug] += 1
        sections.append(_Section(len(found[1]), title, anchor, body))
    return sections


def _plain(text: str) -> str:
    text = _APART.sub(" ", _LINK.sub(r"\1", text))
    return _SPACES.sub(" ", _MARK.sub("", text)).strip()
