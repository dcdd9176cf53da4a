"""Find games, and add entries to their journals, even while other processes write.

In this process, the changes of a channel wait for one lock. A change is computed from the cached game, and only its new
entries are written. If another process has already used an entry's number, the change is computed again from the newer
state.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeAlias, TypedDict, TypeVar, Unpack
from weakref import WeakValueDictionary

from sqlalchemy import Row, Select, insert, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.errors import DatabaseAway, NoGame, Stale, Unreadable, UserError
from bot.store import Store
from bot.store.changes import make_changes
from bot.store.entry_insert import insert_entries
from bot.store.queries import fetch_row, fetch_rows
from bot.store.tables import ANNOUNCEMENTS, ENTRIES, GAMES
from rules.core.model import UMPIRE, Viewer
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SealedDice
from rules.core.state import State

from . import loading, snapshots
from .audience import read_viewers
from .cache import GameCache
from .drafts import READ_COLUMNS, Draft, NewEntry, entry_named, game_after, make_next_entry, may_read
from .entries import read_entry, seen_by
from .game import Actor, Entry, Game, Played
from .live_message import LiveMessages
from .unreadable_games import explain_unreadable

log = logging.getLogger(__name__)

TRIES = 50
"""Maximum attempts at a change when other processes write first."""

LEASE = timedelta(minutes=1)
"""Lease duration of an interaction's answer over its entries. Afterwards, any process may announce them."""

OF_ANOTHER_CHANNEL = "This button is of a game in another channel. /turn status shows what the game here waits for."
NO_GAME = "No game runs in this channel. Start one with /game new, or import one with /game import."

R = TypeVar("R")

Changes: TypeAlias = Draft | NewEntry | Sequence[NewEntry]
"""Result of a change: the draft of an entry, or finished entries."""


class ChangeOptions(TypedDict, total=False):
    """Options of `Ledger.change`, `change_all` and `read_and_change`."""

    interaction: int
    """Id of the interaction requesting the change, or 0."""
    game_id: str
    """The game to change, instead of the channel's running game."""
    even_unreadable: bool
    """Whether to change even a game whose state cannot be read."""
    answering: bool
    """Whether the interaction's answer announces the entries."""
    quick: bool
    """Whether `work` runs on the event loop instead of in a thread. It must take well under a millisecond."""
    while_writing: Callable[[Played], None]
    """Called with the last entry while the database writes it, to prepare the answer. The write may still fail."""


