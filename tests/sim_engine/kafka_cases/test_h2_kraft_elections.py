"""H20–H25, H34–H35, H41–H50: elections and AlterPartition at the KRaft controller.

The cases of `PartitionChangeBuilderTest` and `ReplicationControlManagerTest`, of the trunk that
became 4.0. Kafka's election modes are the engine's kinds: ONLINE is what the controller does by
itself, PREFERRED and UNCLEAN are what an administrator asks for.
"""

from typing import Any

from msgspec.structs import replace

from sim_engine.actions.steps import BeginShutdown
from sim_engine.cluster.start import with_settings
from sim_engine.identifiers import CONTROLLER, BrokerId, ErrorCode, FrameNumber, TopicPartition
from sim_engine.narration import RefusedError
from sim_engine.protocol.messages import AlterPartitionRequest
from sim_engine.simulation.transition import perform
from tests.sim_engine.kafka_cases.case_cluster import T
from tests.sim_engine.kafka_cases.cases import case
from tests.sim_engine.kafka_cases.world import World

UNCLEAN = {"unclean.leader.election.enable": True}


def pcb(method: str) -> str:
    return f"PartitionChangeBuilderTest.{method}"


def rcm(method: str) -> str:
    return f"ReplicationControlManagerTest.{method}"


def three(kafka: str = "3.9", **about: Any) -> World:
    """Replicas and ISR [0, 1, 2]; 0 is the leader."""
    about.setdefault("replicas", [0, 1, 2])
    return World(kafka, control="kraft", **about)


def foo(**about: Any) -> World:
    """Replicas and ISR [2, 1, 3]; 1 is the leader; broker 3 is fenced."""
    world = three(replicas=[2, 1, 3], leader=1, **about)
    world.change_registered_broker(3, fenced=True)
    return world


def fence(world: World, *brokers: int) -> None:
    """These brokers crash and their sessions expire, one after another."""
    for broker in brokers:
        world.do("crash", broker=broker)
        world.do("detect", broker=broker)


def unfence(world: World, *brokers: int) -> None:
    """These brokers restart, read the metadata log and are unfenced."""
    for broker in brokers:
        world.do("start", broker=broker)


def leads(world: World, partition: str = "t-0") -> tuple[int, tuple[int, ...]]:
    registration = world.registration(TopicPartition(partition))
    return registration.leader, registration.isr


def why_not(world: World, kind: str) -> str | None:
    """Why a requested election is refused; none if it took place."""
    try:
        world.do("elect", partition="t-0", kind=kind)
    except RefusedError as refused:
        return refused.code
    return None


@case("H20", pcb("testElectLeader"))
def test_a_valid_leader_moves_only_to_the_preferred_replica():
    preferred, online, unclean = foo(), foo(), foo()

    assert why_not(preferred, "preferred") is None
    assert leads(preferred) == (2, (2, 1, 3))
    assert preferred.registration().leader_recovery_state == "RECOVERED"
    assert why_not(online, "clean") == why_not(unclean, "unclean") == "leader_is_valid"
    assert leads(online) == leads(unclean) == (1, (2, 1, 3))


@case("H21", pcb("testUncleanLeaderElection"))
def test_with_only_fenced_isr_members_an_unclean_election_takes_the_first_live_replica():
    world = three(replicas=[2, 1, 3], leader=3, isr=[3])

    fence(world, 3)
    online = leads(world)
    refused = why_not(world, "unclean")

    assert online == (-1, (3,))
    assert refused is None
    assert leads(world) == (2, (2,))
    assert world.registration().leader_recovery_state == "RECOVERING"


@case("H22", pcb("testNoLeaderEpochBumpOnIsrShrink"))
def test_a_shrink_that_its_leader_asks_for_bumps_the_leader_epoch_from_3_0_to_3_5():
    bumped = {}

    for kafka in ("2.8", "3.0", "3.3", "3.5", "3.6", "3.7", "3.9", "4.1"):
        world = three(kafka, replicas=[2, 1, 3], leader=1)
        answer = world.propose_as(1, [2, 1])
        assert answer.error is ErrorCode.NONE
        assert leads(world) == (1, (2, 1))
        bumped[kafka] = world.registration().leader_epoch

    assert bumped == {
        "2.8": 0,
        "3.0": 1,
        "3.3": 1,
        "3.5": 1,
        "3.6": 0,
        "3.7": 0,
        "3.9": 0,
        "4.1": 0,
    }


@case("H23", pcb("testNoLeaderEpochBumpOnIsrExpansion"))
def test_an_expansion_never_bumps_the_leader_epoch():
    for kafka in ("2.8", "3.3", "3.5", "3.6", "3.7", "3.9", "4.1"):
        world = three(kafka, replicas=[2, 1, 3], leader=1, isr=[2, 1])

        answer = world.propose_as(1, [2, 1, 3])

        assert answer.error is ErrorCode.NONE
        assert (world.registration().leader_epoch, world.registration().partition_epoch) == (0, 1)


