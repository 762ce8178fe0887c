"""D: a leader's ISR, the change of it under way, and the high watermark (`PartitionTest`)."""

from typing import Any

from msgspec.structs import replace

from sim_engine.error_codes import ErrorCode
from sim_engine.events import Event
from sim_engine.events.network import ResponseIgnored
from sim_engine.identifiers import CONTROLLER, FIRST_EPOCH, BrokerId, LeaderEpoch, Offset
from sim_engine.protocol.messages import (
    AlterPartitionRequest,
    AlterPartitionResponse,
    MetadataRecords,
)
from sim_engine.protocol.metadata import BrokerRegistration
from tests.sim_engine.builders import B1
from tests.sim_engine.kafka_cases.cases import case
from tests.sim_engine.kafka_cases.world import World, kinds, outcome_of, values

LAG_MS = 30_000


def pt(method: str) -> str:
    return f"PartitionTest.{method}"


def proposals(world: World) -> list[AlterPartitionRequest]:
    """The AlterPartition requests that no answer has come to."""
    return [
        message.payload
        for message in world.in_flight("alter_partition_request")
        if isinstance(message.payload, AlterPartitionRequest)
    ]


def answer(world: World, error: ErrorCode) -> list[type[Event]]:
    """Answer the open proposal by hand, with an error; the controller does not see it."""
    message = world.in_flight("alter_partition_request")[0]
    world.lose_without_notice(message)
    response = AlterPartitionResponse(in_reply_to=message.id, error=error)
    return kinds(world.deliver(world.send(CONTROLLER, B1, response)))


def commit(world: World) -> None:
    """Let the controller see the open proposal, and the leader its answer."""
    world.deliver_all("alter_partition_request")
    world.deliver_all("alter_partition_response")


def isr(world: World) -> tuple[set[int], set[int], bool]:
    """The committed ISR, the maximal one, and whether a change is pending."""
    leading = world.leading(1)
    return set(leading.isr), set(leading.maximal_isr), leading.pending_isr is not None


def outside(kafka: str = "3.9", **more: Any) -> World:
    """Leader 1 with ten committed records; broker 2 is assigned and not in the ISR."""
    logs = {1: {"log": values(10), "high_watermark": 10}}
    return World(kafka, replicas=[1, 2], isr=[1], logs=logs, **more)


def broker_epoch(world: World, broker: int) -> int:
    return world.cluster.controller.broker(BrokerId(broker)).broker_epoch


def joins(world: World, offset: int = 10, follower: int = 2) -> None:
    """A follower fetches as its broker's present start does."""
    world.fetch_as(follower, offset, epoch=FIRST_EPOCH, broker_epoch=broker_epoch(world, follower))


def leader_hears_of(world: World, broker: int, **fields: Any) -> None:
    """The leader reads of a broker's registration; the controller wrote it."""
    known = world.cluster.controller.broker(BrokerId(broker))
    changed = replace(known, **fields)
    records = MetadataRecords(
        offset=Offset(world.cluster.broker(B1).metadata_offset + 1),
        partitions=(),
        brokers=(changed,),
    )
    world.deliver(world.send(CONTROLLER, B1, records))


def controller_knows(world: World, broker: int, **fields: Any) -> BrokerRegistration:
    """Change the controller's registration of a broker; nobody is told."""
    controller = world.cluster.controller
    brokers = tuple(
        replace(known, **fields) if known.broker_id == broker else known
        for known in controller.brokers
    )
    world.cluster = replace(world.cluster, controller=replace(controller, brokers=brokers))
    return world.cluster.controller.broker(BrokerId(broker))


@case("D01", pt("testIsrExpansion"))
def test_a_follower_below_the_high_watermark_does_not_join():
    world = outside()

    joins(world, 3)

    assert isr(world) == ({1}, {1}, False)
    assert proposals(world) == []


@case("D02", pt("testIsrExpansion"))
def test_a_follower_at_the_high_watermark_is_proposed_and_counts_as_pending():
    world = outside()

    joins(world)
    world.wait(LAG_MS + 1)
    world.produce("n", acks=1)

    assert [proposal.new_isr for proposal in proposals(world)] == [(1, 2)]
    assert isr(world) == ({1}, {1, 2}, True)
    assert world.replica(1).high_watermark == 10


@case("D03", pt("testIsrExpansion"))
def test_a_proposal_that_the_controller_took_is_the_isr():
    world = outside(partition_epoch=1)
    joins(world)

    commit(world)

    assert isr(world) == ({1, 2}, {1, 2}, False)
    assert world.replica(1).partition_epoch == 2
    assert proposals(world) == []


