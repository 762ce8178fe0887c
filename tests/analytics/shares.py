"""Shares to summarize, with their database: a few that a test defines, or thousands from a seed."""

import asyncio
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any

from sqlalchemy import insert

from backend.database.database import Database
from backend.operations import migrations
from backend.shares import repository
from backend.shares.tables import ShareRow
from sim_engine.invariants.fates import LOSS_CAUSES

BEGINNING = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
SID_LETTERS = "0123456789abcdefghjkmnpqrstvwxyz"
SID_LENGTH = 26

KAFKA_VERSIONS = ("0.8.2", "0.10.2", "0.11", "1.1", "2.0.1", "3.9", "4.0")
FAULTS = ("crash", "power_loss", "disk_loss", "pause", "cut", "isolate", "hold", "elect")
LESSONS = {
    "kip-101-data-loss": ("Truncation by high watermark", "按高水位截断"),
    "isr-join-guard": ("Joining the ISR too early", "过早加入 ISR"),
    "zombie-leader": ("A leader that was replaced", "被取代的领导者"),
}
INSERTED_AT_ONCE = 500


@dataclass(frozen=True)
class Share:
    """The fields of a share that the job reads; inserting it fills in the rest."""

    sid: str
    facts: Any
    created_at: datetime = BEGINNING
    deleted_at: datetime | None = None
    scenario: dict[str, Any] = field(default_factory=dict)
    # None: a run that was shared only once.
    digest: str | None = None
    # The played steps: the frame that each follows, the step, and its entry in the scenario.
    record: list[list[Any]] = field(default_factory=lambda: [[0, {"crash": 1}, None]])


def facts(**named: Any) -> dict[str, Any]:
    """The facts of a run that was exercised and lost nothing, with these changes."""
    return {
        "kafka": "3.9",
        "scenario_id": None,
        "title_en": "A run",
        "title_zh": "一次运行",
        "replication_factor": 3,
        "min_insync_replicas": 1,
        "acked_all": 1,
        "acked_1": 0,
        "lost_all": 0,
        "lost_1": 0,
        "faults": {"crash": 1},
        "last_fault_before_loss": None,
        "loss_cause": None,
        "exercised": True,
        **named,
    }


def generated_shares(count: int, *, seed: int = 7) -> list[Share]:
    """The same shares for the same seed; one in twenty is deleted."""
    return list(islice(_generate(random.Random(seed)), count))


def _generate(chance: random.Random) -> Iterator[Share]:
    number = 0
    while True:
        number += 1
        deleted = chance.random() < 0.05
        moment = BEGINNING + timedelta(minutes=number, microseconds=chance.randrange(10**6))
        facts_of_run = _generated_facts(chance)
        as_shipped = facts_of_run["scenario_id"] is not None and chance.random() < 0.5
        for _ in range(chance.choice((1, 1, 1, 2))):
            yield Share(
                sid="".join(chance.choices(SID_LETTERS, k=SID_LENGTH)),
                facts=facts_of_run,
                created_at=moment,
                deleted_at=moment + timedelta(days=1) if deleted else None,
                digest=f"run {number}",
                record=[[0, {"crash": 1}, 0 if as_shipped else None]],
            )


def _generated_facts(chance: random.Random) -> dict[str, Any]:
    kafka = chance.choice(KAFKA_VERSIONS)
    replication_factor = chance.choice((1, 2, 3, 3, 5))
    acked_all, acked_1 = chance.choice((0, 1, 2, 5)), chance.choice((0, 0, 1, 3))
    kinds = sorted(chance.sample(FAULTS, k=chance.choice((0, 1, 1, 2, 3))))
    risk = 0.15 if kafka.startswith("0.") else 0.01
    lost_all = min(acked_all, chance.randint(1, 2)) if kinds and chance.random() < risk else 0
    lost_1 = min(acked_1, 1) if kinds and chance.random() < 0.3 else 0
    # A key with the count 0 means that the fault did not happen.
    faults = {kind: chance.randint(1, 3) for kind in kinds} | {"slow": 0}
    lesson = chance.choice((None, *LESSONS))
    title_en, title_zh = LESSONS[lesson] if lesson else ("My own run", "自建运行")
    return facts(
        kafka=kafka,
        scenario_id=lesson,
        title_en=title_en,
        title_zh=title_zh,
        replication_factor=replication_factor,
        min_insync_replicas=chance.randint(1, min(2, replication_factor)),
        acked_all=acked_all,
        acked_1=acked_1,
        lost_all=lost_all,
        lost_1=lost_1,
        faults=faults,
        last_fault_before_loss=chance.choice(kinds) if lost_all or lost_1 else None,
        # Without a cause: a share of another version.
        loss_cause=chance.choice((*LOSS_CAUSES[:3], None)) if lost_all or lost_1 else None,
        exercised=bool(kinds and acked_all + acked_1),
    )


def migrate(url: str) -> None:
    migrations.upgrade(url)


def insert_shares(url: str, shares: Iterable[Share]) -> None:
    rows = [_row(share) for share in shares]

    async def insert_all() -> None:
        database = Database(url)
        try:
            async with database.writing() as session:
                for start in range(0, len(rows), INSERTED_AT_ONCE):
                    await session.execute(insert(ShareRow), rows[start : start + INSERTED_AT_ONCE])
        finally:
            await database.close()

    asyncio.run(insert_all())


def delete_shares(url: str, sids: Iterable[str]) -> None:
    """As in the service."""

    async def delete_all() -> None:
        database = Database(url)
        try:
            async with database.writing() as session:
                for sid in sids:
                    await repository.mark_deleted(session, sid, BEGINNING)
        finally:
            await database.close()

    asyncio.run(delete_all())


def _row(share: Share) -> dict[str, Any]:
    known = share.facts if isinstance(share.facts, dict) else {}
    return {
        "sid": share.sid,
        "session_id": None,
        "at_frame": 0,
        "scenario": share.scenario,
        "scenario_id": known.get("scenario_id"),
        "kafka": known.get("kafka") or "3.9",
        "control": "kraft",
        "engine": "0.1.0",
        "record": share.record,
        "digest": share.digest or share.sid,
        "timeline": b"",
        "frame_count": 1,
        "facts": share.facts,
        "title": {},
        "created_at": share.created_at,
        "delete_token_hash": "0" * 64,
        "deleted_at": share.deleted_at,
        "seal": share.sid,
        "is_listed": False,
    }
