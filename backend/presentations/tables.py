"""The tables of presentations: the current scene, the followers, and their votes."""

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from backend.database.database import Base, UtcDateTime


class PresentationRow(Base):
    """`moment` is the current scene; `version` counts its changes."""

    __tablename__ = "presentations"
    __table_args__ = (Index(None, "updated_at"),)

    code: Mapped[str] = mapped_column(String(8), primary_key=True)
    # Not a foreign key, because a session may expire first. It is never sent to followers.
    session_id: Mapped[str] = mapped_column(String(26))
    token_hash: Mapped[str] = mapped_column(String(64))
    moment: Mapped[dict[str, object]] = mapped_column(JSON(none_as_null=True))
    version: Mapped[int] = mapped_column(Integer)
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    updated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    ended_at: Mapped[datetime | None] = mapped_column(UtcDateTime)


class VoteRow(Base):
    """One follower's answer to one question; `voter` is a random number from its page."""

    __tablename__ = "presentation_votes"

    code: Mapped[str] = mapped_column(
        ForeignKey("presentations.code", ondelete="CASCADE"), primary_key=True
    )
    question: Mapped[str] = mapped_column(String(64), primary_key=True)
    voter: Mapped[str] = mapped_column(String(32), primary_key=True)
    choice: Mapped[int] = mapped_column(Integer)


class AudienceRow(Base):
    """The number of followers in one process of the service, and when it last reported it."""

    __tablename__ = "presentation_audiences"

    code: Mapped[str] = mapped_column(
        ForeignKey("presentations.code", ondelete="CASCADE"), primary_key=True
    )
    process: Mapped[str] = mapped_column(String(16), primary_key=True)
    followers: Mapped[int] = mapped_column(Integer)
    seen_at: Mapped[datetime] = mapped_column(UtcDateTime)
