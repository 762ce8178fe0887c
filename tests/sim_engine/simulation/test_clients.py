"""Producers and consumers as they act: retries, transactions, followers, truncated logs."""

from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from sim_engine import Timeline, read_scenario_document
from sim_engine.cluster.state import ClusterState
from sim_engine.documents.state import state_document
from sim_engine.events import Event
from sim_engine.events.consumer import (
    ConsumeFailed,
    ConsumerOffsetNotAvailable,
    ConsumerOutOfRange,
    ConsumerPassedOver,
    ConsumerPositionValidated,
    ConsumerReadNothing,
    ConsumerSentToFollower,
    ConsumerTruncationDetected,
)
from sim_engine.events.log import RecordLost
from sim_engine.events.producer import DuplicateRecognised
from sim_engine.events.run import ActionRefused
from sim_engine.identifiers import BrokerId
from sim_engine.invariants import PROPERTY_NAMES
from sim_engine.protocol.leader.consumer_reads import preferred_read_replica
from sim_engine.simulation.timeline import Frame
from tests.sim_engine.builders import B1, B2, B3, PARTITION, told

PRODUCE = {"to": "t-0", "values": ["m1"], "as": "p1"}
READ = {"partition": "t-0", "as": "c1"}
SETTLE: dict[str, Any] = {"settle": {}}


def ran(
    *steps: dict[str, Any],
    kafka: str = "3.9",
    brokers: int = 2,
    rules: dict[str, bool] | None = None,
    partition: dict[str, Any] | None = None,
    configs: dict[str, Any] | None = None,
) -> Timeline:
    """A run of brokers 1, 2, … and one partition on all of them that broker 1 leads."""
    ids = list(range(1, brokers + 1))
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "clients",
                "kafka": kafka,
                "brokers": ids,
                "rules": rules or {},
                "configs": configs or {},
                "topics": [{"name": "t", "partitions": [{"replicas": ids} | (partition or {})]}],
                "steps": list(steps),
            }
        )
    )
    timeline.run_all()
    return timeline


def last(timeline: Timeline) -> Frame:
    return timeline.frames[timeline.head]


def cluster_of(timeline: Timeline) -> ClusterState:
    return last(timeline).cluster


def values(timeline: Timeline, broker: int = 1) -> list[str]:
    return [
        record.value
        for record in cluster_of(timeline).replica(BrokerId(broker), PARTITION).log.records
    ]


def produced(timeline: Timeline) -> list[tuple[str, int | None, str | None]]:
    return [(one.outcome, one.offset, one.error) for one in cluster_of(timeline).clients.produced]


def read(timeline: Timeline, name: str = "c1") -> list[str]:
    return [one.value for one in cluster_of(timeline).clients.consumed if one.consumer == name]


def kinds(timeline: Timeline) -> list[type[Event] | tuple[type[Event], str]]:
    return [
        (type(happened), happened.variant) if happened.variant else type(happened)
        for frame in timeline.frames
        for happened in frame.events
    ]


def refusals(timeline: Timeline) -> list[str | None]:
    return [
        happened.variant
        for frame in timeline.frames
        for happened in frame.events
        if isinstance(happened, ActionRefused)
    ]


def status(timeline: Timeline, name: str) -> str:
    return last(timeline).verdicts[PROPERTY_NAMES.index(name)].status


UNANSWERED: list[dict[str, Any]] = [
    {"crash": {"broker": 1}},
    {"detect": {"broker": 1}},
    {"retry": {"as": "p1"}},
]
"""The leader goes before it could answer, and the producer tries again at the next one."""


def position_of(timeline: Timeline, consumer: str = "c1") -> int:
    found = cluster_of(timeline).clients.find(consumer)
    assert found is not None, f"{consumer} has read"
    return found.position_in(PARTITION)


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


def test_what_a_log_knows_of_producers_survives_the_death_of_everybody():
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


def test_a_truncated_batch_is_forgotten_and_written_anew():
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


# --- transactions ----------------------------------------------------------------------------


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


# --- consumers -------------------------------------------------------------------------------


def test_a_follower_serves_what_is_below_its_own_high_watermark():
    timeline = ran(
        {"produce": PRODUCE | {"values": ["m1", "m2"]}},
        {"fetch": {"broker": 2}},
        {"consume": READ | {"broker": 2}},
        {"fetch": {"broker": 2}},
        {"consume": READ | {"broker": 2}},
        {"produce": PRODUCE | {"values": ["m3"], "acks": 1}},
        {"consume": READ | {"broker": 2}},
    )

    assert kinds(timeline).count((ConsumerReadNothing, "follower")) == 2
    assert read(timeline) == ["m1", "m2"]


def test_beyond_a_followers_log_the_consumer_goes_back_to_the_leader():
    # Broker 3 is slow: what the leader has committed without it is beyond its log.
    timeline = ran(
        {"produce": PRODUCE | {"values": ["m1", "m2"]}},
        {"fetch": {"broker": 2}},
        {"fetch": {"broker": 2}},
        {"consume": READ},
        {"consume": READ | {"broker": 3}},
        {"consume": READ},
        brokers=3,
        partition={"isr": [1, 2]},
    )

    assert (ConsumerOutOfRange, "follower") in kinds(timeline)
    assert read(timeline) == ["m1", "m2"]
    assert cluster_of(timeline).clients.clients[-1].position_in(PARTITION) == 2


