"""Old and new versions on one database."""

import asyncio
import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import CursorResult, text

from backend import cli
from backend.database.database import Database
from backend.operations import migrations
from backend.operations.health import Health
from backend.operations.migrations import code_revision, go_to, upgrade
from backend.shares.tables import ShareRow
from backend.shares.verified_rows import seal_of
from tests.backend.conftest import API, LOSS, StartService

NEWEST = str(code_revision())
LATER = "1.99_later"
_LATER = f'''"""A version that adds a column.

Revises: {NEWEST}
"""

import sqlalchemy as sa
from alembic import op

revision = "{LATER}"
down_revision = "{NEWEST}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("shares", sa.Column("added_later", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("shares", "added_later")
'''


@pytest.fixture
def database_url(new_database_url: Callable[[], str]) -> str:
    """A new, empty database for the test, with the newest schema."""
    return new_database_url()


class Versions:
    """Which version of the code runs: this one, or one with a migration more."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path) -> None:
        self._patch = patch
        self._folder = folder
        self._ours = migrations._MIGRATIONS

    def later(self) -> None:
        if not self._folder.exists():
            shutil.copytree(self._ours, self._folder)
            (self._folder / "versions" / "later.py").write_text(_LATER, encoding="utf-8")
        self._run(str(self._folder))

    def ours(self) -> None:
        self._run(self._ours)

    def _run(self, folder: str) -> None:
        self._patch.setattr(migrations, "_MIGRATIONS", folder)
        migrations.code_revision.cache_clear()
        migrations._known_revisions.cache_clear()


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Versions]:
    found = Versions(monkeypatch, tmp_path / "migrations")
    yield found
    found.ours()


async def execute(url: str, statement: str, **values: Any) -> list[Any]:
    database = Database(url)
    try:
        async with database.writing() as session:
            result = await session.execute(text(statement), values)
            assert isinstance(result, CursorResult)
            return list(result.all()) if result.returns_rows else []
    finally:
        await database.close()


async def run(*arguments: str, url: str) -> int:
    """The status of a command, in a thread, because Alembic starts its own event loop."""
    return await asyncio.to_thread(cli.run, [*arguments, "--database", url])


async def test_what_is_stored_survives_the_way_forth_and_back(
    database_url: str, start_service: StartService, versions: Versions
):
    async with start_service(database_url) as service:
        session = (await service.new_session(scenario=LOSS))["id"]
        sid = (await service.share(session, 2))["sid"]
        expected = (await service.client.get(f"{API}/shares/{sid}")).text

    versions.later()
    await asyncio.to_thread(upgrade, database_url)
    async with start_service(database_url) as service:
        later = (await service.client.get(f"{API}/shares/{sid}")).text
    await asyncio.to_thread(go_to, database_url, NEWEST)
    versions.ours()

    async with start_service(database_url) as service:
        again = (await service.client.get(f"{API}/shares/{sid}")).text
        frames = (await service.read(f"sessions/{session}"))["frames"]
    assert expected == later == again
    assert frames > 2


async def test_this_version_goes_on_beside_a_newer_one_that_only_added(
    database_url: str,
    start_service: StartService,
    versions: Versions,
    capsys: pytest.CaptureFixture[str],
):
    async with start_service(database_url) as service:
        versions.later()
        await asyncio.to_thread(upgrade, database_url)
        versions.ours()

        # A process that runs, one that starts, and whoever migrates.
        ready = (await service.client.get("/readyz")).status_code
        session = (await service.new_session(scenario=LOSS))["id"]
        sid = (await service.share(session, 2))["sid"]
    async with start_service(database_url) as service:
        shown = (await service.client.get(f"/s/{sid}.json")).status_code
    statuses = [await run(*command, url=database_url) for command in (["migrate"], ["verify"])]

    assert (ready, shown, statuses) == (200, 200, [0, 0])
    assert "it was not changed" in capsys.readouterr().out
    assert await execute(database_url, "SELECT added_later FROM shares") == [(None,)]


@pytest.mark.parametrize("revision", ["2.0_changed", "0009_summary_causes", "0.9_before", "x"])
async def test_a_schema_that_this_version_does_not_know_gives_one_clear_error(
    database_url: str,
    start_service: StartService,
    capsys: pytest.CaptureFixture[str],
    revision: str,
):
    """Of a newer version that did more than add, or of none that was released."""
    async with start_service(database_url) as service:
        await execute(database_url, "UPDATE alembic_version SET version_num = :r", r=revision)
        ready = (await service.client.get("/readyz")).status_code

    commands = (["migrate"], ["migrate", "--to", NEWEST], ["verify"], ["purge", "--dry-run"])
    statuses = [await run(*command, url=database_url) for command in commands]

    assert (ready, statuses) == (503, [2, 2, 2, 2])
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 4
    for line in said:
        assert "install that version, restore a backup, or name a new database" in line
    assert await execute(database_url, "SELECT version_num FROM alembic_version") == [(revision,)]


def test_the_service_does_not_start_on_such_a_schema(migrated_file: Path, tmp_path: Path):
    file = shutil.copy(migrated_file, tmp_path / "development.db")
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = '0009_summary_causes'")

    command = [sys.executable, "-m", "backend.cli", "serve", "--port", "0"]
    ended = subprocess.run(
        [*command, "--database", f"sqlite:///{file}"], capture_output=True, text=True, timeout=120
    )

    assert ended.returncode == 2
    (line,) = ended.stderr.splitlines()
    assert "name a new database" in line


async def test_only_the_newer_version_reverts_its_migration(
    database_url: str, versions: Versions, capsys: pytest.CaptureFixture[str]
):
    versions.later()
    await asyncio.to_thread(upgrade, database_url)
    versions.ours()

    assert await run("migrate", "--to", NEWEST, url=database_url) == 2

    (line,) = capsys.readouterr().err.splitlines()
    assert "go to another revision with that version" in line
    assert await execute(database_url, "SELECT version_num FROM alembic_version") == [(LATER,)]


async def test_a_schema_that_is_behind_is_not_ready(database_url: str, versions: Versions):
    versions.later()
    database = Database(database_url)
    health = Health(database)

    assert not await health.is_ready()

    await health.close()
    await database.close()


def test_the_newest_migration_says_in_its_name_what_it_follows():
    """`1.4_…` adds to `1.3_…`; `2.0_…` does more than add, so older code stops."""
    assert migrations._NUMBERS.match(code_revision() or "")


async def test_the_seal_is_the_same_however_the_database_writes_json(
    database_url: str, start_service: StartService
):
    async with start_service(database_url) as service:
        session = (await service.new_session(scenario=LOSS))["id"]
        sid = (await service.share(session, 2))["sid"]
        async with service.services.database.reading() as reader:
            row = await reader.get(ShareRow, sid)
            assert row is not None
            assert row.seal == seal_of(row)
            row.scenario = json.loads(json.dumps(row.scenario, indent=1, sort_keys=True))
            assert row.seal == seal_of(row)
