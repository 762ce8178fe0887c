"""The schemas of the gallery."""

from pydantic import Field

from backend.http.response_models import Shape, Text
from sim_engine import FrameNumber


class ListedShareRead(Shape):
    """A listed share, and how its branch ended."""

    sid: str
    at: FrameNumber = Field(description="The frame at which it opens.")
    title: Text
    note: str | None
    kafka: str
    control: str
    scenario_id: str | None
    created: str
    acked: int = Field(description="The number of acknowledged records.")
    lost: int = Field(description="The number of acknowledged records that were lost.")


class GalleryRead(Shape):
    """One page of the gallery."""

    shares: list[ListedShareRead] = Field(description="The newest first.")
    next: str | None = Field(
        description="The value of `after` for the next page; null on the last page."
    )
