"""NoAckedRecordLost: whoever is elected holds what was acknowledged with acks=all."""

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.protocol.log.replica_log import ReplicaLog
from tests.sim_engine.builders import (
    PARTITION,
    acknowledged,
    change_registration,
    change_replica,
    cluster,
    crash,
    elect,
    follow,
    lead,
    with_second_partition,
)
from tests.sim_engine.invariants.runs import status_of, verdict_of

NAME = "NoAckedRecordLost"


def two_records(follower: str = "m1/0") -> ClusterState:
    """Broker 1 leads m1 and m2; broker 2 holds what is given."""
    return cluster({1: "m1/0 m2/0", 2: follower}, brokers=(1, 2), high_watermarks={1: 2, 2: 1})


def test_is_not_exercised_while_nothing_was_acknowledged():
    start = two_records()

    assert status_of(NAME, start, elect(start, 2, 1, isr=[2])) == "not_exercised"


def test_holds_while_the_acknowledged_record_is_missing_only_on_a_follower():
    start = two_records()
    acked = acknowledged(start, start.replica(1, PARTITION), 1, frame=1)

    assert status_of(NAME, start, acked) == "holds"


def test_is_violated_by_the_election_of_a_broker_that_lacks_the_record():
    start = two_records()
    acked = acknowledged(start, start.replica(1, PARTITION), 1, frame=1)
    crashed = crash(acked, 1)
    elected = elect(crashed, 2, 1, isr=[2])

    verdict = verdict_of(NAME, start, acked, crashed, elected)

    assert (verdict.status, verdict.first_frame) == ("violated", 3)
    assert verdict.evidence == {
        "partition": "t-0",
        "replicas": [2],
        "offsets": [1],
        "records": [{"offset": 1, "epoch": 0, "value": "m2", "id": "m2/0@1"}],
        "acked_frame": 1,
        "broker": 1,
        "leader_epoch": 1,
        "log_end_offset": 1,
        "found": [],
    }


def test_compares_records_not_offsets():
    start = two_records(follower="m1/0 x/1")
    acked = acknowledged(start, start.replica(1, PARTITION), 1, frame=1)

    verdict = verdict_of(NAME, start, acked, elect(acked, 2, 1, isr=[2]))

    assert verdict.status == "violated"
    assert verdict.evidence["found"] == [{"offset": 1, "epoch": 1, "value": "x", "id": "x/1@1"}]


def test_names_every_record_that_the_elected_broker_lacks_and_the_first_acknowledgement():
    start = two_records(follower="")
    leader = start.replica(1, PARTITION)
    later = acknowledged(start, leader, 1, frame=1)
    both = acknowledged(later, leader, 0, frame=2)

    verdict = verdict_of(NAME, start, later, both, elect(both, 2, 1, isr=[2]))

    assert verdict.evidence["offsets"] == [0, 1]
    assert verdict.evidence["acked_frame"] == 1


def test_shows_a_record_that_no_log_holds_any_more_without_its_epoch():
    start = two_records()
    acked = acknowledged(start, start.replica(1, PARTITION), 1, frame=1)
    gone = change_replica(crash(acked, 1), 1, log=ReplicaLog())

    verdict = verdict_of(NAME, start, acked, gone, elect(gone, 2, 1, isr=[2]))

    assert verdict.evidence["records"] == [
        {"offset": 1, "epoch": None, "value": "m2", "id": "m2/0@1"}
    ]


def test_losing_what_was_acknowledged_with_acks_1_is_legal():
    start = two_records()
    acked = acknowledged(start, start.replica(1, PARTITION), 1, frame=1, acks=1)

    assert status_of(NAME, start, acked, elect(acked, 2, 1, isr=[2])) == "not_exercised"


def test_a_leader_that_keeps_its_place_under_a_new_epoch_is_not_newly_elected():
    start = two_records()
    acked = acknowledged(start, start.replica(1, PARTITION), 1, frame=1)
    cut = change_replica(acked, 1, log="m1/0")

    assert status_of(NAME, start, acked, cut, elect(cut, 1, 1, isr=[1])) == "holds"


def test_the_last_member_that_comes_back_without_the_record_is_newly_elected():
    start = two_records()
    acked = acknowledged(start, start.replica(1, PARTITION), 1, frame=1)
    leaderless = change_registration(
        change_replica(crash(acked, 1), 1, log="m1/0"), leader=-1, leader_epoch=1, isr=(1,)
    )

    verdict = verdict_of(NAME, start, acked, leaderless, elect(leaderless, 1, 2, isr=[1]))

    assert (verdict.status, verdict.first_frame, verdict.evidence["replicas"]) == (
        "violated",
        3,
        [1],
    )


def test_a_broker_that_truncated_between_its_election_and_its_taking_over_is_seen():
    start = two_records(follower="m1/0 m2/0")
    acked = acknowledged(start, start.replica(1, PARTITION), 1, frame=1)
    elected = elect(acked, 2, 1, isr=[2])
    truncated = change_replica(elected, 2, log="m1/0")
    told = lead(truncated, 2, 1, isr=[2])

    assert status_of(NAME, start, acked, elected, truncated) == "holds"
    assert verdict_of(NAME, start, acked, elected, truncated, told).first_frame == 4


def test_a_broker_that_leads_in_an_older_epoch_than_the_controller_s_is_not_newly_elected():
    start = follow(two_records(), 2, leader=1, leader_epoch=0)
    acked = acknowledged(start, start.replica(1, PARTITION), 1, frame=1)
    late = lead(change_registration(acked, leader_epoch=3), 2, 1, isr=[2])

    assert status_of(NAME, start, acked, late) == "holds"


def test_a_record_that_was_never_acknowledged_may_go():
    start = two_records()
    acked = acknowledged(start, start.replica(1, PARTITION), 1, frame=1)
    waiting = replace(
        acked,
        clients=replace(
            acked.clients, produced=(replace(acked.clients.produced[0], outcome="pending"),)
        ),
    )

    assert status_of(NAME, start, waiting, elect(waiting, 2, 1, isr=[2])) == "not_exercised"


def test_a_leader_is_asked_only_for_the_records_of_its_partition():
    start = with_second_partition(two_records())
    of_the_other = start.broker(1).replicas[1]
    acked = acknowledged(start, of_the_other, 1, frame=1)

    assert status_of(NAME, start, acked, elect(acked, 2, 1, isr=[2])) == "holds"
