"""A probe for each claim of an article that holds in some releases: whether it is correct in one.

A probe plays a lesson or a small scenario under a release and looks at what happened. It knows no
release: `test_probes.py` compares its answers with the claim's range.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple

from sim_engine.configs import default_of
from sim_engine.documents.frames import frame_document
from sim_engine.events.clients import ConsumerRead, ConsumerReadNothing
from sim_engine.events.fetch import (
    EpochLookupAnswered,
    EpochLookupSent,
    FetchApplied,
    FetchDiverging,
    FetchHandled,
    FetchOutOfRange,
    FetchRejected,
)
from sim_engine.events.isr import FollowerOutOfSync, IsrChangesTold, IsrExpanded, IsrShrunk
from sim_engine.events.log import (
    EpochAssigned,
    FollowerHighWatermarkSet,
    HighWatermarkAdvanced,
    HighWatermarkCheckpointed,
    HighWatermarkHeld,
    LogTruncated,
)
from sim_engine.events.metadata import BecameLeader
from sim_engine.scenario_reader.reader import load_shipped, read_scenario_text
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import Control
from tests.sim_engine.articles.probe_scenarios import (
    ALWAYS_BEHIND,
    CAUGHT_UP_OUTSIDER,
    INELIGIBLE_OUTSIDER,
    LAST_MEMBER_FAILS,
    LONGER_OLD_LOG,
    SECOND_LEADER_FROM_300,
    START,
    THREE,
    late_command,
)
from tests.sim_engine.runs import Run, play


class Version(NamedTuple):
    kafka: str
    control: Control


Probe = Callable[[Version], bool]


@cache
def lesson(name: str, version: Version) -> Run:
    """A lesson, played under a version."""
    return play(load_shipped(name), *version)


@cache
def small(text: str, version: Version) -> Run:
    """A small scenario, played under a version."""
    return play(read_scenario_text(START + text), *version)


def violated(name: str, version: Version, *properties: str) -> bool:
    """Whether a lesson violates one of these properties."""
    timeline = lesson(name, version)
    verdicts = timeline.frames[timeline.head].verdicts
    return any(verdicts[name].status == "violated" for name in properties)


def lost(name: str, version: Version) -> bool:
    return violated(name, version, "NoAckedRecordLost")


def has_epochs(version: Version) -> bool:
    return Timeline(load_shipped("two-rounds"), *version).profile.has_epochs


def an_outsider_holds_it_back(timeline: Run) -> bool:
    return any(event.variant == "outsider" for event in timeline.told(HighWatermarkHeld))


def only_the_isr_counts(version: Version) -> bool:
    """No replica outside the ISR holds back the high watermark."""
    return not an_outsider_holds_it_back(small(CAUGHT_UP_OUTSIDER, version))


def caught_up_outsiders_count(version: Version) -> bool:
    """Even one that may not join the ISR."""
    run = small(INELIGIBLE_OUTSIDER, version)
    leader = frame_document(run, run.head).state.replicas["t-0"]["1"]
    is_held = leader.high_watermark != leader.log_end_offset
    return is_held and not only_the_isr_counts(version)


def isr_check_at_half_the_lag(version: Version) -> bool:
    """The follower was last caught up at 1 s; checks at 30 s or at 45 s, not only at 60 s."""
    timeline = lesson("isr-timer-granularity", version)
    first = next(
        frame
        for frame in timeline.frames
        if any(isinstance(event, FollowerOutOfSync) for event in frame.events)
    )
    return frame_document(timeline, first.frame).state.time_ms == 45_000


def response_has_the_new_high_watermark(version: Version) -> bool:
    """Of a fetch that advances the high watermark and finds records."""
    return any(
        handled.high_watermark == advanced.after
        for frame in lesson("high-watermark-lags-under-load", version).frames
        for handled in frame.events
        if isinstance(handled, FetchHandled) and handled.records
        for advanced in frame.events
        if isinstance(advanced, HighWatermarkAdvanced)
    )


def follower_takes_the_lower(version: Version) -> bool:
    runs = (lesson(name, version) for name in ("follower-high-watermark-goes-back", "two-rounds"))
    found = [event for run in runs for event in run.told(FollowerHighWatermarkSet)]
    return bool(found) and all(
        event.after == min(event.response_high_watermark, event.log_end_offset) for event in found
    )


def checkpoints_at_intervals(version: Version) -> bool:
    again = "  - produce: {to: t-0, values: [b], as: p1}\n  - run: {ms: 6000}\n"
    text = THREE + again + again.replace("[b]", "[c]")
    written = [
        int(event.broker or 0) for event in small(text, version).told(HighWatermarkCheckpointed)
    ]
    return all(written.count(broker) >= 2 for broker in (1, 2, 3))


def truncates_to_its_high_watermark(name: str, to: int) -> Probe:
    def probe(version: Version) -> bool:
        return any(
            event.variant == "high_watermark" and event.to == to
            for event in lesson(name, version).told(LogTruncated)
        )

    return probe


def looks_up_its_epoch(version: Version) -> bool:
    run = lesson("follower-bounce-with-epochs", version)
    return any(event.epoch not in (None, -1) for event in run.told(EpochLookupSent))


def lookup_ends_at_the_next_epoch(version: Version) -> bool:
    """It carries the follower's last epoch, and the response is the leader's log end."""
    run = lesson("follower-bounce-with-epochs", version)
    return any(
        event.epoch == 0 and event.end_offset == 5 for event in run.told(EpochLookupAnswered)
    )


def epoch_0_ends_at_300(version: Version) -> bool:
    """And the leader's epochs are the article's."""
    run = small(SECOND_LEADER_FROM_300, version)
    epochs = frame_document(run, run.head).state.replicas["t-0"]["1"].epoch_cache
    ends = {event.end_offset for event in run.told(EpochLookupAnswered)}
    ends |= {event.end_offset for event in run.told(FetchDiverging)}
    return has_epochs(version) and (epochs, ends) == (((0, 0), (1, 300)), {300})


def epoch_1_ends_at_80(version: Version) -> bool:
    run = lesson("epoch-lookup-table", version)
    ends: set[tuple[int | None, int]] = set()
    ends |= {(event.epoch, event.end_offset) for event in run.told(EpochLookupAnswered)}
    ends |= {(event.last_fetched_epoch, event.end_offset) for event in run.told(FetchDiverging)}
    return (1, 80) in ends


def logs_end_up_equal_by_epoch(version: Version) -> bool:
    run = lesson("three-brokers-three-epochs", version)
    replicas = frame_document(run, run.head).state.replicas["t-0"].values()
    logs = {tuple((one.value, one.offset) for one in replica.log) for replica in replicas}
    return has_epochs(version) and len(logs) == 1


def consumers_stop_at_the_high_watermark(version: Version) -> bool:
    lessons = ("not-enough-replicas", "new-leader-stale-high-watermark")
    runs = [lesson(name, version) for name in lessons]
    reads = [event for run in runs for event in run.told(ConsumerRead)]
    waits = [event for run in runs for event in run.told(ConsumerReadNothing)]
    return bool(waits) and all(event.to_offset <= event.high_watermark for event in reads)


def two_rounds(version: Version) -> bool:
    """The follower's high watermark is 0 after the first fetch and 1 after the second."""
    run = lesson("two-rounds", version)
    leader = [event.after for event in run.told(HighWatermarkAdvanced)]
    return [event.high_watermark for event in run.told(FetchApplied)][:2] == [0, 1] and leader == [
        1
    ]


