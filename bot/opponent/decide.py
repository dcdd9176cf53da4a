"""Decide the bot's actions: think on a copy, and act only if the game has not changed meanwhile."""

import asyncio
from collections.abc import Sequence
from functools import partial

from sqlalchemy import func, or_, select

from bot.errors import UserError
from bot.games.act import NO_INTERACTION
from bot.games.action_batch import ActionBatch
from bot.games.opponents import rest_bot
from bot.jobs.thinking import Decided, Question, decide
from bot.journal.codec import pack_state
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Game, Played, Seat
from bot.journal.ledger import Ledger
from bot.journal.thinking_record import Memory
from bot.store.tables import ENTRIES, GAMES, SEATS, SHEETS
from bot.workers import Workers
from rules.core.refusal import Refused

MOST_DECISIONS = 150
"""Maximum decisions per side and turn; afterwards the bot only passes."""
TRIES = 20
"""Maximum consecutive thoughts discarded because the game changed; afterwards the bot waits for a request."""
STUCK = (
    "The bot finds nothing that it may do for {side}, so it waits. The umpire, {umpire}, may act for it; "
    "/opponent turn has it try again."
)


class Stuck(UserError):
    """The bot has no legal action for a waited-for side."""


class _MovedOn(Exception):
    """The game changed while the bot was thinking."""


class BotDecisions:
    """The bot's decisions, an entry of the journal each."""

    def __init__(self, ledger: Ledger, workers: Workers) -> None:
        self._ledger = ledger
        self._workers = workers

    async def decide_next(
        self,
        game: Game,
        remembered: dict[str, Memory],
        *,
        asked: int = NO_INTERACTION,
        alone: bool = False,
        answering: bool = False,
    ) -> Played | None:
        """Compute the bot's next decision in a worker and do it. Return None if the bot has none to take.

        `remembered` is the bot's memory of the turn between decisions; it is cleared if another actor has changed the
        game since `game`. `asked` is the interaction that asks for the decision, even if the bot rests in the state of
        `game`. The same interaction again gets the same decision. With `alone`, the bot rests after the decision. With
        `answering`, an interaction's answer announces it. Raises NoGame, Stuck.
        """
        channel, asked_of = game.channel, (game.id, game.state_seq)
        for _ in range(TRIES):
            game = await self._ledger.running(channel)
            as_it_was = (game.id, game.state_seq) == asked_of
            seats = game.bots_due if game.id == asked_of[0] and (game.bot_goes_on or (asked and as_it_was)) else ()
            if not seats:
                return await self._ledger.find_played(channel, asked)
            if not as_it_was:
                remembered.clear()
            decided = await self._thought(game, seats, remembered)
            try:
                played = await self._done(channel, game, decided, asked, alone=alone, answering=answering)
            except _MovedOn:
                continue
            remembered[decided.side] = decided.remembered
            return played
        return None

    async def _thought(self, game: Game, seats: Sequence[Seat], remembered: dict[str, Memory]) -> Decided:
        packed = self._ledger.cache.packed_state(game.id)
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
        """Return the number of decisions this turn by the busiest side."""
        by = ENTRIES.c.actor.in_([seat.user for seat in seats])
        here = ENTRIES.c.game == game.id, ENTRIES.c.seq > game.seq - MOST_DECISIONS * 2
        stand = ENTRIES.c.acts, ~ENTRIES.c.undone, ENTRIES.c.turn == game.state.turn
        counted = select(func.count()).where(*here, by, *stand)
        async with self._ledger.store.ask() as connection:
            most: int | None = await connection.scalar(counted.group_by(ENTRIES.c.actor).order_by(func.count().desc()))
        return most or 0

    async def _done(
        self, channel: int, thought_of: Game, decided: Decided, asked: int, *, alone: bool, answering: bool
    ) -> Played:
        seat = thought_of.bots[decided.side]
        work = partial(self._do, thought_of=thought_of, decided=decided, asked=asked, alone=alone)
        actor = Actor(seat.user, seat.name)
        return await self._ledger.change(channel, actor, work, interaction=asked, answering=answering)

    def _do(self, game: Game, thought_of: Game, decided: Decided, asked: int, *, alone: bool) -> NewEntry:
        """Do the first of the decided actions that the rules allow. Raises _MovedOn, Stuck."""
        seat = thought_of.bots[decided.side]
        same = game.id == thought_of.id and game.state_seq == thought_of.state_seq
        if not same or game.bots.get(decided.side) != seat:
            raise _MovedOn
        series = ActionBatch(self._ledger, game, Actor(seat.user, seat.name), asked)
        for kind, args in decided.actions:
            try:
                made = series.do(game.ruleset.parse(kind, args), check_right=False, thought=decided.thought)
            except Refused:
                continue
            return made.with_changes(partial(rest_bot, game=game.id, at=made.entry.seq) if alone else None)
        raise Stuck(STUCK.format(side=game.the_side(decided.side), umpire=game.umpire.name))

    async def channels_to_resume(self) -> Sequence[tuple[int, int | None]]:
        """Return the channel and guild of each running game that may go on by itself.

        In such a game the bot has a seat, the system plays a side, or an order sheet waits for its turn.
        """
        seated = select(SEATS.c.game).where(SEATS.c.level.is_not(None))
        played = [name for name, system in self._ledger.rulesets.items() if system.played_by_bot is not None]
        may = or_(GAMES.c.id.in_(seated), GAMES.c.id.in_(select(SHEETS.c.game)), GAMES.c.ruleset.in_(played))
        asked = select(GAMES.c.channel, GAMES.c.guild).where(GAMES.c.ended.is_(None), may)
        async with self._ledger.store.ask() as connection:
            return [(row.channel, row.guild) for row in await connection.execute(asked)]
