"""Building blocks for the response models, and the schemas of errors (application/problem+json).

A response model only describes the response for OpenAPI; the response itself is encoded from plain
data and from the engine's documents. Documents have their own schemas, so models refer to those.
"""

from typing import Annotated

from msgspec import Struct
from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

REF_TEMPLATE = "#/components/schemas/{name}"

Step = Annotated[
    dict[str, object],
    Field(description='One step, as in a scenario file: {"crash": {"broker": 2}}.'),
]
Text = Annotated[dict[str, str], Field(description="The same words in each language, by its tag.")]


class Shape(BaseModel):
    """The base of response models: exactly these keys."""

    # Built for the OpenAPI document, not at each start.
    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)


class WordsRead(Shape):
    """Which of the author's words apply to the release of this run."""

    title: Text = Field(description="The title of this run.")
    summary: bool = Field(description="Whether the scenario's summary applies.")
    steps: list[int] = Field(
        description="The indexes, in the scenario's steps, of the notes and questions that apply."
    )


def reference(document: type[Struct]) -> WithJsonSchema:
    """For a response field that contains a document: `Annotated[object, reference(Document)]`."""
    # A bare reference would be resolved among the models, which do not include documents.
    return WithJsonSchema({"allOf": [{"$ref": REF_TEMPLATE.format(name=document.__name__)}]})


class ProblemPlace(Shape):
    """One error, and what is allowed."""

    where: str = Field(description="A JSON Pointer into the request.")
    message: str
    line: int | None = Field(
        None, description="The line, from 1. Present for errors in a submitted text."
    )
    column: int | None = Field(None, description="The column, from 1. Present if `line` is.")
    last_line: int | None = Field(
        None, description="The last of several lines with the same error; absent for one line."
    )
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
    numbers: dict[str, object] = Field(title="Values", description="The values that it shows.")
    rule: str | None
