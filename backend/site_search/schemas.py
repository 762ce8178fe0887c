"""The documents of the search."""

from typing import Annotated

from pydantic import Field

from backend.http.schemas import Shape, reference
from backend.site_search.entries import Kind
from sim_engine.documents.lesson_entries import PictureDocument


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
