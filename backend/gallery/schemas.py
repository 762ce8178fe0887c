"""The shapes of the gallery on the wire."""

from pydantic import Field

from backend.http.answers import Shape, Text


class ListedShareRead(Shape):
    """A share that may be listed, and how its branch ended."""

    sid: str
    at: int = Field(description="The frame that it opens at.")
    title: Text
    note: str | None
    kafka: str
    control: str
    scenario_id: str | None
    created: str
    acked: int = Field(description="How many records were acknowledged.")
    lost: int = Field(description="How many of those were lost.")


class GalleryRead(Shape):
    shares: list[ListedShareRead] = Field(description="The newest first.")
    next: str | None = Field(description="For `after`, where there are more; else null.")
