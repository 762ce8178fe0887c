"""Shares have their author's note, a lineage, and perhaps all branches of their run.

Revises: 0005_shared_runs
"""

import sqlalchemy as sa
from alembic import op

revision = "0006_words_of_shares"
down_revision = "0005_shared_runs"
branch_labels = None
depends_on = None

# All may be null: the old version writes rows without them, and shows what it knows of the others.
_ADDED: tuple[tuple[str, sa.types.TypeEngine[object]], ...] = (
    ("note", sa.Text()),
    ("parent_sid", sa.String(length=26)),
    ("root_sid", sa.String(length=26)),
    ("other_frames", sa.LargeBinary()),
    ("tree_record", sa.JSON(none_as_null=True)),
    ("added_seal", sa.String(length=64)),
)


def upgrade() -> None:
    with op.batch_alter_table("shares") as shares:
        for name, kind in _ADDED:
            shares.add_column(sa.Column(name, kind, nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("shares") as shares:
        for name, _ in reversed(_ADDED):
            shares.drop_column(name)
