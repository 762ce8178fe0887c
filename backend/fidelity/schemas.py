"""The shapes of what readers are told of the engine's fidelity."""

from typing import Literal

from pydantic import Field

from backend.http.answers import Shape


class RecordingRead(Shape):
    """One run of a real cluster that the engine is held to, step by step."""

    id: str
    kafka: str
    title: str
    shows: str
    steps: int


class SectionRead(Shape):
    """A section of FIDELITY.md, in English. Code stands between backticks."""

    name: Literal["modelled", "tests", "losses", "simpler", "left_out"]
    paragraphs: list[str]
    rows: list[list[str]] = Field(description="What it is about, what is so, and its source.")


class FidelityRead(Shape):
    sections: list[SectionRead]
    recordings: list[RecordingRead]
    releases: list[str] = Field(description="Those that were recorded, oldest first.")
    cases: int = Field(description="How many cases of Kafka's own tests the engine passes.")
    cases_in_part: int = Field(description="Of how many of them only a part can be said here.")
