"""The newest summary and its rows."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncSession

from backend.insights.tables import (
    SummaryFaultRow,
    SummaryLessonRow,
    SummaryLossRow,
    SummaryRow,
)


async def get_newest(session: AsyncSession) -> SummaryRow | None:
    """The id decides, not the clock of the machine that wrote it."""
    return await session.scalar(select(SummaryRow).order_by(SummaryRow.id.desc()).limit(1))


async def list_loss(session: AsyncSession, summary_id: int) -> Sequence[SummaryLossRow]:
    """Loss by setting, in the order of the charts."""
    rows = await session.scalars(
        select(SummaryLossRow)
        .where(SummaryLossRow.summary_id == summary_id)
        .order_by(SummaryLossRow.dimension, SummaryLossRow.id)
    )
    return rows.all()


async def list_faults(session: AsyncSession, summary_id: int) -> Sequence[SummaryFaultRow]:
    """Faults, the one in most runs with losses first."""
    rows = await session.scalars(
        select(SummaryFaultRow)
        .where(SummaryFaultRow.summary_id == summary_id)
        .order_by(SummaryFaultRow.lossy_runs.desc(), SummaryFaultRow.fault)
    )
    return rows.all()


async def list_lessons(session: AsyncSession, summary_id: int) -> Sequence[SummaryLessonRow]:
    """Lessons, the one shared most first."""
    rows = await session.scalars(
        select(SummaryLessonRow)
        .where(SummaryLessonRow.summary_id == summary_id)
        .order_by(SummaryLessonRow.shares.desc(), SummaryLessonRow.scenario_id)
    )
    return rows.all()
