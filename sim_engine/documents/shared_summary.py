"""The summary of shared runs: counts only, because these runs are chosen examples and not a sample.

The analytics write its rows to the database, and the service shows the latest ones.
"""

from typing import Annotated, Literal

from msgspec import Meta

from sim_engine.documents.document import Document
from sim_engine.invariants import LOSS_CAUSES
from sim_engine.json_types import Int32


class SharedLoss(Document, frozen=True, kw_only=True):
    """The shared runs of one configuration, and how many of them lost an acknowledged record."""

    dimension: Literal[
        "version", "acks", "min_insync_replicas", "replication_factor", "version_acks"
    ]
    """How runs were grouped. Of the next four fields only those of the dimension are present.
    `acks` and `version_acks` have a row for each acks; the others cover acks=all."""
    kafka: str | None
    """The Kafka release; null in other dimensions."""
    acks: str | None
    """`all` or `1`; null in dimensions that cover acks=all."""
    min_insync_replicas: Int32 | None
    """`min.insync.replicas` of the first partition; null in other dimensions."""
    replication_factor: Int32 | None
    """Replicas of the first partition; null in other dimensions."""
    runs: Int32
    """Different runs with this configuration."""
    exercised: Int32
    """Runs in which a record was acknowledged with these acks and a fault happened, or such a
    record was lost."""
    not_exercised: Int32
    """The other runs. They do not show whether records can be lost."""
    lost: Int32
    """Exercised runs that lost a record acknowledged with these acks."""


class SharedFault(Document, frozen=True, kw_only=True):
    """One kind of fault, and the shared runs in which it happened."""

    fault: str
    """The kind of fault."""
    runs: Int32
    """Runs in which it happened."""
    lossy_runs: Int32
    """Those of them that lost a record acknowledged with acks=all."""
    last_before_loss: Int32
    """Those of `lossy_runs` in which it was the last fault before the loss."""


UNKNOWN_CAUSE = "unknown"
"""Of shares of another version, which has a cause that this one does not have."""


class SharedCause(Document, frozen=True, kw_only=True):
    """One cause of losses, and the shared runs that lost acknowledged records by it."""

    cause: Annotated[str, Meta(extra_json_schema={"enum": [*LOSS_CAUSES, UNKNOWN_CAUSE]})]
    """The cause of the first loss of an acknowledged record, as in campaigns; `unknown` if it is
    one that this version does not have."""
    runs: Int32
    """Runs that lost an acknowledged record, the first by this cause."""
    lost_acks_all: Int32
    """Those of `runs` that lost a record acknowledged with acks=all."""


class SharedLesson(Document, frozen=True, kw_only=True):
    """One lesson that was shared as shipped."""

    scenario_id: str
    """The id of the lesson."""
    title: dict[str, str]
    """The title in each language, by the language's tag."""
    shares: Int32
    """Shares of the unchanged lesson, also of the same run."""


class SharedSummary(Document, frozen=True, kw_only=True):
    """The latest summary of the shared runs. Rows of few runs are not part of it."""

    generated_at: str | None
    """ISO 8601 in UTC; null if there is no summary yet."""
    engine: str | None
    """The engine that wrote it; null if there is no summary yet."""
    shares_read: Int32
    """Visible shares with valid facts."""
    first_share_at: str | None
    """ISO 8601 in UTC; null if nothing was shared."""
    last_share_at: str | None
    """ISO 8601 in UTC; null if nothing was shared."""
    loss: tuple[SharedLoss, ...]
    faults: tuple[SharedFault, ...]
    causes: tuple[SharedCause, ...]
    lessons: tuple[SharedLesson, ...]
