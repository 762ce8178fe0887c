"""Printed states of a partition, as an import gives them."""

from typing import Any

from sim_engine.documents.assessment import KnownLoss, KnownLosses
from sim_engine.identifiers import Acks, TopicPartition
from sim_engine.known_losses.entries import known_losses_for
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_scenario_document

NAME = TopicPartition("payments-0")
DOWN = {"state": "stopped"}


def printed(
    kafka: str,
    brokers: dict[int, Any],
    *,
    min_isr: int = 1,
    configs: dict[str, Any] | None = None,
    control: str | None = None,
    **partition: Any,
) -> Scenario:
    """A cluster with one partition, whose replicas are all brokers unless it says otherwise."""
    return read_scenario_document(
        {
            "scenario": 1,
            "id": "printed",
            "kafka": kafka,
            "brokers": {str(broker): about for broker, about in brokers.items()},
            "configs": {
                "min.insync.replicas": min_isr,
                "unclean.leader.election.enable": False,
                **(configs or {}),
            },
            **({} if control is None else {"control": control}),
            "topics": [
                {"name": "payments", "partitions": [{"replicas": list(brokers), **partition}]}
            ],
            "steps": [],
        }
    )


def healthy(kafka: str, brokers: int = 3, **settings: Any) -> Scenario:
    """Every replica is up and in sync."""
    return printed(kafka, {broker: {} for broker in range(1, brokers + 1)}, **settings)


LAST_KNOWN_IS_UP = printed(
    "4.1",
    {3: {}, 1: DOWN},
    min_isr=2,
    leader=-1,
    leader_epoch=1,
    isr=[],
    elr=[1],
    last_known_elr=[3],
)
ONE_COPY = printed("4.1", {6: {}, 1: DOWN, 2: DOWN}, isr=[6])
WRITES_HAVE_STOPPED = printed("4.1", {5: {}, 6: {}, 1: DOWN}, min_isr=2, isr=[5], elr=[6])
WRITES_HAVE_STOPPED_EARLIER = printed("3.9", {5: {}, 6: {}, 1: DOWN}, min_isr=2, isr=[5])
ONLY_LAST_KNOWN = printed(
    "4.1", {1: DOWN, 2: {}}, min_isr=2, leader=-1, leader_epoch=1, isr=[], last_known_elr=[1]
)
NO_LEADER = printed("3.9", {1: DOWN, 2: {}}, leader=-1, isr=[1])
EVERY_STATE: dict[str, tuple[Scenario, Acks]] = {
    "last known leader up": (LAST_KNOWN_IS_UP, "all"),
    "one copy": (ONE_COPY, "all"),
    "writes have stopped": (WRITES_HAVE_STOPPED, "all"),
    "writes have stopped, 3.9": (WRITES_HAVE_STOPPED_EARLIER, "all"),
    "no leader": (NO_LEADER, "all"),
    "only a last known leader": (ONLY_LAST_KNOWN, "all"),
    "below min.insync.replicas, no ELR": (
        printed("4.1", {1: {}, 2: DOWN, 3: DOWN}, min_isr=2, isr=[1]),
        "all",
    ),
    "healthy 4.3": (healthy("4.3", min_isr=2), "all"),
    "healthy 3.9.0": (healthy("3.9.0", min_isr=2), "all"),
    "a replica behind 3.9.0": (printed("3.9.0", {1: {}, 2: {}, 3: {}}, isr=[1, 2]), "all"),
    "healthy 2.0.0": (healthy("2.0.0"), "all"),
    "healthy 2.1, two": (healthy("2.1", 2), "all"),
    "healthy 0.10.2, two": (healthy("0.10.2", 2), "all"),
    "unclean 0.9.0": (healthy("0.9.0.0", configs={"unclean.leader.election.enable": True}), "all"),
    "unclean 4.1": (healthy("4.1", configs={"unclean.leader.election.enable": True}), "all"),
    "acks=1": (healthy("3.9"), 1),
    "acks=1, writes have stopped": (WRITES_HAVE_STOPPED, 1),
    "acks=1, not preferred": (printed("3.9", {2: {}, 1: {}, 3: {}}, leader=1), 1),
    "four replicas": (healthy("3.9", 4, min_isr=2), "all"),
    "one replica": (healthy("3.9", 1), "all"),
    "not preferred": (printed("4.1", {2: {}, 1: {}, 3: {}}, leader=1, min_isr=2), "all"),
}


def losses(scenario: Scenario, acks: Acks = "all") -> KnownLosses:
    """The known ways to lose of the partition."""
    return known_losses_for(scenario, NAME, acks)


def entry(scenario: Scenario, name: str, acks: Acks = "all") -> KnownLoss:
    """One of the known ways, which has to lose there."""
    return next(one for one in losses(scenario, acks).entries if one.id == name)
