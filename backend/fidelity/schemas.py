"""The shapes of what readers are told of the engine's fidelity."""

from typing import Annotated, Literal

from pydantic import Field

from backend.frames.packing import FrameEntry
from backend.http.answers import Shape, WordsRead, reference
from sim_engine import StoryStepDocument


class RecordingRead(Shape):
    """One run of a real cluster that the engine is held to, step by step."""

    name: str = Field(description="What its address has: the id and the release.")
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


class ComparedRead(Shape):
    """One value that was read on the real cluster, beside the engine's. Both are as JSON."""

    where: str = Field(description="Its place below the step of the recording.")
    recorded: object
    engine: object
    standing: Literal["equal", "differs", "not_held"] = Field(
        description="not_held: it depends on when the cluster was read, so it may be another."
    )


class CheckpointRead(Shape):
    """What was read after one step of a recording."""

    step: int = Field(description="The step of the story; the first thing done is 1.")
    frame: int = Field(description="The last frame of the step.")
    settled: bool = Field(description="Whether the cluster had come to rest when it was read.")
    compared: list[ComparedRead]


class RecordedRunRead(RecordingRead):
    """A recording, replayed by the engine: what it shows, and what was read beside it."""

    control: str
    scenario: dict[str, object]
    words: WordsRead
    story: list[Annotated[object, reference(StoryStepDocument)]]
    frames: list[Annotated[object, reference(FrameEntry)]] = Field(
        description="As in a timeline: the first with its whole state, then patches."
    )
    checkpoints: list[CheckpointRead]
