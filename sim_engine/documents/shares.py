"""The facts about a shared run that summaries count, as one flat row, and the summary of shared
runs: counts only, because these runs are chosen examples and not a sample.

The analytics write the summary's rows to the database, and the service shows the latest ones.
"""

from typing import Annotated, Literal

from msgspec import Meta

from sim_engine.actions import STEPS
from sim_engine.actions.base import name_of
from sim_engine.actions.steps import Shutdown
from sim_engine.cluster.state import ProducedRecord
from sim_engine.events.base import Event
from sim_engine.events.controller import LeaderElected
from sim_engine.events.process import ShutdownStarted
from sim_engine.events.run import ActionRefused
from sim_engine.identifiers import FrameNumber
from sim_engine.invariants.fates import LOSS_CAUSES, Cause, Losses
from sim_engine.json_types import Document, Int32
from sim_engine.simulation.timeline import Timeline

FAULT_KINDS = (*(name_of(kind) for kind in STEPS if kind.fault), "unclean_election")
"""The kinds of faults: every action that is a fault, and every unclean election."""


class FactsDocument(Document, frozen=True, kw_only=True):
    """One shared run as one flat row. The analytics read every field."""

    kafka: str
    """The Kafka release of the run."""
    scenario_id: str | None
    """The shipped scenario; null for a user's own scenario."""
    # In the languages of the first shares. Pages that show a lesson take its title from the
    # library.
    title_en: str
    """The run's title in English."""
    title_zh: str
    """The run's title in Chinese."""
    replication_factor: Int32
    """Replicas of the first partition."""
    min_insync_replicas: Int32
    """`min.insync.replicas` of the first partition."""
    acked_all: int
    """The number of records acknowledged with acks=all."""
    acked_1: int
    """The number of records acknowledged with acks=1."""
    lost_all: int
    """The number of `acked_all` records that were lost."""
    lost_1: int
    """The number of `acked_1` records that were lost."""
    faults: dict[str, int]
    """Fault → how often it happened, possibly 0."""
    last_fault_before_loss: str | None
    """The last fault before the first loss; null if nothing was lost, or no fault came first."""
    loss_cause: Cause | None
    """The cause of the first loss of an acknowledged record; null if nothing was lost."""
    exercised: bool
    """Whether a record was acknowledged and a fault happened. Otherwise the run does not show
    whether records can be lost."""


def facts_document(timeline: Timeline, at: FrameNumber) -> FactsDocument:
    """The row of the branch through frame `at`, up to its end."""
    path = timeline.branch(at)
    last = timeline.frames[path[-1]]
    cluster = last.cluster
    faults = dict.fromkeys(FAULT_KINDS, 0)
    acked = [record for record in cluster.clients.produced if record.outcome == "acked"]
    lost = [record for record in acked if record.fate == "lost"]
    lost_at = _first_loss(lost)
    last_fault: str | None = None
    losses = Losses()
    for number in path:
        frame = timeline.frames[number]
        for happened in frame.events:
            losses.see(happened)
        kinds = list(frame.action or {})
        if kinds == [name_of(Shutdown)] and not _says(frame.events, ShutdownStarted):
            kinds = []
        elections = sum(
            isinstance(happened, LeaderElected) and happened.variant == "unclean"
            for happened in frame.events
        )
        happened_now = [
            kind for kind in kinds if kind in faults and not _says(frame.events, ActionRefused)
        ]
        happened_now.extend(["unclean_election"] * elections)
        for kind in happened_now:
            faults[kind] += 1
            if lost_at is None or number <= lost_at:
                last_fault = kind
    registration = cluster.controller.partitions[0]
    return FactsDocument(
        kafka=timeline.profile.kafka,
        scenario_id=timeline.scenario.id,
        title_en=timeline.scenario.title["en"],
        title_zh=timeline.scenario.title["zh"],
        replication_factor=len(registration.replicas),
        min_insync_replicas=cluster.settings_of(registration.partition).min_insync_replicas,
        acked_all=sum(record.acks == "all" for record in acked),
        acked_1=sum(record.acks == 1 for record in acked),
        lost_all=sum(record.acks == "all" for record in lost),
        lost_1=sum(record.acks == 1 for record in lost),
        faults=faults,
        last_fault_before_loss=last_fault if lost_at is not None else None,
        loss_cause=losses.cause,
        exercised=bool(acked) and any(faults.values()),
    )


def _says(events: tuple[Event, ...], kind: type[Event]) -> bool:
    return any(isinstance(happened, kind) for happened in events)


def _first_loss(lost: list[ProducedRecord]) -> int | None:
    """The frame in which the first acknowledged record was lost."""
    frames = [record.fate_frame for record in lost if record.fate_frame is not None]
    return min(frames, default=None)


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
