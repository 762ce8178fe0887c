"""C: a leader's view of its followers, and when a follower counts as caught up.

The cases of `ReplicaTest`, `PartitionTest` and `IsrExpirationTest`.
"""

import pytest

from sim_engine.identifiers import FIRST_EPOCH, ErrorCode, LeaderEpoch, Offset, TimeMs
from sim_engine.protocol.leader.isr import why_out_of_sync
from sim_engine.protocol.replica import RemoteReplica
from tests.sim_engine.builders import B2
from tests.sim_engine.kafka_cases.cases import case, row
from tests.sim_engine.kafka_cases.world import World, values

LAG_MS = 100


def times_of(remote: RemoteReplica) -> tuple[int, int, int, int]:
    """Log end, the leader's end at the last fetch, when it fetched, when it was caught up."""
    return (
        remote.log_end_offset,
        remote.last_fetch_leader_log_end_offset,
        remote.last_fetch_time_ms,
        remote.last_caught_up_time_ms,
    )


@case("C01", "ReplicaTest.testInitialState")
def test_a_leader_knows_nothing_of_a_follower_at_first():
    fresh = RemoteReplica(broker_id=B2)

    assert fresh.log_start_offset == -1
    assert times_of(fresh) == (-1, 0, 0, 0)


def fetched_at_5_10_and_15() -> tuple[list[RemoteReplica], list[TimeMs]]:
    """Broker 2 fetches 5 (leader's end 10), 10 (15) and 15 (15); its states, and when."""
    world = World(replicas=[1, 2], isr=[1], logs={1: {"log": values(10)}})
    world.change(1, leading=replace_remotes(world, RemoteReplica(broker_id=B2)))
    states, when = [], []
    for offset, produced in ((5, 0), (10, 5), (15, 0)):
        for number in range(produced):
            world.produce(f"n{number}", acks=1)
        world.wait(7)
        world.fetch_as(2, offset, epoch=FIRST_EPOCH)
        states.append(world.remote(1, 2))
        when.append(world.now_ms)
    return states, when


def replace_remotes(world: World, *remotes: RemoteReplica):
    leading = world.leading(1)
    return type(leading)(
        leader_epoch_start_offset=leading.leader_epoch_start_offset,
        isr=leading.isr,
        remotes=remotes,
    )


@case("C02", "ReplicaTest.testUpdateFetchState")
def test_a_fetch_below_the_end_is_no_sign_of_being_caught_up():
    states, when = fetched_at_5_10_and_15()

    assert times_of(states[0]) == (5, 10, when[0], 0)
    assert states[0].log_start_offset == 0


@case("C03", "ReplicaTest.testUpdateFetchState")
def test_reaching_the_end_of_the_previous_fetch_counts_as_of_that_fetch():
    states, when = fetched_at_5_10_and_15()

    assert times_of(states[1]) == (10, 15, when[1], when[0])


@case("C04", "ReplicaTest.testUpdateFetchState")
def test_reaching_the_end_counts_as_of_now():
    states, when = fetched_at_5_10_and_15()

    assert times_of(states[2]) == (15, 15, when[2], when[2])


def fetched_10_and_then_elected(leader: int, isr: tuple[int, ...]) -> World:
    """Broker 2 has fetched 10 of 10 from broker 1; at end 11 `leader` is elected in a new epoch."""
    logs = {1: {"log": values(10)}, 3: {"log": values(11)}}
    world = World(isr=[1], logs=logs)
    world.fetch_as(2, 10, epoch=FIRST_EPOCH)
    world.produce("m", acks=1)
    world.wait(500)
    world.tell(leader, leader=leader, isr=isr, leader_epoch=1, partition_epoch=1)
    return world


@pytest.mark.parametrize(
    ("leader", "in_isr", "expected"),
    [
        row("C05", "ReplicaTest.testResetReplicaStateWhenLeaderIsReelectedAndReplicaIsInSync",
            1, True, (10, 11, "now", "now")),
        row("C06", "ReplicaTest.testResetReplicaStateWhenLeaderIsReelectedAndReplicaIsNotInSync",
            1, False, (10, 11, 0, 0)),
        row("C07", "ReplicaTest.testResetReplicaStateWhenNewLeaderIsElectedAndReplicaIsInSync",
            3, True, (-1, -1, 0, "now")),
        row("C08", "ReplicaTest.testResetReplicaStateWhenNewLeaderIsElectedAndReplicaIsNotInSync",
            3, False, (-1, -1, 0, 0)),
    ],
)  # fmt: skip
def test_a_new_leader_epoch_begins_with_what_its_leader_knew(leader, in_isr, expected):
    world = fetched_10_and_then_elected(leader, (leader, 2) if in_isr else (leader,))

    now = tuple(world.now_ms if value == "now" else value for value in expected)
    assert times_of(world.remote(leader, 2)) == now
    if leader == 3:
        assert world.remote(3, 2).log_start_offset == -1


def caught_up(world: World, leader_log_end_offset: int) -> bool:
    why_not = why_out_of_sync(
        world.remote(1, 2), Offset(leader_log_end_offset), world.cluster.view_of(world.replica(1))
    )
    return why_not is None


@case("C09", "ReplicaTest.testIsCaughtUpWhenReplicaIsCaughtUpToLogEnd")
def test_a_follower_at_the_log_end_is_always_caught_up():
    world = World(replicas=[1, 2], isr=[1], logs={1: {"log": values(10)}})

    world.fetch_as(2, 10, epoch=FIRST_EPOCH)
    world.wait(10 * 30_000)

    assert caught_up(world, 10)


