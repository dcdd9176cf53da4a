"""Finds games and adds entries to their journals, one at a time, even while other processes write.

In this process a channel's changes queue up behind a lock. A change is worked out on the game as it is held in memory,
and its entry is all that is written: where another process already used its number, the change is worked out again
from the newer state.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any, TypeAlias, TypedDict, TypeVar, Unpack
from weakref import WeakValueDictionary

from sqlalchemy import Row, Select, insert, literal_column, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.errors import DatabaseAway, NoGame, Stale, Unreadable, UserError
from bot.store import Store
from bot.store.entry_insert import insert_entries
from bot.store.tables import ANNOUNCEMENTS, ENTRIES, GAMES
from rules.core.model import UMPIRE, Viewer
from rules.core.ruleset import Ruleset
from rules.core.sealed_dice import SealedDice

from . import loading, snapshots
from .audience import viewers_in
from .cache import HeldGames
from .drafts import READ_COLUMNS, Draft, Written, entry_named, game_after, made_of, may_read
from .entries import entry_of, seen_by
from .game import Actor, Entry, Game, Played
from .live_message import Newest
from .unreadable_games import explain_unreadable

log = logging.getLogger(__name__)

TRIES = 50
"""Maximum attempts at a change when other processes write first."""

LEASE = timedelta(minutes=1)
"""Lease duration of an interaction's answer over its entries. Afterwards, any process may announce them."""

NO_GAME = "No game runs in this channel. Start one with /game new, or import one with /game import."

FROM_DISCORD = ENTRIES.c.interaction != literal_column("0")
"""Condition in the form of the index on interactions."""


R = TypeVar("R")

Changes: TypeAlias = Draft | Written | Sequence[Written]
"""What work on a game returns: the draft of an entry, or entries that are already made."""


class Options(TypedDict, total=False):
    """Options of a change."""

    interaction: int
    """The interaction that asks for the change; 0 without one."""
    game_id: str
    """The game to change, instead of the channel's running game."""
    at_all: bool
    """Whether to change even a game whose state cannot be read."""
    answering: bool
    """Whether the interaction's answer announces the entries."""
    quick: bool
    """Whether `work` takes well under a millisecond, and runs on the event loop instead of in a thread."""


