"""Responses match the OpenAPI document."""

import re
from typing import Any

import pytest
from jsonschema_rs import validate

from backend.main import create_app
from backend.settings import Settings
from tests.backend.conftest import API, LOSS, PUBLIC_URL, Service


async def document_of(service: Service) -> dict[str, Any]:
    answered: dict[str, Any] = await service.read("openapi.json")
    return answered


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    settings = Settings(database_url="sqlite:///unused.db", public_url=PUBLIC_URL)
    described: dict[str, Any] = create_app(settings).openapi()  # not started, so not opened
    return described


def answer_schema(document: dict[str, Any], path: str, method: str, status: str) -> dict[str, Any]:
    answer = document["paths"][path][method]["responses"][status]
    (content,) = answer["content"].values()
    return {**content["schema"], "components": document["components"]}


def resolved(document: dict[str, Any], response: dict[str, Any]) -> dict[str, Any]:
    """A response itself, if it is one that several operations share."""
    found: dict[str, Any] = (
        document["components"]["responses"][response["$ref"].rpartition("/")[2]]
        if "$ref" in response
        else response
    )
    return found


def list_objects(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for item in schema for found in list_objects(item)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(found for value in schema.values() for found in list_objects(value))]


READ_BY_ANYBODY = [
    ("scenarios", "scenarios"),
    ("scenarios/{scenario_id}", "scenarios/s26"),
    ("scenarios/{scenario_id}", "scenarios/nope"),
    ("scenarios/{scenario_id}/run", "scenarios/s27/run"),
    ("scenarios/{scenario_id}/run", "scenarios/nope/run"),
    ("scenarios/{scenario_id}/runs/{kafka}", "scenarios/s27/runs/0.11"),
    ("scenarios/{scenario_id}/runs/{kafka}/choices", "scenarios/s27/runs/0.11/choices"),
    ("scenarios/{scenario_id}/runs/{kafka}/words", "scenarios/s27/runs/0.11/words"),
    (
        "scenarios/{scenario_id}/runs/{kafka}/comparisons/{other}",
        "scenarios/s27/runs/0.11/comparisons/0.10.2",
    ),
    ("versions", "versions"),
    ("catalogue", "catalogue"),
    ("versions/{kafka}/sources", "versions/0.11/sources"),
    ("steps", "steps"),
    ("versions/{kafka}/settings", "versions/0.11/settings?control=zookeeper"),
    ("versions/{kafka}/settings", "versions/4.1/settings?control=zookeeper"),
    ("insights/summary", "insights/summary"),
]
"""Of each route, an address; of some, one with an error."""


async def test_every_answer_is_as_described(service: Service):
    document = await document_of(service)
    client = service.client
    created = await client.post(f"{API}/sessions", json={"scenario": LOSS})
    session = created.json()
    one = f"{API}/sessions/{{id}}"
    address = f"{API}/sessions/{session['id']}"
    head = session["head"]
    crash = {"after": head, "step": {"crash": {"broker": 1}}}
    body = {"session": session["id"], "at": 3}
    shared = await client.post(
        f"{API}/shares", json=body, headers={"Idempotency-Key": session["id"]}
    )
    share = f"{API}/shares/{shared.json()['sid']}"
    answers = [
        (f"{API}/sessions", "post", created),
        (one, "get", await client.get(address)),
        (f"{one}/actions", "post", await client.post(f"{address}/actions", json=crash)),
        (f"{one}/actions", "post", await client.post(f"{address}/actions", json=crash)),
        (
            f"{one}/actions",
            "post",
            await client.post(f"{address}/actions", json={**crash, "after": head + 1}),
        ),
        (f"{one}/timeline", "get", await client.get(f"{address}/timeline")),
        (f"{one}/timeline", "get", await client.get(f"{address}/timeline?full=1")),
        (f"{one}/choices", "get", await client.get(f"{address}/choices?after={head}")),
        (
            f"{one}/comparisons",
            "post",
            await client.post(f"{address}/comparisons", json={"kafka": "2.0.1"}),
        ),
        (f"{API}/shares", "post", shared),
        (f"{API}/shares/{{sid}}", "get", await client.get(share)),
        (f"{API}/shares/{{sid}}/fork", "post", await client.post(f"{share}/fork")),
        (f"{API}/sessions", "post", await client.post(f"{API}/sessions", json={})),
        *[
            (f"{API}/{route}", "get", await client.get(f"{API}/{path}"))
            for route, path in READ_BY_ANYBODY
        ],
    ]

    for path, method, response in answers:
        schema = answer_schema(document, path, method, str(response.status_code))
        validate(schema, response.json())


def test_every_route_is_described(document: dict[str, Any]):
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], f"{method} {path}"
            assert operation["tags"], f"{method} {path}"


def operations(document: dict[str, Any]) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]


def test_clients_get_readable_names(document: dict[str, Any]):
    names = [operation["operationId"] for _, _, operation in operations(document)]

    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch("[a-z]+(_[a-z]+)*", name)] == []
    used = {tag for _, _, operation in operations(document) for tag in operation["tags"]}
    assert used == {tag["name"] for tag in document["tags"]}
    for path, _, operation in operations(document):
        assert 10 < len(operation["summary"]) < 250, path
        assert not operation["summary"].endswith("."), path


