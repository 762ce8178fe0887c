"""A state that brokers were asked for: log ends as they reported them, and no lines to name."""

import pytest

from sim_engine.cluster_import.assembly import assemble
from sim_engine.cluster_import.parsed_state import (
    Origin,
    ParsedLog,
    ParsedPartition,
    ParsedState,
    Partition,
    UnreadableError,
)
from sim_engine.identifiers import BrokerId, LeaderEpoch, Offset

ORDERS = Partition("orders", 0)


def asked(ends: dict[int, int], isr: tuple[int, ...] = (1, 2)) -> ParsedState:
    """Three replicas of orders-0, led by broker 1, with log ends by broker."""
    parsed = ParsedState(live={BrokerId(1), BrokerId(2), BrokerId(3)})
    parsed.partitions[ORDERS] = ParsedPartition(
        replicas=(BrokerId(1), BrokerId(2), BrokerId(3)),
        leader=BrokerId(1),
        isr=tuple(map(BrokerId, isr)),
        leader_epoch=LeaderEpoch(4),
        file="",
    )
    parsed.high_watermarks[ORDERS] = Offset(5)
    for broker, end in ends.items():
        parsed.logs.append(
            ParsedLog(
                partition=ORDERS,
                origin=Origin("", 0, BrokerId(broker)),
                end=Offset(end),
                log_start=Offset(0),
            )
        )
    return parsed


def test_each_log_ends_where_its_broker_says() -> None:
    imported = assemble(asked({1: 7, 2: 5, 3: 2}), kafka="4.1")

    logs = imported.scenario.topics[0].partitions[0].logs
    assert {broker: len(log.records) for broker, log in logs.items()} == {1: 7, 2: 5, 3: 2}
    assert "log_end" not in {statement.name for statement in imported.unknown}
    assert imported.differences == ()


def test_an_impossible_state_is_named_without_a_line() -> None:
    with pytest.raises(UnreadableError) as refused:
        assemble(asked({1: 7, 2: 5, 3: 2}, isr=(2, 3)), kafka="4.1")

    (problem,) = refused.value.problems
    assert problem.file == ""
    assert "orders-0" in problem.message


def test_an_eligible_replica_that_is_down_has_what_is_committed() -> None:
    parsed = asked({1: 7}, isr=(1,))
    about = parsed.partitions[ORDERS]
    about.elr = (BrokerId(2),)
    parsed.live -= {BrokerId(2), BrokerId(3)}
    parsed.topic_configs["orders"] = {"min.insync.replicas": "2"}

    imported = assemble(parsed, kafka="4.1")

    logs = imported.scenario.topics[0].partitions[0].logs
    assert {broker: len(log.records) for broker, log in logs.items()} == {1: 7, 2: 5, 3: 0}


def test_a_leader_that_was_not_reached_has_what_its_isr_has() -> None:
    parsed = asked({2: 6, 3: 9})
    del parsed.high_watermarks[ORDERS]

    imported = assemble(parsed, kafka="4.1")

    logs = imported.scenario.topics[0].partitions[0].logs
    assert {broker: len(log.records) for broker, log in logs.items()} == {1: 6, 2: 6, 3: 9}
