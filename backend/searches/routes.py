"""The routes of searches: one request, with its progress as server-sent events."""

from typing import Annotated

from fastapi import Depends, Path, Request, Response, status
from starlette.responses import StreamingResponse

from backend.answers.long_requests import SearchCreate
from backend.http.parameters import SessionId, reject_repeated
from backend.http.responses import described
from backend.http.schemas import Problem
from backend.limit_table import SEARCH_FAULTS
from backend.routing.compression import ConstantJson
from backend.routing.files import kept_as_file
from backend.routing.routes import API, DelegatedRoute, Router
from backend.searches.schemas import (
    SearchableFaultListRead,
    SearchProgress,
    SearchRead,
    SearchStarted,
)
from backend.services import CountUnknownIds, LimitActions, LimitSearches, SearchesDep
from backend.sessions.schemas import Declared
from backend.workers.work import WorkStream
from sim_engine.exploration.alphabet import BUDGET_NAMES, DEFAULT_BUDGET, FAULT_KINDS

router = Router(prefix=API, route_class=DelegatedRoute, tags=["searches"])


@router.get("/searches/faults", response_model=SearchableFaultListRead)
@kept_as_file()
async def list_searchable_faults(request: Request) -> Response:
    """The faults that a search budget may contain, with the default number of each."""
    return await _faults.respond(request)


@ConstantJson
def _faults() -> dict[str, object]:
    faults = [
        {"name": name, "allowed": _allowed(name), "most": SEARCH_FAULTS.number}
        for name in BUDGET_NAMES
    ]
    # Faults with a default come first; within each group the engine's order is kept.
    return {"faults": sorted(faults, key=lambda fault: not fault["allowed"])}


def _allowed(name: str) -> int | None:
    return DEFAULT_BUDGET.get(name, 0 if name in FAULT_KINDS else None)


@router.post(
    "/sessions/{id}/searches",
    dependencies=[Depends(reject_repeated), CountUnknownIds, LimitSearches],
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "A `started` event, `progress` events, then one `result` or `error`.",
            "content": {"text/event-stream": {}},
            "model": SearchStarted | SearchProgress | SearchRead,
        },
        404: described(Problem, "No such session."),
        422: described(Problem, "Valid JSON, but invalid content."),
        503: described(Problem, "All search slots are in use."),
    },
)
async def search_for_failure(
    session_id: SessionId, body: Declared[SearchCreate], searches: SearchesDep
) -> StreamingResponse:
    """Searches for the shortest path from a frame to a violation of a property.

    The same request again joins the search while it runs, and for a minute after it has ended. If
    every connection to it is closed, it stops after 20 seconds. The result is a violation, none
    within the bound, not exercised, or incomplete. Finding nothing does not prove safety.
    """
    running = await searches.ask(session_id, body)
    return WorkStream(running, searches.leave)


@router.delete(
    "/sessions/{id}/searches/{search_id}",
    status_code=status.HTTP_204_NO_CONTENT,
    dependencies=[Depends(reject_repeated), CountUnknownIds, LimitActions],
    responses={404: described(Problem, "No such session.")},
)
async def stop_search(
    session_id: SessionId,
    search_id: Annotated[str, Path(description="The `id` of its `started` event.")],
    searches: SearchesDep,
) -> None:
    """Stops a search, if it still runs. Everyone who listens to it receives its result so far, with
    the verdict `cut`.
    """
    searches.stop_of(session_id, search_id)
