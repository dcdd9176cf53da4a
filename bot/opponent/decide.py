"""Compute the bot's decisions in a worker. Do the decided action only if the game has not changed meanwhile."""

import asyncio
from collections.abc import Sequence
from functools import partial

from sqlalchemy import func, or_, select

from bot.errors import UserError
from bot.games.act import NO_INTERACTION
from bot.games.action_batch import ActionBatch
from bot.games.seat_rows import pause_bot
from bot.games.service import WorkerService
from bot.jobs.thinking import DecidedActions, ThinkingTask, decide_bot_action
from bot.journal.codec import pack_state
from bot.journal.drafts import NewEntry
from bot.journal.game import Actor, Game, Played
from bot.journal.seats import Seat
from bot.journal.thinking_record import TurnMemory
from bot.store.queries import fetch_rows, fetch_value
from bot.store.tables import ENTRIES, GAMES, SEATS, SHEETS
from rules.core.refusal import Refused

from .returns import find_returning_player, return_seat_to_player

MOST_DECISIONS = 150
"""Maximum number of decisions per side and turn. Then the bot only answers required prompts or passes."""
TRIES = 20
"""Maximum number of consecutive decisions discarded because the game has changed. Then the bot waits for a request."""
STUCK = (
    "The bot finds nothing that it may do for {side}, so it waits. The umpire, {umpire}, may act for it; "
    "/opponent turn has it try again."
)


class BotIsStuck(UserError):
    """The bot must act for a side, and the rules allow none of its decided actions."""


class _GameChanged(Exception):
    """The game changed while the bot was thinking."""


class BotDecisions(WorkerService):
    """Makes the bot's decisions. Each decision is an entry of the journal."""

    async def decide_next(
        self,
        game: Game,
        remembered: dict[str, TurnMemory],
        *,
        interaction: int = NO_INTERACTION,
        rests_after: bool = False,
        answering: bool = False,
    ) -> Played | None:
        """Let the bot decide and act once. Return None if the bot has nothing to decide.

        Args:
            game: the game as the caller knows it.
            remembered: the bot's memory of the turn for each side; updated, and cleared if the game has changed.
            interaction: the interaction that asks for the decision, if any. Then even a resting bot decides.
            rests_after: whether the bot rests after the decision.
            answering: whether the reply to an interaction announces the decision.

        Raises NoGame, BotIsStuck.
        """
        channel, first_state = game.channel, (game.id, game.state_seq)
        for _ in range(TRIES):
            game = await self._ledger.running_game(channel)
            unchanged = (game.id, game.state_seq) == first_state
            seats = (
                game.due_bot_seats
                if game.id == first_state[0] and (game.will_bot_act or (interaction and unchanged))
                else ()
            )
            if not seats:
                return await self._ledger.find_played_action(channel, interaction)
            if returned := await find_returning_player(self._ledger, game, seats):
                await return_seat_to_player(self._ledger, game, returned)
                continue
            if not unchanged:
                remembered.clear()
            decided = await self._decide_in_worker(game, seats, remembered)
            work = partial(
                self._do_first_legal_action,
                game_before=game,
                decided=decided,
                interaction=interaction,
                rests_after=rests_after,
            )
            seat = game.bot_seats[decided.side]
            actor = Actor(seat.user, seat.name)
            try:
                played = await self._ledger.change(channel, actor, work, interaction=interaction, answering=answering)
            except _GameChanged:
                continue
            remembered[decided.side] = decided.remembered
            return played
        return None

    async def _decide_in_worker(
        self, game: Game, seats: Sequence[Seat], remembered: dict[str, TurnMemory]
    ) -> DecidedActions:
        packed = self._ledger.cache.packed_state(game.id)
        if packed is None:
            packed = await asyncio.to_thread(pack_state, game.ruleset, game.state)
        question = ThinkingTask(
            system=game.ruleset,
            packed=packed,
            origin=game.seeds[0].tag,
            base=game.state_seq,
            sides={seat.side: seat.level for seat in seats if seat.level is not None},
            remembered=remembered,
            may_only_pass=await self._highest_decision_count(game, seats) >= MOST_DECISIONS,
        )
        async with self._workers.long_job_slot(may_exceed_limit=True):
            return await self._workers.run(decide_bot_action, question)

    async def _highest_decision_count(self, game: Game, seats: Sequence[Seat]) -> int:
        """Count the bot's decisions in each seat this turn, and return the highest count."""
        by_bots = ENTRIES.c.actor.in_([seat.user for seat in seats])
        recent = ENTRIES.c.game == game.id, ENTRIES.c.seq > game.seq - MOST_DECISIONS * 2
        valid_actions = ENTRIES.c.acts, ~ENTRIES.c.undone, ENTRIES.c.turn == game.state.turn
        count = select(func.count()).where(*recent, by_bots, *valid_actions)
        by_actor = count.group_by(ENTRIES.c.actor).order_by(func.count().desc())
        return await fetch_value(self._ledger.store, by_actor) or 0

    def _do_first_legal_action(
        self, game: Game, game_before: Game, decided: DecidedActions, interaction: int, *, rests_after: bool
    ) -> NewEntry:
        """Do the first decided action that the rules allow. Raises _GameChanged, BotIsStuck if the rules allow none."""
        seat = game_before.bot_seats[decided.side]
        is_same = game.id == game_before.id and game.state_seq == game_before.state_seq
        if not is_same or game.bot_seats.get(decided.side) != seat:
            raise _GameChanged
        batch = ActionBatch(self._ledger, game, Actor(seat.user, seat.name), interaction)
        for kind, args in decided.actions:
            try:
                new_entry = batch.perform(game.ruleset.parse(kind, args), check_right=False, thought=decided.thought)
            except Refused:
                continue
            return new_entry.with_changes(pause_bot(game.id, new_entry.entry.seq)) if rests_after else new_entry
        raise BotIsStuck(STUCK.format(side=game.the_side(decided.side), umpire=game.umpire.name))

    async def channels_to_resume(self) -> Sequence[tuple[int, int | None]]:
        """Return the channel and guild of each running game that may continue without an interaction.

        In these games, the bot has a seat, the rules play a side, or a player has an order sheet.
        """
        seated = select(SEATS.c.game).where(SEATS.c.level.is_not(None))
        played = [name for name, system in self._ledger.rulesets.items() if system.played_by_bot is not None]
        may_continue = or_(GAMES.c.id.in_(seated), GAMES.c.id.in_(select(SHEETS.c.game)), GAMES.c.ruleset.in_(played))
        query = select(GAMES.c.channel, GAMES.c.guild).where(GAMES.c.ended.is_(None), may_continue)
        return [(row.channel, row.guild) for row in await fetch_rows(self._ledger.store, query)]
