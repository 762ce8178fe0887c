"""Upgrade from an empty database, downgrade, upgrade; the resulting tables match the code."""

import asyncio
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from alembic import command
from sqlalchemy import create_engine, inspect, text

from backend import cli
from backend.operations.migrations import ADVISORY_LOCK, code_revision, configuration, upgrade
from backend.settings import driver_url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgres)])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'x.db'}"
    return str(request.getfixturevalue("postgres_url"))


async def tables(url: str) -> dict[str, Any]:
    from backend.database.database import Database

    database = Database(url)
    try:
        async with database.reading() as session:
            connection = await session.connection()
            return await connection.run_sync(
                lambda sync: {
                    name: sorted(column["name"] for column in inspect(sync).get_columns(name))
                    for name in inspect(sync).get_table_names()
                }
            )
    finally:
        await database.close()


def run(url: str, work: Any, *arguments: Any) -> None:
    """Alembic starts its own event loop, so it runs in a separate thread."""
    failures: list[BaseException] = []

    def target() -> None:
        try:
            work(configuration(url), *arguments)
        except BaseException as failure:
            failures.append(failure)

    thread = threading.Thread(target=target)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]


async def test_up_down_and_up_again(empty_database: str):
    run(empty_database, command.upgrade, "head")
    first = await tables(empty_database)
    run(empty_database, command.downgrade, "base")
    nothing = await tables(empty_database)
    run(empty_database, command.upgrade, "head")

    assert {"sessions", "session_steps", "shares", "summaries"} <= first.keys()
    assert nothing.keys() == {"alembic_version"}
    assert await tables(empty_database) == first


def test_the_command_goes_to_a_revision(empty_database: str, capsys: pytest.CaptureFixture[str]):
    """Forward and back between two: tests/backend/operations/test_roll_out.py."""
    revision = str(code_revision())

    for arguments in (["--to", revision], []):
        assert cli.run(["migrate", *arguments, "--database", empty_database]) == 0

    assert "sessions" in asyncio.run(tables(empty_database))
    assert capsys.readouterr().out.splitlines() == [
        f"The schema is at revision {revision}.",
        "The schema is up to date.",
    ]


@pytest.mark.parametrize("revision", ["1.99_later", "1.0", "base", "-1"])
def test_a_revision_that_does_not_exist_is_refused_with_those_that_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], revision: str
):
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)
    before = asyncio.run(tables(url))

    assert cli.run(["migrate", f"--to={revision}", "--database", url]) == 2

    (said,) = capsys.readouterr().err.splitlines()
    assert f"there is no revision {revision!r}" in said
    assert said.endswith(str(code_revision()))
    assert asyncio.run(tables(url)) == before


def test_the_tables_are_the_ones_that_the_code_means(empty_database: str):
    run(empty_database, command.upgrade, "head")

    run(empty_database, command.check)


def test_a_table_that_a_migration_forgot_is_noticed(tmp_path: Path):
    url = f"sqlite:///{tmp_path / 'x.db'}"
    upgrade(url)
    engine = create_engine(url)
    with engine.begin() as connection:
        connection.execute(text("ALTER TABLE shares DROP COLUMN facts"))
    engine.dispose()

    with pytest.raises(Exception, match="facts"):
        run(url, command.check)


async def test_two_concurrent_migrations_take_turns(empty_database: str, repository: Path):
    command_line = [sys.executable, "-m", "backend.cli", "migrate", "--database", empty_database]

    migrators = [
        subprocess.Popen(command_line, cwd=repository, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [migrator.communicate(timeout=120)[1] for migrator in migrators]

    assert [migrator.returncode for migrator in migrators] == [0, 0], said
    assert "sessions" in await tables(empty_database)


@pytest.mark.postgres
async def test_a_migrator_waits_for_another_one(postgres_url: str, repository: Path):
    other = await asyncpg.connect(postgres_url)
    await other.execute(f"SELECT pg_advisory_lock({ADVISORY_LOCK})")

    migrator = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "backend.cli", "migrate", "--database", postgres_url, cwd=repository
    )
    waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    async with asyncio.timeout(60):
        while not await other.fetchval(waiting):
            assert migrator.returncode is None
            await asyncio.sleep(0.05)
    await other.close()

    assert await asyncio.wait_for(migrator.wait(), 60) == 0


def test_there_is_one_line_of_migrations():
    from alembic.script import ScriptDirectory

    script = ScriptDirectory.from_config(configuration("sqlite:///x.db"))

    assert len(script.get_heads()) == 1


def test_an_address_names_its_driver_only_inside():
    assert driver_url("sqlite:///x.db").startswith("sqlite+aiosqlite:")
