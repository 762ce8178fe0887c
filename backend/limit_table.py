"""Every limit that a caller can exceed: the only source of its number and of the response.

`GET /api/v1/limits`, `x-limits` of the OpenAPI document and `/docs/reference/limits` are this
table. Code that enforces a limit reads the number from here. The texts are in `limits.ftl` of each
language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

from sim_engine.languages import LANGUAGES
from sim_engine.languages import say as say_message
from sim_engine.scenario_reader.reader import SCENARIO_LIMITS
from sim_engine.simulation.timeline import MOST_FRAMES

_FILE = "limits"
_MEBI = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit: the largest allowed number of something.

    When it is exceeded, the response has `status` and `code`. Both are null if no request is
    refused: then the response is truncated or the connection is closed, as the limit's text states.
    """

    name: str
    number: int
    unit: str
    status: HTTPStatus | None = HTTPStatus.UNPROCESSABLE_ENTITY
    code: str | None = None

    def said(self, **numbers: object) -> dict[str, str]:
        """The sentence for people when it is exceeded, in each language. `numbers` are the values
        for the message."""
        return {
            lang: say_message(lang, _FILE, f"{self.name}-past", number=self.written(), **numbers)
            for lang in LANGUAGES
        }

    def written(self) -> str:
        """Its number for people; bytes and times have their unit."""
        match self.unit.split():
            case ["bytes", *_] if self.number >= _MEBI:
                return f"{self.number / _MEBI:g} MiB"
            case ["bytes", *_]:
                return f"{self.number / 1024:g} KiB"
            case ["milliseconds"]:
                return f"{self.number / 3_600_000:g} h"
        return f"{self.number:,}"

    def what(self) -> dict[str, str]:
        """What is limited, in each language."""
        return {lang: say_message(lang, _FILE, self.name) for lang in LANGUAGES}

    def members(self, **numbers: object) -> dict[str, object]:
        """Its fields of a problem document: name, number and the sentence for people."""
        return {"limit": self.name, "number": self.number, "said": self.said(**numbers)}


_TABLE: list[Limit] = []


def _limit(
    name: str,
    number: int,
    unit: str,
    status: HTTPStatus | None = HTTPStatus.UNPROCESSABLE_ENTITY,
    code: str | None = "invalid",
) -> Limit:
    """Add a limit to the table. The order of the table is the one in which a request is checked."""
    limit = Limit(name, number, unit, status, None if status is None else code)
    _TABLE.append(limit)
    return limit


_LARGE = HTTPStatus.REQUEST_ENTITY_TOO_LARGE
_MANY = HTTPStatus.TOO_MANY_REQUESTS
_BUSY = HTTPStatus.SERVICE_UNAVAILABLE

