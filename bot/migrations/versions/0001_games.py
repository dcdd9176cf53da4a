"""Create the tables of games, seats, seeds, entries, rulings and facts."""

import sqlalchemy as sa
from alembic import op

from bot.migrations.shared import FROM_DISCORD, game_column

revision = "0001"
down_revision = None

RUNS = sa.text("ended IS NULL")


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("channel", sa.BigInteger, nullable=False),
        sa.Column("guild", sa.BigInteger),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("ruleset", sa.Text, nullable=False),
        sa.Column("umpire", sa.BigInteger, nullable=False),
        sa.Column("umpire_name", sa.Text, nullable=False),
        sa.Column("head", sa.Integer, nullable=False),
        sa.Column("state_seq", sa.Integer, nullable=False),
        sa.Column("thrown", sa.Integer, nullable=False),
        sa.Column("started", sa.DateTime, nullable=False),
        sa.Column("ended", sa.DateTime),
    )
    op.create_index(
        "one_running_game_a_channel", "games", ["channel"], unique=True, sqlite_where=RUNS, postgresql_where=RUNS
    )
    op.create_index("games_of_a_channel", "games", ["channel", "started"])
    op.create_table(
        "seats",
        game_column(),
        sa.Column("user", sa.BigInteger, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
    )
    op.create_table(
        "seeds",
        game_column(),
        sa.Column("epoch", sa.Integer, primary_key=True),
        sa.Column("hidden", sa.Boolean, primary_key=True),
        sa.Column("tag", sa.String(16), nullable=False),
        sa.Column("seal", sa.String(64), nullable=False),
        sa.Column("seed", sa.LargeBinary),
        sa.Column("revealed", sa.Boolean, nullable=False),
    )
    op.create_table(
        "entries",
        game_column(),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("actor", sa.BigInteger, nullable=False),
        sa.Column("actor_name", sa.Text, nullable=False),
        sa.Column("interaction", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("side", sa.Text, nullable=False),
        sa.Column("acts", sa.Boolean, nullable=False),
        sa.Column("action", sa.JSON, nullable=False),
        sa.Column("dice", sa.JSON, nullable=False),
        sa.Column("base", sa.Integer, nullable=False),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("turn_end", sa.Boolean, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("undone", sa.Boolean, nullable=False),
        sa.Column("report", sa.LargeBinary, nullable=False),
        sa.Column("state", sa.LargeBinary),
    )
    op.create_index(
        "an_interaction_acts_once",
        "entries",
        ["game", "interaction"],
        unique=True,
        sqlite_where=FROM_DISCORD,
        postgresql_where=FROM_DISCORD,
    )
    op.create_table(
        "rulings",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("scope", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("author", sa.BigInteger, nullable=False),
        sa.Column("author_name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_index("ix_rulings_scope", "rulings", ["scope"])
    op.create_table(
        "facts",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
    )
