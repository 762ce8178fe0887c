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
    """The input cannot be imported; no part of it was used."""

    def __init__(self, problems: Sequence[ImportProblem]) -> None:
        super().__init__(problems)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class Problems:
    """Collects a limited number of problems, in the order in which they are found."""

    MOST = 50

    def __init__(self) -> None:
        self._found: list[ImportProblem] = []

    def report(self, file: str, line: int, reason: Wording, *, column: int = 1) -> None:
        """Add a problem. Raises `UnreadableError` if there are too many."""
        self._found.append(ImportProblem(file=file, line=line, reason=reason, column=column))
        if len(self._found) >= self.MOST:
            self.stop()

    def stop(self) -> None:
        """Raise the problems found; does nothing if there are none."""
        if self._found:
            raise UnreadableError(self._found)