BODY_BYTES = _limit("body_bytes", 64 * 1024, "bytes", _LARGE, "body_too_large")
SCENARIO_BODY_BYTES = _limit("scenario_body_bytes", 256 * 1024, "bytes", _LARGE, "body_too_large")
ASSESSMENT_BODY_BYTES = _limit(
    "assessment_body_bytes", 8 * _MEBI, "bytes", _LARGE, "body_too_large"
)
BODY_DEPTH = _limit("body_depth", 32, "levels", HTTPStatus.BAD_REQUEST, "too_deep")
CONNECTIONS = _limit("connections", 1000, "connections", _BUSY, "too_many_connections")
CONNECTIONS_OF_A_VISITOR = _limit(
    "connections_of_a_visitor", 400, "connections of a visitor", _MANY, "too_many_connections"
)
REQUEST_SECONDS = _limit("request_seconds", 30, "seconds", None)
READING_SECONDS = _limit("reading_seconds", 30, "seconds", None)
UNREAD_BYTES = _limit("unread_bytes", 256 * _MEBI, "bytes", None)
_HEAD = (HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "headers_too_large")
HEADER_BYTES = _limit("header_bytes", 16 * 1024, "bytes", *_HEAD)
HEADERS = _limit("headers", 100, "headers", *_HEAD)
KEY_CHARACTERS = _limit(
    "idempotency_key_characters",
    200,
    "characters",
    HTTPStatus.BAD_REQUEST,
    "idempotency_key_invalid",
)
_CODES = {"steps": "too_many_events", "step_milliseconds": "invalid_step"}
_UNITS = {"scenario_depth": "levels", "records_a_log": "records"}
_IN_A_SCENARIO = {
    name: _limit(
        name,
        number,
        _UNITS.get(name, name.rpartition("_")[2]),
        code=_CODES.get(name, "invalid_scenario"),
    )
    for name, number in SCENARIO_LIMITS.items()
}
FRAMES_A_SESSION = _limit("frames_a_session", MOST_FRAMES, "frames", code="limit_reached")
# CPU time, not wall-clock time, so that a loaded service allows as much work.
COMPUTE_SECONDS = _limit("compute_seconds", 5, "seconds of a processor", code="budget_exceeded")
FRAMES_A_RESPONSE = _limit("frames_an_answer", 500, "frames", code="too_many_frames")
RESPONSE_BYTES = _limit("answer_bytes", 16 * _MEBI, "bytes", None)
SHARE_BYTES = _limit("share_bytes", 16 * _MEBI, "bytes", _LARGE, "share_too_large")
TITLE_CHARACTERS = _limit("title_characters", 120, "characters")
NOTE_CHARACTERS = _limit("note_characters", 2_000, "characters")
LINK_CHARACTERS = _limit("link_characters", 8_000, "characters", None)
IMPORT_FILES = _limit("import_files", 100, "files")
IMPORT_TOPICS = _limit("import_topics", 100, "topics")
ASSESSMENT_BROKERS = _limit("assessment_brokers", 1_000, "brokers")
ASSESSMENT_SECONDS = _limit("assessment_seconds", 30, "seconds of a processor", None)
ASSESSMENTS_AT_ONCE = _limit("assessments_at_once", 3, "assessments", _BUSY, "busy")
ASSESSMENTS_OF_A_VISITOR = _limit(
    "assessments_of_a_visitor", 2, "assessments of a visitor", _MANY, "too_many_assessments"
)
# One search of a partition asks up to four questions, each within this time.
ASSESSMENT_SEARCH_SECONDS = _limit("assessment_search_seconds", 15, "seconds of a processor", None)
ASSESSMENT_SEARCHES_AT_ONCE = _limit(
    "assessment_searches_at_once", 2, "searches of assessments", _BUSY, "busy"
)
ASSESSMENT_SEARCHES_OF_A_VISITOR = _limit(
    "assessment_searches_of_a_visitor",
    2,
    "searches of assessments of a visitor",
    _MANY,
    "too_many_searches",
)
ASSESSMENT_SEARCHED = _limit("assessment_searched", 8, "searched partitions")
GRID_CELLS = _limit("grid_cells", 512, "cells", code="invalid_grid")
SEARCH_SECONDS = _limit("search_seconds", 60, "seconds")
SEARCH_STEPS = _limit("search_steps", 40, "steps")
SEARCH_STATES = _limit("search_states", 200_000, "states")
SEARCH_FAULTS = _limit("search_faults", 10, "faults of a kind")
# Each search can use a core for its whole time, with the lowest priority.
SEARCHES_AT_ONCE = _limit("searches_at_once", 3, "searches", _BUSY, "busy")
SEARCHES_OF_A_VISITOR = _limit(
    "searches_of_a_visitor", 2, "searches of a visitor", _MANY, "too_many_searches"
)
PICTURES_WAITING = _limit("pictures_waiting", 50, "pictures", _BUSY, "busy")
PICTURE_WIDTH = _limit("picture_width", 2000, "pixels")
PICTURE_PIXELS = _limit("picture_pixels", 8_000_000, "pixels", code="too_wide")
ANIMATED_PICTURES = _limit("animated_pictures", 40, "pictures", code="too_many_pictures")
FIGURE_SECONDS = _limit("figure_seconds", 2, "seconds", _BUSY, "figure_failed")
PNG_SECONDS = _limit("png_seconds", 10, "seconds", _BUSY, "figure_failed")
EMBED_FRAMES = _limit("embed_frames", 64, "frames")
_REQUESTS = ("requests of a visitor", _MANY, "too_many_requests")
# Of the event loop alone: an action takes about 0.003.
ANSWERING_SECONDS_A_MINUTE = _limit(
    "answering_seconds_a_minute", 40, "seconds of a processor", _MANY, "too_many_requests"
)
TRANSFERRED_BYTES_A_MINUTE = _limit(
    "transferred_bytes_a_minute", 1024 * _MEBI, "bytes", _MANY, "too_many_requests"
)
SESSIONS_A_MINUTE = _limit("sessions_a_minute", 600, *_REQUESTS)
ACTIONS_A_MINUTE = _limit("actions_a_minute", 12_000, *_REQUESTS)
SHARES_A_MINUTE = _limit("shares_a_minute", 200, *_REQUESTS)
SEARCHES_A_MINUTE = _limit("searches_a_minute", 60, *_REQUESTS)
STORED_BYTES_AN_HOUR = _limit(
    "stored_bytes_an_hour", 256 * _MEBI, "bytes of a visitor", _MANY, "too_much_stored"
)
QUOTAS = (
    ANSWERING_SECONDS_A_MINUTE,
    TRANSFERRED_BYTES_A_MINUTE,
    SESSIONS_A_MINUTE,
    ACTIONS_A_MINUTE,
    SHARES_A_MINUTE,
    SEARCHES_A_MINUTE,
    STORED_BYTES_AN_HOUR,
)
"""The limits that a setting of the same name overrides; 0 removes the limit."""
WAITING_OF_A_VISITOR = _limit(
    "waiting_of_a_visitor", 200, "requests of a visitor", _MANY, "too_many_waiting"
)
MISSES_A_MINUTE = _limit("misses_a_minute", 300, "requests of a visitor", _MANY, "too_many_misses")
# For each presentation and process.
FOLLOWERS = _limit("followers", 1_000, "followers", _BUSY, "too_many_followers")
QUESTION_ANSWERS = _limit("question_answers", 9, "answers")
VOTES = _limit("votes", 5_000, "answers", _MANY, "too_many_votes")
VOTES_OF_A_VISITOR = _limit(
    "votes_of_a_visitor", 1_000, "answers of a visitor", _MANY, "too_many_votes"
)
SESSION_DAYS = _limit("session_days", 30, "days unused", None)

