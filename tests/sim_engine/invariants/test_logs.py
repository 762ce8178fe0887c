"""LogMatching, HighWatermarkWithinLog, MonotonicLeaderHighWatermark, EpochsIncrease."""

import pytest
from msgspec.structs import replace

from tests.sim_engine.builders import (
    B2,
    PARTITION,
    change_process,
    change_replica,
    cluster,
    crash,
    follow,
    lead,
    log,
)
from tests.sim_engine.invariants.runs import NOTHING, evidence_of, status_of, verdict_of

# --- LogMatching -------------------------------------------------------------------------------


def test_log_matching_is_not_exercised_while_one_replica_covers_nothing():
    start = cluster({1: "m1/0", 2: "x/0"}, high_watermarks={1: 1, 2: 0})

    assert status_of("LogMatching", start) == "not_exercised"


def test_logs_may_differ_above_the_lower_high_watermark():
    start = cluster({1: "m1/0 m2/0", 2: "m1/0 x/1"}, high_watermarks={1: 2, 2: 1})

    assert status_of("LogMatching", start) == "holds"


def test_log_matching_is_violated_below_both_high_watermarks():
    start = cluster({1: "m1/0 m2/0", 2: "m1/0 x/1"}, high_watermarks={1: 2, 2: 1})
    raised = change_replica(start, 2, high_watermark=2)

    evidence = evidence_of("LogMatching", start, raised)

    assert evidence == {
        **NOTHING,
        "replicas": [1, 2],
        "offsets": [1],
        "records": [
            {"offset": 1, "epoch": 0, "value": "m2", "id": "m2/0@1"},
            {"offset": 1, "epoch": 1, "value": "x", "id": "x/1@1"},
        ],
        "high_watermarks": [2, 2],
    }


def test_log_matching_looks_at_a_broker_that_is_paused_and_not_at_one_that_is_down():
    start = cluster({1: "m1/0", 2: "m1/0"}, high_watermarks={1: 1, 2: 1})
    differs = change_replica(start, 2, log="x/1")

    assert status_of("LogMatching", change_process(differs, 2, process="paused")) == "violated"
    assert status_of("LogMatching", crash(differs, 2)) == "not_exercised"


def test_log_matching_compares_only_what_both_logs_still_hold():
    start = cluster({1: "m8/0 m9/0", 2: "m8/0 m9/0"}, start=7, high_watermarks={1: 9, 2: 9})
    shorter = change_replica(start, 2, log=log("m9/0", start=8))

    assert status_of("LogMatching", start, shorter) == "holds"


def test_a_follower_that_has_not_compared_its_log_yet_does_not_count():
    differing = cluster({1: "m1/0 m3/0", 2: "m1/0 m2/0"}, high_watermarks={1: 2, 2: 2})
    follower = differing.replica(B2, PARTITION)
    assert follower.fetcher is not None
    returned = change_replica(differing, 2, fetcher=replace(follower.fetcher, has_fetched=False))

    assert status_of("LogMatching", returned) == "not_exercised"
    assert status_of("LogMatching", returned, differing) == "violated"


# --- HighWatermarkWithinLog --------------------------------------------------------------------


def test_high_watermark_within_log_holds_from_the_start():
    assert status_of("HighWatermarkWithinLog", cluster()) == "holds"


def test_high_watermark_within_log_is_not_exercised_without_a_live_replica():
    down = cluster()
    for broker in (1, 2, 3):
        down = crash(down, broker)

    assert status_of("HighWatermarkWithinLog", down) == "not_exercised"


@pytest.mark.parametrize(
    "changes",
    [{"high_watermark": 3}, {"high_watermark": -1}, {"flushed": 3}],
    ids=["beyond the end", "before the start", "flushed beyond the end"],
)
def test_high_watermark_within_log_is_violated_by_bounds_that_cross(changes: dict[str, int]):
    start = cluster({1: "m1/0 m2/0"}, high_watermarks={1: 1})

    evidence = evidence_of("HighWatermarkWithinLog", start, change_replica(start, 1, **changes))

    assert evidence == {
        **NOTHING,
        "replicas": [1],
        "offsets": [changes.get("high_watermark", 1)],
        "log_start_offset": 0,
        "high_watermark": changes.get("high_watermark", 1),
        "log_end_offset": 2,
        "flushed": changes.get("flushed", 0),
    }


# --- MonotonicLeaderHighWatermark --------------------------------------------------------------

MONOTONIC = "MonotonicLeaderHighWatermark"


def test_monotonic_high_watermark_is_not_exercised_by_a_leader_that_covers_nothing():
    start = cluster({1: "m1/0"})

    assert status_of(MONOTONIC, start, change_replica(start, 1, flushed=1)) == "not_exercised"


def test_monotonic_high_watermark_holds_while_the_leader_s_rises():
    start = cluster({1: "m1/0 m2/0"}, high_watermarks={1: 1})

    assert status_of(MONOTONIC, start, change_replica(start, 1, high_watermark=2)) == "holds"


