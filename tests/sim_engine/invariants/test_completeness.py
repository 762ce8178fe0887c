"""WeakIsr, StrongIsr, and the completeness of leaders and candidates: who has committed records."""

import pytest

from tests.sim_engine.builders import (
    B1,
    B3,
    PARTITION,
    acknowledged,
    change_process,
    change_registered_broker,
    change_registration,
    change_replica,
    cluster,
    crash,
    elect,
    lead,
    log,
)
from tests.sim_engine.invariants.runs import NOTHING, evidence_of, status_of, verdict_of

M2 = {"offset": 1, "epoch": 0, "value": "m2", "id": "m2/0@1"}
WHOLE = {1: "m1/0 m2/0", 2: "m1/0 m2/0", 3: "m1/0 m2/0"}
COVERED = {1: 2, 2: 2, 3: 1}
START = cluster(WHOLE, high_watermarks=COVERED)
WITH_ELR = cluster(WHOLE, kafka="4.1", high_watermarks=COVERED)


@pytest.mark.parametrize(
    "name", ["WeakIsr", "StrongIsr", "LeaderCompleteness", "LeaderCandidateCompleteness"]
)
def test_is_not_exercised_while_nothing_is_committed(name: str):
    assert status_of(name, cluster({1: "m1/0"})) == "not_exercised"


@pytest.mark.parametrize(
    "name", ["WeakIsr", "StrongIsr", "LeaderCompleteness", "LeaderCandidateCompleteness"]
)
def test_holds_where_everybody_has_what_is_committed(name: str):
    assert status_of(name, cluster(WHOLE, high_watermarks=COVERED)) == "holds"


def test_weak_isr_is_violated_by_a_member_that_lacks_what_its_leader_covers():
    acked = acknowledged(START, START.replica(B1, PARTITION), 1, frame=1)
    truncated = change_replica(acked, 3, log="m1/0")

    evidence = evidence_of("WeakIsr", START, acked, truncated)

    assert evidence == {
        **NOTHING,
        "replicas": [3],
        "offsets": [1],
        "records": [M2],
        "acked_frame": 1,
        "broker": 1,
        "leader_epoch": 0,
        "high_watermark": 2,
        "isr": [1, 2, 3],
    }


def test_weak_isr_asks_the_isr_that_the_leader_believes_in():
    start = cluster({1: "m1/0 m2/0", 2: "m1/0 m2/0"}, isr=[1, 2], high_watermarks={1: 2, 2: 2})

    assert status_of("WeakIsr", start, change_registration(start, isr=(1, 2, 3))) == "holds"


def test_weak_isr_is_asked_of_a_leader_that_the_controller_has_replaced():
    replaced = elect(START, 2, 1, isr=[2, 3])
    moved_on = change_replica(replaced, 3, log="m1/0 x/1")

    verdict = verdict_of("WeakIsr", START, replaced, moved_on)

    assert (verdict.evidence["broker"], verdict.evidence["replicas"]) == (1, [3])


def test_weak_isr_is_not_asked_of_a_leader_that_is_down():
    start = crash(cluster({1: "m1/0"}, high_watermarks={1: 1}), 1)

    assert status_of("WeakIsr", start) == "not_exercised"


def test_weak_isr_does_not_miss_what_retention_took():
    start = cluster(dict.fromkeys((1, 2, 3), "m8/0 m9/0"), start=7, high_watermarks={1: 9, 2: 9})
    shorter = change_replica(start, 3, log=log("m9/0", start=8), high_watermark=8)

    assert status_of("WeakIsr", start, shorter) == "holds"


def test_strong_isr_counts_members_that_are_down_by_their_disks():
    lost_power = change_replica(crash(START, 3), 3, log="m1/0")

    evidence = evidence_of("StrongIsr", START, lost_power)

    assert (evidence["replicas"], evidence["records"]) == ([3], [M2])
    assert evidence["acked_frame"] is None


def test_strong_isr_asks_only_the_controller_s_isr():
    start = cluster({1: "m1/0 m2/0", 2: "m1/0 m2/0"}, isr=[1, 2], high_watermarks={1: 2, 2: 2})

    assert status_of("StrongIsr", start) == "holds"
    assert status_of("StrongIsr", start, change_registration(start, isr=(1, 2, 3))) == "violated"


def test_what_a_leader_covered_stays_committed_after_it():
    replaced = elect(crash(START, 1), 3, 1, isr=[3])
    shorter = change_replica(replaced, 3, log="m1/0")

    assert verdict_of("StrongIsr", START, replaced, shorter).evidence["offsets"] == [1]


