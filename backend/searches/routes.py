"""The routes of searches: one request, with its progress as server-sent events."""

from collections.abc import AsyncIterator, Callable

from fastapi import APIRouter, Depends, Request, Response
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from backend.http.parameters import SessionId, reject_repeated
from backend.http.responses import described
from backend.http.schemas import Problem
from backend.limit_table import SEARCH_FAULTS
from backend.routing.compression import ConstantJson
from backend.routing.routes import DelegatedRoute
from backend.searches.schemas import (
    SearchableFaultListRead,
    SearchCreate,
    SearchProgress,
    SearchRead,
)
from backend.services import CountUnknownIds, LimitSearches, SearchesDep
from sim_engine.exploration.alphabet import BUDGET_NAMES, DEFAULT_BUDGET, FAULT_KINDS

router = APIRouter(route_class=DelegatedRoute, tags=["searches"])


@router.get("/searches/faults", response_model=SearchableFaultListRead)
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
            "description": "`progress` events, then one `result` or `error`.",
            "content": {"text/event-stream": {}},
            "model": SearchProgress | SearchRead,
        },
        404: described(Problem, "No such session."),
        422: described(Problem, "Valid JSON, but invalid content."),
        503: described(Problem, "All search slots are in use."),
    },
)
async def search(
    session_id: SessionId, body: SearchCreate, searches: SearchesDep
) -> StreamingResponse:
    """Searches for the shortest path from a frame to a violation of a property.

    Closing the connection stops the search. The result is a violation, none within the bound, or
    incomplete. Finding nothing does not prove safety.
    """
    request = await searches.ask(session_id, body)
    return _Turn(searches.events(request), searches.end)


class _Turn(StreamingResponse):
    """An event stream that releases its lane even if the client never reads from it."""

    def __init__(self, events: AsyncIterator[bytes], end: Callable[[], None]) -> None:
        super().__init__(events, media_type="text/event-stream")
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._end()
