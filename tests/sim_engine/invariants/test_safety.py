"""Verdicts over a run: the list of properties, permanent violations, and no repeated work."""

import json

import pytest
from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState, with_broker
from sim_engine.identifiers import CLOCK_START_MS, FIRST_FRAME, FIRST_OFFSET, BrokerId, FrameNumber
from sim_engine.invariants.observation import observe, start_history
from sim_engine.invariants.safety import PROPERTY_NAMES, evaluate
from sim_engine.protocol.replica import LeadingState, PendingIsr
from tests.sim_engine.builders import (
    B1,
    B2,
    B3,
    PARTITION,
    acknowledged,
    change_process,
    change_replica,
    cluster,
    crash,
    elect,
    lead,
    log,
    read_by,
    with_second_partition,
)
from tests.sim_engine.invariants.runs import status_of, verdict_of, verdicts_of


def test_there_are_fifteen_properties_and_the_three_that_users_care_about_come_first():
    assert PROPERTY_NAMES == (
        "NoAckedRecordLost",
        "LogMatching",
        "ConsistentRead",
        "AckedRecordAtRisk",
        "WeakIsr",
        "StrongIsr",
        "LeaderInIsr",
        "OneLeaderPerEpoch",
        "HighWatermarkWithinLog",
        "MonotonicLeaderHighWatermark",
        "EpochsIncrease",
        "LeaderCompleteness",
        "LeaderCandidateCompleteness",
        "EligibleLeaderCompleteness",
        "ReplicationQuorumSuperset",
    )


def test_every_property_has_a_verdict_in_frame_0():
    verdicts = verdicts_of(cluster(kafka="0.10.2"))

    assert tuple(verdicts) == PROPERTY_NAMES
    assert {name for name, verdict in verdicts.items() if verdict.status == "holds"} == {
        "LeaderInIsr",
        "OneLeaderPerEpoch",
        "HighWatermarkWithinLog",
        "ReplicationQuorumSuperset",
    }
    assert {verdict.first_frame for verdict in verdicts.values()} == {None}
    assert not any(verdict.evidence for verdict in verdicts.values())


def unclean_election() -> list[ClusterState]:
    """A run that loses m2, for which x is committed, and then elects uncleanly once more."""
    start = cluster({1: "m1/0 m2/0", 2: "m1/0"}, kafka="2.8", isr=[1], high_watermarks={1: 2, 2: 1})
    acked = read_by(
        acknowledged(start, start.replica(B1, PARTITION), 1, frame=1),
        "c1",
        start.replica(B1, PARTITION),
        0,
        1,
        frame=1,
    )
    elected = lead(elect(crash(acked, 1), 2, 1, isr=[2]), 2, 1, isr=[2])
    other = change_replica(elected, 2, log="m1/0 x/1", high_watermark=2)
    worse = lead(elect(crash(other, 2), 3, 2, isr=[3]), 3, 2, isr=[3])
    return [start, acked, elected, other, worse]


def test_a_violated_property_keeps_its_first_frame_and_evidence():
    run = unclean_election()

    first = verdict_of("NoAckedRecordLost", *run[:4])
    last = verdict_of("NoAckedRecordLost", *run)

    assert (first.status, first.first_frame) == ("violated", 3)
    assert last == first


def test_a_violated_property_stays_violated_and_tells_when_the_state_is_whole_again():
    start = cluster({1: "m1/0", 2: "m1/0", 3: "m1/0"}, high_watermarks={1: 1})
    cut = change_replica(start, 3, log="")
    whole = change_replica(cut, 3, log="m1/0")

    now = verdict_of("StrongIsr", start, cut)
    later = verdict_of("StrongIsr", start, cut, whole)
    again = verdict_of("StrongIsr", start, cut, whole, change_replica(whole, 2, log=""))

    assert (now.status, now.first_frame, now.until_frame) == ("violated", 1, None)
    assert (later.status, later.first_frame, later.until_frame) == ("violated", 1, 2)
    assert (again.status, again.first_frame, again.until_frame) == ("violated", 1, None)


def test_a_property_of_one_partition_is_not_mended_by_a_change_of_another():
    start = with_second_partition(cluster({1: "m1/0", 2: "m1/0"}, high_watermarks={1: 1}))
    cut = change_replica(start, 2, log="")
    broker = cut.broker(B3)
    first, second = broker.replicas
    grown = replace(second, log=log("x/0"))
    elsewhere = with_broker(cut, replace(broker, replicas=(first, grown)))

    assert verdict_of("StrongIsr", start, cut, elsewhere).until_frame is None


def test_a_property_of_one_step_is_violated_in_that_step_only():
    start = cluster({1: "m1/0 m2/0"}, high_watermarks={1: 2})
    back = change_replica(start, 1, high_watermark=1)
    later = replace(back, now_ms=CLOCK_START_MS + 500)

    now = verdict_of("MonotonicLeaderHighWatermark", start, back)
    then = verdict_of("MonotonicLeaderHighWatermark", start, back, later)

    assert (now.first_frame, now.until_frame) == (1, None)
    assert (then.first_frame, then.until_frame) == (1, 2)


