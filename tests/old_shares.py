"""Shares in every form that was ever stored, as they were stored.

They are never changed and never removed. A new form of share is added to them.
"""

import asyncio
import gzip
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from backend.database import Database, now
from backend.operations.migrations import upgrade
from backend.shares.integrity import added_seal_of, seal_of
from backend.shares.tables import ShareRow

_FOLDER = Path(__file__).parent / "backend"


def _read(name: str) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads((_FOLDER / name).read_text(encoding="utf-8"))
    return stored


OLDEST = _read("share_without_steps.json")
"""Before frames named their steps, and before seals."""
BRANCHED = _read("share_with_branches.json")
"""With a title, a note, a lineage, and all branches."""
OLDEST_SID, BRANCHED_SID = "2" * 25 + "0", "2" * 25 + "1"

LINK: str = json.loads(
    (Path(__file__).parent / "full_state_links.json").read_text(encoding="utf-8")
)["links"][0]["fragment"]

OPENED = {
    f"/s/{OLDEST_SID}?lang=en": "Step 4 of 7",
    f"/s/{OLDEST_SID}?lang=en&step=4": "Step 2 of 7",
    f"/s/{OLDEST_SID}?lang=en&frame=4": "Step 2 of 7",
    f"/s/{OLDEST_SID}?lang=en&frame=4&step=9": "Step 2 of 7",
    f"/s/{OLDEST_SID}?lang=en&frame=8&level=message": "Step 2 of 7, message 7 of 7",
    f"/s/{OLDEST_SID.replace('0', 'o')}?lang=en": "Step 4 of 7",
    f"/e/v1/s/{OLDEST_SID}?lang=en": "Step 4 of 7",
    f"/e/v1/s/{OLDEST_SID}?lang=en&step=4": "Step 2 of 7",
    f"/e/v1/s/{OLDEST_SID}?lang=en&frame=4": "Step 2 of 7",
    f"/e/v1/s/{OLDEST_SID}?lang=en&frame=8&level=message": "Step 2 of 7",
    f"/s/{BRANCHED_SID}?lang=en": "In two paragraphs.",
    f"/s/{BRANCHED_SID}?lang=en&step=6": "Broker 2 crashes",
    f"/s/{BRANCHED_SID}?lang=en&frame=6": "Broker 2 crashes",
    f"/e/v1/s/{BRANCHED_SID}?lang=zh": "A title of its author",
    f"/?lang=en#{LINK}": "Opened from a link that contains the run.",
    "/gallery?lang=en": "A title of its author",
    "/lessons/s26?lang=en": "Start",
}
"""Each form of a link to a page, and what can be read where it is opened."""


def rows() -> list[ShareRow]:
    """The rows of the shares."""
    branched = _row(BRANCHED_SID, BRANCHED)
    branched.note = BRANCHED["note"]
    branched.parent_sid = branched.root_sid = OLDEST_SID
    branched.other_frames = gzip.compress(json.dumps(BRANCHED["other_frames"]).encode())
    branched.tree_record = BRANCHED["tree_record"]
    branched.is_listed = True
    branched.seal, branched.added_seal = seal_of(branched), added_seal_of(branched)
    return [oldest_share(), branched]


def oldest_share() -> ShareRow:
    """The share that was stored before frames named their steps."""
    return _row(OLDEST_SID, OLDEST)


def _row(sid: str, stored: dict[str, Any]) -> ShareRow:
    return ShareRow(
        sid=sid,
        session_id=None,
        at_frame=stored["at"],
        scenario=stored["scenario"],
        scenario_id=None,
        kafka=stored["kafka"],
        control=stored["control"],
        engine="0.1.0",
        record=stored["record"],
        digest=stored["digest"],
        timeline=gzip.compress(json.dumps(stored["frames"]).encode()),
        frame_count=len(stored["frames"]),
        facts={},
        title=stored["title"],
        created_at=now(),
        delete_token_hash="",
    )


async def insert_shares(database: Database) -> None:
    """Insert the shares into a database."""
    async with database.writing() as session:
        session.add_all(rows())


def create_database(file: Path) -> None:
    """Create an SQLite file with the shares.

    It runs in a thread: migrations start an event loop, and a browser test already has one.
    """
    with ThreadPoolExecutor(1) as thread:
        thread.submit(upgrade, f"sqlite:///{file}").result()
        thread.submit(asyncio.run, _insert_into(file)).result()


async def _insert_into(file: Path) -> None:
    database = Database(f"sqlite:///{file}")
    try:
        await insert_shares(database)
    finally:
        await database.close()
