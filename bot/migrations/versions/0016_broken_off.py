"""Add the column of the power that broke off a campaign's battle."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Add the column."""
    op.add_column("campaign_battles", sa.Column("broken_off", sa.Text))
