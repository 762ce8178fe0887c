"""Every query about presentations."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CursorResult, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from backend.presentations.tables import AudienceRow, PresentationRow, VoteRow


@dataclass(frozen=True, slots=True)
class Audience:
    """The number of followers, and the number of votes for each answer of a question."""

    here: int
    votes: dict[int, int]


async def get(db: AsyncSession, code: str) -> PresentationRow | None:
    """A presentation's row; None if it does not exist."""
    return await db.get(PresentationRow, code)


async def show(db: AsyncSession, code: str, moment: dict[str, object], when: datetime) -> None:
    """Store the presenter's current scene."""
    await db.execute(
        update(PresentationRow)
        .where(PresentationRow.code == code, PresentationRow.ended_at.is_(None))
        .values(moment=moment, version=PresentationRow.version + 1, updated_at=when)
    )


async def end(db: AsyncSession, code: str, when: datetime) -> None:
    """Mark a presentation as ended."""
    await db.execute(
        update(PresentationRow)
        .where(PresentationRow.code == code)
        .values(ended_at=when, version=PresentationRow.version + 1)
    )


async def vote(db: AsyncSession, code: str, question: str, voter: str, choice: int) -> None:
    """Store a follower's answer, replacing an earlier one."""
    await db.merge(VoteRow(code=code, question=question, voter=voter, choice=choice))


async def count_votes(db: AsyncSession, code: str, question: str) -> int:
    """The number of votes on a question."""
    query = select(func.count()).where(VoteRow.code == code, VoteRow.question == question)
    return (await db.execute(query)).scalar_one()


async def audience(db: AsyncSession, code: str, question: str | None, since: datetime) -> Audience:
    """The number of followers in processes that have reported since a time, and the votes."""
    here = (
        await db.execute(
            select(func.coalesce(func.sum(AudienceRow.followers), 0)).where(
                AudienceRow.code == code, AudienceRow.seen_at >= since
            )
        )
    ).scalar_one()
    votes: dict[int, int] = {}
    if question is not None:
        rows = await db.execute(
            select(VoteRow.choice, func.count())
            .where(VoteRow.code == code, VoteRow.question == question)
            .group_by(VoteRow.choice)
        )
        votes = {row.choice: row[1] for row in rows}
    return Audience(int(here), votes)


async def note_followers(
    db: AsyncSession, code: str, process: str, followers: int, when: datetime
) -> None:
    """Store the number of followers in one process."""
    await db.merge(AudienceRow(code=code, process=process, followers=followers, seen_at=when))


async def count_before(db: AsyncSession, moment: datetime) -> int:
    """The number of presentations unchanged since a time."""
    older = PresentationRow.updated_at < moment
    return await db.scalar(select(func.count()).select_from(PresentationRow).where(older)) or 0


async def delete_some_before(db: AsyncSession, moment: datetime, *, most: int) -> int:
    """Delete some presentations unchanged since a time, with their votes; return their number."""
    old = select(PresentationRow.code).where(PresentationRow.updated_at < moment).limit(most)
    result = await db.execute(
        delete(PresentationRow).where(PresentationRow.code.in_(old.scalar_subquery()))
    )
    assert isinstance(result, CursorResult), "a DELETE returns the number of deleted rows"
    return result.rowcount
