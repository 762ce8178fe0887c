"""Building blocks for the response models.

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


class Shape(BaseModel):
    """The base of response models: exactly these keys."""

    model_config = ConfigDict(extra="forbid", strict=True)


Text = Annotated[dict[str, str], Field(description="The same words in each language, by its tag.")]


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
