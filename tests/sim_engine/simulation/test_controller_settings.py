"""A controller's handling of changed settings, and of leaders that are not the preferred ones."""

from typing import Any

import pytest
from msgspec.structs import replace

from sim_engine.actions.steps import BeginShutdown
from sim_engine.events.controller import LeaderElected, UncleanSettingNotRead
from sim_engine.identifiers import FIRST_EPOCH, ErrorCode, FrameNumber
from sim_engine.narration import RefusedError
from sim_engine.protocol.controller.state import with_broker
from sim_engine.protocol.messages import AlterPartitionRequest
from sim_engine.simulation.transition import perform
from tests.sim_engine.builders import B1, B2, PARTITION
from tests.sim_engine.runs import SETTLE, Run, Step, down, run

UNCLEAN = "unclean.leader.election.enable"


def ran(*steps: Step, configs: dict[str, Any] | None = None, **scenario: Any) -> Run:
    """A run of topic t on brokers 1 and 2; broker 1 is the preferred leader of every partition."""
    return run(*steps, brokers=(1, 2), configs={UNCLEAN: False} | (configs or {}), **scenario)


ONE_AFTER_THE_OTHER: tuple[Step, ...] = (*down(2, 1), {"start": {"broker": 2}})
"""Broker 2 lost its place in the ISR, then broker 1 died, and 2 is back."""


def leaderless(kafka: str) -> Run:
    """No ISR member is alive, and unclean election is not allowed."""
    timeline = ran(*ONE_AFTER_THE_OTHER, kafka=kafka)
    assert timeline.leader == -1
    return timeline


@pytest.mark.parametrize(
    ("kafka", "change", "leader"),
    [
        ("1.1", {}, -1),
        ("2.0.0", {}, 2),
        ("2.0.1", {"topic": "t"}, -1),
        ("2.1", {"topic": "t"}, 2),
        ("2.8", {"topic": "t"}, 2),
        ("3.9", {"topic": "t"}, -1),
    ],
)
def test_enabling_unclean_election_elects_leaders_for_leaderless_partitions(kafka, change, leader):
    timeline = leaderless(kafka)

    timeline.do({"config": {UNCLEAN: True} | change})

    assert timeline.leader == leader
    assert (timeline.replica(2).role == "leader") is (leader == 2)


def test_kraft_elects_for_who_has_no_leader_when_it_next_looks():
    timeline = leaderless("3.9")
    timeline.do({"config": {UNCLEAN: True}})

    timeline.do({"timer": {"broker": 2, "kind": "unclean_leader_check"}})

    assert timeline.leader == 2


ELECTED_BY_SETTING = [
    ("2.8", "zookeeper", True),
    ("2.8", "kraft", False),
    ("3.0", "kraft", False),
    ("3.3", "kraft", False),
    ("3.7", "kraft", False),
    ("3.7", "zookeeper", True),
    ("3.9", "kraft", True),
    ("4.1", "kraft", True),
]


@pytest.mark.parametrize(("kafka", "control", "elects"), ELECTED_BY_SETTING)
def test_a_kraft_controller_reads_the_unclean_setting_from_3_9_on(kafka, control, elects):
    timeline = ran(*ONE_AFTER_THE_OTHER, kafka=kafka, control=control, configs={UNCLEAN: True})

    assert timeline.leader == (2 if elects else -1)
    waits = "no_request" if kafka in ("2.8", "3.0") else None
    assert [(one.rule, one.variant) for one in timeline.told(UncleanSettingNotRead)] == (
        [] if elects else [("KAFKA-12670", waits)]
    )


@pytest.mark.parametrize("setting", [True, False])
@pytest.mark.parametrize("kafka", ["3.3", "3.7", "3.9"])
def test_an_administrator_s_request_elects_uncleanly_whatever_the_setting_says(kafka, setting):
    by_itself = setting and kafka == "3.9"
    timeline = ran(*ONE_AFTER_THE_OTHER, kafka=kafka, control="kraft", configs={UNCLEAN: setting})

    if not by_itself:
        timeline.do({"elect": {"partition": "t-0", "kind": "unclean"}})

    elected = timeline.told(LeaderElected)
    assert timeline.leader == 2
    assert [one.variant for one in elected] == ["unclean"]


