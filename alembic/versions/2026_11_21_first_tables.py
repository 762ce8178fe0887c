"""First tables: sessions and their steps, shares, summaries of shares.

Revises: nothing
"""

import sqlalchemy as sa
from alembic import op

revision = "0001_first_tables"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "idempotency_keys",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("body_hash", sa.String(length=64), nullable=False),
        sa.Column("sid", sa.String(length=26), nullable=False),
        sa.Column("salt", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_idempotency_keys"),
    )
    op.create_index("ix_idempotency_keys_created_at", "idempotency_keys", ["created_at"])

    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("scenario", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("scenario_id", sa.String(length=64), nullable=True),
        sa.Column("kafka", sa.String(length=16), nullable=False),
        sa.Column("control", sa.String(length=16), nullable=False),
        sa.Column("engine", sa.String(length=32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_used_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("frame_count", sa.Integer(), nullable=False),
        sa.Column("step_count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
    )
    op.create_index("ix_sessions_last_used_at", "sessions", ["last_used_at"])

    op.create_table(
        "shares",
        sa.Column("sid", sa.String(length=26), nullable=False),
        sa.Column("session_id", sa.String(length=26), nullable=True),
        sa.Column("at_frame", sa.Integer(), nullable=False),
        sa.Column("scenario", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("scenario_id", sa.String(length=64), nullable=True),
        sa.Column("kafka", sa.String(length=16), nullable=False),
        sa.Column("control", sa.String(length=16), nullable=False),
        sa.Column("engine", sa.String(length=32), nullable=False),
        sa.Column("record", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("digest", sa.String(length=80), nullable=False),
        sa.Column("timeline", sa.LargeBinary(), nullable=False),
        sa.Column("frame_count", sa.Integer(), nullable=False),
        sa.Column("facts", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("title", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("delete_token_hash", sa.String(length=64), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("sid", name="pk_shares"),
    )
    op.create_index("ix_shares_created_at", "shares", ["created_at"])

    op.create_table(
        "summaries",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("generated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("engine", sa.String(length=32), nullable=False),
        sa.Column("shares_read", sa.Integer(), nullable=False),
        sa.Column("first_share_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_share_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_summaries"),
    )
    op.create_table(
        "session_steps",
        sa.Column("session_id", sa.String(length=26), nullable=False),
        sa.Column("position", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("after_frame", sa.Integer(), nullable=False),
        sa.Column("step", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("step_key", sa.String(length=64), nullable=False),
        sa.Column("item", sa.Integer(), nullable=True),
        sa.Column("first_frame", sa.Integer(), nullable=False),
        sa.Column("last_frame", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["session_id"],
            ["sessions.id"],
            name="fk_session_steps_session_id_sessions",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("session_id", "position", name="pk_session_steps"),
        sa.UniqueConstraint(
            "session_id",
            "after_frame",
            "step_key",
            name="uq_session_steps_session_id_after_frame_step_key",
        ),
    )
    op.create_table(
        "summary_faults",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "summary_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("fault", sa.String(length=32), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("lossy_runs", sa.Integer(), nullable=False),
        sa.Column("last_before_loss", sa.Integer(), nullable=False),
        sa.Column("example_sid", sa.String(length=26), nullable=True),
        sa.ForeignKeyConstraint(
            ["summary_id"],
            ["summaries.id"],
            name="fk_summary_faults_summary_id_summaries",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_summary_faults"),
    )
    op.create_index("ix_summary_faults_summary_id", "summary_faults", ["summary_id"])

    op.create_table(
        "summary_lessons",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "summary_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("scenario_id", sa.String(length=64), nullable=False),
        sa.Column("title", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("shares", sa.Integer(), nullable=False),
        sa.Column("lossy", sa.Integer(), nullable=False),
        sa.Column("example_sid", sa.String(length=26), nullable=True),
        sa.ForeignKeyConstraint(
            ["summary_id"],
            ["summaries.id"],
            name="fk_summary_lessons_summary_id_summaries",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_summary_lessons"),
    )
    op.create_index("ix_summary_lessons_summary_id", "summary_lessons", ["summary_id"])

    op.create_table(
        "summary_loss",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column(
            "summary_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("dimension", sa.String(length=32), nullable=False),
        sa.Column("kafka", sa.String(length=16), nullable=True),
        sa.Column("acks", sa.String(length=4), nullable=True),
        sa.Column("min_insync_replicas", sa.Integer(), nullable=True),
        sa.Column("replication_factor", sa.Integer(), nullable=True),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("exercised", sa.Integer(), nullable=False),
        sa.Column("not_exercised", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
        sa.Column("rate", sa.Float(), nullable=True),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.Column("example_sid", sa.String(length=26), nullable=True),
        sa.CheckConstraint(
            "dimension in ('version', 'acks', 'min_insync_replicas', 'replication_factor', "
            "'version_acks')",
            name="ck_summary_loss_dimension",
        ),
        sa.ForeignKeyConstraint(
            ["summary_id"],
            ["summaries.id"],
            name="fk_summary_loss_summary_id_summaries",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_summary_loss"),
    )
    op.create_index("ix_summary_loss_summary_id", "summary_loss", ["summary_id"])


def downgrade() -> None:
    op.drop_table("summary_loss")
    op.drop_table("summary_lessons")
    op.drop_table("summary_faults")
    op.drop_table("session_steps")
    op.drop_table("summaries")
    op.drop_table("shares")
    op.drop_table("sessions")
    op.drop_table("idempotency_keys")
