"""H26–H33, H36–H40: eligible leader replicas (KIP-966) at the KRaft controller.

The cases of `PartitionChangeBuilderTest` and `ReplicationControlManagerTest`. The last known leader
is always remembered, as in every release; Kafka's tests also switch that off. What Kafka's tests
lack stands beside the case that it varies.
"""

from typing import Any

import pytest

from sim_engine.events.controller import EligibleLeaderReplicasChanged
from sim_engine.identifiers import NO_LEADER, BrokerId, TopicPartition
from sim_engine.kafka_history import Rules
from sim_engine.protocol.controller.kraft.partition_change import PartitionChange, partition_change
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import B1, B2, B3, B4
from tests.sim_engine.kafka_cases.case_cluster import T
from tests.sim_engine.kafka_cases.cases import case, row
from tests.sim_engine.kafka_cases.world import World

RULES = resolve_profile("4.1").rules
FOUR = tuple(map(BrokerId, (1, 2, 3, 4)))
MIN_ISR = 3


def rules_of(kafka: str) -> Rules:
    return resolve_profile(kafka).rules


def pcb(method: str) -> str:
    return f"PartitionChangeBuilderTest.{method}"


def rcm(method: str) -> str:
    return f"ReplicationControlManagerTest.{method}"


def foo(isr: tuple[int, ...], **more: Any) -> PartitionRegistration:
    """Replicas 1 to 4; 1 is the leader."""
    more = {"leader": 1, **more}
    return PartitionRegistration(
        partition=TopicPartition("foo-0"), replicas=FOUR, isr=tuple(map(BrokerId, isr)), **more
    )


def changed(
    before: PartitionRegistration, isr: tuple[int, ...], rules: Rules = RULES, **more: Any
) -> Any:
    more = {"acceptable": FOUR, "min_isr": MIN_ISR, **more}
    return partition_change(before, target_isr=tuple(map(BrokerId, isr)), rules=rules, **more)


@pytest.mark.parametrize(
    ("before", "isr", "expected"),
    [
        row("H26", pcb("testEligibleLeaderReplicas_IsrShrinkBelowMinISR"),
            foo(FOUR), (1, 2), PartitionChange(isr=(B1, B2), elr=(B3, B4))),
        row("H27", pcb("testEligibleLeaderReplicas_IsrExpandAboveMinISR"),
            foo((1, 2), elr=(3,)), (1, 2, 3), PartitionChange(isr=(B1, B2, B3), elr=())),
        row("H28", pcb("testEligibleLeaderReplicas_IsrAddNewMemberNotInELR"),
            foo((1,), elr=(3,), last_known_elr=(2,)), (1, 4),
            PartitionChange(isr=(B1, B4), last_known_elr=())),
    ],
)  # fmt: skip
def test_who_leaves_an_isr_that_is_too_small_to_commit_stays_eligible(before, isr, expected):
    assert changed(before, isr, rules_of("4.1.0")) == expected


def test_from_4_1_1_a_leader_that_stays_does_not_clear_the_last_known_leader():
    before = foo((1,), elr=(3,), last_known_elr=(2,))

    assert changed(before, (1, 4), rules_of("4.1.1")) == PartitionChange(isr=(B1, B4))


def test_without_elr_no_replica_becomes_eligible():
    assert changed(foo(FOUR), (1, 2), rules_of("4.0")) == PartitionChange(isr=(B1, B2))


@pytest.mark.parametrize(("kafka", "stored"), [("4.1.0", None), ("4.1.1", (1,))])
def test_from_4_1_1_the_leader_is_remembered_though_the_isr_keeps_a_member(kafka, stored):
    before = foo((1, 2), elr=(3,))

    found = changed(before, (2,), rules_of(kafka), acceptable=(3,))

    assert (found.leader, found.isr, found.last_known_elr) == (-1, (2,), stored)


@case("H29", pcb("testEligibleLeaderReplicas_RemoveUncleanShutdownReplicasFromElr"))
def test_an_unclean_shutdown_ends_being_eligible():
    found = changed(foo((1,), elr=(2, 3)), (1,), unclean_shutdown=3)

    assert found == PartitionChange(elr=(B2,))


