"""What may reach a route as a body: at most 256 KiB of plain, unambiguous JSON.

FastAPI's defaults answer hostile JSON with a 500 (NaN, a lone surrogate, great depth), take the
last of two equal keys, and read 50 MB because somebody sent them. This gate stands before all
routes and lets nothing through on which two parsers could disagree or two databases would.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backend.http.errors import (
    BadRequestError,
    HighwaterError,
    InvalidInputError,
    Place,
    TooLargeError,
    UnsupportedMediaTypeError,
    pointer,
    problem,
)

MAX_BODY_BYTES = 256 * 1024
MAX_DEPTH = 32
_MAX_INTEGER_CHARACTERS = 20
_METHODS_WITH_BODY = frozenset({"POST", "PUT", "PATCH", "DELETE"})

# Possessive, so that a string without its end costs one pass and not one from every quote.
_STRING = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_BRACKETS = re.compile(r"[\[\]{}]")
# Only a body with one of these can hold a character that a second look must judge.
_SUSPECT = re.compile("\\\\[ubfr]|[\x7f-\x9f\ufffe\uffff]")
# Line feed and tab are text. All else below space, DEL, C1 and the two that no XML may hold
# are not: PostgreSQL refuses NUL where SQLite saves it, and a picture would be ill-formed.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


class BodyGate:
    """ASGI middleware: reads the body, judges it, and hands it on as one piece."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] not in _METHODS_WITH_BODY:
            await self.app(scope, receive, send)
            return
        try:
            body = await _read(scope, receive)
            if body:
                check_body(body)
        except HighwaterError as error:
            if isinstance(error, TooLargeError | UnsupportedMediaTypeError):
                # What was not read would be taken for the next request.
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
    if declared.isdigit() and int(declared[:12]) > MAX_BODY_BYTES:
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
        # Counted as it arrives: the length that was declared is only somebody's word.
        if size > MAX_BODY_BYTES:
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
        # A header that stands twice is judged by both of its values.
        headers[name] = value if name not in headers else headers[name] + b", " + value
    return headers


def _too_large() -> TooLargeError:
    return TooLargeError(f"A body has at most {MAX_BODY_BYTES} bytes.", code="body_too_large")


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
    """Refuse what is not plain JSON: 400, or 422 where it is JSON with a forbidden character."""
    text = _decoded(body)
    if _too_deep(text):
        raise BadRequestError(f"JSON here is at most {MAX_DEPTH} levels deep.", code="too_deep")
    try:
        document = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_float,
            parse_constant=_constant,
        )
    except _RefusedJsonError as refused:
        raise BadRequestError(refused.detail, code="bad_json") from None
    except (ValueError, RecursionError):
        raise BadRequestError("The body is not JSON.", code="bad_json") from None
    if _SUSPECT.search(text):
        _check_characters(document)


def _decoded(body: bytes) -> str:
    if body.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        raise BadRequestError("The body must be UTF-8 without a mark.", code="bad_json")
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise BadRequestError("The body must be UTF-8.", code="bad_json") from None


def _too_deep(text: str) -> bool:
    depth = 0
    for bracket in _BRACKETS.findall(_STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > MAX_DEPTH:
            return True
    return False


class _RefusedJsonError(Exception):
    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise _RefusedJsonError("An object has the same key twice.")
    return document


def _integer(digits: str) -> int:
    if len(digits) > _MAX_INTEGER_CHARACTERS:
        raise _RefusedJsonError(f"A number has at most {_MAX_INTEGER_CHARACTERS} characters.")
    return int(digits)


def _float(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise _RefusedJsonError("A number is too large.")
    return number


def _constant(_name: str) -> None:
    raise _RefusedJsonError("NaN and Infinity are not JSON.")


def _check_characters(document: object) -> None:
    for path, text in _strings(document, ()):
        if _SURROGATE.search(text):
            raise BadRequestError("A string has half of a surrogate pair.", code="bad_json")
        if _CONTROL.search(text):
            where = pointer(*path)
            raise InvalidInputError(
                "A string has a control character.",
                code="control_char",
                places=[Place(where, "control characters are not allowed here")],
            )


def _strings(
    document: object, path: tuple[str | int, ...]
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    # The depth is bounded by now, so this may call itself.
    if isinstance(document, str):
        yield path, document
    elif isinstance(document, dict):
        for key, value in document.items():
            yield path, key
            yield from _strings(value, (*path, key))
    elif isinstance(document, list):
        for index, value in enumerate(document):
            yield from _strings(value, (*path, index))
