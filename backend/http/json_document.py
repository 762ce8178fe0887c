"""JSON documents of requests: plain and unambiguous, decoded once. No framework is needed for it.

By default, FastAPI responds to hostile JSON (NaN, a lone surrogate, deep nesting) with a 500 and
accepts duplicate keys. Here every body is rejected that two parsers, or two databases, could
interpret differently. No value is looked at by Python code.
"""

import re

import msgspec

from backend.http.errors import (
    BadRequestError,
    HighwaterError,
    InvalidInputError,
    LimitError,
    Place,
    pointer,
)
from backend.limit_table import BODY_DEPTH

# Possessive, so that an unterminated string costs one pass instead of one from every quote.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))
# Outside strings: a whole number with more than 20 characters.
_LONG_INTEGER = re.compile(rb"(?<![\d.eE+])[-\d]\d{20}\d*+(?![.eE])")
# In strings as msgspec encodes them. Line feed and tab are allowed. Other control characters, DEL,
# C1 and the two code points that XML forbids are not: PostgreSQL rejects NUL and SQLite stores it,
# and a picture would be ill-formed.
_CONTROL = re.compile(
    rb"[^\\](?:\\\\)*+\\(?:[bfr]|u00)|\x7f|\xc2[\x80-\x9f]|\xef\xbf[\xbe\xbf]", re.DOTALL
)


def decoded(body: bytes) -> object:
    """The JSON document of a body. Raises BadRequestError or LimitError (400) unless the body is
    plain JSON, and InvalidInputError for JSON with a forbidden character.

    msgspec rejects everything that is not JSON: other encodings, lone surrogates, NaN, numbers
    outside a float's range. This function rejects what msgspec accepts and other parsers reject or
    interpret differently.
    """
    try:
        document = msgspec.json.decode(body)
    except RecursionError:
        raise LimitError(BODY_DEPTH) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise _bad_json("The body is not valid JSON.") from None
    outside_strings = _STRING.sub(b"", body)
    _check_depth(outside_strings)
    if _LONG_INTEGER.search(outside_strings):
        raise _bad_json("A whole number has at most 20 characters.")
    # Of two equal keys, the document has one.
    encoded = msgspec.json.encode(document)
    if outside_strings.count(b":") != _STRING.sub(b"", encoded).count(b":"):
        raise _bad_json("An object has the same key twice.")
    if _CONTROL.search(encoded):
        raise InvalidInputError(
            "A string has a control character.",
            code="control_char",
            places=[
                Place(
                    pointer(*_path_of_control(document)), "control characters are not allowed here"
                )
            ],
        )
    return document


def _check_depth(outside_strings: bytes) -> None:
    """Remove the innermost pairs of brackets as often as a body may be deep."""
    brackets = outside_strings.translate(_BRACKETS, _NO_BRACKETS)
    for _ in range(BODY_DEPTH.number):
        brackets = brackets.replace(b"[]", b"")
    if brackets:
        raise LimitError(BODY_DEPTH)


def _path_of_control(document: object) -> list[str | int]:
    """The path to the first string with a forbidden character, or to its object if it is a key."""
    items = (
        document.items()
        if isinstance(document, dict)
        else enumerate(document)
        if isinstance(document, list)
        else ()
    )
    for key, value in items:
        if _CONTROL.search(msgspec.json.encode(key)):
            return []
        if _CONTROL.search(msgspec.json.encode(value)):
            return [key, *_path_of_control(value)]
    return []


def _bad_json(detail: str) -> HighwaterError:
    return BadRequestError(detail, code="bad_json")
