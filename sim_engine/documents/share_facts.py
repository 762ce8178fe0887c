"""The facts about a shared run that summaries count, as one flat row."""

from sim_engine.actions import STEPS, Shutdown, name_of
from sim_engine.cluster.state import ProducedRecord
from sim_engine.documents.document import Document
from sim_engine.events import Event
from sim_engine.events.election import LeaderElected
from sim_engine.events.process import ShutdownStarted
from sim_engine.events.run import ActionRefused
from sim_engine.identifiers import FrameNumber
from sim_engine.invariants import Cause, Losses
from sim_engine.json_types import Int32
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
