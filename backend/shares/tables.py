"""What a link shows, stored whole: it never changes when the engine does."""

from datetime import datetime

from sqlalchemy import JSON, Boolean, Index, Integer, LargeBinary, String, Text
from sqlalchemy.orm import Mapped, mapped_column

from backend.database import Base, UtcDateTime
from sim_engine import FrameNumber, StoredAct

TAKEDOWN_REASONS = ("privacy", "abuse", "spam", "legal")


TreeAct = tuple[FrameNumber, dict[str, object], int | None, int]
"""What was done in a run with branches: after which frame, the step, the entry of the scenario's
steps that it is, and how many frames it made."""


class ShareRow(Base):
    """One branch of one session as it was, and perhaps its others.

    A deleted share keeps its row and loses its contents.
    """

    __tablename__ = "shares"
    __table_args__ = (Index(None, "created_at"), Index(None, "is_listed", "created_at"))

    sid: Mapped[str] = mapped_column(String(26), primary_key=True)
    # Where it came from. Not a foreign key: sessions expire, shares do not.
    session_id: Mapped[str | None] = mapped_column(String(26))
    at_frame: Mapped[FrameNumber] = mapped_column(Integer)
    scenario: Mapped[dict[str, object]] = mapped_column(JSON(none_as_null=True))
    scenario_id: Mapped[str | None] = mapped_column(String(64))
    kafka: Mapped[str] = mapped_column(String(16))
    control: Mapped[str] = mapped_column(String(16))
    engine: Mapped[str] = mapped_column(String(32))
    # The steps of the branch, [[after, step, item], ...]: what a fork does again.
    record: Mapped[list[StoredAct]] = mapped_column(JSON(none_as_null=True))
    digest: Mapped[str] = mapped_column(String(80))
    # gzip of the JSON array of frames, as GET /shares/{sid} answers them.
    timeline: Mapped[bytes] = mapped_column(LargeBinary)
    frame_count: Mapped[int] = mapped_column(Integer)
    facts: Mapped[dict[str, object]] = mapped_column(JSON(none_as_null=True))
    # The author's, the same in every language, or else the scenario's.
    title: Mapped[dict[str, str]] = mapped_column(JSON(none_as_null=True))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    delete_token_hash: Mapped[str] = mapped_column(String(64))
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # `seal_of` its contents; None where a version before seals stored it.
    seal: Mapped[str | None] = mapped_column(String(64))
    # Hidden by the operator, and the reason (TAKEDOWN_REASONS).
    taken_down_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    taken_down_for: Mapped[str | None] = mapped_column(String(16))
    # The author's words about it: plain text, in lines.
    note: Mapped[str | None] = mapped_column(Text)
    # The share that its run was forked from, and the first one of that line.
    parent_sid: Mapped[str | None] = mapped_column(String(26))
    root_sid: Mapped[str | None] = mapped_column(String(26))
    # gzip of the frames of all other branches, and the steps of all; None where it has one branch.
    other_frames: Mapped[bytes | None] = mapped_column(LargeBinary)
    tree_record: Mapped[list[TreeAct] | None] = mapped_column(JSON(none_as_null=True))
    # Whether its author lets the gallery list it; a choice about the share, not what it shows.
    is_listed: Mapped[bool | None] = mapped_column(Boolean)
    # `added_seal_of` the columns from `note` to `tree_record`; None where all are null.
    added_seal: Mapped[str | None] = mapped_column(String(64))


class IdempotencyKeyRow(Base):
    """A client's key for one share: asked again with the same body, the answer is the same."""

    __tablename__ = "idempotency_keys"
    __table_args__ = (Index(None, "created_at"),)

    # sha256 of the key that the client chose.
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    body_hash: Mapped[str] = mapped_column(String(64))
    sid: Mapped[str] = mapped_column(String(26))
    # With the client's key, from which the delete token follows: it is stored nowhere.
    salt: Mapped[str] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
