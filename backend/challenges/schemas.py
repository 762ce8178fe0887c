"""The schemas of challenges and of tries."""

from typing import Annotated, Literal

from pydantic import Field

from backend.frames.packing import FrameEntry
from backend.http.schemas import Shape, Step, Text, reference
from sim_engine.identifiers import FrameNumber


class SearchedRead(Shape):
    """The result of a search. If it is complete and found no solution, no moves of the challenge
    are one."""

    best: int | None = Field(
        description="The smallest number of moves that solves it; null if the search found none."
    )
    states: int = Field(description="The number of states that it examined.")
    complete: bool = Field(
        description="Whether it examined every reachable state within the limits."
    )


class AlsoRead(Shape):
    """Another challenge to try."""

    id: str
    title: Text
    searched: SearchedRead


class ChallengeSummaryRead(Shape):
    """One challenge, as on the menu."""

    id: str
    title: Text
    goal: Text
    kafka: str
    brokers: int
    configs: dict[str, int | bool | str] = Field(description="The settings, which do not change.")
    property: str = Field(description="The property to violate.")
    budget: dict[str, int] = Field(description="Fault → how often it may happen.")
    searched: SearchedRead


class ChallengeListRead(Shape):
    """The challenges, in menu order."""

    challenges: list[ChallengeSummaryRead]


class ChallengeRead(ChallengeSummaryRead):
    """One challenge, with its hints."""

    not_allowed: list[str] = Field(
        description="The faults that other challenges allow and this one does not."
    )
    hints: list[Text] = Field(
        description="Three, from a question to the first moves, or to why no moves win."
    )
    solution: list[Step] = Field(
        description="The fewest moves that a search has found; empty if it found none."
    )
    also: list[AlsoRead] = Field(description="The challenges to try next.")


class MoveRead(Shape):
    """A step, who takes it, and what it costs."""

    step: Step
    token: str | None = Field(description="The fault of the budget that it uses; null if none.")
    actor: str = Field(
        description="A broker's id as text, `controller`, a client's name or `network`."
    )
    row: int | None = Field(
        description="The position of its button on the row of a broker, the lowest first; null if "
        "it has none."
    )


class RecordCopiesRead(Shape):
    """An acknowledged record, and what still protects it from loss."""

    value: str
    fate: str
    copies: list[int] = Field(description="The brokers, up or down, that have the record.")
    on_disk: list[int] = Field(description="The brokers that have the record on disk.")
    may_lead: list[int] = Field(description="The brokers that can be elected cleanly.")


class TryRead(Shape):
    """The state after the moves, and the possible next moves."""

    result: Literal["open", "won", "stuck"] = Field(
        description="stuck: no move is possible any more."
    )
    moves: list[MoveRead]
    starts: list[FrameNumber] = Field(description="The number of the first frame of each move.")
    left: dict[str, int] = Field(description="The remaining budget.")
    possible: list[MoveRead]
    told: Text = Field(description="The effect of the last move, in one sentence.")
    records: list[RecordCopiesRead]
    frames: list[Annotated[object, reference(FrameEntry)]] = Field(
        description="All frames, from the first of the cluster; those before the first move come "
        "from the challenge's own steps."
    )
    scenario: dict[str, object] = Field(description="The whole try as a scenario document.")
