"""JSON Schemas of the scenario file and of the document that a run gives.

A schema says what can be said about one value at a time, which is what an editor needs for
completion. References, versions and logs that must agree with each other are the reader's; it
accepts nothing that the schema refuses.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sim_engine.configs import INT_MAX, SETTINGS, Setting
from sim_engine.identifiers import CONTROLLER
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.checker import MAX_SAFE_INTEGER
from sim_engine.scenario_reader.cluster_layout import MAX_BROKER_ID, MAX_BROKERS, MAX_PARTITIONS
from sim_engine.scenario_reader.document import CHAPTERS
from sim_engine.scenario_reader.reader import MAX_SOURCES
from sim_engine.scenario_reader.starting_logs import MAX_RECORDS
from sim_engine.scenario_reader.steps import (
    CONTROLLER_TIMER_KINDS,
    FROM_CONTROLLER,
    MAX_ANSWERS,
    MAX_MS,
    MAX_STEPS,
    MESSAGE_KINDS,
    METADATA,
    PROPERTY_NAMES,
    STEP_KINDS,
    TIMER_KINDS,
)
from sim_engine.versions import LEVEL_NAMES, RULE_NAMES, dotted

Schema = dict[str, Any]

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_BROKER_KEY = "^(0|[1-9][0-9]*)$"
_OFFSET: Schema = {"type": "integer", "minimum": 0, "maximum": 10**9}
_OFFSET_OR_NULL: Schema = {"type": ["integer", "null"], "minimum": 0, "maximum": 10**9}
_EPOCH: Schema = {"type": "integer", "minimum": 0, "maximum": INT_MAX}
_BROKER: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_BROKER_ID}
_ENDPOINT: Schema = {"anyOf": [_BROKER, {"const": CONTROLLER}]}
_PARTITION: Schema = {"type": "string", "pattern": "-[0-9]+$"}
_CLIENT: Schema = {"type": "string", "pattern": "^[A-Za-z0-9._-]{1,32}$"}
_VALUE: Schema = {"type": "string", "pattern": r"^[^\s/*]{1,32}$"}
_VERSION: Schema = {"type": "string", "pattern": r"^[0-9]{1,3}(\.[0-9]{1,3}){1,3}$"}
_RANGE: Schema = {
    "type": "string",
    "pattern": r"^((>=|<=|>|<|=)?[0-9]{1,3}(\.[0-9]{1,3}){1,3}\s*)+$",
    "description": "A release, or a range of releases such as >=0.11 <3.6.",
}
_RANGES: Schema = {
    "anyOf": [_RANGE, {"type": "array", "items": _RANGE, "minItems": 1, "maxItems": 100}]
}
_LEVEL: Schema = {
    "type": "string",
    "pattern": r"^[0-9]{1,3}(\.[0-9]{1,3}){1,3}(-IV[0-9]{1,2})?$",
    "description": "A level of the protocol: 3.5-IV1, or 3.5 for the last one of that line.",
}
_TEXT: Schema = {"$ref": "#/$defs/text"}
_LOG_LINE: Schema = {
    "type": "string",
    "description": "Records in one line: value/epoch, or x*20/epoch for x1 to x20.",
}
_EPOCHS: Schema = {
    "type": ["array", "null"],
    "maxItems": MAX_RECORDS,
    "items": {
        "type": "array",
        "prefixItems": [_EPOCH, _OFFSET],
        "minItems": 2,
        "maxItems": 2,
    },
}
_REFUSED: Schema = {
    "description": "The step must be refused: everywhere, or in these versions.",
    "anyOf": [{"type": "boolean"}, _RANGE, {"type": "array", "items": _RANGE, "minItems": 1}],
}


_CONDITION: Mapping[str, Schema] = {
    "kafka": _RANGES | {"description": "The releases to which these words apply."},
    "control": {"enum": ["zookeeper", "kraft"]},
}


def scenario_schema() -> Schema:
    """The schema of a scenario file."""
    properties: Mapping[str, Schema] = {
        "scenario": {"const": 1, "description": "The version of this format."},
        "id": {"type": "string", "pattern": "^[a-z0-9-]{1,64}$"},
        "alias": {"type": ["string", "null"], "pattern": "^[a-z0-9-]{1,64}$"},
        "chapter": {"enum": [*CHAPTERS, None], "description": "Of the shipped course."},
        "title": _TEXT,
        "summary": _TEXT,
        "applies_to": _object(dict(_CONDITION)),
        "source": {"type": "array", "items": {"type": "string"}, "maxItems": MAX_SOURCES},
        "control_run": {
            "type": ["string", "null"],
            "pattern": "^[a-z0-9-]{1,64}$",
            "description": "The id or alias of the scenario to compare this one with.",
        },
        "kafka": _VERSION,
        "control": {"enum": ["zookeeper", "kraft", None]},
        **dict.fromkeys(LEVEL_NAMES, _LEVEL),
        "rules": _object({name: {"type": "boolean"} for name in RULE_NAMES}),
        "seed": {"type": "integer", "minimum": 0, "maximum": MAX_SAFE_INTEGER},
        "brokers": {
            "anyOf": [
                {
                    "type": "array",
                    "items": _BROKER,
                    "minItems": 1,
                    "maxItems": MAX_BROKERS,
                    "uniqueItems": True,
                },
                _by_broker(
                    {
                        "type": ["object", "null"],
                        "properties": {"rack": {"anyOf": [_CLIENT, {"type": "null"}]}},
                        "additionalProperties": False,
                    },
                    minProperties=1,
                    maxProperties=MAX_BROKERS,
                ),
            ]
        },
        "configs": _broker_configs(),
        "topics": {
            "type": "array",
            "items": _topic(),
            "minItems": 1,
            "maxItems": MAX_PARTITIONS,
        },
        "steps": {
            "type": "array",
            "maxItems": MAX_STEPS,
            "items": {"anyOf": [_step(kind) for kind in STEP_KINDS]},
        },
    }
    return {
        "$schema": _DRAFT,
        "title": "Highwater scenario",
        **_object(properties, required=("id", "kafka", "brokers", "topics")),
        "$defs": {
            "text": {
                "description": "The same words by language; one text stands for all.",
                "anyOf": [
                    {"type": "string"},
                    _object(
                        {language: {"type": "string"} for language in LANGUAGES}, minProperties=1
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
                "kafka": _VERSION,
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


def _object(
    properties: Mapping[str, Schema], *, required: Sequence[str] = (), **more: Any
) -> Schema:
    """A mapping with these keys and no others."""
    schema: Schema = {
        "type": "object",
        "properties": dict(properties),
        "additionalProperties": False,
    }
    if required:
        schema["required"] = list(required)
    return schema | more


def _open_object(properties: Mapping[str, Schema], *, optional: Sequence[str] = ()) -> Schema:
    """A mapping with all of these keys, and perhaps others."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": [name for name in properties if name not in optional],
    }