@case("H24", pcb("testLeaderEpochBumpOnNewReplicaSetDisjoint"))
def test_an_assignment_that_drops_a_replica_bumps_the_leader_epoch():
    epochs = {}

    for target in ([0, 1, 2, 3], [1, 0, 2], [0, 1], [0, 1, 3]):
        world = three(brokers=[0, 1, 2, 3])
        world.do("settle")
        world.do("reassign", partition="t-0", replicas=target)
        world.do("settle")
        assert world.registration().replicas == tuple(target)
        assert world.registration().leader == 0
        epochs[tuple(target)] = world.registration().leader_epoch

    assert epochs == {(0, 1, 2, 3): 0, (1, 0, 2): 0, (0, 1): 1, (0, 1, 3): 1}


@case("H25", pcb("testChangeInLeadershipDoesNotChangeRecoveryState"))
def test_a_clean_election_leaves_the_recovery_state():
    states = []

    for state in ("RECOVERING", "RECOVERED"):
        world = three()
        world.change_registration(leader_recovery_state=state)
        fence(world, 0)
        assert leads(world) == (1, (1, 2))
        states.append(world.registration().leader_recovery_state)

    assert states == ["RECOVERING", "RECOVERED"]


@case("H34", pcb("testStoppedLeaderIsDemotedAfterReassignmentCompletesEvenIfNoNewEligibleLeaders"))
def test_a_leader_that_is_moved_away_steps_down_also_where_nobody_can_follow_it():
    # KIP-841 would prevent the leader from proposing replicas that cannot lead, so it is off.
    world = World(control="kraft", rules={"KIP-841": False}, brokers=[0, 1, 2, 3], replicas=[0, 1])
    world.do("settle")
    world.do("reassign", partition="t-0", replicas=[2, 3])
    for broker in (2, 3):
        world.change_registered_broker(broker, fenced=True)

    answer = world.propose_as(0, [0, 1, 2, 3])

    assert answer.registration is None or answer.registration.leader == -1
    assert leads(world) == (-1, (2, 3))
    assert world.registration().replicas == (2, 3)


@case("H35", rcm("testShrinkAndExpandIsr"))
def test_a_shrink_and_an_expansion_answer_with_the_partition_as_it_is():
    world = three()

    for expected, isr in enumerate(([0, 1], [0, 1, 2]), start=1):
        answer = world.propose_as(0, isr)

        assert answer.error is ErrorCode.NONE
        assert answer.registration == world.registration()
        assert leads(world) == (0, tuple(isr))
        assert world.registration().partition_epoch == expected
        assert world.registration().leader_epoch == 0


@case("H41", rcm("testInvalidAlterPartitionRequests"))
def test_errors_of_a_proposal_are_checked_in_kafkas_order():
    def error(leader: int = 0, isr: tuple[int, ...] = (0, 1), **more: Any) -> ErrorCode:
        world = three(brokers=[0, 1, 2, 3], leader_epoch=1, partition_epoch=1)
        before = world.registration()
        answer = world.propose_as(leader, isr, **more)
        assert world.registration() == before or answer.error is ErrorCode.NONE
        return answer.error

    assert error() is ErrorCode.NONE
    assert error(leader=1) is ErrorCode.INVALID_REQUEST
    assert error(broker_epoch=0) is ErrorCode.STALE_BROKER_EPOCH
    assert error(leader_epoch=500) is ErrorCode.NOT_CONTROLLER
    assert error(partition_epoch=500) is ErrorCode.NOT_CONTROLLER
    assert error(leader_epoch=0) is ErrorCode.FENCED_LEADER_EPOCH
    assert error(partition_epoch=0) is ErrorCode.INVALID_UPDATE_VERSION
    assert error(isr=(0, 1, 3)) is ErrorCode.INVALID_REQUEST
    assert error(isr=(1, 2)) is ErrorCode.INVALID_REQUEST
    assert error(isr=(0, 1), recovery="RECOVERING") is ErrorCode.INVALID_REQUEST
    assert error(isr=(0,), recovery="RECOVERING") is ErrorCode.INVALID_REQUEST


@case("H42", rcm("testAlterPartitionShouldRejectFencedBrokers"))
def test_a_fenced_broker_is_not_taken_into_an_isr():
    world = three(isr=[0, 1])
    world.change_registered_broker(2, fenced=True)

    refused = world.propose_as(0, [0, 1, 2])
    world.change_registered_broker(2, fenced=False)
    taken = world.propose_as(0, [0, 1, 2])

    assert refused.error is ErrorCode.INELIGIBLE_REPLICA
    assert taken.error is ErrorCode.NONE
    assert (world.registration().partition_epoch, world.registration().leader_epoch) == (1, 0)


@case("H43", rcm("testAlterPartitionShouldRejectBrokersWithStaleEpoch"))
def test_an_earlier_start_of_a_broker_is_not_taken_into_an_isr():
    errors = []

    for late in (0, 1):
        world = three(isr=[0, 1])
        epochs = [
            world.cluster.controller.broker(BrokerId(broker)).broker_epoch for broker in (0, 1, 2)
        ]
        world.change_registered_broker(2, broker_epoch=epochs[2] + late)
        errors.append(world.propose_as(0, [0, 1, 2], broker_epochs=epochs).error)

    assert errors == [ErrorCode.NONE, ErrorCode.INELIGIBLE_REPLICA]


