"""Rules that were found in recordings of real clusters, each tested separately."""

from typing import Any

import pytest
from msgspec.structs import replace

from sim_engine.actions.steps import Boot
from sim_engine.cluster.state import ClusterState
from sim_engine.identifiers import ErrorCode, FrameNumber, Offset
from sim_engine.protocol.controller.zookeeper.controller import elect_preferred
from sim_engine.protocol.leader.requests import list_offset
from sim_engine.protocol.replica import Replica
from sim_engine.simulation.choices import list_steps
from sim_engine.simulation.transition import perform
from sim_engine.versions import resolve_profile
from tests.sim_engine.builders import B1, B2, PARTITION, change_process, change_replica, cluster
from tests.sim_engine.runs import run


def after_each(kafka: str, *steps: dict[str, Any], **about: Any) -> list[ClusterState]:
    """The cluster of brokers 1, the leader, and 2 after each of these steps."""
    timeline = run(*steps, kafka=kafka, brokers=(1, 2), **about)
    last_frames = {frame.item: frame.cluster for frame in timeline.frames}
    return [last_frames[item] for item in range(len(steps))]


@pytest.mark.parametrize("clean_shutdown", [True, False])
def test_an_epoch_without_a_record_does_not_outlive_a_restart(clean_shutdown):
    stopped = change_process(
        change_replica(
            cluster({2: "m1/0"}, kafka="2.8"), 2, epoch_cache=((0, 0), (3, 1)), leading=None
        ),
        2,
        process="stopped",
        clean_shutdown=clean_shutdown,
    )

    booted = perform(stopped, Boot(broker=B2), FrameNumber(1)).cluster

    assert booted.replica(B2, PARTITION).epoch_cache == ((0, 0),)


@pytest.mark.parametrize(
    ("kafka", "writes"),
    [("0.10.2", False), ("1.1", True), ("2.0.1", True), ("2.1", True), ("2.8", False)],
)
def test_electing_the_preferred_leader_that_leads_already(kafka, writes):
    state = cluster(kafka=kafka)

    outcome = elect_preferred(state.situation(), PARTITION)

    assert (outcome is not None) is writes


def latest(replica: Replica, kafka: str) -> Offset | ErrorCode:
    rules = resolve_profile(kafka).rules
    return list_offset(replica, "latest", isolation="read_uncommitted", rules=rules)


@pytest.mark.parametrize(
    ("kafka", "end"),
    [("2.1", 1), ("2.8", ErrorCode.OFFSET_NOT_AVAILABLE), ("3.9", ErrorCode.OFFSET_NOT_AVAILABLE)],
)
def test_a_new_leader_returns_no_latest_offset_before_the_start_of_its_epoch_is_committed(
    kafka, end
):
    state = cluster({1: "m1/0 m2/0"}, kafka=kafka, high_watermarks={1: 1})
    leader = state.replica(B1, PARTITION)
    assert leader.leading is not None, "broker 1 leads"
    leader = replace(leader, leading=replace(leader.leading, leader_epoch_start_offset=2))
    assert latest(leader, kafka) == end
    assert latest(replace(leader, high_watermark=2), kafka) == 2
    assert latest(state.replica(B2, PARTITION), kafka) == "NOT_LEADER_OR_FOLLOWER"


@pytest.mark.parametrize("kafka", ["0.10.2", "2.8", "3.9"])
def test_the_first_command_after_a_start_writes_the_high_watermark_clamped_to_the_log(kafka):
    checkpoints = [
        cluster.replica(B2, PARTITION).checkpoint_high_watermark
        for cluster in after_each(
            kafka,
            {"produce": {"to": PARTITION, "values": ["m1", "m2"]}},
            {"fetch": {"broker": 2}},
            {"fetch": {"broker": 2}},
            {"timer": {"broker": 2, "kind": "high_watermark_checkpoint"}},
            {"power_loss": {"broker": 2, "keep": {PARTITION: 1}}},
            {"boot": {"broker": 2}},
            {"detect": {"broker": 2}},
        )
    ]

    assert checkpoints[-4:] == [2, 2, 2, 1]


def test_a_broker_whose_old_session_lives_on_cannot_register_and_ends_itself():
    clusters = after_each(
        "0.10.2",
        {"produce": {"to": PARTITION, "values": ["m1"]}},
        {"fetch": {"broker": 2}},
        {"crash": {"broker": 2}},
        {"boot": {"broker": 2, "session": "kept"}},
        {"run": {"ms": 100}},
        {"run": {"ms": 6_000}},
        {"start": {"broker": 2}},
    )
    ended, soon, later, started = clusters[3:]

    assert (ended.broker(B2).process, ended.broker(B2).clean_shutdown) == ("failed", True)
    assert ended.replica(B2, PARTITION).checkpoint_recovery_point == 1
    assert soon.controller.partition(PARTITION).isr == (1, 2)
    assert later.controller.partition(PARTITION).isr == (1,)
    assert started.broker(B2).process == "running"


