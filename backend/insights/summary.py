"""The newest summary of shared runs, from its rows."""

from datetime import datetime
from typing import TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Select, select
from sqlalchemy.ext.asyncio import AsyncSession

from backend.insights.tables import (
    SummaryCauseRow,
    SummaryFaultRow,
    SummaryLessonRow,
    SummaryLossRow,
    SummaryRow,
)
from sim_engine.documents.shares import (
    SharedCause,
    SharedFault,
    SharedLesson,
    SharedLoss,
    SharedSummary,
)
from sim_engine.scenario_reader.reader import load_shipped

_Row = TypeVar("_Row", SummaryLossRow, SummaryFaultRow, SummaryCauseRow, SummaryLessonRow)
_Shape = TypeVar("_Shape", bound=Struct)


async def shared_summary(db: AsyncSession) -> SharedSummary:
    """The summary with the highest id; an empty one if there is none. What is most frequent comes
    first in each of its lists.
    """
    # Times are not compared, because the clock of the machine that wrote them may be wrong.
    summary = await db.scalar(select(SummaryRow).order_by(SummaryRow.id.desc()).limit(1))
    if summary is None:
        return SharedSummary(
            generated_at=None,
            engine=None,
            shares_read=0,
            first_share_at=None,
            last_share_at=None,
            loss=(),
            faults=(),
            causes=(),
            lessons=(),
        )

    async def listed(rows: Select[_Row], shape: type[_Shape]) -> tuple[_Shape, ...]:
        found = await db.scalars(rows)
        return tuple(msgspec.convert(row, shape, from_attributes=True) for row in found)

    loss = _of(SummaryLossRow, summary).order_by(SummaryLossRow.dimension, SummaryLossRow.id)
    faults = _of(SummaryFaultRow, summary).order_by(
        SummaryFaultRow.lossy_runs.desc(), SummaryFaultRow.fault
    )
    causes = _of(SummaryCauseRow, summary).order_by(
        SummaryCauseRow.runs.desc(), SummaryCauseRow.cause
    )
    lessons = _of(SummaryLessonRow, summary).order_by(
        SummaryLessonRow.shares.desc(), SummaryLessonRow.scenario_id
    )
    return SharedSummary(
        generated_at=_moment(summary.generated_at),
        engine=summary.engine,
        shares_read=summary.shares_read,
        first_share_at=_moment(summary.first_share_at),
        last_share_at=_moment(summary.last_share_at),
        loss=await listed(loss, SharedLoss),
        faults=await listed(faults, SharedFault),
        causes=await listed(causes, SharedCause),
        lessons=tuple(
            replace(lesson, title=_lesson_title(lesson))
            for lesson in await listed(lessons, SharedLesson)
        ),
    )


def _of(table: type[_Row], summary: SummaryRow) -> Select[_Row]:
    return select(table).where(table.summary_id == summary.id)


def _lesson_title(lesson: SharedLesson) -> dict[str, str]:
    """A lesson's title in every language; the stored title if the library no longer has the
    lesson.
    """
    try:
        return dict(load_shipped(lesson.scenario_id).title)
    except KeyError:
        return lesson.title


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M:%SZ")