NOT_UNDER_KRAFT_YET = [
    ("KAFKA-13162", {"elect": {"partition": "t-0", "kind": "unclean"}}, "2.8", False),
    ("KAFKA-13162", {"elect": {"partition": "t-0", "kind": "unclean"}}, "3.0", False),
    ("KAFKA-13162", {"elect": {"partition": "t-0", "kind": "unclean"}}, "3.3", True),
    ("KAFKA-12803", {"reassign": {"partition": "t-0", "replicas": [2, 1]}}, "2.8", False),
    ("KAFKA-12803", {"reassign": {"partition": "t-0", "replicas": [2]}}, "2.8", False),
    ("KAFKA-12803", {"reassign": {"partition": "t-0", "replicas": [2, 1]}}, "3.0", True),
    ("KAFKA-13682", {"timer": {"kind": "preferred_leader_check"}}, "3.0", False),
    ("KAFKA-13682", {"timer": {"kind": "preferred_leader_check"}}, "3.3", True),
]


@pytest.mark.parametrize("control", ["kraft", "zookeeper"])
@pytest.mark.parametrize(("rule", "step", "kafka", "known"), NOT_UNDER_KRAFT_YET)
def test_what_early_kraft_clusters_did_not_know_is_refused(rule, step, kafka, known, control):
    timeline = ran(*ONE_AFTER_THE_OTHER, kafka=kafka, control=control)

    if known or control == "zookeeper":
        timeline.do(step)
        return
    with pytest.raises(RefusedError) as refused:
        timeline.do(step)

    assert (refused.value.code, refused.value.rule) == ("unknown_to_kraft", rule)


def test_disabling_unclean_election_elects_no_leader():
    timeline = leaderless("2.8")

    timeline.do({"config": {UNCLEAN: False}})

    assert timeline.leader == -1


@pytest.mark.parametrize(
    ("kafka", "percentage", "leader"), [("2.8", 49, 1), ("2.8", 50, 2), ("3.9", 50, 1)]
)
def test_zookeeper_balances_leaders_only_above_the_percentage(kafka, percentage, leader):
    timeline = ran(
        *down(1),
        {"start": {"broker": 1}},
        SETTLE,
        {"elect": {"partition": "t-1", "kind": "preferred"}},
        kafka=kafka,
        partitions=2,
        configs={"leader.imbalance.per.broker.percentage": percentage},
    )
    assert timeline.leader == 2

    timeline.do({"timer": {"broker": 1, "kind": "preferred_leader_check"}})

    assert timeline.leader == leader


@pytest.mark.parametrize(("kafka", "leader"), [("3.9", 1), ("4.0", 2)])
def test_from_4_0_a_broker_that_registers_leaves_the_isr(kafka, leader):
    """`handleBrokerShutdown`: the last ISR member returns, and while it is still fenced, another
    replica is elected uncleanly, which was not allowed before.
    """
    timeline = leaderless(kafka)

    timeline.do({"config": {UNCLEAN: True}}, {"start": {"broker": 1}})

    assert timeline.leader == leader


@pytest.mark.parametrize(
    ("kafka", "control", "leader"),
    [
        ("1.1", "zookeeper", 2),
        ("3.3", "zookeeper", 2),
        ("3.4.1", "zookeeper", 1),
        ("3.3", "kraft", 1),
    ],
)
def test_up_to_3_3_zookeeper_restores_no_preferred_leader_during_a_reassignment(
    kafka, control, leader
):
    """KAFKA-10149: of any partition, here of another one."""
    timeline = ran(
        *down(1),
        {"start": {"broker": 1}},
        SETTLE,
        {"reassign": {"partition": "t-1", "replicas": [1]}},
        SETTLE,
        {"isolate": {"broker": 2, "from": "brokers"}},
        {"reassign": {"partition": "t-1", "replicas": [2]}},
        {"timer": {"kind": "preferred_leader_check"}},
        kafka=kafka,
        control=control,
        partitions=2,
        configs={"leader.imbalance.per.broker.percentage": 0, "replica.lag.time.max.ms": 300_000},
    )

    assert timeline.leader == leader


def test_a_broker_that_shuts_down_is_not_elected_under_zookeeper():
    """`ControllerContext.liveBrokerIds` has no brokers that are shutting down."""
    timeline = ran(*down(1), kafka="2.8", control="zookeeper")
    cluster = timeline.cluster
    stopping = perform(cluster, BeginShutdown(broker=B2), FrameNumber(0)).cluster

    outcome = stopping.controller_kind.elect_on_request(
        stopping.situation(), PARTITION, unclean=True
    )

    assert stopping.controller.broker(B2).in_controlled_shutdown
    assert outcome is None


