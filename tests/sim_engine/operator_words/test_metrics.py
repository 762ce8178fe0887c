"""The metrics of a state, in cases whose values were worked out by hand from Kafka's rules."""

from msgspec.structs import replace

from sim_engine.cluster.state import ClusterState
from sim_engine.documents.operator_words import OperatorMetric, frame_words, operator_words
from sim_engine.identifiers import BrokerId, FrameNumber
from sim_engine.operator_words.metrics import METRICS
from sim_engine.releases import MODELLED
from sim_engine.scenario_reader.reader import read_scenario_document
from sim_engine.simulation.timeline import Timeline
from sim_engine.versions import controls_of
from tests.sim_engine.builders import PARTITION, change_replica, log

TWO_AND_THREE = {
    "scenario": 1,
    "id": "words",
    "brokers": [1, 2, 3],
    "configs": {"min.insync.replicas": 2},
    "topics": [{"name": "t", "partitions": [{"replicas": [1, 2, 3]}]}],
}


def after(*steps: object, kafka: str, control: str | None = None, **changes: object) -> Timeline:
    document = {**TWO_AND_THREE, "kafka": kafka, "steps": list(steps), **changes}
    if control is not None:
        document["control"] = control
    timeline = Timeline(read_scenario_document(document))
    timeline.run_all()
    return timeline


def metrics(timeline: Timeline) -> dict[str, OperatorMetric]:
    return {metric.name: metric for metric in frame_words(timeline, timeline.head).metrics}


def values(timeline: Timeline, name: str) -> dict[int | None, int]:
    return {one.broker: one.value for one in metrics(timeline)[name].values}


def note(timeline: Timeline, name: str) -> str | None:
    said = metrics(timeline)[name].note
    return None if said is None else said["en"]


FALL_TO_ONE = (
    {"crash": {"broker": 2}},
    {"detect": {"broker": 2}},
    {"crash": {"broker": 3}},
    {"detect": {"broker": 3}},
)


def test_the_leader_counts_a_partition_whose_isr_has_shrunk():
    timeline = after(*FALL_TO_ONE[:2], kafka="3.9")

    assert values(timeline, "UnderReplicatedPartitions") == {1: 1, 3: 0}
    assert values(timeline, "AtMinIsrPartitionCount") == {1: 1, 3: 0}
    assert values(timeline, "UnderMinIsrPartitionCount") == {1: 0, 3: 0}
    assert values(timeline, "FencedBrokerCount") == {None: 1}
    assert values(timeline, "ActiveBrokerCount") == {None: 2}


def test_a_partition_without_a_leader_is_in_no_leaders_count():
    timeline = after(*FALL_TO_ONE, {"crash": {"broker": 1}}, {"detect": {"broker": 1}}, kafka="3.9")

    found = metrics(timeline)

    assert values(timeline, "OfflinePartitionsCount") == {None: 1}
    assert found["OfflinePartitionsCount"].value["en"] == "1 on the controller"
    assert found["UnderReplicatedPartitions"].says == "misses"
    assert note(timeline, "UnderReplicatedPartitions") == "not in it: no leader"
    assert values(timeline, "UnderReplicatedPartitions") == {}


def test_a_leader_that_is_down_is_not_counted_before_the_controller_notices():
    timeline = after({"crash": {"broker": 1}}, kafka="3.9")

    assert values(timeline, "OfflinePartitionsCount") == {None: 0}
    assert note(timeline, "OfflinePartitionsCount") == (
        "not in it: the controller has not noticed that leader 1 does not run"
    )
    assert note(timeline, "ActiveBrokerCount") == "broker 1 is down, but its session has not ended"


def test_a_follower_that_is_down_is_in_no_metric_while_it_is_in_the_isr():
    timeline = after({"crash": {"broker": 3}}, kafka="3.9")

    assert values(timeline, "UnderReplicatedPartitions") == {1: 0, 2: 0}
    assert note(timeline, "UnderReplicatedPartitions") == (
        "not in it: broker 3 is down but still in the ISR"
    )
    assert note(timeline, "MaxLag") == "broker 3 would report it, and is down"
    assert note(timeline, "OfflineReplicaCount") == (
        "counts failed log directories, not broker 3, which is down"
    )


def test_from_3_7_a_partition_with_fewer_replicas_than_min_insync_replicas_is_at_its_minimum():
    one = [{"name": "t", "partitions": [{"replicas": [1]}]}]
    before, since = (after(kafka=kafka, topics=one) for kafka in ("3.6", "3.7"))

    assert values(before, "UnderMinIsrPartitionCount")[1] == 1
    assert values(since, "UnderMinIsrPartitionCount")[1] == 0
    assert values(since, "AtMinIsrPartitionCount")[1] == 1


