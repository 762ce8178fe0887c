"""The table of shared assessments. One is stored as it was shown, so it does not change with the
engine.
"""

from datetime import datetime

from sqlalchemy import LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from backend.database.database import Base, UtcDateTime


class AssessmentRow(Base):
    """A shared assessment. A deleted one keeps its row without the contents."""

    __tablename__ = "assessments"

    sid: Mapped[str] = mapped_column(String(26), primary_key=True)
    engine: Mapped[str] = mapped_column(String(32))
    created_at: Mapped[datetime] = mapped_column(UtcDateTime)
    delete_token_hash: Mapped[str] = mapped_column(String(64))
    deleted_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # Hidden by the operator, and the reason (TAKEDOWN_REASONS of shares).
    taken_down_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    taken_down_for: Mapped[str | None] = mapped_column(String(16))
    # The SHA-256 of the contents; empty once it is deleted.
    seal: Mapped[str] = mapped_column(String(64))
    # gzip of the JSON of `SharedAssessment`. It has nothing of the pasted text.
    content: Mapped[bytes] = mapped_column(LargeBinary)