_OF_PARAMETERS = {
    "seconds": SEARCH_SECONDS,
    "max_depth": SEARCH_STEPS,
    "states": SEARCH_STATES,
    "budget": SEARCH_FAULTS,
    "w": PICTURE_WIDTH,
    "files": IMPORT_FILES,
    "down": ASSESSMENT_BROKERS,
    "racks": ASSESSMENT_BROKERS,
    "searched": ASSESSMENT_SEARCHED,
    "topics": IMPORT_TOPICS,
    "answers": QUESTION_ANSWERS,
}


def all_limits(set_to: Mapping[str, int] | None = None) -> Sequence[Limit]:
    """The whole table, in the order in which a request is checked.

    `set_to` has the numbers from a service's settings, by name; 0 removes a limit.
    """
    numbers = {} if set_to is None else set_to
    limits = [replace(limit, number=numbers.get(limit.name, limit.number)) for limit in _TABLE]
    return [limit for limit in limits if limit.number]


def limit_of_scenario(name: str) -> Limit:
    """The limit that an error of the engine refers to."""
    return _IN_A_SCENARIO[name]


def limit_of_parameter(place: Sequence[str | int], most: object) -> Limit | None:
    """The limit of a number in a request, or of the length of a list, by its place and its
    maximum."""
    named = (_OF_PARAMETERS.get(str(token)) for token in place)
    return next((limit for limit in named if limit is not None and limit.number == most), None)


def documents(limits: Sequence[Limit]) -> list[dict[str, object]]:
    """The table as `GET /api/v1/limits` returns it."""
    return [
        {
            "name": limit.name,
            "number": limit.number,
            "unit": limit.unit,
            "status": limit.status,
            "code": limit.code,
            "what": limit.what(),
        }
        for limit in limits
    ]
