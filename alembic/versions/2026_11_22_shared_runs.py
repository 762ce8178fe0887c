"""Summaries of shared runs have counts only: no rates, and no links to unlisted shares.

Revises: 0004_presentations
"""

import sqlalchemy as sa
from alembic import op

revision = "0005_shared_runs"
down_revision = "0004_presentations"
branch_labels = None
depends_on = None

_DROPPED: dict[str, tuple[tuple[str, sa.types.TypeEngine[object]], ...]] = {
    "summary_loss": (
        ("rate", sa.Float()),
        ("low", sa.Float()),
        ("high", sa.Float()),
        ("example_sid", sa.String(length=26)),
    ),
    "summary_faults": (("example_sid", sa.String(length=26)),),
    "summary_lessons": (("lossy", sa.Integer()), ("example_sid", sa.String(length=26))),
}


def upgrade() -> None:
    _delete_summaries()
    for table, columns in _DROPPED.items():
        for column, _ in columns:
            # Not in a batch, which would copy the table in SQLite without its CHECK constraint.
            op.drop_column(table, column)
    # Code before this one reads and writes the columns.
    op.execute(f"UPDATE schema_compatibility SET oldest_revision = '{revision}'")  # noqa: S608


def downgrade() -> None:
    _delete_summaries()
    for table, columns in _DROPPED.items():
        for column, kind in columns:
            op.add_column(table, sa.Column(column, kind, nullable=True))
    with op.batch_alter_table("summary_lessons") as lessons:
        lessons.alter_column("lossy", nullable=False)
    op.execute("UPDATE schema_compatibility SET oldest_revision = '0001_first_tables'")


def _delete_summaries() -> None:
    """They counted every copy of a run and have rows with few runs; the next job rewrites them."""
    for table in (*_DROPPED, "summaries"):
        op.execute(f"DELETE FROM {table}")  # noqa: S608 (our words)