def epoch_is_stored(*, by_first_record: bool) -> Probe:
    """Whether a leader's epoch of an election is stored by the election or by the first record."""

    def probe(version: Version) -> bool:
        run = lesson("zombie-leader", version)
        elected = {(event.broker, event.leader_epoch) for event in run.told(BecameLeader)}
        stored = {(event.broker, event.epoch): event.variant for event in run.told(EpochAssigned)}
        variants = {stored[one] for one in elected if one in stored}
        return bool(variants) and (variants == {"append"}) == by_first_record

    return probe


def old_replicas_truncate_to_the_leaders_end(version: Version) -> bool:
    """Not to the end of the common part of both logs, which is 1."""
    run = small(LONGER_OLD_LOG, version)
    return {event.to for event in run.told(LogTruncated) if event.broker == 1} == {2}


def nothing_diverges_with_epochs(version: Version) -> bool:
    lessons = (
        "power-loss-of-both-with-epochs",
        "fast-leader-failover",
        "kip-279-numbers",
        "two-round-truncation",
    )
    return has_epochs(version) and not any(
        violated(name, version, "LogMatching") for name in lessons
    )


def leader_knows_the_followers_end(version: Version) -> bool:
    """From the frame in which it handles the fetch, in which the response is not yet delivered."""
    run = lesson("slowest-replica-decides", version)
    handled = 0
    for frame in run.frames:
        for event in frame.events:
            if isinstance(event, FetchHandled):
                leader = frame_document(run, frame.frame).state.replicas["t-0"][str(event.broker)]
                if leader.followers[str(event.follower)].log_end_offset != event.fetch_offset:
                    return False
                handled += 1
    return handled > 0


