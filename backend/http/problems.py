"""The schemas of errors: application/problem+json."""

from pydantic import ConfigDict, Field

from backend.http.response_models import Shape, Text


class ProblemPlace(Shape):
    """One error, and what is allowed."""

    where: str = Field(description="A JSON Pointer into the request.")
    message: str
    line: int | None = Field(
        None, description="The line, from 1. Present for errors in a submitted text."
    )
    column: int | None = Field(None, description="The column, from 1. Present if `line` is.")
    repair: str | None = Field(
        None, description="The word or number to write there instead, if that is known."
    )
    said: Text | None = Field(
        None,
        description="The message in every language. Present for errors in a scenario, a step, a "
        "grid or an import.",
    )


class Problem(Shape):
    """Every error: application/problem+json (RFC 9457)."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str = Field(description="A stable code for programs.")
    errors: list[ProblemPlace]
    more_errors: int | None = Field(
        None, description="The number of further errors, which are not listed; absent if none are."
    )
    limit: str | None = Field(
        None, description="The exceeded limit, by its name in `/limits`; otherwise absent."
    )
    number: int | None = Field(None, description="The number of that limit. Present if `limit` is.")
    said: Text | None = Field(
        None,
        description="A text for people, in every language. Present if `limit` is, for a refused "
        "action, and if a place has `said`.",
    )


class Refusal(Problem):
    """A valid action that is not possible in this state (409)."""

    reason: str = Field(description="The reason in English.")
    said: Text
    reason_code: str = Field(description="Its texts are in the message catalogue.")
    numbers: dict[str, object]
    rule: str | None
