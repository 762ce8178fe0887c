"""What a timeline keeps in memory."""

import gc
import tracemalloc
import weakref
from collections.abc import Mapping

import pytest

from tests.sim_engine.runs import Step, run

ALIKE = {broker: {"log": "x*1000/0"} for broker in (1, 2, 3)}
DIFFERENT = {broker: {"log": f"x*{990 + broker}/0 y{broker}*5/0"} for broker in (1, 2, 3)}
LONG_RUN = [{"produce": {"to": "t-0", "values": ["m1"], "acks": "all"}}, {"run": {"ms": 20_000}}]


def test_a_record_that_several_logs_begin_with_is_one_object():
    cluster = run(partition={"logs": ALIKE}).frames[0].cluster
    first, second, _ = (broker.replicas[0].log.records for broker in cluster.brokers)

    assert all(one is other for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize(
    ("steps", "logs", "partitions"),
    [(LONG_RUN, {}, 1), (LONG_RUN, ALIKE, 1), ([], ALIKE, 16), (LONG_RUN, DIFFERENT, 4)],
    ids=["frames", "copies of a log", "shared records", "records"],
)
def test_the_estimate_of_its_memory_is_within_a_factor_of_three(
    steps: list[Step], logs: Mapping[int, object], partitions: int
):
    # What is cached once for all runs does not count.
    run(*steps, partition={"logs": logs}, partitions=partitions)
    tracemalloc.start()
    try:
        timeline = run(*steps, partition={"logs": logs}, partitions=partitions)
        taken, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert taken / 3 < timeline.approximate_bytes() < taken * 3


@pytest.mark.parametrize(
    "step",
    [
        {"fetch": {"broker": 2, "partition": "t-0"}},
        {"deliver": {"kind": "fetch_request", "from": 2, "to": 1}},
    ],
)
def test_a_refused_step_does_not_keep_the_run(step: Step):
    gc.collect()
    gc.disable()
    try:
        timeline = run({"crash": {"broker": 2}}, step)
        kept = weakref.ref(timeline)
        assert timeline.played_steps[-1].refused
        del timeline
        assert kept() is None
    finally:
        gc.enable()
