"""SQL statements that change a game's seats."""

from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from sqlalchemy import Delete, Insert, Update, delete, insert, update
from sqlalchemy.engine import Connection

from bot.journal.game import Game
from bot.journal.seats import bot_user_id
from bot.store.changes import Change
from bot.store.tables import SEATS
from rules.core.automaton.levels import Level

NAME = "the bot"


def insert_player_seat(game: str, user: int, name: str, side: str) -> Insert:
    """Insert a player's seat."""
    return insert(SEATS).values(game=game, user=user, name=name, side=side)


def delete_seat(game: str, user: int) -> Delete:
    """Delete the seat of a player or of the bot."""
    return delete(SEATS).where(SEATS.c.game == game, SEATS.c.user == user)


def store_bot_seat(game: Game, side: str, level: Level, until: int | None = None) -> Change:
    """Insert or update the bot's seat on a side. It lasts only for turn `until`, or if that is None, permanently."""
    key = {"game": game.id, "user": bot_user_id(game.state, side)}
    return partial(_store_bot_row, key=key, side=side, changes={"level": level.value, "rests": None, "until": until})


def _store_bot_row(connection: Connection, key: Mapping[str, Any], side: str, changes: Mapping[str, Any]) -> None:
    conditions = SEATS.c.game == key["game"], SEATS.c.user == key["user"]
    if not connection.execute(update(SEATS).where(*conditions).values(changes)).rowcount:
        connection.execute(insert(SEATS).values(name=NAME, side=side, **key, **changes))


def set_bot_level(game: str, sides: Collection[str], level: Level) -> Update:
    """Set the bot's level on these sides."""
    return _update_bot_seats(game).where(SEATS.c.side.in_(sides)).values(level=level.value)


def pause_bot(game: str, entry: int) -> Update:
    """Make the bot wait for a request while the game is in the state after entry `entry`."""
    return _update_bot_seats(game).values(rests=entry)


def _update_bot_seats(game: str) -> Update:
    return update(SEATS).where(SEATS.c.game == game, SEATS.c.level.is_not(None))