class Ledger:
    """Every game of the store."""

    def __init__(self, store: Store, rulesets: Mapping[str, Ruleset[Any]]) -> None:
        self.store = store
        self.rulesets = rulesets
        self.held = HeldGames()
        self.newest = Newest()
        self._secrets: dict[str, bytes] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, channel: int) -> asyncio.Lock:
        """Return the channel's lock: held while one of its games is changed."""
        return self._locks.setdefault(channel, asyncio.Lock())

    async def settle(self) -> None:
        """Waits until nothing is being written."""
        for lock in list(self._locks.values()):
            async with lock:
                pass

    async def running(self, channel: int) -> Game:
        """Return the channel's running game. Raises NoGame, Unreadable."""
        return await self._found(loading.RUNNING, channel)

    async def latest(self, channel: int) -> Game:
        """Return the channel's running game, or else the last that ended there. Raises NoGame, Unreadable."""
        return await self._found(loading.LATEST, channel)

    async def by_id(self, game_id: str) -> Game:
        """Return the game of that id, running or ended. Raises NoGame, Unreadable."""
        return await self._found(loading.BY_ID, game_id)

    async def running_at_all(self, channel: int) -> Game:
        """Return the channel's running game, with a stand-in for a state that cannot be read. Raises NoGame."""
        return await self._found_at_all(loading.RUNNING, channel)

    async def latest_at_all(self, channel: int) -> Game:
        """Return the channel's running or last game, with a stand-in for a state that cannot be read. Raises NoGame."""
        return await self._found_at_all(loading.LATEST, channel)

    async def _found_at_all(self, asked: Select[Any], key: int | str) -> Game:
        try:
            return await self._found(asked, key)
        except Unreadable:
            async with self.store.ask() as connection:
                head = (await connection.execute(asked, {"key": key})).one()
                return (await loading.header(connection, head.id, self.rulesets)).unread()

    async def _found(self, asked: Select[Any], key: int | str) -> Game:
        """Return the game at its newest entry, from memory if current."""
        async with self.store.ask() as connection:
            head = (await connection.execute(asked, {"key": key})).first()
            if head is None:
                raise NoGame(NO_GAME)
            held = await self.held.get(head.id)
            if held is not None and held.seq == head.head:
                return held
            header = await loading.header(connection, head.id, self.rulesets)
            if header.ruleset is None:
                raise explain_unreadable(header.row.ruleset, None)
            try:
                state, packed = await snapshots.load(connection, head.id, header.row.stands, header.ruleset)
            except DatabaseAway:
                raise
            except (ValueError, UserError) as error:
                log.warning("game %s cannot be read: %s", head.id, " ".join(str(error).split()))
                raise explain_unreadable(header.ruleset.title, error) from error
        self._secrets.update(header.secrets)
        game = header.game(state)
        self.held.hold(game, packed)
        return game

    async def entry(self, game: Game, name: str) -> Entry:
        """Return the entry of that name (`12`, `british-h3`), unredacted. Raises Stale when there is none."""
        async with self.store.ask() as connection:
            of_game = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, entry_named(name))
            row = (await connection.execute(of_game.order_by(ENTRIES.c.seq).limit(1))).first()
        if row is None:
            raise Stale("The game of that answer is no longer here.")
        return await asyncio.to_thread(entry_of, row, game.ruleset)

    async def rows(
        self, game: Game, last: int | None = None, viewer: Viewer = UMPIRE, between: tuple[int, int] | None = None
    ) -> list[Row[Any]]:
        """Return the last entries (or all) that the viewer may read, oldest first, unparsed and not redacted.

        `between` the numbers of two entries, both included.
        """
        async with self.store.ask() as connection:
            query = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, may_read(viewer))
            if between is not None:
                query = query.where(ENTRIES.c.seq.between(*between))
            rows = (await connection.execute(query.order_by(ENTRIES.c.seq.desc()).limit(last))).all()
        return list(reversed(rows))

    async def entries(
        self, game: Game, last: int | None = None, viewer: Viewer = UMPIRE, between: tuple[int, int] | None = None
    ) -> tuple[Entry, ...]:
        """Return the last entries (or all) as the viewer may read them, oldest first; parsed off the event loop."""
        rows = await self.rows(game, last, viewer, between)
        return await asyncio.to_thread(_read, rows, game.ruleset, viewer)

    def dice(self, game: Game, interaction: int, *, secret_of: Viewer | None = None) -> SealedDice:
        """Return the game's dice for its next throw; hidden throws have a seed of their own.

        With `secret_of` all are hidden throws of that side's.
        """
        kept, counts = self.seed(game, hidden=True), game.counts
        seed, tag = self.seed(game, hidden=False)
        first, counted = counts.throws + 1, counts.hidden_throws
        return SealedDice(seed, tag, interaction, first, hidden=kept, counted=counted, secret_of=secret_of)

    def seed(self, game: Game, *, hidden: bool) -> tuple[bytes, str]:
        """Return the seed now thrown with, and its game's name in what is hashed."""
        seed = next(seed for seed in reversed(game.seeds) if seed.hidden == hidden)
        return self._secrets[seed.seal], seed.tag

    async def change(
        self, channel: int, actor: Actor, work: Callable[[Game], Draft | Written], **how: Unpack[Options]
    ) -> Played:
        """Run `work` like `change_all`, and write its one entry."""
        return (await self.read_and_change(channel, actor, _read_nothing, lambda game, _: work(game), **how))[0]

    async def change_all(
        self, channel: int, actor: Actor, work: Callable[[Game], Changes], **how: Unpack[Options]
    ) -> tuple[Played, ...]:
        """Run `work` on the channel's running game in a thread, and write its entries: all or none of them.

        `work` runs again if another process was quicker, even if it refused an outdated state. An interaction that
        already acted gets its entries again, and changes nothing.
        """
        return await self.read_and_change(channel, actor, _read_nothing, lambda game, _: work(game), **how)

    async def read_and_change(
        self,
        channel: int,
        actor: Actor,
        read: Callable[[Game], Awaitable[R]],
        work: Callable[[Game, R], Changes],
        **how: Unpack[Options],
    ) -> tuple[Played, ...]:
        """Run `work` like `change_all`, with rows of the database: `read` loads them before each run."""
        interaction, game_id = how.get("interaction", 0), how.get("game_id")
        find = self.running_at_all if how.get("at_all") else self.running
        async with self.lock(channel):
            game = await (self.held.running(channel) if game_id is None else self.held.get(game_id))
            for _ in range(TRIES):
                try:
                    if game is None:
                        game = await (find(channel) if game_id is None else self.by_id(game_id))
                    make = partial(_make_entries, game, actor, partial(work, game, await read(game)), interaction)
                    made = make() if how.get("quick") else await asyncio.to_thread(make)
                    return await self._write(game, made, answering=how.get("answering", False))
                except DatabaseAway:
                    raise
                except Exception as error:
                    if done := await self.all_done(channel, interaction):
                        return done
                    if not isinstance(error, IntegrityError) and (game is None or await self._stands(game)):
                        raise
                    game = None
        raise UserError("Other commands were quicker again and again. Nothing was changed; try again in a moment.")

    async def done(self, channel: int, interaction: int) -> Played | None:
        """Return the interaction's first action in a game of the channel, or None."""
        return next(iter(await self.all_done(channel, interaction)), None)

    async def all_done(self, channel: int, interaction: int) -> tuple[Played, ...]:
        """Return all actions of the interaction in a game of the channel, in order."""
        if not interaction:
            return ()
        async with self.store.ask() as connection:
            here = select(GAMES.c.id).where(GAMES.c.channel == channel)
            by_it = ENTRIES.c.game.in_(here), ENTRIES.c.interaction == interaction, FROM_DISCORD
            rows = (await connection.execute(select(*READ_COLUMNS).where(*by_it).order_by(ENTRIES.c.part))).all()
        if not rows:
            return ()
        game = await self._found_at_all(loading.BY_ID, rows[0].game)
        return tuple([await self.done_before(game, row) for row in rows])

    async def done_before(self, game: Game, row: Row[Any]) -> Played:
        """Return the result of the stored entry in `row`, with its previous state."""
        before = None
        async with self.store.ask() as connection:
            if game.state_is_readable:
                before = await snapshots.find(connection, game.id, row.base, game.ruleset)
            at = ENTRIES.c.game == game.id, ENTRIES.c.seq == row.seq - 1
            waited = await connection.scalar(select(ENTRIES.c.waits).where(*at)) if row.seq > 1 else ""
        entry = await asyncio.to_thread(entry_of, row, game.ruleset)
        stood = before or game.state
        of_before = viewers_in(waited) if waited is not None else game.ruleset.waits_for(stood)
        nobody: frozenset[Viewer] = frozenset()
        bots = frozenset(game.bots)
        return Played(game, entry, stood, (of_before or nobody) - bots, (viewers_in(row.waits) or nobody) - bots)

    async def _stands(self, game: Game) -> bool:
        """Whether the game has no newer entry."""
        async with self.store.ask() as connection:
            head = (await connection.execute(loading.BY_ID, {"key": game.id})).first()
        return head is not None and head.head == game.seq

    async def _write(self, game: Game, made: Sequence[Written], *, answering: bool) -> tuple[Played, ...]:
        """Writes the entries. Raises IntegrityError where a number or the interaction is already used."""
        reserved = datetime.now(UTC) + LEASE if answering else None
        message = self.newest.of(game.id)
        more = any(one.draft.also is not None or one.draft.fields is not None for one in made)
        if more or len(made) > 1 or made[0].comes_by_itself:
            await self.store.writer.run(partial(_with_more, game, made, message, reserved))
        else:
            await self.store.writer.insert({**made[0].columns, "message": message})
        played: list[Played] = []
        for one in made:
            after = game_after(game, one)
            played.append(Played(after, one.entry, game.state, game.waits_for, after.waits_for))
            game = after
        last = await self._found_at_all(loading.BY_ID, game.id) if more else self._hold(game, made)
        if any(one.draft.state is not None and one.entry.seq % snapshots.DROPPED_EVERY == 0 for one in made):
            drop = partial(snapshots.drop_old, game=game.id)
            self.store.writer.run_later(drop, f"dropping old snapshots of game {game.id}")
        return (*played[:-1], replace(played[-1], game=last))

    def _hold(self, game: Game, made: Sequence[Written]) -> Game:
        """Keeps the game in memory as it stands now, where it was kept there."""
        states = (one.columns["state"] for one in reversed(made) if one.draft.state is not None)
        packed = next(states, self.held.packed(game.id))
        if packed is not None:
            self.held.hold(game, packed)
        return game


