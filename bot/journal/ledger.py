"""Add entries to the journals of games, even while other processes write.

In this process, changes of a channel run one after another, under the channel's lock. If another process has already
used an entry's number, the change is computed again from the newer state.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TypeAlias, TypedDict, TypeVar, Unpack
from weakref import WeakValueDictionary

from sqlalchemy import insert, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.errors import DatabaseUnavailable, NoGame, UserError
from bot.store.changes import execute_changes
from bot.store.entry_insert import insert_entries
from bot.store.tables import ANNOUNCEMENTS, GAMES
from rules.core.model import Viewer
from rules.core.sealed_dice import SealedDice

from . import loading, snapshots
from .drafts import Draft, NewEntry, apply_entry, make_next_entry
from .game import Actor, Game, Played
from .journals import Journals
from .live_message import LiveMessages

TRIES = 50
"""Maximum attempts at a change, if other processes keep writing first."""

LEASE = timedelta(minutes=1)
"""Time in which only the reply to an interaction may announce the entries. Then any process may announce them."""

R = TypeVar("R")

Changes: TypeAlias = Draft | NewEntry | Sequence[NewEntry]
"""Result of a change: the draft of an entry, or finished entries."""


class ChangeOptions(TypedDict, total=False):
    """Options of `Ledger.change`, `apply_changes` and `read_and_change`."""

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


class Ledger(Journals):
    """Service that reads and writes the journals of all games in the store."""

    def __init__(self, journals: Journals) -> None:
        """Create the ledger, which shares the games in memory with `journals`."""
        super().__init__(journals.store, journals.rulesets)
        self.cache, self._secrets = journals.cache, journals._secrets
        self.live_messages = LiveMessages()
        self._listeners: list[Callable[[str], None]] = []
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def add_entry_listener(self, listener: Callable[[str], None]) -> None:
        """Call `listener` with the game's id whenever this process has written an entry."""
        self._listeners.append(listener)

    def lock(self, channel: int) -> asyncio.Lock:
        """Return the channel's lock. Every change of a game in the channel holds the lock."""
        return self._locks.setdefault(channel, asyncio.Lock())

    async def wait_for_changes(self) -> None:
        """Wait until the changes in progress are written."""
        for lock in list(self._locks.values()):
            async with lock:
                pass

    def make_dice(self, game: Game, interaction: int, *, secret_of: Viewer | None = None) -> SealedDice:
        """Return dice that continue the numbers of the game's throws.

        Hidden throws use a separate seed. With `secret_of`, every throw is hidden from all but this side and the
        umpire.
        """
        hidden_seed, counts = self.current_seed(game, hidden=True), game.counts
        seed, tag = self.current_seed(game, hidden=False)
        first, hidden_counts = counts.throws + 1, counts.hidden_throws
        return SealedDice(
            seed, tag, interaction, first, hidden=hidden_seed, dice_counts=hidden_counts, secret_of=secret_of
        )

    def current_seed(self, game: Game, *, hidden: bool) -> tuple[bytes, str]:
        """Return the current seed of the open or hidden dice, and the seed's tag (see `Seed`)."""
        seed = next(seed for seed in reversed(game.seeds) if seed.hidden == hidden)
        return self._secrets[seed.seal], seed.tag

    async def change(
        self, channel: int, actor: Actor, work: Callable[[Game], Draft | NewEntry], **options: Unpack[ChangeOptions]
    ) -> Played:
        """Write a single entry, made by `work`. See `apply_changes`."""
        return (await self.read_and_change(channel, actor, _read_nothing, lambda game, _: work(game), **options))[0]

    async def apply_changes(
        self, channel: int, actor: Actor, work: Callable[[Game], Changes], **options: Unpack[ChangeOptions]
    ) -> tuple[Played, ...]:
        """Run `work` on the channel's running game in a thread, and write the resulting entries.

        One transaction writes all entries. If another process writes an entry first, `work` runs again on the newer
        state. If the interaction already has entries, return these entries and change nothing.
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
        """Change a game like `apply_changes`, with data from the database.

        `read` queries the database before each run of `work`, which receives the result.
        """
        interaction, game_id = options.get("interaction", 0), options.get("game_id")
        running = partial(
            self._load_game,
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
                        game = await (running() if game_id is None else self.game_by_id(game_id))
                        if game_id is None and game.ended is not None:
                            return await self.find_played_actions(channel, interaction)
                    make = partial(_make_entries, game, actor, partial(work, game, await read(game)), interaction)
                    new_entries = make() if options.get("quick") else await asyncio.to_thread(make)
                    return await self._write_entries(
                        game, new_entries, options.get("while_writing"), answering=options.get("answering", False)
                    )
                except DatabaseUnavailable:
                    raise
                except Exception as error:
                    if game is None and isinstance(error, NoGame):  # then the interaction has no entries either
                        raise
                    if played := await self.find_played_actions(channel, interaction):
                        return played
                    if not isinstance(error, IntegrityError) and (game is None or await self._is_up_to_date(game)):
                        raise
                    game = None
        raise UserError("Other commands were quicker again and again. Nothing was changed; try again in a moment.")

    async def _is_up_to_date(self, game: Game) -> bool:
        """Whether the database has no newer entry of the game."""
        async with self.store.query_connection() as connection:
            head = (await connection.execute(loading.BY_ID, {"key": game.id})).first()
        return head is not None and head.head == game.seq

    async def _write_entries(
        self,
        game: Game,
        new_entries: Sequence[NewEntry],
        while_writing: Callable[[Played], None] | None,
        *,
        answering: bool,
    ) -> tuple[Played, ...]:
        """Write the entries. Raises IntegrityError if an entry's number or the interaction is already used."""
        reserved = datetime.now(UTC) + LEASE if answering else None
        message = self.live_messages.get(game.id)
        has_changes = any(new_entry.draft.changes or new_entry.draft.fields is not None for new_entry in new_entries)
        if has_changes or len(new_entries) > 1 or new_entries[0].needs_announcement:
            writing = self.store.writer.run(partial(_insert_entries_and_changes, game, new_entries, message, reserved))
        else:
            writing = self.store.writer.insert({**new_entries[0].columns, "message": message})
        played = _make_played_actions(game, new_entries)  # while the database writes
        if while_writing is not None:
            while_writing(played[-1])
        await writing
        if has_changes:
            last = await self.game_by_id(game.id, even_unreadable=True)
            played[-1] = replace(played[-1], game=last)
        else:
            self._update_cache(played[-1].game, new_entries)
        for listener in self._listeners:
            listener(game.id)
        snapshot_numbers = (new_entry.entry.seq for new_entry in new_entries if new_entry.draft.state is not None)
        if any(number % snapshots.ENTRIES_BETWEEN_DROPS == 0 for number in snapshot_numbers):
            drop = partial(snapshots.drop_old_snapshots, game=game.id)
            self.store.writer.run_later(drop, f"dropping old snapshots of game {game.id}")
        return tuple(played)

    def _update_cache(self, game: Game, new_entries: Sequence[NewEntry]) -> None:
        """Store the game in the cache, with the compressed state of the newest entry that has a state.

        If no new entry has a state, keep the cached state. If no state is cached either, change nothing.
        """
        newest_first = reversed(new_entries)
        states = (new_entry.columns["state"] for new_entry in newest_first if new_entry.draft.state is not None)
        packed = next(states, self.cache.packed_state(game.id))
        if packed is not None:
            self.cache.put(game, packed)


