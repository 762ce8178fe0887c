"""How many records, elections and so on the marks of a step stand for."""

from sim_engine.documents.runs import story_to
from sim_engine.simulation.timeline import Timeline
from sim_engine.story.event_groups import EventData
from sim_engine.story.steps import counts_by_mark
from tests.sim_engine.runs import SETTLE, lesson, run
from tests.sim_engine.story.test_steps import NOTE, PRODUCE, played


def counted(timeline: Timeline) -> dict[str, int]:
    """The sum over the steps of a run."""
    total: dict[str, int] = {}
    for step in story_to(timeline, timeline.head):
        assert tuple(step.mark_counts) == step.marks
        for mark, count in step.mark_counts.items():
            total[mark] = total.get(mark, 0) + count
    return total


def test_records_are_counted_not_the_steps_that_lose_or_acknowledge_them():
    timeline = lesson("follower-bounce-five-records")

    total = counted(timeline)

    assert (total["loss"], total["at_risk"], total["acknowledgement"]) == (2, 2, 5)


def test_each_partition_has_its_election():
    timeline = run({"shutdown": {"broker": 1}}, SETTLE, brokers=(1, 2), partitions=2)

    assert counted(timeline)["election"] == 2


def test_a_lost_leader_is_no_election():
    timeline = lesson("unclean-election")

    elections = [
        step.mark_counts["election"]
        for step in story_to(timeline, timeline.head)
        if "election" in step.marks
    ]

    assert elections == [0, 1]


def test_one_action_is_one_fault_however_many_links_it_cuts():
    assert counted(played(PRODUCE, {"isolate": {"broker": 1, "from": "all"}}))["fault"] == 1


def test_an_authors_texts_are_counted():
    assert counted(played(PRODUCE, NOTE))["note"] == 1


def test_a_violated_property_alone_counts_its_records():
    """A share from before `RecordLost` reports a loss only by the violation."""
    violated = EventData(
        "PropertyViolated",
        "NoAckedRecordLost",
        {"partition": "t-0", "offsets": [3, 4], "values": ["m4", "m5"]},
    )

    assert counts_by_mark({"loss": (7,)}, [violated]) == {"loss": 2}
