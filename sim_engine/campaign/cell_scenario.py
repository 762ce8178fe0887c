"""The initial cluster of a run, as a scenario."""

from typing import Final

from sim_engine.campaign.grid import Cell
from sim_engine.identifiers import TopicPartition
from sim_engine.json_types import JsonObject

PARTITION: Final = TopicPartition("t-0")
"""A run has one partition, because partitions replicate independently of each other."""


def start_document(cell: Cell, *, name: str, title: str, latency_seed: int) -> JsonObject:
    """A scenario document without steps: one partition with a replica on each broker."""
    brokers = list(range(1, cell.replication_factor + 1))
    control = {"control": cell.control} if cell.control else {}
    return {
        "scenario": 1,
        "id": name,
        "title": title,
        "kafka": cell.kafka,
        **control,
        "rules": dict(cell.rules),
        "seed": latency_seed,
        "brokers": brokers,
        "configs": dict(cell.configs),
        "topics": [{"name": "t", "partitions": [{"replicas": brokers}]}],
        "steps": [],
    }
