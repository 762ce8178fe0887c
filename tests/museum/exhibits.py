"""Puts what a version stored into a database: into that version's schema, migrated to today's."""

import asyncio
import base64
import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from sqlalchemy import Column, LargeBinary, insert

import backend.sessions.tables
import backend.shares.tables  # noqa: F401  # both register their tables
from backend.database.database import Base, Database, UtcDateTime
from backend.operations.migrations import go_to, upgrade

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Exhibits:
    """Everything that one version stored, and the keys that its users were given."""

    version: str

    @cached_property
    def _found(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((FOLDER / f"{self.version}.json").read_text("utf-8"))
        return found

    def sid(self, name: str) -> str:
        """The id of a share: `lesson`, `branches` (a fork of it), `kraft` or `deleted`."""
        return str(self._found["shares"][name]["sid"])

    def delete_token(self, name: str) -> str:
        """The delete token of a share."""
        return str(self._found["shares"][name]["delete_token"])

    @property
    def session(self) -> str:
        """The id of the run that `branches` shares, which has an owner."""
        return str(self._found["session"]["id"])

    @property
    def owner_key(self) -> str:
        """The key of its owner."""
        return str(self._found["session"]["owner_key"])

    def row(self, name: str) -> dict[str, Any]:
        """A share as it was stored."""
        return next(row for row in self._found["rows"]["shares"] if row["sid"] == self.sid(name))

    def frames(self, name: str, column: str = "timeline") -> list[Any]:
        """The frames of a share as they were stored."""
        frames: list[Any] = json.loads(gzip.decompress(base64.b64decode(self.row(name)[column])))
        return frames

    def insert_into(self, url: str) -> None:
        """Insert everything at the version's own schema, then migrate to the newest one.

        Runs in a thread, because migrations start an event loop and a caller may have one.
        """
        with ThreadPoolExecutor(1) as thread:
            thread.submit(go_to, url, self._found["revision"]).result()
            thread.submit(asyncio.run, self._insert(url)).result()
            thread.submit(upgrade, url).result()

    async def _insert(self, url: str) -> None:
        database = Database(url)
        try:
            async with database.writing() as db:
                for name, rows in self._found["rows"].items():
                    table = Base.metadata.tables[name]
                    for row in rows:
                        values = {key: _read(table.columns[key], row[key]) for key in row}
                        await db.execute(insert(table).values(values))
        finally:
            await database.close()


def _read(column: Column[Any], value: Any) -> object:
    if isinstance(column.type, LargeBinary) and value is not None:
        return base64.b64decode(value)
    if isinstance(column.type, UtcDateTime) and value is not None:
        return datetime.fromisoformat(value)
    return value


FIRST = Exhibits("0.1.0")
