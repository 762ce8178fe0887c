"""The building blocks of the published schemas."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from sim_engine.actions.fields import (
    CLIENT_PATTERN,
    MAX_BROKER_ID,
    MAX_BROKERS,
    MAX_OFFSET,
    MAX_RECORDS,
)
from sim_engine.configs import INT_MAX, SETTINGS, Setting

# Any: what a keyword of JSON Schema holds depends on the keyword.
Schema: TypeAlias = dict[str, Any]

BROKER_KEY = "^(0|[1-9][0-9]*)$"
OFFSET: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_OFFSET}
OFFSET_OR_NULL: Schema = {"type": ["integer", "null"], "minimum": 0, "maximum": MAX_OFFSET}
EPOCH: Schema = {"type": "integer", "minimum": 0, "maximum": INT_MAX}
BROKER: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_BROKER_ID}
CLIENT: Schema = {"type": "string", "pattern": CLIENT_PATTERN}
VERSION: Schema = {"type": "string", "pattern": r"^[0-9]{1,3}(\.[0-9]{1,3}){1,3}$"}
RANGE: Schema = {
    "type": "string",
    "pattern": r"^((>=|<=|>|<|=)?[0-9]{1,3}(\.[0-9]{1,3}){1,3}\s*)+$",
    "description": "A release, or a range of releases such as >=0.11 <3.6.",
}
RANGES: Schema = {
    "anyOf": [RANGE, {"type": "array", "items": RANGE, "minItems": 1, "maxItems": 100}]
}
LEVEL: Schema = {
    "type": "string",
    "pattern": r"^[0-9]{1,3}(\.[0-9]{1,3}){1,3}(-IV[0-9]{1,2})?$",
    "description": "A protocol level: 3.5-IV1, or 3.5 for the last level of that line.",
}
TEXT: Schema = {"$ref": "#/$defs/text"}
LOG_LINE: Schema = {
    "type": "string",
    "description": "Records in one line: value/epoch, or x*20/epoch for x1 to x20.",
}
EPOCHS: Schema = {
    "type": ["array", "null"],
    "maxItems": MAX_RECORDS,
    "items": {
        "type": "array",
        "prefixItems": [EPOCH, OFFSET],
        "minItems": 2,
        "maxItems": 2,
    },
}
REFUSED: Schema = {
    "description": "The step must be refused, in all versions or in these.",
    "anyOf": [{"type": "boolean"}, RANGE, {"type": "array", "items": RANGE, "minItems": 1}],
}


CONDITION: Mapping[str, Schema] = {
    "kafka": RANGES | {"description": "The releases to which this text applies."},
    "control": {"enum": ["zookeeper", "kraft"]},
}


def closed_object(
    properties: Mapping[str, Schema], *, required: Sequence[str] = (), **more: object
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


def by_broker(value: Schema, **more: object) -> Schema:
    """A mapping from broker ids to values of one schema."""
    return {
        "type": "object",
        "patternProperties": {BROKER_KEY: value},
        "additionalProperties": False,
        **more,
    }


def setting_schema(setting: Setting) -> Schema:
    """The schema of the values of one Kafka setting."""
    if setting.is_switch:
        return {"type": "boolean"}
    if setting.choices:
        return {"enum": list(setting.choices)}
    return {"type": "integer", "minimum": setting.minimum, "maximum": setting.maximum}


def broker_configs() -> Schema:
    """The schema of broker settings, by Kafka's names."""
    return closed_object({setting.name: setting_schema(setting) for setting in SETTINGS})


def single_broker_configs() -> Schema:
    """The schema of the settings that a single broker may have."""
    return closed_object(
        {setting.name: setting_schema(setting) for setting in SETTINGS if not setting.of_controller}
    )


def topic_configs() -> Schema:
    """The schema of topic settings, by Kafka's names."""
    return closed_object(
        {
            setting.topic_name: setting_schema(setting)
            for setting in SETTINGS
            if setting.topic_name is not None
        }
    )


def broker_list() -> Schema:
    """The schema of a list of at least one broker, each once."""
    return {
        "type": "array",
        "items": BROKER,
        "minItems": 1,
        "maxItems": MAX_BROKERS,
        "uniqueItems": True,
    }
