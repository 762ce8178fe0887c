"""What a leader forgets when its partition changes, by release (KAFKA-2721, KAFKA-13790)."""

import pytest

from sim_engine.events.metadata import LeaderStateReset
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset, TimeMs
from sim_engine.protocol.leader.leadership import become_leader
from sim_engine.protocol.messages import PartitionRegistration
from sim_engine.protocol.replica import Outcome, RemoteReplica
from tests.sim_engine.builders import B1, B2, PARTITION
from tests.sim_engine.protocol.replica_builders import believed, leader, settings, view


def registration(*, isr: tuple[BrokerId, ...], leader_epoch: LeaderEpoch) -> PartitionRegistration:
    return PartitionRegistration(
        partition=PARTITION,
        replicas=(B1, B2),
        isr=isr,
        leader=B1,
        leader_epoch=leader_epoch,
        partition_epoch=5,
    )


def after_a_change_of_the_isr(kafka: str, *, control: str = "kraft", epoch: int = 0) -> Outcome:
    replica = leader(
        7,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(6), last_fetch_time_ms=TimeMs(9)),
        isr=(1, 2),
    )
    return become_leader(
        replica,
        registration(isr=(B1,), leader_epoch=LeaderEpoch(epoch)),
        view(settings(kafka, control=control), eligible=(1, 2)),
    )


@pytest.mark.parametrize(("kafka", "log_end"), [("0.8.2", -1), ("0.9", 6), ("3.9", 6)])
def test_a_leader_that_stays_keeps_the_ends_of_its_followers_from_0_9_on(kafka, log_end):
    outcome = after_a_change_of_the_isr(kafka, control="zookeeper", epoch=1)

    assert believed(outcome, 2).log_end_offset == log_end


def test_up_to_3_2_every_partition_change_resets_a_kraft_leader():
    outcome = after_a_change_of_the_isr("3.0")

    assert outcome.replica.leading is not None
    assert outcome.replica.leading.leader_epoch_start_offset == 7
    assert believed(outcome, 2).log_end_offset == 6
    assert believed(outcome, 2).last_fetch_leader_log_end_offset == 7
    assert LeaderStateReset in [type(event) for event in outcome.events]


def test_from_3_3_on_only_a_new_leader_epoch_does():
    outcome = after_a_change_of_the_isr("3.3")

    assert outcome.replica.leading is not None
    assert outcome.replica.leading.leader_epoch_start_offset == 0
    assert believed(outcome, 2).last_fetch_time_ms == 9
    assert LeaderStateReset not in [type(event) for event in outcome.events]


@pytest.mark.parametrize(("kafka", "fetched_at"), [("0.10.2", 90), ("3.2", 90), ("3.3", 0)])
def test_a_new_election_of_the_leader_counts_as_a_fetch_of_outsiders_up_to_3_2(
    kafka: str, fetched_at: int
):
    """`Replica.resetLastCaughtUpTime` takes the time of the election for every replica; from 3.3,
    `resetReplicaState` only for members of the ISR.
    """
    replica = leader(
        7,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(6), last_fetch_time_ms=TimeMs(9)),
        isr=(1,),
    )
    outcome = become_leader(
        replica,
        registration(isr=(B1,), leader_epoch=LeaderEpoch(1)),
        view(settings(kafka), eligible=(1, 2), now_ms=90),
    )

    assert believed(outcome, 2).last_fetch_time_ms == fetched_at
    assert believed(outcome, 2).last_caught_up_time_ms == 0
    assert believed(outcome, 2).last_fetch_leader_log_end_offset == 7


@pytest.mark.parametrize(("kafka", "caught_up_at"), [("0.9", 9), ("0.10.1", 9), ("0.10.2", 90)])
def test_an_election_makes_a_follower_caught_up_from_0_10_2_on(kafka: str, caught_up_at: int):
    replica = leader(
        7,
        RemoteReplica(broker_id=B2, log_end_offset=Offset(6), last_caught_up_time_ms=TimeMs(9)),
        isr=(1, 2),
    )
    outcome = become_leader(
        replica,
        registration(isr=(B1, B2), leader_epoch=LeaderEpoch(1)),
        view(settings(kafka), eligible=(1, 2), now_ms=90),
    )

    assert believed(outcome, 2).last_caught_up_time_ms == caught_up_at
