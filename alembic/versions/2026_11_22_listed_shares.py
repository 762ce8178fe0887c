"""Shares that their authors let be listed in the gallery.

Revises: 0006_words_of_shares
"""

import sqlalchemy as sa
from alembic import op

revision = "0007_listed_shares"
down_revision = "0006_words_of_shares"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("shares") as shares:
        shares.add_column(sa.Column("is_listed", sa.Boolean(), nullable=True))
    op.create_index("ix_shares_is_listed_created_at", "shares", ["is_listed", "created_at"])


def downgrade() -> None:
    op.drop_index("ix_shares_is_listed_created_at", "shares")
    with op.batch_alter_table("shares") as shares:
        shares.drop_column("is_listed")
