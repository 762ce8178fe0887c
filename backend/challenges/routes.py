"""The challenges' routes. A try is the list of its moves; nothing is stored, and the engine judges
each request."""

from fastapi import Request, Response

from backend.answers.challenges import found, tried
from backend.answers.requests import TryCreate
from backend.challenges.schemas import ChallengeListRead, ChallengeRead, TryRead
from backend.http.responses import PlainJsonResponse, described, tagged
from backend.http.schemas import Problem
from backend.lessons.release import Digest, kept_for
from backend.routing.compression import ConstantJson
from backend.routing.files import challenge_ids, kept_as_file, release_digests
from backend.routing.routes import API, JsonRoute, Router
from backend.services import LanesDep, LimitActions
from backend.sessions.schemas import Declared
from sim_engine.challenges import Challenge, find_challenge, list_challenges, solutions
from sim_engine.exploration.alphabet import BUDGET_NAMES
from sim_engine.json_types import JsonObject, as_items

router = Router(
    route_class=JsonRoute,
    prefix=f"{API}/challenges",
    tags=["challenges"],
    responses={404: described(Problem, "No challenge has this id.")},
)


@router.get("", response_model=ChallengeListRead)
@kept_as_file()
async def read_challenges(request: Request) -> Response:
    """The challenges, each with the result of the search for its solution."""
    return await _list.respond(request)


@router.get("/{challenge_id}", response_model=ChallengeRead)
@kept_as_file(challenge_id=challenge_ids)
async def read_challenge(challenge_id: str, request: Request) -> Response:
    """One challenge."""
    return await _document.respond(request, found(challenge_id).id)


@router.get(
    "/{challenge_id}/start",
    response_model=TryRead,
    responses={304: {"description": "The client already has it."}},
)
@kept_as_file(challenge_id=challenge_ids, v=release_digests)
async def read_challenge_start(challenge_id: str, request: Request, v: Digest = None) -> Response:
    """The challenge before the first move, as a try without moves."""
    challenge = found(challenge_id)
    response = await _start.respond(request, challenge.id, headers=kept_for(v))
    return tagged(request, response)


@router.post(
    "/{challenge_id}/tries",
    response_model=TryRead,
    dependencies=[LimitActions],
    responses={422: described(Problem, "Valid JSON, but invalid content.")},
)
async def try_challenge(
    challenge_id: str, body: Declared[TryCreate], lanes: LanesDep
) -> PlainJsonResponse:
    """Plays moves from the start and returns the resulting state and the possible next moves."""
    challenge = found(challenge_id)
    return PlainJsonResponse(await lanes.compute(tried, challenge, body.moves))


@ConstantJson
def _list() -> JsonObject:
    return {"challenges": [_summary(challenge) for challenge in list_challenges()]}


@ConstantJson
def _document(challenge_id: str) -> JsonObject:
    challenge = find_challenge(challenge_id)
    also = [
        {"id": other.id, "title": other.title, "searched": _searched(other)}
        for other in map(find_challenge, challenge.also)
    ]
    return {
        **_summary(challenge),
        "not_allowed": _not_allowed(challenge),
        "hints": challenge.hints,
        "solution": solutions()[challenge.id].moves,
        "also": also,
    }


@ConstantJson
def _start(challenge_id: str) -> JsonObject:
    return tried(find_challenge(challenge_id), [])


def _searched(challenge: Challenge) -> JsonObject:
    solution = solutions()[challenge.id]
    return {
        "best": len(solution.moves) or None,
        "states": solution.states,
        "complete": solution.complete,
    }


def _not_allowed(challenge: Challenge) -> list[str]:
    """What a player may expect to be possible, because other challenges allow it."""
    elsewhere = {kind for other in list_challenges() for kind in other.budget}
    return [kind for kind in BUDGET_NAMES if kind in elsewhere - challenge.budget.keys()]


def _summary(challenge: Challenge) -> JsonObject:
    return {
        "id": challenge.id,
        "title": challenge.title,
        "goal": challenge.goal,
        "kafka": challenge.scenario["kafka"],
        "brokers": len(as_items(challenge.scenario["brokers"])),
        "configs": challenge.scenario["configs"],
        "property": challenge.property,
        "budget": challenge.budget,
        "searched": _searched(challenge),
    }
