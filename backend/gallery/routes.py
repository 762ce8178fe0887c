"""The gallery: shares that may be listed, newest first."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query
from pydantic import Field

from backend.http.parameters import reject_repeated, require_id
from backend.http.responses import PlainJsonResponse
from backend.http.schemas import Shape, Text
from backend.services import CountUnknownIds, ReaderDep
from backend.shares import repository
from backend.shares.tables import ShareRow
from sim_engine.identifiers import FrameNumber

router = APIRouter(
    prefix="/gallery", tags=["gallery"], dependencies=[Depends(reject_repeated), CountUnknownIds]
)
_MOST = 24


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


@router.get("", response_model=GalleryRead)
async def read_gallery(
    db: ReaderDep,
    after: Annotated[
        str | None, Query(description="`next` of a response: the last share that it lists.")
    ] = None,
) -> PlainJsonResponse:
    """Shares that their authors allow to be listed. Shares that are deleted or taken down disappear
    immediately.
    """
    last = None if after is None else require_id(after)
    rows = await repository.list_listed(db, after=last, most=_MOST + 1)
    shown = rows[:_MOST]
    return PlainJsonResponse(
        {
            "shares": [_described(row) for row in shown],
            "next": shown[-1].sid if len(rows) > _MOST else None,
        }
    )


def _described(row: ShareRow) -> dict[str, object]:
    # The same facts that the analytics read. Seals are not checked here, so some may be missing.
    count = {
        name: row.facts.get(name, 0) for name in ("acked_all", "acked_1", "lost_all", "lost_1")
    }
    return {
        "sid": row.sid,
        "at": row.at_frame,
        "title": row.title,
        "note": row.note,
        "kafka": row.kafka,
        "control": row.control,
        "scenario_id": row.scenario_id,
        "created": row.created_at.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "acked": _sum(count["acked_all"], count["acked_1"]),
        "lost": _sum(count["lost_all"], count["lost_1"]),
    }


def _sum(*counts: object) -> int:
    return sum(count for count in counts if isinstance(count, int))
