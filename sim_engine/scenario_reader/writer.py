"""Converts a scenario back to plain JSON, in the documented form, and to YAML.

The YAML has each step and each log on one line, like the shipped files. Reading the text gives the
same scenario. Strings that YAML could interpret differently are quoted as JSON, which is valid
YAML.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from sim_engine.budget import go_on
from sim_engine.scenario_reader.document import (
    BrokerJson,
    LogJson,
    LogSpec,
    PartitionJson,
    PartitionSpec,
    RecordSpec,
    Scenario,
    ScenarioJson,
    ScenarioStep,
    StepJson,
    TopicJson,
    TopicSpec,
)

_NUMBERED = re.compile("(?P<prefix>.+?)(?P<number>[1-9][0-9]*)")


def scenario_document(scenario: Scenario) -> ScenarioJson:
    """The document that reads back as an equal scenario."""
    document = {
        "scenario": 1,
        "id": scenario.id,
        "alias": scenario.alias,
        "chapter": scenario.chapter,
        "title": dict(scenario.title),
        "summary": dict(scenario.summary),
        "applies_to": dict(scenario.applies_to) or None,
        "source": list(scenario.source),
        "control_run": scenario.control_run,
        "kafka": scenario.kafka,
        "control": scenario.control,
        **scenario.levels,
        "rules": dict(scenario.rules),
        "seed": scenario.seed,
        "brokers": _brokers(scenario),
        "configs": dict(scenario.configs),
        "topics": [_topic(topic) for topic in scenario.topics],
        "steps": [step_document(step) for step in scenario.steps],
    }
    given = {name: value for name, value in document.items() if value is not None}
    return cast("ScenarioJson", given)


def _brokers(scenario: Scenario) -> list[int] | dict[str, BrokerJson]:
    if not any(broker.rack or broker.configs for broker in scenario.brokers):
        return list(scenario.broker_ids)
    brokers: dict[str, BrokerJson] = {}
    for broker in scenario.brokers:
        written = brokers.setdefault(str(broker.id), {})
        if broker.rack is not None:
            written["rack"] = broker.rack
        if broker.configs:
            written["configs"] = dict(broker.configs)
    return brokers


def step_document(step: ScenarioStep) -> StepJson:
    """One step in the syntax of the file."""
    arguments = step.step.arguments()
    if step.refused is not False:
        arguments["refused"] = step.refused if step.refused is True else list(step.refused)
    return {step.kind: arguments}


def log_line(records: Sequence[RecordSpec]) -> str:
    """Records in one line, with a numbered sequence as `x*20/1`."""
    words: list[str] = []
    index = 0
    while index < len(records):
        record = records[index]
        epoch = "" if record.epoch is None else f"/{record.epoch}"
        run = _numbered_run(records, index)
        if run > 1:
            words.append(f"{record.value[:-1]}*{run}{epoch}")
        else:
            words.append(f"{record.value}{epoch}")
        index += run
    return " ".join(words)


def _numbered_run(records: Sequence[RecordSpec], start: int) -> int:
    """The number of records from a position on that are x1, x2, … of one epoch; 1 if they are not
    numbered.
    """
    first = records[start]
    match = _NUMBERED.fullmatch(first.value)
    if match is None or match["number"] != "1":
        return 1
    length = 1
    while start + length < len(records) and records[start + length] == RecordSpec(
        f"{match['prefix']}{length + 1}", first.epoch
    ):
        length += 1
    return length


def _topic(topic: TopicSpec) -> TopicJson:
    return {
        "name": topic.name,
        "configs": dict(topic.configs),
        "partitions": [_partition(partition) for partition in topic.partitions],
    }


def _partition(partition: PartitionSpec) -> PartitionJson:
    document: PartitionJson = {"replicas": list(partition.replicas)}
    if partition.leader is not None:
        document["leader"] = partition.leader
    document["leader_epoch"] = partition.leader_epoch
    document["partition_epoch"] = partition.partition_epoch
    if partition.isr is not None:
        document["isr"] = list(partition.isr)
    if partition.logs:
        document["logs"] = {str(broker): _log(log) for broker, log in partition.logs.items()}
    return document


def _log(log: LogSpec) -> LogJson:
    go_on()
    checkpoint = {
        "high_watermark": log.checkpoint_high_watermark,
        "recovery_point": log.checkpoint_recovery_point,
    }
    document = {
        "log": log_line(log.records),
        "log_start": log.log_start,
        "high_watermark": log.high_watermark,
        "flushed": log.flushed,
        "checkpoint": {name: value for name, value in checkpoint.items() if value is not None},
        "epochs": None if log.epochs is None else [list(pair) for pair in log.epochs],
    }
    given = {name: value for name, value in document.items() if value is not None and value != {}}
    return cast("LogJson", given)


_PLAIN = re.compile("[A-Za-z_][A-Za-z0-9_.-]*")
_TAKEN = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def scenario_text(scenario: Scenario) -> str:
    """The scenario as YAML. Values equal to their defaults are omitted."""
    document = scenario_document(scenario)
    lines = [f"{key}: {_flow(value)}" for key, value in _head(document)]
    lines.append("topics:")
    lines += [line for topic in document["topics"] for line in _topic_lines(_short_topic(topic))]
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


def _short_topic(topic: TopicJson) -> TopicJson:
    """A topic without its defaults."""
    kept = topic.copy()
    kept["partitions"] = [_short_partition(partition) for partition in topic["partitions"]]
    if not kept.get("configs"):
        kept.pop("configs", None)
    return kept


def _short_partition(partition: PartitionJson) -> PartitionJson:
    kept = partition.copy()
    if kept.get("leader_epoch") == 0:
        del kept["leader_epoch"]
    if kept.get("partition_epoch") == 0:
        del kept["partition_epoch"]
    if "logs" in kept:
        kept["logs"] = {broker: _short_log(log) for broker, log in kept["logs"].items()}
    return kept


def _short_log(log: LogJson) -> LogJson:
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
