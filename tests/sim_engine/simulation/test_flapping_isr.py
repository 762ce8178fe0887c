"""KAFKA-19996: below min.insync.replicas the high watermark does not move, so a follower that is
behind joins the ISR, is removed when its time is over, and joins again.

It is no loop of the engine: each join follows a response with records, and the last response has
all that there are. FIDELITY.md says so.
"""

import pytest

from sim_engine.events.fetch import RoundsRepeat
from sim_engine.events.isr import IsrExpanded, IsrShrunk
from sim_engine.events.run import DidNotSettle, Settled
from tests.sim_engine.builders import B2, PARTITION
from tests.sim_engine.runs import SETTLE, Run, Step, run

BEHIND = {1: {"log": "a*6", "high_watermark": 2}, 2: {"log": "a*2", "high_watermark": 2}}
SLOW = {"slow": {"broker": 2, "ms": 8_000}}


def flapping(*steps: Step) -> Run:
    return run(
        *steps,
        brokers=(1, 2),
        configs={"min.insync.replicas": 2, "replica.lag.time.max.ms": 10_000},
        partition={"isr": [1], "logs": BEHIND},
    )


def changes(timeline: Run) -> list[tuple[str, int]]:
    """Each change of the ISR, with the log end offset of broker 2 at that time."""
    return [
        (happened.kind, frame.cluster.replica(B2, PARTITION).log_end_offset)
        for frame in timeline.frames
        for happened in frame.events
        if isinstance(happened, IsrExpanded | IsrShrunk)
    ]


@pytest.mark.parametrize("step", [SETTLE, {"run": {"ms": 600_000}}])
def test_a_follower_that_catches_up_slowly_joins_once_more_and_stays(step):
    timeline = flapping(SLOW, step)

    assert changes(timeline) == [("IsrExpanded", 2), ("IsrShrunk", 2), ("IsrExpanded", 6)]
    assert not {RoundsRepeat, DidNotSettle, Settled} & {*timeline.kinds()}


def test_fetches_of_one_record_show_the_isr_flapping_at_each_offset():
    one_record = {"fetch": {"broker": 2, "records": 1}}
    late = {"advance": {"ms": 20_000}}
    settled = {"deliver": {"kind": "alter_partition_request", "from": 1, "to": "controller"}}
    answered = {"deliver": {"kind": "alter_partition_response", "from": "controller", "to": 1}}

    timeline = flapping(*(one_record, settled, answered, late, settled, answered) * 2)

    assert [kind for kind, _ in changes(timeline)] == ["IsrExpanded", "IsrShrunk"] * 2
    ends = [end for _, end in changes(timeline)]
    assert ends == sorted(ends)
    assert ends[0] < ends[-1]
