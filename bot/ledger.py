"""The journal's keeper: loads a game, and adds one entry at a time to it, whoever else is writing.

In this process a channel's changes queue up behind a lock; another process's entry shows as a head that has moved,
and the change is worked out again from the newer state.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any
from weakref import WeakValueDictionary

from sqlalchemy import Select, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import defer

from rules.core.ruleset import Ruleset
from rules.core.sealed import SealedDice

from .errors import NoGame, Stale, UserError
from .game import Actor, Entry, Game, Played, Seat, Seed
from .journal import Draft, Place, entry_of, row_of
from .snapshots import Snapshots
from .store import Store
from .store.tables import EntryRow, GameRow, SeatRow, SeedRow

log = logging.getLogger(__name__)

TRIES = 50
"""How often a change is worked out anew because another process was quicker."""

NO_GAME = "No game runs in this channel. Start one with /game new, or take one in with /game import."


class Ledger:
    """Every game of the store."""

    def __init__(self, store: Store, rulesets: Mapping[str, Ruleset[Any]]) -> None:
        self.store = store
        self.rulesets = rulesets
        self.snapshots = Snapshots()
        self._secrets: dict[str, bytes] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def lock(self, channel: int) -> asyncio.Lock:
        """The channel's lock: held while one of its games is changed."""
        return self._locks.setdefault(channel, asyncio.Lock())

    async def settle(self) -> None:
        """Waits until nothing is being written."""
        for lock in list(self._locks.values()):
            async with lock:
                pass

    async def running(self, channel: int) -> Game:
        """The channel's running game. Raises NoGame."""
        async with self.store.read() as session:
            return await self._find(session, channel, None)

    async def latest(self, channel: int) -> Game:
        """The channel's running game, or else the last that ended there. Raises NoGame."""
        newest = GameRow.ended.is_(None).desc(), GameRow.started.desc()
        async with self.store.read() as session:
            return await self._game(
                session, select(GameRow).where(GameRow.channel == channel).order_by(*newest).limit(1)
            )

    async def by_id(self, game_id: str) -> Game:
        """The game of that id, running or ended. Raises NoGame."""
        async with self.store.read() as session:
            return await self._find(session, 0, game_id)

    async def entry(self, game_id: str, seq: int) -> Entry:
        """One entry, unredacted. Raises Stale when there is none."""
        async with self.store.read() as session:
            row = await session.get(EntryRow, (game_id, seq))
            game = await session.get(GameRow, game_id)
            if row is None or game is None:
                raise Stale("That answer's game is no longer kept here.")
            return entry_of(row, self._system(game))

    async def entries(self, game: Game, last: int | None = None) -> tuple[Entry, ...]:
        """The last entries, or all, unredacted, oldest first. They are read off the event loop: there may be many."""
        async with self.store.read() as session:
            newest = select(EntryRow).options(defer(EntryRow.state)).where(EntryRow.game == game.id)
            rows = (await session.scalars(newest.order_by(EntryRow.seq.desc()).limit(last))).all()
        return await asyncio.to_thread(lambda: tuple(entry_of(row, game.ruleset) for row in reversed(rows)))

    async def _find(self, session: AsyncSession, channel: int, game_id: str | None) -> Game:
        running = GameRow.channel == channel, GameRow.ended.is_(None)
        return await self._game(
            session, select(GameRow).where(*(running if game_id is None else [GameRow.id == game_id]))
        )

    async def _game(self, session: AsyncSession, wanted: Select[GameRow]) -> Game:
        """The game of that row, with its seats, seeds and state."""
        row = await session.scalar(wanted)
        if row is None:
            raise NoGame(NO_GAME)
        ruleset = self._system(row)
        seats = await session.scalars(select(SeatRow).where(SeatRow.game == row.id).order_by(SeatRow.name))
        of_game = select(SeedRow).where(SeedRow.game == row.id).order_by(SeedRow.epoch, SeedRow.hidden)
        seeds = (await session.scalars(of_game)).all()
        self._secrets.update({seed.seal: seed.seed for seed in seeds if seed.seed is not None})
        return Game(
            id=row.id,
            channel=row.channel,
            guild=row.guild,
            name=row.name,
            ruleset=ruleset,
            umpire=Actor(row.umpire, row.umpire_name),
            seats=tuple(Seat(seat.user, seat.name, seat.side) for seat in seats),
            seq=row.head,
            state=await self.snapshots.load(session, row.id, row.state_seq, ruleset),
            seal=next(seed.seal for seed in reversed(seeds) if not seed.hidden),
            started=row.started,
            ended=row.ended,
            thrown=row.thrown,
            state_seq=row.state_seq,
            seeds=tuple(_seed(seed) for seed in seeds),
        )

    def _system(self, row: GameRow) -> Ruleset[Any]:
        """The game's rule system. Raises UserError when there is none such."""
        if row.ruleset not in self.rulesets:
            raise UserError(f"This game is of a rule system, {row.ruleset}, that this bot no longer has.")
        return self.rulesets[row.ruleset]

    def dice(self, game: Game, interaction: int, *, hidden: bool) -> SealedDice:
        """The game's dice for its next throw; hidden throws have a seed of their own, and `hidden` makes all so."""
        kept = self._newest(game, hidden=True)
        seed, tag = kept if hidden else self._newest(game, hidden=False)
        return SealedDice(seed, tag, interaction, game.thrown + 1, hidden=kept)

    def _newest(self, game: Game, *, hidden: bool) -> tuple[bytes, str]:
        """The seed now thrown with, and its game's name in what is hashed."""
        seed = next(seed for seed in reversed(game.seeds) if seed.hidden == hidden)
        return self._secrets[seed.seal], seed.tag

    async def change(
        self,
        channel: int,
        actor: Actor,
        step: Callable[[Game], Awaitable[Draft]],
        *,
        interaction: int = 0,
        game_id: str | None = None,
    ) -> Played:
        """Works out `step` on the channel's running game and writes its entry; all or nothing.

        An interaction that acted before gets its entry again, and changes nothing.
        """
        async with self.lock(channel):
            for _ in range(TRIES):
                async with self.store.read() as session:
                    game = await self._find(session, channel, game_id)
                    if interaction and (done := await self._done(session, game, interaction)):
                        return done
                draft = await step(game)
                if written := await self._write(game, actor, draft, interaction):
                    return Played(await self._after(game, written, draft), written, before=game.state)
        raise UserError("Others were quicker too often. Nothing was changed; try again in a moment.")

    async def done(self, channel: int, interaction: int) -> Played | None:
        """What that interaction did in a game of the channel, if it did anything."""
        async with self.store.read() as session:
            try:
                game = await self._find(session, channel, None)
            except NoGame:
                return None
            return await self._done(session, game, interaction)

    async def _done(self, session: AsyncSession, game: Game, interaction: int) -> Played | None:
        row = await session.scalar(
            select(EntryRow).where(EntryRow.game == game.id, EntryRow.interaction == interaction)
        )
        if row is None:
            return None
        before = await self.snapshots.find(session, game.id, row.base, game.ruleset)
        return Played(game, entry_of(row, game.ruleset), before=before or game.state)

    async def _after(self, game: Game, entry: Entry, draft: Draft) -> Game:
        if draft.state_seq is not None or draft.also is not None or draft.fields is not None:
            return await self.by_id(game.id)
        after = replace(game, seq=entry.seq, thrown=draft.thrown[-1].throw.number if draft.thrown else game.thrown)
        return after if draft.state is None else replace(after, state=draft.state, state_seq=entry.seq)

    async def _write(self, game: Game, actor: Actor, draft: Draft, interaction: int) -> Entry | None:
        seq = game.seq + 1
        fields: dict[str, Any] = {"head": seq, **(draft.fields or {})}
        if draft.thrown:
            fields["thrown"] = draft.thrown[-1].throw.number
        if draft.state is not None or draft.state_seq is not None:
            fields["state_seq"] = seq if draft.state is not None else draft.state_seq
        row = row_of(Place(game.id, seq, game.state_seq, game.state), game.ruleset, actor, draft, interaction)
        try:
            async with self.store.write() as session:
                head = update(GameRow).where(GameRow.id == game.id, GameRow.head == game.seq).values(**fields)
                if (await session.execute(head.returning(GameRow.id))).first() is None:
                    return None
                session.add(row)
                if draft.also is not None:
                    await draft.also(session)
                if draft.state is not None:
                    await self.snapshots.drop_old(session, game.id, keep=seq)
        except IntegrityError:
            log.info("Entry %d of game %s was taken by another process.", seq, game.id)
            return None
        if draft.state is not None:
            self.snapshots.remember(game.id, seq, draft.state)
        return entry_of(row, game.ruleset)


def _seed(row: SeedRow) -> Seed:
    secret = row.seed.hex() if row.seed is not None and row.revealed else None
    return Seed(row.epoch, row.hidden, row.tag, row.seal, secret)
