"""The boundary between the entries of an imported file and those that a game has had since."""

from sqlalchemy import ColumnElement, func, select

from bot.game_file.import_entry import IMPORT
from bot.store.tables import ENTRIES


def is_since_import(game: str) -> ColumnElement[bool]:
    """Return the SQL condition for the game's entries since it was imported; all entries if it was not.

    What a file asks for or offers binds nobody: its players have no seats in the imported game.
    """
    imports = select(func.coalesce(func.max(ENTRIES.c.seq), 0)).where(ENTRIES.c.game == game, ENTRIES.c.kind == IMPORT)
    return ENTRIES.c.seq > imports.scalar_subquery()
