"""Add the column of the power that broke off a campaign's battle.

Revision ID: 0016
"""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("campaign_battles", sa.Column("broken_off", sa.Text))
