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

    dimension: Annotated[
        Literal["version", "acks", "min_insync_replicas", "replication_factor", "version_acks"],
        Meta(
            description="How runs were grouped. Of the next four fields only those of the dimension"
            " are present. `acks` and `version_acks` have a row for each acks; the others cover"
            " acks=all."
        ),
    ]
    kafka: Annotated[str | None, Meta(description="The Kafka release; null in other dimensions.")]
    acks: Annotated[
        str | None, Meta(description="`all` or `1`; null in dimensions that cover acks=all.")
    ]
    min_insync_replicas: Annotated[
        Int32 | None,
        Meta(description="`min.insync.replicas` of the first partition; null in other dimensions."),
    ]
    replication_factor: Annotated[
        Int32 | None,
        Meta(description="Replicas of the first partition; null in other dimensions."),
    ]
    runs: Annotated[Int32, Meta(description="Different runs with this configuration.")]
    exercised: Annotated[
        Int32,
        Meta(
            description="Runs in which a record was acknowledged with these acks and a fault"
            " happened, or such a record was lost."
        ),
    ]
    not_exercised: Annotated[
        Int32, Meta(description="The other runs. They do not show whether records can be lost.")
    ]
    lost: Annotated[
        Int32, Meta(description="Exercised runs that lost a record acknowledged with these acks.")
    ]


class SharedFault(Document, frozen=True, kw_only=True):
    """One kind of fault, and the shared runs in which it happened."""

    fault: Annotated[str, Meta(description="The kind of fault.")]
    runs: Annotated[Int32, Meta(description="Runs in which it happened.")]
    lossy_runs: Annotated[
        Int32, Meta(description="Those of them that lost a record acknowledged with acks=all.")
    ]
    last_before_loss: Annotated[
        Int32,
        Meta(description="Those of `lossy_runs` in which it was the last fault before the loss."),
    ]


UNKNOWN_CAUSE = "unknown"
"""For old shares whose stored events do not determine a cause."""


class SharedCause(Document, frozen=True, kw_only=True):
    """One cause of losses, and the shared runs that lost acknowledged records by it."""

    cause: Annotated[
        str,
        Meta(
            description="The cause of the first loss of an acknowledged record, as in campaigns; "
            "`unknown` if the share is too old to determine it.",
            extra_json_schema={"enum": [*LOSS_CAUSES, UNKNOWN_CAUSE]},
        ),
    ]
    runs: Annotated[
        Int32, Meta(description="Runs that lost an acknowledged record, the first by this cause.")
    ]
    lost_acks_all: Annotated[
        Int32, Meta(description="Those of `runs` that lost a record acknowledged with acks=all.")
    ]


class SharedLesson(Document, frozen=True, kw_only=True):
    """One lesson that was shared as shipped."""

    scenario_id: Annotated[str, Meta(description="The id of the lesson.")]
    title: Annotated[
        dict[str, str], Meta(description="The title in each language, by the language's tag.")
    ]
    shares: Annotated[
        Int32, Meta(description="Shares of the unchanged lesson, also of the same run.")
    ]


class SharedSummary(Document, frozen=True, kw_only=True):
    """The latest summary of the shared runs. Rows of few runs are not part of it."""

    generated_at: Annotated[
        str | None, Meta(description="ISO 8601 in UTC; null if there is no summary yet.")
    ]
    engine: Annotated[
        str | None,
        Meta(description="The engine that wrote it; null if there is no summary yet."),
    ]
    shares_read: Annotated[Int32, Meta(description="Visible shares with valid facts.")]
    first_share_at: Annotated[
        str | None, Meta(description="ISO 8601 in UTC; null if nothing was shared.")
    ]
    last_share_at: Annotated[
        str | None, Meta(description="ISO 8601 in UTC; null if nothing was shared.")
    ]
    loss: tuple[SharedLoss, ...]
    faults: tuple[SharedFault, ...]
    causes: tuple[SharedCause, ...]
    lessons: tuple[SharedLesson, ...]
