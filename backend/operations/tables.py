"""The service's own state: the last housekeeping run."""

from datetime import datetime

from sqlalchemy import Integer
from sqlalchemy.orm import Mapped, mapped_column

from backend.database.database import Base, UtcDateTime


class HousekeepingRow(Base):
    """One row. The clock has not jumped between two runs since `steady_since`."""

    __tablename__ = "housekeeping"

    id: Mapped[int] = mapped_column(Integer, primary_key=True, autoincrement=False)
    last_run_at: Mapped[datetime] = mapped_column(UtcDateTime)
    steady_since: Mapped[datetime] = mapped_column(UtcDateTime)
