"""The errors of an import, by file and line."""

from collections.abc import Sequence

from msgspec import Struct

from sim_engine.error_texts import Wording


class ImportProblem(Struct, frozen=True, kw_only=True):
    """One line that cannot be used, and what is expected. Line and column count from 1."""

    file: str
    line: int
    reason: Wording
    column: int = 1

    @property
    def message(self) -> str:
        """The reason in English."""
        return self.reason.text()

    def said(self) -> dict[str, str]:
        """The reason in every language."""
        return self.reason.said()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class UnreadableError(Exception):
    """The input cannot be imported; no part of it was used. `more` is the number of problems that
    `problems` leaves out.
    """

    def __init__(self, problems: Sequence[ImportProblem], more: int = 0) -> None:
        super().__init__(problems, more)
        self.problems = tuple(problems)
        self.more = more

    def __str__(self) -> str:
        rest = [f"{self.more} more lines cannot be parsed"] if self.more else []
        return "\n".join([*map(str, self.problems), *rest])


class Problems:
    """Counts problems, and collects a limited number of them in the order in which they are
    found.
    """

    MOST = 50

    def __init__(self) -> None:
        self._found: list[ImportProblem] = []
        self._more = 0

    def report(self, file: str, line: int, reason: Wording, *, column: int = 1) -> None:
        """Add a problem; from the fiftieth on, only count it."""
        if len(self._found) < self.MOST:
            self._found.append(ImportProblem(file=file, line=line, reason=reason, column=column))
        else:
            self._more += 1

    def stop(self) -> None:
        """Raise the problems found; does nothing if there are none."""
        if self._found:
            raise UnreadableError(self._found, self._more)
