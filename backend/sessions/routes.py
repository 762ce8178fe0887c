"""The routes of sessions. Actions use the step syntax of scenario files."""

from typing import Annotated, Literal

from fastapi import Depends, Header, Query, status
from msgspec import structs

from backend.answers import replay, responses
from backend.answers.requests import ActionCreate, ComparisonCreate, Level, SessionCreate
from backend.http.parameters import (
    PlainFrameNumber,
    PlainNumber,
    SessionId,
    reject_repeated,
    require_id,
)
from backend.http.responses import PlainJsonResponse, described
from backend.http.schemas import Problem, Refusal
from backend.routing.routes import API, DelegatedRoute, Router
from backend.services import (
    CountUnknownIds,
    LimitActions,
    LimitSessions,
    LimitStored,
    MetricsDep,
    TimelinesDep,
)
from backend.sessions import schemas, service
from backend.sessions.ownership import new_key, owner_key_member

Authorization = Annotated[str | None, Header(description="`Bearer` and the owner's key.")]

router = Router(
    route_class=DelegatedRoute,
    prefix=f"{API}/sessions",
    tags=["sessions"],
    dependencies=[Depends(reject_repeated), CountUnknownIds],
    responses={
        404: described(Problem, "No such session."),
        422: described(Problem, "Valid JSON, but invalid content."),
    },
)


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    response_model=schemas.SessionCreated,
    dependencies=[LimitSessions, LimitStored],
)
async def create_session(
    body: schemas.Declared[SessionCreate], timelines: TimelinesDep, metrics: MetricsDep
) -> PlainJsonResponse:
    """Starts a run of a shipped scenario, of your own scenario, or of the steps of another session.

    All steps of the scenario are performed first, so `head` is the last frame.
    """
    if body.session is not None:
        body = structs.replace(body, session=require_id(body.session))
    owner_key = new_key(owned=body.owned)
    opened = await service.create(timelines, body, owner_key)
    origin = (
        "shipped"
        if body.scenario_id
        else "session"
        if body.session is not None
        else "link"
        if body.run is not None
        else "document"
    )
    metrics.sessions_created.labels(source=origin).inc()
    document = await timelines.lanes.compute(responses.describe, opened)
    return PlainJsonResponse(
        {**document, **owner_key_member(owner_key)}, status_code=status.HTTP_201_CREATED
    )


@router.get("/{id}", response_model=schemas.SessionRead)
async def read_session(session_id: SessionId, timelines: TimelinesDep) -> PlainJsonResponse:
    """A session and its branches."""
    async with timelines.alone_with(session_id) as opened:
        return PlainJsonResponse(await timelines.lanes.compute(responses.describe, opened))


@router.post(
    "/{id}/actions",
    status_code=status.HTTP_201_CREATED,
    response_model=schemas.ActionRead,
    dependencies=[LimitActions, LimitStored],
    responses={
        200: described(schemas.ActionRead, "The same step was already performed after this frame."),
        403: described(Problem, "The session has an owner, and the key is missing or wrong."),
        409: described(Refusal, "The step is not possible in this state. Nothing was stored."),
    },
)
async def take_step(
    session_id: SessionId,
    body: schemas.Declared[ActionCreate],
    timelines: TimelinesDep,
    metrics: MetricsDep,
    authorization: Authorization = None,
) -> PlainJsonResponse:
    """Performs one step after a frame. If the frame is not the head of its branch, the step starts
    a new branch.

    A session that was created with `owned` requires `Authorization: Bearer` with its `owner_key`.

    Requests are idempotent: the same step after the same frame returns the existing frames, so a
    retry or a second tab does not create duplicates.

    The response contains everything that a client needs to continue from `head`: the steps that are
    possible next and, if the request has `known`, the frames that the client is missing.
    """
    acted = await service.act(timelines, session_id, body, authorization)
    metrics.actions.labels(outcome="repeated" if acted.repeated else "done").inc()
    return PlainJsonResponse(
        acted.document,
        status_code=status.HTTP_200_OK if acted.repeated else status.HTTP_201_CREATED,
    )


