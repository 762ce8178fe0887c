"""A scenario as the text of a file, one step and one log a line, as the shipped files are written.

What is written reads back as the same scenario. Strings that a YAML reader could take for something
else are quoted as JSON, which YAML understands.
"""

import json
import re
from collections.abc import Iterator, Mapping

from sim_engine.json_types import JsonObject
from sim_engine.scenario_reader.document import Scenario
from sim_engine.scenario_reader.to_document import scenario_document

_PLAIN = re.compile("[A-Za-z_][A-Za-z0-9_.-]*")
_TAKEN = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def scenario_text(scenario: Scenario) -> str:
    """The scenario as YAML. What stands at its default is left out."""
    document = scenario_document(scenario)
    steps = document.pop("steps")
    titles = set(document["title"].values())
    if len(titles) == 1:
        document["title"] = titles.pop()
    if not any(document["summary"].values()):
        del document["summary"]
    topics = document.pop("topics")
    lines = [f"{key}: {_flow(value)}" for key, value in document.items() if value not in ({}, [])]
    lines.append("topics:")
    lines += [line for topic in topics for line in _topic_lines(_topic(topic))]
    lines.append("steps:" if steps else "steps: []")
    lines += [f"  - {kind}: {_flow(step)}" for one in steps for kind, step in one.items()]
    return "\n".join(lines) + "\n"


def _topic(topic: JsonObject) -> JsonObject:
    """A topic without what a partition begins with anyway."""
    partitions = [_partition(partition) for partition in topic["partitions"]]
    configs = {"configs": topic["configs"]} if topic["configs"] else {}
    return {"name": topic["name"], **configs, "partitions": partitions}


def _partition(partition: JsonObject) -> JsonObject:
    kept = {
        key: value
        for key, value in partition.items()
        if value != 0 or key not in ("leader_epoch", "partition_epoch")
    }
    if "logs" in kept:
        kept["logs"] = {
            broker: {key: value for key, value in log.items() if value != 0 or key != "log_start"}
            for broker, log in kept["logs"].items()
        }
    return kept


def _topic_lines(topic: JsonObject) -> Iterator[str]:
    """A topic on one line; with a line for each log where it starts with some."""
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
    """A key; a broker's id is a number, as in the shipped files."""
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
