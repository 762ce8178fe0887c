"""Kafka's settings: names, types, ranges, levels, and defaults that changed between releases."""

import pytest

from sim_engine.configs import (
    INT_MAX,
    LONG_MAX,
    WrongConfigError,
    check_config,
    client_defaults,
    default_of,
    effective_configs,
    exists_in,
    setting_names,
)
from sim_engine.versions import PROFILE_NAMES
from tests.tables import for_each


@pytest.mark.parametrize(
    ("name", "kafka", "default"),
    [
        ("replica.lag.time.max.ms", "2.1", 10_000),
        ("replica.lag.time.max.ms", "2.8", 30_000),
        ("unclean.leader.election.enable", "0.10.2", True),
        ("unclean.leader.election.enable", "0.11", False),
        ("zookeeper.session.timeout.ms", "2.1", 6_000),
        ("zookeeper.session.timeout.ms", "3.9", 18_000),
        ("broker.session.timeout.ms", "3.9", 9_000),
        ("min.insync.replicas", "3.9", 1),
        ("flush.messages", "3.9", LONG_MAX),
        ("auto.leader.rebalance.enable", "0.8.1", False),
        ("auto.leader.rebalance.enable", "0.8.2", True),
        ("controlled.shutdown.enable", "0.8.1", False),
        ("controlled.shutdown.enable", "0.8.2", True),
        ("replica.lag.max.messages", "0.8.2", 4_000),
        ("replica.lag.time.max.ms", "0.8.2", 10_000),
        ("replica.lag.time.max.ms", "2.4", 10_000),
        ("replica.lag.time.max.ms", "2.5", 30_000),
        ("unclean.leader.election.enable", "0.8.2", True),
        ("zookeeper.session.timeout.ms", "2.4", 6_000),
        ("zookeeper.session.timeout.ms", "2.5", 18_000),
        ("broker.heartbeat.interval.ms", "3.3", 2_000),
        ("replica.fetch.wait.max.ms", "0.8.2", 500),
        ("replica.fetch.min.bytes", "0.8.2", 1),
        ("replica.fetch.max.bytes", "3.9", 1_048_576),
        ("replica.fetch.response.max.bytes", "0.10.1", 10_485_760),
        ("replica.fetch.backoff.ms", "0.9", 1_000),
        ("replica.socket.timeout.ms", "0.8.2", 30_000),
        ("replica.high.watermark.checkpoint.interval.ms", "0.8.2", 5_000),
        ("num.replica.fetchers", "0.8.2", 1),
        ("min.insync.replicas", "0.8.2", 1),
        ("default.replication.factor", "0.8.2", 1),
        ("offsets.topic.replication.factor", "0.8.2", 3),
        ("leader.imbalance.check.interval.seconds", "0.8.2", 300),
        ("leader.imbalance.per.broker.percentage", "0.8.2", 10),
        ("log.flush.interval.messages", "0.8.2", LONG_MAX),
        ("log.flush.scheduler.interval.ms", "0.8.2", LONG_MAX),
        ("log.flush.offset.checkpoint.interval.ms", "0.8.2", 60_000),
        ("log.flush.start.offset.checkpoint.interval.ms", "0.11", 60_000),
        ("controlled.shutdown.max.retries", "0.8.2", 3),
        ("controlled.shutdown.retry.backoff.ms", "0.8.2", 5_000),
    ],
)
def test_a_default_is_that_of_the_release(name, kafka, default):
    assert default_of(name, kafka) == default


@pytest.mark.parametrize(
    ("name", "without", "with_it"),
    [
        ("min.insync.replicas", "0.8.1", "0.8.2"),
        ("auto.leader.rebalance.enable", "0.8.0", "0.8.1"),
        ("replica.lag.max.messages", "0.9", "0.8.2"),
        ("replica.fetch.backoff.ms", "0.8.2", "0.9"),
        ("replica.fetch.response.max.bytes", "0.9", "0.10.1"),
        ("log.flush.start.offset.checkpoint.interval.ms", "0.10.2", "0.11"),
        ("broker.session.timeout.ms", "2.7", "2.8"),
        ("zookeeper.session.timeout.ms", "4.0", "3.9"),
    ],
)
def test_a_setting_exists_in_the_releases_that_have_it(name, without, with_it):
    assert not exists_in(name, without)
    assert exists_in(name, with_it)


