"""Add who broke a campaign's battle off.

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