def _by_broker(value: Schema, **more: Any) -> Schema:
    return {
        "type": "object",
        "patternProperties": {_BROKER_KEY: value},
        "additionalProperties": False,
        **more,
    }


def _setting(setting: Setting) -> Schema:
    if setting.is_switch:
        return {"type": "boolean"}
    if setting.choices:
        return {"enum": list(setting.choices)}
    return {"type": "integer", "minimum": setting.minimum, "maximum": setting.maximum}


def _broker_configs() -> Schema:
    return _object({setting.name: _setting(setting) for setting in SETTINGS})


def _topic_configs() -> Schema:
    return _object(
        {
            setting.topic_name: _setting(setting)
            for setting in SETTINGS
            if setting.topic_name is not None
        }
    )


def _brokers(least: int = 1) -> Schema:
    return {
        "type": "array",
        "items": _BROKER,
        "minItems": least,
        "maxItems": MAX_BROKERS,
    }


def _topic() -> Schema:
    log = _object(
        {
            "log": _LOG_LINE,
            "log_start": _OFFSET,
            "high_watermark": _OFFSET_OR_NULL,
            "flushed": _OFFSET_OR_NULL,
            "checkpoint": _object(
                {"high_watermark": _OFFSET_OR_NULL, "recovery_point": _OFFSET_OR_NULL}
            ),
            "epochs": _EPOCHS,
        }
    )
    partition = _object(
        {
            "replicas": _brokers() | {"uniqueItems": True},
            "leader": {"anyOf": [_BROKER, {"type": "null"}]},
            "leader_epoch": _EPOCH,
            "partition_epoch": _EPOCH,
            "isr": {"anyOf": [_brokers() | {"uniqueItems": True}, {"type": "null"}]},
            "logs": _by_broker(log),
        },
        required=("replicas",),
    )
    return _object(
        {
            "name": {"type": "string", "pattern": r"^(?!\.{1,2}$)[A-Za-z0-9._-]{1,249}$"},
            "configs": _topic_configs(),
            "partitions": {
                "type": "array",
                "items": partition,
                "minItems": 1,
                "maxItems": MAX_PARTITIONS,
            },
        },
        required=("name", "partitions"),
    )


def _values(least: int = 0) -> Schema:
    return {"type": "array", "items": _VALUE, "minItems": least, "maxItems": MAX_RECORDS}


def _properties() -> Schema:
    return {"type": "array", "items": {"enum": list(PROPERTY_NAMES)}}