class Ledger:
    """The journals of all games in the store: finds games, and writes entries."""

    def __init__(self, store: Store, rulesets: Mapping[str, Ruleset[Any]]) -> None:
        self.store = store
        self.rulesets = rulesets
        self.cache = GameCache()
        self.live_messages = LiveMessages()
        self._secrets: dict[str, bytes] = {}
        self._listeners: list[Callable[[str], None]] = []
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def on_entry(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with a game's id after each of its entries that this process writes."""
        self._listeners.append(listener)

    def lock(self, channel: int) -> asyncio.Lock:
        """Return the channel's lock. Every change of a game in the channel holds the lock."""
        return self._locks.setdefault(channel, asyncio.Lock())

    async def settle(self) -> None:
        """Wait until the changes in progress are written."""
        for lock in list(self._locks.values()):
            async with lock:
                pass

    async def running_game(self, channel: int, *, even_unreadable: bool = False) -> Game:
        """Return the channel's running game. Raises NoGame, Unreadable.

        With `even_unreadable`, a stand-in replaces an unreadable state.
        """
        return await self._load(loading.RUNNING, channel, even_unreadable=even_unreadable)

    async def running_or_last_game(self, channel: int, *, even_unreadable: bool = False) -> Game:
        """Return the channel's running game, or else its last ended game. Raises like `running_game`."""
        return await self._load(loading.RUNNING_OR_LAST, channel, even_unreadable=even_unreadable)

    async def by_id(self, game_id: str, *, even_unreadable: bool = False) -> Game:
        """Return the game with id `game_id`, running or ended. Raises like `running_game`."""
        return await self._load(loading.BY_ID, game_id, even_unreadable=even_unreadable)

    async def in_channel(self, channel: int, game_id: str) -> Game:
        """Return the game with id `game_id`. Raises NoGame, Unreadable, and Stale for a game of another channel."""
        game = await self.by_id(game_id)
        if game.channel != channel:
            raise Stale(OF_ANOTHER_CHANNEL)
        return game

    async def _load(
        self, query: Select[Any], key: int | str, *, even_unreadable: bool = False, **parameters: int
    ) -> Game:
        """Return the game at its newest entry, from the cache if it is current. Raises NoGame, Unreadable.

        `key` and `parameters` are the parameters of `query`. With `even_unreadable`, a stand-in replaces an unreadable
        state.
        """
        async with self.store.ask() as connection:
            head = (await connection.execute(query, {"key": key, **parameters})).first()
            if head is None:
                raise NoGame(NO_GAME)
            cached = await self.cache.get(head.id)
            if cached is not None and cached.seq == head.head:
                return cached
            header = await loading.load_header(connection, head.id, self.rulesets)
            try:
                state, packed = await _load_present_state(connection, header)
            except Unreadable:
                if even_unreadable:
                    return header.to_unreadable_game()
                raise
        self._secrets.update(header.secrets)
        game = header.to_game(state)
        self.cache.put(game, packed)
        return game

    async def load_entry(self, game: Game, name: str) -> Entry:
        """Return the entry named `name` (`12`, `british-h3`), unredacted. Raises Stale for an unknown name."""
        of_game = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, entry_named(name))
        row = await fetch_row(self.store, of_game.order_by(ENTRIES.c.seq).limit(1))
        if row is None:
            raise Stale("The game of that answer is no longer here.")
        return await asyncio.to_thread(read_entry, row, game.ruleset)

    async def load_entries(
        self, game: Game, last: int | None = None, viewer: Viewer = UMPIRE, between: tuple[int, int] | None = None
    ) -> tuple[Entry, ...]:
        """Return the entries that the viewer may read, redacted for the viewer, oldest first.

        `last` is the maximum number of entries, or None for all. `between` limits them to a range of `seq`, both ends
        included.
        """
        query = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, may_read(viewer))
        if between is not None:
            query = query.where(ENTRIES.c.seq.between(*between))
        rows = await fetch_rows(self.store, query.order_by(ENTRIES.c.seq.desc()).limit(last))
        return await asyncio.to_thread(_read_entries, rows[::-1], game.ruleset, viewer)

    async def read_rows(self, game: Game, rows: Sequence[Row[Any]]) -> tuple[Entry, ...]:
        """Parse rows with `READ_COLUMNS` into unredacted entries, in a thread: there may be a hundred."""
        return await asyncio.to_thread(lambda: tuple(read_entry(row, game.ruleset) for row in rows))

    async def load_state(self, game: Game, seq: int) -> tuple[State, bytes]:
        """Return the state after entry `seq`, parsed and compressed. Raises ValueError, UserError if it is lost."""
        async with self.store.ask() as connection:
            return await snapshots.load(connection, game.id, seq, game.ruleset)

    def dice(self, game: Game, interaction: int, *, secret_of: Viewer | None = None) -> SealedDice:
        """Return the game's dice, numbered from its next throw. Hidden throws use a separate seed.

        With `secret_of`, all throws are hidden throws of that side.
        """
        hidden_seed, counts = self.seed(game, hidden=True), game.counts
        seed, tag = self.seed(game, hidden=False)
        first, counted = counts.throws + 1, counts.hidden_throws
        return SealedDice(seed, tag, interaction, first, hidden=hidden_seed, counted=counted, secret_of=secret_of)

    def seed(self, game: Game, *, hidden: bool) -> tuple[bytes, str]:
        """Return the current seed of the open or hidden dice, and its tag: the game's name in hashed messages."""
        seed = next(seed for seed in reversed(game.seeds) if seed.hidden == hidden)
        return self._secrets[seed.seal], seed.tag

    async def change(
        self, channel: int, actor: Actor, work: Callable[[Game], Draft | NewEntry], **options: Unpack[ChangeOptions]
    ) -> Played:
        """Run `work` like `change_all`, and write its single entry."""
        return (await self.read_and_change(channel, actor, _read_nothing, lambda game, _: work(game), **options))[0]

    async def change_all(
        self, channel: int, actor: Actor, work: Callable[[Game], Changes], **options: Unpack[ChangeOptions]
    ) -> tuple[Played, ...]:
        """Run `work` on the channel's running game in a thread, and write its entries in one transaction.

        If another process writes first, `work` runs again on the newer state. An error of `work` is raised only if its
        state was current. For an interaction with stored entries, return these entries and change nothing.
        """
        return await self.read_and_change(channel, actor, _read_nothing, lambda game, _: work(game), **options)

    async def read_and_change(
        self,
        channel: int,
        actor: Actor,
        read: Callable[[Game], Awaitable[R]],
        work: Callable[[Game, R], Changes],
        **options: Unpack[ChangeOptions],
    ) -> tuple[Played, ...]:
        """Run `work` like `change_all`, with the result of `read`, which queries the database before each run."""
        interaction, game_id = options.get("interaction", 0), options.get("game_id")
        running = partial(
            self._load,
            loading.RUNNING_OR_CHANGED,
            channel,
            even_unreadable=options.get("even_unreadable", False),
            interaction=interaction,
        )
        async with self.lock(channel):
            game = await (self.cache.running_game(channel) if game_id is None else self.cache.get(game_id))
            for _ in range(TRIES):
                try:
                    if game is None:
                        game = await (running() if game_id is None else self.by_id(game_id))
                        if game_id is None and game.ended is not None:
                            return await self.find_all_played(channel, interaction)
                    make = partial(_make_entries, game, actor, partial(work, game, await read(game)), interaction)
                    made = make() if options.get("quick") else await asyncio.to_thread(make)
                    return await self._write(
                        game, made, options.get("while_writing"), answering=options.get("answering", False)
                    )
                except DatabaseAway:
                    raise
                except Exception as error:
                    if game is None and isinstance(error, NoGame):  # then the interaction has no entries either
                        raise
                    if done := await self.find_all_played(channel, interaction):
                        return done
                    if not isinstance(error, IntegrityError) and (game is None or await self._is_newest(game)):
                        raise
                    game = None
        raise UserError("Other commands were quicker again and again. Nothing was changed; try again in a moment.")

    async def find_played(self, channel: int, interaction: int) -> Played | None:
        """Return the first stored entry of the interaction in this channel, or None."""
        return next(iter(await self.find_all_played(channel, interaction)), None)

    async def find_all_played(self, channel: int, interaction: int) -> tuple[Played, ...]:
        """Return all stored entries of the interaction in this channel, in order."""
        if not interaction:
            return ()
        here = select(GAMES.c.id).where(GAMES.c.channel == channel)
        by_it = ENTRIES.c.game.in_(here), ENTRIES.c.interaction == interaction, loading.FROM_DISCORD
        rows = await fetch_rows(self.store, select(*READ_COLUMNS).where(*by_it).order_by(ENTRIES.c.part))
        if not rows:
            return ()
        game = await self.by_id(rows[0].game, even_unreadable=True)
        return tuple([await self.load_played(game, row) for row in rows])

    async def load_played(self, game: Game, row: Row[Any]) -> Played:
        """Return the stored entry in `row` as a completed action, with the state before the entry.

        If that state is no longer stored, the game's present state replaces it.
        """
        before = None
        async with self.store.ask() as connection:
            if game.state_is_readable:
                before = await snapshots.find(connection, game.id, row.base, game.ruleset)
            at = ENTRIES.c.game == game.id, ENTRIES.c.seq == row.seq - 1
            waited = await connection.scalar(select(ENTRIES.c.waits).where(*at)) if row.seq > 1 else ""
        entry = await asyncio.to_thread(read_entry, row, game.ruleset)
        previous = before or game.state
        waited_before = read_viewers(waited) if waited is not None else game.ruleset.waits_for(previous)
        nobody: frozenset[Viewer] = frozenset()
        bots = frozenset(game.bots)
        return Played(
            game, entry, previous, (waited_before or nobody) - bots, (read_viewers(row.waits) or nobody) - bots
        )

    async def _is_newest(self, game: Game) -> bool:
        """Whether the game has no newer entry."""
        async with self.store.ask() as connection:
            head = (await connection.execute(loading.BY_ID, {"key": game.id})).first()
        return head is not None and head.head == game.seq

    async def _write(
        self,
        game: Game,
        made: Sequence[NewEntry],
        while_writing: Callable[[Played], None] | None,
        *,
        answering: bool,
    ) -> tuple[Played, ...]:
        """Write the entries. Raises IntegrityError if an entry's number or the interaction is already used."""
        reserved = datetime.now(UTC) + LEASE if answering else None
        message = self.live_messages.get(game.id)
        more = any(one.draft.changes or one.draft.fields is not None for one in made)
        if more or len(made) > 1 or made[0].needs_announcement:
            writing = self.store.writer.run(partial(_insert_with_changes, game, made, message, reserved))
        else:
            writing = self.store.writer.insert({**made[0].columns, "message": message})
        played = _make_played(game, made)  # while the database writes
        if while_writing is not None:
            while_writing(played[-1])
        await writing
        if more:
            last = await self.by_id(game.id, even_unreadable=True)
            played[-1] = replace(played[-1], game=last)
        else:
            self._update_cache(played[-1].game, made)
        for listener in self._listeners:
            listener(game.id)
        if any(one.draft.state is not None and one.entry.seq % snapshots.DROPPED_EVERY == 0 for one in made):
            drop = partial(snapshots.drop_old, game=game.id)
            self.store.writer.run_later(drop, f"dropping old snapshots of game {game.id}")
        return tuple(played)

    def _update_cache(self, game: Game, made: Sequence[NewEntry]) -> None:
        """Store the game in the cache, unless its compressed state is neither new nor cached."""
        states = (one.columns["state"] for one in reversed(made) if one.draft.state is not None)
        packed = next(states, self.cache.packed_state(game.id))
        if packed is not None:
            self.cache.put(game, packed)


