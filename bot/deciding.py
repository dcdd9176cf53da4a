"""What the bot decides for the sides it plays: thought about on a copy, done only if the game still stands there."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sqlalchemy import func, select, update
from sqlalchemy.engine import Connection

from rules.core.refused import Refused

from .errors import UserError
from .game import Actor, Game, Played, Seat
from .jobs.thinking import Decided, Question, decide
from .journal import READ_COLUMNS, Written
from .opponents import rest
from .part import Part
from .playing import NO_INTERACTION
from .series import Series
from .store.tables import ENTRIES, GAMES, SEATS
from .stored import pack_state
from .thinking import Memory

MOST_DECISIONS = 150
"""For one side in a turn, after which it does no more in it than pass on."""
TRIES = 20
"""Thoughts that are dropped one after the other because the game has moved on, until somebody asks again."""
STUCK = (
    "The bot finds nothing that it may do for {side}, so it waits. The umpire, {umpire}, may act for it; "
    "/opponent turn has it try again."
)


class Stuck(UserError):
    """The bot can do nothing for a side that is waited for."""


class _MovedOn(Exception):
    """The game does not stand any more as it was thought about."""


class Deciding(Part):
    """Decisions of the bot's, an entry of the journal each."""

    async def next_of_bot(
        self, game: Game, remembered: dict[str, Memory], *, asked: int = NO_INTERACTION, alone: bool = False
    ) -> Played | None:
        """The bot's next decision in a game, thought out in a worker and done; None where it has none to take.

        `remembered` is what it remembers of the turn from one decision to the next; nothing, where others have changed
        how `game` stands. `asked`: the interaction that asks for it, so also where it rests as `game` stands; the same
        one again gets the same decision. `alone`: it rests after it. Raises NoGame, Stuck.
        """
        channel, asked_of = game.channel, (game.id, game.state_seq)
        for _ in range(TRIES):
            game = await self._ledger.running(channel)
            as_it_was = (game.id, game.state_seq) == asked_of
            seats = game.bots_due if game.id == asked_of[0] and (game.bot_goes_on or (asked and as_it_was)) else ()
            if not seats:
                return await self._ledger.done(channel, asked)
            if not as_it_was:
                remembered.clear()
            decided = await self._thought(game, seats, remembered)
            try:
                played = await self._done(channel, game, decided, asked, alone=alone)
            except _MovedOn:
                continue
            remembered[decided.side] = decided.remembered
            return played
        return None

    async def _thought(self, game: Game, seats: Sequence[Seat], remembered: dict[str, Memory]) -> Decided:
        packed = self._ledger.held.packed(game.id)
        if packed is None:
            packed = await asyncio.to_thread(pack_state, game.ruleset, game.state)
        question = Question(
            system=game.ruleset,
            packed=packed,
            origin=game.seeds[0].tag,
            base=game.state_seq,
            sides={seat.side: seat.level for seat in seats if seat.level is not None},
            remembered=remembered,
            at_an_end=await self._decisions(game, seats) >= MOST_DECISIONS,
        )
        async with self._workers.turn(of_all=True):
            return await self._workers.run(decide, question)

    async def _decisions(self, game: Game, seats: Sequence[Seat]) -> int:
        """How many it has taken this turn, of the side that has taken most."""
        by = ENTRIES.c.actor.in_([seat.user for seat in seats])
        here = ENTRIES.c.game == game.id, ENTRIES.c.seq > game.seq - MOST_DECISIONS * 2
        stand = ENTRIES.c.acts, ~ENTRIES.c.undone, ENTRIES.c.turn == game.state.turn
        counted = select(func.count()).where(*here, by, *stand)
        async with self._ledger.store.ask() as connection:
            most: int | None = await connection.scalar(counted.group_by(ENTRIES.c.actor).order_by(func.count().desc()))
        return most or 0

    async def _done(self, channel: int, thought_of: Game, decided: Decided, asked: int, *, alone: bool) -> Played:
        side = decided.side
        seat = thought_of.bots[side]

        def done(game: Game) -> Written:
            same = game.id == thought_of.id and game.state_seq == thought_of.state_seq
            if not same or game.bots.get(side) != seat:
                raise _MovedOn
            series = Series(self._ledger, game, Actor(seat.user, seat.name), asked)
            for kind, args in decided.actions:
                try:
                    made = series.do(game.ruleset.parse(kind, args), by_right=False, thought=decided.thought)
                except Refused:
                    continue
                also = partial(rest, game=game.id, at=made.entry.seq) if alone else None
                return made.adding(also)
            raise Stuck(STUCK.format(side=game.name_of(side), umpire=game.umpire.name))

        async def step(game: Game) -> Written:
            return await asyncio.to_thread(done, game)

        return await self._ledger.change(channel, Actor(seat.user, seat.name), step, interaction=asked)

    async def with_bots(self) -> Sequence[tuple[int, int | None]]:
        """The channel and the guild of every running game in which the bot has a seat."""
        seated = select(SEATS.c.game).where(SEATS.c.level.is_not(None))
        asked = select(GAMES.c.channel, GAMES.c.guild).where(GAMES.c.ended.is_(None), GAMES.c.id.in_(seated))
        async with self._ledger.store.ask() as connection:
            return [(row.channel, row.guild) for row in await connection.execute(asked)]

    async def untold(self, game: Game, done: Sequence[Played] = ()) -> tuple[Played, ...]:
        """What the bot has done in the game that stands and that the channel was not told of, oldest first.

        The last of them is told with the game as it is now. `done` are those that it has done just now; where it has
        no seat any more, they alone are told.
        """
        just = {one.entry.seq: one for one in done}
        async with self._ledger.store.ask() as connection:
            told = select(func.min(SEATS.c.told)).where(SEATS.c.game == game.id, SEATS.c.level.is_not(None))
            since: int | None = await connection.scalar(told)
            since = min(just, default=game.seq + 1) - 1 if since is None else since
            mine = ENTRIES.c.game == game.id, ENTRIES.c.seq > since, ENTRIES.c.actor < 0
            asked = select(*READ_COLUMNS).where(*mine, ENTRIES.c.acts, ~ENTRIES.c.undone).order_by(ENTRIES.c.seq)
            rows = (await connection.execute(asked)).all()
        left = [just.get(row.seq) or await self._ledger.done_before(game, row) for row in rows]
        return (*left[:-1], *(replace(one, game=game) for one in left[-1:]))

    async def note_told(self, played: Played) -> None:
        """Notes that the channel was told of what the bot did up to there."""
        bots = SEATS.c.game == played.game.id, SEATS.c.level.is_not(None)

        def note(connection: Connection) -> None:
            connection.execute(update(SEATS).where(*bots).values(told=played.entry.seq))

        await self._ledger.store.writer.run(note)
