"""The gallery: shares that may be listed, newest first, and what the project itself shows."""

from typing import Annotated

from fastapi import Depends, Query, Request, Response
from pydantic import Field

from backend.documentation.contents import PAGES, lesson_of_finding, page_address
from backend.http.parameters import reject_repeated, require_id
from backend.http.responses import PlainJsonResponse
from backend.http.schemas import Shape, Text
from backend.routing.compression import ConstantJson
from backend.routing.files import kept_as_file
from backend.routing.routes import API, Router
from backend.services import CountUnknownIds, ReaderDep
from backend.shares import repository
from backend.shares.tables import ShareRow
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.reader import load_shipped

router = Router(
    prefix=f"{API}/gallery",
    tags=["gallery"],
    dependencies=[Depends(reject_repeated), CountUnknownIds],
)
LARGEST_PAGE = 24

_KNOWN = (
    "kip-101-data-loss",
    "fast-leader-failover",
    "unnoticed-bounce",
    "unclean-election",
    "surviving-copy-destroyed",
    "last-replica-standing",
    "whole-cluster-power-loss",
)
"""The lessons of failures that Kafka's KIPs and issues describe, the earliest first."""


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


class OwnRunRead(Shape):
    """A lesson that the project shows in the gallery."""

    lesson: str
    title: Text
    summary: Text
    kafka: str
    source: list[str] = Field(description="The KIPs and issues that it follows.")
    finding: str | None = Field(
        description="The address of the finding that it shows; null for a failure that was known."
    )


class OwnRunListRead(Shape):
    """What the project itself shows, the findings first."""

    runs: list[OwnRunRead]


@router.get("/own", response_model=OwnRunListRead)
@kept_as_file()
async def read_own_runs(request: Request) -> Response:
    """The project's findings and the best-known failures, each as a lesson."""
    return await _own.respond(request)


@ConstantJson
def _own() -> JsonObject:
    found = {lesson: page for page in PAGES if (lesson := lesson_of_finding(page)) is not None}
    known = dict.fromkeys(_KNOWN)
    return {"runs": [_own_run(*one) for one in (*found.items(), *known.items())]}


def _own_run(lesson: str, finding: str | None) -> JsonObject:
    scenario = load_shipped(lesson)
    return {
        "lesson": lesson,
        "title": scenario.title,
        "summary": scenario.summary,
        "kafka": scenario.kafka,
        "source": [name for name in scenario.source if name.startswith(("KIP-", "KAFKA-"))],
        "finding": None if finding is None else page_address(finding),
    }


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
    rows = await repository.list_listed(db, after=last, most=LARGEST_PAGE + 1)
    shown = rows[:LARGEST_PAGE]
    return PlainJsonResponse(
        {
            "shares": [_described(row) for row in shown],
            "next": shown[-1].sid if len(rows) > LARGEST_PAGE else None,
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
