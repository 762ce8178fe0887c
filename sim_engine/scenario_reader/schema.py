"""The JSON Schema of the scenario file.

A schema describes one value at a time, which editors need for completion. The reader checks
references, versions and consistency of logs. It accepts nothing that the schema rejects. The type
of a field defines its values; conditions on several arguments of a step are in `rules`, which the
reader checks too.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import cleandoc
from typing import Any, TypeAlias

from msgspec import Struct

from sim_engine.actions import (
    ERROR_NAME_PATTERN,
    MAX_ANSWERS,
    STEPS,
    Ask,
    Expect,
    ExpectedReplica,
    Note,
    Words,
)
from sim_engine.actions.base import (
    MAX_BROKER_ID,
    MAX_BROKERS,
    MAX_OFFSET,
    MAX_RECORDS,
    FieldSpec,
    StepStruct,
    name_of,
    specs_of,
)
from sim_engine.actions.steps import Config
from sim_engine.configs import INT_MAX, SETTINGS, Setting
from sim_engine.identifiers import NO_LEADER
from sim_engine.languages import LANGUAGES, term_names
from sim_engine.scenario_reader.document import (
    FORMAT_VERSION,
    SCHEMA_ADDRESS,
    BrokerSpec,
    LogSpec,
    Scenario,
)
from sim_engine.scenario_reader.reader import MAX_STEPS
from sim_engine.scenario_reader.rules import CONDITIONS
from sim_engine.versions import LEVEL_NAMES, RULE_NAMES, dotted

# Any: what a keyword of JSON Schema holds depends on the keyword.
Schema: TypeAlias = dict[str, Any]

BROKER_KEY = "^(0|[1-9][0-9]*)$"
OFFSET: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_OFFSET}
EPOCH: Schema = {"type": "integer", "minimum": 0, "maximum": INT_MAX}
BROKER: Schema = {"type": "integer", "minimum": 0, "maximum": MAX_BROKER_ID}
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
    "type": "array",
    "maxItems": MAX_RECORDS,
    "items": {"type": "array", "prefixItems": [EPOCH, OFFSET], "minItems": 2, "maxItems": 2},
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


def _configs(settings: Iterable[Setting] = SETTINGS) -> Schema:
    """The schema of broker settings, by Kafka's names."""
    return closed_object({setting.name: setting_schema(setting) for setting in settings})


def _configs_of_one_broker() -> Schema:
    return _configs(setting for setting in SETTINGS if not setting.of_controller)


def _topic_configs() -> Schema:
    named = ((setting.topic_name, setting) for setting in SETTINGS)
    return closed_object({name: setting_schema(setting) for name, setting in named if name})


def broker_list() -> Schema:
    """The schema of a list of at least one broker, each once."""
    return {
        "type": "array",
        "items": BROKER,
        "minItems": 1,
        "maxItems": MAX_BROKERS,
        "uniqueItems": True,
    }