@router.get("/{id}/timeline", response_model=schemas.TimelineRead)
async def read_timeline(
    session_id: SessionId,
    timelines: TimelinesDep,
    first: Annotated[PlainNumber, Query(alias="from", ge=0)] = 0,
    last: Annotated[PlainNumber | None, Query(alias="to", ge=0, description="Exclusive.")] = None,
    full: Annotated[
        Literal["0", "1"], Query(description="1: every frame has its complete state.")
    ] = "0",
) -> PlainJsonResponse:
    """Frames by number, at most 500 and at most 16 MiB in one response. `next` is the first
    requested frame that did not fit.

    The first frame has its complete `state`, and so do some later ones. All others have a `patch`
    (RFC 6902) against the state of the previous frame in this response. That is the frame with the
    previous number, which is not necessarily the `parent`.
    """
    async with timelines.alone_with(session_id) as opened:
        document = await timelines.lanes.compute(
            responses.timeline_document, opened, first, last, full=full == "1"
        )
    return PlainJsonResponse(document)


@router.get("/{id}/story", response_model=schemas.StoryRead)
async def read_story(
    session_id: SessionId,
    timelines: TimelinesDep,
    at: Annotated[
        PlainFrameNumber | None, Query(ge=0, description="A frame. Default: the newest.")
    ] = None,
) -> PlainJsonResponse:
    """The steps of the branch through a frame, from its start to its end.

    If several branches contain the frame, the one that continues its branch is used.
    """
    async with timelines.alone_with(session_id) as opened:
        document = await timelines.lanes.compute(responses.story, opened, at)
    return PlainJsonResponse(document)


@router.get("/{id}/link", response_model=schemas.RunLinkRead)
async def read_run_for_link(
    session_id: SessionId,
    timelines: TimelinesDep,
    at: Annotated[PlainFrameNumber, Query(ge=0, description="The frame at which the link opens.")],
    level: Annotated[Level, Query(description="The step size when the link is opened.")] = "story",
    end: Annotated[
        PlainFrameNumber | None, Query(ge=0, description="The end of the branch through `at`.")
    ] = None,
) -> PlainJsonResponse:
    """A branch as its scenario and steps, for a full-state link. Nothing is stored.

    A client packs it into a fragment (/docs/reference/links). The page that opens the link sends it
    as `run` of `POST /sessions`.
    """
    async with timelines.alone_with(session_id) as opened:
        document = await timelines.lanes.compute_long(
            responses.run_for_link, opened, at, end, level
        )
    return PlainJsonResponse(document)


@router.get("/{id}/choices", response_model=list[schemas.ChoiceRead])
async def list_choices(
    session_id: SessionId, timelines: TimelinesDep, after: Annotated[PlainFrameNumber, Query(ge=0)]
) -> PlainJsonResponse:
    """All steps after a frame. Each step that is not possible has the reason."""
    async with timelines.alone_with(session_id) as opened:
        document = await timelines.lanes.compute(responses.choices, opened, after)
    return PlainJsonResponse(document)


@router.get("/{id}/words", response_model=schemas.OperatorWordsRead)
async def read_operator_words_of_session(
    session_id: SessionId,
    timelines: TimelinesDep,
    at: Annotated[PlainFrameNumber, Query(ge=0, description="A frame.")],
) -> PlainJsonResponse:
    """What an operator of a real cluster would see: the metrics after a frame, and the log lines of
    its step up to this frame.
    """
    async with timelines.alone_with(session_id) as opened:
        document = await timelines.lanes.compute(responses.operator_words, opened, at)
    return PlainJsonResponse(document)


@router.post(
    "/{id}/comparisons", response_model=schemas.ComparisonRead, dependencies=[LimitSessions]
)
async def compare_session(
    session_id: SessionId, body: schemas.Declared[ComparisonCreate], timelines: TimelinesDep
) -> PlainJsonResponse:
    """Compares the run with the same steps under another version or other configs, with another
    scenario, or with another branch, and returns where they diverge.

    Two scenarios are aligned on the steps that both have. Steps that only one of them has are
    compared at their end, and `parting` has the first of them.
    """
    async with timelines.alone_with(session_id) as opened:
        document = await timelines.lanes.compute_long(replay.compare, opened, body)
    return PlainJsonResponse(document)
