"""Shared assessments of clusters.

Revises: 1.0_first_format
"""

import sqlalchemy as sa
from alembic import op

revision = "1.1_assessments"
down_revision = "1.0_first_format"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "assessments",
        sa.Column("sid", sa.String(length=26), nullable=False),
        sa.Column("engine", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("delete_token_hash", sa.String(length=64), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("taken_down_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("taken_down_for", sa.String(length=16), nullable=True),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sid", name="pk_assessments"),
    )


def downgrade() -> None:
    op.drop_table("assessments")
