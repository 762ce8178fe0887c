"""Producers: retries, idempotence, timeouts, and transactions, also one that hangs after an unclean
election.
"""

import pytest
from msgspec import to_builtins

from sim_engine.documents.state import state_document
from sim_engine.events.clients import (
    ConsumerPassedOver,
    ConsumerReadNothing,
    DuplicateRecognised,
    TransactionEnded,
)
from sim_engine.events.log import EpochAssigned, RecordLost
from tests.sim_engine.builders import B1, PARTITION
from tests.sim_engine.runs import SETTLE, Run, Step, down
from tests.sim_engine.simulation.client_runs import (
    PRODUCE,
    READ,
    UNCLEAN,
    kinds,
    produced,
    ran,
    read,
    refusals,
)

UNANSWERED: list[Step] = [*down(1), {"retry": {"as": "p1"}}]
"""The leader goes before it could answer, and the producer tries again at the next one."""


def fetched_but_unanswered(*, idempotent: bool, kafka: str = "3.9") -> Run:
    return ran(
        {"produce": PRODUCE | {"idempotent": idempotent}},
        {"fetch": {"broker": 2}},
        *UNANSWERED,
        SETTLE,
        kafka=kafka,
    )


def test_a_retry_of_a_plain_producer_makes_a_second_record():
    assert fetched_but_unanswered(idempotent=False).log(2) == ["m1", "m1"]


@pytest.mark.parametrize("kafka", ["0.11", "1.1", "2.8", "3.9"])
def test_the_next_leader_recognises_a_batch_that_it_replicated(kafka):
    timeline = fetched_but_unanswered(idempotent=True, kafka=kafka)

    assert timeline.log(2) == ["m1"]
    assert produced(timeline)[1] == ("acked", 0, None)
    assert DuplicateRecognised in kinds(timeline)


@pytest.mark.parametrize(
    ("kafka", "variant"), [("0.11", "not_appended"), ("2.0.0", "not_appended"), ("2.0.1", "leader")]
)
def test_a_batch_that_is_not_appended_leaves_the_epoch_of_its_leader(kafka, variant):
    """`Log.append` assigns the epoch before it validates the producer's state."""
    timeline = fetched_but_unanswered(idempotent=True, kafka=kafka)

    entries = [
        (happened.variant, happened.start_offset)
        for happened in timeline.told(EpochAssigned)
        if happened.broker == 2 and happened.epoch > 0
    ]
    assert entries == [(variant, 1)]


def test_a_batch_out_of_sequence_leaves_the_epoch_of_its_leader_too():
    timeline = ran(
        {"produce": PRODUCE | {"idempotent": True}},
        SETTLE,
        *down(1),
        {"refresh": {"as": "p1"}},
        {"produce": PRODUCE | {"values": ["m9"], "idempotent": True, "sequence": 5}},
        kafka="1.1",
    )

    assert produced(timeline)[1][2] == "OUT_OF_ORDER_SEQUENCE_NUMBER"
    assert [one.variant for one in timeline.told(EpochAssigned)][-1] == "not_appended"


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

    assert timeline.log() == ["m1"]
    assert produced(timeline)[1] == ("acked", 0, None)


def test_a_truncated_batch_is_not_a_duplicate_and_is_appended_again():
    timeline = ran(
        {"produce": PRODUCE | {"idempotent": True}},
        *down(1),
        {"retry": {"as": "p1"}},
        {"start": {"broker": 1}},
        SETTLE,
    )

    assert timeline.log(1) == timeline.log(2) == ["m1"]
    record = timeline.cluster.replica(B1, PARTITION).log.records[0]
    assert (record.epoch, record.sequence) == (1, 0)


def test_a_gap_is_refused_and_the_next_in_order_is_not():
    timeline = ran(
        {"produce": PRODUCE | {"idempotent": True}},
        {"produce": PRODUCE | {"values": ["m9"], "idempotent": True, "sequence": 5}},
        {"produce": PRODUCE | {"values": ["m2"], "idempotent": True}},
        SETTLE,
    )

    assert timeline.log() == ["m1", "m2"]
    assert produced(timeline)[1] == ("failed", None, "OUT_OF_ORDER_SEQUENCE_NUMBER")


