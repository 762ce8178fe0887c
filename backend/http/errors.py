"""The errors that a caller can receive, and their problem documents.

    HighwaterError
    ├── BadRequestError            400  not JSON, or not a request at all
    ├── CrossSiteError             403  another site's page tried to change something here
    ├── NotFoundError              404  nothing has this name, or an id is malformed
    ├── ClientGoneError            408  the connection was closed before the response
    ├── ActionNotPossibleError     409  the action cannot happen in this state
    ├── NotReplayableError         409  another engine version created this session
    ├── GoneError                  410  it was deleted, or it has ended
    ├── UnsupportedMediaTypeError  415  not plain, uncompressed JSON
    ├── InvalidInputError          422  valid JSON, invalid content; see `errors`
    ├── LimitError                 413, 422, 429 …  a limit of `backend.limits` is exceeded
    ├── DamagedError               500  stored data is damaged
    ├── NotSupportedError          501  oEmbed in another format
    ├── UnavailableError           503  temporarily unavailable, or not set up
    └── StorageFullError           507  nothing more can be stored

Every error is sent as `application/problem+json` with a stable `code`. The rejected input is never
repeated: the document states the place and what is allowed. At most it contains a word or a number
of the input. A page that answers itself has the same errors, so nothing here knows a framework;
`problems.py` makes responses of them.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from itertools import takewhile
from typing import ClassVar

import msgspec

from backend.limit_table import Limit
from sim_engine.languages import DEFAULT_LANGUAGE

UNTIL_MENDED_S = 3600
"""When to try again what does not work until somebody mends the service."""
_TEMPORARY = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
_WORD = re.compile(r"[\w.+*~-]{1,64}")
_MOST_PLACES = 10
_MOST_BYTES = 4096
_LONGEST_WHERE = 160
_LONGEST_MESSAGE = 240


@dataclass(frozen=True, slots=True)
class Place:
    """One error: a JSON Pointer into the request, and what is allowed there.

    If the place is in a submitted text, it also has line and column, counted from 1.
    """

    where: str
    message: str
    line: int | None = None
    column: int | None = None
    repair: str | None = None
    """What to write at this place instead, if that is known."""
    said: Mapping[str, str] | None = None
    """The message in every language, if it is not only for programs."""
    last_line: int | None = None
    """The last of several lines with the same error; null for one line."""


class HighwaterError(Exception):
    """The base class of the errors for callers: an error has a status, a code and a text."""

    status: ClassVar[HTTPStatus] = HTTPStatus.INTERNAL_SERVER_ERROR

    def __init__(
        self,
        detail: str,
        *,
        code: str,
        places: Sequence[Place] = (),
        more_places: int = 0,
        headers: Mapping[str, str] | None = None,
        members: Mapping[str, object] | None = None,
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.code = code
        self.places = tuple(places)
        self.more_places = more_places
        """The number of places that `places` leaves out."""
        self.headers = dict(headers or {})
        self.members = dict(members or {})


class BadRequestError(HighwaterError):
    """The input is not an HTTP request, its body is not JSON, or a parameter is malformed."""

    status = HTTPStatus.BAD_REQUEST


class CrossSiteError(HighwaterError):
    """Another site's page sent a request that would change something here."""

    status = HTTPStatus.FORBIDDEN

    def __init__(self) -> None:
        super().__init__("Cross-site requests are not allowed.", code="cross_site")


class NotYoursError(HighwaterError):
    """The resource has a different owner: the caller may read it but not change it."""

    status = HTTPStatus.FORBIDDEN


class NotFoundError(HighwaterError):
    """Nothing has this name, or an id is malformed."""

    status = HTTPStatus.NOT_FOUND

    def __init__(self, detail: str = "Not found.") -> None:
        super().__init__(detail, code="not_found")


class ActionNotPossibleError(HighwaterError):
    """The engine refused the action: `said` is the reason in every language, `rule` is the Kafka
    rule that caused it, if any.
    """

    status = HTTPStatus.CONFLICT

    def __init__(
        self,
        said: Mapping[str, str],
        *,
        reason_code: str,
        numbers: Mapping[str, object],
        rule: str | None,
    ) -> None:
        reason = said[DEFAULT_LANGUAGE]
        super().__init__(
            reason,
            code="action_not_possible",
            members={
                "reason": reason,
                "reason_code": reason_code,
                "numbers": dict(numbers),
                "rule": rule,
                "said": dict(said),
            },
        )


class NotReplayableError(HighwaterError):
    """Another engine version created the session or share, and this one cannot replay it."""

    status = HTTPStatus.CONFLICT


class NotYetError(HighwaterError):
    """The request is possible later: what it needs has not ended yet."""

    status = HTTPStatus.CONFLICT


class ClientGoneError(HighwaterError):
    """The client has disconnected. The error exists only for the log, which does not count it as a
    failure of the service."""

    status = HTTPStatus.REQUEST_TIMEOUT


class GoneError(HighwaterError):
    """The resource existed, but was deleted or taken down, or has ended."""

    status = HTTPStatus.GONE


class UnsupportedMediaTypeError(HighwaterError):
    """The body is not plain, uncompressed JSON."""

    status = HTTPStatus.UNSUPPORTED_MEDIA_TYPE


class InvalidInputError(HighwaterError):
    """The request is valid JSON with invalid content; the places are in `errors`."""

    status = HTTPStatus.UNPROCESSABLE_ENTITY


