"""Every query about presentations."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from backend.database.database import rows_changed
from backend.presentations.tables import AudienceRow, PresentationRow, VoteRow

_A_BATCH = 1_000


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
    of_question = (VoteRow.code == code, VoteRow.question == question)
    return await db.scalar(select(func.count()).where(*of_question)) or 0


async def audience(db: AsyncSession, code: str, question: str | None, since: datetime) -> Audience:
    """The number of followers in processes that have reported since a time, and the votes."""
    followers = select(func.sum(AudienceRow.followers)).where(
        AudienceRow.code == code, AudienceRow.seen_at >= since
    )
    here = await db.scalar(followers) or 0
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
    return await db.scalar(select(func.count()).where(PresentationRow.updated_at < moment)) or 0


async def delete_some_before(db: AsyncSession, moment: datetime) -> int:
    """Delete a batch of the presentations unchanged since a time, with their votes, and return its
    size.
    """
    old = select(PresentationRow.code).where(PresentationRow.updated_at < moment).limit(_A_BATCH)
    return await rows_changed(db, delete(PresentationRow).where(PresentationRow.code.in_(old)))
