"""D: what a new leader epoch or partition epoch changes at a replica (`PartitionTest`)."""

from sim_engine.identifiers import LeaderEpoch
from tests.sim_engine.kafka_cases.cases import case
from tests.sim_engine.kafka_cases.kafka_tests import pt
from tests.sim_engine.kafka_cases.world import World


@case("D21", pt("testDoNotResetReplicaStateIfLeaderEpochIsNotBumped"))
def test_a_new_partition_epoch_alone_resets_no_belief():
    world = World(logs={1: {"log": ""}}, leader_epoch=5)
    world.produce("a", "b", acks=1)
    world.fetch_as(2, 1, epoch=LeaderEpoch(5))
    before = world.leading(1)
    world.wait(100)

    world.tell(1, isr=(1, 2), partition_epoch=1)

    after = world.leading(1)
    assert after.isr == (1, 2)
    assert after.remotes == before.remotes
    assert after.leader_epoch_start_offset == before.leader_epoch_start_offset == 0


@case("D22", pt("testIgnoreLeaderPartitionStateChangeWithOlderPartitionEpoch"))
def test_an_older_partition_epoch_is_ignored():
    world = World(partition_epoch=5, leader_epoch=5)
    before = (world.replica(1), world.replica(2))

    for broker in (1, 2):
        world.tell(broker, isr=(1,), partition_epoch=4)

    assert (world.replica(1), world.replica(2)) == before
    world.tell(1, isr=(1,), partition_epoch=5)
    assert world.leading(1).isr == (1,)


@case("D23", pt("testMakeFollowerWithNoLeaderIdChange"))
def test_a_follower_restarts_its_fetcher_for_a_new_epoch_once():
    world = World(leader_epoch=1)
    world.do("send_fetch", broker=2)
    first = world.replica(2).fetcher

    world.tell(2, leader_epoch=4, partition_epoch=1)
    second = world.replica(2).fetcher
    world.do("drop", **{"kind": "fetch_request", "from": 2, "to": 1})
    world.do("send_fetch", broker=2)
    third = world.replica(2).fetcher
    world.tell(2, leader_epoch=4, partition_epoch=1)

    assert first is not None
    assert second is not None
    assert (first.awaiting is None, second.awaiting) == (False, None)
    assert second.leader_epoch == 4
    assert world.replica(2).fetcher is third


@case("D24", pt("testMakeLeaderUpdatesEpochCache"))
def test_a_leader_knows_its_epoch_before_any_write():
    world = World(logs={1: {"log": "a/0 b/0 c/5 d/5"}}, leader=2, leader_epoch=5)

    world.tell(1, leader=1, leader_epoch=8, partition_epoch=1)

    assert world.lookup_as(2, 8, epoch=LeaderEpoch(8)).end_offset == (8, 4)
