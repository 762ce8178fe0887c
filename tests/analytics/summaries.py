"""Reads the job's output as the service does: through SQLAlchemy, from the real tables."""

import asyncio
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from backend.database.database import Base, Database
from backend.insights.tables import (
    SummaryCauseRow,
    SummaryFaultRow,
    SummaryLessonRow,
    SummaryLossRow,
    SummaryRow,
)

PARTS = (SummaryLossRow, SummaryFaultRow, SummaryCauseRow, SummaryLessonRow)
OWN_KEYS = {"id", "summary_id"}
LOSS_CELL = ("dimension", "kafka", "acks", "min_insync_replicas", "replication_factor")


@dataclass(frozen=True)
class StoredSummary:
    """One summary and its rows, in the order in which they were written."""

    id: int
    head: dict[str, Any]
    loss: list[dict[str, Any]]
    faults: list[dict[str, Any]]
    causes: list[dict[str, Any]]
    lessons: list[dict[str, Any]]

    @property
    def rows(self) -> list[list[dict[str, Any]]]:
        return [self.loss, self.faults, self.causes, self.lessons]

    def loss_by_cell(self) -> dict[tuple[Any, ...], dict[str, Any]]:
        return {tuple(row[name] for name in LOSS_CELL): row for row in self.loss}


def stored_summaries(url: str) -> list[StoredSummary]:
    """Every summary in the database, oldest first."""

    async def read() -> list[StoredSummary]:
        database = Database(url)
        try:
            async with database.reading() as session:
                heads = (await session.scalars(select(SummaryRow).order_by(SummaryRow.id))).all()
                tables: list[list[Any]] = [
                    list((await session.scalars(select(table).order_by(table.id))).all())
                    for table in PARTS
                ]
                return [
                    StoredSummary(
                        head.id,
                        _columns(head),
                        *(
                            [_columns(row) for row in rows if row.summary_id == head.id]
                            for rows in tables
                        ),
                    )
                    for head in heads
                ]
        finally:
            await database.close()

    return asyncio.run(read())


def count_rows_without_summary(url: str) -> int:
    async def read() -> int:
        database = Database(url)
        try:
            async with database.reading() as session:
                known = set((await session.scalars(select(SummaryRow.id))).all())
                owners: list[int] = []
                for table in PARTS:
                    owners += (await session.scalars(select(table.summary_id))).all()
                return sum(owner not in known for owner in owners)
        finally:
            await database.close()

    return asyncio.run(read())


def _columns(row: Base) -> dict[str, Any]:
    return {
        column.key: getattr(row, column.key)
        for column in row.__table__.columns
        if column.key not in OWN_KEYS
    }