def test_an_unclean_shutdown_of_an_isr_member_does_not_make_it_eligible():
    found = changed(foo((1, 3), elr=(2,)), (1,), unclean_shutdown=3)

    assert found == PartitionChange(isr=(B1,))


@case("H30", pcb("testEligibleLeaderReplicas_ElrCanBeElected"))
def test_an_eligible_replica_is_elected_cleanly():
    found = changed(foo((1,), elr=(3,)), (), acceptable=(2, 3, 4))

    assert found == PartitionChange(isr=(B3,), elr=(B1,), leader=B3, leader_from="elr")
    assert found.leader_recovery_state is None
    assert not found.unclean


def test_while_the_isr_has_a_member_no_leader_is_elected_from_the_elr():
    found = changed(foo((1, 2), elr=(3,)), (2,), rules_of("4.1.0"), acceptable=(3,))

    assert found == PartitionChange(isr=(B2,), elr=(B1, B3), leader=NO_LEADER)


@case("H31", pcb("testEligibleLeaderReplicas_IsrCanShrinkToZero"))
def test_an_isr_may_become_empty_and_its_last_leader_is_remembered():
    emptied = changed(foo(FOUR), (), acceptable=())
    empty = foo((), leader=-1, elr=FOUR, last_known_elr=(1,))
    after_unclean_shutdown = changed(empty, (), acceptable=(), unclean_shutdown=2)

    assert emptied == PartitionChange(isr=(), elr=FOUR, last_known_elr=(B1,), leader=NO_LEADER)
    assert after_unclean_shutdown == PartitionChange(elr=(B1, B3, B4))


def test_without_elr_the_last_member_stays_in_the_isr():
    found = changed(foo((1,)), (), rules_of("4.0"), acceptable=())

    assert found == PartitionChange(leader=NO_LEADER)


@case("H32", pcb("testEligibleLeaderReplicas_ElectLastKnownLeader"))
def test_without_any_candidate_the_last_known_leader_is_elected_uncleanly():
    found = changed(foo((), leader=-1, last_known_elr=(1,)), (), acceptable=(1,))

    assert found == PartitionChange(
        isr=(B1,),
        last_known_elr=(),
        leader=B1,
        leader_recovery_state="RECOVERING",
        leader_from="last_known_leader",
    )
    assert found.unclean


@case("H33", pcb("testEligibleLeaderReplicas_ElectLastKnownLeaderShouldFail"))
def test_an_eligible_replica_that_is_away_blocks_the_last_known_leader():
    before = foo((), leader=-1, elr=(3,), last_known_elr=(1,))

    for election in ("online", "preferred"):
        assert changed(before, (), acceptable=(1,), election=election) is None


def test_two_known_leaders_are_no_last_known_leader():
    before = foo((), leader=-1, last_known_elr=(1, 2))

    assert changed(before, (), acceptable=(1, 2)) is None


def test_a_dead_last_known_leader_waits_from_4_1_on():
    before = foo((), leader=-1, last_known_elr=(1,))
    in_4_0 = resolve_profile("4.0", control="kraft", rules={"KIP-966": True}).rules

    elected = changed(before, (), in_4_0, acceptable=(2,), min_isr=2)

    assert (elected.leader, elected.isr) == (1, (1,))
    assert changed(before, (), rules_of("4.1"), acceptable=(2,), min_isr=2) is None


def test_an_unclean_election_ends_elr_and_memory():
    before = foo((), leader=-1, elr=(3,), last_known_elr=(1,))

    assert changed(before, (), acceptable=(2,), election="unclean") == PartitionChange(
        isr=(B2,),
        elr=(),
        last_known_elr=(),
        leader=B2,
        leader_recovery_state="RECOVERING",
        leader_from="outside",
    )


def test_an_election_of_the_leader_that_leads_already_is_none():
    """`tryElection` only checks whether the leader changes."""
    found = changed(foo((1, 3)), (3,), rules_of("3.9"), acceptable=(1,), election="unclean")

    assert found == PartitionChange(isr=(B3,))


def test_a_leader_already_recovering_is_not_marked_again():
    before = foo((1,), leader_recovery_state="RECOVERING")

    found = changed(before, (), rules_of("3.9"), acceptable=(2,), min_isr=1, election="unclean")

    assert (found.leader, found.leader_recovery_state) == (2, None)


