"""The shapes of challenges and of tries at them."""

from typing import Annotated, Literal

from pydantic import Field

from backend.frames.packing import FrameEntry
from backend.http.answers import Shape, Step, Text, reference
from backend.sessions.schemas import Request
from sim_engine import MOST_MOVES


class SearchedRead(Shape):
    """What a search has found. Where it found no way and is complete, there is none."""

    best: int | None = Field(description="The fewest moves that win; null where none were found.")
    states: int = Field(description="How many states it looked at.")
    complete: bool = Field(description="Whether it looked at everything that can be done.")


class AlsoRead(Shape):
    id: str
    title: Text
    searched: SearchedRead


class ChallengeSummaryRead(Shape):
    id: str
    title: Text
    goal: Text
    kafka: str
    brokers: int
    configs: dict[str, int | bool | str] = Field(description="The settings, which stay.")
    property: str = Field(description="What has to fall.")
    budget: dict[str, int] = Field(description="How often each fault may happen.")
    searched: SearchedRead


class ChallengeListRead(Shape):
    """In the order in which they are offered."""

    challenges: list[ChallengeSummaryRead]


class ChallengeRead(ChallengeSummaryRead):
    hint: Text
    also: list[AlsoRead] = Field(description="Challenges to go on with.")


class TryCreate(Request):
    moves: Annotated[
        list[Step],
        Field(max_length=MOST_MOVES, description="From the start, each one that was possible."),
    ]


class MoveRead(Shape):
    step: Step
    token: str | None = Field(description="What of the budget it takes; null where nothing.")


class RecordStandingRead(Shape):
    """An acknowledged record, and what stands between it and its loss."""

    value: str
    fate: str
    copies: list[int] = Field(description="The brokers that have it, running or not.")
    on_disk: list[int] = Field(description="Those that have it on disk.")
    may_lead: list[int] = Field(description="The brokers that can be elected cleanly.")


class TryRead(Shape):
    """Where the moves have led, and what can be done next."""

    verdict: Literal["open", "won", "stuck"] = Field(
        description="Stuck: there is nothing left that could be done."
    )
    moves: list[MoveRead]
    left: dict[str, int] = Field(description="What is left of the budget.")
    possible: list[MoveRead]
    told: Text = Field(description="What the last move did, in one sentence.")
    records: list[RecordStandingRead]
    frames: list[Annotated[object, reference(FrameEntry)]] = Field(
        description="The frame before the last move, and its frames; at the start the first alone."
    )
    scenario: dict[str, object] = Field(description="All of it as a scenario document.")
