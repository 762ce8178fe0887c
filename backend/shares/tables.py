"""The tables of shares. A share is stored completely, so it does not change with the engine."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, Boolean, Index, Integer, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from backend.database.database import Base, UtcDateTime
from sim_engine.documents.runs import StoredAct
from sim_engine.identifiers import FrameNumber

TAKEDOWN_REASONS = ("privacy", "abuse", "spam", "legal")


TreeAct = tuple[FrameNumber, dict[str, object], int | None, int]
"""A played step of a run with branches: the frame that it followed, the step, its entry in the
scenario's steps, and the number of frames that it created.
"""


class ShareRow(Base):
    """One branch of a session as it was shared, and the other branches if they were shared.

    A deleted share keeps its row without the contents.
    """

    __tablename__ = "shares"
    __table_args__ = (
        Index(None, "created_at"),
        Index(None, "is_listed", "created_at"),
        # The columns by which the analytics detect changes. A row also contains all frames.
        Index(None, "sid", "seal", "deleted_at", "taken_down_at"),
    )

    sid: Mapped[str] = mapped_column(String(26), primary_key=True)
    # The session that was shared. Not a foreign key, because sessions expire and shares do not.
    session_id: Mapped[str | None] = mapped_column(String(26))
    at_frame: Mapped[FrameNumber] = mapped_column(Integer)
    scenario: Mapped[dict[str, object]] = mapped_column(JSON(none_as_null=True))
    scenario_id: Mapped[str | None] = mapped_column(String(64))
    kafka: Mapped[str] = mapped_column(String(16))
    control: Mapped[str] = mapped_column(String(16))
    engine: Mapped[str] = mapped_column(String(32))
    # The steps of the branch, [[after, step, item], ...], which a fork replays.
    record: Mapped[list[StoredAct]] = mapped_column(JSON(none_as_null=True))
    digest: Mapped[str] = mapped_column(String(80))
    frame_count: Mapped[int] = mapped_column(Integer)
    facts: Mapped[dict[str, object]] = mapped_column(JSON(none_as_null=True))
    # The author's title, the same in every language; otherwise the scenario's.
    title: Mapped[dict[str, str]] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    delete_token_hash: Mapped[str] = mapped_column(String(64))
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # `seal_of` everything that its link or a summary shows; empty once it is deleted.
    seal: Mapped[str] = mapped_column(String(64))
    # Hidden by the operator, and the reason (TAKEDOWN_REASONS).
    taken_down_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    taken_down_for: Mapped[str | None] = mapped_column(String(16))
    # The author's note: plain text with line breaks.
    note: Mapped[str | None] = mapped_column(Text)
    # The share that its run was forked from, and the first share in that chain of forks.
    parent_sid: Mapped[str | None] = mapped_column(String(26))
    root_sid: Mapped[str | None] = mapped_column(String(26))
    # The steps of all branches; None for a share of one branch.
    tree_record: Mapped[list[TreeAct] | None] = mapped_column(JSON(none_as_null=True))
    # Whether its author allows the gallery to list it. Not sealed, because the link does not show
    # it.
    is_listed: Mapped[bool] = mapped_column(Boolean)
    # The large columns are the last ones, because SQLite reads a row up to the column it needs.
    # gzip of the JSON array of frames, as GET /shares/{sid} returns them.
    timeline: Mapped[bytes] = mapped_column(LargeBinary)
    # The same of the frames of all other branches; None for a share of one branch.
    other_frames: Mapped[bytes | None] = mapped_column(LargeBinary)


class IdempotencyKeyRow(Base):
    """A client's key for one share: the same key with the same body returns the same share, to the
    same visitor and of the same session.
    """

    __tablename__ = "idempotency_keys"
    __table_args__ = (Index(None, "created_at"),)

    # sha256 of the session, the visitor's network and the key that the client chose.
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    body_hash: Mapped[str] = mapped_column(String(64))
    sid: Mapped[str] = mapped_column(String(26))
    # The delete token is derived from this and the client's key, which is not stored.
    salt: Mapped[str] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)


class ShareFactsRow(Base):
    """The facts of one share that summaries count; the analytics keep them between jobs."""

    __tablename__ = "share_facts"

    sid: Mapped[str] = mapped_column(String(26), primary_key=True)
    # The version of the code that wrote the row, so that jobs of two versions do not conflict.
    version: Mapped[int] = mapped_column(Integer, primary_key=True)
    # The share's seal. If it differs, the share has changed.
    seal: Mapped[str] = mapped_column(String(64))
    digest: Mapped[str] = mapped_column(String(80))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    as_shipped: Mapped[bool] = mapped_column(Boolean)
    # JSON; without the title, unless the run is an unchanged lesson.
    facts: Mapped[str] = mapped_column(Text)


class ShareFactsWatermarkRow(Base):
    """The number of changes of a version's rows so far: the same number means the same rows."""

    __tablename__ = "share_facts_watermarks"

    version: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    number: Mapped[int] = mapped_column(BigInteger)
