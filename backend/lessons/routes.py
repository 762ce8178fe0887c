"""The routes of lessons as they are read. Reading one creates no session and asks no database."""

from typing import Annotated

from fastapi import Depends, Path, Request, Response
from pydantic import Field

from backend.frames.packing import FrameEntry
from backend.http.parameters import reject_repeated
from backend.http.responses import PlainJsonResponse, described, tagged
from backend.http.schemas import Problem, Shape, WordsRead, reference
from backend.lessons.files import LessonPart
from backend.lessons.release import Digest, kept_for
from backend.routing.files import kept_as_file, lesson_ids, release_digests, releases
from backend.routing.routes import API, Router
from backend.services import LessonRunsDep
from backend.sessions.schemas import ChoiceRead, ComparisonRead, OperatorWordsRead
from sim_engine.curriculum import SimpleView
from sim_engine.story.steps import StoryStepDocument


class LessonRunRead(Shape):
    """A shipped scenario under one release, played to its end."""

    kafka: str
    control: str
    engine: str
    scenario: dict[str, object] = Field(description="The whole scenario document.")
    words: WordsRead
    simple: Annotated[object, reference(SimpleView)] | None = Field(
        description="What a reader of the lesson knows so far, and what is new in it; null if it "
        "shows everything."
    )
    story: list[Annotated[object, reference(StoryStepDocument)]] = Field(
        description="Its steps, from the start."
    )
    frames: list[Annotated[object, reference(FrameEntry)]] = Field(
        description="As in a timeline: the first with its complete state, then patches. A session "
        "of this scenario under this release numbers its frames in the same way."
    )


router = Router(
    prefix=f"{API}/scenarios/{{scenario_id}}",
    tags=["scenarios"],
    dependencies=[Depends(reject_repeated)],
    responses={
        304: {"description": "The client already has it."},
        404: described(Problem, "No scenario has this id or alias."),
        422: described(Problem, "No such release, or the scenario is impossible in it."),
    },
)


@router.get("/run", response_model=LessonRunRead)
@kept_as_file(scenario_id=lesson_ids, v=release_digests)
async def read_own_lesson_run(
    scenario_id: str, request: Request, lessons: LessonRunsDep, v: Digest = None
) -> Response:
    """A complete run of one shipped scenario under the release for which it was written. No session
    is created, and the response is the same for everyone.
    """
    return await _response(request, lessons, "run", scenario_id, None, v)


@router.get("/runs/{kafka}", response_model=LessonRunRead)
@kept_as_file(scenario_id=lesson_ids, kafka=releases, v=release_digests)
async def read_lesson_run(
    scenario_id: str, kafka: str, request: Request, lessons: LessonRunsDep, v: Digest = None
) -> Response:
    """A complete run of one shipped scenario under a release."""
    return await _response(request, lessons, "run", scenario_id, kafka, v)


@router.get("/runs/{kafka}/choices", response_model=list[list[ChoiceRead]])
@kept_as_file(scenario_id=lesson_ids, kafka=releases, v=release_digests)
async def list_lesson_choices(
    scenario_id: str, kafka: str, request: Request, lessons: LessonRunsDep, v: Digest = None
) -> Response:
    """For each frame of the run, all steps after it. Each step that is not possible has the reason.

    To perform one, start a session of the scenario under this release.
    """
    return await _response(request, lessons, "choices", scenario_id, kafka, v)


@router.get("/runs/{kafka}/words", response_model=list[OperatorWordsRead])
@kept_as_file(scenario_id=lesson_ids, kafka=releases, v=release_digests)
async def list_lesson_words(
    scenario_id: str, kafka: str, request: Request, lessons: LessonRunsDep, v: Digest = None
) -> Response:
    """For each frame of the run, what an operator of a real cluster would see."""
    return await _response(request, lessons, "words", scenario_id, kafka, v)


@router.get("/runs/{kafka}/comparisons/{other}", response_model=ComparisonRead)
async def compare_lesson_runs(
    scenario_id: str,
    kafka: str,
    other: Annotated[str, Path(description="A release, or the id or alias of a scenario.")],
    request: Request,
    lessons: LessonRunsDep,
    v: Digest = None,
) -> Response:
    """Where the run diverges from that under another release, or from another shipped scenario
    under the same one, as `POST /sessions/{id}/comparisons` returns it.
    """
    return await _response(request, lessons, "comparison", scenario_id, kafka, v, other)


async def _response(
    request: Request,
    lessons: LessonRunsDep,
    part: LessonPart,
    lesson: str,
    kafka: str | None,
    digest: str | None,
    other: str | None = None,
) -> Response:
    file = await lessons.file(part, lesson, kafka, other)
    headers = {**kept_for(digest), "ETag": file.tag, "Vary": "Accept-Encoding"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        response = Response(file.zipped, media_type="application/json", headers=headers)
        response.headers["Content-Encoding"] = "gzip"
    else:
        # Few clients accept no gzip. To decompress takes less than a millisecond.
        response = PlainJsonResponse(file.plain(), headers=headers)
    return tagged(request, response)