def test_a_proposal_of_the_leader_ends_recovering():
    before = foo((1,), leader_recovery_state="RECOVERING")

    assert changed(before, (1, 2), min_isr=1, recovered=True) == PartitionChange(
        isr=(B1, B2), leader_recovery_state="RECOVERED"
    )


@pytest.mark.parametrize("recovered", [False, True])
def test_what_changes_nothing_is_not_written(recovered):
    assert changed(foo(FOUR), FOUR, recovered=recovered) is None


def kraft(min_isr: int, replicas: tuple[int, ...] = (0, 1, 2, 3)) -> World:
    return World("4.1", replicas=list(replicas), leader=0, configs={"min.insync.replicas": min_isr})


def fence(world: World, *brokers: int) -> None:
    """The controller no longer receives heartbeats of these brokers; their processes are alive."""
    for broker in brokers:
        world.do("isolate", broker=broker, from_="controller")
        world.do("detect", broker=broker)


def unfence(world: World, *brokers: int) -> None:
    for broker in brokers:
        world.do("heal", broker=broker)
        while world.cluster.controller.broker(BrokerId(broker)).fenced:
            world.do("detect", broker=broker)


def uncleanly_restarted(world: World, broker: int) -> list[str | None]:
    """Restart a broker without a clean shutdown; the reasons why the ELR changed."""
    if not world.cluster.reaches_controller(BrokerId(broker)):
        world.do("heal", broker=broker)
    world.do("crash", broker=broker)
    events = world.do("start", broker=broker)
    return [one.variant for one in events if isinstance(one, EligibleLeaderReplicasChanged)]


def isr_elr_known(world: World) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    now = world.registration()
    return now.isr, now.elr, now.last_known_elr


@case("H36", rcm("testEligibleLeaderReplicas_ShrinkAndExpandIsr"))
def test_a_shrink_below_min_insync_replicas_makes_eligible_and_an_expansion_ends_it():
    world = kraft(2, (0, 1, 2))

    world.propose_as(0, [0])
    shrunk = isr_elr_known(world)
    world.propose_as(0, [0, 1])

    assert shrunk == ((0,), (1, 2), ())
    assert isr_elr_known(world) == ((0, 1), (), ())


@case("H37", rcm("testEligibleLeaderReplicas_BrokerFence"))
def test_unfencing_does_not_end_being_eligible():
    world = kraft(3)
    elrs = []

    fence(world, 2, 3)
    elrs.append(world.registration().elr)
    fence(world, 1)
    elrs.append(world.registration().elr)
    unfence(world, 1, 2, 3)
    elrs.append(world.registration().elr)

    assert elrs == [(3,), (1, 3), (1, 3)]
    assert world.registration().isr == (0,)


@case("H38", rcm("testEligibleLeaderReplicas_EffectiveMinIsr"))
def test_min_insync_replicas_counts_no_more_than_there_are_replicas():
    world = kraft(5, (0, 1, 2))

    fence(world, 2)

    assert world.cluster.situation().policies[T].effective_min_insync_replicas == 3
    assert isr_elr_known(world) == ((0, 1), (2,), ())


@case("H39", rcm("testEligibleLeaderReplicas_CleanElection"))
def test_a_returning_eligible_replica_is_elected_if_the_isr_is_empty():
    world = kraft(3)

    fence(world, 1, 2, 3)
    fenced = isr_elr_known(world)
    unfence(world, 2)
    fence(world, 0)

    assert fenced == ((0,), (2, 3), ())
    assert world.registration().leader == 2
    assert isr_elr_known(world) == ((2,), (0, 3), ())
    assert world.registration().leader_recovery_state == "RECOVERED"


@case("H40", rcm("testEligibleLeaderReplicas_UncleanShutdown"))
def test_who_was_stopped_uncleanly_is_neither_eligible_nor_in_the_isr():
    world = kraft(3)
    fence(world, 1, 2, 3)

    reasons = uncleanly_restarted(world, 3)
    first = isr_elr_known(world)
    uncleanly_restarted(world, 0)

    assert (first, reasons) == (((0,), (2,), ()), ["unclean_shutdown"])
    assert world.registration().leader == -1
    assert isr_elr_known(world) == ((), (2,), (0,))
