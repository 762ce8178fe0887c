"""Add the author's note, the lineage and optionally all branches to shares.

Revises: 0005_shared_runs
"""

import sqlalchemy as sa
from alembic import op

revision = "0006_words_of_shares"
down_revision = "0005_shared_runs"
branch_labels = None
depends_on = None

# All may be null: the old version writes rows without them, and ignores them when it reads.
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
