"""Old and new versions on one database: stored data survives upgrades and downgrades."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from alembic import command
from sqlalchemy import CursorResult, text

from backend import cli
from backend.database import Database
from backend.operations.health import Health
from backend.operations.migrations import _known_revisions, configuration
from backend.shares.integrity import seal_of
from backend.shares.tables import ShareRow
from tests.backend.conftest import API, LOSS, StartService

FIRST = "0001_first_tables"


@pytest.fixture
def database_url(new_database_url: Callable[[], str]) -> str:
    """A new, empty database for the test, with the newest schema."""
    return new_database_url()


async def alembic(url: str, what: Callable[..., None], revision: str) -> None:
    """In a thread, because Alembic starts its own event loop."""
    await asyncio.to_thread(what, configuration(url), revision)


async def execute(url: str, statement: str, **values: Any) -> list[Any]:
    database = Database(url)
    try:
        async with database.writing() as session:
            result = await session.execute(text(statement), values)
            assert isinstance(result, CursorResult)
            return list(result.all()) if result.returns_rows else []
    finally:
        await database.close()


async def test_what_is_stored_survives_the_way_back_and_forth(
    database_url: str, start_service: StartService
):
    async with start_service(database_url) as service:
        session = (await service.new_session(scenario=LOSS))["id"]
        sid = (await service.share(session, 2))["sid"]
        expected = (await service.client.get(f"{API}/shares/{sid}")).text
        frames = (await service.client.get(f"{API}/sessions/{session}")).json()["frames"]
    seals = await execute(database_url, "SELECT seal FROM shares")

    await alembic(database_url, command.downgrade, FIRST)
    await alembic(database_url, command.upgrade, "head")

    async with start_service(database_url) as service:
        assert (await service.client.get(f"{API}/shares/{sid}")).text == expected
        found = (await service.client.get(f"{API}/sessions/{session}")).json()
        assert found.get("frames") == frames, found
    # The migration computes the same seals as the service.
    assert await execute(database_url, "SELECT seal FROM shares") == seals
    assert seals[0][0] is not None


async def test_a_share_stored_by_the_old_version_during_the_upgrade_is_shown(
    database_url: str, start_service: StartService
):
    """It does not know the newer columns."""
    async with start_service(database_url) as service:
        session = (await service.new_session(scenario=LOSS))["id"]
        sid = (await service.share(session, 2))["sid"]
        service.app.state.services.shares._remembered.clear()
        columns = (
            "session_id, at_frame, scenario, scenario_id, kafka, control, engine, record, digest, "
            "timeline, frame_count, facts, title, created_at, delete_token_hash, deleted_at"
        )
        other = "2" * 26
        await execute(
            database_url,
            f"INSERT INTO shares (sid, {columns}) SELECT :other, {columns} FROM shares "
            "WHERE sid = :sid",
            other=other,
            sid=sid,
        )

        shown = await service.client.get(f"{API}/shares/{other}")

    assert shown.status_code == 200
    assert await execute(database_url, "SELECT seal FROM shares WHERE sid = :s", s=other) == [
        (None,)
    ]


@pytest.mark.parametrize(
    ("oldest", "usable"), [(FIRST, True), ("0009_not_known_here", False), (None, False)]
)
async def test_a_newer_schema_is_used_if_it_declares_itself_compatible(
    database_url: str,
    start_service: StartService,
    capsys: pytest.CaptureFixture[str],
    oldest: str | None,
    usable: bool,
):
    async with start_service(database_url) as service:
        await execute(database_url, "UPDATE alembic_version SET version_num = '0099_later'")
        if oldest is None:  # so much later that it says it elsewhere
            await execute(database_url, "DROP TABLE schema_compatibility")
        else:
            await execute(
                database_url, "UPDATE schema_compatibility SET oldest_revision = :o", o=oldest
            )

        # A service that runs, one that starts, and whoever migrates say the same.
        ready = (await service.client.get("/readyz")).status_code
    statuses = [
        await asyncio.to_thread(cli.run, [*arguments, "--database", database_url])
        for arguments in (["migrate"], ["purge", "--dry-run"])
    ]

    assert ready == (200 if usable else 503)
    assert statuses == [0, 0] if usable else [2, 2]
    said = capsys.readouterr()
    if usable:
        assert "it was not changed" in said.out
    else:
        assert said.err.count("install the newer version") == 2
        assert said.err.count("\n") == 2


@pytest.mark.parametrize(
    ("oldest", "said"),
    [
        (FIRST, "go to another revision with that version"),
        ("0010_not_known_here", "install the newer version"),
    ],
)
async def test_a_database_that_newer_code_has_migrated_goes_to_no_revision(
    database_url: str, capsys: pytest.CaptureFixture[str], oldest: str, said: str
):
    await execute(database_url, "UPDATE alembic_version SET version_num = '0099_later'")
    await execute(database_url, "UPDATE schema_compatibility SET oldest_revision = :o", o=oldest)

    arguments = ["migrate", "--to", FIRST, "--database", database_url]
    assert await asyncio.to_thread(cli.run, arguments) == 2

    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert await execute(database_url, "SELECT version_num FROM alembic_version") == [
        ("0099_later",)
    ]


async def test_a_schema_that_is_behind_is_not_ready(database_url: str):
    await alembic(database_url, command.downgrade, FIRST)
    database = Database(database_url)
    health = Health(database)

    assert not await health.is_ready()

    await health.close()
    await database.close()


async def test_the_oldest_code_that_may_go_on_is_one_that_there_was(database_url: str):
    """A migration that older code cannot work with writes its own revision there."""
    [(oldest,)] = await execute(database_url, "SELECT oldest_revision FROM schema_compatibility")

    assert oldest in _known_revisions()


async def test_the_seal_is_the_same_however_the_database_writes_json(
    database_url: str, start_service: StartService
):
    async with start_service(database_url) as service:
        session = (await service.new_session(scenario=LOSS))["id"]
        sid = (await service.share(session, 2))["sid"]
        async with service.app.state.services.database.reading() as reader:
            row = await reader.get(ShareRow, sid)
            assert row is not None
            assert row.seal == seal_of(row)
            row.scenario = json.loads(json.dumps(row.scenario, indent=1, sort_keys=True))
            assert row.seal == seal_of(row)
