"""Lets this version's service store one of everything that must last, and writes it to a file.

`python -m tests.museum.collect` writes `tests/museum/VERSION.json`. It refuses to replace a file,
because that of a released version never changes. Until the version is released, delete the file
and collect again if a format changes.
"""

import asyncio
import base64
import json
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
from sqlalchemy import select

from backend.database.database import Base, Database
from backend.operations.migrations import code_revision
from backend.sessions.tables import SessionRow, SessionStepRow
from backend.shares.tables import ShareRow
from sim_engine.identifiers import ENGINE_VERSION
from tests.museum.exhibits import FOLDER
from tests.service_process import serving

API = "/api/v1"


def collect() -> dict[str, Any]:
    """Everything, as JSON."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "highwater.db"
        with (
            serving(FOLDER.parent.parent, file) as address,
            httpx.Client(base_url=address, timeout=60) as client,
        ):
            found = _store(client)
        return {**found, **asyncio.run(_rows(file, found["session"]["id"]))}


def _store(client: httpx.Client) -> dict[str, Any]:
    lesson = _post(client, "/sessions", {"scenario_id": "kip-101-data-loss"})
    shares = {"lesson": _share(client, lesson["id"], 9)}
    fork = _post(client, f"/shares/{shares['lesson']['sid']}/fork", {"owned": True})
    crashed = _post(
        client,
        f"/sessions/{fork['id']}/actions",
        {"after": fork["at"], "step": {"crash": {"broker": 2}}},
        Authorization=f"Bearer {fork['owner_key']}",
    )
    shares["branches"] = _share(
        client,
        fork["id"],
        crashed["head"],
        branches=True,
        listed=True,
        title="A title of its author",
        note="A note of its author.\n\nIn two paragraphs.",
    )
    kraft = _post(client, "/sessions", {"scenario_id": "transactions"})
    shares["kraft"] = _share(client, kraft["id"], kraft["head"])
    shares["deleted"] = _share(client, kraft["id"], 1)
    gone = shares["deleted"]
    deleted = client.delete(
        f"{API}/shares/{gone['sid']}", headers={"Authorization": f"Bearer {gone['delete_token']}"}
    )
    assert deleted.status_code == 204, deleted.text
    return {
        "revision": code_revision(),
        "shares": {
            name: {"sid": made["sid"], "delete_token": made["delete_token"]}
            for name, made in shares.items()
        },
        "session": {"id": fork["id"], "owner_key": fork["owner_key"]},
    }


def _share(client: httpx.Client, session: str, at: int, **asked: object) -> dict[str, Any]:
    key = f"{session}-{at}"
    return _post(
        client, "/shares", {"session": session, "at": at, **asked}, **{"Idempotency-Key": key}
    )


def _post(client: httpx.Client, path: str, body: object, **headers: str) -> dict[str, Any]:
    response = client.post(API + path, json=body, headers=headers)
    assert response.status_code == 201, response.text
    made: dict[str, Any] = response.json()
    return made


async def _rows(file: Path, session: str) -> dict[str, Any]:
    """The rows of all shares and of one session, by table."""
    shares, sessions, steps = (
        Base.metadata.tables[kind.__tablename__] for kind in (ShareRow, SessionRow, SessionStepRow)
    )
    queries = (
        select(shares),
        select(sessions).where(sessions.c.id == session),
        select(steps).where(steps.c.session_id == session),
    )
    database = Database(f"sqlite:///{file}")
    try:
        async with database.reading() as db:
            return {
                "rows": {
                    table.name: [
                        {name: _json(value) for name, value in row._mapping.items()}
                        for row in (await db.execute(query)).all()
                    ]
                    for table, query in zip((shares, sessions, steps), queries, strict=True)
                }
            }
    finally:
        await database.close()


def _json(value: object) -> object:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode()
    return value.isoformat() if isinstance(value, datetime) else value


if __name__ == "__main__":
    file = FOLDER / f"{ENGINE_VERSION}.json"
    written = json.dumps(collect(), ensure_ascii=False, indent=1) + "\n"
    with file.open("x", encoding="utf-8") as output:
        output.write(written)