@for_each("kafka", PROFILE_NAMES)
def test_every_default_of_a_profile_is_a_value_that_it_takes(kafka):
    for name in (name for name in setting_names("broker") if exists_in(name, kafka)):
        value = default_of(name, kafka)

        assert check_config(name, value, level="broker", kafka=kafka) == value


def test_clients_defaults_are_those_of_the_release():
    old, new = (client_defaults("producer", kafka) for kafka in ("2.0.1", "3.0"))

    assert (old["acks"], old["enable.idempotence"], old["retries"]) == ("1", False, 0)
    assert (new["acks"], new["enable.idempotence"], new["retries"]) == ("all", True, INT_MAX)
    assert "delivery.timeout.ms" not in old
    assert new["delivery.timeout.ms"] == 120_000
    assert "enable.idempotence" not in client_defaults("producer", "0.10.2")
    assert client_defaults("consumer", "0.10.2") == {"auto.offset.reset": "latest"}


def test_a_topic_wins_over_the_cluster_and_the_cluster_over_the_default():
    configs = effective_configs(
        "3.9",
        "kraft",
        {"min.insync.replicas": 2, "replica.fetch.backoff.ms": 300},
        {"min.insync.replicas": 3, "flush.messages": 1},
    )

    assert configs["min.insync.replicas"] == 3
    assert configs["replica.fetch.backoff.ms"] == 300
    assert configs["log.flush.interval.messages"] == 1
    assert configs["replica.lag.time.max.ms"] == 30_000


def test_what_a_release_or_its_controller_does_not_know_is_left_out():
    zookeeper = effective_configs("0.10.2", "zookeeper", {"broker.session.timeout.ms": 1})
    kraft = effective_configs("3.9", "kraft", {"zookeeper.session.timeout.ms": 1})

    assert "broker.session.timeout.ms" not in zookeeper
    assert "zookeeper.session.timeout.ms" not in kraft
    assert "replica.lag.max.messages" not in zookeeper


@pytest.mark.parametrize("level", ["broker", "topic"])
def test_every_default_is_a_value_that_the_setting_may_have(level):
    for name in (name for name in setting_names(level) if exists_in(name, "3.9")):
        value = default_of(name, "3.9")

        assert check_config(name, value, level=level, kafka="3.9") == value


@pytest.mark.parametrize(
    ("name", "value", "level", "kafka", "message"),
    [
        ("replica.lag.max.ms", 1, "broker", "3.9", "there is no setting replica.lag.max.ms"),
        ("max.block.ms", 1, "broker", "3.9", "max.block.ms is left out of Highwater"),
        ("replica.fetch.wait.max.ms", 1, "topic", "3.9", "a setting of brokers, not of a topic"),
        ("log.flush.interval.messages", 1, "topic", "3.9", "for a topic it is flush.messages"),
        ("flush.messages", 0, "topic", "3.9", "from 1 to 9223372036854775807, not 0"),
        ("broker.session.timeout.ms", 1, "broker", "2.1", "exists since Kafka 2.8, this is 2.1"),
        ("zookeeper.session.timeout.ms", 1, "broker", "4.0", "was removed in Kafka 4.0"),
        ("request.timeout.ms", 10**30, "broker", "3.9", "a number of more than 20 digits"),
        ("request.timeout.ms", 1.0, "broker", "3.9", "must be an integer"),
    ],
)
def test_a_wrong_setting_is_told_what_would_be_right(name, value, level, kafka, message):
    with pytest.raises(WrongConfigError, match=message):
        check_config(name, value, level=level, kafka=kafka)


@pytest.mark.parametrize("value", [LONG_MAX, int(float(LONG_MAX)), 9223372036854776000])
def test_the_largest_number_is_also_taken_as_javascript_rounds_it(value):
    name = "log.flush.interval.messages"

    assert check_config(name, value, level="broker", kafka="3.9") == LONG_MAX
    with pytest.raises(WrongConfigError, match="must be from 1 to 9223372036854775807"):
        check_config(name, 9223372036854777000, level="broker", kafka="3.9")
