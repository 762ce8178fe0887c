"""The fates of acknowledged records (safe, at risk, lost), and the two properties about them."""

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.events.log import RecordLost, RecordsAtRisk, RecordsSafeAgain
from sim_engine.protocol.log import ReplicaLog
from tests.sim_engine.builders import (
    B1,
    PARTITION,
    acknowledged,
    change_registration,
    change_replica,
    cluster,
    crash,
    elect,
    lead,
    with_second_partition,
)
from tests.sim_engine.invariants.runs import fates_of, judged, status_of, verdict_of
from tests.sim_engine.runs import SETTLE, run

LOST = "NoAckedRecordLost"
AT_RISK = "AckedRecordAtRisk"


def two_records(follower: str = "m1/0") -> ClusterState:
    """Broker 1 is the leader with m1 and m2; broker 2 has the given log."""
    return cluster({1: "m1/0 m2/0", 2: follower}, brokers=(1, 2), high_watermarks={1: 2, 2: 1})


def m2_acknowledged(state: ClusterState, **about: object) -> ClusterState:
    return acknowledged(
        state, state.replica(B1, PARTITION), 1, frame=1, acks=about.get("acks", "all")
    )


START = two_records()
ACKED = m2_acknowledged(START)
CRASHED = crash(ACKED, 1)
ELECTED = elect(ACKED, 2, 1, isr=[2])
GONE = change_replica(CRASHED, 1, log=ReplicaLog())

# --- fates -----------------------------------------------------------------------------------


def test_a_record_has_no_fate_before_it_is_acknowledged():
    (record,) = ACKED.clients.produced
    pending = replace(ACKED.clients, produced=(replace(record, outcome="pending"),))

    assert fates_of(START, replace(ACKED, clients=pending)) == [[], [None]]


def test_a_record_that_only_a_follower_lacks_is_safe():
    assert fates_of(START, ACKED)[-1] == ["safe"]


def test_a_record_on_the_disk_of_a_leader_that_is_down_is_safe():
    assert fates_of(START, ACKED, CRASHED)[-1] == ["safe"]


def test_a_record_is_at_risk_when_the_controller_names_a_leader_that_lacks_it():
    run, told = judged(START, ACKED, ELECTED)

    (record,) = run[-1].clients.produced
    assert (record.fate, record.fate_frame, record.lost_frame) == ("at_risk", 2, None)
    (event,) = told[-1]
    assert isinstance(event, RecordsAtRisk)
    assert (event.values, event.offsets, event.leader, event.holders) == (("m2",), (1,), 2, (1,))


def test_a_record_at_risk_is_safe_again_when_a_replica_that_has_it_leads():
    back = elect(ELECTED, 1, 2, isr=[1])

    _, told = judged(START, ACKED, ELECTED, back)

    assert fates_of(START, ACKED, ELECTED, back)[-1] == ["safe"]
    (event,) = told[-1]
    assert isinstance(event, RecordsSafeAgain)
    assert (event.variant, event.leader) == (None, 1)


def test_a_record_is_at_risk_when_its_leader_loses_it_and_another_replica_keeps_it():
    start = two_records(follower="m1/0 m2/0")
    acked = m2_acknowledged(start)
    cut = change_replica(acked, 1, log="m1/0")

    assert fates_of(start, acked, cut)[-1] == ["at_risk"]


def test_records_are_distinguished_by_identity_not_by_offset():
    start = two_records(follower="m1/0 x/1")
    acked = m2_acknowledged(start)

    assert fates_of(start, acked, elect(acked, 2, 1, isr=[2]))[-1] == ["at_risk"]


def test_a_leader_that_has_not_taken_over_yet_is_asked_for_its_log_all_the_same():
    start = two_records(follower="m1/0 m2/0")
    acked = m2_acknowledged(start)
    elected = elect(acked, 2, 1, isr=[2])
    truncated = change_replica(elected, 2, log="m1/0")
    told = lead(truncated, 2, 1, isr=[2])

    assert fates_of(start, acked, elected, truncated, told)[2:] == [
        ["safe"],
        ["at_risk"],
        ["at_risk"],
    ]


def test_a_deposed_leader_decides_nothing():
    late = lead(change_registration(ACKED, leader_epoch=3), 2, 1, isr=[2])

    assert fates_of(START, ACKED, late)[-1] == ["safe"]


