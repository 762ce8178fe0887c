"""A database that is unavailable, hangs, or whose file was deleted: typed errors, and readiness."""

import asyncio
import contextlib
import gc
import os
import shutil
import sqlite3
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

import backend.database.database
from backend.database.database import Database
from backend.http.errors import UnavailableError
from backend.operations import health
from tests.backend.conftest import API, Service, StartService


class Line:
    """The connection to a PostgreSQL server, which can hang or break."""

    def __init__(self, url: str) -> None:
        self._server = make_url(url)
        self.goes_on = asyncio.Event()
        self.goes_on.set()
        self._open: set[asyncio.StreamWriter] = set()
        self.url = ""

    @contextlib.asynccontextmanager
    async def between(self) -> AsyncIterator["Line"]:
        listening = await asyncio.start_server(self._connect, "127.0.0.1", 0)
        port = listening.sockets[0].getsockname()[1]
        self.url = self._server.set(port=port).render_as_string(hide_password=False)
        try:
            yield self
        finally:
            listening.close()
            self.goes_on.set()
            self.cut()
            await asyncio.sleep(0)

    def cut(self) -> None:
        for writer in self._open:
            writer.transport.abort()

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection(self._server.host, self._server.port)
        self._open |= {writer, there[1]}
        async with asyncio.TaskGroup() as both:
            both.create_task(self._pass_on(reader, there[1]))
            both.create_task(self._pass_on(there[0], writer))

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(65_536):
                await self.goes_on.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


@pytest.fixture
async def line(migrated_database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Line]:
    monkeypatch.setattr("backend.database.database._COMMAND_TIMEOUT_S", 1.5)
    monkeypatch.setattr("backend.database.database._CONNECT_TIMEOUT_S", 1.5)
    async with Line(migrated_database).between() as made:
        yield made


async def statuses(service: Service) -> dict[str, int]:
    return {
        path: (await service.client.get(path)).status_code
        for path in ("/livez", "/readyz", "/metrics")
    }


@pytest.mark.postgres
@pytest.mark.parametrize("how", ["hangs", "breaks"])
async def test_an_unavailable_database_is_reported_and_used_again_when_it_returns(
    line: Line, start_service: StartService, caplog: pytest.LogCaptureFixture, how: str
):
    async with start_service(line.url) as service:
        session = (await service.new_session())["id"]
        service.services.timelines.forget(session)
        assert await statuses(service) == {"/livez": 200, "/readyz": 200, "/metrics": 200}
        line.goes_on.clear()
        if how == "breaks":
            line.cut()

        answers = await asyncio.gather(
            service.client.get(f"{API}/sessions/{session}"),
            service.act(session, 0, {"crash": {"broker": 2}}),
            service.client.get(f"/s/{'1' * 26}"),
        )
        told = [record.getMessage() for record in caplog.records if record.exc_info]
        health_now = await statuses(service)
        metrics = (await service.client.get("/metrics")).text
        line.goes_on.set()
        while (await service.client.get("/readyz")).status_code != 200:
            await asyncio.sleep(0.01)
        again = await service.act(session, 0, {"crash": {"broker": 2}})

    assert [answer.status_code for answer in answers] == [503] * 3
    assert all(answer.headers["Retry-After"] == "5" for answer in answers)
    assert answers[0].json()["code"] == "database_unavailable"
    assert 'data-code="database_unavailable"' in answers[2].text
    assert told == []
    assert health_now == {"/livez": 200, "/readyz": 503, "/metrics": 200}
    assert "highwater_db_up 0.0" in metrics
    assert again.status_code == 201


