"""The schemas of a watched cluster."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from backend.fidelity.schemas import ComparedRead
from backend.frames.packing import FrameEntry
from backend.http.schemas import Shape, Text, reference


class ReadingRead(Shape):
    """One reading of the cluster."""

    number: int = Field(description="From 1.")
    at: datetime = Field(description="When it began.")
    took_s: float
    failure: str | None = Field(
        description="Why the cluster could not be read, in English; null if it was read."
    )
    changes: list[Text] = Field(
        description="What differs from the newest reading before that succeeded."
    )
    brokers: int = Field(description="How many run.")
    partitions: int


class ReadingsRead(Shape):
    """A watched cluster: the data of an event, which has the readings that the ones before lack."""

    bootstrap: str
    interval_s: float
    reading_since: datetime | None = Field(
        description="When the reading that is in progress began; null between two readings."
    )
    readings: list[ReadingRead] = Field(description="The oldest first.")


class RecordedStepRead(Shape):
    """One step of a recording that real brokers carried out."""

    number: int = Field(description="From 0, as in the file.")
    title: Text
    at: datetime | None = Field(description="When it was read; null in a kept recording.")
    changes: list[Text] = Field(description="What differs from the state that was read before.")
    was_read: bool = Field(description="Whether anything was read after it.")
    followed: bool = Field(description="Whether the engine has replayed it.")
    equal: int = Field(description="How many values the engine has too.")
    differs: int
    not_held: int = Field(description="How many values depend on when they were read.")


class MirrorRead(Shape):
    """A recording beside the engine, as far as it was made: the data of an event."""

    title: Text
    kafka: str
    stage: Literal["starting", "recording", "finished", "failed"]
    file: str | None = Field(description="The file of the complete recording.")
    failure: Text | None = Field(description="Why the recording failed; null if it did not.")
    run: int = Field(description="The run that is made, from 1. The first one is shown.")
    runs: int = Field(description="How many runs have to agree; 0 in a kept recording.")
    step: int | None = Field(
        description="The step that is carried out, from 0; null while the brokers start."
    )
    last: int = Field(description="The number of the last step.")
    difference: int | None = Field(description="The first step with a difference.")
    recorded: list[RecordedStepRead]


class WatchedPartitionRead(Shape):
    """One partition as it was read: a frame of recorded values, of a live cluster or of a step of a
    recording.
    """

    partition: str
    number: int
    kafka: str
    control: str | None = Field(description="Null if no frame has this state.")
    frame: Annotated[object, reference(FrameEntry)] | None = Field(
        description="The state as the stage draws it; null if the engine cannot be in it."
    )
    why_not: Text = Field(description="Why there is no frame; empty if there is one.")
    offsets_read: bool = Field(
        description="Whether offsets were read: of very many partitions, only those in an unusual "
        "state are asked for theirs."
    )
    compared: list[ComparedRead] = Field(
        description="Each value that was read, with the one that is drawn; of a recording, with "
        "the engine's."
    )
    drawn_otherwise: list[ComparedRead] = Field(
        description="Of a recording: the values that are drawn otherwise than they were read."
    )
    engine_frame: Annotated[object, reference(FrameEntry)] | None = Field(
        description="Of a recording: the engine's state after the step; null if it did not follow."
    )
    not_known: list[Text] = Field(description="What was not read, and what is drawn instead.")