@case("D04", pt("testIsrNotExpandedIfUpdateFails"))
def test_an_expansion_refused_for_its_version_stays_pending_and_is_not_asked_again():
    world = outside()
    joins(world)

    answer(world, ErrorCode.INVALID_UPDATE_VERSION)
    joins(world)

    assert isr(world) == ({1}, {1, 2}, True)
    assert proposals(world) == []


@case("D05", pt("testIsrNotExpandedIfReplicaIsFencedOrShutdown"))
def test_a_broker_that_may_not_join_is_not_proposed_until_it_may():
    ineligible: list[dict[str, Any]] = [
        {"fenced": True}, {"in_controlled_shutdown": True}, {"broker_epoch": 99},
    ]  # fmt: skip
    for fields in ineligible:
        world = outside()
        leader_hears_of(world, 2, **fields)

        joins(world)
        refused = proposals(world)
        leader_hears_of(world, 2)
        joins(world)

        assert refused == [], fields
        assert [proposal.new_isr for proposal in proposals(world)] == [(1, 2)], fields


@case("D06", pt("testIsrNotExpandedIfReplicaIsInControlledShutdown"))
def test_an_ineligible_replica_takes_the_leader_back_to_the_committed_isr():
    world = outside()
    controller_knows(world, 2, in_controlled_shutdown=True)
    joins(world)

    commit(world)
    after = (isr(world), proposals(world))
    leader_hears_of(world, 2)
    joins(world)
    while_it_shuts_down = proposals(world)
    controller_knows(world, 2, in_controlled_shutdown=False)
    leader_hears_of(world, 2)
    joins(world)

    assert after == (({1}, {1}, False), [])
    assert while_it_shuts_down == []
    assert len(proposals(world)) == 1


@case("D07", pt("testIsrCanExpandedIfBrokerEpochsMatchWithKraftMetadataCache"))
def test_an_expansion_carries_the_broker_epochs_that_the_fetches_carried():
    logs = {1: {"log": values(10), "high_watermark": 10}}
    world = World(isr=[1, 3], logs=logs)

    world.fetch_as(2, 10, epoch=FIRST_EPOCH, broker_epoch=broker_epoch(world, 2) + 1)
    other_epoch = proposals(world)
    joins(world)

    assert other_epoch == []
    assert [proposal.new_isr for proposal in proposals(world)] == [(1, 3, 2)]
    assert [proposal.broker_epochs for proposal in proposals(world)] == [
        (broker_epoch(world, 1), -1, broker_epoch(world, 2))
    ]


def stuck_follower() -> World:
    """Ten records; broker 2 has them, broker 3 never fetched and is late by one ms."""
    world = World(logs={1: {"log": values(10)}}, isr=[1, 2, 3])
    joins(world)
    world.wait(LAG_MS + 1)
    joins(world)
    world.do("timer", broker=1, kind="isr_expiration")
    return world


@case("D08", pt("testMaybeShrinkIsr"))
def test_a_shrink_counts_once_it_is_committed():
    world = stuck_follower()
    pending = (isr(world), world.replica(1).high_watermark)
    proposed = [proposal.new_isr for proposal in proposals(world)]

    commit(world)

    assert proposed == [(1, 2)]
    assert pending == (({1, 2, 3}, {1, 2, 3}, True), 0)
    assert isr(world) == ({1, 2}, {1, 2}, False)
    assert world.replica(1).high_watermark == 10


@case("D09", pt("testHighWatermarkAdvanceShouldNotAdvanceWhenUnderMinISR"))
def test_below_min_insync_replicas_the_high_watermark_stays_until_a_join_is_committed():
    world = World(isr=[1, 2], configs={"min.insync.replicas": 3}, logs={1: {"log": values(10)}})
    world.change(1, high_watermark=0)

    joins(world, follower=2)
    below = world.replica(1).high_watermark
    joins(world, follower=3)
    pending = (len(world.leading(1).maximal_isr), world.replica(1).high_watermark)
    commit(world)

    assert (below, pending) == (0, (3, 0))
    assert world.replica(1).high_watermark == 10


@case("D10", pt("testShouldNotShrinkIsrIfPreviousFetchIsCaughtUp"))
def test_a_follower_that_reached_the_end_of_its_previous_fetch_stays():
    world = World(replicas=[1, 2], logs={1: {"log": values(10)}})
    began_ms = world.now_ms
    world.wait(5_000)
    joins(world, 5)
    first_ms, first = world.now_ms, world.replica(1).high_watermark
    world.wait(5_001)
    for number in range(5):
        world.produce(f"n{number}", acks=1)
    joins(world)
    second = world.replica(1).high_watermark

    caught_up_ms = world.remote(1, 2).last_caught_up_time_ms
    world.wait(LAG_MS + 1 - (world.now_ms - began_ms))
    world.do("timer", broker=1, kind="isr_expiration")

    assert (first, second) == (5, 10)
    assert caught_up_ms == first_ms
    assert (proposals(world), isr(world)) == ([], ({1, 2}, {1, 2}, False))


