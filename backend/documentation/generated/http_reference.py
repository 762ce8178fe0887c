"""The requests and documents of the HTTP interface, from its OpenAPI document."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from backend.documentation.contents import WORDS, page_address
from backend.documentation.generated.subject import Subject, code, table
from sim_engine import JsonObject, say_message

DOCUMENTS_PAGE = "reference/documents"
_PREFIX = "#/components/schemas/"


def requests_reference(subject: Subject, lang: str) -> str:
    """Every request, by what it is about: parameters, body, answers."""
    by_tag: dict[str, list[str]] = {}
    for path, methods in _mapping(subject.openapi()["paths"]).items():
        for method, operation in _mapping(methods).items():
            tag = cast("list[str]", operation["tags"])[0]
            by_tag.setdefault(tag, []).extend(_operation(method, path, operation, lang))
    return "\n".join(
        line for tag, lines in by_tag.items() for line in (f"## {tag.capitalize()}\n", *lines)
    )


def documents_reference(subject: Subject, lang: str) -> str:
    """Every document that requests and answers consist of: its fields and what they are."""
    schemas = _mapping(_mapping(subject.openapi()["components"])["schemas"])
    return "\n".join(line for name in schemas for line in _document(name, schemas[name], lang))


def _mapping(value: object) -> Mapping[str, JsonObject]:
    return cast("Mapping[str, JsonObject]", value)


def _operation(method: str, path: str, operation: JsonObject, lang: str) -> Iterator[str]:
    yield f"### {method.upper()} {path}\n"
    yield f"{operation.get('description') or operation['summary']}\n"
    parameters = cast("Sequence[JsonObject]", operation.get("parameters", ()))
    if parameters:
        yield table(lang, ("parameter", "in", "value", "meaning"), map(_parameter, parameters))
    body = operation.get("requestBody")
    if body is not None:
        content = next(iter(_mapping(_mapping(body)["content"]).values()))
        shown = type_of(cast("JsonObject", content["schema"]))
        yield f"{say_message(lang, WORDS, 'body')} {shown}\n"
    responses = _mapping(operation["responses"])
    yield table(
        lang,
        ("status", "meaning", "document"),
        (_response(status, responses[status]) for status in sorted(responses)),
    )


def _parameter(parameter: JsonObject) -> tuple[str, str, str, str]:
    schema = cast("JsonObject", parameter["schema"])
    needed = "" if parameter.get("required") else " ?"
    said = parameter.get("description") or schema.get("description") or ""
    return f"`{parameter['name']}`{needed}", str(parameter["in"]), type_of(schema), str(said)


def _response(status: str, response: JsonObject) -> tuple[str, str, str]:
    content = _mapping(response.get("content", {}))
    schemas = [kind["schema"] for kind in content.values() if "schema" in kind]
    document = type_of(cast("JsonObject", schemas[0])) if schemas else ""
    said = str(response["description"])
    return f"`{status}`", "" if said == "Successful Response" else said, document


def _document(name: str, schema: JsonObject, lang: str) -> Iterator[str]:
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


def type_of(schema: JsonObject | bool) -> str:
    """What a value is, in one line; a document of its own is a link."""
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
            choices = cast("list[JsonObject]", schema[several])
            return " or ".join(dict.fromkeys(map(type_of, choices)))
    match schema.get("type"):
        case "array":
            items = cast("JsonObject", schema.get("items", {}))
            return f"list of {type_of(items)}"
        case "object" if isinstance(schema.get("additionalProperties"), dict):
            return f"mapping to {type_of(cast('JsonObject', schema['additionalProperties']))}"
        case list() as kinds:
            return " or ".join(str(kind) for kind in kinds)
        case None:
            return "any value"
    return str(schema["type"]) + _range(schema)


def _range(schema: JsonObject) -> str:
    lowest, highest = schema.get("minimum"), schema.get("maximum")
    if lowest is None and highest is None:
        return ""
    if highest is None:
        return f", {lowest} or more"
    return f", {lowest or 0} – {highest}"
