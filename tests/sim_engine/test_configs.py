"""Kafka's settings: names, types, ranges, levels, and defaults that moved between releases."""

import pytest

from sim_engine.configs import (
    LONG_MAX,
    WrongConfigError,
    check_config,
    default_of,
    effective_configs,
    setting_names,
)


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
        ("auto.leader.rebalance.enable", "2.0.1", True),
    ],
)
def test_a_default_is_that_of_the_release(name, kafka, default):
    assert default_of(name, kafka) == default


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
    for name in setting_names(level, "3.9"):
        value = default_of(name, "3.9")

        assert check_config(name, value, level=level, kafka="3.9") == value


@pytest.mark.parametrize(
    ("name", "value", "level", "kafka", "message"),
    [
        ("max.block.ms", 1, "broker", "3.9", "there is no setting max.block.ms"),
        ("replica.fetch.wait.max.ms", 1, "topic", "3.9", "a setting of brokers, not of a topic"),
        ("log.flush.interval.messages", 1, "topic", "3.9", "for a topic it is flush.messages"),
        ("flush.messages", 0, "topic", "3.9", "from 1 to 9223372036854775807, not 0"),
        ("broker.session.timeout.ms", 1, "broker", "2.1", "exists since Kafka 2.8, this is 2.1"),
        ("zookeeper.session.timeout.ms", 1, "broker", "4.0", "was removed in Kafka 4.0"),
        ("request.timeout.ms", 10**30, "broker", "3.9", "a number of more than 20 digits"),
        ("request.timeout.ms", 1.0, "broker", "3.9", "is a whole number"),
    ],
)
def test_a_wrong_setting_is_told_what_would_be_right(name, value, level, kafka, message):
    with pytest.raises(WrongConfigError, match=message):
        check_config(name, value, level=level, kafka=kafka)