@pytest.mark.postgres
async def test_a_statement_that_takes_too_long_is_stopped_by_the_server(
    migrated_database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    monkeypatch.setitem(backend.database.database._POSTGRES_LIMITS, "statement_timeout", "50")
    database = Database(migrated_database)

    with pytest.raises(UnavailableError):
        async with database.reading() as session:
            await session.execute(text("SELECT pg_sleep(60)"))
    await database.close()

    assert [record.getMessage() for record in caplog.records] == ["database_unavailable"]


@pytest.mark.postgres
@pytest.mark.parametrize(
    "statements",
    [
        ["SET TRANSACTION READ ONLY", "CREATE TABLE nothing (n INTEGER)"],
        ["SELECT pg_terminate_backend(pg_backend_pid())"],
        ["DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40P01'; END $$"],
    ],
    ids=["a standby", "a connection that is ended", "a deadlock"],
)
async def test_trouble_of_the_server_is_no_mistake_of_ours(
    migrated_database: str, statements: list[str]
):
    database = Database(migrated_database)

    async def write() -> None:
        async with database.writing() as session:
            for part in statements:
                await session.execute(text(part))

    with pytest.raises(UnavailableError):
        await write()

    async with database.reading() as session:  # it is reachable
        await session.execute(text("SELECT 1"))
    await database.close()


@pytest.mark.parametrize("how", ["deleted", "replaced"])
async def test_a_service_whose_file_was_deleted_is_not_ready_and_accepts_nothing(
    tmp_path: Path, migrated_file: Path, start_service: StartService, how: str
):
    path = Path(shutil.copy(migrated_file, tmp_path / "x.db"))
    async with start_service(f"sqlite:///{path}") as service:
        session = (await service.new_session())["id"]
        path.unlink()
        if how == "replaced":
            shutil.copy(migrated_file, path)

        acted = await service.act(session, 0, {"crash": {"broker": 2}})

        assert (acted.status_code, acted.json()["code"]) == (503, "database_unavailable")
        assert await statuses(service) == {"/livez": 200, "/readyz": 503, "/metrics": 200}
    assert path.exists() == (how == "replaced")


async def test_a_nearly_full_disk_is_reported(
    sqlite_service: Service, monkeypatch: pytest.MonkeyPatch
):
    assert (await statuses(sqlite_service))["/readyz"] == 200

    monkeypatch.setattr(health, "LEAST_FREE_BYTES", 2**62)

    assert await statuses(sqlite_service) == {"/livez": 200, "/readyz": 503, "/metrics": 200}


async def test_a_damaged_file_is_unavailable(tmp_path: Path, migrated_file: Path):
    path = Path(shutil.copy(migrated_file, tmp_path / "x.db"))
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)
    database = Database(f"sqlite:///{path}")

    with pytest.raises(UnavailableError):
        async with database.reading() as session:
            await session.execute(text("SELECT count(*) FROM shares"))
    await database.close()


async def test_who_waits_to_write_waits_no_longer_than_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """Another process locks the file: all waiting requests fail together, not one after another."""
    monkeypatch.setattr("backend.database.database._BUSY_TIMEOUT_MS", 200)
    monkeypatch.setattr("backend.database.writer_turns._WAITS_S", 0.05)
    database = Database(f"sqlite:///{tmp_path / 'x.db'}")
    async with database.writing() as session:
        await session.execute(text("CREATE TABLE x (n INTEGER)"))
    other = sqlite3.connect(tmp_path / "x.db", timeout=0, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")

    async def write() -> Any:
        async with database.writing() as session:
            await session.execute(text("INSERT INTO x VALUES (1)"))

    results = await asyncio.gather(*(write() for _ in range(5)), return_exceptions=True)
    other.close()
    await database.close()

    assert [type(result) for result in results] == [UnavailableError] * 5
    reasons = [getattr(record, "fields", {})["error"] for record in caplog.records]
    assert sorted(reasons) == ["OperationalError", *["WritersWait"] * 4]


async def test_a_service_whose_database_is_read_only_is_not_ready(
    database_kind: str,
    new_database_url: Callable[[], str],
    start_service: StartService,
    monkeypatch: pytest.MonkeyPatch,
):
    url = await asyncio.to_thread(new_database_url)
    async with start_service(url) as service:
        session = (await service.new_session())["id"]
        assert (await statuses(service))["/readyz"] == 200
        database = service.services.database
        if database_kind == "postgresql":
            async with database.engine.connect() as connection:
                name = make_url(url).database
                await connection.execute(
                    text(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
                )
                await connection.commit()
            await database.engine.dispose()
        else:
            # The tests may run as root, who may write to every file.
            access = os.access
            monkeypatch.setattr(
                os, "access", lambda path, how: how != os.W_OK and access(path, how)
            )

        assert await statuses(service) == {"/livez": 200, "/readyz": 503, "/metrics": 200}
        assert (await service.client.get(f"{API}/sessions/{session}")).status_code == 200


async def test_a_health_check_that_fails_when_nobody_waits_any_more_is_not_logged():
    noted: list[dict[str, object]] = []
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    asyncio.get_running_loop().set_exception_handler(lambda _loop, context: noted.append(context))

    async def ask() -> int:
        return await answer

    probe = health.Probe(ask, patience_s=0.01)
    assert await probe.result() is None
    answer.set_exception(ConnectionError("hung for 5 s"))
    for _ in range(3):
        await asyncio.sleep(0)
    del probe
    gc.collect()

    assert noted == []


async def test_concurrent_health_checks_share_one_query_that_may_time_out():
    """Only one health check runs at a time; concurrent callers share its result."""
    asked = 0
    answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    async def ask() -> int:
        nonlocal asked
        asked += 1
        return await answer

    probe = health.Probe(ask, patience_s=0.01)
    assert await asyncio.gather(*(probe.result() for _ in range(3))) == [None] * 3
    answer.set_result(7)

    assert await probe.result() == 7
    assert asked == 1
