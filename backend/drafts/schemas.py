"""The shapes of scenarios that are being written."""

from typing import Annotated

from pydantic import Field

from backend.http.answers import Shape, Text
from backend.limits.table import BODY_BYTES
from backend.sessions.schemas import ChoiceRead, Control, FrameEntryRead, Release, Request

MOST_FILES = 100

_Name = Annotated[str, Field(min_length=1, max_length=400)]


class DraftCheck(Request):
    scenario_text: str = Field(
        min_length=1, max_length=BODY_BYTES.number, description="A whole file, YAML or JSON."
    )


class DraftRead(Shape):
    """A scenario without mistakes, and the state that it starts from."""

    kafka: str
    control: Control
    scenario: dict[str, object] = Field(description="The whole scenario document.")
    steps: int = Field(description="How many steps it has, words included.")
    frame: FrameEntryRead = Field(description="Frame 0, with its whole state.")
    choices: list[ChoiceRead] = Field(description="What can be done in it.")


class PastedFile(Request):
    name: _Name = Field(
        description="Its path: paths say which broker and which partition a file is of."
    )
    text: str = Field(max_length=BODY_BYTES.number)


class ImportCreate(Request):
    """What a real cluster's tools print and its brokers write."""

    files: Annotated[list[PastedFile], Field(min_length=1, max_length=MOST_FILES)]
    kafka: Release | None = Field(None, description="The cluster's release, where it is known.")
    topics: Annotated[list[_Name], Field(max_length=MOST_FILES)] = Field(
        [], description="Only these; left out: all but Kafka's own."
    )


class StatementRead(Shape):
    name: str
    text: Text
    file: str | None
    line: int | None = Field(description="The first line that it is about, counted from 1.")
    last_line: int | None


class ImportRead(Shape):
    """A scenario that starts from the cluster's state."""

    scenario_text: str = Field(description="The file, in YAML.")
    kafka: str
    understood: list[StatementRead] = Field(description="What each part was understood as.")
    unknown: list[StatementRead] = Field(description="What could not be known, and is assumed.")


class BranchFileRead(Shape):
    scenario_text: str = Field(description="The file, in YAML.")
