"""Submitted scenarios whose runs are as short as those of lessons.

This is an estimate from the document, which has not been checked yet. Work that takes longer than
it suggests is given up: see `backend.brief_work`.
"""

import re
from collections.abc import Iterator, Mapping

from backend.sessions.step_time import LONG_MS, passing_ms

# No lesson has as many.
_MOST_REPLICAS = 16
_MOST_STEPS = 150
_MOST_CHARACTERS_OF_LOGS = 1000
# `x*1000` stands for a thousand records.
_MANY_RECORDS = re.compile(r"\*\s*\d{3}")


def is_small(scenario: object) -> bool:
    """Whether a submitted scenario describes a small cluster with short logs, in which little
    happens in little time. False if it has another form than a scenario.
    """
    if not isinstance(scenario, Mapping):
        return False
    steps = scenario.get("steps", [])
    if not isinstance(steps, list) or len(steps) > _MOST_STEPS or passing_ms(steps) > LONG_MS:
        return False
    partitions = list(_partitions(scenario))
    replicas = [_replicas(partition) for partition in partitions]
    brokers = scenario.get("brokers")
    return (
        isinstance(brokers, list)
        and len(brokers) <= _MOST_REPLICAS
        and None not in replicas
        and sum(filter(None, replicas)) <= _MOST_REPLICAS
    )


def _partitions(scenario: Mapping[str, object]) -> Iterator[object]:
    topics = scenario.get("topics")
    for topic in topics if isinstance(topics, list) else [None]:
        partitions = topic.get("partitions") if isinstance(topic, Mapping) else None
        yield from partitions if isinstance(partitions, list) else [None]


def _replicas(partition: object) -> int | None:
    """The number of replicas of a partition; None if it has long logs or another form."""
    if not isinstance(partition, Mapping) or not _are_short(partition.get("logs", {})):
        return None
    replicas = partition.get("replicas")
    return len(replicas) if isinstance(replicas, list) else None


def _are_short(logs: object) -> bool:
    text = str(logs)
    return len(text) <= _MOST_CHARACTERS_OF_LOGS and _MANY_RECORDS.search(text) is None
