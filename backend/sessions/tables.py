"""The tables of sessions: a scenario, a version and the steps in order. Everything else is
computed.
"""

from datetime import datetime

from sqlalchemy import JSON, ForeignKey, Index, Integer, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from backend.database.database import Base, UtcDateTime
from sim_engine.identifiers import FrameNumber


class SessionRow(Base):
    """One session. `head` and `frame_count` are the result of its steps; a caller that expects
    other values is stale.
    """

    __tablename__ = "sessions"
    __table_args__ = (Index(None, "last_used_at"),)

    id: Mapped[str] = mapped_column(String(26), primary_key=True)
    scenario: Mapped[dict[str, object]] = mapped_column(JSON(none_as_null=True))
    # The id of the shipped scenario; None for a user's own scenario.
    scenario_id: Mapped[str | None] = mapped_column(String(64))
    kafka: Mapped[str] = mapped_column(String(16))
    control: Mapped[str] = mapped_column(String(16))
    engine: Mapped[str] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    last_used_at: Mapped[datetime] = mapped_column(UtcDateTime)
    head: Mapped[FrameNumber] = mapped_column(Integer)
    frame_count: Mapped[int] = mapped_column(Integer)
    step_count: Mapped[int] = mapped_column(Integer)
    # sha256 of the owner's key; None if the session's id grants the right to act.
    owner_key_hash: Mapped[str | None] = mapped_column(String(64))
    # The origin of a copy: {"session": id}, {"share": sid}, or both if that session was created
    # from the share. The id is null if it would grant the right to act.
    forked_from: Mapped[dict[str, object] | None] = mapped_column(JSON(none_as_null=True))


class SessionStepRow(Base):
    """One step after one frame, and the frames that it created."""

    __tablename__ = "session_steps"
    __table_args__ = (UniqueConstraint("session_id", "after_frame", "step_key"),)

    session_id: Mapped[str] = mapped_column(
        ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True
    )
    position: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    after_frame: Mapped[FrameNumber] = mapped_column(Integer)
    step: Mapped[dict[str, object]] = mapped_column(JSON(none_as_null=True))
    # sha256 of the step's canonical JSON: the same step is the same key.
    step_key: Mapped[str] = mapped_column(String(64))
    # The index of the entry in the scenario's `steps`; None for a user's step.
    item: Mapped[int | None] = mapped_column(Integer)
    # A step without frames has last_frame = first_frame - 1.
    first_frame: Mapped[FrameNumber] = mapped_column(Integer)
    last_frame: Mapped[int] = mapped_column(Integer)
