"""Every route that writes or computes has its entries in the table of limits."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from backend.limit_table import QUOTAS, STORED_BYTES_AN_HOUR, Limit
from backend.services import limits_of
from tests.backend.conftest import API, LOSS, SCENARIO, Service, StartService

READS = frozenset({"GET", "HEAD", "OPTIONS"})
QUESTION: dict[str, Any] = {"key": "1", "text": {"en": "?"}, "answers": [{"en": "a"}, {"en": "b"}]}
MOMENT: dict[str, Any] = {"first": 0, "frame": 0, "question": QUESTION}
GRID: dict[str, Any] = {"grid": 1, "latency_ms": [1]}
DESCRIBED = "Topic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1,2"
# It is lost when broker 1 comes back, which a search finds at once.
LOSING = "Topic: t\tPartition: 0\tLeader: none\tReplicas: 1,3,2\tIsr: \tElr: 1\tLastKnownElr: 3"
SEARCHED: dict[str, Any] = {
    "files": [{"name": "x", "text": LOSING}],
    "kafka": "4.1",
    "settings": {"min.insync.replicas": "2"},
    "partition": "t-0",
}
FILES: dict[str, Any] = {"files": [{"name": "x", "text": DESCRIBED}]}
# A valid request for each route, in an order in which each finds what it needs.
REQUESTS: dict[str, Any] = {
    f"POST {API}/sessions": {"scenario": LOSS},
    f"POST {API}/sessions/{{id}}/actions": {"after": 0, "step": {"crash": {"broker": 2}}},
    f"POST {API}/sessions/{{id}}/comparisons": {"kafka": "0.11"},
    f"POST {API}/sessions/{{id}}/searches": {"max_depth": 1, "seconds": 1},
    f"DELETE {API}/sessions/{{id}}/searches/{{search_id}}": None,
    f"POST {API}/drafts": {"scenario_text": json.dumps(SCENARIO)},
    f"POST {API}/imports": FILES,
    f"POST {API}/shares": {"session": "{id}", "at": 0},
    f"POST {API}/shares/{{sid}}/fork": {},
    f"DELETE {API}/shares/{{sid}}": None,
    f"POST {API}/presentations": {"session": "{id}", "moment": MOMENT},
    f"PUT {API}/presentations/{{code}}": MOMENT,
    f"POST {API}/presentations/{{code}}/votes": {"question": "1", "voter": "0" * 32, "choice": 0},
    f"DELETE {API}/presentations/{{code}}": None,
    f"POST {API}/presentations/{{code}}/fork": {},
    f"POST {API}/challenges/{{challenge_id}}/tries": {"moves": []},
    f"POST {API}/insights/runs": {"grid": GRID, "cell": 0, "seed": 0},
    f"POST {API}/assessments": FILES,
    f"POST {API}/assessments/searches": SEARCHED,
    f"DELETE {API}/assessments/searches/{{search_id}}": None,
    f"POST {API}/assessments/report": FILES,
    f"POST {API}/assessments/without-secrets": FILES,
    f"POST {API}/assessments/words": {"scenario": SCENARIO},
    f"POST {API}/assessments/shares": FILES,
    f"DELETE {API}/assessments/shares/{{sid}}": None,
}


def writing_routes(app: FastAPI) -> Iterator[tuple[str, list[Limit]]]:
    for route in iter_route_contexts(app.routes):
        for method in sorted(set(route.methods or ()) - READS):
            dependencies = getattr(route, "dependencies", [])
            yield f"{method} {route.path}", limits_of(dependencies)


async def test_every_route_that_writes_or_computes_has_a_quota(sqlite_service: Service):
    limits = dict(writing_routes(sqlite_service.app))
    assert len(limits) >= 15
    assert set(limits) == set(REQUESTS), "each has a request here"
    for route, found in limits.items():
        quotas = [limit for limit in found if limit in QUOTAS and limit is not STORED_BYTES_AN_HOUR]
        assert len(quotas) == 1, route


@pytest.fixture
def computes_apart(database_kind: str) -> bool:
    return database_kind == "sqlite"  # neither matters to the other


async def test_every_route_that_stores_is_counted_in_bytes(
    database_url: str,
    start_service: StartService,
    monkeypatch: pytest.MonkeyPatch,
    computes_apart: bool,
):
    async with start_service(database_url, computes_apart=computes_apart) as service:
        limits = dict(writing_routes(service.app))
        charged: list[int] = []
        quota = service.services.quotas[STORED_BYTES_AN_HOUR.name]
        monkeypatch.setattr(quota, "charge", lambda _network, number: charged.append(number))
        names = {"{challenge_id}": await a_challenge(service), "{search_id}": "0" * 32}
        tokens: dict[str, str] = {}
        for route, body in REQUESTS.items():
            method, path = filled(route, names).split(" ")
            charged.clear()
            answer = await service.client.request(
                method,
                path,
                json=filled(body, names),
                headers={"Idempotency-Key": str(uuid.uuid4()), **authorized(path, tokens)},
            )

            assert answer.status_code < 300, (route, answer.text)
            if method == "DELETE":
                assert STORED_BYTES_AN_HOUR not in limits[route], "deleting is always possible"
            else:
                assert (sum(charged) > 0) is (STORED_BYTES_AN_HOUR in limits[route]), route
            if route.endswith(("/sessions", "/shares", "/presentations")):
                remember(answer.json(), names, tokens)


def filled(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, str):
        for name, known in names.items():
            value = value.replace(name, known)
    return (
        {key: filled(each, names) for key, each in value.items()}
        if isinstance(value, dict)
        else value
    )


def authorized(path: str, tokens: dict[str, str]) -> dict[str, str]:
    token = next((tokens[kind] for kind in tokens if f"/{kind}/" in path), "")
    return {"Authorization": f"Bearer {token}"}


def remember(made: dict[str, Any], names: dict[str, str], tokens: dict[str, str]) -> None:
    for name in ("id", "sid", "code"):
        if name in made:
            names[f"{{{name}}}"] = made[name]
    if "delete_token" in made:
        tokens["shares"] = made["delete_token"]
    if "token" in made:
        tokens["presentations"] = made["token"]


async def a_challenge(service: Service) -> str:
    listed = await service.read("challenges")
    return str((listed["challenges"] if isinstance(listed, dict) else listed)[0]["id"])


async def test_a_visitor_stores_only_so_many_bytes_in_an_hour(
    database_url: str, start_service: StartService, computes_apart: bool
):
    steps = [{"note": {"en": "x" * 500, "zh": "x"}}] * 200
    large = {"scenario": {**SCENARIO, "steps": steps}}  # of 100 KB
    async with start_service(
        database_url, computes_apart=computes_apart, stored_bytes_an_hour=400_000
    ) as service:
        made = [await service.client.post(f"{API}/sessions", json=large) for _ in range(8)]
        statuses = [answer.status_code for answer in made]
        session = made[0].json()["id"]
        refused = made[-1]
        others = [
            await service.client.post(
                f"{API}/presentations", json={"session": session, "moment": MOMENT}
            ),
            await service.act(session, 0, {"crash": {"broker": 2}}),
        ]
        read = await service.client.get(f"{API}/sessions/{session}")

    assert statuses == sorted(statuses)
    assert 3 <= statuses.count(201) <= 5
    assert (refused.status_code, refused.json()["limit"]) == (429, "stored_bytes_an_hour")
    assert 0 < int(refused.headers["Retry-After"]) < 3600
    assert [answer.status_code for answer in others] == [429, 429]
    assert read.status_code == 200
