"""The response to a search, here and in a page without a service."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta, Struct

from backend.site_search.entry import Entry, Kind, menu
from backend.site_search.index import SearchIndex
from sim_engine.json_types import JsonObject
from sim_engine.languages import DEFAULT_LANGUAGE, in_language

MOST_LETTERS = 200
MOST_HITS = 100
USUAL_HITS = 30
_DOCS = "/docs"


class SearchQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """What is looked for, and in which language the results are."""

    q: Annotated[str, Meta(max_length=MOST_LETTERS)]
    lang: str = DEFAULT_LANGUAGE
    kind: Kind | None = None
    as_typed: bool = False
    limit: Annotated[int, Meta(ge=1, le=MOST_HITS)] = USUAL_HITS


def answered(index: SearchIndex, query: SearchQuery) -> JsonObject:
    """What is found, as the response has it."""
    found = index.search(query.q, query.lang, kind=query.kind, as_typed=query.as_typed)
    return {
        "total": sum(found.counts.values()),
        "kinds": [{"kind": kind, "count": count} for kind, count in found.counts.items()],
        "versions": list(menu()),
        "hits": _entries([hit.entry for hit in found.hits[: query.limit]], query.lang),
        "also": list(found.also),
        "corrected": list(found.corrected),
        "marks": list(found.marks),
        "nearest": _entries(found.nearest, query.lang),
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
    if not entry.address.startswith(_DOCS):
        return entry.address
    path, mark, anchor = entry.address.partition("#")
    return f"{path}?lang={lang}{mark}{anchor}"
