"""The search over everything that the site shows."""

from functools import partial
from typing import Annotated

from fastapi import Depends, Query
from pydantic import Field

from backend.http.parameters import LanguageDep, LanguageQuery, PlainNumber, reject_repeated
from backend.http.responses import PlainJsonResponse
from backend.http.schemas import Shape, reference
from backend.routing.routes import API, Router
from backend.services import ServicesDep
from backend.site_contents.kept import made_index, search_index
from backend.site_search.answer import MOST_HITS, MOST_LETTERS, USUAL_HITS, SearchQuery, answered
from backend.site_search.entry import Kind
from sim_engine.documents.lesson_entries import PictureDocument

router = Router(prefix=API, tags=["search"])


class FoundEntryRead(Shape):
    """One thing that was found."""

    kind: Kind
    id: str = Field(description="Its name among those of its kind.")
    title: str
    text: str = Field(description="A line about it.")
    lang: str = Field(description="The language of the title and of the line.")
    address: str = Field(description="The exact place, as a path of this site.")
    sign: str | None = Field(
        description="The number of an error; the assessment of a claim, or question."
    )
    holds: list[bool] | None = Field(
        description="For a claim, for each release of `versions`: whether it is correct; null for "
        "anything else."
    )
    picture: Annotated[object, reference(PictureDocument)] | None = Field(
        description="The small picture of a lesson; null for anything else."
    )


class FoundKindRead(Shape):
    """How many entries of one kind were found."""

    kind: Kind
    count: int


class SiteSearchRead(Shape):
    """What was found, best first."""

    total: int = Field(description="How many entries were found, of every kind.")
    kinds: list[FoundKindRead] = Field(description="In the order of their best entries.")
    versions: list[str] = Field(description="The releases on the menu, oldest first.")
    hits: list[FoundEntryRead] = Field(description="The best ones, up to `limit`.")
    also: list[str] = Field(description="The words of this site that were searched too.")
    corrected: list[str] = Field(
        description="Similar words, searched instead of words that occur nowhere."
    )
    marks: list[str] = Field(description="The words to mark in titles.")
    nearest: list[FoundEntryRead] = Field(
        description="If nothing is found: what is called similarly."
    )


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
    limit: Annotated[
        PlainNumber, Query(ge=1, le=MOST_HITS, description="The most hits.")
    ] = USUAL_HITS,
) -> PlainJsonResponse:
    """Searches lessons and their steps, claims of articles, terms, settings, errors, metrics and
    log lines, known ways to lose, releases, KIPs, challenges, the documentation, and what is left
    out, in every language.

    Words that this site calls otherwise are also searched by its own name, and words that occur
    nowhere by similar ones.
    """
    build = services.frontend.folder
    index = made_index(build)
    if index is None:
        async with services.lanes.alone("search index"):
            index = await services.lanes.prepare(partial(search_index, build))
    query = SearchQuery(q, lang or preferred, kind, as_typed, limit)
    return PlainJsonResponse(await services.lanes.compute(answered, index, query))