async def _read_nothing(_: Game) -> None:
    """Read nothing: the work needs only the game."""


def _make_entries(game: Game, actor: Actor, work: Callable[[], Changes], interaction: int) -> Sequence[NewEntry]:
    """Run `work`, and return the new entries. Call this in a thread, because compressing a large state is slow."""
    changes = work()
    if isinstance(changes, Draft):
        return [make_next_entry(game, actor, changes, interaction)]
    return [changes] if isinstance(changes, NewEntry) else changes


def _make_played_actions(game: Game, new_entries: Sequence[NewEntry]) -> list[Played]:
    """Return the entries as completed actions, each with the resulting game."""
    played: list[Played] = []
    for new_entry in new_entries:
        after = apply_entry(game, new_entry)
        played.append(Played(after, new_entry.entry, game.state, game.awaited_viewers, after.awaited_viewers))
        game = after
    return played


def _insert_entries_and_changes(
    game: Game, new_entries: Sequence[NewEntry], message: int | None, reserved: datetime | None, connection: Connection
) -> None:
    """Insert the entries, make their further changes, and note which entries must be announced.

    `message` is the id of the game's live message. Before the time `reserved`, only this process announces the entries.
    """
    for new_entry in new_entries:
        if new_entry.needs_announcement:
            row = {"game": game.id, "seq": new_entry.entry.seq, "reserved": reserved}
            connection.execute(insert(ANNOUNCEMENTS), row)
        insert_entries(connection, [{**new_entry.columns, "message": message}])
        if new_entry.draft.fields is not None:
            connection.execute(update(GAMES).where(GAMES.c.id == game.id).values(**new_entry.draft.fields))
        execute_changes(connection, new_entry.draft.changes)
