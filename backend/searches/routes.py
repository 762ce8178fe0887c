"""Searches over HTTP: one request, and its progress as server-sent events."""

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import StreamingResponse

from backend.frame_schemas import Problem
from backend.guess_limit import CountMisses
from backend.json_response import described
from backend.parameters import SessionId, reject_repeated
from backend.searches.schemas import SearchCreate, SearchProgress, SearchRead
from backend.searches.service import Searches

router = APIRouter(
    prefix="/sessions/{id}/searches",
    tags=["searches"],
    dependencies=[Depends(reject_repeated), CountMisses],
)


def get_searches(request: Request) -> Searches:
    searches = request.app.state.searches
    assert isinstance(searches, Searches)
    return searches


@router.post(
    "",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "`progress` events, then one `result` or `error`.",
            "content": {"text/event-stream": {}},
            "model": SearchProgress | SearchRead,
        },
        404: described(Problem, "No such session."),
        422: described(Problem, "JSON, and something in it is wrong."),
        503: described(Problem, "Others are searching."),
    },
)
async def search(
    session_id: SessionId, body: SearchCreate, searches: Annotated[Searches, Depends(get_searches)]
) -> StreamingResponse:
    """Look for the shortest way from a frame to a violation of a property.

    Closing the connection ends the search. The result is a violation, or none within the bound,
    or that it was cut short; never that all is well.
    """
    question = await searches.ask(session_id, body)
    return StreamingResponse(searches.events(question), media_type="text/event-stream")
