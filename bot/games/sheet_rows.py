"""Rows of order sheets that other changes of a game clear or change."""

from sqlalchemy import delete, select, update
from sqlalchemy.engine import Connection

from bot.store.tables import SHEETS


def clear_sheets(connection: Connection, game: str) -> None:
    """Takes away every sheet of a game that ends."""
    connection.execute(delete(SHEETS).where(SHEETS.c.game == game))


def require_presses(connection: Connection, game: str) -> None:
    """Cancel all ended turns on sheets: after an undo, players press again."""
    for row in connection.execute(select(SHEETS).where(SHEETS.c.game == game)).all():
        if row.document.get("through"):
            kept = {name: value for name, value in row.document.items() if name not in ("through", "held")}
            this = SHEETS.c.game == game, SHEETS.c.user == row.user
            connection.execute(update(SHEETS).where(*this).values(document=kept, revision=row.revision + 1))