def test_a_leader_that_was_deposed_without_knowing_it_counts_the_partition_too():
    timeline = after(
        {"isolate": {"broker": 1, "from": "controller"}}, {"detect": {"broker": 1}}, kafka="3.9"
    )

    assert values(timeline, "UnderReplicatedPartitions") == {1: 0, 2: 1, 3: 0}


def test_a_replica_that_a_reassignment_adds_is_not_missing_from_2_5_on():
    move = {"reassign": {"partition": "t-0", "replicas": [1, 2, 4]}}
    before, since = (
        after(move, kafka=kafka, brokers=[1, 2, 3, 4], control="zookeeper")
        for kafka in ("2.4", "2.5")
    )

    assert values(before, "UnderReplicatedPartitions")[1] == 1
    assert "ReassigningPartitions" not in metrics(before)
    assert values(since, "UnderReplicatedPartitions")[1] == 0
    assert values(since, "ReassigningPartitions")[1] == 1


def test_meters_count_the_events_of_the_run_and_show_those_of_the_step():
    lag = {"advance": {"ms": 46_000}}
    shrunk = after({"produce": {"to": "t-0", "values": ["m1"], "acks": 1}}, lag, kafka="2.6")

    meter = metrics(shrunk)["IsrShrinksPerSec"]
    later = Timeline(read_scenario_document({**TWO_AND_THREE, "kafka": "2.6", "steps": []}))
    later.run_all()

    assert values(shrunk, "IsrShrinksPerSec") == {1: 1, 2: 0, 3: 0}
    assert meter.says == "shows"
    assert metrics(later)["IsrShrinksPerSec"].says == "quiet"


def test_unclean_elections_are_counted_under_kraft_from_3_9_on():
    lost = (
        *FALL_TO_ONE,
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"start": {"broker": 3}},
    )
    unclean = {"unclean.leader.election.enable": True, "min.insync.replicas": 2}

    old = after(*lost, kafka="2.8", configs=unclean)
    new = after(*lost, kafka="3.9", configs=unclean)
    between = metrics(after(*lost[:1], kafka="3.8", configs=unclean))

    assert values(old, "UncleanLeaderElectionsPerSec") == {None: 1}
    assert values(new, "UncleanLeaderElectionsPerSec") == {None: 1}
    assert "UncleanLeaderElectionsPerSec" not in between


def test_a_meter_begins_at_zero_with_its_process():
    lag = {"advance": {"ms": 46_000}}
    produce = {"produce": {"to": "t-0", "values": ["m1"], "acks": 1}}
    timeline = after(produce, lag, {"crash": {"broker": 1}}, {"boot": {"broker": 1}}, kafka="2.6")

    assert values(timeline, "IsrShrinksPerSec")[1] == 0


def test_without_a_history_nothing_is_counted():
    cluster: ClusterState = after(kafka="4.1").frames[FrameNumber(0)].cluster

    assert {metric.counts for metric in operator_words(cluster).metrics} == {"now"}


def test_every_release_reports_exactly_the_metrics_of_its_periods():
    reported = {
        (kafka, control): {
            metric.name
            for metric in frame_words(after(kafka=kafka, control=control), FrameNumber(0)).metrics
        }
        for kafka in ("0.8.2", "1.0", "2.8", "3.0", "3.9", "4.0", "4.1", MODELLED[-1])
        for control in controls_of(kafka)
    }

    assert "UnderMinIsrPartitionCount" not in reported["0.8.2", "zookeeper"]
    assert "LeaderElectionRateAndTimeMs" in reported["3.9", "zookeeper"]
    assert "LeaderElectionRateAndTimeMs" not in reported["3.9", "kraft"]
    assert "OfflinePartitionsCount" not in reported["2.8", "kraft"]
    assert "ElectionFromEligibleLeaderReplicasPerSec" not in reported["4.0", "kraft"]
    assert set().union(*reported.values()) == METRICS.keys()
    assert reported["4.1", "kraft"] == METRICS.keys() - {"LeaderElectionRateAndTimeMs"}


def test_lag_is_counted_to_the_high_watermark_and_only_by_followers_that_have_fetched():
    state = after(kafka="3.9").frames[FrameNumber(0)].cluster
    state = change_replica(state, 1, log=log("m1/0 m2/0 m3/0"), high_watermark=2)
    for broker, has_fetched in ((2, True), (3, False)):
        fetcher = state.replica(BrokerId(broker), PARTITION).fetcher
        assert fetcher is not None
        state = change_replica(
            state, broker, log=log("m1/0"), fetcher=replace(fetcher, has_fetched=has_fetched)
        )

    (lag,) = (metric for metric in operator_words(state).metrics if metric.name == "MaxLag")

    assert {one.broker: one.value for one in lag.values} == {1: 0, 2: 1, 3: 0}
    assert lag.value["en"] == "1 on broker 2"
