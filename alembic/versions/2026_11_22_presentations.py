"""Presentations: where the playhead stands, who follows, what they answered.

Revises: 0003_owners_of_sessions
"""

import sqlalchemy as sa
from alembic import op

revision = "0004_presentations"
down_revision = "0003_owners_of_sessions"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "presentations",
        sa.Column("code", sa.String(length=8), nullable=False),
        sa.Column("session_id", sa.String(length=26), nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("moment", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("code", name="pk_presentations"),
    )
    op.create_index("ix_presentations_updated_at", "presentations", ["updated_at"])
    op.create_table(
        "presentation_votes",
        sa.Column("code", sa.String(length=8), nullable=False),
        sa.Column("question", sa.String(length=64), nullable=False),
        sa.Column("voter", sa.String(length=32), nullable=False),
        sa.Column("choice", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["code"],
            ["presentations.code"],
            name="fk_presentation_votes_code_presentations",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("code", "question", "voter", name="pk_presentation_votes"),
    )
    op.create_table(
        "presentation_audiences",
        sa.Column("code", sa.String(length=8), nullable=False),
        sa.Column("process", sa.String(length=16), nullable=False),
        sa.Column("followers", sa.Integer(), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["code"],
            ["presentations.code"],
            name="fk_presentation_audiences_code_presentations",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("code", "process", name="pk_presentation_audiences"),
    )


def downgrade() -> None:
    op.drop_table("presentation_audiences")
    op.drop_table("presentation_votes")
    op.drop_table("presentations")
