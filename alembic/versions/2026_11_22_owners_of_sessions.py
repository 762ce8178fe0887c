"""Add the owner of a session, and the session that it was copied from.

Revises: 0002_seals
"""

import sqlalchemy as sa
from alembic import op

revision = "0003_owners_of_sessions"
down_revision = "0002_seals"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("sessions") as sessions:
        sessions.add_column(sa.Column("owner_key_hash", sa.String(length=64), nullable=True))
        sessions.add_column(sa.Column("forked_from", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("sessions") as sessions:
        sessions.drop_column("forked_from")
        sessions.drop_column("owner_key_hash")
