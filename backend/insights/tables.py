"""The tables of the summaries of shared runs. The analytics write them; the newest is shown."""

from datetime import datetime

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey, Index, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

from backend.database.database import Base, UtcDateTime

# SQLite generates ids only if the key's type is exactly INTEGER.
_Key = BigInteger().with_variant(Integer(), "sqlite")
DIMENSIONS = ("version", "acks", "min_insync_replicas", "replication_factor", "version_acks")


class SummaryRow(Base):
    """One run of the summary job: when, and over which shares."""

    __tablename__ = "summaries"

    id: Mapped[int] = mapped_column(_Key, primary_key=True)
    generated_at: Mapped[datetime] = mapped_column(UtcDateTime)
    engine: Mapped[str] = mapped_column(String(32))
    shares_read: Mapped[int] = mapped_column(Integer)
    first_share_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    last_share_at: Mapped[datetime | None] = mapped_column(UtcDateTime)
    # The state of `share_facts` that the summary counts.
    facts_version: Mapped[int] = mapped_column(Integer)
    watermark: Mapped[int] = mapped_column(BigInteger)


class SummaryLossRow(Base):
    """How many runs of one configuration lost an acknowledged record."""

    __tablename__ = "summary_loss"
    __table_args__ = (
        CheckConstraint(f"dimension in {DIMENSIONS}", name="dimension"),
        Index(None, "summary_id"),
    )

    id: Mapped[int] = mapped_column(_Key, primary_key=True)
    summary_id: Mapped[int] = mapped_column(ForeignKey("summaries.id", ondelete="CASCADE"))
    dimension: Mapped[str] = mapped_column(String(32))
    kafka: Mapped[str | None] = mapped_column(String(16))
    acks: Mapped[str | None] = mapped_column(String(4))
    min_insync_replicas: Mapped[int | None] = mapped_column(Integer)
    replication_factor: Mapped[int | None] = mapped_column(Integer)
    runs: Mapped[int] = mapped_column(Integer)
    exercised: Mapped[int] = mapped_column(Integer)
    not_exercised: Mapped[int] = mapped_column(Integer)
    lost: Mapped[int] = mapped_column(Integer)


class SummaryFaultRow(Base):
    """One kind of fault: in how many runs, and how often a loss followed it."""

    __tablename__ = "summary_faults"
    __table_args__ = (Index(None, "summary_id"),)

    id: Mapped[int] = mapped_column(_Key, primary_key=True)
    summary_id: Mapped[int] = mapped_column(ForeignKey("summaries.id", ondelete="CASCADE"))
    fault: Mapped[str] = mapped_column(String(32))
    runs: Mapped[int] = mapped_column(Integer)
    lossy_runs: Mapped[int] = mapped_column(Integer)
    last_before_loss: Mapped[int] = mapped_column(Integer)


class SummaryCauseRow(Base):
    """One cause of losses: in how many runs the first loss had it."""

    __tablename__ = "summary_causes"
    __table_args__ = (Index(None, "summary_id"),)

    id: Mapped[int] = mapped_column(_Key, primary_key=True)
    summary_id: Mapped[int] = mapped_column(ForeignKey("summaries.id", ondelete="CASCADE"))
    cause: Mapped[str] = mapped_column(String(32))
    runs: Mapped[int] = mapped_column(Integer)
    lost_acks_all: Mapped[int] = mapped_column(Integer)


class SummaryLessonRow(Base):
    """One lesson: how often it was shared unchanged."""

    __tablename__ = "summary_lessons"
    __table_args__ = (Index(None, "summary_id"),)

    id: Mapped[int] = mapped_column(_Key, primary_key=True)
    summary_id: Mapped[int] = mapped_column(ForeignKey("summaries.id", ondelete="CASCADE"))
    scenario_id: Mapped[str] = mapped_column(String(64))
    title: Mapped[dict[str, object]] = mapped_column(JSON(none_as_null=True))
    shares: Mapped[int] = mapped_column(Integer)
