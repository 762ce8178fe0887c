"""Hostile values in the path and the query of every route. What is no id costs no query."""

import re
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

from fastapi.dependencies.utils import get_flat_params
from fastapi.params import Query
from fastapi.routing import iter_route_contexts
from sqlalchemy import event

from tests.backend.conftest import LOSS, Service, StartService

HOSTILE = (
    "%00",
    "%00abc",
    "a%00b",
    f"{'1' * 26}%00",
    "%ED%A0%80",  # a lone surrogate
    "%FF%FE",
    "%E2%80%AE",  # text from right to left
    "%0D%0AX:%20y",
    "%27%20OR%201=1--",
    "..%2F..%2Fetc%2Fpasswd",
    "%EF%BC%91" * 26,  # digits of another script
    "-1",
    "9" * 40,
    "a" * 5_000,
)
IDS = frozenset({"id", "session_id", "sid", "code"})
NAMED = re.compile(r"\{(\w+)(?::path)?\}")

_executed: ContextVar[list[str] | None] = ContextVar("executed", default=None)


def routes_with_names(service: Service) -> Iterator[tuple[str, str]]:
    for route in iter_route_contexts(service.app.routes):
        if NAMED.search(str(route.path)):
            for method in sorted(route.methods or ()):
                yield method, str(route.path)


def note_statement(_connection: object, _cursor: object, sql: str, *_rest: object) -> None:
    executed = _executed.get()
    if executed is not None:  # by a request, not by housekeeping
        executed.append(sql)


async def test_no_hostile_value_in_a_path_is_found_or_looked_up(
    database_url: str, database_kind: str, start_service: StartService
):
    """9, 25: every route with a name in its path, by every method; on one database in one process,
    and on the other in two.
    """
    apart = database_kind == "sqlite"
    async with start_service(database_url, computes_apart=apart) as service:
        services = service.services
        event.listen(services.database.engine.sync_engine, "before_cursor_execute", note_statement)
        routes = list(routes_with_names(service))
        for method, template in routes:
            body: dict[str, Any] = {"json": {}} if method in ("POST", "PUT") else {}
            for value in HOSTILE:
                executed: list[str] = []
                _executed.set(executed)
                path = NAMED.sub(value, template)

                answer = await service.client.request(method, path, **body)

                assert 400 <= answer.status_code < 500, (method, template, value, answer.text)
                if IDS.intersection(NAMED.findall(template)):
                    assert executed == [], (method, template, value)
    assert len(routes) > 60


async def test_no_hostile_value_in_a_query_is_a_failure(service: Service):
    """9: every parameter of every route, of a run and a share that exist."""
    session = (await service.new_session(scenario=LOSS))["id"]
    names = {"id": session, "session_id": session, "sid": (await service.share(session, 0))["sid"]}
    names |= {"scenario_id": "kip-101-data-loss", "kafka": "3.9", "number": "1"}
    asked = 0
    for route in iter_route_contexts(service.app.routes):
        dependant = getattr(route.original_route, "dependant", None)
        if dependant is None or "GET" not in (route.methods or ()):
            continue
        path = NAMED.sub(lambda found: names.get(found[1], "1"), str(route.path))
        for parameter in get_flat_params(dependant):
            if not isinstance(parameter.field_info, Query):
                continue
            for value in HOSTILE[::3]:
                answer = await service.client.get(f"{path}?{parameter.alias}={value}")

                assert answer.status_code < 500, (path, parameter.alias, value, answer.text)
                asked += 1
    assert asked > 100