def test_leader_completeness_is_violated_by_a_leader_without_a_committed_record():
    start = cluster(WHOLE | {3: "m1/0"}, isr=[1, 2], high_watermarks=COVERED)
    crashed = crash(start, 1)
    elected = elect(crashed, 3, 1, isr=[3])
    told = lead(elected, 3, 1, isr=[3])

    evidence = evidence_of("LeaderCompleteness", start, crashed, elected, told)

    assert evidence == {
        **NOTHING,
        "replicas": [3],
        "offsets": [1],
        "records": [M2],
        "leader": 3,
        "leader_epoch": 1,
        "high_watermark": 2,
        "isr": [3],
    }


def test_leader_completeness_does_not_ask_a_leader_of_an_older_epoch():
    replaced = elect(START, 2, 1, isr=[2, 3])
    zombie = change_replica(replaced, 1, log="m1/0")

    assert status_of("LeaderCompleteness", START, replaced, zombie) == "holds"


def test_candidate_completeness_asks_whom_the_controller_may_elect():
    fenced = change_registered_broker(START, 3, fenced=True)
    truncated = change_replica(fenced, 3, log="m1/0")
    unfenced = change_registered_broker(truncated, 3, fenced=False)

    assert status_of("LeaderCandidateCompleteness", START, fenced, truncated) == "holds"
    verdict = verdict_of("LeaderCandidateCompleteness", START, fenced, truncated, unfenced)
    assert (verdict.status, verdict.first_frame) == ("violated", 3)
    assert (verdict.evidence["replicas"], verdict.evidence["records"]) == ([3], [M2])


def test_several_incomplete_members_are_all_named():
    truncated = change_replica(change_replica(START, 3, log="m1/0"), 2, log="")

    verdict = verdict_of("StrongIsr", START, truncated)

    assert (verdict.evidence["replicas"], verdict.evidence["offsets"]) == ([2, 3], [0, 1])


def test_leader_completeness_does_not_ask_followers():
    assert status_of("LeaderCompleteness", START, change_replica(START, 3, log="")) == "holds"


def test_the_first_acknowledgement_of_what_is_lacking_is_named():
    leader = START.replica(B1, PARTITION)
    both = acknowledged(acknowledged(START, leader, 0, frame=1), leader, 1, frame=2)

    verdict = verdict_of("StrongIsr", START, both, both, change_replica(both, 3, log=""))

    assert (verdict.first_frame, verdict.evidence["acked_frame"]) == (3, 1)


def test_candidates_are_those_of_the_elr_where_the_isr_is_empty():
    emptied = change_registration(WITH_ELR, isr=(), elr=(1, 2), leader=-1)
    truncated = change_replica(emptied, 2, log="m1/0")

    verdict = verdict_of("LeaderCandidateCompleteness", WITH_ELR, emptied, truncated)

    assert (verdict.first_frame, verdict.evidence["replicas"]) == (2, [2])


def test_a_member_of_the_elr_must_have_what_is_committed():
    shrunk = change_registration(WITH_ELR, isr=(1,), elr=(2, 3))
    truncated = change_replica(shrunk, 3, log="m1/0")

    verdict = verdict_of("EligibleLeaderCompleteness", WITH_ELR, shrunk, truncated)

    assert status_of("EligibleLeaderCompleteness", WITH_ELR, shrunk) == "holds"
    assert (verdict.status, verdict.first_frame) == ("violated", 2)
    assert verdict.evidence == {
        "partition": "t-0",
        "replicas": [3],
        "offsets": [1],
        "records": [M2],
        "acked_frame": None,
        "leader": 1,
        "leader_epoch": 0,
        "high_watermark": 2,
        "isr": [1],
        "elr": [2, 3],
    }


def test_without_elr_there_is_no_eligible_leader_to_ask():
    start = cluster(WHOLE, kafka="4.0", high_watermarks=COVERED)

    assert status_of("EligibleLeaderCompleteness", start) == "not_exercised"


def test_who_is_struck_off_as_it_registers_is_not_asked():
    lost_power = change_replica(crash(WITH_ELR, 3), 3, log="m1/0")
    epoch = WITH_ELR.controller.broker(B3).broker_epoch
    marked = {"clean_shutdown": True, "clean_shutdown_epoch": epoch}
    claims_to_be_clean = change_process(lost_power, 3, **marked)
    back = change_process(lost_power, 3, process="running", incarnation=1)
    back_and_claims = change_process(back, 3, previous_broker_epoch=epoch)

    def status(state):
        return status_of("EligibleLeaderCompleteness", WITH_ELR, state)

    assert (status(lost_power), status(claims_to_be_clean)) == ("holds", "violated")
    assert (status(back), status(back_and_claims)) == ("holds", "violated")
