"""The JSON Schema of the scenario file.

A schema describes one value at a time, which editors need for completion. The reader checks
references, versions and consistency of logs. It accepts nothing that the schema rejects.
"""

from collections.abc import Mapping

from sim_engine.actions import STEPS
from sim_engine.actions.fields import MAX_BROKERS
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.checker import MAX_SAFE_INTEGER
from sim_engine.scenario_reader.cluster_layout import MAX_PARTITIONS
from sim_engine.scenario_reader.document import CHAPTERS
from sim_engine.scenario_reader.reader import MAX_SOURCES
from sim_engine.scenario_reader.schema_parts import (
    BROKER,
    CLIENT,
    CONDITION,
    EPOCH,
    EPOCHS,
    LEVEL,
    LOG_LINE,
    OFFSET,
    OFFSET_OR_NULL,
    TEXT,
    VERSION,
    Schema,
    broker_configs,
    broker_list,
    by_broker,
    closed_object,
    single_broker_configs,
    topic_configs,
)
from sim_engine.scenario_reader.step_schema import step_schema
from sim_engine.scenario_reader.steps import MAX_STEPS
from sim_engine.versions import LEVEL_NAMES, RULE_NAMES

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def scenario_schema() -> Schema:
    """The schema of a scenario file."""
    properties: Mapping[str, Schema] = {
        "scenario": {"const": 1, "description": "The version of this format."},
        "id": {"type": "string", "pattern": "^[a-z0-9-]{1,64}$"},
        "alias": {"type": ["string", "null"], "pattern": "^[a-z0-9-]{1,64}$"},
        "chapter": {
            "enum": [*CHAPTERS, None],
            "description": "Of a shipped lesson: its folder.",
        },
        "title": TEXT,
        "summary": TEXT,
        "applies_to": closed_object(dict(CONDITION)),
        "source": {"type": "array", "items": {"type": "string"}, "maxItems": MAX_SOURCES},
        "control_run": {
            "type": ["string", "null"],
            "pattern": "^[a-z0-9-]{1,64}$",
            "description": "The id or alias of the scenario to compare this one with.",
        },
        "kafka": VERSION,
        "control": {"enum": ["zookeeper", "kraft", None]},
        **dict.fromkeys(LEVEL_NAMES, LEVEL),
        "rules": closed_object({name: {"type": "boolean"} for name in RULE_NAMES}),
        "seed": {"type": "integer", "minimum": 0, "maximum": MAX_SAFE_INTEGER},
        "brokers": {
            "anyOf": [
                {
                    "type": "array",
                    "items": BROKER,
                    "minItems": 1,
                    "maxItems": MAX_BROKERS,
                    "uniqueItems": True,
                },
                by_broker(
                    {
                        "type": ["object", "null"],
                        "properties": {
                            "rack": {"anyOf": [CLIENT, {"type": "null"}]},
                            "configs": single_broker_configs(),
                        },
                        "additionalProperties": False,
                    },
                    minProperties=1,
                    maxProperties=MAX_BROKERS,
                ),
            ]
        },
        "configs": broker_configs(),
        "topics": {
            "type": "array",
            "items": _topic(),
            "minItems": 1,
            "maxItems": MAX_PARTITIONS,
        },
        "steps": {
            "type": "array",
            "maxItems": MAX_STEPS,
            "items": {"anyOf": [step_schema(kind) for kind in STEPS]},
        },
    }
    return {
        "$schema": _DRAFT,
        "title": "Highwater scenario",
        **closed_object(properties, required=("id", "kafka", "brokers", "topics")),
        "$defs": {
            "text": {
                "description": "The same words by language; one text stands for all.",
                "anyOf": [
                    {"type": "string"},
                    closed_object(
                        {language: {"type": "string"} for language in LANGUAGES}, minProperties=1
                    ),
                ],
            }
        },
    }


def _topic() -> Schema:
    log = closed_object(
        {
            "log": LOG_LINE,
            "log_start": OFFSET,
            "high_watermark": OFFSET_OR_NULL,
            "flushed": OFFSET_OR_NULL,
            "checkpoint": closed_object(
                {"high_watermark": OFFSET_OR_NULL, "recovery_point": OFFSET_OR_NULL}
            ),
            "epochs": EPOCHS,
        }
    )
    partition = closed_object(
        {
            "replicas": broker_list(),
            "leader": {"anyOf": [BROKER, {"type": "null"}]},
            "leader_epoch": EPOCH,
            "partition_epoch": EPOCH,
            "isr": {"anyOf": [broker_list(), {"type": "null"}]},
            "logs": by_broker(log),
        },
        required=("replicas",),
    )
    return closed_object(
        {
            "name": {"type": "string", "pattern": r"^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$"},
            "configs": topic_configs(),
            "partitions": {
                "type": "array",
                "items": partition,
                "minItems": 1,
                "maxItems": MAX_PARTITIONS,
            },
        },
        required=("name", "partitions"),
    )
