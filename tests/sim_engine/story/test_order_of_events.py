"""Within a frame, causes precede effects; the headline is marked separately."""

from collections.abc import Iterator

import pytest

from sim_engine.documents.frames import frame_document
from sim_engine.events import clients, controller, log
from sim_engine.events.base import Event
from sim_engine.events.fetch import (
    FetchApplied,
    FetchDiverging,
    FetchHandled,
    FetchParked,
    FetchSent,
)
from sim_engine.events.isr import (
    FollowerOutOfSync,
    IsrCommitted,
    IsrExpanded,
    IsrExpandProposed,
    IsrShrinkProposed,
    IsrShrunk,
)
from sim_engine.events.metadata import BecameFollower, BecameLeader, CommandIgnored, MetadataApplied
from sim_engine.events.process import (
    BrokerBooted,
    BrokerCrashed,
    BrokerStopped,
    DiskLost,
    PowerLost,
    ShutdownStarted,
)
from sim_engine.events.run import PropertyViolated
from sim_engine.exploration.schedules import random_schedule
from sim_engine.simulation.timeline import Frame
from tests.sim_engine.played import VERSIONS, lessons_played
from tests.sim_engine.runs import lesson, play
from tests.tables import for_each

Named = type[Event] | tuple[type[Event], str]
"""A class of events, or one variant of it."""

LEADS_TO: list[tuple[Named, Named]] = [
    (log.HighWatermarkAdvanced, (clients.ProduceAcknowledged, "all")),
    (log.HighWatermarkAdvanced, (clients.ProduceFailed, "NOT_ENOUGH_REPLICAS_AFTER_APPEND")),
    (clients.RecordProduced, log.HighWatermarkAdvanced),
    (clients.RecordProduced, clients.ProduceAcknowledged),
    (clients.DuplicateRecognised, clients.ProduceAcknowledged),
    (clients.MarkerWritten, clients.TransactionEnded),
    (log.HighWatermarkAdvanced, clients.TransactionEnded),
    (FetchHandled, IsrExpandProposed),
    (FetchParked, IsrExpandProposed),
    (FetchParked, log.HighWatermarkAdvanced),
    (FetchHandled, IsrExpanded),
    (FetchParked, IsrExpanded),
    (FetchDiverging, log.HighWatermarkAdvanced),
    (IsrExpandProposed, log.HighWatermarkAdvanced),
    (IsrExpandProposed, log.HighWatermarkHeld),
    (FollowerOutOfSync, IsrShrinkProposed),
    (FollowerOutOfSync, IsrShrunk),
    (IsrShrunk, log.HighWatermarkAdvanced),
    (IsrCommitted, log.HighWatermarkAdvanced),
    (IsrExpanded, controller.ReassignmentCompleted),
    ((controller.LeaderElected, "reassigned"), controller.ReassignmentCompleted),
    (controller.SessionExpired, controller.ElectionNotPossible),
    (controller.BrokerFenced, IsrShrunk),
    (controller.BrokerFenced, controller.LeaderElected),
    (controller.BrokerFenced, controller.LeaderLost),
    (controller.BrokerRegistered, IsrShrunk),
    (controller.BrokerRegistered, controller.LeaderElected),
    (controller.BrokerRegistered, controller.LeaderLost),
    (controller.BrokerUnfenced, controller.LeaderElected),
    (controller.BrokerJoined, controller.LeaderElected),
    (controller.PreferredLeadersChecked, controller.LeaderElected),
    (controller.UncleanLeadersChecked, controller.LeaderElected),
    (ShutdownStarted, controller.LeaderElected),
    (ShutdownStarted, IsrShrunk),
    (BecameLeader, log.EpochAssigned),
    (BecameLeader, log.HighWatermarkAdvanced),
    (BecameFollower, log.LogTruncated),
    (BecameFollower, clients.ProduceFailed),
    (FetchApplied, log.EpochAssigned),
    (log.EpochAssigned, log.FollowerHighWatermarkSet),
    (log.LogTruncated, log.EpochsDropped),
    (log.LogTruncated, FetchSent),
    (log.TruncationNotNeeded, FetchSent),
    (log.LogTruncated, log.RecordLost),
    (log.UnflushedRecordsLost, log.RecordLost),
    (DiskLost, log.RecordLost),
    (log.ReplicaDeleted, log.RecordLost),
    (PowerLost, log.UnflushedRecordsLost),
    (BrokerCrashed, clients.ProduceUnanswered),
    (BrokerBooted, log.LogLoaded),
    (clients.ClientMetadataRefreshed, clients.RecordProduced),
    (clients.ClientMetadataRefreshed, clients.ConsumerRead),
    (clients.ConsumerPositionValidated, clients.ConsumerRead),
    (controller.LeaderElected, PropertyViolated),
    (log.LogTruncated, PropertyViolated),
    (BecameLeader, PropertyViolated),
]
"""What leads to what, where both are told of one partition in one frame."""

UNDER_KRAFT: list[tuple[Named, Named]] = [
    (IsrShrunk, controller.LeaderElected),
    (IsrShrunk, controller.LeaderLost),
    (IsrShrunk, controller.EligibleLeaderReplicasChanged),
    (controller.EligibleLeaderReplicasChanged, controller.LeaderElected),
    (controller.EligibleLeaderReplicasChanged, controller.LeaderLost),
]
"""There a leader is chosen from the ISR that is left; a ZooKeeper controller elects first."""

UNDER_ZOOKEEPER: list[tuple[Named, Named]] = [
    (controller.SessionExpired, controller.LeaderElected),
    (controller.SessionExpired, IsrShrunk),
    (controller.LeaderLost, IsrShrunk),
]


