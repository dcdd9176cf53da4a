"""Changes of order sheets that follow from other changes of a game."""

from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from bot.store.tables import SHEETS


def clear_turn_end_marks(connection: Connection, game: str, asked_at: int = 0) -> None:
    """Remove the mark “turn ended” from all order sheets of a game. Players must end their turns again.

    While entry `asked_at` has the game's state, standing answers leave its prompts open. With 0, they answer always.
    """
    for row in connection.execute(select(SHEETS).where(SHEETS.c.game == game)).all():
        if row.document.get("through") or row.document.get("standing"):
            document = {name: value for name, value in row.document.items() if name not in ("through", "held")}
            document["asked_at"] = asked_at
            sheet = SHEETS.c.game == game, SHEETS.c.user == row.user
            connection.execute(update(SHEETS).where(*sheet).values(document=document, revision=row.revision + 1))
