"""JSON Schemas of the scenario file and of the document that a run gives.

A schema says what can be said about one value at a time, which is what an editor needs for
completion. References, versions and logs that must agree with each other are the reader's; it
accepts nothing that the schema refuses.
"""

from collections.abc import Mapping, Sequence

from sim_engine.actions import STEPS
from sim_engine.actions.fields import MAX_BROKERS
from sim_engine.actions.words import PROPERTY_NAMES
from sim_engine.identifiers import MESSAGE_KINDS
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
        "chapter": {"enum": [*CHAPTERS, None], "description": "Of the shipped course."},
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
                        "properties": {"rack": {"anyOf": [CLIENT, {"type": "null"}]}},
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
                "description": "The same words in English and Chinese; one text stands for both.",
                "anyOf": [
                    {"type": "string"},
                    closed_object(
                        {"en": {"type": "string"}, "zh": {"type": "string"}}, minProperties=1
                    ),
                ],
            }
        },
    }


def run_schema() -> Schema:
    """The schema of what `run --json` prints. Fields may be added to every mapping."""
    return {
        "$schema": _DRAFT,
        "title": "Highwater run",
        **_open_object(
            {
                "scenario": {"type": "string"},
                "kafka": VERSION,
                "control": {"enum": ["zookeeper", "kraft"]},
                "engine": {"type": "string"},
                "frames": {"type": "integer", "minimum": 1},
                "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
                "final": _final_state(),
                "properties": {
                    **_open_object({name: {"$ref": "#/$defs/property"} for name in PROPERTY_NAMES}),
                    "additionalProperties": {"$ref": "#/$defs/property"},
                },
            }
        ),
        "$defs": {
            "property": _open_object(
                {
                    "status": {"enum": ["holds", "violated", "not_exercised"]},
                    "first_frame": {"type": ["integer", "null"]},
                    "evidence": {"type": ["object", "null"]},
                },
                optional=("evidence",),
            )
        },
    }


def _open_object(properties: Mapping[str, Schema], *, optional: Sequence[str] = ()) -> Schema:
    """A mapping with all of these keys, and perhaps others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
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


def _final_state() -> Schema:
    numbers: Schema = {"type": "array", "items": {"type": "integer"}}
    record = _open_object(
        {
            "offset": OFFSET,
            "epoch": {"type": ["integer", "null"]},
            "value": {"type": "string"},
            "id": {"type": "string"},
            "producer_id": {"type": "integer"},
            "sequence": {"type": "integer"},
            "transactional": {"const": True},
            "control": {"enum": ["commit", "abort"]},
        },
        optional=("producer_id", "sequence", "transactional", "control"),
    )
    whole_or_null: Schema = {"type": ["integer", "null"]}
    replica = _open_object(
        {
            "broker_state": {
                "enum": [
                    "running",
                    "paused",
                    "stopped",
                    "crashed",
                    "shutting_down",
                    "fenced",
                    "failed",
                ]
            },
            "role": {"enum": ["leader", "follower", "none"]},
            "leader_epoch": {"type": ["integer", "null"]},
            "log": {"type": "array", "items": record},
            "log_start_offset": OFFSET,
            "log_end_offset": OFFSET,
            "high_watermark": whole_or_null,
            "last_stable_offset": whole_or_null,
            "epoch_cache": {"type": ["array", "null"], "items": numbers},
            "checkpoints": _open_object(
                {"high_watermark": whole_or_null, "recovery_point": whole_or_null}
            ),
            "flushed": OFFSET,
            "followers": {
                "type": "object",
                "additionalProperties": _open_object(
                    {
                        "log_end_offset": {"type": ["integer", "null"]},
                        "last_caught_up_ms": {"type": ["integer", "null"]},
                    }
                ),
            },
        }
    )
    partition = _open_object(
        {
            "leader": {"type": "integer", "minimum": -1},
            "leader_epoch": {"type": "integer"},
            "partition_epoch": {"type": "integer"},
            "isr": numbers,
            "elr": numbers,
            "last_known_elr": numbers,
            "leader_recovery_state": {"enum": ["RECOVERED", "RECOVERING"]},
            "replicas": numbers,
        }
    )
    produced = _open_object(
        {
            "id": {"type": ["string", "null"]},
            "as": {"type": "string"},
            "value": {"type": "string"},
            "acks": {"enum": ["all", 0, 1]},
            "partition": {"type": "string"},
            "offset": whole_or_null,
            "outcome": {"enum": ["pending", "acked", "failed", "no_answer"]},
            "error": {"type": ["string", "null"]},
            "frame": {"type": "integer"},
            "acked_frame": whole_or_null,
            "lost_frame": whole_or_null,
        }
    )
    consumed = _open_object(
        {
            "as": {"type": "string"},
            "partition": {"type": "string"},
            "offset": OFFSET,
            "value": {"type": "string"},
            "frame": {"type": "integer"},
        }
    )
    message = _open_object(
        {
            "kind": {"enum": list(MESSAGE_KINDS)},
            "from": {"type": ["integer", "string"]},
            "to": {"type": ["integer", "string"]},
        }
    )
    return _open_object(
        {
            "time_ms": {"type": "integer", "minimum": 0},
            "partitions": {"type": "object", "additionalProperties": partition},
            "replicas": {
                "type": "object",
                "additionalProperties": {"type": "object", "additionalProperties": replica},
            },
            "clients": _open_object(
                {
                    "produced": {"type": "array", "items": produced},
                    "consumed": {"type": "array", "items": consumed},
                }
            ),
            "in_flight": {"type": "array", "items": message},
        }
    )