@case("D11", pt("testShouldNotShrinkIsrIfFollowerCaughtUpToLogEnd"))
def test_a_follower_that_idles_at_the_end_stays():
    world = World(replicas=[1, 2], logs={1: {"log": values(10)}})
    joins(world)

    world.wait(LAG_MS + 1)
    world.do("timer", broker=1, kind="isr_expiration")

    assert proposals(world) == []
    assert isr(world) == ({1, 2}, {1, 2}, False)


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


def led_twice() -> World:
    """Broker 1 led epoch 8 (5 records, high watermark 1), followed in 9, and leads epoch 10.

    Broker 2 is in the ISR, broker 3 is not; the epoch starts at 5 and a record has come since.
    """
    logs = {1: {"log": values(5, 8), "high_watermark": 0}}
    world = World(isr=[1, 2], logs=logs, leader_epoch=8)
    world.fetch_as(2, 1, epoch=LeaderEpoch(8))
    world.tell(1, leader=2, leader_epoch=9, partition_epoch=1)
    world.change_registration(leader_epoch=10, partition_epoch=2)
    world.tell(1)
    world.produce("n", acks=1)
    return world


@case("D17", pt("testFollowerDoesNotJoinISRUntilCaughtUpToOffsetWithinCurrentLeaderEpoch"))
def test_reaching_the_high_watermark_below_the_epoch_s_start_is_not_enough_to_join():
    world = led_twice()
    assert world.leading(1).leader_epoch_start_offset == 5

    for offset in (0, 1):
        world.fetch_as(3, offset, epoch=LeaderEpoch(10), broker_epoch=broker_epoch(world, 3))

    assert world.replica(1).high_watermark == 1
    assert (proposals(world), isr(world)) == ([], ({1, 2}, {1, 2}, False))


@case("D18", pt("testFollowerDoesNotJoinISRUntilCaughtUpToOffsetWithinCurrentLeaderEpoch"))
def test_reaching_the_epoch_s_start_is_enough_to_join():
    world = led_twice()

    world.fetch_as(3, 5, epoch=LeaderEpoch(10), broker_epoch=broker_epoch(world, 3))

    assert [proposal.new_isr for proposal in proposals(world)] == [(1, 2, 3)]
    assert [len(one) for one in isr(world)[:2]] == [2, 3]


def shrunk_by_the_controller(**follower: Any) -> World:
    """Ten records committed, ten more; the controller has taken broker 2 out of the ISR."""
    logs = {1: {"log": values(20), "high_watermark": 10}}
    world = World(replicas=[1, 2], isr=[1, 2], logs=logs)
    world.change(1, high_watermark=0)
    joins(world)
    assert world.replica(1).high_watermark == 10
    leader_hears_of(world, 2, **follower)
    world.tell(1, isr=(1,), partition_epoch=1)
    return world


@case("D19", pt("testHighWatermarkIncreasesWithFencedOrShutdownFollower"))
def test_the_high_watermark_waits_for_an_outsider_that_was_caught_up_and_could_join():
    world = shrunk_by_the_controller()

    assert world.now_ms - world.remote(1, 2).last_caught_up_time_ms <= LAG_MS
    assert world.replica(1).high_watermark == 10


@case("D20", pt("testHighWatermarkIncreasesWithFencedOrShutdownFollower"))
def test_the_high_watermark_does_not_wait_for_an_outsider_that_could_not_join():
    reached = {}

    for follower in ("fenced", "in_controlled_shutdown"):
        world = shrunk_by_the_controller(**{follower: True})
        reached[follower] = world.replica(1).high_watermark

    assert reached == {"fenced": 20, "in_controlled_shutdown": 20}


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


@case("D25", pt("testIsUnderMinIsr"))
def test_only_a_leader_with_fewer_than_min_insync_replicas_is_below_it():
    answers = {}

    for members in ([1], [1, 2], [1, 2, 3]):
        world = World(isr=members, configs={"min.insync.replicas": 2})
        world.produce("m", acks="all")
        answers[len(members)] = outcome_of(world, "m")
    world = World(isr=[1], configs={"min.insync.replicas": 2})
    world.produce("m", acks="all", broker=2)

    assert answers == {
        1: ("failed", "NOT_ENOUGH_REPLICAS"),
        2: ("pending", None),
        3: ("pending", None),
    }
    assert outcome_of(world, "m") == ("failed", "NOT_LEADER_OR_FOLLOWER")