def four_triggers(version: Version) -> bool:
    run = lesson("four-triggers", version)
    return len(run.told(HighWatermarkAdvanced)) == 4


def leader_is_in_the_isr(version: Version) -> bool:
    """Whenever the partition has a leader."""
    runs = [
        *(
            lesson(name, version)
            for name in ("unclean-election", "eligible-replica-elected", "zombie-leader")
        ),
        small(LAST_MEMBER_FAILS, version),
    ]
    partitions = [
        partition
        for run in runs
        for frame in run.frames
        for partition in frame_document(run, frame.frame).state.partitions.values()
    ]
    return all(one.leader in (None, -1, *one.isr) for one in partitions)


def the_isr_alone_commits(version: Version) -> bool:
    """No outsider, and no minimum size of the ISR, keeps a record from being committed."""
    below_minimum = lesson("not-enough-replicas", version).told(HighWatermarkHeld)
    return only_the_isr_counts(version) and not below_minimum


def log_starts_at_its_base_offset(version: Version) -> bool:
    run = lesson("log-start-offset", version)
    follower = frame_document(run, run.head).state.replicas["t-0"]["2"]
    return bool(run.told(FetchOutOfRange)) and follower.log_start_offset == follower.log[0].offset


def only_leaders_serve_reads(version: Version) -> bool:
    return not any(
        event.variant == "follower"
        for event in lesson("follower-reads", version).told(ConsumerRead)
    )


def lag_in_messages_shrinks_the_isr(version: Version) -> bool:
    return bool(lesson("message-lag", version).told(IsrShrunk))


def every_fetch_counts_as_caught_up(version: Version) -> bool:
    """A follower that fetches regularly and never reaches the log end stays in the ISR."""
    return not any(3 in event.replicas for event in small(ALWAYS_BEHIND, version).told(IsrShrunk))


def both_epochs_are_rejected(version: Version) -> bool:
    run = small(late_command(version.control), version)
    errors = {event.error for event in run.told(FetchRejected)}
    return {"FENCED_LEADER_EPOCH", "UNKNOWN_LEADER_EPOCH"} <= errors


def silence_removes_from_the_isr(version: Version) -> bool:
    """A broker that keeps fetching, but does not reach the controller."""
    text = THREE + "  - isolate: {broker: 3, from: controller}\n  - detect: {broker: 3}\n"
    run = small(text, version)
    return 3 not in frame_document(run, run.head).state.partitions["t-0"].isr


def shrinks_a_lagging_follower(version: Version) -> bool:
    return bool(lesson("shrink-releases-high-watermark", version).told(IsrShrunk))


