"""The one error of this package."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong."""

    where: str
    """A JSON Pointer into the scenario; empty if the problem is not in one."""
    line: int | None
    """Counted from 1, as is the column; None if the scenario was not read from text."""
    column: int | None
    message: str
    """What is wrong, and what is allowed."""


class HighwaterError(Exception):
    """Something is invalid or missing. The message has a line for each problem, with its place and
    what is allowed; `problems` has the same for programs.
    """

    def __init__(self, message: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems) or (Problem("", None, None, message),)
