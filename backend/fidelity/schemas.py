"""The schemas of the engine's fidelity."""

from typing import Annotated, Literal

from pydantic import Field

from backend.frames.packing import FrameEntry
from backend.http.schemas import Shape, Text, WordsRead, reference
from sim_engine.identifiers import FrameNumber
from sim_engine.story.steps import StoryStepDocument


class RecordingRead(Shape):
    """A recording of a real cluster, which the engine must reproduce step by step."""

    name: str = Field(description="Its name in addresses: the id and the release.")
    id: str
    kafka: str
    title: str = Field(description="In English.")
    titles: Text = Field(description="The title in every language that has it.")
    shows: str = Field(description="In English.")
    said: Text = Field(description="What it shows, in every language that has it.")
    steps: int


class SectionRead(Shape):
    """A section of FIDELITY.md. Code is enclosed in backticks."""

    name: Literal["modelled", "tests", "losses", "simpler", "left_out"]
    paragraphs: list[str]
    rows: list[list[str]] = Field(description="The topic, the statement and its source.")


class FidelityRead(Shape):
    """What the engine models of Kafka, and how that is checked."""

    sections: list[SectionRead] = Field(description="In English.")
    translations: dict[str, list[SectionRead]] = Field(
        description="The same sections by language, for every other language that has them."
    )
    recordings: list[RecordingRead]
    releases: list[str] = Field(description="The recorded releases, oldest first.")
    cases: int = Field(
        description="The number of cases from Kafka's own tests that the engine passes."
    )
    cases_in_part: int = Field(
        description="The number of those cases that only partly fit the model."
    )


class ComparedRead(Shape):
    """One value that was read from the real cluster, and the engine's value, both as JSON."""

    where: str = Field(description="Its path within the step of the recording.")
    recorded: object
    engine: object
    standing: Literal["equal", "differs", "not_held"] = Field(
        description="not_held: the value depends on when the cluster was read, so it may differ."
    )


class CheckpointRead(Shape):
    """The values that were read after one step of a recording."""

    step: int = Field(description="The story step, from 1.")
    frame: FrameNumber = Field(description="The last frame of the step.")
    settled: bool = Field(
        description="Whether nothing was pending in the cluster when it was read."
    )
    compared: list[ComparedRead]


class RecordedRunRead(RecordingRead):
    """A recording, replayed by the engine and compared with what was read."""

    control: str
    scenario: dict[str, object]
    words: WordsRead
    story: list[Annotated[object, reference(StoryStepDocument)]]
    frames: list[Annotated[object, reference(FrameEntry)]] = Field(
        description="As in a timeline: the first with its complete state, then patches."
    )
    checkpoints: list[CheckpointRead]
