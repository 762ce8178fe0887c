"""The JSON Schema of each step, from its struct.

The type of a field defines the values of one argument. Conditions on several arguments are in
`step_conditions`, which the reader checks too.
"""

from inspect import cleandoc

from sim_engine.actions import (
    Ask,
    Config,
    Expect,
    Note,
    StepStruct,
    Words,
    name_of,
)
from sim_engine.actions.author_words import ERROR_NAME_PATTERN, MAX_ANSWERS
from sim_engine.actions.fields import FieldSpec, specs_of
from sim_engine.languages import LANGUAGES
from sim_engine.scenario_reader.schema_parts import (
    BROKER,
    CONDITION,
    EPOCHS,
    LEVEL,
    LOG_LINE,
    OFFSET_OR_NULL,
    RANGES,
    REFUSED,
    TEXT,
    Schema,
    broker_configs,
    by_broker,
    closed_object,
    single_broker_configs,
    topic_configs,
)
from sim_engine.scenario_reader.step_conditions import CONDITIONS
from sim_engine.versions import LEVEL_NAMES, dotted


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


def _field(spec: FieldSpec) -> Schema:
    """The schema of an argument, from its type."""
    schema = _of_type(spec) | dict(spec.schema)
    return {"anyOf": [schema, {"type": "null"}]} if spec.nullable else schema


def _of_type(spec: FieldSpec) -> Schema:
    if spec.choices:
        return {"enum": list(spec.choices)}
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


def _config() -> Schema:
    """The schema of the cluster's settings and protocol level, in either spelling, or of the
    settings of a topic or a broker.
    """
    levels = {written: LEVEL for name in LEVEL_NAMES for written in (name, dotted(name))}
    configs = broker_configs()
    of_topic = {"topic": {"type": "string"}, **topic_configs()["properties"]}
    of_broker = {"broker": BROKER, **single_broker_configs()["properties"]}
    return {
        "anyOf": [
            closed_object(configs["properties"] | levels, minProperties=1),
            closed_object(of_topic, required=("topic",), minProperties=2),
            closed_object(of_broker, required=("broker",), minProperties=2),
        ]
    }


# --- words -----------------------------------------------------------------------------------

_IN_LANGUAGES: dict[str, Schema] = {
    **{language: {"type": "string"} for language in LANGUAGES},
    **CONDITION,
}
_IN_A_LANGUAGE: Schema = {"anyOf": [{"required": [language]} for language in LANGUAGES]}


def _question() -> Schema:
    answers = {"type": "array", "items": TEXT, "minItems": 2, "maxItems": MAX_ANSWERS}
    reasons = {"type": "array", "items": TEXT, "maxItems": MAX_ANSWERS}
    said = _properties(Ask) | _IN_LANGUAGES | {"answers": answers, "reasons": reasons}
    del said["text"]
    return closed_object(said, required=("answers", "correct")) | _IN_A_LANGUAGE


def _expectation() -> Schema:
    replica = closed_object(
        {"log": LOG_LINE, "leo": OFFSET_OR_NULL, "hw": OFFSET_OR_NULL, "epochs": EPOCHS}
    )
    error = {"type": ["string", "null"], "pattern": ERROR_NAME_PATTERN}
    said = _properties(Expect) | {
        "kafka": RANGES,
        "leader": {"anyOf": [BROKER, {"const": -1}]},
        "replicas": by_broker(replica),
        "errors": {"type": "object", "additionalProperties": error},
    }
    held = [name for name in said if name not in ("partition", "kafka")]
    return closed_object(said, anyOf=[{"required": [name]} for name in held])
