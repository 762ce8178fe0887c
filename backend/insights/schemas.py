"""The shapes of the insights page's numbers."""

from typing import Literal

from pydantic import Field

from backend.http.answers import Shape, Text


class LossRead(Shape):
    """Runs of one configuration, and how many of them lost an acknowledged record.

    `rate` is lost ÷ exercised, with a 95 % interval from `low` to `high`; all three are null
    where nothing was exercised.
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
    not_exercised: int = Field(description="No acknowledged record, or no fault: they say nothing.")
    lost: int
    rate: float | None
    low: float | None
    high: float | None
    example_sid: str | None = Field(description="A share that shows it.")


class FaultRead(Shape):
    fault: str
    runs: int
    lossy_runs: int
    last_before_loss: int
    example_sid: str | None


class LessonRead(Shape):
    scenario_id: str
    title: Text
    shares: int
    lossy: int
    example_sid: str | None


class SummaryRead(Shape):
    """The newest summary of what people shared; `generated_at` is null when there is none yet."""

    generated_at: str | None
    engine: str | None
    shares_read: int
    first_share_at: str | None
    last_share_at: str | None
    loss: list[LossRead]
    faults: list[FaultRead]
    lessons: list[LessonRead]