def _is(happened: Event, name: Named) -> bool:
    return name in (type(happened), (type(happened), happened.variant))


def _about_one_partition(one: Event, other: Event) -> bool:
    first, second = one.where().partition, other.where().partition
    return first is None or second is None or first == second


def _about_one_record(one: Event, other: Event) -> bool:
    """One frame may have events about several records, each with its own causes and effects."""
    these, those = one.numbers(), other.numbers()
    for happened, offset in ((one, those.get("offset")), (other, these.get("offset"))):
        if isinstance(happened, log.HighWatermarkAdvanced) and isinstance(offset, int):
            return happened.before <= offset < happened.after
    return all(
        these[number] == those[number]
        for number in ("value", "offset")
        if number in these and number in those
    )


def reversals(frame: Frame, control: str) -> Iterator[str]:
    """The events of a frame that precede their cause."""
    rules = [*LEADS_TO, *(UNDER_KRAFT if control == "kraft" else UNDER_ZOOKEEPER)]
    waits = any(isinstance(happened, FetchParked) for happened in frame.events)
    for place, later in enumerate(frame.events):
        # A process that is stopping is fenced once its leaderships have moved, and a fetch that
        # waits is answered by what happens after it.
        if (type(later), later.variant) == (controller.BrokerFenced, "shutdown"):
            continue
        if isinstance(later, FetchHandled) and waits:
            continue
        for earlier in frame.events[:place]:
            for cause, effect in rules:
                if (
                    _is(later, cause)
                    and _is(earlier, effect)
                    and _about_one_partition(earlier, later)
                    and _about_one_record(earlier, later)
                ):
                    yield f"{effect} before {cause}"


@for_each("kafka, control", VERSIONS)
def test_a_lesson_tells_cause_before_effect(kafka: str, control: str) -> None:
    for timeline in lessons_played(kafka, control):
        for frame in timeline.frames:
            found = list(reversals(frame, control))
            assert found == [], f"{timeline.scenario.id}, frame {frame.frame}"


@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 40), marks=pytest.mark.slow)])
@for_each("kafka, control", VERSIONS)
def test_a_random_schedule_tells_cause_before_effect(
    kafka: str, control: str, seeds: range
) -> None:
    for seed in seeds:
        timeline = play(random_schedule(seed, kafka=kafka, control=control))
        for frame in timeline.frames:
            found = list(reversals(frame, control))
            assert found == [], f"seed {seed}, frame {frame.frame}"


def test_a_frame_names_its_headline_apart_from_the_order() -> None:
    timeline = lesson("two-rounds")
    committing = next(
        frame
        for frame in timeline.frames
        if any(isinstance(happened, clients.ProduceAcknowledged) for happened in frame.events)
    )

    document = frame_document(timeline, committing.frame)

    kinds = [happened.kind for happened in document.events]
    assert kinds == ["FetchParked", "HighWatermarkAdvanced", "ProduceAcknowledged"]
    assert document.headline == 2


def test_every_headline_is_an_event_of_its_frame() -> None:
    for timeline in lessons_played():
        for frame in timeline.frames:
            assert 0 <= frame.headline < max(1, len(frame.events)), timeline.scenario.id


def test_a_loss_is_the_headline_after_its_cause() -> None:
    timeline = lesson("kip-101-data-loss")

    losing = [
        frame
        for frame in timeline.frames
        if any(isinstance(happened, log.RecordLost) for happened in frame.events)
    ]

    assert losing
    for frame in losing:
        before = frame.events[: frame.headline]
        assert isinstance(frame.events[frame.headline], log.RecordLost)
        assert any(isinstance(happened, log.LogTruncated | PowerLost) for happened in before)


def test_a_kraft_controller_lets_a_broker_stop_before_it_has_stopped() -> None:
    timeline = lesson("controlled-shutdown", "3.9")

    stops = [
        [type(happened) for happened in frame.events]
        for frame in timeline.frames
        if any(_is(happened, (controller.BrokerFenced, "shutdown")) for happened in frame.events)
        and any(_is(happened, BrokerStopped) for happened in frame.events)
    ]

    assert stops
    assert all(kinds.index(controller.BrokerFenced) < kinds.index(BrokerStopped) for kinds in stops)


def test_a_leader_reads_its_metadata_before_it_reports_what_limits_its_high_watermark() -> None:
    timeline = lesson("missed-deposition-noticed", "3.9")

    read = [
        [type(happened) for happened in frame.events]
        for frame in timeline.frames
        if [type(happened) for happened in frame.events][-1:] == [log.HighWatermarkHeld]
        and frame.events[0].numbers().get("offset") == 8
    ]

    assert read == [[MetadataApplied, log.HighWatermarkHeld]]


def test_a_broker_that_is_told_of_no_leader_under_zookeeper_says_so() -> None:
    timeline = lesson("whole-cluster-power-loss", "0.10.2")

    ignored_by = [
        happened.broker
        for happened in timeline.told(CommandIgnored)
        if happened.variant == "no_leader"
    ]

    assert ignored_by == [1, 2]


def test_who_joins_as_a_move_ends_joins_the_isr_that_is_written() -> None:
    timeline = lesson("reassignment", "3.9")

    changes = [
        (type(happened), happened.isr)
        for frame in timeline.frames
        if any(_is(happened, controller.ReassignmentCompleted) for happened in frame.events)
        for happened in frame.events
        if isinstance(happened, IsrExpanded | IsrShrunk)
    ]

    assert changes == [(IsrExpanded, (2, 3)), (IsrShrunk, (2, 3))]