def _expectation() -> Schema:
    replica = _object(
        {"log": _LOG_LINE, "leo": _OFFSET_OR_NULL, "hw": _OFFSET_OR_NULL, "epochs": _EPOCHS}
    )
    held: Mapping[str, Schema] = {
        "leader": {"anyOf": [_BROKER, {"const": -1}]},
        "leader_epoch": _EPOCH,
        "partition_epoch": _EPOCH,
        "isr": _brokers(0),
        "elr": _brokers(0),
        "replicas": _by_broker(replica),
        "violated": _properties(),
        "holds": _properties(),
        "lost": _values(),
        "acked": _values(),
        "errors": {
            "type": "object",
            "additionalProperties": {
                "type": ["string", "null"],
                "pattern": "^[A-Z][A-Z0-9_]{1,63}$",
            },
        },
        "read": {"type": "object", "additionalProperties": _values()},
        "refused": {"type": "boolean"},
    }
    return _object(
        {
            "partition": _PARTITION,
            "kafka": _RANGES,
            **held,
        },
        anyOf=[{"required": [name]} for name in held],
    )


def _message(**more: Schema) -> Schema:
    return _object(
        {
            "kind": {"enum": [*MESSAGE_KINDS, METADATA]},
            "from": _ENDPOINT,
            "to": _ENDPOINT,
            "partition": _PARTITION,
            **more,
        },
        required=("kind", "to"),
        allOf=[
            {
                "if": {"properties": {"kind": {"enum": list(FROM_CONTROLLER)}}},
                "else": {"required": ["from"]},
            },
            {
                "if": {"properties": {"kind": {"const": METADATA}}},
                "then": {"properties": {"from": {"const": CONTROLLER}}},
            },
        ],
    )


def _delivery() -> Schema:
    """A message that arrives: with `records` so many of the metadata log, with `skip` none."""
    schema = _message(
        records={"type": "integer", "minimum": 1, "maximum": MAX_RECORDS},
        skip={"type": "boolean"},
    )
    schema["allOf"] += [
        {
            "if": {"required": ["records"]},
            "then": {
                "properties": {
                    "kind": {"enum": ["metadata_record", METADATA]},
                    "from": {"const": CONTROLLER},
                    "partition": False,
                }
            },
        },
        {
            "if": {"properties": {"skip": {"const": True}}, "required": ["skip"]},
            "then": {"properties": {"kind": {"const": "leader_and_isr"}}},
        },
    ]
    return schema


def _one_broker() -> Schema:
    return _object({"broker": _BROKER}, required=("broker",))


def _ms(least: int = 1) -> Schema:
    return {"type": "integer", "minimum": least, "maximum": MAX_MS}


def _nothing() -> Schema:
    return _object({})


