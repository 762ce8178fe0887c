"""Plays the moves of a challenge. A try is the list of its moves, and nothing is stored."""

from collections.abc import Sequence

from msgspec import to_builtins

from backend.answers.scenario_input import in_words
from backend.frames.packing import packed
from backend.http.errors import NotFoundError, invalid_in_words
from sim_engine.challenges import Challenge, ImpossibleMoveError, find_challenge, record_copies
from sim_engine.challenges import judge as judge_try
from sim_engine.documents.frames import frame_document
from sim_engine.documents.runs import story_to
from sim_engine.identifiers import FrameNumber
from sim_engine.json_types import JsonObject


def found(challenge_id: str) -> Challenge:
    """A challenge by its id. Raises NotFoundError."""
    try:
        return find_challenge(challenge_id)
    except KeyError:
        raise NotFoundError("No challenge has this id.") from None


def tried(challenge: Challenge, moves: Sequence[JsonObject]) -> JsonObject:
    """The state after these moves from the start, and the possible next moves. Raises
    InvalidInputError for a move that is not possible when it is made.
    """
    try:
        result_of = judge_try(challenge, moves)
    except ImpossibleMoveError as error:
        texts = in_words("impossible_move")
        raise invalid_in_words(f"/moves/{error.place}", texts) from None
    timeline = result_of.timeline
    result = "won" if result_of.won else "open" if result_of.possible else "stuck"
    return {
        "result": result,
        "moves": to_builtins(result_of.taken),
        "starts": result_of.starts,
        "left": result_of.left,
        "possible": to_builtins(result_of.possible),
        "told": story_to(timeline, timeline.head)[-1].summary,
        "records": to_builtins(record_copies(timeline)),
        "frames": packed(
            frame_document(timeline, FrameNumber(number)) for number in range(timeline.head + 1)
        ),
        "scenario": challenge.document(moves),
    }
