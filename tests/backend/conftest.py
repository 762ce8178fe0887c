"""The service over HTTP, on each supported database, created by the migrations."""

import asyncio
import re
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from backend.drawing import raster
from backend.limit_table import MISSES_A_MINUTE, PNG_SECONDS
from backend.limits.quotas import Quota
from backend.main import create_app
from backend.operations.migrations import upgrade
from backend.services import Services
from backend.settings import Settings
from backend.shares import routes as share_routes
from backend.watches.watch import Watched
from tests.backend.frontend import write_frontend
from tests.postgres import PostgresServer

API = "/api/v1"
PUBLIC_URL = "https://highwater.example"

# Two replicas and no steps: everything in its timeline was done by a test.
SCENARIO: dict[str, Any] = {
    "scenario": 1,
    "id": "two-brokers",
    "title": {"en": "Two brokers", "zh": "两个 broker"},
    "summary": {"en": "Nothing has happened.", "zh": "什么都没有发生。"},
    "kafka": "3.9",
    "brokers": [1, 2],
    "topics": [{"name": "t", "partitions": [{"replicas": [1, 2]}]}],
    "steps": [],
}

# The loss of KIP-101: broker 1 truncates to its high watermark and is then elected.
LOSS: dict[str, Any] = {
    "scenario": 1,
    "id": "a-loss",
    "title": {"en": "A <loss> & more", "zh": "丢失"},
    "summary": {"en": "An acknowledged record goes.", "zh": "已确认的记录丢失了。"},
    "kafka": "0.10.2",
    "brokers": [1, 2],
    "configs": {"unclean.leader.election.enable": True},
    "topics": [{"name": "t", "partitions": [{"replicas": [2, 1]}]}],
    "steps": [
        {"produce": {"to": "t-0", "values": ["m1"], "as": "p1"}},
        {"fetch": {"broker": 1}},
        {"fetch": {"broker": 1}},
        {"produce": {"to": "t-0", "values": ["m2"], "as": "p1"}},
        {"fetch": {"broker": 1}},
        {"fetch": {"broker": 1, "drop": "response"}},
        {"crash": {"broker": 1}},
        {"detect": {"broker": 1}},
        {"start": {"broker": 1}},
        {"crash": {"broker": 2}},
        {"elect": {"partition": "t-0", "kind": "unclean", "leader": 1}},
        {"note": {"en": "m2 was acknowledged.", "zh": "m2 已被确认。"}},
        {"start": {"broker": 2}},
        {"settle": {}},
        {"settle": {}},
    ],
}


@dataclass(frozen=True)
class Service:
    """One running app, and a client that is connected to it without a socket."""

    app: FastAPI
    client: httpx.AsyncClient
    settings: Settings

    @property
    def services(self) -> Services:
        found: Services = self.app.state.services
        return found

    async def new_session(self, **body: Any) -> dict[str, Any]:
        session: dict[str, Any] = await self.send("sessions", body or {"scenario": SCENARIO})
        return session

    async def act(self, session: str, after: int, step: dict[str, Any]) -> httpx.Response:
        return await self.client.post(
            f"{API}/sessions/{session}/actions", json={"after": after, "step": step}
        )

    async def ask_to_share(self, session: str, at: int, key: str, **body: Any) -> httpx.Response:
        return await self.client.post(
            f"{API}/shares",
            json={"session": session, "at": at, **body},
            headers={"Idempotency-Key": key},
        )

    async def share(
        self, session: str, at: int, key: str | None = None, **body: Any
    ) -> dict[str, Any]:
        """A share with a unique key, because tests share a database."""
        response = await self.ask_to_share(session, at, key or f"{session}-{at}", **body)
        shared: dict[str, Any] = _content_of(response, 201)
        return shared

    async def shared(self, at: int | None = None, **body: Any) -> str:
        """The id of a share of a new session, at its head without `at`."""
        session = await self.new_session(**body)
        share = await self.share(session["id"], session["head"] if at is None else at)
        return str(share["sid"])

    async def read(self, path: str, status: int = 200) -> Any:
        """The JSON that the API responds with to GET; `path` is below its address."""
        return _content_of(await self.client.get(f"{API}/{path}"), status)

    async def send(self, path: str, body: object, status: int = 201, **options: Any) -> Any:
        """The JSON that it responds with to POST."""
        return _content_of(await self.client.post(f"{API}/{path}", json=body, **options), status)

    @contextmanager
    def allowing_misses(self, a_minute: int) -> Iterator[None]:
        """Inside the block, refuse a visitor who asks for more ids that do not exist."""
        services = self.services
        before = services.misses
        few = Quota(replace(MISSES_A_MINUTE, number=a_minute))
        object.__setattr__(services, "misses", few)
        try:
            yield
        finally:
            object.__setattr__(services, "misses", before)


def _content_of(response: httpx.Response, status: int) -> Any:
    assert response.status_code == status, response.text
    return response.json()


@cache
def declared_statuses() -> list[tuple[re.Pattern[str], dict[str, set[int]]]]:
    """The statuses of each operation in the OpenAPI document, by path and method."""
    app = create_app(Settings(database_url="sqlite:///unused.db"))  # not started, so not opened
    return [
        (
            re.compile(re.sub(r"\{\w+\}", "[^/]+", path)),
            {
                method.upper(): {int(status) for status in operation["responses"]}
                for method, operation in methods.items()
            },
        )
        for path, methods in app.openapi()["paths"].items()
    ]