def test_before_2_4_a_follower_is_not_read_from():
    reading = ({"consume": READ | {"broker": 2}},)

    assert refusals(ran(*reading, kafka="2.3")) == ["no_follower_reads"]
    assert refusals(ran(*reading, kafka="2.3", rules={"KIP-392": True})) == []
    assert refusals(ran(*reading, kafka="2.4")) == []


REPLACED: list[dict[str, Any]] = [
    {"produce": PRODUCE | {"values": ["m1"]}},
    SETTLE,
    {"crash": {"broker": 2}},
    {"detect": {"broker": 2}},
    {"produce": PRODUCE | {"values": ["m2", "m3"]}},
    {"consume": READ},
    {"crash": {"broker": 1}},
    {"start": {"broker": 2}},
    {"elect": {"partition": "t-0", "kind": "unclean", "leader": 2}},
    {"produce": PRODUCE | {"values": ["x2", "x3", "x4"]}},
    {"consume": READ},
]
"""A consumer has read m1 m2 m3; an unclean leader has m1 and writes x2 x3 x4."""
UNCLEAN = {"unclean.leader.election.enable": True}


def test_before_2_3_a_consumer_skips_what_was_replaced():
    timeline = ran(*REPLACED, kafka="2.1", configs=UNCLEAN)

    assert read(timeline) == ["m1", "m2", "m3", "x4"]
    assert status(timeline, "ConsistentRead") == "violated"


@pytest.mark.parametrize(
    ("kafka", "rules"), [("2.3", {}), ("3.9", {}), ("2.1", {"KIP-320-CONSUMER": True})]
)
def test_from_2_3_a_consumer_notices_that_its_log_was_truncated(kafka, rules):
    timeline = ran(*REPLACED, kafka=kafka, rules=rules, configs=UNCLEAN)

    assert read(timeline) == ["m1", "m2", "m3"]
    assert ConsumerTruncationDetected in kinds(timeline)
    assert position_of(timeline) == 1
    assert status(timeline, "ConsistentRead") == "holds"


def test_a_position_that_is_still_on_the_log_is_read_on_from():
    timeline = ran(
        {"produce": PRODUCE},
        SETTLE,
        {"consume": READ},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"produce": PRODUCE | {"values": ["m2"]}},
        {"consume": READ},
    )

    assert read(timeline) == ["m1", "m2"]
    assert ConsumerPositionValidated in kinds(timeline)


def test_a_consumer_that_knows_more_than_the_broker_waits():
    # Broker 1 is cut off and leads on by itself; the consumer has heard of the next leader.
    timeline = ran(
        {"produce": PRODUCE},
        SETTLE,
        {"consume": READ},
        {"isolate": {"broker": 1, "from": "controller"}},
        {"detect": {"broker": 1}},
        {"refresh": {"as": "c1"}},
        {"consume": READ | {"broker": 1}},
        brokers=3,
    )

    assert (ConsumeFailed, "UNKNOWN_LEADER_EPOCH") in kinds(timeline)


@pytest.mark.parametrize(
    ("rules", "told", "position"),
    [
        ({}, ConsumerOutOfRange, 0),
        ({"KIP-207": True}, ConsumerOffsetNotAvailable, 2),
    ],
)
def test_a_new_leader_tells_its_latest_offset_late(rules, told, position):
    # Broker 3 lost the end of its log without anybody noticing, and leads next: its high watermark
    # is below the start of its epoch, and the consumer's position beyond the end of its log.
    timeline = ran(
        {"produce": PRODUCE | {"values": ["m1", "m2"]}},
        SETTLE,
        {"consume": READ},
        {"power_loss": {"broker": 3, "keep": {"t-0": 1}}},
        {"boot": {"broker": 3}},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"consume": READ},
        kafka="2.1",
        rules=rules,
        brokers=3,
        partition={"replicas": [3, 1, 2], "leader": 1},
    )

    assert cluster_of(timeline).controller.partition(PARTITION).leader == 3
    assert told in kinds(timeline)
    assert position_of(timeline) == position


DIVERGED: dict[str, Any] = {
    "leader": 1,
    "leader_epoch": 2,
    "isr": [1],
    "logs": {
        "1": {"log": "m1/0 y/2", "high_watermark": 2},
        "2": {"log": "m1/0 x/1", "high_watermark": 1},
    },
}
"""Broker 2 holds x where broker 1, which leads, has committed y."""
TOLD: list[dict[str, Any]] = [
    {"send_fetch": {"broker": 2}},
    {"deliver": {"kind": "fetch_request", "from": 2, "to": 1}},
    {"deliver": {"kind": "fetch_response", "from": 1, "to": 2}},
]


