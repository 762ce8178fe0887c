"""What is wrong with a file that was to be imported, by file and line."""

from collections.abc import Sequence

from msgspec import Struct


class ImportProblem(Struct, frozen=True, kw_only=True):
    """One line that cannot be used, and what would be right. Line and column count from 1."""

    file: str
    line: int
    message: str
    column: int = 1

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class UnreadableError(Exception):
    """What was handed in cannot be imported; nothing of it was used."""

    def __init__(self, problems: Sequence[ImportProblem]) -> None:
        super().__init__(problems)
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n".join(map(str, self.problems))


class Problems:
    """Collects what is wrong, a limited number of them, in the order in which it was found."""

    MOST = 50

    def __init__(self) -> None:
        self._found: list[ImportProblem] = []

    def report(self, file: str, line: int, message: str, *, column: int = 1) -> None:
        """Note a problem. Raises `UnreadableError` once there are too many."""
        self._found.append(ImportProblem(file=file, line=line, message=message, column=column))
        if len(self._found) >= self.MOST:
            self.stop()

    def stop(self) -> None:
        """Raise what was found; do nothing where nothing was."""
        if self._found:
            raise UnreadableError(self._found)