# --- the file ---------------------------------------------------------------------------------

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def scenario_schema() -> Schema:
    """The schema of a scenario file."""
    scenario = _struct(Scenario)
    version = {"const": FORMAT_VERSION, "description": "The version of this format."}
    return {
        "$schema": _DRAFT,
        "$id": SCHEMA_ADDRESS,
        "title": "Highwater scenario",
        **scenario,
        "properties": {"scenario": version, **scenario["properties"]},
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


def _field(spec: FieldSpec) -> Schema:
    """The schema of a field, from its part of the format or its type."""
    schema = _PARTS[spec.part]() if spec.part in _PARTS else _of_type(spec) | dict(spec.schema)
    if spec.nullable:
        if "enum" in schema:
            schema = {"enum": [*schema["enum"], None]}
        elif spec.role is None:
            schema = schema | {"type": [schema["type"], "null"]}
        else:
            schema = {"anyOf": [schema, {"type": "null"}]}
    return schema | ({"description": spec.description} if spec.description else {})


def _struct(kind: type[Struct]) -> Schema:
    """The schema of a mapping, from the struct that declares its fields."""
    specs = specs_of(kind)
    required = [spec.written for spec in specs if spec.required]
    return closed_object({spec.written: _field(spec) for spec in specs}, required=required)


def _of_type(spec: FieldSpec) -> Schema:
    if spec.choices:
        return {"enum": list(spec.choices)}
    if isinstance(spec.kind, type) and issubclass(spec.kind, Struct):
        return _struct(spec.kind)
    if spec.kind is bool:
        return {"type": "boolean"}
    if spec.kind is int:
        return {"type": "integer", "minimum": spec.lowest, "maximum": spec.highest}
    if spec.kind is str:
        return {"type": "string"} | ({"pattern": spec.pattern} if spec.pattern else {})
    if spec.items is None:
        return {}
    if spec.kind is not tuple:
        return {"type": "object", "additionalProperties": _field(spec.items)}
    least = {"minItems": spec.least} if spec.least else {}
    most = {} if spec.most is None else {"maxItems": spec.most}
    return {"type": "array", "items": _field(spec.items), **least, **most}


def _brokers() -> Schema:
    broker = _struct(BrokerSpec)
    del broker["properties"]["id"], broker["required"]
    broker["type"] = ["object", "null"]
    return {"anyOf": [broker_list(), by_broker(broker, minProperties=1, maxProperties=MAX_BROKERS)]}


_PARTS: Mapping[str | None, Callable[[], Schema]] = {
    "broker_configs": _configs_of_one_broker,
    "brokers": _brokers,
    "condition": lambda: closed_object(dict(CONDITION)),
    "configs": _configs,
    "epoch_file": lambda: EPOCHS,
    "epochs": lambda: EPOCHS,
    "error_names": lambda: {
        "type": "object",
        "additionalProperties": {"type": ["string", "null"], "pattern": ERROR_NAME_PATTERN},
    },
    "expected_replicas": lambda: by_broker(_struct(ExpectedReplica)),
    "leader": lambda: {"anyOf": [BROKER, {"const": NO_LEADER}]},
    "leader_or_none": lambda: {"anyOf": [BROKER, {"const": NO_LEADER}]},
    "level": lambda: LEVEL,
    "log_line": lambda: LOG_LINE,
    "logs": lambda: by_broker(_struct(LogSpec)),
    "new_terms": lambda: closed_object(dict.fromkeys(term_names(), TEXT)),
    "ranges": lambda: RANGES,
    "records": lambda: LOG_LINE,
    "rules": lambda: closed_object({name: {"type": "boolean"} for name in RULE_NAMES}),
    "steps": lambda: {
        "type": "array",
        "maxItems": MAX_STEPS,
        "items": {"anyOf": [step_schema(kind) for kind in STEPS]},
    },
    "summary": lambda: TEXT,
    "terms": lambda: {
        "type": "array",
        "maxItems": len(term_names()),
        "items": {"enum": list(term_names())},
    },
    "title": lambda: TEXT,
    "topic_configs": _topic_configs,
    "version": lambda: VERSION,
}
"""Part of the format → its schema, for those that their types do not give."""


# --- steps ------------------------------------------------------------------------------------


def step_schema(kind: type[StepStruct]) -> Schema:
    """The schema of one kind of step, with its name: `{"crash": {"broker": 2}}`.

    The description of the step is its struct's docstring, in Markdown.
    """
    name, arguments = name_of(kind), _arguments(kind)
    does = cleandoc(kind.__doc__ or "")
    if issubclass(kind, Words):
        return closed_object({name: arguments}, required=(name,), description=does)
    of_step = {name: _refusable(arguments), "refused": REFUSED}
    return closed_object(of_step, required=(name,), description=does)


def _refusable(arguments: Schema) -> Schema:
    """The same schema with `refused` as an additional key."""
    if "anyOf" in arguments and "properties" not in arguments:
        return {"anyOf": [_refusable(choice) for choice in arguments["anyOf"]]}
    refusable = arguments | {"properties": arguments["properties"] | {"refused": REFUSED}}
    if "minProperties" in arguments:
        # `refused` is not a setting: the mapping must be valid without it.
        refusable["anyOf"] = [
            {"not": {"required": ["refused"]}},
            {"minProperties": arguments["minProperties"] + 1},
        ]
    return refusable


def _arguments(kind: type[StepStruct]) -> Schema:
    if kind is Config:
        return _config()
    if kind is Note:
        return {"anyOf": [{"type": "string"}, closed_object(_IN_LANGUAGES) | _IN_A_LANGUAGE]}
    if kind is Ask:
        return _question()
    if kind is Expect:
        return _expectation()
    required = [spec.written for spec in specs_of(kind) if spec.required]
    conditions = [condition.schema() for condition in CONDITIONS.get(kind, ())]
    together = {"allOf": conditions} if conditions else {}
    return closed_object(_properties(kind), required=required, **together)


def _properties(kind: type[StepStruct]) -> dict[str, Schema]:
    return {spec.written: _field(spec) for spec in specs_of(kind)}


def _config() -> Schema:
    """The schema of the cluster's settings and protocol level, in either spelling, or of the
    settings of a topic or a broker.
    """
    levels = {written: LEVEL for name in LEVEL_NAMES for written in (name, dotted(name))}
    configs = _configs()
    of_topic = {"topic": {"type": "string"}, **_topic_configs()["properties"]}
    of_broker = {"broker": BROKER, **_configs_of_one_broker()["properties"]}
    return {
        "anyOf": [
            _changed_configs(configs["properties"] | levels),
            _changed_configs(of_topic, "topic"),
            _changed_configs(of_broker, "broker"),
        ]
    }


def _changed_configs(properties: Mapping[str, Schema], *required: str) -> Schema:
    """A `config` step, which has at least one setting or level."""
    least = len(required) + 1
    only = {spec.written: _field(spec) for spec in specs_of(Config) if spec.written == "only"}
    return closed_object(
        {**properties, **only},
        required=required,
        minProperties=least,
        **{"if": {"required": ["only"]}, "then": {"minProperties": least + 1}},
    )


# --- words -----------------------------------------------------------------------------------

_IN_LANGUAGES: dict[str, Schema] = {
    **{language: {"type": "string"} for language in LANGUAGES},
    **CONDITION,
}
_IN_A_LANGUAGE: Schema = {"anyOf": [{"required": [language]} for language in LANGUAGES]}


def _question() -> Schema:
    answers = {"type": "array", "items": TEXT, "minItems": 2, "maxItems": MAX_ANSWERS}
    reasons = {"type": "array", "items": TEXT, "maxItems": MAX_ANSWERS}
    properties = _properties(Ask) | _IN_LANGUAGES | {"answers": answers, "reasons": reasons}
    del properties["text"]
    return closed_object(properties, required=("answers", "correct")) | _IN_A_LANGUAGE


def _expectation() -> Schema:
    properties = _properties(Expect)
    held = [name for name in properties if name not in ("partition", "kafka")]
    return closed_object(properties, anyOf=[{"required": [name]} for name in held])
