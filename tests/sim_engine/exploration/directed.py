"""Schedules for the goals that random schedules rarely reach.

In 2,000 random schedules each of these goals is reached fewer than twenty times: a consumer has to
read on after what it read is gone, an epochless follower has to be ahead of its leader, a
transaction has to end where nothing has befallen its partition. None is out of reach.
"""

from typing import Any

from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.reader import read_scenario_document
from tests.sim_engine.runs import down


def _schedule(
    name: str, kafka: str, control: str, brokers: list[int], *steps: dict[str, Any], **configs: Any
) -> Scenario:
    return read_scenario_document(
        {
            "scenario": 1,
            "id": name,
            "title": name,
            "kafka": kafka,
            "control": control,
            "brokers": brokers,
            "configs": configs,
            "topics": [{"name": "t", "partitions": [{"replicas": brokers}]}],
            "steps": list(steps),
        }
    )


def _produce(*values: str, **more: Any) -> dict[str, Any]:
    return {"produce": {"to": "t-0", "values": list(values), "as": "p1", **more}}


_CONSUME = {"consume": {"partition": "t-0", "as": "c1"}}

DIRECTED: dict[str, Scenario] = {
    "a transaction is committed": _schedule(
        "commit",
        "3.6",
        "kraft",
        [1],
        {"transaction": {"as": "p1", "do": "begin"}},
        _produce("m1", acks="all"),
        {"transaction": {"as": "p1", "do": "commit"}},
    ),
    "a consumer's log was truncated": _schedule(
        "truncated-consumer",
        "4.0",
        "kraft",
        [1, 2],
        *down(2),
        _produce("m1", acks="all"),
        _CONSUME,
        *down(1),
        {"start": {"broker": 2}},
        {"elect": {"partition": "t-0", "kind": "unclean"}},
        _CONSUME,
        **{"unclean.leader.election.enable": True},
    ),
    "a consumer is out of range": _schedule(
        "consumer-ahead",
        "1.1",
        "zookeeper",
        [1, 2],
        *down(2),
        _produce("m1", acks="all"),
        _CONSUME,
        *down(1),
        {"start": {"broker": 2}},
        _CONSUME,
        **{"unclean.leader.election.enable": True},
    ),
    "a broker exits": _schedule(
        "follower-ahead",
        "0.10.2",
        "zookeeper",
        [1, 2],
        _produce("m1", "m2", acks="all"),
        {"settle": {}},
        {"power_loss": {"broker": 1}},
        {"boot": {"broker": 1}},
        {"reassign": {"partition": "t-0", "replicas": [2, 1]}},
        {"fetch": {"broker": 2}},
        **{"unclean.leader.election.enable": False},
    ),
    "an election from the ELR": _schedule(
        "eligible",
        "4.1",
        "kraft",
        [1, 2],
        {"shutdown": {"broker": 2}},
        *down(1),
        {"start": {"broker": 2}},
        **{"min.insync.replicas": 2},
    ),
}
"""By goal."""