def _arguments() -> Mapping[str, Schema]:
    """The arguments of every step."""
    records: Schema = {"type": "integer", "minimum": 1, "maximum": MAX_RECORDS}
    words: Schema = {language: {"type": "string"} for language in LANGUAGES}
    in_a_language = {"anyOf": [{"required": [language]} for language in LANGUAGES]}
    client = _object({"as": _CLIENT}, required=("as",))
    return {
        "produce": _object(
            {
                "to": _PARTITION,
                "values": _values(1),
                "acks": {"enum": ["all", 0, 1, -1]},
                "as": _CLIENT,
                "broker": _BROKER,
                "idempotent": {"type": "boolean"},
                "sequence": {"type": "integer", "minimum": 0, "maximum": INT_MAX},
                "timeout_ms": _ms(),
            },
            required=("to", "values"),
            allOf=[
                {
                    "if": {
                        "properties": {"idempotent": {"const": True}},
                        "required": ["idempotent"],
                    },
                    "then": {"properties": {"acks": {"enum": ["all", -1]}}},
                    "else": {"properties": {"sequence": False}},
                },
                {
                    "if": {"required": ["sequence"]},
                    "then": {"properties": {"values": {"maxItems": 1}}},
                },
            ],
        ),
        "transaction": _object(
            {"as": _CLIENT, "do": {"enum": ["begin", "commit", "abort"]}}, required=("as", "do")
        ),
        "retry": client,
        "refresh": client,
        "consume": _object(
            {
                "partition": _PARTITION,
                "as": _CLIENT,
                "broker": _BROKER,
                "rack": _CLIENT,
                "max": records,
                "isolation": {"enum": ["read_uncommitted", "read_committed"]},
            },
            required=("partition",),
        ),
        "fetch": _object(
            {
                "broker": _BROKER,
                "partition": _PARTITION,
                "records": records,
                "only": {"const": "truncation"},
                "drop": {"const": "response"},
            },
            required=("broker",),
        ),
        "send_fetch": _object(
            {"broker": _BROKER, "partition": _PARTITION, "records": records}, required=("broker",)
        ),
        "deliver": _delivery(),
        **{kind: _message() for kind in ("drop", "hold", "release")},
        "timer": _object(
            {
                "broker": _ENDPOINT,
                "kind": {"enum": list(TIMER_KINDS)},
                "partition": _PARTITION,
                "follower": _BROKER,
            },
            required=("kind",),
            anyOf=[
                {"properties": {"broker": _BROKER}, "required": ["broker"]},
                {"properties": {"kind": {"enum": list(CONTROLLER_TIMER_KINDS)}}},
            ],
        ),
        **{
            kind: _one_broker()
            for kind in (
                "crash",
                "disk_loss",
                "shutdown",
                "pause",
                "resume",
                "detect",
                "start",
            )
        },
        "boot": _object({"broker": _BROKER, "session": {"enum": ["kept"]}}, required=("broker",)),
        "power_loss": _object(
            {"broker": _BROKER, "keep": {"type": "object", "additionalProperties": _OFFSET}},
            required=("broker",),
        ),
        "cut": _object({"from": _ENDPOINT, "to": _ENDPOINT}, required=("from", "to")),
        "heal": {
            "anyOf": [
                _object({"from": _ENDPOINT, "to": _ENDPOINT}, required=("from", "to")),
                _one_broker(),
            ]
        },
        "isolate": _object(
            {"broker": _BROKER, "from": {"enum": [CONTROLLER, "brokers", "all"]}},
            required=("broker", "from"),
        ),
        "slow": _object({"broker": _BROKER, "ms": _ms(0)}, required=("broker", "ms")),
        "elect": _object(
            {
                "partition": _PARTITION,
                "kind": {"enum": ["clean", "preferred", "unclean"]},
                "leader": _BROKER,
            },
            required=("partition", "kind"),
        ),
        "reassign": _object(
            {"partition": _PARTITION, "replicas": _brokers() | {"uniqueItems": True}},
            required=("partition", "replicas"),
        ),
        "config": {
            "anyOf": [
                _with_levels(_broker_configs()) | {"minProperties": 1},
                _with_topic(_topic_configs()),
            ]
        },
        "advance": _object({"ms": _ms()}, required=("ms",)),
        "run": _object({"ms": _ms()}, required=("ms",)),
        "fail_controller": _nothing(),
        "settle": _nothing(),
        "note": {"anyOf": [{"type": "string"}, _object({**words, **_CONDITION}) | in_a_language]},
        "ask": _object(
            {
                **words,
                "answers": {
                    "type": "array",
                    "items": _TEXT,
                    "minItems": 2,
                    "maxItems": MAX_ANSWERS,
                },
                "correct": {"type": "integer", "minimum": 0, "maximum": MAX_ANSWERS - 1},
                **_CONDITION,
            },
            required=("answers", "correct"),
        )
        | in_a_language,
        "expect": _expectation(),
    }


def _with_levels(configs: Schema) -> Schema:
    """Settings of the cluster and the level of its protocol, under either spelling."""
    levels = {written: _LEVEL for name in LEVEL_NAMES for written in (name, dotted(name))}
    return configs | {"properties": configs["properties"] | levels}


def _with_topic(configs: Schema) -> Schema:
    properties = {"topic": {"type": "string"}, **configs["properties"]}
    return _object(properties, required=("topic",), minProperties=2)


def _step(kind: str) -> Schema | bool:
    arguments = _arguments().get(kind)
    if arguments is None:
        return False
    if kind in ("note", "ask", "expect"):
        return _object({kind: arguments}, required=(kind,))
    return _object({kind: _refusable(arguments), "refused": _REFUSED}, required=(kind,))


def _refusable(arguments: Schema) -> Schema:
    """The same with `refused` among the keys."""
    if "anyOf" in arguments and "properties" not in arguments:
        return {"anyOf": [_refusable(choice) for choice in arguments["anyOf"]]}
    refusable = arguments | {"properties": arguments["properties"] | {"refused": _REFUSED}}
    if "minProperties" in arguments:
        # `refused` alone is no setting: without it the mapping must already be full.
        refusable["anyOf"] = [
            {"not": {"required": ["refused"]}},
            {"minProperties": arguments["minProperties"] + 1},
        ]
    return refusable


def _final_state() -> Schema:
    numbers: Schema = {"type": "array", "items": {"type": "integer"}}
    record = _open_object(
        {
            "offset": _OFFSET,
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
            "log_start_offset": _OFFSET,
            "log_end_offset": _OFFSET,
            "high_watermark": whole_or_null,
            "last_stable_offset": whole_or_null,
            "epoch_cache": {"type": ["array", "null"], "items": numbers},
            "checkpoints": _open_object(
                {"high_watermark": whole_or_null, "recovery_point": whole_or_null}
            ),
            "flushed": _OFFSET,
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
            "offset": _OFFSET,
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
