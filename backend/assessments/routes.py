"""The routes of assessments: what a pasted cluster can lose, its report and its link.

Nothing is stored except by `POST /assessments/shares`.
"""

from typing import Annotated

from fastapi import Depends, Header, Path, Response, status
from starlette.responses import StreamingResponse

from backend.answers.assessing import kept_files, words_of
from backend.answers.long_requests import (
    AssessmentCreate,
    PartitionSearchCreate,
    SearchedAssessmentCreate,
    WordsCreate,
)
from backend.assessments.schemas import (
    AssessmentPageRead,
    AssessmentReport,
    AssessmentShared,
    AssessmentStarted,
    KeptFiles,
)
from backend.http.parameters import LanguageQuery, ShareId, bearer_of, reject_repeated
from backend.http.responses import PlainJsonResponse, described
from backend.http.schemas import Problem
from backend.routing.routes import API, DelegatedRoute, Router
from backend.services import (
    AssessmentsDep,
    CountUnknownIds,
    LanesDep,
    LimitActions,
    LimitSearches,
    LimitShares,
    LimitStored,
    SettingsDep,
)
from backend.sessions.schemas import Declared, OperatorWordsRead
from backend.workers.work import WorkStream
from sim_engine.languages import DEFAULT_LANGUAGE

router = Router(
    route_class=DelegatedRoute,
    prefix=f"{API}/assessments",
    tags=["assessments"],
    dependencies=[Depends(reject_repeated)],
)


@router.post(
    "",
    dependencies=[LimitSearches],
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "A `started` event, then the document: in `progress` events as far as "
            "it is computed, and complete in one `result`. Otherwise one `error`.",
            "content": {"text/event-stream": {}},
            "model": AssessmentStarted,
        },
        422: described(Problem, "The lines that cannot be parsed, with their places."),
        503: described(Problem, "All places for assessments are in use."),
    },
)
async def assess_cluster(
    body: Declared[AssessmentCreate], assessments: AssessmentsDep
) -> StreamingResponse:
    """Assesses a cluster: what one more failure of each sort does to each partition.

    The first document has every partition; its cells that are not computed yet have null as their
    verdict. The same request again joins the assessment while it runs. If the connection is closed,
    it ends.
    """
    return WorkStream(await assessments.ask(body), assessments.leave)


@router.post(
    "/searches",
    dependencies=[LimitSearches],
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "A `started` event, then the searches of the partition: as far as they "
            "are decided in `progress` events, and all in one `result`. Otherwise one `error`.",
            "content": {"text/event-stream": {}},
            "model": AssessmentStarted,
        },
        422: described(Problem, "The lines that cannot be parsed, or an unknown partition."),
        503: described(Problem, "All places for searches of assessments are in use."),
    },
)
async def search_partition(
    body: Declared[PartitionSearchCreate], assessments: AssessmentsDep
) -> StreamingResponse:
    """Searches a partition from its printed state, one question after the other: can an
    acknowledged record be lost without a further failure, with crashes, with one power loss, with
    a leader that is cut off from the controller?

    The same request again joins the search while it runs, and for 15 minutes after it has ended.
    If the connection is closed, it ends. Finding nothing does not prove safety.
    """
    work = await assessments.ask_search(body, body.partition)
    return WorkStream(work, assessments.searches.leave)


@router.delete(
    "/searches/{search_id}", status_code=status.HTTP_204_NO_CONTENT, dependencies=[LimitActions]
)
async def stop_partition_search(
    search_id: Annotated[
        str, Path(pattern=r"^[0-9a-f]{32}$", description="The `id` of its `started` event.")
    ],
    assessments: AssessmentsDep,
) -> None:
    """Stops a search, if it still runs. Everyone who listens to it receives what it has found."""
    assessments.searches.stop(search_id)


