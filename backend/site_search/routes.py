"""The search over everything that the site shows."""

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from backend.documentation.contents import ADDRESS
from backend.http.parameters import LanguageDep, LanguageQuery, PlainNumber, reject_repeated
from backend.http.responses import PlainJsonResponse
from backend.services import ServicesDep
from backend.site_search.entries import Entry, Kind, menu
from backend.site_search.index import Found
from backend.site_search.kept import search_index
from backend.site_search.schemas import SiteSearchRead
from sim_engine.json_types import JsonObject
from sim_engine.languages.library import DEFAULT_LANGUAGE, in_language

router = APIRouter(tags=["search"])

MOST_LETTERS = 200
MOST_HITS = 100


@router.get("/search", response_model=SiteSearchRead, dependencies=[Depends(reject_repeated)])
async def search_site(
    services: ServicesDep,
    preferred: LanguageDep,
    q: Annotated[str, Query(max_length=MOST_LETTERS, description="What to look for.")],
    lang: Annotated[
        LanguageQuery | None,
        Query(description="The language of the results. Default: the browser's."),
    ] = None,
    kind: Annotated[Kind | None, Query(description="Only hits of this kind.")] = None,
    as_typed: Annotated[
        bool, Query(description="Search neither for this site's words nor for similar words.")
    ] = False,
    limit: Annotated[PlainNumber, Query(ge=1, le=MOST_HITS, description="The most hits.")] = 30,
) -> PlainJsonResponse:
    """Searches lessons and their steps, claims of articles, terms, settings, errors, metrics and
    log lines, known ways to lose, releases, KIPs, challenges, the documentation, and what is left
    out, in every language.

    Words that this site calls otherwise are also searched by its own name, and words that occur
    nowhere by similar ones.
    """
    async with services.lanes.alone("search index"):
        index = await services.lanes.prepare(partial(search_index, services.frontend.folder))
    shown = lang or preferred
    found = await services.lanes.compute(index.search, q, shown, kind=kind, as_typed=as_typed)
    return PlainJsonResponse(_document(found, shown, limit))


def _document(found: Found, lang: str, limit: int) -> JsonObject:
    return {
        "total": sum(found.counts.values()),
        "kinds": [{"kind": kind, "count": count} for kind, count in found.counts.items()],
        "versions": list(menu()),
        "hits": _entries([hit.entry for hit in found.hits[:limit]], lang),
        "also": list(found.also),
        "corrected": list(found.corrected),
        "marks": list(found.marks),
        "nearest": _entries(found.nearest, lang),
    }


def _entries(entries: Sequence[Entry], lang: str) -> list[JsonObject]:
    return [
        {
            "kind": entry.kind,
            "id": entry.id,
            "title": in_language(entry.title, lang),
            "text": in_language(entry.text, lang),
            "lang": lang if lang in entry.title else DEFAULT_LANGUAGE,
            "address": _address(entry, lang),
            "sign": entry.sign,
            "holds": entry.holds,
            "picture": entry.picture,
        }
        for entry in entries
    ]


def _address(entry: Entry, lang: str) -> str:
    """A page of the documentation is in the language of its address."""
    if not entry.address.startswith(ADDRESS):
        return entry.address
    path, mark, anchor = entry.address.partition("#")
    return f"{path}?lang={lang}{mark}{anchor}"
