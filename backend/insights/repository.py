"""Every query about the newest summary and its rows."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from backend.insights.tables import (
    SummaryCauseRow,
    SummaryFaultRow,
    SummaryLessonRow,
    SummaryLossRow,
    SummaryRow,
)


async def get_newest(db: AsyncSession) -> SummaryRow | None:
    """The summary with the highest id; None if there is none. Times are not compared, because the
    clock of the machine that wrote them may be wrong.
    """
    return await db.scalar(select(SummaryRow).order_by(SummaryRow.id.desc()).limit(1))


async def list_loss(db: AsyncSession, summary_id: int) -> Sequence[SummaryLossRow]:
    """The rows of losses by setting, in the order of the charts."""
    rows = await db.scalars(
        select(SummaryLossRow)
        .where(SummaryLossRow.summary_id == summary_id)
        .order_by(SummaryLossRow.dimension, SummaryLossRow.id)
    )
    return rows.all()


async def list_faults(db: AsyncSession, summary_id: int) -> Sequence[SummaryFaultRow]:
    """The rows of faults; the fault in the most runs with losses first."""
    rows = await db.scalars(
        select(SummaryFaultRow)
        .where(SummaryFaultRow.summary_id == summary_id)
        .order_by(SummaryFaultRow.lossy_runs.desc(), SummaryFaultRow.fault)
    )
    return rows.all()


async def list_causes(db: AsyncSession, summary_id: int) -> Sequence[SummaryCauseRow]:
    """The rows of causes, the most frequent first."""
    rows = await db.scalars(
        select(SummaryCauseRow)
        .where(SummaryCauseRow.summary_id == summary_id)
        .order_by(SummaryCauseRow.runs.desc(), SummaryCauseRow.cause)
    )
    return rows.all()


async def list_lessons(db: AsyncSession, summary_id: int) -> Sequence[SummaryLessonRow]:
    """The rows of lessons, most shared first."""
    rows = await db.scalars(
        select(SummaryLessonRow)
        .where(SummaryLessonRow.summary_id == summary_id)
        .order_by(SummaryLessonRow.shares.desc(), SummaryLessonRow.scenario_id)
    )
    return rows.all()