@case("H44", rcm("testAlterPartitionShouldRejectShuttingDownBrokers"))
def test_a_broker_that_stops_is_not_taken_into_an_isr():
    world = three(isr=[0, 1])
    world.change_registered_broker(2, in_controlled_shutdown=True)

    answer = world.propose_as(0, [0, 1, 2])

    assert answer.error is ErrorCode.INELIGIBLE_REPLICA
    assert leads(world) == (0, (0, 1))


@case("H45", rcm("testElectUncleanLeaders_WithoutElr"))
def test_an_administrator_may_elect_a_replica_that_came_back_outside_the_isr():
    world = three(replicas=[1, 2, 3])

    fence(world, 2, 3, 1)
    offline = leads(world)
    unfence(world, 2)
    still_offline = leads(world)
    refused = why_not(world, "unclean")

    assert offline == still_offline == (-1, (1,))
    assert refused is None
    assert leads(world) == (2, (2,))


@case("H46", rcm("testPreferredElectionDoesNotTriggerUncleanElection"))
def test_a_preferred_election_is_never_unclean():
    for configs in ({}, UNCLEAN):
        world = three(replicas=[1, 2, 3], isr=[1, 2, 3])
        fence(world, 1, 2, 3)
        unfence(world, 1)
        offline = leads(world)
        world.do("config", topic="t", **{"unclean.leader.election.enable": bool(configs)})
        if leads(world) != offline:
            continue  # From 4.0 the change of the setting itself triggers an election.

        assert why_not(world, "preferred") == "preferred_not_eligible"
        assert leads(world) == offline == (-1, (3,))


@case("H47", rcm("testBalancePartitionLeaders"))
def test_the_balance_check_lets_the_preferred_replica_lead_where_it_can():
    active = three(leader=1)
    fenced = three(leader=1)
    fenced.change_registered_broker(0, fenced=True)
    outside = three(leader=1, isr=[1, 2])

    for world in (active, fenced, outside):
        world.do("timer", kind="preferred_leader_check")

    assert [leads(world)[0] for world in (active, fenced, outside)] == [0, 1, 1]


@case("H48", rcm("testProcessBrokerHeartbeatInControlledShutdown"))
def test_a_leader_that_wants_to_stop_leaves_the_isr_and_hands_over():
    world = three()

    done = perform(world.cluster, BeginShutdown(broker=BrokerId(0)), FrameNumber(1))

    registration = done.cluster.controller.partition(T)
    assert (registration.leader, registration.isr) == (1, (1, 2))
    assert done.cluster.controller.broker(BrokerId(0)).in_controlled_shutdown
    assert not done.cluster.controller.broker(BrokerId(0)).fenced


@case("H49", rcm("testFenceMultipleBrokers"))
def test_fencing_two_brokers_moves_what_they_led():
    partitions = [{"replicas": [1, 2, 3]}, {"replicas": [2, 3, 4]}, {"replicas": [0, 2, 1]}]
    world = World(
        control="kraft", brokers=[0, 1, 2, 3, 4], topics=[{"name": "t", "partitions": partitions}]
    )

    fence(world, 2, 3)

    assert [leads(world, f"t-{index}") for index in range(3)] == [(1, (1,)), (4, (4,)), (0, (0, 1))]


@case("H50", rcm("testMaybeTriggerUncleanLeaderElectionForLeaderlessPartitions"))
def test_the_periodic_pass_elects_for_who_may_be_led_uncleanly():
    led = {}

    for where in ("nowhere", "cluster", "topic"):
        world = three("4.0", isr=[0])
        fence(world, 0)
        offline = leads(world)
        setting = (("unclean.leader.election.enable", True),)
        if where == "cluster":
            world.cluster = with_settings(replace(world.cluster, configs=setting))
        elif where == "topic":
            world.cluster = with_settings(replace(world.cluster, topic_configs=(("t", setting),)))
        world.do("timer", kind="unclean_leader_check")
        led[where] = (offline, leads(world))

    assert led == {
        "nowhere": ((-1, (0,)), (-1, (0,))),
        "cluster": ((-1, (0,)), (1, (1,))),
        "topic": ((-1, (0,)), (1, (1,))),
    }


def test_a_proposal_carries_its_leader_s_broker_epoch():
    """The fields that H41 writes by hand are in the engine's own requests."""
    world = three(isr=[0, 1])
    world.do("fetch", broker=2)

    sent = world.in_flight("alter_partition_request")[0]

    assert isinstance(sent.payload, AlterPartitionRequest)
    assert (sent.sender, sent.receiver) == (0, CONTROLLER)
    assert sent.payload.broker_epoch == world.cluster.controller.broker(BrokerId(0)).broker_epoch
