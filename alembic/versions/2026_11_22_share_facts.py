"""Summaries of shared runs are incremental: the facts of each share, and how far a summary counts.

Revises: 0007_listed_shares
"""

import sqlalchemy as sa
from alembic import op

revision = "0008_share_facts"
down_revision = "0007_listed_shares"
branch_labels = None
depends_on = None

_INDEX = "ix_shares_sid_digest_seal_deleted_at_taken_down_at"


def upgrade() -> None:
    # Filled by the next `highwater summarize`.
    op.create_table(
        "share_facts",
        sa.Column("sid", sa.String(length=26), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("mark", sa.String(length=80), nullable=False),
        sa.Column("digest", sa.String(length=80), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("as_shipped", sa.Boolean(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("sid", "version", name="pk_share_facts"),
    )
    op.create_table(
        "share_facts_watermarks",
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("version", name="pk_share_facts_watermarks"),
    )
    # Older summaries have null here, so the next job writes a new one.
    op.add_column("summaries", sa.Column("facts_version", sa.Integer(), nullable=True))
    op.add_column("summaries", sa.Column("watermark", sa.BigInteger(), nullable=True))
    # Rows of `shares` are large. The job detects changes from this index alone.
    op.create_index(_INDEX, "shares", ["sid", "digest", "seal", "deleted_at", "taken_down_at"])


def downgrade() -> None:
    op.drop_index(_INDEX, "shares")
    op.drop_column("summaries", "watermark")
    op.drop_column("summaries", "facts_version")
    op.drop_table("share_facts_watermarks")
    op.drop_table("share_facts")