async def _read_nothing(_: Game) -> None:
    """Read nothing: the work needs only the game."""


def _make_entries(game: Game, actor: Actor, work: Callable[[], Changes], interaction: int) -> Sequence[Written]:
    """Run the work, and return its entries. A large state takes a while to pack."""
    changes = work()
    if isinstance(changes, Draft):
        return [made_of(game, actor, changes, interaction)]
    return [changes] if isinstance(changes, Written) else changes


def _with_more(
    game: Game, made: Sequence[Written], message: int | None, reserved: datetime | None, connection: Connection
) -> None:
    """Insert the entries and make their further changes.

    Entries that no interaction answers with are marked for announcement.
    """
    for one in made:
        if one.comes_by_itself:
            row = {"game": game.id, "seq": one.entry.seq, "reserved": reserved}
            connection.execute(insert(ANNOUNCEMENTS), row)
        insert_entries(connection, [{**one.columns, "message": message}])
        if one.draft.fields is not None:
            connection.execute(update(GAMES).where(GAMES.c.id == game.id).values(**one.draft.fields))
        if one.draft.also is not None:
            one.draft.also(connection)


def _read(rows: list[Row[Any]], ruleset: Ruleset[Any], viewer: Viewer) -> tuple[Entry, ...]:
    entries = (entry_of(row, ruleset) for row in rows)
    return tuple(seen for entry in entries if (seen := seen_by(entry, viewer)))
