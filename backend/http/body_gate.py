"""Checks request bodies: a route receives at most 256 KiB of plain, unambiguous JSON.

By default, FastAPI responds to hostile JSON (NaN, a lone surrogate, deep nesting) with a 500,
accepts duplicate keys, and reads bodies of any size. This middleware runs before all routes and
rejects every body that two parsers, or two databases, could interpret differently.
"""

import re
from collections.abc import Iterator
from http import HTTPStatus

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.http.errors import (
    BadRequestError,
    HighwaterError,
    InvalidInputError,
    LimitError,
    Place,
    UnsupportedMediaTypeError,
    pointer,
    problem,
)
from backend.limit_table import BODY_BYTES, BODY_DEPTH

_INTEGERS = range(1 - 10**19, 10**20)
# Responses sent before the whole body was read.
_UNREAD = (HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)
_METHODS_WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})

# Possessive, so that an unterminated string costs one pass instead of one from every quote.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
# Only a body with one of these bytes can contain a forbidden character; others skip that check.
_SUSPECT = re.compile(rb"\\[ubfr]|\x7f|\xc2[\x80-\x9f]|\xef\xbf[\xbe\xbf]")
# Line feed and tab are allowed. Other control characters, DEL, C1 and the two code points that XML
# forbids are not: PostgreSQL rejects NUL and SQLite stores it, and a picture would be ill-formed.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_Path = tuple[str | int, ...]


class BodyGate:
    """ASGI middleware that reads the body, checks it, and passes it on in one piece."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond directly, without calling the app, if the body is rejected."""
        if scope["type"] != "http" or scope["method"] not in _METHODS_WITH_BODY:
            await self.app(scope, receive, send)
            return
        try:
            body = await _read(scope, receive)
            if body:
                check_body(body)
        except HighwaterError as error:
            if error.status in _UNREAD:
                # Otherwise the rest of the body would be parsed as the next request.
                error.headers["Connection"] = "close"
            await problem(error)(scope, receive, send)
            return
        await self.app(scope, _replay(body, receive), send)


async def _read(scope: Scope, receive: Receive) -> bytes:
    headers = _headers(scope)
    if headers.get(b"content-encoding", b"identity").strip().lower() != b"identity":
        raise UnsupportedMediaTypeError(
            "The body must not be compressed.", code="content_encoding_unsupported"
        )
    declared = headers.get(b"content-length", b"0")
    if declared.isdigit() and int(declared[:12]) > BODY_BYTES.number:
        raise _too_large()
    has_body = declared != b"0" or b"transfer-encoding" in headers
    if has_body or b"content-type" in headers:
        _check_content_type(headers.get(b"content-type", b""))

    chunks: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BadRequestError("The body ended early.", code="bad_json")
        chunk = message.get("body", b"")
        size += len(chunk)
        # Counted as it arrives, because the declared length cannot be trusted.
        if size > BODY_BYTES.number:
            raise _too_large()
        chunks.append(chunk)
        if not message.get("more_body", False):
            break
    if size and not has_body:
        _check_content_type(headers.get(b"content-type", b""))
    return b"".join(chunks)


def _headers(scope: Scope) -> dict[bytes, bytes]:
    headers: dict[bytes, bytes] = {}
    for name, value in scope["headers"]:
        # If a header is repeated, both values are checked.
        headers[name] = value if name not in headers else headers[name] + b", " + value
    return headers


def _too_large() -> LimitError:
    return LimitError(BODY_BYTES)


def _check_content_type(value: bytes) -> None:
    kind, *parameters = value.decode("latin-1").lower().split(";")
    plain = kind.strip() == "application/json"
    for parameter in parameters:
        name, _, charset = parameter.strip().partition("=")
        if name and (name != "charset" or charset.strip('"') not in ("utf-8", "utf8")):
            plain = False
    if not plain:
        raise UnsupportedMediaTypeError(
            "The body must be application/json in UTF-8.", code="content_type_unsupported"
        )


def _replay(body: bytes, receive: Receive) -> Receive:
    handed_over = False

    async def replay() -> Message:
        nonlocal handed_over
        if handed_over:
            return await receive()
        handed_over = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


def check_body(body: bytes) -> None:
    """Raise an error unless the body is plain JSON: 400, or 422 for JSON with a forbidden
    character.

    msgspec rejects everything that is not JSON: other encodings, lone surrogates, NaN, numbers
    outside a float's range. This function rejects what msgspec accepts and other parsers reject or
    interpret differently.
    """
    try:
        document = msgspec.json.decode(body)
    except RecursionError:
        raise _too_deep() from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _bad_json("The body is not valid JSON.") from None
    # Outside strings, a colon appears only after a key.
    if _STRING.sub(b"", body).count(b":") != _count_keys(document):
        raise _bad_json("An object has the same key twice.")
    if _SUSPECT.search(body):
        _check_characters(document)


def _count_keys(document: object) -> int:
    """The number of keys of all objects, level by level. Checks every number on the way."""
    keys = depth = 0
    level = [document]
    while level:
        below: list[object] = []
        for value in level:
            if isinstance(value, dict):
                keys += len(value)
                below += value.values()
            elif isinstance(value, list):
                below += value
            elif isinstance(value, int) and value not in _INTEGERS:
                raise _bad_json("A whole number has at most 20 characters.")
            if depth == BODY_DEPTH.number and isinstance(value, dict | list):
                raise _too_deep()
        level, depth = below, depth + 1
    return keys


def _check_characters(document: object) -> None:
    for path, text in _strings(document, ()):
        if _CONTROL.search(text):
            raise InvalidInputError(
                "A string has a control character.",
                code="control_char",
                places=[Place(pointer(*path), "control characters are not allowed here")],
            )


def _strings(document: object, path: _Path) -> Iterator[tuple[_Path, str]]:
    # The depth has been checked already, so recursion is safe.
    if isinstance(document, str):
        yield path, document
    elif isinstance(document, dict):
        for key, value in document.items():
            yield path, key
            yield from _strings(value, (*path, key))
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from _strings(value, (*path, index))


def _too_deep() -> LimitError:
    return LimitError(BODY_DEPTH)


def _bad_json(detail: str) -> BadRequestError:
    return BadRequestError(detail, code="bad_json")
