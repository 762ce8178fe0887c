"""What is wrong with an input: a code with values, and its sentence in every language.

Scenario files, steps, campaign grids and imports use it. The sentences are in `scenario_errors.ftl`
of each language.
"""

from sim_engine.error_texts.codes import ErrorCode, NounCode
from sim_engine.error_texts.wording import (
    Wording,
    WordingValues,
    Words,
    WrongValueError,
    error,
    foreign_error,
    listed,
    literal,
    noun,
)

__all__ = [
    "ErrorCode",
    "NounCode",
    "Wording",
    "WordingValues",
    "Words",
    "WrongValueError",
    "error",
    "foreign_error",
    "listed",
    "literal",
    "noun",
]