def rejoins_when_caught_up(version: Version) -> bool:
    return bool(lesson("tolerating-failures", version).told(IsrExpanded))


PROBES: Mapping[tuple[str, int], Probe] = {
    ("0-replicas", 1): only_the_isr_counts,
    ("0-replicas", 2): lambda version: (
        default_of("replica.lag.time.max.ms", version.kafka) == 30_000
    ),
    ("0-replicas", 3): shrinks_a_lagging_follower,
    ("0-replicas", 5): isr_check_at_half_the_lag,
    ("0-replicas", 6): lambda version: bool(
        lesson("isr-change-propagation", version).told(IsrChangesTold)
    ),
    ("0-replicas", 8): only_the_isr_counts,
    ("0-replicas", 9): response_has_the_new_high_watermark,
    ("0-replicas", 10): follower_takes_the_lower,
    ("0-replicas", 12): checkpoints_at_intervals,
    ("0-replicas", 13): truncates_to_its_high_watermark("follower-bounce-five-records", 3),
    ("0-replicas", 18): looks_up_its_epoch,
    ("0-replicas", 20): logs_end_up_equal_by_epoch,
    ("1-cap", 1): consumers_stop_at_the_high_watermark,
    ("1-cap", 2): lambda version: lost("kip-101-data-loss", version),
    ("1-cap", 3): two_rounds,
    ("1-cap", 4): truncates_to_its_high_watermark("kip-101-data-loss", 1),
    ("1-cap", 6): lambda version: (
        lost("kip-101-data-loss", version) and lost("leader-flaps-lose-a-record", version)
    ),
    ("1-cap", 8): lambda version: violated("power-loss-of-both", version, "LogMatching"),
    ("1-cap", 9): epoch_is_stored(by_first_record=True),
    ("1-cap", 10): lookup_ends_at_the_next_epoch,
    ("1-cap", 11): epoch_1_ends_at_80,
    ("1-cap", 12): lambda version: (
        has_epochs(version) and not lost("follower-bounce-with-epochs", version)
    ),
    ("1-cap", 13): nothing_diverges_with_epochs,
    ("1-cap", 16): lambda version: not default_of("unclean.leader.election.enable", version.kafka),
    ("1-cap", 17): old_replicas_truncate_to_the_leaders_end,
    ("1-cap", 18): epoch_0_ends_at_300,
    ("2-hw-and-leo", 2): leader_knows_the_followers_end,
    ("2-hw-and-leo", 3): follower_takes_the_lower,
    ("2-hw-and-leo", 4): four_triggers,
    ("2-hw-and-leo", 5): caught_up_outsiders_count,
    ("2-hw-and-leo", 6): two_rounds,
    ("3-apache-kafka-in-action", 1): leader_is_in_the_isr,
    ("3-apache-kafka-in-action", 3): the_isr_alone_commits,
    ("3-apache-kafka-in-action", 5): log_starts_at_its_base_offset,
    ("3-apache-kafka-in-action", 7): only_leaders_serve_reads,
    ("3-apache-kafka-in-action", 8): leader_knows_the_followers_end,
    ("3-apache-kafka-in-action", 9): four_triggers,
    ("4-replication-and-isr", 2): only_leaders_serve_reads,
    ("4-replication-and-isr", 7): lambda version: not every_fetch_counts_as_caught_up(version),
    ("4-replication-and-isr", 8): lag_in_messages_shrinks_the_isr,
    ("4-replication-and-isr", 9): every_fetch_counts_as_caught_up,
    ("4-replication-and-isr", 11): consumers_stop_at_the_high_watermark,
    ("4-replication-and-isr", 12): epoch_is_stored(by_first_record=False),
    ("4-replication-and-isr", 13): both_epochs_are_rejected,
    ("4-replication-and-isr", 18): silence_removes_from_the_isr,
    ("4-replication-and-isr", 19): rejoins_when_caught_up,
}
"""By the article's file and the claim's number."""
