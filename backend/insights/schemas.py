"""The schemas of the insights page."""

from typing import Literal

from pydantic import Field

from backend.http.answers import Shape, Text
from backend.insights.campaigns import Problem


class LossRead(Shape):
    """The shared runs of one configuration, and how many of them lost an acknowledged record.

    These runs are chosen examples, not a random sample, so there are no rates.
    """

    dimension: Literal[
        "version", "acks", "min_insync_replicas", "replication_factor", "version_acks"
    ]
    kafka: str | None
    acks: str | None
    min_insync_replicas: int | None
    replication_factor: int | None
    runs: int
    exercised: int
    not_exercised: int = Field(
        description="Runs without an acknowledged record or without a fault. They are not "
        "evidence about losses."
    )
    lost: int


class FaultRead(Shape):
    fault: str
    runs: int
    lossy_runs: int
    last_before_loss: int


class LessonRead(Shape):
    scenario_id: str
    title: Text
    shares: int = Field(
        description="Runs of the lesson as shipped. Runs with changes are not counted."
    )


class OwnCampaignRead(Shape):
    """A campaign in the folder of `HIGHWATER_CAMPAIGNS`; one with a `problem` cannot be shown."""

    id: str
    name: str = Field(description="Of its folder.")
    title: str
    runs: int
    finished_at: str | None
    problem: Problem | None


class OwnCampaignListRead(Shape):
    campaigns: list[OwnCampaignRead]


class SummaryRead(Shape):
    """The latest summary of the shared runs. `generated_at` is null if there is none yet."""

    generated_at: str | None
    engine: str | None
    shares_read: int
    first_share_at: str | None
    last_share_at: str | None
    loss: list[LossRead]
    faults: list[FaultRead]
    lessons: list[LessonRead]
