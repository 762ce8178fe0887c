"""The routes of scenarios that are being written. Nothing is stored."""

from typing import Annotated, Any

from fastapi import Depends, Query, Request, Response

from backend.answers import drafts
from backend.answers.requests import DraftCheck, ImportCreate
from backend.drafts.schemas import BranchFileRead, DraftRead, ImportRead
from backend.http.parameters import PlainFrameNumber, SessionId, reject_repeated
from backend.http.responses import PlainJsonResponse, described
from backend.http.schemas import Problem
from backend.routing.compression import ConstantJson
from backend.routing.files import kept_as_file
from backend.routing.routes import API, DelegatedRoute, Router
from backend.services import CountUnknownIds, LanesDep, LimitActions, TimelinesDep
from backend.sessions.schemas import Declared
from sim_engine.scenario_reader.schema import scenario_schema

router = Router(
    prefix=API, route_class=DelegatedRoute, tags=["drafts"], dependencies=[Depends(reject_repeated)]
)

# Any: the type of FastAPI's own parameter.
_REFUSED: dict[int | str, dict[str, Any]] = {
    422: described(Problem, "The errors, with line and column.")
}


@router.post("/drafts", response_model=DraftRead, dependencies=[LimitActions], responses=_REFUSED)
async def check_draft(body: Declared[DraftCheck], lanes: LanesDep) -> PlainJsonResponse:
    """Validates a scenario file and returns its state at the start, or after its first steps."""
    return PlainJsonResponse(await lanes.compute(drafts.preview, body.scenario_text, body.after))


@router.post("/imports", response_model=ImportRead, dependencies=[LimitActions], responses=_REFUSED)
async def import_from_cluster(body: Declared[ImportCreate], lanes: LanesDep) -> PlainJsonResponse:
    """Creates a scenario from the output of Kafka's tools and from brokers' checkpoint files.

    Every line that cannot be parsed is reported as an error with its line number, and no scenario
    is created.
    """
    return PlainJsonResponse(await lanes.compute(drafts.imported, body))


@router.get("/schemas/scenario", response_model=dict[str, object])
@kept_as_file()
async def read_scenario_schema(request: Request) -> Response:
    """The JSON Schema of a scenario file, for editors."""
    return await _schema.respond(request)


@router.get(
    "/sessions/{id}/file",
    response_model=BranchFileRead,
    dependencies=[CountUnknownIds],
    responses={404: described(Problem, "No such session.")},
)
async def read_branch_as_file(
    session_id: SessionId,
    timelines: TimelinesDep,
    at: Annotated[
        PlainFrameNumber | None, Query(ge=0, description="The last frame. Default: the newest.")
    ] = None,
) -> PlainJsonResponse:
    """The branch up to a frame as a scenario file, including the author's words in their places."""
    async with timelines.alone_with(session_id) as opened:
        document = await timelines.lanes.compute(drafts.branch_file, opened, at)
    return PlainJsonResponse(document)


_schema = ConstantJson(scenario_schema)