@pytest.mark.parametrize(
    ("kafka", "rules", "shown"),
    [
        ("2.8", {}, ["m1", "x"]),
        ("3.3", {}, ["m1", "x"]),
        ("3.3", {"KAFKA-14704": True}, ["m1"]),
        ("3.4.1", {}, ["m1"]),
    ],
)
def test_up_to_3_4_0_a_follower_shows_what_it_is_about_to_cut(kafka, rules, shown):
    timeline = ran(
        *TOLD,
        {"consume": READ | {"broker": 2}},
        {"fetch": {"broker": 2}},
        kafka=kafka,
        rules=rules,
        partition=DIVERGED,
    )

    assert read(timeline) == shown
    assert values(timeline, 2) == ["m1", "y"]


def test_a_truncation_that_is_due_comes_before_a_new_role():
    # Broker 1 dies before broker 2 has cut x; what broker 2 is told next finds it cut.
    timeline = ran(
        *TOLD,
        {"crash": {"broker": 1}},
        {"elect": {"partition": "t-0", "kind": "unclean", "leader": 2}},
        kafka="3.3",
        partition=DIVERGED,
    )

    assert values(timeline, 2) == ["m1"]


# --- racks -----------------------------------------------------------------------------------

RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector"


def in_racks(
    *steps: dict[str, Any], kafka: str = "3.9", selector: str | None = RACK_AWARE, **more: Any
) -> Timeline:
    """Broker 1 leads in rack a; brokers 2 and 3 follow in rack b, 3 outside the ISR."""
    timeline = Timeline(
        read_scenario_document(
            {
                "id": "racks",
                "kafka": kafka,
                "brokers": {"1": {"rack": "a"}, "2": {"rack": "b"}, "3": {"rack": "b"}},
                "configs": {} if selector is None else {"replica.selector.class": selector},
                "topics": [
                    {"name": "t", "partitions": [{"replicas": [1, 2, 3], "isr": [1, 2], **more}]}
                ],
                "steps": list(steps),
            }
        )
    )
    timeline.run_all()
    return timeline


def read_from(timeline: Timeline) -> list[int | None]:
    return [one.broker for one in cluster_of(timeline).clients.consumed]


AT_2: list[dict[str, Any]] = [
    {"produce": PRODUCE},
    {"fetch": {"broker": 2}},
    {"fetch": {"broker": 2}},
]


@pytest.mark.parametrize(
    ("rack", "kafka", "selector", "asked"),
    [
        ("b", "3.9", RACK_AWARE, 2),
        ("a", "3.9", RACK_AWARE, 1),
        ("c", "3.9", RACK_AWARE, 1),
        ("b", "3.9", None, 1),
        ("b", "2.4", RACK_AWARE, 2),
        ("b", "2.3", None, 1),
    ],
)
def test_a_leader_sends_a_consumer_to_its_rack(rack, kafka, selector, asked):
    timeline = in_racks(*AT_2, {"consume": READ | {"rack": rack}}, kafka=kafka, selector=selector)

    assert read_from(timeline) == [asked]


@pytest.mark.parametrize(
    ("kafka", "is_sent"), [("3.3.1", True), ("3.3.2", False), ("3.4.1", False)]
)
def test_until_3_3_2_a_consumer_is_sent_to_a_follower_that_lags(kafka, is_sent):
    timeline = in_racks(
        {"send_fetch": {"broker": 3}},
        {"deliver": {"kind": "fetch_request", "from": 3, "to": 1}},
        {"consume": READ | {"rack": "b"}},
        kafka=kafka,
        isr=[1],
        logs={
            "1": {"log": "m1/0 m2/0", "high_watermark": 2},
            "2": {"log": "", "high_watermark": 0},
            "3": {"log": "m1/0", "high_watermark": 0},
        },
    )

    sent = [happened.follower for happened in told(timeline, ConsumerSentToFollower)]
    assert sent == ([3] if is_sent else [])


@pytest.mark.parametrize(("offset", "chosen"), [(0, 1), (1, 2)])
def test_a_consumer_is_sent_to_no_follower_whose_log_begins_beyond_its_position(offset, chosen):
    cluster = cluster_of(in_racks(*AT_2))
    leader = cluster.replica(B1, PARTITION)
    assert leader.leading is not None
    later = tuple(replace(remote, log_start_offset=1) for remote in leader.leading.remotes)

    asked = preferred_read_replica(
        replace(leader, leading=replace(leader.leading, remotes=later)),
        offset,
        rack="b",
        racks={B1: "a", B2: "b", B3: "b"},
        rules=cluster.profile.rules,
    )

    assert asked == chosen


def test_a_follower_that_does_not_run_is_not_read_from():
    timeline = in_racks(*AT_2, {"crash": {"broker": 2}}, {"consume": READ | {"rack": "b"}})

    assert read_from(timeline) == [1]


def test_before_0_11_there_is_no_isolation_level():
    reading = {"consume": READ | {"isolation": "read_committed"}}

    assert refusals(ran(reading, kafka="0.10.2")) == ["no_transactions"]
    assert refusals(ran(reading, kafka="0.11")) == []


def test_the_time_of_who_waits_longest_runs_out_by_hand() -> None:
    """One firing, one answer: who produced a second later still waits."""
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
