"""A scenario as the text of a file, one step a line, the way the shipped files are written.

What is written reads back as the same scenario. Strings that a YAML reader could take for something
else are quoted as JSON, which YAML understands.
"""

import json
import re
from collections.abc import Mapping

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
    document["topics"] = [_topic(topic) for topic in document["topics"]]
    lines = [f"{key}: {_flow(value)}" for key, value in document.items() if value not in ({}, [])]
    lines.append("steps:" if steps else "steps: []")
    lines += [f"  - {kind}: {_flow(step)}" for one in steps for kind, step in one.items()]
    return "\n".join(lines) + "\n"


def _topic(topic: JsonObject) -> JsonObject:
    """A topic without what a partition begins with anyway."""
    partitions = [
        {
            key: value
            for key, value in partition.items()
            if value != 0 or key not in ("leader_epoch", "partition_epoch")
        }
        for partition in topic["partitions"]
    ]
    configs = {"configs": topic["configs"]} if topic["configs"] else {}
    return {"name": topic["name"], **configs, "partitions": partitions}


def _flow(value: object) -> str:
    """A value on one line."""
    if isinstance(value, Mapping):
        pairs = (f"{_flow(key)}: {_flow(item)}" for key, item in value.items())
        return "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and value.lower() not in _TAKEN:
        return value
    return json.dumps(value, ensure_ascii=False)
