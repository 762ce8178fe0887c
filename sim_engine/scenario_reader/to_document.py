"""Converts a scenario back to plain JSON, in the documented form."""

import re
from collections.abc import Sequence
from typing import cast

from sim_engine.budget import go_on
from sim_engine.scenario_reader.document import (
    LogSpec,
    PartitionSpec,
    RecordSpec,
    Scenario,
    ScenarioStep,
    TopicSpec,
)
from sim_engine.scenario_reader.scenario_json import (
    BrokerJson,
    LogJson,
    PartitionJson,
    ScenarioJson,
    StepJson,
    TopicJson,
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