def test_monotonic_high_watermark_holds_while_the_leader_s_stands():
    start = cluster({1: "m1/0 m2/0"}, high_watermarks={1: 1})

    assert status_of(MONOTONIC, start, change_replica(start, 1, flushed=1)) == "holds"


def test_a_broker_that_begins_or_ends_to_lead_may_cover_less():
    start = cluster({1: "m1/0", 2: "m1/0"}, high_watermarks={1: 1, 2: 1})
    begins = change_replica(lead(start, 2, 0, isr=[2]), 2, high_watermark=0)
    ends = change_replica(follow(start, 1, leader=2, leader_epoch=0), 1, high_watermark=0)

    assert status_of(MONOTONIC, start, begins) == "holds"
    assert status_of(MONOTONIC, start, ends) == "not_exercised"


def test_monotonic_high_watermark_is_violated_when_the_leader_s_falls():
    start = cluster({1: "m1/0 m2/0"}, high_watermarks={1: 2})

    evidence = evidence_of(MONOTONIC, start, change_replica(start, 1, high_watermark=1))

    assert evidence == {
        **NOTHING,
        "replicas": [1],
        "offsets": [2, 1],
        "records": [{"offset": 1, "epoch": 0, "value": "m2", "id": "m2/0@1"}],
        "leader_epoch": 0,
    }


def test_a_follower_s_high_watermark_may_go_back():
    start = cluster({2: "m1/0 m2/0"}, high_watermarks={2: 2})

    assert (
        status_of(MONOTONIC, start, change_replica(start, 2, high_watermark=0)) == "not_exercised"
    )


def test_a_new_leader_s_high_watermark_may_lie_below_the_old_one_s():
    start = cluster({1: "m1/0", 2: "m1/0"}, high_watermarks={1: 1})
    moved = lead(follow(start, 1, leader=2, leader_epoch=1), 2, 1, isr=[1, 2])

    assert status_of(MONOTONIC, start, moved) == "not_exercised"


@pytest.mark.parametrize("change", ["epoch", "incarnation"])
def test_another_leadership_of_the_same_broker_may_begin_lower(change: str):
    start = cluster({1: "m1/0"}, high_watermarks={1: 1})
    lower = change_replica(start, 1, high_watermark=0)
    if change == "epoch":
        lower = change_replica(lower, 1, leader_epoch=1)
    else:
        lower = change_process(lower, 1, incarnation=1)

    assert status_of(MONOTONIC, start, lower) == "not_exercised"


# --- EpochsIncrease ----------------------------------------------------------------------------


def test_epochs_increase_is_not_exercised_before_records_carry_epochs():
    start = cluster({1: "m1 m2"}, kafka="0.10.2")

    assert status_of("EpochsIncrease", start) == "not_exercised"


def test_epochs_increase_is_not_exercised_by_empty_logs():
    start = cluster(kafka="2.0.0")

    assert status_of("EpochsIncrease", start) == "not_exercised"


def test_epochs_increase_holds_where_epochs_repeat_or_grow():
    assert status_of("EpochsIncrease", cluster({1: "m1/0 m2/0 m3/2"}, leader_epoch=2)) == "holds"


def test_epochs_increase_is_violated_by_an_older_epoch_behind_a_newer_one():
    start = cluster({1: "m1/1"}, leader_epoch=1)
    mixed = change_replica(start, 1, log="m1/1 m2/0")

    evidence = evidence_of("EpochsIncrease", start, mixed)

    assert evidence == {
        **NOTHING,
        "replicas": [1],
        "offsets": [1],
        "records": [{"offset": 1, "epoch": 0, "value": "m2", "id": "m2/0@1"}],
        "epochs": [1, 0],
    }


@pytest.mark.parametrize(
    ("kafka", "cache", "status"),
    [
        ("2.0.0", ((0, 0), (1, 1)), "holds"),
        ("2.0.0", ((0, 0), (1, 0)), "holds"),
        ("2.0.0", ((0, 1), (1, 0)), "violated"),
        ("2.0.1", ((0, 0), (1, 0)), "violated"),
        ("2.0.1", ((1, 0), (1, 2)), "violated"),
        ("3.9", ((1, 0), (0, 2)), "violated"),
    ],
)
def test_epoch_caches_increase_in_both_columns(
    kafka: str, cache: tuple[tuple[int, int], ...], status: str
):
    start = cluster(kafka=kafka)

    verdict = verdict_of("EpochsIncrease", start, change_replica(start, 2, epoch_cache=cache))

    assert verdict.status == status
    if status == "violated":
        assert verdict.evidence["epoch_cache"] == [list(entry) for entry in cache]
        assert verdict.evidence["replicas"] == [2]


def test_epochs_of_a_disk_count_while_its_broker_is_down():
    start = cluster()
    down = crash(start, 2)
    mixed = change_replica(down, 2, log="m1/1 m2/0")

    assert status_of("EpochsIncrease", start, down, mixed) == "violated"
