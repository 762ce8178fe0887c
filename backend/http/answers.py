"""What the descriptions of answers are made of.

An answer's model describes it for OpenAPI; what is sent is encoded from plain data and from the
engine's documents. Those describe themselves, so a model holds them by reference.
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
    """A mapping of an answer: these keys and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)


Text = Annotated[
    dict[str, str], Field(description='The same words by language: {"en": "…", "zh": "…"}.')
]


class WordsRead(Shape):
    """What of the author's words applies to the release of this run."""

    title: Text = Field(description="What this run is called.")
    summary: bool = Field(description="Whether the scenario's summary applies.")
    steps: list[int] = Field(
        description="Where in the scenario's steps the notes and questions are that apply."
    )


def reference(document: type[Struct]) -> WithJsonSchema:
    """For a field of an answer that holds a document: `Annotated[object, reference(Document)]`."""
    # A bare reference would be looked up among the models, where no document is.
    return WithJsonSchema({"allOf": [{"$ref": REF_TEMPLATE.format(name=document.__name__)}]})
