"""D: a pending change of the ISR: errors, losses and newer metadata (`PartitionTest`)."""

from msgspec.structs import replace

from sim_engine.events.network import ResponseIgnored
from sim_engine.identifiers import CONTROLLER, ErrorCode
from sim_engine.protocol.messages import AlterPartitionResponse
from tests.sim_engine.builders import B1
from tests.sim_engine.kafka_cases.cases import case
from tests.sim_engine.kafka_cases.isr_steps import (
    answer,
    commit,
    isr,
    joins,
    proposals,
    stuck_follower,
)
from tests.sim_engine.kafka_cases.kafka_tests import pt
from tests.sim_engine.kafka_cases.world import World, kinds, values


@case("D12", pt("testIsrNotShrunkIfUpdateFails"))
def test_a_shrink_refused_for_its_version_stays_pending_and_counts_nothing():
    world = stuck_follower()

    answer(world, ErrorCode.INVALID_UPDATE_VERSION)

    assert isr(world) == ({1, 2, 3}, {1, 2, 3}, True)
    assert (world.replica(1).high_watermark, proposals(world)) == (0, [])


@case("D13", pt("testInvalidAlterPartitionRequestsAreNotRetried"))
def test_some_errors_end_the_asking_and_an_unexpected_one_does_not():
    asked_again = {}

    for error in (
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.NEW_LEADER_ELECTED,
        ErrorCode.INVALID_UPDATE_VERSION,
        ErrorCode.INVALID_REQUEST,
        ErrorCode.UNKNOWN_SERVER_ERROR,
    ):
        world = stuck_follower()
        answer(world, error)
        assert isr(world) == ({1, 2, 3}, {1, 2, 3}, True), error
        asked_again[error] = [proposal.new_isr for proposal in proposals(world)]

    assert asked_again.pop(ErrorCode.UNKNOWN_SERVER_ERROR) == [(1, 2)]
    assert set(map(tuple, asked_again.values())) == {()}


@case("D14", pt("testPartitionShouldRetryAlterPartitionRequest"))
def test_a_proposal_that_the_network_lost_is_sent_again_and_commits():
    for kind in ("alter_partition_request", "alter_partition_response"):
        world = stuck_follower()
        if kind == "alter_partition_response":
            world.deliver_all("alter_partition_request")
        way = (1, "controller") if kind == "alter_partition_request" else ("controller", 1)

        world.do("drop", kind=kind, from_=way[0], to=way[1])
        again = [proposal.new_isr for proposal in proposals(world)]
        world.do("settle")

        assert again == [(1, 2)], kind
        assert not world.leading(1).pending_isr, kind
        assert world.replica(1).high_watermark == 10, kind


@case("D15", pt("testAlterIsrLeaderAndIsrRace"))
def test_newer_metadata_ends_a_proposal_and_a_late_answer_is_ignored():
    world = World(isr=[1, 2], logs={1: {"log": values(10), "high_watermark": 10}})
    joins(world, follower=3)
    message = world.in_flight("alter_partition_request")[0]

    world.tell(1, isr=(1, 2), partition_epoch=2)
    dropped = isr(world)
    late = AlterPartitionResponse(
        in_reply_to=message.id,
        registration=replace(world.registration(), isr=(1, 2, 3), partition_epoch=3),
    )
    world.lose_without_notice(message)
    happened = kinds(world.deliver(world.send(CONTROLLER, B1, late)))
    ignored = isr(world)
    joins(world, follower=3)

    assert dropped == ignored == ({1, 2}, {1, 2}, False)
    assert happened == [ResponseIgnored]
    assert [proposal.partition_epoch for proposal in proposals(world)] == [2]


@case("D16", pt("testSingleInFlightAlterIsr"))
def test_one_change_at_a_time():
    world = World(isr=[1], logs={1: {"log": values(10), "high_watermark": 10}})

    joins(world, follower=2)
    joins(world, follower=3)
    both = [proposal.new_isr for proposal in proposals(world)]
    commit(world)
    joins(world, follower=3)

    assert both == [(1, 2)]
    assert [proposal.new_isr for proposal in proposals(world)] == [(1, 2, 3)]
