"""Summaries of shared runs count losses by cause.

Revises: 0008_share_facts
"""

import sqlalchemy as sa
from alembic import op

revision = "0009_summary_causes"
down_revision = "0008_share_facts"
branch_labels = None
depends_on = None

# SQLite generates ids only if the key's type is exactly INTEGER.
_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    # Empty for older summaries. The next `highwater summarize` determines the causes of all shares,
    # because the version of their facts has changed, and writes a new summary.
    op.create_table(
        "summary_causes",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("summary_id", _KEY, nullable=False),
        sa.Column("cause", sa.String(length=32), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("lost_acks_all", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["summary_id"],
            ["summaries.id"],
            name="fk_summary_causes_summary_id_summaries",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_summary_causes"),
    )
    op.create_index("ix_summary_causes_summary_id", "summary_causes", ["summary_id"])


def downgrade() -> None:
    op.drop_table("summary_causes")
