"""When a follower restarts its fetcher, by release (KAFKA-7164 and later)."""

import pytest
from msgspec.structs import replace

from sim_engine.protocol.follower.fetch_loop import become_follower
from sim_engine.protocol.messages import PartitionRegistration
from tests.sim_engine.builders import B1, B2, PARTITION
from tests.sim_engine.protocol.replica_builders import follower, settings


@pytest.mark.parametrize(
    ("kafka", "epoch", "restarts"),
    [
        ("2.0.0", 1, False),
        ("2.0.0", 2, False),
        ("2.0.1", 1, False),
        ("2.0.1", 2, True),
        ("2.1", 1, True),
        ("3.3", 1, True),
    ],
)
def test_the_same_leader_in_a_later_epoch_restarts_the_fetcher_by_version(kafka, epoch, restarts):
    following = follower(3, kafka=kafka)
    assert following.fetcher is not None
    busy = replace(following, fetcher=replace(following.fetcher, phase="fetching", awaiting=7))

    outcome = become_follower(
        busy,
        PartitionRegistration(
            partition=PARTITION,
            replicas=(B1, B2),
            isr=(B1, B2),
            leader=B1,
            leader_epoch=epoch,
            partition_epoch=5,
        ),
        settings=settings(kafka),
    )

    assert outcome.replica.fetcher is not None
    assert (outcome.replica.fetcher.awaiting is None) == restarts
