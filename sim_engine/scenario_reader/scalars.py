"""The allowed keys and values of a document, and the meaning of plain YAML scalars.

PyYAML follows YAML 1.1, in which `no` is false and `1:30` is ninety. This module implements the
core schema of YAML 1.2 instead.
"""

import math
import re
from collections.abc import Mapping

from sim_engine.error_texts import error
from sim_engine.scenario_reader.document import ScenarioError
from sim_engine.scenario_reader.source import Position, wrong_source

MAX_DIGITS = 20
MAX_KEY_CHARACTERS = 256

_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_WORDS: Mapping[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_FORBIDDEN_CHARACTER = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]"
)


def resolve_scalar(text: str, where: str, at: Position | None) -> object:
    """The value of a plain scalar in the core schema. Raises `ScenarioError` for
    invalid numbers.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789":
        return text
    if _NOT_FINITE.fullmatch(text):
        raise wrong_source(where, error("not_finite"), at)
    if _INTEGER.fullmatch(text) or _OCTAL.fullmatch(text) or _HEXADECIMAL.fullmatch(text):
        if len(text) > MAX_DIGITS:
            raise too_many_digits(where, at)
        return int(text) if _INTEGER.fullmatch(text) else int(text, 0)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            raise wrong_source(where, error("number_too_large"), at, code="out_of_range")
        return number
    return text


def check_text(text: str, where: str, at: Position | None) -> None:
    """Raise `ScenarioError` for control characters and unpaired surrogates."""
    if _FORBIDDEN_CHARACTER.search(text):
        raise wrong_source(
            where,
            error("control_character"),
            at,
            code="control_char",
        )


def check_key(key: str, where: str, at: Position | None) -> None:
    """Raise `ScenarioError` for a key that is too long or has forbidden characters."""
    check_text(key, where, at)
    if len(key) > MAX_KEY_CHARACTERS:
        raise wrong_source(where, error("key_too_long", most=MAX_KEY_CHARACTERS), at)


def too_many_digits(where: str, at: Position | None) -> ScenarioError:
    """The error for a whole number that is longer than `MAX_DIGITS`."""
    return wrong_source(
        where, error("number_too_long", most=MAX_DIGITS - 1), at, code="out_of_range"
    )
