"""What settling waits for."""

import pytest

from sim_engine import ActionRefusedError, Timeline, load_shipped
from sim_engine.actions import Crash, Detect, DiskLoss, Produce, Settle, Start
from sim_engine.cluster.start import start_cluster
from sim_engine.events.fetch import PartitionFailed
from sim_engine.events.run import Settled
from sim_engine.exploration.schedule_check import check_schedule
from sim_engine.identifiers import BrokerId, FrameNumber
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.step_execution import StepExecution
from sim_engine.simulation.step_expansion import execute_step
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import PARTITION


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_follower_whose_fetch_came_while_the_isr_was_changing_joins_too(seed):
    scenario = read_scenario_document(
        {
            "id": "built",
            "kafka": "3.9",
            "seed": seed,
            "brokers": [1, 2, 3],
            "configs": {"min.insync.replicas": 3},
            "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
            "steps": [],
        }
    )
    execution = StepExecution(
        start_cluster(scenario, resolve_profile("3.9")), FrameNumber(1), 1_000
    )

    execute_step(execution, Produce(to=PARTITION, values=("m1",), acks=1))
    execute_step(execution, Settle())
    for broker in (2, 3, 1):
        execute_step(
            execution,
            DiskLoss(broker=BrokerId(broker)) if broker == 2 else Crash(broker=BrokerId(broker)),
        )
        execute_step(execution, Detect(broker=BrokerId(broker)))
    for broker in (2, 3, 1):
        execute_step(execution, Start(broker=BrokerId(broker)))
    execute_step(execution, Settle())

    assert sorted(execution.cluster.controller.partition(PARTITION).isr) == [1, 2, 3]


def test_a_waiting_fetch_that_is_fenced_is_shown():
    """Its response stops fetching the partition, although it changes no log and no high watermark
    (found by a random schedule)."""
    scenario = read_scenario_document(
        {
            "id": "built",
            "kafka": "3.4.1",
            "control": "kraft",
            "seed": 34,
            "brokers": [1, 2, 3, 4],
            "configs": {"unclean.leader.election.enable": True, "min.insync.replicas": 2},
            "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3, 4], "leader": 2}]}],
            "steps": [
                {"elect": {"partition": "t-0", "kind": "preferred"}},
                {"send_fetch": {"broker": 4}},
                {"hold": {"kind": "metadata_record", "from": "controller", "to": 4}},
                {"disk_loss": {"broker": 2}},
                {"advance": {"ms": 30_000}},
                {"settle": {}},
            ],
        }
    )

    timeline = Timeline(scenario)
    timeline.run_all()

    told = [
        happened
        for frame in timeline.frames
        for happened in frame.events
        if isinstance(happened, PartitionFailed)
    ]
    assert [happened.broker for happened in told] == [4]
    assert check_schedule(scenario).failure is None


def at_rest(*, kafka="3.9", brokers=(1,), steps=()):
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "built",
                "kafka": kafka,
                "brokers": list(brokers),
                "topics": [{"name": "t", "partitions": [{"replicas": list(brokers)}]}],
                "steps": [*steps, {"settle": {}}],
            }
        )
    )
    timeline.run_all()
    return timeline


def settle_choice(timeline, after):
    (choice,) = [one for one in timeline.choices(after) if one.step == {"settle": {}}]
    return choice


def test_a_settle_of_a_file_makes_no_frame_where_nothing_is_pending():
    timeline = at_rest(steps=[{"settle": {}}, {"settle": {}}])

    assert [frame.item for frame in timeline.frames if frame.item in (1, 2)] == []
    assert [done.frames for done in timeline.played_steps[1:]] == [(), ()]


def test_settle_is_offered_exactly_where_it_has_an_effect():
    timeline = at_rest()
    rest = timeline.head
    crashed = timeline.act(rest, {"crash": {"broker": 1}}).head

    assert settle_choice(timeline, crashed).enabled
    refused = settle_choice(timeline, rest)
    assert (refused.enabled, refused.reason_code) == (False, "nothing_pending")


def test_a_person_s_settle_without_effect_is_refused_and_changes_nothing():
    timeline = at_rest()
    rest = timeline.head
    timeline.act(rest, {"crash": {"broker": 1}})
    before = (timeline.head, len(timeline.frames), list(timeline.played_steps))

    with pytest.raises(ActionRefusedError) as refused:
        timeline.act(rest, {"settle": {}})

    assert refused.value.code == "nothing_pending"
    assert (timeline.head, len(timeline.frames), timeline.played_steps) == before


def test_what_is_answered_unseen_makes_one_frame_that_says_so():
    timeline = at_rest(brokers=(1, 2))
    waiting = timeline.act(timeline.head, {"send_fetch": {"broker": 2}}).head
    request = {"deliver": {"kind": "fetch_request", "from": 2, "to": 1}}
    waiting = timeline.act(waiting, request).head

    made = timeline.act(waiting, {"settle": {}})

    assert [type(one) for one in timeline.frames[made.head].events] == [Settled]
    assert not settle_choice(timeline, made.head).enabled


def test_a_settle_that_has_an_effect_under_another_version_only_has_it_there():
    lesson = Timeline(load_shipped("empty-epoch"), "2.8", "kraft")
    lesson.run_all()
    settle = 5
    assert all(frame.item != settle for frame in lesson.frames)

    again = lesson.replayed(lesson.head, kafka="3.9")

    assert any(frame.item == settle for frame in again.frames)
