"""Writes a scenario as YAML, with each step and each log on one line, like the shipped files.

Reading the text gives the same scenario. Strings that YAML could interpret differently are quoted
as JSON, which is valid YAML.
"""

import json
import re
from collections.abc import Iterator, Mapping

from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.scenario_json import (
    LogJson,
    PartitionJson,
    ScenarioJson,
    TopicJson,
)
from sim_engine.scenario_reader.to_document import scenario_document

_PLAIN = re.compile("[A-Za-z_][A-Za-z0-9_.-]*")
_TAKEN = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def scenario_text(scenario: Scenario) -> str:
    """The scenario as YAML. Values equal to their defaults are omitted."""
    document = scenario_document(scenario)
    lines = [f"{key}: {_flow(value)}" for key, value in _head(document)]
    lines.append("topics:")
    lines += [line for topic in document["topics"] for line in _topic_lines(_topic(topic))]
    steps = document["steps"]
    lines.append("steps:" if steps else "steps: []")
    lines += [f"  - {kind}: {_flow(step)}" for one in steps for kind, step in one.items()]
    return "\n".join(lines) + "\n"


def _head(document: ScenarioJson) -> Iterator[tuple[str, object]]:
    """Everything before the topics. A title that is the same in every language is a single text."""
    for key, value in document.items():
        if key == "title" and len(set(document["title"].values())) == 1:
            yield key, next(iter(document["title"].values()))
        elif key == "summary" and not any(document["summary"].values()):
            continue
        elif key not in ("topics", "steps") and value not in ({}, []):
            yield key, value


def _topic(topic: TopicJson) -> TopicJson:
    """A topic without its defaults."""
    kept = topic.copy()
    kept["partitions"] = [_partition(partition) for partition in topic["partitions"]]
    if not kept.get("configs"):
        kept.pop("configs", None)
    return kept


def _partition(partition: PartitionJson) -> PartitionJson:
    kept = partition.copy()
    if kept.get("leader_epoch") == 0:
        del kept["leader_epoch"]
    if kept.get("partition_epoch") == 0:
        del kept["partition_epoch"]
    if "logs" in kept:
        kept["logs"] = {broker: _log(log) for broker, log in kept["logs"].items()}
    return kept


def _log(log: LogJson) -> LogJson:
    kept = log.copy()
    if kept.get("log_start") == 0:
        del kept["log_start"]
    return kept


def _topic_lines(topic: TopicJson) -> Iterator[str]:
    """A topic on one line; with initial logs, one line for each log."""
    if not any("logs" in partition for partition in topic["partitions"]):
        yield f"  - {_flow(topic)}"
        return
    yield f"  - name: {_flow(topic['name'])}"
    if "configs" in topic:
        yield f"    configs: {_flow(topic['configs'])}"
    yield "    partitions:"
    for partition in topic["partitions"]:
        logs = partition.get("logs", {})
        start = "      - "
        for key, value in partition.items():
            if key != "logs":
                yield f"{start}{key}: {_flow(value)}"
                start = "        "
        if logs:
            yield "        logs:"
            yield from (f"          {broker}: {_flow(log)}" for broker, log in logs.items())


def _key(key: str) -> str:
    """A key; a broker's id is written as a number, as in the shipped files."""
    return key if key.isdigit() and key.isascii() else _flow(key)


def _flow(value: object) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        pairs = (f"{_key(key)}: {_flow(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _TAKEN:
        return value
    return json.dumps(value, ensure_ascii=False)
