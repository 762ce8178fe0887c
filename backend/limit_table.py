"""Every limit that a caller can exceed: the only source of its number and of the response.

`GET /api/v1/limits`, `x-limits` of the OpenAPI document and `/docs/reference/limits` are this
table. Code that enforces a limit reads the number from here. The texts are in `limits.ftl` of each
language.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus

from sim_engine import LANGUAGES, MOST_FRAMES, SCENARIO_LIMITS, say_message

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


BODY_BYTES = Limit(
    "body_bytes", 64 * 1024, "bytes", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "body_too_large"
)
SCENARIO_BODY_BYTES = replace(BODY_BYTES, name="scenario_body_bytes", number=256 * 1024)
BODY_DEPTH = Limit("body_depth", 32, "levels", HTTPStatus.BAD_REQUEST, "too_deep")
HEADER_BYTES = Limit(
    "header_bytes",
    16 * 1024,
    "bytes",
    HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE,
    "headers_too_large",
)
HEADERS = replace(HEADER_BYTES, name="headers", number=100, unit="headers")
REQUEST_SECONDS = Limit("request_seconds", 30, "seconds", None)
READING_SECONDS = Limit("reading_seconds", 30, "seconds", None)
UNREAD_BYTES = Limit("unread_bytes", 256 * 1024 * 1024, "bytes", None)
CONNECTIONS = Limit(
    "connections", 1000, "connections", HTTPStatus.SERVICE_UNAVAILABLE, "too_many_connections"
)
CONNECTIONS_OF_A_VISITOR = Limit(
    "connections_of_a_visitor",
    400,
    "connections of a visitor",
    HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_connections",
)
KEY_CHARACTERS = Limit(
    "idempotency_key_characters",
    200,
    "characters",
    HTTPStatus.BAD_REQUEST,
    "idempotency_key_invalid",
)
FRAMES_A_SESSION = Limit("frames_a_session", MOST_FRAMES, "frames", code="limit_reached")
COMPUTE_SECONDS = Limit(
    "compute_seconds", 5, "seconds of a processor", code="budget_exceeded"
)  # CPU time, not wall-clock time, so that a loaded service allows as much work
FRAMES_A_RESPONSE = Limit("frames_an_answer", 500, "frames", code="too_many_frames")
RESPONSE_BYTES = Limit("answer_bytes", 16 * 1024 * 1024, "bytes", None)
SHARE_BYTES = Limit(
    "share_bytes", 16 * 1024 * 1024, "bytes", HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "share_too_large"
)
TITLE_CHARACTERS = Limit("title_characters", 120, "characters", code="invalid")
NOTE_CHARACTERS = Limit("note_characters", 2_000, "characters", code="invalid")
LINK_CHARACTERS = Limit("link_characters", 8_000, "characters", None)
SEARCH_SECONDS = Limit("search_seconds", 60, "seconds", code="invalid")
SEARCH_STEPS = Limit("search_steps", 40, "steps", code="invalid")
SEARCH_STATES = Limit("search_states", 200_000, "states", code="invalid")
SEARCH_FAULTS = Limit("search_faults", 10, "faults of a kind", code="invalid")
IMPORT_FILES = Limit("import_files", 100, "files", code="invalid")
IMPORT_TOPICS = replace(IMPORT_FILES, name="import_topics", unit="topics")
GRID_CELLS = Limit("grid_cells", 512, "cells", code="invalid_grid")
EMBED_FRAMES = Limit("embed_frames", 64, "frames", code="invalid")
QUESTION_ANSWERS = Limit("question_answers", 9, "answers", code="invalid")
# Each search can use a core for its whole time, with the lowest priority.
SEARCHES_AT_ONCE = Limit("searches_at_once", 3, "searches", HTTPStatus.SERVICE_UNAVAILABLE, "busy")
SEARCHES_OF_A_VISITOR = Limit(
    "searches_of_a_visitor",
    2,
    "searches of a visitor",
    HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_searches",
)
PICTURES_WAITING = Limit("pictures_waiting", 50, "pictures", HTTPStatus.SERVICE_UNAVAILABLE, "busy")
FIGURE_SECONDS = Limit(
    "figure_seconds", 2, "seconds", HTTPStatus.SERVICE_UNAVAILABLE, "figure_failed"
)
PNG_SECONDS = replace(FIGURE_SECONDS, name="png_seconds", number=10)
PICTURE_WIDTH = Limit("picture_width", 2000, "pixels", code="invalid")
ANIMATED_PICTURES = Limit("animated_pictures", 40, "pictures", code="too_many_pictures")
PICTURE_PIXELS = Limit("picture_pixels", 8_000_000, "pixels", code="too_wide")
MISSES_A_MINUTE = Limit(
    "misses_a_minute", 300, "requests of a visitor", HTTPStatus.TOO_MANY_REQUESTS, "too_many_misses"
)
SESSIONS_A_MINUTE = Limit(
    "sessions_a_minute",
    600,
    "requests of a visitor",
    HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_requests",
)
ACTIONS_A_MINUTE = replace(SESSIONS_A_MINUTE, name="actions_a_minute", number=12_000)
SHARES_A_MINUTE = replace(SESSIONS_A_MINUTE, name="shares_a_minute", number=200)
SEARCHES_A_MINUTE = replace(SESSIONS_A_MINUTE, name="searches_a_minute", number=60)
STORED_BYTES_AN_HOUR = Limit(
    "stored_bytes_an_hour",
    256 * 1024 * 1024,
    "bytes of a visitor",
    HTTPStatus.TOO_MANY_REQUESTS,
    "too_much_stored",
)
WAITING_OF_A_VISITOR = Limit(
    "waiting_of_a_visitor",
    200,
    "requests of a visitor",
    HTTPStatus.TOO_MANY_REQUESTS,
    "too_many_waiting",
)
FOLLOWERS = Limit(
    "followers", 1_000, "followers", HTTPStatus.SERVICE_UNAVAILABLE, "too_many_followers"
)  # for each presentation and process
VOTES = Limit("votes", 5_000, "answers", HTTPStatus.TOO_MANY_REQUESTS, "too_many_votes")
VOTES_OF_A_VISITOR = replace(
    VOTES, name="votes_of_a_visitor", number=1_000, unit="answers of a visitor"
)
SESSION_DAYS = Limit("session_days", 30, "days unused", None)

ANSWERING_SECONDS_A_MINUTE = replace(
    SESSIONS_A_MINUTE, name="answering_seconds_a_minute", number=40, unit="seconds of a processor"
)  # of the event loop alone: an action takes about 0.003
TRANSFERRED_BYTES_A_MINUTE = replace(
    SESSIONS_A_MINUTE, name="transferred_bytes_a_minute", number=1024 * _MEBI, unit="bytes"
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
_CODES = {"steps": "too_many_steps", "step_milliseconds": "invalid_step"}
_UNITS = {"scenario_depth": "levels", "records_a_log": "records"}
_IN_A_SCENARIO = {
    name: Limit(
        name,
        number,
        _UNITS.get(name, name.rpartition("_")[2]),
        code=_CODES.get(name, "invalid_scenario"),
    )
    for name, number in SCENARIO_LIMITS.items()
}
_FIXED = (
    BODY_BYTES,
    SCENARIO_BODY_BYTES,
    BODY_DEPTH,
    CONNECTIONS,
    CONNECTIONS_OF_A_VISITOR,
    REQUEST_SECONDS,
    READING_SECONDS,
    UNREAD_BYTES,
    HEADER_BYTES,
    HEADERS,
    KEY_CHARACTERS,
    *_IN_A_SCENARIO.values(),
    FRAMES_A_SESSION,
    COMPUTE_SECONDS,
    FRAMES_A_RESPONSE,
    RESPONSE_BYTES,
    SHARE_BYTES,
    TITLE_CHARACTERS,
    NOTE_CHARACTERS,
    LINK_CHARACTERS,
    IMPORT_FILES,
    IMPORT_TOPICS,
    GRID_CELLS,
    SEARCH_SECONDS,
    SEARCH_STEPS,
    SEARCH_STATES,
    SEARCH_FAULTS,
    SEARCHES_AT_ONCE,
    SEARCHES_OF_A_VISITOR,
    PICTURES_WAITING,
    PICTURE_WIDTH,
    PICTURE_PIXELS,
    ANIMATED_PICTURES,
    FIGURE_SECONDS,
    PNG_SECONDS,
    EMBED_FRAMES,
    *QUOTAS,
    WAITING_OF_A_VISITOR,
    MISSES_A_MINUTE,
    FOLLOWERS,
    QUESTION_ANSWERS,
    VOTES,
    VOTES_OF_A_VISITOR,
    SESSION_DAYS,
)

_OF_PARAMETERS = {
    "seconds": SEARCH_SECONDS,
    "max_depth": SEARCH_STEPS,
    "states": SEARCH_STATES,
    "budget": SEARCH_FAULTS,
    "w": PICTURE_WIDTH,
    "files": IMPORT_FILES,
    "topics": IMPORT_TOPICS,
    "answers": QUESTION_ANSWERS,
}


def all_limits(set_to: Mapping[str, int] | None = None) -> Sequence[Limit]:
    """The whole table, in the order in which a request is checked.

    `set_to` has the numbers from a service's settings, by name; 0 removes a limit.
    """
    numbers = {} if set_to is None else set_to
    limits = [replace(limit, number=numbers.get(limit.name, limit.number)) for limit in _FIXED]
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
