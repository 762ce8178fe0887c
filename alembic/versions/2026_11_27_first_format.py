"""First format: the tables of 0.1.0.

Revises: nothing
"""

import sqlalchemy as sa
from alembic import op

revision = "1.0_first_format"
down_revision = None
branch_labels = None
depends_on = None

# SQLite generates ids only if the key's type is exactly INTEGER.
_KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "housekeeping",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("last_run_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("steady_since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_housekeeping"),
    )
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
        sa.Column("owner_key_hash", sa.String(length=64), nullable=True),
        sa.Column("forked_from", sa.JSON(none_as_null=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
    )
    op.create_index("ix_sessions_last_used_at", "sessions", ["last_used_at"])

    op.create_table(
        "share_facts",
        sa.Column("sid", sa.String(length=26), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seal", sa.String(length=64), nullable=False),
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
        sa.Column("frame_count", sa.Integer(), nullable=False),
        sa.Column("facts", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("title", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("delete_token_hash", sa.String(length=64), nullable=False),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("seal", sa.String(length=64), nullable=False),
        sa.Column("taken_down_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("taken_down_for", sa.String(length=16), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("parent_sid", sa.String(length=26), nullable=True),
        sa.Column("root_sid", sa.String(length=26), nullable=True),
        sa.Column("tree_record", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("is_listed", sa.Boolean(), nullable=False),
        sa.Column("timeline", sa.LargeBinary(), nullable=False),
        sa.Column("other_frames", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("sid", name="pk_shares"),
    )
    op.create_index("ix_shares_created_at", "shares", ["created_at"])
    op.create_index("ix_shares_is_listed_created_at", "shares", ["is_listed", "created_at"])
    op.create_index(
        "ix_shares_sid_seal_deleted_at_taken_down_at",
        "shares",
        ["sid", "seal", "deleted_at", "taken_down_at"],
    )

    op.create_table(
        "summaries",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("generated_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("engine", sa.String(length=32), nullable=False),
        sa.Column("shares_read", sa.Integer(), nullable=False),
        sa.Column("first_share_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_share_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("facts_version", sa.Integer(), nullable=False),
        sa.Column("watermark", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_summaries"),
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

    op.create_table(
        "summary_faults",
        sa.Column("id", _KEY, nullable=False),
        sa.Column("summary_id", _KEY, nullable=False),
        sa.Column("fault", sa.String(length=32), nullable=False),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("lossy_runs", sa.Integer(), nullable=False),
        sa.Column("last_before_loss", sa.Integer(), nullable=False),
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
        sa.Column("id", _KEY, nullable=False),
        sa.Column("summary_id", _KEY, nullable=False),
        sa.Column("scenario_id", sa.String(length=64), nullable=False),
        sa.Column("title", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("shares", sa.Integer(), nullable=False),
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
        sa.Column("id", _KEY, nullable=False),
        sa.Column("summary_id", _KEY, nullable=False),
        sa.Column("dimension", sa.String(length=32), nullable=False),
        sa.Column("kafka", sa.String(length=16), nullable=True),
        sa.Column("acks", sa.String(length=4), nullable=True),
        sa.Column("min_insync_replicas", sa.Integer(), nullable=True),
        sa.Column("replication_factor", sa.Integer(), nullable=True),
        sa.Column("runs", sa.Integer(), nullable=False),
        sa.Column("exercised", sa.Integer(), nullable=False),
        sa.Column("not_exercised", sa.Integer(), nullable=False),
        sa.Column("lost", sa.Integer(), nullable=False),
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
    op.drop_table("summary_causes")
    op.drop_table("session_steps")
    op.drop_table("presentation_votes")
    op.drop_table("presentation_audiences")
    op.drop_table("summaries")
    op.drop_table("shares")
    op.drop_table("share_facts_watermarks")
    op.drop_table("share_facts")
    op.drop_table("sessions")
    op.drop_table("presentations")
    op.drop_table("idempotency_keys")
    op.drop_table("housekeeping")
