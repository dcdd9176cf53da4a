"""Seat further players in a battle's game: new commanders, and the bot when time is up (CA-6.5)."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from sqlalchemy import func, select

from bot.errors import NoGame, Stale
from bot.games.act import NO_INTERACTION
from bot.games.action_batch import ActionBatch
from bot.games.clock import ClockReadingService
from bot.games.opponents import SEATED
from bot.games.seat_rows import delete_seat, insert_player_seat, store_bot_seat
from bot.games.successors import JOINED, RELIEVED
from bot.games.turn_time import compute_deadline
from bot.journal.drafts import Draft, NewEntry
from bot.journal.game import BOT_ACTOR, Game, Played
from bot.journal.seats import Seat
from bot.store.queries import fetch_value
from bot.store.tables import ENTRIES
from rules.campaign.model import Battle
from rules.campaign.open_battles import PLAYS_ALL, PLAYS_FOR_LATE
from rules.core.automaton.levels import Level
from rules.core.model import PUBLIC, UMPIRE
from rules.core.phases import PASS
from rules.core.report import Report
from rules.core.tabletop.set_up import Begin

from .campaign_games import require_campaign
from .openings import players_in_battle
from .table import Roster

TAKES = "The battle's time is up (CA-6.5): the bot plays {sides}"
MOST_OVERDUE_DAYS = PLAYS_ALL + 1
"""Maximum number of overdue days to count while a campaign waits for its last battles."""


class BattlePlayers(ClockReadingService):
    """Service that seats new commanders in battles, and the bot in late battles."""

    async def seat_bot_in_late_battle(self, battle_game: Game, stage: int) -> Played | None:
        """Seat the bot in the game of a battle that takes too long (CA-6.5).

        Up to the stage PLAYS_FOR_LATE, the bot plays the awaited sides, afterwards all sides. Return None if
        the game has ended, or the bot already plays these sides.
        """
        try:
            if UMPIRE in battle_game.awaited_viewers and battle_game.state.is_being_set_up:
                played = await self._ledger.change(
                    battle_game.channel, BOT_ACTOR, self._draft_battle_start, game_id=battle_game.id
                )
                battle_game = played.game
            work = partial(_draft_bot_seats, stage=stage)
            return await self._ledger.change(battle_game.channel, BOT_ACTOR, work, game_id=battle_game.id)
        except (Stale, NoGame):
            return None

    async def seat_new_commanders(
        self, campaign: Game, battle: Battle, battle_game: Game, roster: Roster
    ) -> Played | None:
        """Give seats to players who took over a column of the battle, in place of the bot.

        Return None if every commander has a seat, or if the game has ended.
        """
        seated_users, state = {seat.user for seat in battle_game.seats}, require_campaign(campaign)
        commanders = [
            Seat(seat.user, seat.name, roster.sides[state.power_of(seat.side).id])
            for seat in players_in_battle(campaign, battle)
            if seat.user not in seated_users
        ]
        if commanders:
            work = partial(_draft_new_commanders, commanders=commanders)
            with suppress(Stale, NoGame):
                return await self._ledger.change(battle_game.channel, BOT_ACTOR, work, game_id=battle_game.id)
        return None

    def _draft_battle_start(self, game: Game) -> NewEntry:
        batch = ActionBatch(self._ledger, game, BOT_ACTOR, NO_INTERACTION)
        return batch.perform(game.ruleset.parse(Begin.kind, {}), check_right=False)

    async def count_overdue_days(self, campaign: Game) -> int:
        """Count how often a turn's time has run out since the last day ended. Return 0 without a clock."""
        if not require_campaign(campaign).waits_for_battles:
            return 0
        clock, stops = await self._clocks.load_clock(campaign), await self._clocks.load_stops(campaign)
        passes = ENTRIES.c.game == campaign.id, ENTRIES.c.kind == PASS, ~ENTRIES.c.undone
        end = await fetch_value(self._ledger.store, select(func.max(ENTRIES.c.at)).where(*passes))
        for day in range(MOST_OVERDUE_DAYS):
            if clock is None or end is None:
                return 0
            end = compute_deadline(end, clock.hours, clock.daily_end, tuple(stops.pauses))
            if end is None or end > self._clocks.now():
                return day
        return MOST_OVERDUE_DAYS


def _draft_bot_seats(game: Game, stage: int) -> Draft:
    """Draft the entry that seats the bot. Raises Stale if the battle is over, or no side is left for the bot."""
    if game.ended is not None or game.state.over is not None:
        raise Stale("The battle is over.")
    awaited_sides = game.awaited_viewers if stage <= PLAYS_FOR_LATE else {side.id for side in game.open_sides}
    sides = [side.id for side in game.open_sides if side.id in awaited_sides and side.id not in game.bot_seats]
    if not sides:
        raise Stale("The bot plays already.")
    names = " and ".join(map(game.the_side, sides))
    seats = [store_bot_seat(game, side, Level.EASY) for side in sides]
    return Draft(SEATED, Report(headline=TAKES.format(sides=names), side=PUBLIC), {"sides": list(sides)}, changes=seats)


def _draft_new_commanders(game: Game, commanders: Sequence[Seat]) -> Draft:
    """Draft the entry that seats the commanders. Raises Stale if the game has ended, or if everyone has a seat."""
    new = [seat for seat in commanders if seat.user not in {other.user for other in game.seats}]
    if game.ended is not None or not new:
        raise Stale("These players have their seats already.")
    sides = {seat.side for seat in new}
    sides_with_players = {seat.side for seat in game.seats if not seat.is_bot}
    bots = [seat for seat in game.seats if seat.is_bot and seat.side in sides - sides_with_players]
    news = "; ".join(f"{seat.name} plays {game.the_side(seat.side)}" for seat in new)
    last_sides = {str(user): side for user, side in game.last_sides.items()}
    sides_held = {**last_sides, **{str(seat.user): seat.side for seat in new}}
    report = Report(headline=f"New commanders in the campaign: {news}", side=PUBLIC)
    removals = [delete_seat(game.id, bot.user) for bot in bots]
    changes = [*removals, *(insert_player_seat(game.id, seat.user, seat.name, seat.side) for seat in new)]
    side = new[0].side if len(sides) == 1 else PUBLIC
    return Draft(RELIEVED if bots else JOINED, report, side=side, changes=changes, fields={"held": sides_held})