@router.post("/report", response_model=AssessmentReport, dependencies=[LimitSearches])
async def write_report(
    body: Declared[SearchedAssessmentCreate],
    assessments: AssessmentsDep,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> PlainJsonResponse:
    """The assessment of the same request as a report in Markdown."""
    return PlainJsonResponse(await assessments.report_of(body, lang))


@router.post("/without-secrets", response_model=KeptFiles, dependencies=[LimitActions])
async def hide_secrets(body: Declared[AssessmentCreate], lanes: LanesDep) -> PlainJsonResponse:
    """The files of a request without the values of secrets, which a page can keep for a reload.

    The service keeps neither."""
    return PlainJsonResponse(await lanes.compute(kept_files, body))


@router.post("/words", response_model=OperatorWordsRead, dependencies=[LimitActions])
async def read_operator_words_of_cluster(
    body: Declared[WordsCreate], lanes: LanesDep
) -> PlainJsonResponse:
    """The metrics of a scenario's first state and the log lines of its run, as a cluster of that
    release reports them."""
    return PlainJsonResponse(await lanes.compute(words_of, body.scenario))


@router.post(
    "/shares",
    status_code=status.HTTP_201_CREATED,
    response_model=AssessmentShared,
    dependencies=[LimitShares, LimitStored],
    responses={200: described(AssessmentShared, "This key has already stored this assessment.")},
)
async def share_assessment(
    body: Declared[SearchedAssessmentCreate],
    assessments: AssessmentsDep,
    settings: SettingsDep,
    idempotency_key: Annotated[
        str, Header(description="Chosen by the client, different for each link.")
    ],
) -> PlainJsonResponse:
    """Stores the assessment of the same request: its document, and nothing else of what was
    pasted."""
    stored = await assessments.share(body, idempotency_key)
    return PlainJsonResponse(
        {
            "sid": stored.sid,
            "url": f"{settings.base_url}/assess/s/{stored.sid}",
            "delete_token": stored.delete_token,
        },
        status_code=status.HTTP_200_OK if stored.repeated else status.HTTP_201_CREATED,
    )


@router.get(
    "/shares/{sid}",
    response_model=AssessmentPageRead,
    dependencies=[CountUnknownIds],
    responses={404: described(Problem, "No such link."), 410: described(Problem, "Deleted.")},
)
async def read_shared_assessment(sid: ShareId, assessments: AssessmentsDep) -> Response:
    """The document of a stored assessment, as it was when it was stored."""
    shared = await assessments.get(sid)
    return Response(bytes(shared.page), media_type="application/json")


@router.get(
    "/shares/{sid}/report",
    response_model=AssessmentReport,
    dependencies=[CountUnknownIds],
    responses={404: described(Problem, "No such link."), 410: described(Problem, "Deleted.")},
)
async def read_shared_report(
    sid: ShareId,
    assessments: AssessmentsDep,
    settings: SettingsDep,
    lang: LanguageQuery = DEFAULT_LANGUAGE,
) -> PlainJsonResponse:
    """The report of a stored assessment in Markdown, with its link."""
    shared = await assessments.get(sid)
    link = f"{settings.base_url}/assess/s/{sid}"
    return PlainJsonResponse({"markdown": f"{shared.reports[lang]}\n{link}\n"})


@router.delete(
    "/shares/{sid}",
    status_code=status.HTTP_204_NO_CONTENT,
    dependencies=[CountUnknownIds, LimitShares],
    responses={404: described(Problem, "No such link."), 410: described(Problem, "Deleted.")},
)
async def delete_shared_assessment(
    sid: ShareId,
    assessments: AssessmentsDep,
    authorization: Annotated[
        str | None, Header(description="`Bearer` and the delete token.")
    ] = None,
) -> Response:
    """Deletes the contents of a stored assessment. Afterwards the link returns 410. A wrong token
    returns 404."""
    await assessments.delete(sid, bearer_of(authorization))
    return Response(status_code=status.HTTP_204_NO_CONTENT)
