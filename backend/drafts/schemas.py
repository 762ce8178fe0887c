"""The schemas of scenarios that are being written."""

from pydantic import Field

from backend.answers.requests import Control
from backend.http.schemas import Shape, Text
from backend.sessions.schemas import ChoiceRead, FrameEntryRead
from sim_engine.identifiers import FrameNumber


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