def test_a_property_that_was_exercised_once_stays_so():
    start = cluster({1: "m1/0", 2: "m1/0"}, high_watermarks={1: 1, 2: 1})

    assert status_of("LogMatching", start, crash(start, 2)) == "holds"


def test_evidence_is_plain_data():
    violated = [
        verdict
        for verdict in verdicts_of(*unclean_election()).values()
        if verdict.status == "violated"
    ]

    assert len(violated) > 2
    for verdict in violated:
        assert json.loads(json.dumps(verdict.evidence)) == verdict.evidence
        assert {"partition", "replicas", "offsets", "records", "acked_frame"} <= set(
            verdict.evidence
        )


def test_the_verdicts_are_the_same_objects_where_an_action_changed_nothing_that_matters():
    start = cluster({1: "m1/0"})
    history = start_history(start)
    verdicts = evaluate(history, start, FIRST_FRAME, {})
    later = replace(start, now_ms=CLOCK_START_MS + 500)

    after = evaluate(
        observe(history, start, later, FrameNumber(1)), later, FrameNumber(1), verdicts
    )

    assert after is verdicts


def test_beliefs_and_fetchers_change_no_verdict():
    start = cluster({1: "m1/0"}, high_watermarks={1: 1})
    leading = start.replica(B1, PARTITION).leading
    assert leading is not None
    heard = change_replica(start, 1, leading=replace(leading, remotes=()))
    fetcher = heard.replica(B2, PARTITION).fetcher
    assert fetcher is not None
    fetched = change_replica(heard, 2, fetcher=replace(fetcher, awaiting=7))
    history = start_history(start)
    verdicts = evaluate(history, start, FIRST_FRAME, {})

    after_hearing = evaluate(
        observe(history, start, heard, FrameNumber(1)), heard, FrameNumber(1), verdicts
    )
    after_fetching = evaluate(
        observe(history, heard, fetched, FrameNumber(2)), fetched, FrameNumber(2), verdicts
    )

    assert after_hearing is verdicts
    assert after_fetching is verdicts


def test_the_verdicts_are_the_same_objects_where_an_action_settled_nothing_anew():
    start = cluster({1: "m1/0"})
    appended = change_replica(start, 1, log="m1/0 m2/0")
    history = start_history(start)
    verdicts = evaluate(history, start, FIRST_FRAME, {})

    after = evaluate(
        observe(history, start, appended, FrameNumber(1)), appended, FrameNumber(1), verdicts
    )

    assert after is verdicts


def leading_with(
    state: ClusterState, isr: tuple[int, ...], *, proposed: tuple[int, ...] | None = None
) -> ClusterState:
    """Broker 1 is the leader with this ISR and, optionally, a proposed one."""
    pending = (
        None
        if proposed is None
        else PendingIsr(
            kind="expand", isr=tuple(map(BrokerId, proposed)), replicas=(BrokerId(proposed[-1]),)
        )
    )
    return change_replica(
        state,
        1,
        leading=LeadingState(
            leader_epoch_start_offset=FIRST_OFFSET,
            isr=tuple(map(BrokerId, isr)),
            pending_isr=pending,
        ),
    )


def test_a_process_that_begins_is_looked_at_though_its_replica_is_the_same():
    down = change_process(lead(cluster(), 2, 0, isr=[2]), 2, process="crashed")
    up = change_process(down, 2, process="running")

    assert verdict_of("OneLeaderPerEpoch", down, up).first_frame == 1


def test_a_leader_epoch_that_changes_alone_is_looked_at():
    start = lead(cluster(), 2, 1, isr=[2])

    verdict = verdict_of("OneLeaderPerEpoch", start, change_replica(start, 2, leader_epoch=0))

    assert verdict.first_frame == 1


def test_a_leadership_that_begins_alone_is_looked_at():
    start = cluster()
    leading = LeadingState(leader_epoch_start_offset=FIRST_OFFSET, isr=(B2,))

    verdict = verdict_of("OneLeaderPerEpoch", start, change_replica(start, 2, leading=leading))

    assert verdict.first_frame == 1


def test_a_leader_s_isr_that_changes_alone_is_looked_at():
    start = cluster()

    verdict = verdict_of("ReplicationQuorumSuperset", start, leading_with(start, (1, 2)))

    assert verdict.first_frame == 1


def test_a_proposal_that_goes_alone_is_looked_at():
    isr = (1, 2)
    start = leading_with(cluster(), isr, proposed=(1, 2, 3))

    verdict = verdict_of("ReplicationQuorumSuperset", start, leading_with(start, isr))

    assert verdict.first_frame == 1


def test_the_partition_that_a_violation_is_about_is_named():
    start = with_second_partition(cluster())
    broker = start.broker(B2)
    first, second = broker.replicas
    changed = with_broker(
        start, replace(broker, replicas=(first, replace(second, high_watermark=9)))
    )

    verdict = verdict_of("HighWatermarkWithinLog", start, changed)

    assert (verdict.evidence["partition"], verdict.evidence["replicas"]) == ("t-1", [2])


@pytest.mark.parametrize("kafka", ["0.10.2", "2.0.1", "3.9"])
def test_a_cluster_that_just_started_violates_nothing(kafka: str):
    verdicts = verdicts_of(cluster(kafka=kafka))

    assert "violated" not in {verdict.status for verdict in verdicts.values()}
