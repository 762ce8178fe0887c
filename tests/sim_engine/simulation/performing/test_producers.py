"""Producers: retries, idempotence and timeouts."""

from typing import Any

import pytest

from sim_engine import Timeline
from sim_engine.events.log import RecordLost
from sim_engine.events.producer import DuplicateRecognised
from tests.sim_engine.builders import B1, PARTITION
from tests.sim_engine.simulation.client_runs import (
    PRODUCE,
    SETTLE,
    cluster_of,
    kinds,
    produced,
    ran,
    refusals,
    values,
)

UNANSWERED: list[dict[str, Any]] = [
    {"crash": {"broker": 1}},
    {"detect": {"broker": 1}},
    {"retry": {"as": "p1"}},
]
"""The leader goes before it could answer, and the producer tries again at the next one."""


def fetched_but_unanswered(*, idempotent: bool, kafka: str = "3.9") -> Timeline:
    return ran(
        {"produce": PRODUCE | {"idempotent": idempotent}},
        {"fetch": {"broker": 2}},
        *UNANSWERED,
        SETTLE,
        kafka=kafka,
    )


def test_a_retry_of_a_plain_producer_makes_a_second_record():
    assert values(fetched_but_unanswered(idempotent=False), 2) == ["m1", "m1"]


@pytest.mark.parametrize("kafka", ["0.11", "1.1", "2.8", "3.9"])
def test_the_next_leader_recognises_a_batch_that_it_replicated(kafka):
    timeline = fetched_but_unanswered(idempotent=True, kafka=kafka)

    assert values(timeline, 2) == ["m1"]
    assert produced(timeline)[1] == ("acked", 0, None)
    assert DuplicateRecognised in kinds(timeline)


def test_producer_state_in_a_log_survives_the_crash_of_all_brokers():
    timeline = ran(
        {"produce": PRODUCE | {"idempotent": True}},
        SETTLE,
        *({"crash": {"broker": broker}} for broker in (2, 1)),
        *({"start": {"broker": broker}} for broker in (1, 2)),
        SETTLE,
        {"refresh": {"as": "p1"}},
        {"produce": PRODUCE | {"idempotent": True, "sequence": 0}},
        SETTLE,
    )

    assert values(timeline) == ["m1"]
    assert produced(timeline)[1] == ("acked", 0, None)


def test_a_truncated_batch_is_not_a_duplicate_and_is_appended_again():
    timeline = ran(
        {"produce": PRODUCE | {"idempotent": True}},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"retry": {"as": "p1"}},
        {"start": {"broker": 1}},
        SETTLE,
    )

    assert values(timeline, 1) == values(timeline, 2) == ["m1"]
    record = cluster_of(timeline).replica(B1, PARTITION).log.records[0]
    assert (record.epoch, record.sequence) == (1, 0)


def test_a_gap_is_refused_and_the_next_in_order_is_not():
    timeline = ran(
        {"produce": PRODUCE | {"idempotent": True}},
        {"produce": PRODUCE | {"values": ["m9"], "idempotent": True, "sequence": 5}},
        {"produce": PRODUCE | {"values": ["m2"], "idempotent": True}},
        SETTLE,
    )

    assert values(timeline) == ["m1", "m2"]
    assert produced(timeline)[1] == ("failed", None, "OUT_OF_ORDER_SEQUENCE_NUMBER")


def test_a_duplicate_waits_for_the_high_watermark_as_the_first_did():
    timeline = ran(
        {"produce": PRODUCE | {"idempotent": True}},
        {"produce": PRODUCE | {"idempotent": True, "sequence": 0}},
    )

    assert [outcome for outcome, *_ in produced(timeline)] == ["pending", "pending"]
    assert values(timeline) == ["m1"]


def test_a_record_that_two_requests_are_about_is_lost_once():
    timeline = ran(
        {"produce": PRODUCE | {"idempotent": True}},
        {"fetch": {"broker": 2, "drop": "response"}},
        {"produce": PRODUCE | {"idempotent": True, "sequence": 0}},
        {"disk_loss": {"broker": 2}},
        {"disk_loss": {"broker": 1}},
    )

    assert kinds(timeline).count(RecordLost) + kinds(timeline).count((RecordLost, "acked")) == 1


@pytest.mark.parametrize(
    "step",
    [
        {"produce": PRODUCE | {"idempotent": True}},
        {"transaction": {"as": "p1", "do": "begin"}},
    ],
)
def test_before_0_11_there_is_no_idempotence(step):
    assert refusals(ran(step, kafka="0.10.2")) == ["no_idempotence"]
    assert refusals(ran(step, kafka="0.10.2", rules={"KIP-98": True})) == []
    assert refusals(ran(step, kafka="0.11")) == []


def test_the_time_of_who_waits_longest_runs_out_by_hand() -> None:
    """One timeout completes one request; a request from a second later still waits."""
    waiting: list[dict[str, Any]] = [
        {"produce": PRODUCE | {"acks": "all"}},
        {"advance": {"ms": 1_000}},
        {"produce": PRODUCE | {"values": ["m2"], "acks": "all"}},
    ]
    runs_out = {"timer": {"broker": 1, "kind": "produce_timeout"}}

    assert produced(ran(*waiting, runs_out)) == [
        ("failed", 0, "REQUEST_TIMED_OUT"),
        ("pending", 1, None),
    ]
    assert produced(ran(*waiting, runs_out, runs_out))[1] == ("failed", 1, "REQUEST_TIMED_OUT")
    assert refusals(ran(*waiting, runs_out, runs_out, runs_out)) == ["timer_not_running"]
