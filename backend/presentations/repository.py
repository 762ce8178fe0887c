"""Every query about presentations."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import CursorResult, delete, func, select, update
from sqlalchemy.ext.asyncio import AsyncSession

from backend.presentations.tables import AudienceRow, PresentationRow, VoteRow


@dataclass(frozen=True, slots=True)
class Audience:
    """How many follow, and how many chose each answer of a question."""

    here: int
    votes: dict[int, int]


async def get(session: AsyncSession, code: str) -> PresentationRow | None:
    """A presentation's row; None where there is none."""
    return await session.get(PresentationRow, code)


async def show(session: AsyncSession, code: str, moment: dict[str, object], when: datetime) -> None:
    """Store what the presenter shows now."""
    await session.execute(
        update(PresentationRow)
        .where(PresentationRow.code == code, PresentationRow.ended_at.is_(None))
        .values(moment=moment, version=PresentationRow.version + 1, updated_at=when)
    )


async def end(session: AsyncSession, code: str, when: datetime) -> None:
    """Note that nothing more will be shown."""
    await session.execute(
        update(PresentationRow)
        .where(PresentationRow.code == code)
        .values(ended_at=when, version=PresentationRow.version + 1)
    )


async def vote(session: AsyncSession, code: str, question: str, voter: str, choice: int) -> None:
    """Store a follower's answer, in place of the one before."""
    await session.merge(VoteRow(code=code, question=question, voter=voter, choice=choice))


async def count_votes(session: AsyncSession, code: str, question: str) -> int:
    """How many have answered a question."""
    query = select(func.count()).where(VoteRow.code == code, VoteRow.question == question)
    return (await session.execute(query)).scalar_one()


async def audience(
    session: AsyncSession, code: str, question: str | None, since: datetime
) -> Audience:
    """Who follows through processes that said so since then, and what they answered."""
    here = (
        await session.execute(
            select(func.coalesce(func.sum(AudienceRow.followers), 0)).where(
                AudienceRow.code == code, AudienceRow.seen_at >= since
            )
        )
    ).scalar_one()
    votes: dict[int, int] = {}
    if question is not None:
        rows = await session.execute(
            select(VoteRow.choice, func.count())
            .where(VoteRow.code == code, VoteRow.question == question)
            .group_by(VoteRow.choice)
        )
        votes = {row.choice: row[1] for row in rows}
    return Audience(int(here), votes)


async def note_followers(
    session: AsyncSession, code: str, process: str, followers: int, when: datetime
) -> None:
    """Store how many follow through one process."""
    await session.merge(AudienceRow(code=code, process=process, followers=followers, seen_at=when))


async def delete_some_before(session: AsyncSession, moment: datetime, *, most: int) -> int:
    """Delete presentations in which nothing was shown since, with their votes; how many."""
    old = select(PresentationRow.code).where(PresentationRow.updated_at < moment).limit(most)
    result = await session.execute(
        delete(PresentationRow).where(PresentationRow.code.in_(old.scalar_subquery()))
    )
    assert isinstance(result, CursorResult), "a DELETE tells how many rows went"
    return result.rowcount
