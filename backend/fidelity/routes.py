"""The fidelity routes. All responses are constant."""

from typing import Annotated

from fastapi import Query, Request, Response
from msgspec import to_builtins

from backend.fidelity.recordings import find_recording
from backend.fidelity.schemas import FidelityRead, RecordedRunRead
from backend.frames.packing import packed
from backend.http.errors import NotFoundError, invalid
from backend.http.parameters import PlainFrameNumber
from backend.http.responses import PlainJsonResponse, described
from backend.http.schemas import Problem
from backend.routing.compression import ConstantJson
from backend.routing.files import kept_as_file, recording_names
from backend.routing.routes import API, Router
from backend.services import LanesDep
from backend.sessions.schemas import OperatorWordsRead
from sim_engine.conformance.fidelity import (
    RecordingEntry,
    fidelity,
    fidelity_languages,
    read_fidelity_checks,
    recorded_run,
)
from sim_engine.documents.frames import frame_document
from sim_engine.documents.operator_words import OperatorWords, frame_words
from sim_engine.documents.runs import story_to
from sim_engine.json_types import JsonObject
from sim_engine.languages import DEFAULT_LANGUAGE
from sim_engine.scenario_reader.writer import scenario_document

router = Router(prefix=API, tags=["fidelity"])


@router.get("/fidelity", response_model=FidelityRead)
@kept_as_file()
async def read_fidelity(request: Request) -> Response:
    """What the engine models exactly, simplifies or omits, and what it is checked against."""
    return await _checks.respond(request)


@router.get(
    "/recordings/{name}",
    response_model=RecordedRunRead,
    responses={404: described(Problem, "No recording has this name.")},
)
@kept_as_file(name=recording_names)
async def read_recording(name: str, request: Request) -> Response:
    """A run of a real cluster, replayed: the values read after each step, and the engine's."""
    if find_recording(name) is None:
        raise NotFoundError("No recording has this name; /api/v1/fidelity lists them.")
    return await _recording.respond(request, name)


@router.get(
    "/recordings/{name}/words",
    response_model=OperatorWordsRead,
    responses={404: described(Problem, "No recording has this name.")},
)
async def read_operator_words_of_recording(
    name: str,
    lanes: LanesDep,
    at: Annotated[PlainFrameNumber, Query(ge=0, description="A frame of the recording.")],
) -> PlainJsonResponse:
    """What an operator of a real cluster would see, as for a session, computed from the engine's
    replay.
    """
    if find_recording(name) is None:
        raise NotFoundError("No recording has this name; /api/v1/fidelity lists them.")
    return PlainJsonResponse(await lanes.compute(_words, name, at))


def _words(name: str, at: PlainFrameNumber) -> OperatorWords:
    timeline = recorded_run(name).timeline
    if at >= len(timeline.frames):
        raise invalid("/at", "the recording has no such frame", code="no_such_frame")
    return frame_words(timeline, at)


@ConstantJson
def _checks() -> JsonObject:
    checks = read_fidelity_checks()
    return {
        "recordings": [_summary(recording) for recording in checks.recordings],
        "releases": checks.releases,
        "cases": checks.cases,
        "cases_in_part": checks.cases_in_part,
        "sections": to_builtins(fidelity()),
        "translations": {
            lang: to_builtins(fidelity(lang))
            for lang in fidelity_languages()
            if lang != DEFAULT_LANGUAGE
        },
    }


@ConstantJson
def _recording(name: str) -> JsonObject:
    """The replayed recording with this name, which there must be."""
    recording = find_recording(name)
    assert recording is not None
    run = recorded_run(name)
    timeline = run.timeline
    return {
        **_summary(recording),
        "control": timeline.profile.control,
        "scenario": scenario_document(timeline.scenario),
        "words": {"title": {**recording.titles()}, "summary": False, "steps": []},
        "story": story_to(timeline, timeline.head),
        "frames": packed(
            frame_document(timeline, number) for number in timeline.path(timeline.head)
        ),
        "checkpoints": run.checkpoints,
    }


def _summary(recording: RecordingEntry) -> JsonObject:
    """The summary of a recording, without replaying it."""
    return {
        "name": recording.name,
        **to_builtins(recording),
        "titles": {**recording.titles()},
        "said": {**recording.said()},
    }
