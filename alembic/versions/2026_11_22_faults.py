"""Seals and takedowns of shares, what housekeeping knows of the clock, compatible code.

Revises: 0001_first_tables
"""

import hashlib
import json

import sqlalchemy as sa
from alembic import op

revision = "0002_seals"
down_revision = "0001_first_tables"
branch_labels = None
depends_on = None

# The oldest code that works with this schema: everything new here may be absent or null.
_OLDEST_REVISION = "0001_first_tables"
_BATCH = 20


def upgrade() -> None:
    with op.batch_alter_table("shares") as shares:
        shares.add_column(sa.Column("seal", sa.String(length=64), nullable=True))
        shares.add_column(sa.Column("taken_down_at", sa.DateTime(timezone=True), nullable=True))
        shares.add_column(sa.Column("taken_down_for", sa.String(length=16), nullable=True))
    op.create_table(
        "housekeeping",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("last_run_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("steady_since", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_housekeeping"),
    )
    compatibility = op.create_table(
        "schema_compatibility",
        sa.Column("oldest_revision", sa.String(length=32), nullable=False),
        sa.PrimaryKeyConstraint("oldest_revision", name="pk_schema_compatibility"),
    )
    op.bulk_insert(compatibility, [{"oldest_revision": _OLDEST_REVISION}])
    _seal_shares()


def _seal_shares() -> None:
    """Seal the stored shares, so that a later change is detected on read."""
    connection = op.get_bind()
    shares = sa.table(
        "shares",
        sa.column("sid", sa.String),
        sa.column("at_frame", sa.Integer),
        sa.column("scenario", sa.JSON),
        sa.column("scenario_id", sa.String),
        sa.column("kafka", sa.String),
        sa.column("control", sa.String),
        sa.column("engine", sa.String),
        sa.column("record", sa.JSON),
        sa.column("digest", sa.String),
        sa.column("title", sa.JSON),
        sa.column("timeline", sa.LargeBinary),
        sa.column("seal", sa.String),
        sa.column("deleted_at", sa.DateTime(timezone=True)),
    )
    after = ""
    while True:
        rows = connection.execute(
            sa.select(shares)
            .where(shares.c.sid > after, shares.c.deleted_at.is_(None))
            .order_by(shares.c.sid)
            .limit(_BATCH)
        ).all()
        for row in rows:
            said = json.dumps(
                [
                    row.sid, row.at_frame, row.scenario, row.scenario_id, row.kafka, row.control,
                    row.engine, row.record, row.digest, row.title,
                ],
                sort_keys=True, separators=(",", ":"), ensure_ascii=False,
            )  # fmt: skip
            seal = hashlib.sha256(said.encode() + b"\n" + bytes(row.timeline)).hexdigest()
            connection.execute(shares.update().where(shares.c.sid == row.sid).values(seal=seal))
        if len(rows) < _BATCH:
            return
        after = rows[-1].sid


def downgrade() -> None:
    op.drop_table("schema_compatibility")
    op.drop_table("housekeeping")
    with op.batch_alter_table("shares") as shares:
        shares.drop_column("taken_down_for")
        shares.drop_column("taken_down_at")
        shares.drop_column("seal")
