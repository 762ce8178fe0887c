"""The Atom feed of this site (RFC 4287): releases of Highwater, and shares that may be listed.

Its texts are those of the authors, in the language of the reader if there are several.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from fastapi import Request
from starlette.responses import Response

from backend.drawing.figures import without_forbidden
from backend.gallery.routes import LARGEST_PAGE
from backend.http.parameters import LanguageDep
from backend.http.responses import tagged
from backend.routing.routes import Router
from backend.runs.transcript import in_language
from backend.services import ReaderDep, SettingsDep
from backend.shares import repository
from sim_engine.languages import say

router = Router(include_in_schema=False)

_ATOM = "http://www.w3.org/2005/Atom"
_CHANGELOG = Path(__file__).resolve().parents[2] / "CHANGELOG.md"
_RELEASE = re.compile(r"^## (\S+) — (\d{4}-\d\d-\d\d)$", re.MULTILINE)
_EPOCH = "1970-01-01T00:00:00Z"


@dataclass(frozen=True, slots=True)
class _Entry:
    path: str
    title: str
    updated: str
    summary: str


@router.api_route("/feed.xml", methods=["GET", "HEAD"])
async def feed(
    request: Request, db: ReaderDep, settings: SettingsDep, lang: LanguageDep
) -> Response:
    """The newest releases and shares, newest first."""
    entries = [
        *_releases(),
        *[
            _Entry(
                f"/s/{row.sid}",
                in_language(row.title, lang),
                row.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
                row.note or "",
            )
            for row in await repository.list_listed(db, after=None, most=LARGEST_PAGE)
        ],
    ]
    entries.sort(key=lambda entry: entry.updated, reverse=True)
    document = _document(settings.base_url, entries, lang)
    response = Response(document, media_type="application/atom+xml")
    response.headers["Vary"] = "Accept-Language"
    return tagged(request, response)


@cache
def _releases() -> tuple[_Entry, ...]:
    """The versions of the changelog that have a date; none in a package without a changelog."""
    text = _CHANGELOG.read_text(encoding="utf-8") if _CHANGELOG.is_file() else ""
    return tuple(
        _Entry(f"/docs#{version}", f"Highwater {version}", f"{date}T00:00:00Z", "")
        for version, date in _RELEASE.findall(text)
    )


def _document(base_url: str, entries: list[_Entry], lang: str) -> bytes:
    root = ElementTree.Element("feed", {"xmlns": _ATOM, "xml:lang": lang})
    address = f"{base_url}/feed.xml"
    about = say(lang, "interface/gallery", "about")
    updated = entries[0].updated if entries else _EPOCH
    for name, value in (("id", address), ("title", "Highwater"), ("subtitle", about)):
        ElementTree.SubElement(root, name).text = value
    ElementTree.SubElement(root, "updated").text = updated
    ElementTree.SubElement(root, "link", {"rel": "self", "href": address})
    ElementTree.SubElement(root, "link", {"rel": "alternate", "href": f"{base_url}/gallery"})
    ElementTree.SubElement(ElementTree.SubElement(root, "author"), "name").text = "Highwater"
    for child in _entries(base_url, entries):
        root.append(child)
    head = '<?xml version="1.0" encoding="utf-8"?>\n'
    return (head + ElementTree.tostring(root, encoding="unicode")).encode()


def _entries(base_url: str, entries: list[_Entry]) -> Iterator[ElementTree.Element]:
    for entry in entries:
        element = ElementTree.Element("entry")
        link = f"{base_url}{entry.path}"
        ElementTree.SubElement(element, "id").text = link
        ElementTree.SubElement(element, "title").text = without_forbidden(entry.title)
        ElementTree.SubElement(element, "updated").text = entry.updated
        ElementTree.SubElement(element, "link", {"href": link})
        if entry.summary:
            ElementTree.SubElement(element, "summary").text = without_forbidden(entry.summary)
        yield element
