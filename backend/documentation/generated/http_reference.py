"""The requests and documents of the HTTP API, from its OpenAPI document."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from backend.documentation.contents import WORDS, page_address
from backend.documentation.generated.subject import Subject, code, table
from sim_engine.languages import say as say_message
from sim_engine.scenario_reader.schema import Schema

DOCUMENTS_PAGE = "reference/documents"
_PREFIX = "#/components/schemas/"


def requests_reference(subject: Subject, lang: str) -> str:
    """Every request, grouped by subject: parameters, body, responses."""
    shared = _mapping(_mapping(subject.openapi()["components"]).get("responses", {}))
    by_tag: dict[str, list[str]] = {}
    for path, methods in _mapping(subject.openapi()["paths"]).items():
        for method, operation in _mapping(methods).items():
            tag = cast("list[str]", operation["tags"])[0]
            by_tag.setdefault(tag, []).extend(_operation(method, path, operation, shared, lang))
    return "\n".join(
        line for tag, lines in by_tag.items() for line in (f"## {tag.capitalize()}\n", *lines)
    )


def documents_reference(subject: Subject, lang: str) -> str:
    """Every document in requests and responses, with its fields and their types."""
    schemas = _mapping(_mapping(subject.openapi()["components"])["schemas"])
    return "\n".join(line for name in schemas for line in _document(name, schemas[name], lang))


def _mapping(value: object) -> Mapping[str, Schema]:
    return cast("Mapping[str, Schema]", value)


def _operation(
    method: str, path: str, operation: Schema, shared: Mapping[str, Schema], lang: str
) -> Iterator[str]:
    yield f"### {method.upper()} {path}\n"
    yield f"{operation.get('description') or operation['summary']}\n"
    parameters = cast("Sequence[Schema]", operation.get("parameters", ()))
    if parameters:
        yield table(lang, ("parameter", "in", "value", "meaning"), map(_parameter, parameters))
    body = operation.get("requestBody")
    if body is not None:
        content = next(iter(_mapping(_mapping(body)["content"]).values()))
        shown = type_of(cast("Schema", content["schema"]))
        yield f"{say_message(lang, WORDS, 'body')} {shown}\n"
    responses = _mapping(operation["responses"])
    yield table(
        lang,
        ("status", "meaning", "document"),
        (_response(status, _resolved(responses[status], shared)) for status in sorted(responses)),
    )


def _parameter(parameter: Schema) -> tuple[str, str, str, str]:
    schema = cast("Schema", parameter["schema"])
    needed = "" if parameter.get("required") else " ?"
    said = parameter.get("description") or schema.get("description") or ""
    return f"`{parameter['name']}`{needed}", str(parameter["in"]), type_of(schema), str(said)


def _resolved(response: Schema, shared: Mapping[str, Schema]) -> Schema:
    """A response, or the shared one that it names."""
    named = response.get("$ref")
    return response if named is None else shared[str(named).rpartition("/")[2]]


def _response(status: str, response: Schema) -> tuple[str, str, str]:
    content = _mapping(response.get("content", {}))
    schemas = [kind["schema"] for kind in content.values() if "schema" in kind]
    document = type_of(cast("Schema", schemas[0])) if schemas else ""
    said = str(response["description"])
    return f"`{status}`", "" if said == "Successful Response" else said, document


def _document(name: str, schema: Schema, lang: str) -> Iterator[str]:
    yield f"## {name}\n"
    if schema.get("description"):
        yield f"{schema['description']}\n"
    fields = _mapping(schema.get("properties", {}))
    if not fields:
        yield f"{type_of(schema)}\n"
        return
    required = cast("list[str]", schema.get("required", []))
    yield table(
        lang,
        ("field", "value", "meaning"),
        (
            (
                f"`{field}`" if field in required else f"`{field}` ?",
                type_of(value),
                str(value.get("description", "")),
            )
            for field, value in fields.items()
        ),
    )


def type_of(schema: Schema | bool) -> str:
    """The type of a value, in one line; a named document is a link."""
    if isinstance(schema, bool):
        return "any value" if schema else "no value"
    if "$ref" in schema:
        name = str(schema["$ref"]).removeprefix(_PREFIX)
        return f"[{name}]({page_address(DOCUMENTS_PAGE)}#{name.lower()})"
    if "const" in schema:
        return code(schema["const"])
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in cast("list[object]", schema["enum"]))
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            choices = cast("list[Schema]", schema[several])
            return " or ".join(dict.fromkeys(map(type_of, choices)))
    match schema.get("type"):
        case "array":
            items = cast("Schema", schema.get("items", {}))
            return f"list of {type_of(items)}"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"mapping to {type_of(cast('Schema', schema['additionalProperties']))}"
        case list() as kinds:
            return " or ".join(str(kind) for kind in kinds)
        case None:
            return "any value"
    return str(schema["type"]) + _range(schema)


def _range(schema: Schema) -> str:
    lowest, highest = schema.get("minimum"), schema.get("maximum")
    if lowest is None and highest is None:
        return ""
    if highest is None:
        return f", {lowest} or more"
    return f", {lowest or 0} – {highest}"