def test_a_zookeeper_controller_refuses_a_request_of_an_earlier_start():
    timeline = ran({"produce": {"to": "t-0", "values": ["m1"]}}, kafka="2.8", control="zookeeper")
    cluster = timeline.cluster
    before = cluster.controller.partition(PARTITION)

    error, outcome = cluster.controller_kind.respond_to_alter_partition(
        cluster.situation(),
        PARTITION,
        before.leader,
        AlterPartitionRequest(
            leader_epoch=before.leader_epoch,
            partition_epoch=before.partition_epoch,
            new_isr=(before.leader,),
            broker_epochs=None,
            leader_recovery_state="RECOVERED",
            broker_epoch=cluster.controller.broker(before.leader).broker_epoch - 1,
        ),
    )

    assert (error, outcome) == (ErrorCode.STALE_BROKER_EPOCH, None)


@pytest.mark.parametrize(("kafka", "leader"), [("0.9", 2), ("1.1", 2), ("3.9", -1)])
def test_the_failure_of_any_broker_elects_for_every_partition_without_a_leader(kafka, leader):
    """`KafkaController.onBrokerFailure` tries all of them, and reads the setting of the topic
    again; a KRaft controller waits for its next check.
    """
    timeline = run(
        *ONE_AFTER_THE_OTHER,
        kafka=kafka,
        brokers=(1, 2, 3),
        replicas=(1, 2),
        configs={UNCLEAN: False},
    )
    timeline.do({"config": {"topic": "t", UNCLEAN: True}})
    assert timeline.leader == -1

    timeline.do(*down(3))

    assert timeline.leader == leader


@pytest.mark.parametrize(("kafka", "leader"), [("0.8.2", 3), ("0.9", 3), ("0.10", 2), ("3.9", 2)])
def test_a_stopping_leader_is_followed_by_the_first_of_the_isr_up_to_0_9(kafka, leader):
    timeline = run(
        {"shutdown": {"broker": 1}},
        kafka=kafka,
        control="zookeeper",
        partition={"leader": 1, "isr": [1, 3, 2]},
    )

    assert timeline.leader == leader


def test_no_broker_that_is_shutting_down_stays_in_the_isr_of_a_zookeeper_cluster():
    """`ControlledShutdownLeaderSelector` removes all of them. Broker 2 joined the ISR again with a
    fetch on its way out.
    """
    timeline = run(kafka="2.0.1", control="zookeeper")
    controller = timeline.cluster.controller
    stopping = replace(controller.broker(B2), in_controlled_shutdown=True)
    cluster = replace(timeline.cluster, controller=with_broker(controller, stopping))

    moved = perform(cluster, BeginShutdown(broker=B1), FrameNumber(1)).cluster.controller

    assert moved.partition(PARTITION).isr == (3,)
    assert moved.partition(PARTITION).leader == 3


@pytest.mark.parametrize(("kafka", "epoch"), [("3.5", 2), ("3.7", 2), ("3.8", 1), ("4.0", 1)])
def test_from_3_8_only_a_written_shrink_increments_the_epoch_at_an_older_level(kafka, epoch):
    """Broker 1, the only replica, stops: it stays in the ISR (KAFKA-16624)."""
    timeline = run(
        {"shutdown": {"broker": 1}},
        kafka=kafka,
        control="kraft",
        metadata_version="3.5",
        brokers=(1, 2),
        replicas=(1,),
    )

    assert timeline.registration().isr == (1,)
    assert timeline.registration().leader_epoch == epoch


@pytest.mark.parametrize(
    ("kafka", "error"), [("2.8", ErrorCode.INVALID_REQUEST), ("3.0", ErrorCode.FENCED_LEADER_EPOCH)]
)
def test_only_kraft_2_8_asks_who_leads_before_it_compares_epochs(kafka, error):
    """`ReplicationControlManager.alterIsr`, with a request of the leader that was deposed."""
    cluster = run(*down(1), kafka=kafka, control="kraft").cluster

    said, _ = cluster.controller_kind.respond_to_alter_partition(
        cluster.situation(),
        PARTITION,
        B1,
        AlterPartitionRequest(
            leader_epoch=FIRST_EPOCH,
            partition_epoch=0,
            new_isr=(B1,),
            broker_epochs=None,
            leader_recovery_state="RECOVERED",
            broker_epoch=cluster.controller.broker(B1).broker_epoch,
        ),
    )

    assert said is error
