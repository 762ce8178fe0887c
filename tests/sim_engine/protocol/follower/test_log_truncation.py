"""What a follower truncates, and which epochs it forgets, by release."""

import pytest
from msgspec.structs import replace

from sim_engine.identifiers import Offset
from sim_engine.protocol.replica import truncate_to
from sim_engine.versions import resolve_profile
from tests.sim_engine.kafka_cases.world import World
from tests.sim_engine.protocol.replica_builders import follower

# --- KAFKA-10706: empty epochs at the end ----------------------------------------------------


@pytest.mark.parametrize(("kafka", "kept"), [("2.4", ((0, 0), (1, 2))), ("2.7", ((0, 0),))])
def test_a_truncation_that_cuts_nothing_drops_empty_epochs_from_2_6_1_on(kafka, kept):
    replica = replace(follower(2, kafka=kafka), epoch_cache=((0, 0), (1, 2)))

    cut, removed, _ = truncate_to(replica, Offset(2), resolve_profile(kafka).rules)

    assert removed == ()
    assert cut.epoch_cache == kept


# --- KAFKA-6857: where "no epoch" ends -------------------------------------------------------


@pytest.mark.parametrize(
    ("kafka", "log"),
    [
        ("0.11.0.2", "a x"),
        ("0.11.0.3", "a"),
        ("1.0.1", "a x"),
        ("1.0.2", "a"),
        ("1.1.0", "a x"),
        ("1.1.1", "a"),
    ],
)
def test_no_epoch_ends_nowhere_from_1_0_2_and_1_1_1_on(kafka, log):
    """Neither replica knows an epoch, as after an upgrade; the follower is ahead."""
    logs = {
        1: {"log": "a b", "high_watermark": 1},
        2: {"log": "a x", "high_watermark": 1},
    }
    world = World(kafka, logs=logs)
    for broker in (1, 2):
        world.change(broker, epoch_cache=())

    world.do("fetch", broker=2, only="truncation")

    assert world.log(2).replace("/0", "") == log
