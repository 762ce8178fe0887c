"""Transactions: their markers, and which consumers may read their records."""

from typing import Any

import pytest
from msgspec import to_builtins

from sim_engine.documents.state import state_document
from sim_engine.events.consumer import ConsumerPassedOver, ConsumerReadNothing
from tests.sim_engine.simulation.client_runs import (
    PRODUCE,
    READ,
    SETTLE,
    cluster_of,
    kinds,
    ran,
    read,
    refusals,
    status,
    values,
)


def begin() -> dict[str, Any]:
    return {"transaction": {"as": "p1", "do": "begin"}}


def end(how: str) -> dict[str, Any]:
    return {"transaction": {"as": "p1", "do": how}}


@pytest.mark.parametrize(("how", "committed"), [("commit", ["m1", "x"]), ("abort", ["x"])])
def test_readers_of_committed_records_wait_for_the_end(how, committed):
    timeline = ran(
        begin(),
        {"produce": PRODUCE},
        {"produce": {"to": "t-0", "values": ["x"], "as": "p2"}},
        SETTLE,
        {"consume": READ | {"isolation": "read_committed"}},
        {"consume": READ | {"as": "c2"}},
        end(how),
        SETTLE,
        {"consume": READ | {"isolation": "read_committed"}},
    )

    assert values(timeline) == values(timeline, 2) == ["m1", "x", f"[{how}]"]
    assert read(timeline, "c2") == ["m1", "x"]
    assert read(timeline) == committed
    assert (ConsumerReadNothing, "committed") in kinds(timeline)
    assert status(timeline, "ConsistentRead") == "holds"


def test_the_last_stable_offset_waits_for_the_high_watermark_to_pass_the_marker():
    timeline = ran(begin(), {"produce": PRODUCE}, SETTLE, end("commit"))

    leader = state_document(cluster_of(timeline)).replicas["t-0"]["1"]
    assert (leader.high_watermark, leader.last_stable_offset) == (1, 0)
    assert to_builtins(leader.log[1]) == {
        "offset": 1,
        "epoch": 0,
        "value": "[commit]",
        "id": "r2",
        "producer_id": 0,
        "transactional": True,
        "control": "commit",
    }


@pytest.mark.parametrize(
    ("then", "last", "outcome"),
    [((), 1, "open"), ((end("commit"),), 2, "committed"), ((end("abort"),), 2, "aborted")],
)
def test_a_replica_tells_of_the_transactions_in_its_log(then, last, outcome):
    timeline = ran(begin(), {"produce": PRODUCE}, {"produce": PRODUCE}, SETTLE, *then)

    leader = state_document(cluster_of(timeline)).replicas["t-0"]["1"]
    assert to_builtins(leader.transactions) == (
        {"producer_id": 0, "first_offset": 0, "last_offset": last, "outcome": outcome},
    )


def test_what_was_not_acknowledged_is_not_committed_but_can_be_aborted():
    unanswered = ran(begin(), {"produce": PRODUCE}, end("commit"))
    aborted = ran(begin(), {"produce": PRODUCE}, end("abort"), end("abort"), SETTLE)

    assert refusals(unanswered) == ["transaction_unanswered"]
    assert values(unanswered) == ["m1"]
    assert refusals(aborted) == ["no_transaction"]
    assert values(aborted) == ["m1", "[abort]"]


def test_a_new_leader_knows_of_the_open_transaction():
    timeline = ran(
        begin(),
        {"produce": PRODUCE},
        SETTLE,
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        end("abort"),
        {"consume": READ | {"isolation": "read_committed"}},
    )

    assert values(timeline, 2) == ["m1", "[abort]"]
    assert read(timeline) == []
    assert (ConsumerPassedOver, "aborted") in kinds(timeline)


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ([begin(), begin()], "transaction_open"),
        ([begin(), {"produce": PRODUCE | {"acks": 1}}], "transaction_needs_acks_all"),
        (
            [begin(), {"produce": PRODUCE}, SETTLE, {"crash": {"broker": 1}}, end("abort")],
            "receiver_down",
        ),
        (
            [
                begin(),
                {"produce": PRODUCE},
                SETTLE,
                {"config": {"min.insync.replicas": 3}},
                end("abort"),
            ],
            None,
        ),
    ],
)
def test_a_transaction_that_cannot_go_on_is_refused_with_its_reason(steps, reason):
    kafka = "2.8"
    found = refusals(ran(*steps, kafka=kafka))

    assert found == (["marker_needs_isr"] if reason is None else [reason])
