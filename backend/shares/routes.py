"""The routes of shares: create, read, fork, and delete with the token. Shares never change."""

from typing import Annotated, Literal

from fastapi import Depends, Header, Query, Request, Response, status

from backend.answers.responses import describe
from backend.http.errors import invalid
from backend.http.parameters import (
    PlainFrameNumber,
    PlainNumber,
    ShareId,
    bearer_of,
    reject_repeated,
    require_id,
)
from backend.http.responses import PlainJsonResponse, described
from backend.http.schemas import Problem
from backend.routing.routes import API, DelegatedShare, Router
from backend.services import (
    CountUnknownIds,
    LanesDep,
    LimitSessions,
    LimitShares,
    LimitStored,
    MetricsDep,
    ServicesDep,
    SharesDep,
)
from backend.sessions.ownership import new_key, owner_key_member
from backend.sessions.schemas import ForkCreate, OperatorWordsRead, StoryRead
from backend.shares.representations import draw_card, share_document
from backend.shares.schemas import ForkRead, ShareCreate, ShareCreated, ShareRead
from backend.shares.share import story_through

router = Router(
    route_class=DelegatedShare,
    prefix=f"{API}/shares",
    tags=["shares"],
    dependencies=[Depends(reject_repeated), CountUnknownIds],
    responses={404: described(Problem, "No such share."), 410: described(Problem, "Deleted.")},
)


@router.post(
    "",
    status_code=status.HTTP_201_CREATED,
    response_model=ShareCreated,
    dependencies=[LimitShares, LimitStored],
    responses={
        200: described(ShareCreated, "This key has already created this share."),
        400: described(Problem, "The Idempotency-Key is missing, or the body is not JSON."),
        422: described(Problem, "Invalid content, or the key was used with another body."),
    },
)
async def create_share(
    body: ShareCreate,
    services: ServicesDep,
    idempotency_key: Annotated[
        str,
        Header(
            description="Chosen by the client, different for each share. A UUID is recommended."
        ),
    ],
) -> PlainJsonResponse:
    """Shares the branch through `at`, up to its end, or with `branches` the whole run. The link
    opens at `at`."""
    body = body.model_copy(update={"session": require_id(body.session)})
    created = await services.shares.create(body, idempotency_key)
    if not created.repeated:
        services.metrics.shares_created.inc()
        # A crawler asks once, seconds after the link was sent.
        await draw_card(services, created.sid)
    base = services.settings.base_url
    return PlainJsonResponse(
        {
            "sid": created.sid,
            "url": f"{base}/s/{created.sid}",
            "embed_url": f"{base}/e/v1/s/{created.sid}",
            "svg_url": f"{base}/s/{created.sid}.svg",
            "delete_token": created.delete_token,
            "digest": created.digest,
            "title": created.title,
        },
        status_code=status.HTTP_200_OK if created.repeated else status.HTTP_201_CREATED,
    )


@router.get("/{sid}", response_model=ShareRead)
async def read_share(
    sid: ShareId,
    request: Request,
    shares: SharesDep,
    lanes: LanesDep,
    first: Annotated[PlainNumber, Query(alias="from", ge=0)] = 0,
    last: Annotated[PlainNumber | None, Query(alias="to", ge=0, description="Exclusive.")] = None,
    full: Annotated[
        Literal["0", "1"], Query(description="1: every frame has its complete state.")
    ] = "0",
) -> Response:
    """The contents of a share: the frames of the branch as they were when it was shared.

    Frames are as in a session's timeline: the first has its complete `state`, and so do some later
    ones. All others have a `patch` against the state of the previous entry.

    With `from`, `to` or `full` the response has the frames at those positions of the branch, at
    most 16 MiB. `next` is the position of the first one that did not fit.
    """
    share = await shares.get(sid)
    if first == 0 and last is None and full == "0":
        return await share_document(request, share, lanes)
    if last is not None and last < first:
        raise invalid("/to", "must not be before from")
    end = len(share.entries) if last is None else last
    return PlainJsonResponse(await lanes.compute(share.part, first, end, full=full == "1"))


@router.get("/{sid}/story", response_model=StoryRead)
async def read_share_story(
    sid: ShareId,
    shares: SharesDep,
    lanes: LanesDep,
    at: Annotated[PlainFrameNumber, Query(ge=0, description="A frame of the share.")],
) -> PlainJsonResponse:
    """The steps of the branch through a frame, to its end, for a share with all branches.

    If branches fork after the frame, the branch on which the link opens is used if it contains the
    frame, otherwise the one that continues the frame.
    """
    share = await shares.get(sid)
    head, story = await lanes.compute(story_through, share, at)
    return PlainJsonResponse({"head": head, "story": story})


@router.get("/{sid}/words", response_model=OperatorWordsRead)
async def read_operator_words_of_share(
    sid: ShareId,
    shares: SharesDep,
    at: Annotated[PlainFrameNumber, Query(ge=0, description="A frame of the share.")],
) -> PlainJsonResponse:
    """What an operator of a real cluster would see, as for a session. The steps are replayed with
    the current engine.
    """
    return PlainJsonResponse(await shares.operator_words(sid, at))


@router.delete("/{sid}", status_code=status.HTTP_204_NO_CONTENT, dependencies=[LimitShares])
async def delete_share(
    sid: ShareId,
    shares: SharesDep,
    authorization: Annotated[
        str | None, Header(description="`Bearer` and the delete token.")
    ] = None,
) -> Response:
    """Deletes the contents of a share. Afterwards the link returns 410. A wrong token returns
    404."""
    await shares.delete(sid, bearer_of(authorization))
    return Response(status_code=status.HTTP_204_NO_CONTENT)


@router.post(
    "/{sid}/fork",
    status_code=status.HTTP_201_CREATED,
    response_model=ForkRead,
    dependencies=[LimitSessions, LimitStored],
)
async def fork_share(
    sid: ShareId, shares: SharesDep, metrics: MetricsDep, body: ForkCreate | None = None
) -> PlainJsonResponse:
    """Creates a new session with the steps of the share. The body is optional."""
    owner_key = new_key(owned=body is not None and body.owned)
    opened, at = await shares.fork(sid, owner_key)
    metrics.sessions_created.labels(source="share").inc()
    return PlainJsonResponse(
        {**describe(opened), **owner_key_member(owner_key), "at": at},
        status_code=status.HTTP_201_CREATED,
    )
