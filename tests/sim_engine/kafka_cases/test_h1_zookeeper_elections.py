"""H01–H11: elections and ISR writes under ZooKeeper.

The cases of `PartitionLeaderElectionAlgorithmsTest`, `ControllerIntegrationTest` (3.4.1) and
`UncleanLeaderElectionTest`.
"""

from typing import Any

from msgspec.structs import replace

from sim_engine.events.controller import ElectionNotPossible
from sim_engine.identifiers import ErrorCode
from sim_engine.narration import RefusedError
from tests.sim_engine.kafka_cases.cases import case
from tests.sim_engine.kafka_cases.world import World, kinds, outcome_of

UNCLEAN = {"unclean.leader.election.enable": True}


def ple(method: str) -> str:
    return f"PartitionLeaderElectionAlgorithmsTest.{method}"


def cit(method: str) -> str:
    return f"ControllerIntegrationTest.{method}"


def ule(method: str) -> str:
    return f"UncleanLeaderElectionTest.{method}"


def zookeeper(**about: Any) -> World:
    return World("3.4", control="zookeeper", **about)


def dies(world: World, broker: int) -> None:
    """A broker crashes and the controller detects it."""
    world.do("crash", broker=broker)
    world.do("detect", broker=broker)


def leads(world: World) -> tuple[int, tuple[int, ...]]:
    return world.registration().leader, world.registration().isr


def preferred(world: World) -> int | None:
    """The leader after a preferred election; none if it is not possible."""
    try:
        world.do("elect", partition="t-0", kind="preferred")
    except RefusedError as refused:
        return None if refused.code == "preferred_not_eligible" else -2
    return world.registration().leader


@case("H01", ple("testOfflinePartitionLeaderElection"))
def test_the_first_live_isr_member_is_elected():
    world = zookeeper(replicas=[2, 4], isr=[2, 4])

    dies(world, 2)
    by_assignment = zookeeper(replicas=[2, 4, 5], isr=[5, 2, 4])
    dies(by_assignment, 2)

    assert leads(world) == (4, (4,))
    assert leads(by_assignment) == (4, (5, 4))


@case("H02", ple("testOfflinePartitionLeaderElectionLastIsrOfflineUncleanLeaderElectionEnabled"))
def test_without_a_live_isr_member_only_an_unclean_election_finds_a_leader():
    elected = {}

    for configs in ({}, UNCLEAN):
        world = zookeeper(replicas=[2, 4], isr=[2], configs=configs)
        dies(world, 2)
        elected[bool(configs)] = leads(world)

    assert elected == {False: (-1, (2,)), True: (4, (4,))}


@case("H03", ple("testPreferredReplicaPartitionLeaderElection"))
def test_the_preferred_replica_is_elected_where_it_lives_and_is_in_the_isr():
    both = zookeeper(replicas=[2, 4], isr=[2, 4], leader=4)
    preferred_is_down = zookeeper(replicas=[2, 4], isr=[2, 4], leader=4)
    dies(preferred_is_down, 2)
    preferred_is_out = zookeeper(replicas=[2, 4], isr=[4], leader=4)

    elected = [preferred(world) for world in (both, preferred_is_down, preferred_is_out)]

    assert elected == [2, None, None]


@case("H04", ple("testControlledShutdownPartitionLeaderElection"))
def test_a_broker_that_stops_hands_over_to_an_isr_member_that_stays():
    hands_over = zookeeper(replicas=[2, 4], isr=[2, 4])
    is_alone = zookeeper(replicas=[2, 4], isr=[2])
    both_stop = zookeeper(replicas=[2, 4], isr=[2, 4])
    controller = both_stop.cluster.controller
    shutting = tuple(replace(one, in_controlled_shutdown=True) for one in controller.brokers)
    both_stop.cluster = replace(both_stop.cluster, controller=replace(controller, brokers=shutting))

    happened = [
        ElectionNotPossible in kinds(world.do("shutdown", broker=2))
        for world in (hands_over, is_alone, both_stop)
    ]

    assert happened == [False, True, True]
    assert leads(hands_over) == (4, (4,))
    assert leads(is_alone) == (-1, (2,))


