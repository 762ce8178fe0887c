"""KAFKA-19996: below min.insync.replicas the high watermark does not move, so a follower that is
behind joins the ISR, is removed when its time is over, and joins again.

It is no loop of the engine: each join follows a response with records, and the last response has
all that there are. FIDELITY.md says so.
"""

from typing import Any

import pytest

from sim_engine import Timeline, read_scenario_document
from sim_engine.events.fetch import RoundsRepeat
from sim_engine.events.isr import IsrExpanded, IsrShrunk
from sim_engine.events.run import DidNotSettle, Settled
from sim_engine.identifiers import TopicPartition
from tests.sim_engine.builders import B2

BEHIND = {1: {"log": "a*6", "high_watermark": 2}, 2: {"log": "a*2", "high_watermark": 2}}
SLOW = {"slow": {"broker": 2, "ms": 8_000}}


def run(kafka: str, *steps: dict[str, Any]) -> Timeline:
    partition = {"replicas": [1, 2], "leader": 1, "isr": [1], "logs": BEHIND}
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "flapping",
                "kafka": kafka,
                "brokers": [1, 2],
                "configs": {"min.insync.replicas": 2, "replica.lag.time.max.ms": 10_000},
                "topics": [{"name": "t", "partitions": [partition]}],
                "steps": list(steps),
            }
        )
    )
    timeline.run_all()
    return timeline


def changes(timeline: Timeline) -> list[tuple[str, int]]:
    """Each change of the ISR, with the log end offset of broker 2 at that time."""
    return [
        (happened.kind, frame.cluster.replica(B2, TopicPartition("t-0")).log_end_offset)
        for frame in timeline.frames
        for happened in frame.events
        if isinstance(happened, IsrExpanded | IsrShrunk)
    ]


@pytest.mark.parametrize("step", [{"settle": {}}, {"run": {"ms": 600_000}}])
def test_a_follower_that_catches_up_slowly_joins_once_more_and_stays(step):
    timeline = run("3.9", SLOW, step)

    assert changes(timeline) == [("IsrExpanded", 2), ("IsrShrunk", 2), ("IsrExpanded", 6)]
    ends = {type(happened) for frame in timeline.frames for happened in frame.events}
    assert not ends & {RoundsRepeat, DidNotSettle, Settled}


def test_fetches_of_one_record_show_the_isr_flapping_at_each_offset():
    one_record = {"fetch": {"broker": 2, "records": 1}}
    late = {"advance": {"ms": 20_000}}
    settled = {"deliver": {"kind": "alter_partition_request", "from": 1, "to": "controller"}}
    answered = {"deliver": {"kind": "alter_partition_response", "from": "controller", "to": 1}}

    timeline = run("3.9", *(one_record, settled, answered, late, settled, answered) * 2)

    assert [kind for kind, _ in changes(timeline)] == ["IsrExpanded", "IsrShrunk"] * 2
    ends = [end for _, end in changes(timeline)]
    assert ends == sorted(ends)
    assert ends[0] < ends[-1]
