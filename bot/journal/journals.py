"""Read the journals of all games: find games, their entries and their states."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Row, Select, select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import DatabaseUnavailable, NoGame, Stale, UnreadableGame, UserError
from bot.store import Store
from bot.store.queries import fetch_row, fetch_rows
from bot.store.tables import ENTRIES, GAMES
from rules.core.model import UMPIRE, Viewer
from rules.core.ruleset import Ruleset
from rules.core.state import State

from . import loading, snapshots
from .audience import read_viewers
from .cache import GameCache
from .drafts import READ_COLUMNS, entry_name_condition, readable_entries_condition
from .entries import read_entry, redact_for_viewer
from .game import Entry, Game, Played
from .unreadable_games import make_unreadable_error

log = logging.getLogger(__name__)

OF_ANOTHER_CHANNEL = "This button is of a game in another channel. /turn status shows what the game here waits for."
NO_GAME = "No game runs in this channel. Start one with /game new, or import one with /game import."


class Journals:
    """Service that finds games and their entries in the cache or the database."""

    def __init__(self, store: Store, rulesets: Mapping[str, Ruleset[Any]]) -> None:
        self.store = store
        self.rulesets = rulesets
        self.cache = GameCache()
        self._secrets: dict[str, bytes] = {}

    async def running_game(self, channel: int, *, even_unreadable: bool = False) -> Game:
        """Return the channel's running game. Raises NoGame, UnreadableGame.

        With `even_unreadable`, a stand-in replaces an unreadable state.
        """
        return await self._load_game(loading.RUNNING, channel, even_unreadable=even_unreadable)

    async def running_or_last_game(self, channel: int, *, even_unreadable: bool = False) -> Game:
        """Return the channel's running game, or else its last ended game. Raises like `running_game`."""
        return await self._load_game(loading.RUNNING_OR_LAST, channel, even_unreadable=even_unreadable)

    async def game_by_id(self, game_id: str, *, even_unreadable: bool = False) -> Game:
        """Return the game with id `game_id`, running or ended. Raises like `running_game`."""
        return await self._load_game(loading.BY_ID, game_id, even_unreadable=even_unreadable)

    async def game_in_channel(self, channel: int, game_id: str) -> Game:
        """Return the game with id `game_id`. Raises NoGame, UnreadableGame, and Stale for a game of another channel."""
        game = await self.game_by_id(game_id)
        if game.channel != channel:
            raise Stale(OF_ANOTHER_CHANNEL)
        return game

    async def _load_game(
        self, query: Select[Any], key: int | str, *, even_unreadable: bool = False, **parameters: int
    ) -> Game:
        """Return the game that `query` finds, at its newest entry, from the cache if possible.

        With `even_unreadable`, a stand-in replaces an unreadable state. Raises NoGame, UnreadableGame.
        """
        async with self.store.query_connection() as connection:
            head = (await connection.execute(query, {"key": key, **parameters})).first()
            if head is None:
                raise NoGame(NO_GAME)
            cached = await self.cache.get(head.id)
            if cached is not None and cached.seq == head.head:
                return cached
            stored_game = await loading.load_stored_game(connection, head.id, self.rulesets)
            try:
                state, packed = await _load_present_state(connection, stored_game)
            except UnreadableGame:
                if even_unreadable:
                    return stored_game.to_unreadable_game()
                raise
        self._secrets.update(stored_game.secrets)
        game = stored_game.to_game(state)
        self.cache.put(game, packed)
        return game

    async def load_entry(self, game: Game, name: str) -> Entry:
        """Return the entry named `name` (`12`, `british-h3`), unredacted. Raises Stale for an unknown name."""
        of_game = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, entry_name_condition(name))
        row = await fetch_row(self.store, of_game.order_by(ENTRIES.c.seq).limit(1))
        if row is None:
            raise Stale("The game of that answer is no longer here.")
        return await asyncio.to_thread(read_entry, row, game.ruleset)

    async def load_entries(
        self, game: Game, last: int | None = None, viewer: Viewer = UMPIRE, between: tuple[int, int] | None = None
    ) -> tuple[Entry, ...]:
        """Return the entries that the viewer may read, redacted for the viewer, oldest first.

        `last` limits the number of entries, `between` the first and the last `seq`.
        """
        query = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, readable_entries_condition(viewer))
        if between is not None:
            query = query.where(ENTRIES.c.seq.between(*between))
        rows = await fetch_rows(self.store, query.order_by(ENTRIES.c.seq.desc()).limit(last))
        return await asyncio.to_thread(_read_entries, rows[::-1], game.ruleset, viewer)

    async def parse_rows(self, game: Game, rows: Sequence[Row[Any]]) -> tuple[Entry, ...]:
        """Parse rows with `READ_COLUMNS` into unredacted entries, in a thread: there may be a hundred rows."""
        return await asyncio.to_thread(lambda: tuple(read_entry(row, game.ruleset) for row in rows))

    async def load_state(self, game: Game, seq: int) -> tuple[State, bytes]:
        """Return the state after entry `seq`, parsed and compressed. Raises ValueError, UserError for a lost state."""
        async with self.store.query_connection() as connection:
            return await snapshots.load_state(connection, game.id, seq, game.ruleset)

    async def find_played_action(self, channel: int, interaction: int) -> Played | None:
        """Return the first stored entry of the interaction in this channel, or None."""
        return next(iter(await self.find_played_actions(channel, interaction)), None)

    async def find_played_actions(self, channel: int, interaction: int) -> tuple[Played, ...]:
        """Return all stored entries of the interaction in this channel, in order."""
        if not interaction:
            return ()
        channel_games = select(GAMES.c.id).where(GAMES.c.channel == channel)
        conditions = ENTRIES.c.game.in_(channel_games), ENTRIES.c.interaction == interaction, loading.FROM_DISCORD
        rows = await fetch_rows(self.store, select(*READ_COLUMNS).where(*conditions).order_by(ENTRIES.c.part))
        if not rows:
            return ()
        game = await self.game_by_id(rows[0].game, even_unreadable=True)
        return tuple([await self.load_played_action(game, row) for row in rows])

    async def load_played_action(self, game: Game, row: Row[Any]) -> Played:
        """Return the stored entry in `row` as a completed action, with the state before the entry.

        If that state is no longer stored, the game's present state is used in its place.
        """
        before = None
        async with self.store.query_connection() as connection:
            if game.state_is_readable:
                before = await snapshots.find_snapshot(connection, game.id, row.base, game.ruleset)
            at = ENTRIES.c.game == game.id, ENTRIES.c.seq == row.seq - 1
            waits = await connection.scalar(select(ENTRIES.c.waits).where(*at)) if row.seq > 1 else ""
        entry = await asyncio.to_thread(read_entry, row, game.ruleset)
        previous = before or game.state
        waited_before = read_viewers(waits) if waits is not None else game.ruleset.awaited_viewers(previous)
        nobody: frozenset[Viewer] = frozenset()
        bots = frozenset(game.bot_seats)
        return Played(
            game, entry, previous, (waited_before or nobody) - bots, (read_viewers(row.waits) or nobody) - bots
        )


async def _load_present_state(connection: AsyncConnection, stored_game: loading.StoredGame) -> tuple[State, bytes]:
    """Return the game's state, parsed and compressed. Raises UnreadableGame."""
    game, ruleset = stored_game.row, stored_game.ruleset
    if ruleset is None:
        raise make_unreadable_error(game.ruleset, None)
    try:
        return await snapshots.load_state(connection, game.id, game.present_state_seq, ruleset)
    except DatabaseUnavailable:
        raise
    except (ValueError, UserError) as error:
        log.warning("game %s cannot be read: %s", game.id, " ".join(str(error).split()))
        raise make_unreadable_error(ruleset.title, error) from error


def _read_entries(rows: Sequence[Row[Any]], ruleset: Ruleset[Any], viewer: Viewer) -> tuple[Entry, ...]:
    entries = (read_entry(row, ruleset) for row in rows)
    return tuple(visible for entry in entries if (visible := redact_for_viewer(entry, viewer)))
