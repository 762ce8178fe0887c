"""A backup made while the service writes contains everything acknowledged before."""

import asyncio
import os
import shutil
import sqlite3
import sys
from pathlib import Path

import pytest

from backend import cli
from tests.backend.conftest import API, LOSS, Service, StartService


def highwater(*arguments: object) -> int:
    return cli.run([str(argument) for argument in arguments])


async def seen(service: Service, sid: str, session: str) -> tuple[str, int]:
    """A share's JSON, and how many frames a session has."""
    share = await service.client.get(f"{API}/shares/{sid}")
    found = await service.client.get(f"{API}/sessions/{session}")
    return share.text, found.json()["frames"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
async def test_only_the_owner_can_read_a_database_and_its_backups(
    tmp_path: Path, start_service: StartService
):
    """They contain the ids of sessions, which grant the right to act."""
    before = os.umask(0o022)
    try:
        async with start_service(f"sqlite:///{tmp_path / 'live.db'}") as service:
            await service.new_session()
            await asyncio.to_thread(
                highwater,
                "backup",
                tmp_path / "saved.db",
                "--database",
                service.settings.database_url,
            )
            files = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.glob("*.db*")}
    finally:
        os.umask(before)

    assert {"live.db", "live.db-wal", "live.db-shm", "saved.db"} <= files.keys()
    assert set(files.values()) == {0o600}, files


async def test_a_backup_of_a_running_service_is_restored(
    tmp_path: Path, start_service: StartService
):
    live, copied, saved = (tmp_path / name for name in ("live.db", "copied.db", "saved.db"))
    async with start_service(f"sqlite:///{live}") as service:
        session = (await service.new_session(scenario=LOSS))["id"]
        sid = (await service.share(session, 2))["sid"]
        shutil.copy(live, copied)
        status = await asyncio.to_thread(
            highwater, "backup", saved, "--database", f"sqlite:///{live}"
        )
        expected = await seen(service, sid, session)
        await service.act(session, 2, {"settle": {}})

    assert status == 0
    assert not list(tmp_path.glob("saved.db*-wal")) + list(tmp_path.glob("*.partial"))
    async with start_service(f"sqlite:///{saved}") as restored:
        assert await seen(restored, sid, session) == expected
    # The file alone, without the write-ahead log, contains none of this.
    async with start_service(f"sqlite:///{copied}") as lost:
        assert (await lost.client.get(f"{API}/shares/{sid}")).status_code == 404


def test_a_backup_has_what_was_only_in_the_log_of_a_killed_service(
    tmp_path: Path, migrated_file: Path
):
    live = shutil.copy(migrated_file, tmp_path / "live.db")
    running = sqlite3.connect(live)
    running.execute("PRAGMA journal_mode = WAL")
    running.execute("PRAGMA wal_autocheckpoint = 0")
    running.execute(
        "INSERT INTO summaries (generated_at, engine, facts_version, watermark, shares_read)"
        " VALUES ('', 'x', 1, 0, 7)"
    )
    running.commit()
    for end in ("", "-wal"):  # as it is on disk when the process is killed
        shutil.copy(f"{live}{end}", f"{tmp_path / 'killed.db'}{end}")
    running.close()

    status = highwater(
        "backup", tmp_path / "saved.db", "--database", f"sqlite:///{tmp_path / 'killed.db'}"
    )

    assert status == 0
    saved = sqlite3.connect(tmp_path / "saved.db")
    assert saved.execute("SELECT shares_read FROM summaries").fetchall() == [(7,)]
    saved.close()


def test_a_backup_works_where_a_folder_cannot_be_opened(
    tmp_path: Path, migrated_file: Path, monkeypatch: pytest.MonkeyPatch
):
    opened = os.open

    def open_as_windows(path: Path, how: int, mode: int = 0o777) -> int:
        if Path(path).is_dir():
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, how, mode)

    monkeypatch.setattr("backend.commands.database.os.open", open_as_windows)
    monkeypatch.setattr("backend.commands.database.sys.platform", "win32")

    status = highwater("backup", tmp_path / "saved.db", "--database", f"sqlite:///{migrated_file}")

    assert status == 0
    assert (tmp_path / "saved.db").exists()


@pytest.mark.parametrize(
    ("address", "target", "said"),
    [
        ("postgresql://nobody@127.0.0.1:1/x", "new.db", "pg_dump"),
        ("sqlite:///{folder}/none.db", "new.db", "there is no database"),
        ("sqlite:///{folder}/junk.db", "new.db", "not a database"),
        ("sqlite:///{folder}/real.db", "junk.db", "exists: name a new file"),
        ("sqlite:///{folder}/real.db", "real.db", "exists: name a new file"),
        ("sqlite:///{folder}/real.db", "no/such/folder.db", "no backup"),
    ],
)
def test_a_failed_backup_is_reported_in_one_line_and_leaves_no_file(
    tmp_path: Path,
    migrated_file: Path,
    capsys: pytest.CaptureFixture[str],
    address: str,
    target: str,
    said: str,
):
    shutil.copy(migrated_file, tmp_path / "real.db")
    (tmp_path / "junk.db").write_bytes(b"no database, but longer than a header of one\n" * 100)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    status = highwater("backup", tmp_path / target, "--database", address.format(folder=tmp_path))

    assert status == 2
    message = capsys.readouterr().err
    assert message.startswith("highwater: ")
    assert said in message
    assert message.count("\n") == 1
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_damaged_database_makes_no_backup(
    tmp_path: Path, migrated_file: Path, capsys: pytest.CaptureFixture[str]
):
    path = Path(shutil.copy(migrated_file, tmp_path / "damaged.db"))
    content = bytearray(path.read_bytes())
    page = 4096
    assert len(content) > 6 * page
    content[3 * page : 5 * page] = b"\xff" * (2 * page)
    path.write_bytes(content)

    status = highwater("backup", tmp_path / "saved.db", "--database", f"sqlite:///{path}")

    assert status == 2
    assert "damaged" in capsys.readouterr().err
    assert not (tmp_path / "saved.db").exists()
