"""The fidelity route. Its response is constant."""

import asyncio

from fastapi import APIRouter
from msgspec import to_builtins

from backend.fidelity.recordings import find_recording, recording_shown, summary_of
from backend.fidelity.schemas import FidelityRead, RecordedRunRead
from backend.http.errors import NotFoundError
from backend.http.json_response import PlainJsonResponse, described
from backend.http.problems import Problem
from sim_engine import DEFAULT_LANGUAGE, fidelity, fidelity_languages, read_fidelity_checks

router = APIRouter(tags=["fidelity"])


@router.get("/fidelity", response_model=FidelityRead)
async def read_fidelity() -> PlainJsonResponse:
    """What the engine models exactly, simplifies or omits, and what it is checked against."""
    checks = read_fidelity_checks()
    return PlainJsonResponse(
        {
            "recordings": [summary_of(recording) for recording in checks.recordings],
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
    )


@router.get(
    "/recordings/{name}",
    response_model=RecordedRunRead,
    responses={404: described(Problem, "No recording has this name.")},
)
async def read_recording(name: str) -> PlainJsonResponse:
    """A run of a real cluster, replayed: the values read after each step, and the engine's."""
    recording = find_recording(name)
    if recording is None:
        raise NotFoundError("No recording has this name; /api/v1/fidelity lists them.")
    return PlainJsonResponse(await asyncio.to_thread(recording_shown, recording))
