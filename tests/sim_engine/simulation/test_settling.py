"""What settling waits for."""

import pytest

from sim_engine import Timeline
from sim_engine.actions import Crash, Detect, DiskLoss, Produce, Settle, Start
from sim_engine.cluster.start import start_cluster
from sim_engine.events.fetch import PartitionFailed
from sim_engine.exploration import try_schedule
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.play import Play
from sim_engine.simulation.step_expansion import play_step
from sim_engine.versions import resolve_profile


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
    play = Play(start_cluster(scenario, resolve_profile("3.9")), 1, 1_000)

    play_step(play, Produce(to="t-0", values=("m1",), acks=1))
    play_step(play, Settle())
    for broker in (2, 3, 1):
        play_step(play, DiskLoss(broker=broker) if broker == 2 else Crash(broker=broker))
        play_step(play, Detect(broker=broker))
    for broker in (2, 3, 1):
        play_step(play, Start(broker=broker))
    play_step(play, Settle())

    assert sorted(play.cluster.controller.partition("t-0").isr) == [1, 2, 3]


def test_a_waiting_fetch_that_is_fenced_is_shown():
    """Its answer ends the fetching of the partition, though it moves no log and no high watermark
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
    assert try_schedule(scenario).failure is None