def test_without_a_leader_an_isr_member_that_is_down_keeps_its_records_safe():
    leaderless = change_registration(CRASHED, leader=-1, leader_epoch=1, isr=(1,))

    assert fates_of(START, CRASHED, leaderless)[-1] == ["safe"]


def test_without_a_leader_a_replica_outside_the_isr_protects_no_record():
    start = two_records(follower="m1/0 m2/0")
    crashed = change_replica(crash(m2_acknowledged(start), 1), 1, log="m1/0")
    leaderless = change_registration(crashed, leader=-1, leader_epoch=1, isr=(1,))

    _, told = judged(start, leaderless)

    assert fates_of(start, leaderless)[-1] == ["at_risk"]
    (event,) = told[-1]
    assert isinstance(event, RecordsAtRisk)
    assert (event.variant, event.candidates, event.holders) == ("leaderless", (1,), (2,))


def test_without_a_leader_an_elr_member_keeps_its_records_safe():
    start = two_records(follower="m1/0 m2/0")
    crashed = change_replica(crash(m2_acknowledged(start), 1), 1, log="m1/0")
    leaderless = change_registration(crashed, leader=-1, leader_epoch=1, isr=(), elr=(1, 2))

    assert fates_of(start, leaderless)[-1] == ["safe"]


def test_without_a_replica_to_elect_cleanly_every_record_is_at_risk():
    leaderless = change_registration(CRASHED, leader=-1, leader_epoch=1, isr=())

    _, told = judged(START, leaderless)

    (event,) = told[-1]
    assert isinstance(event, RecordsAtRisk)
    assert (event.variant, event.candidates) == ("no_candidate", ())


def test_a_record_without_a_copy_is_lost_for_ever():
    as_if_back = change_replica(GONE, 1, log="m1/0 m2/0")

    run, told = judged(START, ACKED, GONE, as_if_back)

    (record,) = run[-1].clients.produced
    assert (record.fate, record.fate_frame, record.lost_frame) == ("lost", 2, 2)
    assert [(type(event), event.variant) for event in told[2]] == [(RecordLost, "acked")]


def test_a_record_is_lost_once_another_is_committed_at_its_offset():
    elected = lead(elect(ACKED, 2, 1, isr=[2]), 2, 1, isr=[2])
    written = change_replica(elected, 2, log="m1/0 x/1")
    committed = change_replica(written, 2, high_watermark=2)
    back = elect(committed, 1, 2, isr=[1])

    run, told = judged(START, ACKED, elected, written, committed, back)

    assert [state.clients.produced[0].fate for state in run[1:]] == [
        "safe",
        "at_risk",
        "at_risk",
        "lost",
        "lost",
    ]
    assert run[-1].clients.produced[0].lost_frame is None
    (event,) = told[4]
    assert isinstance(event, RecordLost)
    assert (event.variant, event.instead) == ("replaced", "x")


def test_the_last_copy_of_an_already_lost_record_is_reported():
    replaced = change_replica(
        lead(elect(ACKED, 2, 1, isr=[2]), 2, 1, isr=[2]), 2, log="m1/0 x/1", high_watermark=2
    )
    cut = change_replica(replaced, 1, log="m1/0")

    run, told = judged(START, ACKED, replaced, cut)

    (record,) = run[-1].clients.produced
    assert (record.fate, record.fate_frame, record.lost_frame) == ("lost", 2, 3)
    assert [event.variant for event in told[3]] == ["last_copy"]


def test_a_commit_by_a_deposed_leader_loses_no_record():
    start = two_records(follower="m1/0 x/1")
    acked = m2_acknowledged(start)
    late = lead(change_registration(acked, leader_epoch=3), 2, 1, isr=[2])
    high = change_replica(late, 2, high_watermark=2)

    assert fates_of(start, acked, high)[-1] == ["safe"]


def test_a_leader_is_asked_only_for_the_records_of_its_partition():
    start = with_second_partition(two_records())
    of_the_other = start.broker(B1).replicas[1]
    acked = acknowledged(start, of_the_other, 1, frame=1)

    assert fates_of(start, acked, elect(acked, 2, 1, isr=[2]))[-1] == ["safe"]


# --- properties ------------------------------------------------------------------------------