async def check_response(response: httpx.Response) -> None:
    """Whatever a test requests, the OpenAPI document has the status of the response, and a response
    that something is temporary states for how long.
    """
    if response.status_code in (429, 503):
        assert int(response.headers["Retry-After"]) > 0, response.request.url
    request, path = response.request, response.request.url.raw_path.decode().partition("?")[0]
    operations = [methods for pattern, methods in declared_statuses() if pattern.fullmatch(path)]
    declared = [methods[request.method] for methods in operations if request.method in methods]
    if declared:
        assert any(response.status_code in each for each in declared), (
            f"{request.method} {path}: {response.status_code} is not in the OpenAPI document"
        )


StartService = Callable[..., AbstractAsyncContextManager[Service]]


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)], scope="session"
)
def database_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def migrated_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An SQLite file with the newest schema, to be copied."""
    path = tmp_path_factory.mktemp("migrated") / "highwater.db"
    upgrade(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def template_database(postgres_server: PostgresServer) -> str:
    """A PostgreSQL database with the newest schema, to be copied: nobody connects to it."""
    url = postgres_server.new_database()
    upgrade(url)
    return url


@pytest.fixture(scope="session")
def migrated_database(postgres_server: PostgresServer, template_database: str) -> str:
    """A PostgreSQL database with the newest schema."""
    return postgres_server.new_database(template_database)


@pytest.fixture
def new_database_url(
    database_kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> Callable[[], str]:
    """Creates databases with the newest schema and nothing in them."""
    numbers = count(1)

    def new() -> str:
        if database_kind == "sqlite":
            path = tmp_path / f"highwater-{next(numbers)}.db"
            shutil.copy(request.getfixturevalue("migrated_file"), path)
            return f"sqlite:///{path}"
        server: PostgresServer = request.getfixturevalue("postgres_server")
        return server.new_database(request.getfixturevalue("template_database"))

    return new


@pytest.fixture(scope="session")
def database_url(
    database_kind: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> str:
    """One database of each kind for tests that only read what they created themselves."""
    if database_kind == "postgresql":
        return str(request.getfixturevalue("migrated_database"))
    path = tmp_path_factory.mktemp("shared") / "highwater.db"
    shutil.copy(request.getfixturevalue("migrated_file"), path)
    return f"sqlite:///{path}"


def starting(folder: Path) -> StartService:
    """Starts any number of apps, each on a database; their frontend is in the folder."""
    pages, figure = write_frontend(folder)

    @asynccontextmanager
    async def start(
        database_url: str,
        *,
        computes_apart: bool = False,
        watch: Watched | None = None,
        **options: Any,
    ) -> AsyncIterator[Service]:
        settings = Settings(
            **{
                "database_url": database_url,
                "public_url": PUBLIC_URL,
                "frontend_folder": pages,
                "figure_script": figure,
                **options,
            }
        )
        app = create_app(settings, computes_apart=computes_apart, watch=watch)
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(
                transport=httpx.ASGITransport(app),
                base_url="http://test" if watch is None else "http://localhost",
                event_hooks={"response": [check_response]},
            ) as client,
        ):
            yield Service(app, client, settings)

    return start


@pytest.fixture(scope="session", autouse=True)
def _a_busy_machine_may_draw_slowly() -> Iterator[None]:
    """Other tests may keep every core busy; what happens after the limit has tests of its own."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(raster, "PNG_SECONDS", replace(PNG_SECONDS, number=120))
        yield


async def _draws_no_card(_services: object, _sid: str) -> None:
    """Leaves the card of a new share to whoever asks for it."""


@pytest.fixture(scope="session", autouse=True)
def _a_new_share_has_no_card_yet() -> Iterator[None]:
    """For its card a share waits until a process has started and drawn: most of the time of most
    tests that share. One is about it, and patches `draw_card` back.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(share_routes, "draw_card", _draws_no_card)
        yield


@pytest.fixture
def start_service(tmp_path: Path) -> StartService:
    """Starts any number of apps on a database."""
    return starting(tmp_path / "frontend")


@pytest.fixture
async def service(database_url: str, start_service: StartService) -> AsyncIterator[Service]:
    """The service on each database in turn."""
    async with start_service(database_url) as started:
        yield started


@pytest.fixture
async def fresh_service(
    new_database_url: Callable[[], str], start_service: StartService
) -> AsyncIterator[Service]:
    """The service on an empty database, for tests that read all data."""
    async with start_service(await asyncio.to_thread(new_database_url)) as started:
        yield started


@pytest.fixture
async def sqlite_service(
    tmp_path: Path, migrated_file: Path, start_service: StartService
) -> AsyncIterator[Service]:
    """The service on SQLite only, for tests that do not use the database."""
    path = shutil.copy(migrated_file, tmp_path / "only.db")
    async with start_service(f"sqlite:///{path}") as started:
        yield started


@pytest.fixture
async def sid(sqlite_service: Service) -> str:
    """A share of `LOSS`."""
    return await sqlite_service.shared(3, scenario=LOSS)
