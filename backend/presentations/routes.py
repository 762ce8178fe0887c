"""The routes of presentations: a presenter moves the playhead, and others follow through
server-sent events."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Header, Path, Query, Response, status
from fastapi.routing import APIRoute
from starlette.responses import StreamingResponse

from backend.answers.responses import describe
from backend.http.parameters import bearer_of, reject_repeated, require_id
from backend.http.responses import PlainJsonResponse, described
from backend.http.schemas import Problem
from backend.presentations.schemas import (
    AudienceRead,
    MomentShown,
    PresentationCreate,
    PresentationCreated,
    SceneRead,
    VoteCreate,
)
from backend.presentations.service import require_code
from backend.routing.routes import API, DelegatedRoute, JsonRoute, Router
from backend.services import (
    CountUnknownIds,
    LanesDep,
    LimitActions,
    LimitSessions,
    LimitShares,
    LimitStored,
    MetricsDep,
    PresentationsDep,
    SettingsDep,
)
from backend.sessions.ownership import new_key, owner_key_member
from backend.sessions.schemas import ForkCreate, SessionCreated


def _router(route_class: type[APIRoute]) -> APIRouter:
    return Router(
        prefix=f"{API}/presentations",
        route_class=route_class,
        tags=["presentations"],
        dependencies=[Depends(reject_repeated), CountUnknownIds],
        responses={
            404: described(Problem, "No such presentation, or not its token."),
            410: described(Problem, "The presentation has ended."),
            422: described(Problem, "Valid JSON, but invalid content."),
        },
    )


# The computing process has no followers, so it only answers the routes that compute something.
_of_runs = _router(DelegatedRoute)
_of_followers = _router(JsonRoute)


async def _known_code(code: Annotated[str, Path()]) -> str:
    return require_code(code)


async def _bearer(
    authorization: Annotated[
        str | None, Header(description="`Bearer` and the presentation's token.")
    ] = None,
) -> str:
    return bearer_of(authorization)


Code = Annotated[str, Depends(_known_code)]
Token = Annotated[str, Depends(_bearer)]


@_of_runs.post(
    "",
    status_code=status.HTTP_201_CREATED,
    response_model=PresentationCreated,
    dependencies=[LimitShares, LimitStored],
)
async def create_presentation(
    body: PresentationCreate, presentations: PresentationsDep, settings: SettingsDep
) -> PlainJsonResponse:
    """Starts a presentation of a session. Anyone with the address can watch, but not change
    anything."""
    body = body.model_copy(update={"session": require_id(body.session)})
    code, token = await presentations.create(body)
    return PlainJsonResponse(
        {"code": code, "url": f"{settings.base_url}/p/{code}", "token": token},
        status_code=status.HTTP_201_CREATED,
    )


@_of_runs.put(
    "/{code}", status_code=status.HTTP_204_NO_CONTENT, dependencies=[LimitActions, LimitStored]
)
async def show_moment(
    code: Code, body: MomentShown, presentations: PresentationsDep, token: Token
) -> Response:
    """Moves the playhead, asks a question, reveals the answer, or blanks the screen."""
    await presentations.show(code, token, body)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@_of_followers.delete(
    "/{code}", status_code=status.HTTP_204_NO_CONTENT, dependencies=[LimitActions]
)
async def end_presentation(code: Code, presentations: PresentationsDep, token: Token) -> Response:
    """Ends the presentation for all followers."""
    await presentations.end(code, token)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@_of_followers.post(
    "/{code}/votes",
    status_code=status.HTTP_204_NO_CONTENT,
    dependencies=[LimitActions, LimitStored],
)
async def vote_in_presentation(
    code: Code, body: VoteCreate, presentations: PresentationsDep
) -> Response:
    """Answers the current question. A vote can be changed until the answer is revealed."""
    await presentations.vote(code, body)
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@_of_runs.post(
    "/{code}/fork",
    status_code=status.HTTP_201_CREATED,
    response_model=SessionCreated,
    dependencies=[LimitSessions, LimitStored],
    responses={409: described(Problem, "The presentation has not ended.")},
)
async def fork_presentation(
    code: Code,
    presentations: PresentationsDep,
    lanes: LanesDep,
    metrics: MetricsDep,
    body: ForkCreate | None = None,
) -> PlainJsonResponse:
    """Creates a new session with the steps of the run up to what was shown last, once the
    presentation has ended. `head` is that frame. The body is optional.
    """
    owner_key = new_key(owned=body is not None and body.owned)
    opened = await presentations.fork(code, owner_key)
    metrics.sessions_created.labels(source="presentation").inc()
    document = await lanes.compute(describe, opened)
    return PlainJsonResponse(
        {**document, **owner_key_member(owner_key)}, status_code=status.HTTP_201_CREATED
    )


@_of_runs.get("/{code}/scene", response_model=SceneRead)
async def read_scene(code: Code, presentations: PresentationsDep) -> PlainJsonResponse:
    """What is shown now, as in a `scene` event. After the end it is the last scene."""
    return PlainJsonResponse(await presentations.scene(code))


@_of_followers.get(
    "/{code}/events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "`scene` and `audience` events: first the complete current state, then "
            "every change. After a reconnect the complete state is sent again.",
            "content": {"text/event-stream": {}},
            "model": SceneRead | AudienceRead,
        },
        503: described(Problem, "The presentation has reached its limit of followers."),
    },
)
async def follow_presentation(
    code: Code,
    presentations: PresentationsDep,
    role: Annotated[
        Literal["follower", "presenter"],
        Query(alias="as", description="The presenter's own page is not counted."),
    ] = "follower",
) -> StreamingResponse:
    """Follows a presentation."""
    events = await presentations.follow(code, counted=role == "follower")
    return StreamingResponse(
        events, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"}
    )


router = Router()
router.routes += [*_of_runs.routes, *_of_followers.routes]
