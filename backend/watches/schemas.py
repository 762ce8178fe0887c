"""The schemas of a watched cluster."""

from datetime import datetime
from typing import Annotated

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


class WatchedPartitionRead(Shape):
    """One partition as it was read: a frame of recorded values."""

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
        description="Each value that was read, with the one that is drawn."
    )
    not_known: list[Text] = Field(description="What was not read, and what is drawn instead.")
