"""The schemas of scenarios that are being written."""

from typing import Annotated

from pydantic import Field

from backend.http.schemas import Shape, Text
from backend.limit_table import IMPORT_FILES, IMPORT_TOPICS, SCENARIO_BODY_BYTES
from backend.sessions.schemas import ChoiceRead, Control, FrameEntryRead, Request
from sim_engine.identifiers import FrameNumber

_Name = Annotated[str, Field(min_length=1, max_length=400)]


class DraftCheck(Request):
    """The text of a scenario to check."""

    body_limit = SCENARIO_BODY_BYTES

    scenario_text: str = Field(
        min_length=1,
        max_length=SCENARIO_BODY_BYTES.number,
        description="A complete scenario file, YAML or JSON.",
    )
    after: int = Field(
        0,
        ge=0,
        description="How many of its `steps`, including notes, questions and expectations, to "
        "perform before the frame. If there are fewer, all of them.",
    )


class ImpossibleStepRead(Shape):
    """A step of a scenario that is not possible in the state before it, and changes nothing."""

    item: int = Field(description="Its index in `steps`, from 0.")
    reason: Text = Field(description="Why: a clause without a full stop.")


class DraftRead(Shape):
    """A valid scenario and its state at the start, or after the requested steps."""

    kafka: str
    control: Control
    scenario: dict[str, object] = Field(description="The complete scenario document.")
    steps: int = Field(
        description="The number of its steps, including notes, questions and expectations."
    )
    frame: FrameEntryRead = Field(
        description="The last frame of the requested steps, with its complete state. If the last "
        "of them is not possible, the frame's event gives the reason."
    )
    starts: list[FrameNumber] = Field(
        description="The number of the first frame of each performed step. A step without a frame "
        "has that of the next one."
    )
    impossible: list[ImpossibleStepRead] = Field(
        description="The steps of the whole scenario that are not possible, also after the frame."
    )
    choices: list[ChoiceRead] = Field(description="The steps that are possible in it.")
    consequences: list[Text] = Field(
        description="What follows from the initial state: the arithmetic of each high watermark, "
        "the records that are not committed, and how many brokers may leave the ISR. Empty after a "
        "step."
    )


class PastedFile(Request):
    """One file or one output of a tool."""

    name: _Name = Field(description="Its path, which identifies the broker and the partition.")
    text: str = Field(max_length=SCENARIO_BODY_BYTES.number)


class ImportCreate(Request):
    """The output of a real cluster's tools, and its brokers' checkpoint files."""

    body_limit = SCENARIO_BODY_BYTES

    files: Annotated[list[PastedFile], Field(min_length=1, max_length=IMPORT_FILES.number)]
    kafka: Annotated[str, Field(max_length=16)] | None = Field(
        None, description="The cluster's release, if known."
    )
    topics: Annotated[list[_Name], Field(max_length=IMPORT_TOPICS.number)] = Field(
        [], description="Only these topics. Default: all except Kafka's internal ones."
    )


class StatementRead(Shape):
    """One statement about the input: how it was interpreted, or what was assumed."""

    name: str
    text: Text
    file: str | None
    line: int | None = Field(description="The first line that it concerns, from 1.")
    last_line: int | None


class ImportRead(Shape):
    """A scenario that starts from the cluster's state."""

    scenario_text: str = Field(description="The scenario file, as YAML.")
    kafka: str
    understood: list[StatementRead] = Field(
        description="How each part of the input was interpreted."
    )
    unknown: list[StatementRead] = Field(
        description="The assumptions where the input was not sufficient."
    )
    not_used: list[StatementRead] = Field(
        description="The lines that were recognized and have no use, as ranges of one kind."
    )
    differences: list[StatementRead] = Field(
        description="What the start of the scenario does not keep of the described state."
    )


class BranchFileRead(Shape):
    """One branch of a run as a scenario file."""

    scenario_text: str = Field(description="The scenario file, as YAML.")
