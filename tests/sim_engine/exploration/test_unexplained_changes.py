"""Every change of a replica's knowledge in a frame is described by an event of that frame."""

from itertools import chain

from msgspec.structs import replace

from sim_engine.events.metadata import MetadataApplied, PartitionChangeTaken
from sim_engine.exploration.schedule_check import find_unexplained
from sim_engine.exploration.schedules import random_schedule
from sim_engine.identifiers import FrameNumber
from sim_engine.simulation.timeline import Timeline
from tests.sim_engine.played import lessons_played
from tests.sim_engine.runs import Run, down, play, run
from tests.tables import for_each

VERSIONS = [
    ("0.8.2", "zookeeper"),
    ("0.10.2", "zookeeper"),
    ("2.0.1", "zookeeper"),
    ("2.8", "kraft"),
    ("3.0", "kraft"),
    ("3.6", "kraft"),
    ("3.9", "zookeeper"),
    ("4.1", "kraft"),
]


def unexplained(timeline: Timeline) -> list[tuple[FrameNumber, str]]:
    """The frames of a run with an undescribed change, each with the first one."""
    found = []
    for frame in timeline.frames[1:]:
        assert frame.parent is not None, "only the start has no frame before it"
        problem = find_unexplained(timeline.frames[frame.parent].cluster, frame)
        if problem is not None:
            found.append((frame.frame, problem))
    return found


@for_each(
    "timeline",
    lambda: chain.from_iterable(lessons_played(*version) for version in VERSIONS),
    lambda timeline: f"{timeline.scenario.id} {timeline.profile.kafka} {timeline.profile.control}",
)
def test_no_belief_changes_in_a_lesson_without_a_word(timeline: Timeline) -> None:
    assert unexplained(timeline) == []


@for_each("seed", range(60))
def test_no_belief_changes_in_a_random_schedule_without_a_word(seed: int) -> None:
    timeline = play(random_schedule(seed))

    assert unexplained(timeline) == []


def alone_with_a_leader(kafka: str) -> Run:
    """Broker 2 of two is fenced: from 3.6 the leader epoch stays the same, and the ISR shrinks."""
    return run(*down(2), kafka=kafka)


def test_a_leader_whose_isr_shrinks_in_the_same_epoch_says_so() -> None:
    timeline = alone_with_a_leader("3.9")

    read = [frame.events[0] for frame in timeline.frames[-2:]]

    leader, follower = read
    assert isinstance(leader, PartitionChangeTaken)
    assert isinstance(follower, PartitionChangeTaken)
    assert (leader.variant, leader.broker, leader.isr) == ("isr", 1, (1, 3))
    assert (follower.variant, follower.broker) == ("follower", 3)
    assert timeline.replica(1).leader_epoch == 0


def test_every_changed_belief_without_an_event_is_found() -> None:
    timeline = alone_with_a_leader("3.9")
    *_, before, after = timeline.frames
    mute = replace(after, events=())

    assert find_unexplained(before.cluster, after) is None
    assert find_unexplained(before.cluster, mute) == (
        "broker 3, t-0: partition_epoch was 0 and is 1, but no event reports it"
    )
    assert find_unexplained(None, mute) is None
    assert not MetadataApplied.reports