def test_a_duplicate_waits_for_the_high_watermark_as_the_first_did():
    timeline = ran(
        {"produce": PRODUCE | {"idempotent": True}},
        {"produce": PRODUCE | {"idempotent": True, "sequence": 0}},
    )

    assert [outcome for outcome, *_ in produced(timeline)] == ["pending", "pending"]
    assert timeline.log() == ["m1"]


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
    [{"produce": PRODUCE | {"idempotent": True}}, {"transaction": {"as": "p1", "do": "begin"}}],
)
def test_before_0_11_there_is_no_idempotence(step):
    assert refusals(ran(step, kafka="0.10.2")) == ["no_idempotence"]
    assert refusals(ran(step, kafka="0.10.2", rules={"KIP-98": True})) == []
    assert refusals(ran(step, kafka="0.11")) == []


def test_the_time_of_who_waits_longest_runs_out_by_hand() -> None:
    """One timeout completes one request; a request from a second later still waits."""
    waiting: list[Step] = [
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


def begin() -> Step:
    return {"transaction": {"as": "p1", "do": "begin"}}


def end(how: str) -> Step:
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

    assert timeline.log() == timeline.log(2) == ["m1", "x", f"[{how}]"]
    assert read(timeline, "c2") == ["m1", "x"]
    assert read(timeline) == committed
    assert (ConsumerReadNothing, "committed") in kinds(timeline)
    assert timeline.status("ConsistentRead") == "holds"


def test_the_last_stable_offset_waits_for_the_high_watermark_to_pass_the_marker():
    timeline = ran(begin(), {"produce": PRODUCE}, SETTLE, end("commit"))

    leader = state_document(timeline.cluster).replicas["t-0"]["1"]
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

    leader = state_document(timeline.cluster).replicas["t-0"]["1"]
    assert to_builtins(leader.transactions) == (
        {"producer_id": 0, "first_offset": 0, "last_offset": last, "outcome": outcome},
    )


def test_what_was_not_acknowledged_is_not_committed_but_can_be_aborted():
    unanswered = ran(begin(), {"produce": PRODUCE}, end("commit"))
    aborted = ran(begin(), {"produce": PRODUCE}, end("abort"), end("abort"), SETTLE)

    assert refusals(unanswered) == ["transaction_unanswered"]
    assert unanswered.log() == ["m1"]
    assert refusals(aborted) == ["no_transaction"]
    assert aborted.log() == ["m1", "[abort]"]


def test_a_new_leader_knows_of_the_open_transaction():
    timeline = ran(
        begin(),
        {"produce": PRODUCE},
        SETTLE,
        *down(1),
        end("abort"),
        {"consume": READ | {"isolation": "read_committed"}},
    )

    assert timeline.log(2) == ["m1", "[abort]"]
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


STEPS: list[Step] = [
    {"transaction": {"as": "p1", "do": "begin"}},
    {"produce": {"to": "t-0", "values": ["t1"], "as": "p1"}},
    SETTLE,
    *down(2),
    {"transaction": {"as": "p1", "do": "commit"}},
    *down(1),
    {"start": {"broker": 2}},
    {"elect": {"partition": "t-0", "kind": "unclean", "leader": 2}},
    SETTLE,
    {"produce": {"to": "t-0", "values": ["m2"], "as": "p2"}},
    {"start": {"broker": 1}},
    SETTLE,
]
"""KAFKA-7408: the log of broker 2 has t1 without the commit marker."""

CONSUME = {"consume": {"partition": "t-0", "as": "c1", "isolation": "read_committed"}}

ABORT = {"transaction": {"as": "p1", "do": "abort"}}


def hanging(kafka: str, *more: Step) -> Run:
    return ran(*STEPS, *more, kafka=kafka, control="zookeeper", configs=UNCLEAN)


def test_an_administrator_aborts_what_the_log_shows_as_open() -> None:
    assert read(hanging("3.9", CONSUME)) == []

    timeline = hanging("3.9", ABORT, SETTLE, CONSUME)

    assert read(timeline) == ["m2"]
    assert timeline.variants(TransactionEnded) == ["commit", "hanging"]


def test_it_is_offered_only_while_the_log_shows_it_as_open() -> None:
    offered = hanging("3.9")
    aborted = hanging("3.9", ABORT, SETTLE)

    assert ABORT in [one.step for one in offered.choices(offered.head)]
    assert ABORT not in [one.step for one in aborted.choices(aborted.head)]


@pytest.mark.parametrize(
    ("kafka", "step"), [("2.8", ABORT), ("3.9", {"transaction": {"as": "p1", "do": "commit"}})]
)
def test_nothing_else_ends_it(kafka: str, step: Step) -> None:
    assert refusals(hanging(kafka, step)) == ["no_transaction"]
