"""Distinguish the entries in an imported game's file from the entries after the import."""

from sqlalchemy import ColumnElement, func, select

from bot.game_file.import_entry import IMPORT
from bot.store.tables import ENTRIES


def since_import_condition(game: str) -> ColumnElement[bool]:
    """Return the SQL condition for entries after the game's import, if it was imported.

    Requests and offers in the imported file are void, because its players have no seats.
    """
    imports = select(func.coalesce(func.max(ENTRIES.c.seq), 0)).where(ENTRIES.c.game == game, ENTRIES.c.kind == IMPORT)
    return ENTRIES.c.seq > imports.scalar_subquery()