async def _load_present_state(connection: AsyncConnection, header: loading.Header) -> tuple[State, bytes]:
    """Return the game's state, parsed and compressed. Raises Unreadable."""
    game, ruleset = header.row, header.ruleset
    if ruleset is None:
        raise explain_unreadable(game.ruleset, None)
    try:
        return await snapshots.load(connection, game.id, game.present_state_seq, ruleset)
    except DatabaseAway:
        raise
    except (ValueError, UserError) as error:
        log.warning("game %s cannot be read: %s", game.id, " ".join(str(error).split()))
        raise explain_unreadable(ruleset.title, error) from error


async def _read_nothing(_: Game) -> None:
    """Read nothing: the work needs only the game."""


def _make_entries(game: Game, actor: Actor, work: Callable[[], Changes], interaction: int) -> Sequence[NewEntry]:
    """Run `work`, and return its entries. Compressing a large state is slow, so call this in a thread."""
    changes = work()
    if isinstance(changes, Draft):
        return [make_next_entry(game, actor, changes, interaction)]
    return [changes] if isinstance(changes, NewEntry) else changes


def _make_played(game: Game, made: Sequence[NewEntry]) -> list[Played]:
    """Return the entries as completed actions, each with the game after it."""
    played: list[Played] = []
    for one in made:
        after = game_after(game, one)
        played.append(Played(after, one.entry, game.state, game.waits_for, after.waits_for))
        game = after
    return played


def _insert_with_changes(
    game: Game, made: Sequence[NewEntry], message: int | None, reserved: datetime | None, connection: Connection
) -> None:
    """Insert the entries with their further changes, and mark entries for announcement.

    `message` is the id of the game's live message. Other processes announce the entries only after `reserved`.
    """
    for one in made:
        if one.needs_announcement:
            row = {"game": game.id, "seq": one.entry.seq, "reserved": reserved}
            connection.execute(insert(ANNOUNCEMENTS), row)
        insert_entries(connection, [{**one.columns, "message": message}])
        if one.draft.fields is not None:
            connection.execute(update(GAMES).where(GAMES.c.id == game.id).values(**one.draft.fields))
        make_changes(connection, one.draft.changes)


def _read_entries(rows: Sequence[Row[Any]], ruleset: Ruleset[Any], viewer: Viewer) -> tuple[Entry, ...]:
    entries = (read_entry(row, ruleset) for row in rows)
    return tuple(seen for entry in entries if (seen := seen_by(entry, viewer)))
