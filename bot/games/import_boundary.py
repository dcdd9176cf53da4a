"""Distinguish the entries in an imported game's file from the entries after the import."""

from sqlalchemy import ColumnElement, func, select

from bot.game_file.import_entry import IMPORT
from bot.store.tables import ENTRIES


def since_import_condition(game: str) -> ColumnElement[bool]:
    """Return the SQL condition for entries after the game's import.

    If the game was not imported, all entries meet the condition. Requests and offers before the import are void,
    because the players in the file have no seats in the imported game.
    """
    imports = select(func.coalesce(func.max(ENTRIES.c.seq), 0)).where(ENTRIES.c.game == game, ENTRIES.c.kind == IMPORT)
    return ENTRIES.c.seq > imports.scalar_subquery()