@case("C10", "ReplicaTest.testIsCaughtUpWhenReplicaIsNotCaughtUpToLogEnd")
def test_who_is_behind_is_caught_up_for_one_lag():
    world = World(replicas=[1, 2], isr=[1], logs={1: {"log": values(10)}})
    world.fetch_as(2, 5, epoch=FIRST_EPOCH)
    after_first = caught_up(world, 10)
    for number in range(5):
        world.produce(f"n{number}", acks=1)
    world.fetch_as(2, 10, epoch=FIRST_EPOCH)
    after_second = caught_up(world, 16)

    world.wait(30_000)
    to_the_ms = caught_up(world, 16)
    world.wait(1)

    assert (after_first, after_second, to_the_ms) == (False, True, True)
    assert not caught_up(world, 16)


@case("C11", "ReplicaTest.testFenceStaleUpdates")
def test_a_fetch_of_an_earlier_start_is_refused_under_kraft():
    answers, ends = {}, {}

    for control in ("kraft", "zookeeper"):
        world = World("3.7", control=control, logs={1: {"log": values(5)}})
        answer = world.fetch_as(2, 3, epoch=FIRST_EPOCH, broker_epoch=1)
        assert answer is not None
        answers[control] = answer.error
        ends[control] = world.remote(1, 2).log_end_offset

    assert answers == {"kraft": ErrorCode.NOT_LEADER_OR_FOLLOWER, "zookeeper": ErrorCode.NONE}
    assert ends == {"kraft": -1, "zookeeper": 3}


def led_since_epoch_5() -> tuple[World, int]:
    """Six records of epoch 4; broker 1 begins to lead in epoch 5, broker 2 in the ISR."""
    logs = {broker: {"log": values(6, 4)} for broker in (1, 2)}
    world = World(replicas=[1, 2], leader=2, logs=logs, leader_epoch=4)
    world.wait(50)
    world.tell(1, leader=1, leader_epoch=5, partition_epoch=1)
    return world, world.now_ms


@case("C12", "PartitionTest.testUpdateFollowerFetchState")
def test_a_new_leader_takes_an_isr_member_for_caught_up_as_of_its_election():
    world, elected_ms = led_since_epoch_5()

    remote = world.remote(1, 2)

    assert (remote.log_end_offset, remote.last_caught_up_time_ms) == (-1, elected_ms)


@case("C13", "PartitionTest.testUpdateFollowerFetchState")
def test_fetches_move_the_belief_and_only_the_end_moves_the_time():
    world, elected_ms = led_since_epoch_5()
    seen = []

    for offset in (3, 6):
        world.wait(500)
        world.fetch_as(2, offset, epoch=LeaderEpoch(5))
        remote = world.remote(1, 2)
        seen.append(
            (remote.log_end_offset, remote.last_caught_up_time_ms - elected_ms,
             remote.log_start_offset)
        )  # fmt: skip

    assert seen == [(3, 0, 0), (6, 1_000, 0)]


def isr_expiration(*fetches: tuple[int, int], log_end: int = 15, idle_ms: int = 0) -> World:
    """Two followers fetch at the given offsets and intervals (ms); then the check runs."""
    configs = {"replica.lag.time.max.ms": LAG_MS, "replica.fetch.wait.max.ms": 50}
    logs = {1: {"log": values(log_end)}}
    world = World("2.1", logs=logs, configs=configs)
    world.change(1, high_watermark=0)
    for after_ms, offset in fetches:
        world.wait(after_ms)
        for follower in (2, 3):
            world.fetch_as(follower, offset, epoch=FIRST_EPOCH)
    world.wait(idle_ms)
    world.do("timer", broker=1, kind="isr_expiration")
    return world


@pytest.mark.parametrize(
    ("fetches", "idle_ms", "isr"),
    [
        row("C14", "IsrExpirationTest.testIsrExpirationForStuckFollowers",
            [(0, 15), (0, 14)], 150, (1,)),
        row("C15", "IsrExpirationTest.testIsrExpirationIfNoFetchRequestMade",
            [], 150, (1,)),
        row("C17", "IsrExpirationTest.testIsrExpirationForCaughtUpFollowers",
            [(0, 15)], 150, (1, 2, 3)),
    ],
)  # fmt: skip
def test_who_leaves_the_isr_for_being_late(fetches, idle_ms, isr):
    assert isr_expiration(*fetches, idle_ms=idle_ms).registration().isr == isr


@case("C16", "IsrExpirationTest.testIsrExpirationForSlowFollowers")
def test_a_slow_follower_leaves_and_comes_back_at_the_end():
    world = isr_expiration((0, 13), (75, 14), idle_ms=75)
    left = world.registration().isr

    for follower in (2, 3):
        world.fetch_as(follower, 15, epoch=FIRST_EPOCH)

    assert left == (1,)
    assert world.registration().isr == (1, 2, 3)


@case("C18", "PartitionTest.testFollowerShouldNotHaveAnyRemoteReplicaStates")
def test_a_leader_that_turns_follower_forgets_its_followers():
    world = World()
    world.fetch_as(2, 0, epoch=FIRST_EPOCH)

    world.tell(1, leader=2, leader_epoch=1, partition_epoch=1)
    as_follower = world.replica(1).leading
    world.tell(1, leader=1, leader_epoch=2, partition_epoch=2)

    assert as_follower is None
    assert [remote.log_end_offset for remote in world.leading(1).remotes] == [-1, -1]