@case("H05", cit("testLeaderAndIsrWhenEntireIsrOfflineAndUncleanLeaderElectionDisabled"))
def test_the_last_isr_member_stays_in_the_isr_without_a_leader():
    for configs in ({}, UNCLEAN):
        world = zookeeper(replicas=[2], isr=[2], configs=configs, leader_epoch=3)

        dies(world, 2)

        assert leads(world) == (-1, (2,)), configs
        assert world.registration().leader_epoch == 4, configs


def preferred_leader_stopped() -> World:
    world = zookeeper(replicas=[1, 0])
    world.do("settle")
    world.do("shutdown", broker=1)
    return world


@case("H06", cit("testAutoPreferredReplicaLeaderElection"))
def test_a_preferred_leader_that_came_back_leads_again_after_the_balance_check():
    world = preferred_leader_stopped()
    stopped = (world.registration().leader, world.registration().leader_epoch)

    world.do("start", broker=1)
    world.do("settle")
    world.do("timer", kind="preferred_leader_check")

    assert stopped == (0, 1)
    assert (world.registration().leader, world.registration().leader_epoch) == (1, 2)


@case("H07", cit("testPreferredReplicaLeaderElectionWithOfflinePreferredReplica"))
def test_a_preferred_election_without_the_preferred_replica_changes_nothing():
    world = preferred_leader_stopped()

    elected = preferred(world)

    assert elected is None
    assert (world.registration().leader, world.registration().leader_epoch) == (0, 1)


@case("H08", cit("testIdempotentAlterPartition"))
def test_an_alter_partition_that_changes_nothing_writes_nothing():
    world = zookeeper(replicas=[1, 2])
    before = world.registration()

    answer = world.propose_as(1, [1, 2])

    assert answer.error is ErrorCode.NONE
    assert answer.registration == before == world.registration()


def second_on_the_leader_alone(**configs: Any) -> World:
    """ "first" on both, "second" on broker 1 alone; both are down, and broker 2 has come back."""
    world = zookeeper(replicas=[1, 2], configs=configs)
    world.produce("first")
    world.do("settle")
    dies(world, 2)
    world.produce("second")
    assert outcome_of(world, "second") == ("acked", None)
    dies(world, 1)
    world.do("start", broker=2)
    return world


def consumed(world: World, consumer: str) -> list[str]:
    world.do("consume", partition="t-0", **{"as": consumer})
    return [one.value for one in world.cluster.clients.consumed if one.consumer == consumer]


@case("H09", ule("testUncleanLeaderElectionEnabled"))
def test_an_unclean_leader_loses_what_it_never_had():
    world = second_on_the_leader_alone(**UNCLEAN)

    world.produce("third")

    assert world.registration().leader == 2
    assert consumed(world, "c1") == ["first", "third"]


@case("H10", ule("testUncleanLeaderElectionDisabled"))
def test_without_unclean_elections_the_partition_waits_for_its_last_leader():
    world = second_on_the_leader_alone()

    offline = leads(world)
    world.produce("third")
    refused = outcome_of(world, "third")
    world.do("consume", partition="t-0", **{"as": "c1"})
    while_offline = [one.value for one in world.cluster.clients.consumed]
    world.do("start", broker=1)
    world.do("settle")
    world.produce("third")
    world.do("settle")

    assert offline == (-1, (1,))
    assert refused[0] == "failed"
    assert while_offline == []
    assert consumed(world, "c2") == ["first", "second", "third"]


@case("H11", ule("testTopicUncleanLeaderElectionEnable"))
def test_enabling_unclean_election_for_a_topic_elects_leaders_for_its_leaderless_partitions():
    world = second_on_the_leader_alone()
    offline = leads(world)

    world.do("config", topic="t", **UNCLEAN)
    elected = leads(world)
    world.do("settle")
    world.produce("third", broker=2)

    assert (offline, elected) == ((-1, (1,)), (2, (2,)))
    assert consumed(world, "c1") == ["first", "third"]