class LimitError(HighwaterError):
    """A limit is exceeded: the response has its name, its number and what to do.

    `where` is the place in the request, and `position` its line and column if it is in a submitted
    text; `numbers` are the values for the limit's message.
    """

    def __init__(
        self,
        limit: Limit,
        *,
        where: str | None = None,
        position: tuple[int, int] | None = None,
        retry_after_s: int | None = None,
        **numbers: object,
    ) -> None:
        assert limit.status is not None, "this limit truncates or closes, and raises no error"
        assert limit.code is not None
        assert retry_after_s is not None or limit.status not in _TEMPORARY, "say when to try again"
        said = limit.said(**numbers)
        detail = said[DEFAULT_LANGUAGE]
        line, column = position or (None, None)
        super().__init__(
            detail,
            code=limit.code,
            places=[] if where is None else [Place(where, detail, line, column, said=said)],
            headers={} if retry_after_s is None else {"Retry-After": str(retry_after_s)},
            members=limit.members(**numbers),
        )
        self.status = limit.status  # type: ignore[misc]  # its limit knows it, not its class


class DamagedError(HighwaterError):
    """Stored data is damaged."""

    status = HTTPStatus.INTERNAL_SERVER_ERROR


class NotSupportedError(HighwaterError):
    """The request is valid, but the service does not implement it."""

    status = HTTPStatus.NOT_IMPLEMENTED


class UnavailableError(HighwaterError):
    """The service, or something that it depends on, is unavailable or not set up."""

    status = HTTPStatus.SERVICE_UNAVAILABLE

    def __init__(
        self,
        detail: str,
        *,
        code: str,
        retry_after_s: int,
        members: Mapping[str, object] | None = None,
    ) -> None:
        headers = {"Retry-After": str(retry_after_s)}
        super().__init__(detail, code=code, headers=headers, members=members)


def unavailable_past(limit: Limit, *, retry_after_s: int) -> UnavailableError:
    """An UnavailableError for an exceeded limit that the same request may not exceed later."""
    assert limit.code is not None
    return UnavailableError(
        limit.said()[DEFAULT_LANGUAGE],
        code=limit.code,
        retry_after_s=retry_after_s,
        members=limit.members(),
    )


class StorageFullError(HighwaterError):
    """Nothing more can be stored. What is stored can still be read."""

    status = HTTPStatus.INSUFFICIENT_STORAGE

    def __init__(self) -> None:
        super().__init__(
            "The database is full. What is stored can still be read.",
            code="storage_full",
            headers={"Retry-After": "300"},
        )


def invalid(where: str, message: str, *, code: str = "invalid") -> InvalidInputError:
    """An InvalidInputError for a single place."""
    return InvalidInputError(message, code=code, places=[Place(where, message)])


def invalid_in_words(
    where: str, said: Mapping[str, str], *, code: str = "invalid"
) -> InvalidInputError:
    """An InvalidInputError for a single place, with its message in every language."""
    message = said[DEFAULT_LANGUAGE]
    return InvalidInputError(
        message, code=code, places=[Place(where, message, said=said)], members={"said": dict(said)}
    )


def pointer(*tokens: str | int) -> str:
    """The JSON Pointer (RFC 6901) for a path of keys and indexes."""
    return "".join(f"/{str(token).replace('~', '~0').replace('/', '~1')}" for token in tokens)


def problem_document(error: HighwaterError) -> bytes:
    """The problem document of an error: at most 4 KiB, whatever the input. `more_errors` is the
    number of errors that are left out.
    """
    status = error.status
    places = [
        {
            "where": _of_words(place.where),
            "message": _shortened(place.message, _LONGEST_MESSAGE),
            **({} if place.line is None else {"line": place.line, "column": place.column}),
            **({} if place.repair is None else {"repair": place.repair}),
            **({} if place.last_line is None else {"last_line": place.last_line}),
            **({} if place.said is None else {"said": _all_shortened(place.said)}),
        }
        for place in error.places[:_MOST_PLACES]
    ]
    everything = len(error.places) + error.more_places

    def written() -> bytes:
        left_out = everything - len(places)
        return msgspec.json.encode(
            {
                "type": f"urn:highwater:problem:{error.code}",
                "title": status.phrase,
                "status": status.value,
                "detail": _shortened(error.detail, _LONGEST_MESSAGE),
                "code": error.code,
                "errors": places,
                **({"more_errors": left_out} if left_out > 0 else {}),
                **error.members,
            }
        )

    body = written()
    while len(body) > _MOST_BYTES and places:
        places.pop()
        body = written()
    return body


def _of_words(where: str) -> str:
    """A pointer up to the first name that is no word: it is the name of an unknown key, which could
    be markup. Then the place is the container.
    """
    tokens = takewhile(_WORD.fullmatch, where[:_LONGEST_WHERE].split("/")[1:])
    return "".join(f"/{token}" for token in tokens)


def _all_shortened(said: Mapping[str, str]) -> dict[str, str]:
    return {lang: _shortened(text, _LONGEST_MESSAGE) for lang, text in said.items()}


def _shortened(text: str, longest: int) -> str:
    # Characters that could break a log line or a terminal are removed.
    printable = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
    return printable if len(printable) <= longest else f"{printable[: longest - 1]}…"
