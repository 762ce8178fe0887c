"""The shapes of a search on the wire."""

from typing import Annotated, Literal

from pydantic import Field

from backend.http.answers import Shape, Step
from backend.limits.table import SEARCH_FAULTS, SEARCH_SECONDS, SEARCH_STATES, SEARCH_STEPS
from backend.sessions.schemas import AFrame, Request
from sim_engine import Grain


class SearchCreate(Request):
    """ "From here, can this property fall?", and how far to look."""

    property: str = Field("NoAckedRecordLost", min_length=1, max_length=64)
    after: AFrame | None = Field(None, description="The frame to start from; else the head.")
    grain: Grain = Field(
        "step", description="What is one step: what a person does, or each message."
    )
    max_depth: Annotated[int, Field(ge=1, le=SEARCH_STEPS.number, description="Steps at most.")] = (
        12
    )
    states: Annotated[int, Field(ge=1, le=SEARCH_STATES.number, description="States at most.")] = (
        SEARCH_STATES.number
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
    allowed: int | None = Field(
        description="How often it may happen where a budget does not name it; null as often as it "
        "comes to it."
    )
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


class RescueBoundRead(Shape):
    """How far a continuation that keeps the record was looked for."""

    depth: int = Field(description="Steps at most.")
    states: int = Field(description="States at most.")


class SearchRead(Shape):
    """The data of the `result` event, which is the last one. It never says "safe"."""

    property: str
    verdict: Literal["violated", "none_within_bound", "cut"]
    complete: bool = Field(
        description="Whether nothing was left to try: all that can be reached within the budget "
        "was looked at, at any depth."
    )
    grain: Grain
    depth: int
    states: int
    transitions: int
    seconds: float
    steps: list[Step] = Field(description="The counterexample: actions after the frame.")
    scenario: dict[str, object] | None = Field(
        description="The whole run as a scenario document, shrunk to the steps that it needs."
    )
    shrunk: bool = Field(description="Whether none of the scenario's steps can go.")
    prevented_by: list[dict[str, object]] = Field(
        description="What would have prevented it, each verified by a run: "
        '`{"config": {name: value}}`, `{"rule": name}` or `{"kafka": release}`.'
    )
    point_of_no_return: int | None = Field(
        description="The first frame of the scenario's run after which no continuation was found "
        "that keeps the record."
    )
    return_until: int | None = Field(
        description="The same place when `steps` are played: so many frames after the frame that "
        "was searched from."
    )
    return_step: int | None = Field(
        description="Which of `steps` that is, counted from 1; 0 where it is before them."
    )
    rescue_bound: RescueBoundRead
