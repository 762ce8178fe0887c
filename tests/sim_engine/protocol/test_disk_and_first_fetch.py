"""When records are flushed automatically, and the initial offset of a fetch loop."""

import pytest

from sim_engine.identifiers import LeaderEpoch
from sim_engine.protocol.follower.fetch_loop import start_fetching
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import B1, B2, PARTITION, cluster
from tests.sim_engine.runs import play
from tests.sim_engine.scenario_reader.documents import document


@pytest.mark.parametrize(("interval", "left"), [(1, 3), (2, 2), (3, 3), (4, 0)])
def test_a_power_loss_takes_what_the_flush_interval_has_not_flushed(
    interval: int, left: int
) -> None:
    scenario = document(
        configs={"log.flush.interval.messages": interval},
        steps=[
            {"produce": {"to": PARTITION, "values": ["m1", "m2", "m3"], "as": "p1"}},
            {"power_loss": {"broker": 1}},
        ],
    )
    timeline = play(read_scenario_document(scenario))

    replica = timeline.frames[timeline.head].cluster.replica(B1, PARTITION)

    assert replica.log_end_offset == left


@pytest.mark.parametrize(("kafka", "offset"), [("0.11", 3), ("1.1", 1), ("2.1", 1)])
def test_from_1_1_on_a_fetch_loop_starts_at_the_high_watermark_until_it_has_truncated(
    kafka: str, offset: int
) -> None:
    built = cluster({2: "m1/0 m2/0 m3/0"}, kafka=kafka, high_watermarks={2: 1})

    fetcher = start_fetching(
        built.replica(B2, PARTITION), B1, LeaderEpoch(1), resolve_profile(kafka)
    )

    assert (fetcher.phase, fetcher.fetch_offset) == ("truncating", offset)
