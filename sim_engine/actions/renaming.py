"""Steps about a partition under a different name: what was computed on `t-0` is shown on the
reader's partition.
"""

from collections.abc import Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import fields, replace

from sim_engine.identifiers import TopicPartition, topic_of

_Step = TypeVar("_Step", bound=Struct)


def renamed(step: _Step, before: TopicPartition, after: TopicPartition) -> _Step:
    """The same step; one that is about neither the partition nor its topic is returned as it is."""
    changed: dict[str, object] = {}
    for field in fields(step):
        value = getattr(step, field.name)
        if isinstance(value, Mapping) and before in value:
            changed[field.name] = {after if key == before else key: of for key, of in value.items()}
        elif value == before:
            changed[field.name] = after
        elif field.name == "topic" and value == topic_of(before):
            changed[field.name] = topic_of(after)
    return replace(step, **changed) if changed else step
