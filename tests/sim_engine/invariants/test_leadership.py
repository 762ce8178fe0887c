"""LeaderInIsr, OneLeaderPerEpoch, ReplicationQuorumSuperset: properties of leaders."""

from sim_engine.protocol.replica import LeadingState, PendingIsr
from tests.sim_engine.builders import (
    B1,
    B2,
    B3,
    PARTITION,
    change_registration,
    change_replica,
    cluster,
    crash,
    elect,
    lead,
)
from tests.sim_engine.invariants.runs import NOTHING, evidence_of, status_of


def test_leader_in_isr_holds_from_the_start():
    assert status_of("LeaderInIsr", cluster()) == "holds"


def test_leader_in_isr_holds_without_a_leader():
    start = cluster()

    assert status_of("LeaderInIsr", change_registration(start, leader=-1, isr=())) == "holds"


def test_leader_in_isr_is_violated_by_a_leader_outside():
    start = cluster()

    evidence = evidence_of("LeaderInIsr", start, elect(start, 3, 4, isr=[1, 2]))

    assert evidence == {**NOTHING, "replicas": [3], "leader_epoch": 4, "isr": [1, 2]}


def test_leaders_of_different_epochs_may_overlap():
    start = cluster()

    assert status_of("OneLeaderPerEpoch", start, lead(start, 2, 1, isr=[2])) == "holds"


def test_one_leader_per_epoch_is_violated_by_two_leaders_of_one_epoch():
    start = cluster()

    evidence = evidence_of("OneLeaderPerEpoch", start, lead(start, 2, 0, isr=[2]))

    assert evidence == {**NOTHING, "replicas": [1, 2], "leader_epoch": 0}


QUORUM = "ReplicationQuorumSuperset"


def test_quorum_superset_is_not_exercised_until_the_elected_leader_knows_of_it():
    start = crash(elect(cluster(), 2, 1, isr=[2, 3]), 1)

    assert status_of(QUORUM, start) == "not_exercised"


def test_quorum_superset_holds_where_the_leader_waits_for_more_than_the_controller_asks():
    start = cluster()

    assert status_of(QUORUM, start, change_registration(start, isr=(1, 2))) == "holds"


def test_quorum_superset_counts_whom_the_leader_has_proposed_to_add():
    start = cluster(isr=[1, 2])
    leading = start.replica(B1, PARTITION).leading
    assert leading is not None
    proposed = change_replica(
        start,
        1,
        leading=LeadingState(
            leader_epoch_start_offset=leading.leader_epoch_start_offset,
            isr=(B1, B2),
            pending_isr=PendingIsr(kind="expand", isr=(B1, B2, B3), replicas=(B3,)),
        ),
    )
    confirmed = change_registration(proposed, isr=(1, 2, 3))

    assert status_of(QUORUM, start, proposed, confirmed) == "holds"


def test_quorum_superset_is_violated_by_a_member_that_the_leader_does_not_wait_for():
    start = cluster(isr=[1, 2])

    evidence = evidence_of(QUORUM, start, change_registration(start, isr=(1, 2, 3)))

    assert evidence == {
        **NOTHING,
        "replicas": [3],
        "broker": 1,
        "leader_epoch": 0,
        "isr": [1, 2, 3],
        "maximal_isr": [1, 2],
    }
