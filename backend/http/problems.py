"""The shapes of errors: application/problem+json."""

from pydantic import ConfigDict, Field

from backend.http.answers import Shape, Text


class ProblemPlace(Shape):
    """One thing that is wrong, and what would be right."""

    where: str = Field(description="A JSON Pointer into the request.")
    message: str
    line: int | None = Field(
        None, description="Counted from 1; there for a place in a text that was sent."
    )
    column: int | None = Field(None, description="Counted from 1; there where `line` is.")


class Problem(Shape):
    """Every error: application/problem+json (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str = Field(description="Stable: what a program may look at.")
    errors: list[ProblemPlace]
    limit: str | None = Field(
        None, description="The limit that was passed, by its name in `/limits`; else not there."
    )
    number: int | None = Field(None, description="That limit's number; there where `limit` is.")
    said: Text | None = Field(
        None, description="What to tell a person about it; there where `limit` is."
    )


class Refusal(Problem):
    """An action that is possible in itself, and not in this state (409)."""

    reason: str
    reason_code: str = Field(description="Its words in each language are in the catalogue.")
    numbers: dict[str, object]
    rule: str | None