def test_it_says_where_it_is_served_and_under_which_license(document: dict[str, Any]):
    assert [server["url"] for server in document["servers"]] == [PUBLIC_URL]
    assert document["info"]["license"]["identifier"] == "Apache-2.0"
    assert document["info"]["contact"]["url"] == f"{PUBLIC_URL}/docs"


def test_the_public_addresses_are_in_it(document: dict[str, Any]):
    files = ("svg", "png", "gif", "json", "html", "md", "mmd", "yaml")
    of_files = [f"{run}.{end}" for run in ("/s/{sid}", "/lessons/{scenario_id}") for end in files]
    embeds = [f"/e/v1{run}" for run in ("/s/{sid}", "/lessons/{scenario_id}")]

    for path in (*of_files, *embeds, *(f"{one}/frames.json" for one in embeds), "/oembed"):
        [(method, operation)] = document["paths"][path].items()
        assert method == "get"
        [*content] = operation["responses"]["200"]["content"].values()
        assert content[0]["schema"], path


def test_nothing_is_in_it_that_generators_refuse(document: dict[str, Any]):
    for schema in list_objects(document):
        assert schema.get("items") is not False
        assert "ge" not in schema
        assert "le" not in schema
        values = schema.get("enum")
        if isinstance(values, list):
            assert len({type(value) for value in values} - {type(None)}) == 1, values
            assert not isinstance(values[0], bool)


# They name something that a visitor creates, or a cluster that is not watched.
OF_VISITORS = re.compile(r"/\{(id|sid|code|search_id|campaign_id)\}|/watch/|^/api/v1/(shares|pres)")


async def test_every_example_is_a_request_that_the_service_accepts(sqlite_service: Service):
    document = await document_of(sqlite_service)
    for path, method, operation in operations(document):
        address = path
        query: dict[str, str] = {}
        headers: dict[str, str] = {}
        for parameter in operation.get("parameters", ()):
            assert "example" in parameter or not parameter.get("required"), (path, parameter)
            name, example = parameter["name"], parameter.get("example")
            if example is None:
                continue
            if parameter["in"] == "path":
                address = address.replace(f"{{{name}}}", str(example))
            else:
                (query if parameter["in"] == "query" else headers)[name] = str(example)
        body = None
        if "requestBody" in operation:
            [content] = operation["requestBody"]["content"].values()
            body = content["example"]
            validate({**content["schema"], "components": document["components"]}, body)
        [sample] = operation["x-codeSamples"]
        assert f"{PUBLIC_URL}{address}" in sample["source"]
        if "text/event-stream" in operation["responses"].get("200", {}).get("content", {}):
            continue  # it takes long, or never ends
        if path.endswith((".png", ".gif")):
            continue  # it takes long to draw
        answer = await sqlite_service.client.request(
            method.upper(), address, params=query, headers=headers, json=body
        )
        allowed = {200, 201, 204} | ({404, 409, 410} if OF_VISITORS.search(path) else set())
        assert answer.status_code in allowed, (method, address, answer.text[:300])


def test_errors_are_described_in_the_shape_they_have(document: dict[str, Any]):
    answers = [
        (path, status, answer)
        for path, methods in document["paths"].items()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
        if int(status) >= 400
    ]

    assert answers
    for path, status, answer in answers:
        answer = resolved(document, answer)
        assert answer["content"].keys() == {"application/problem+json"}, (path, status)


def test_nothing_is_left_open_by_accident(document: dict[str, Any]):
    """Every object in a response schema either lists its keys or declares its values' type."""
    for name, schema in document["components"]["schemas"].items():
        for found in list_objects(schema):
            if found.get("type") == "object":
                named = {"properties", "additionalProperties", "patternProperties"}
                assert named.intersection(found), name


HOSTILE_REQUESTS: list[dict[str, Any]] = [
    {},
    {"content": b"{", "headers": {"Content-Type": "application/json"}},
    {"content": b"{}", "headers": {"Content-Type": "text/plain"}},
    {"content": b"[" * 100, "headers": {"Content-Type": "application/json"}},
    {"content": b"x" * 300_000, "headers": {"Content-Type": "application/json"}},
    {"json": {"session": "1" * 26, "moment": {"first": 0, "frame": 0}, "at": 0}},
    {"json": {}, "headers": {"Sec-Fetch-Site": "cross-site", "Origin": "https://other.example"}},
]


async def test_every_status_of_a_hostile_request_is_declared(sqlite_service: Service):
    """The client of the tests compares each status with the document."""
    document = await document_of(sqlite_service)
    occurred: set[tuple[str, int]] = set()
    for path, methods in document["paths"].items():
        for method in methods:
            for value in ("1" * 26, "zzzzz", "nope"):
                address = re.sub(r"\{\w+\}", value, path)
                for request in HOSTILE_REQUESTS[: 1 if method == "get" else None]:
                    answer = await sqlite_service.client.request(method.upper(), address, **request)
                    occurred.add((path, answer.status_code))
    for _ in range(310):
        answer = await sqlite_service.client.get(f"{API}/sessions/{'1' * 26}")

    assert answer.status_code == 429
    assert {400, 403, 404, 413, 415, 422} <= {status for _, status in occurred}