def test_neither_property_is_exercised_while_nothing_was_acknowledged_by_all():
    acked = m2_acknowledged(START, acks=1)
    run = (START, acked, elect(acked, 2, 1, isr=[2]))

    assert (status_of(LOST, *run), status_of(AT_RISK, *run)) == ("not_exercised", "not_exercised")
    assert fates_of(*run)[-1] == ["at_risk"]


def test_a_record_at_risk_violates_its_own_property_and_loses_nothing():
    elected = elect(CRASHED, 2, 1, isr=[2])

    assert status_of(LOST, START, ACKED, elected) == "holds"
    verdict = verdict_of(AT_RISK, START, ACKED, elected)
    assert (verdict.status, verdict.first_frame, verdict.until_frame) == ("violated", 2, None)
    assert verdict.evidence == {
        "partition": "t-0",
        "replicas": [2],
        "offsets": [1],
        "records": [{"offset": 1, "epoch": 0, "value": "m2", "id": "m2/0@1"}],
        "acked_frame": 1,
        "broker": 1,
        "leader": 2,
        "leader_epoch": 1,
        "log_end_offset": 1,
        "found": [],
        "holders": [1],
    }


def test_a_risk_that_ends_returns_to_holds_and_keeps_its_first_frame():
    back = elect(ELECTED, 1, 2, isr=[1])
    again = elect(back, 2, 3, isr=[2])

    once = verdict_of(AT_RISK, START, ACKED, ELECTED, back)
    twice = verdict_of(AT_RISK, START, ACKED, ELECTED, back, again)

    assert (once.status, once.first_frame, once.until_frame) == ("holds", 2, 3)
    assert (twice.status, twice.first_frame, twice.until_frame) == ("violated", 2, None)


def test_a_lost_record_violates_for_ever_and_is_not_at_risk():
    elected = elect(GONE, 2, 1, isr=[2])

    verdict = verdict_of(LOST, START, ACKED, GONE, elected)

    assert (verdict.status, verdict.first_frame, verdict.until_frame) == ("violated", 2, None)
    assert verdict.evidence["records"][0]["value"] == "m2"
    assert status_of(AT_RISK, START, ACKED, GONE, elected) == "holds"


def test_a_record_that_no_log_has_any_more_is_shown_as_it_was():
    assert verdict_of(LOST, START, ACKED, GONE).evidence["records"] == [
        {"offset": 1, "epoch": 0, "value": "m2", "id": "m2/0@1"}
    ]


def test_every_record_that_is_at_risk_is_named_with_the_first_acknowledgement():
    start = two_records(follower="")
    leader = start.replica(B1, PARTITION)
    later = acknowledged(start, leader, 1, frame=1)
    both = acknowledged(later, leader, 0, frame=2)

    verdict = verdict_of(AT_RISK, start, later, both, elect(both, 2, 1, isr=[2]))

    assert verdict.evidence["offsets"] == [0, 1]
    assert verdict.evidence["acked_frame"] == 1


# --- a whole run -----------------------------------------------------------------------------


def test_electing_a_broker_that_is_down_without_being_noticed_loses_nothing():
    """The controller of 2.1 elects a member of the ISR that has just lost power with its records,
    because nobody has told it. The third replica has them all, and leads once it is noticed."""
    timeline = run(
        {"produce": {"to": "t-0", "values": ["m1", "m2", "m3"], "as": "p1"}},
        SETTLE,
        {"crash": {"broker": 1}},
        {"power_loss": {"broker": 2}},
        {"detect": {"broker": 1}},
        {"detect": {"broker": 2}},
        SETTLE,
        {"consume": {"partition": "t-0", "as": "c1"}},
        kafka="2.1",
    )

    ends = [max(done.frames, default=done.after) for done in timeline.played_steps]
    fates = [
        {record.fate for record in timeline.frames[end].cluster.clients.produced} for end in ends
    ]
    assert fates[1:] == [{"safe"}, {"safe"}, {"safe"}, {"at_risk"}, {"safe"}, {"safe"}, {"safe"}]
    statuses = {frame.verdicts[LOST].status for frame in timeline.frames}
    assert statuses == {"not_exercised", "holds"}
    last = timeline.frames[timeline.head]
    assert last.cluster.controller.partition(PARTITION).leader == 3
    assert [record.value for record in last.cluster.clients.consumed] == ["m1", "m2", "m3"]
    at_risk = last.verdicts[AT_RISK]
    assert at_risk.status == "holds"
    assert at_risk.first_frame is not None
    assert at_risk.until_frame is not None