@pytest.mark.parametrize(("kafka", "offered"), [("0.10.2", True), ("3.9", False)])
def test_to_start_within_the_old_session_is_a_choice_under_zookeeper(kafka, offered):
    after = after_each(kafka, {"crash": {"broker": 2}})[-1]

    assert (Boot(broker=B2, session="kept") in list_steps(after)) is offered


@pytest.mark.parametrize(
    ("kafka", "steps"),
    [
        ("3.9", [{"crash": {"broker": 2}}]),
        ("2.8", [{"crash": {"broker": 2}}, {"detect": {"broker": 2}}]),
    ],
)
def test_without_an_old_session_in_zookeeper_nothing_keeps_a_broker_from_registering(kafka, steps):
    after = after_each(kafka, *steps, {"boot": {"broker": 2, "session": "kept"}})[-1]

    assert after.broker(B2).process == "crashed"


@pytest.mark.parametrize(
    ("kafka", "outcome", "log"), [("2.0.1", "pending", ["m1"]), ("2.8", "acked", ["m1", "m2"])]
)
def test_a_leader_whose_isr_change_waits_for_zookeeper_takes_no_records(kafka, outcome, log):
    clusters = after_each(
        kafka,
        {"produce": {"to": PARTITION, "values": ["m1"]}},
        {"settle": {}},
        {"isolate": {"broker": 1, "from": "controller"}},
        {"advance": {"ms": 60_000}},
        {"produce": {"to": PARTITION, "values": ["m2"], "acks": 1, "broker": 1}},
        {"heal": {"broker": 1}},
        {"settle": {}},
    )
    cut_off, healed, settled = clusters[4:]

    assert cut_off.clients.produced[1].outcome == outcome
    assert [record.value for record in cut_off.replica(B1, PARTITION).log.records] == log
    assert healed.clients.produced[1].outcome == "acked"
    assert [record.value for record in settled.replica(B1, PARTITION).log.records] == ["m1"]


HELD_FETCH = {"hold": {"kind": "fetch_request", "from": 2, "to": 1}}


def moved_to_2_and_back(
    kafka: str, *then: dict[str, Any], held: dict[str, Any] = HELD_FETCH
) -> ClusterState:
    """Broker 2 is made leader while its fetch is held in the network, then broker 1 again."""
    return after_each(
        kafka,
        {"fetch": {"broker": 2}},
        {"send_fetch": {"broker": 2}},
        held,
        {"reassign": {"partition": PARTITION, "replicas": [2, 1]}},
        {"elect": {"partition": PARTITION, "kind": "preferred", "leader": 2}},
        {"reassign": {"partition": PARTITION, "replicas": [1, 2]}},
        {"elect": {"partition": PARTITION, "kind": "preferred", "leader": 1}},
        *then,
        configs={"replica.lag.time.max.ms": 300_000},
    )[-1]


@pytest.mark.parametrize(
    ("kafka", "role"), [("0.10.2", "leader"), ("0.11", "leader"), ("1.1", "follower")]
)
def test_a_broker_that_waits_for_its_last_fetch_handles_no_command(kafka, role):
    assert moved_to_2_and_back(kafka).replica(B2, PARTITION).role == role


def test_a_last_fetch_that_can_be_responded_to_delays_no_command():
    moved = moved_to_2_and_back("0.11", held={"advance": {"ms": 1}})

    assert moved.replica(B2, PARTITION).role == "follower"


@pytest.mark.parametrize(
    "then",
    [
        {"release": {"kind": "fetch_request", "from": 2, "to": 1}},
        {"drop": {"kind": "fetch_request", "from": 2, "to": 1}},
        {"run": {"ms": 30_000}},
    ],
)
def test_it_hears_them_when_that_fetch_comes_through_is_lost_or_has_timed_out(then):
    after = moved_to_2_and_back("0.11", then, {"run": {"ms": 10_000}})

    assert after.replica(B2, PARTITION).role == "follower"


@pytest.mark.parametrize(
    ("kafka", "waits"), [("0.10.2", True), ("0.11", True), ("1.0", True), ("1.1", False)]
)
def test_a_removed_replica_is_deleted_after_its_last_fetch_has_ended(kafka, waits):
    removed, released = after_each(
        kafka,
        {"fetch": {"broker": 2}},
        {"send_fetch": {"broker": 2}},
        HELD_FETCH,
        {"reassign": {"partition": PARTITION, "replicas": [1]}},
        {"release": {"kind": "fetch_request", "from": 2, "to": 1}},
        {"run": {"ms": 1_000}},
    )[3::2]

    assert (removed.broker(B2).replica(PARTITION) is not None) is waits
    assert released.broker(B2).replica(PARTITION) is None
