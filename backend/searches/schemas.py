"""The shapes of a search on the wire."""

from typing import Annotated, Literal

from pydantic import Field

from backend.http.answers import Shape, Step
from backend.limits.table import SEARCH_FAULTS, SEARCH_SECONDS, SEARCH_STEPS
from backend.sessions.schemas import AFrame, Request


class SearchCreate(Request):
    """ "From here, can this property fall?", and how far to look."""

    property: str = Field("NoAckedRecordLost", min_length=1, max_length=64)
    after: AFrame | None = Field(None, description="The frame to start from; else the head.")
    max_depth: Annotated[int, Field(ge=1, le=SEARCH_STEPS.number, description="Steps at most.")] = (
        12
    )
    budget: Annotated[
        dict[str, Annotated[int, Field(ge=0, le=SEARCH_FAULTS.number)]] | None, Field()
    ] = Field(
        None, description="How often each fault of `/searches/faults` may happen; else as it says."
    )
    seconds: Annotated[int, Field(ge=1, le=SEARCH_SECONDS.number, description="Time at most.")] = 20


class SearchableFaultRead(Shape):
    """Something that a search can try a number of times."""

    name: str = Field(description="Its name in a budget.")
    allowed: int = Field(description="How often it may happen where no budget is given.")
    most: int = Field(description="How often a budget may allow it.")


class SearchableFaultListRead(Shape):
    """What a budget may name."""

    faults: list[SearchableFaultRead] = Field(description="The likeliest to be allowed first.")


class SearchProgress(Shape):
    """The data of a `progress` event."""

    depth: int
    states: int
    transitions: int
    seconds: float


class SearchRead(Shape):
    """The data of the `result` event, which is the last one. It never says "safe"."""

    property: str
    verdict: Literal["violated", "none_within_bound", "cut"]
    grain: str
    depth: int
    states: int
    transitions: int
    seconds: float
    steps: list[Step] = Field(description="The counterexample: actions after the frame.")
    scenario: dict[str, object] | None = Field(description="All of it as a scenario document.")
