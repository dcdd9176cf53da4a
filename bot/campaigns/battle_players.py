"""Seat further players in a battle's game: new commanders, and the bot when time is up (CA-6.5)."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from sqlalchemy import func, select

from bot.errors import NoGame, Stale
from bot.games.act import NO_INTERACTION
from bot.games.action_batch import ActionBatch
from bot.games.clock import TimedService
from bot.games.opponents import SEATED
from bot.games.seat_rows import delete_seat, insert_player, seat_bot
from bot.games.successors import JOINED, RELIEVED
from bot.games.turn_time import find_end
from bot.journal.drafts import Draft, NewEntry
from bot.journal.game import CLERK, Game, Played
from bot.journal.seats import Seat
from bot.store.queries import fetch_value
from bot.store.tables import ENTRIES
from rules.campaign.model import Battle
from rules.campaign.open_battles import PLAYS_ALL, PLAYS_FOR_LATE
from rules.core.automaton.levels import Level
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.phases import PASS
from rules.core.report import Report
from rules.core.tabletop.set_up import Begin

from .fights import campaign_of
from .openings import players_in
from .table import Roster

TAKES = "The battle's time is up (CA-6.5): the bot plays {sides}"
MOST_DAYS_MORE = PLAYS_ALL + 1
"""Maximum number of extra days to count while a campaign waits for its last battles."""


class BattlePlayers(TimedService):
    """Service that seats new commanders in the games of battles, and the bot in the games of late battles."""

    async def take_over(self, battle_game: Game, stage: int) -> Played | None:
        """Begin a battle that waits for its umpire. Seat the bot on the awaited sides, at a later stage on all sides.

        Return None if the bot already plays these sides, or the game has ended.
        """
        try:
            if UMPIRE in battle_game.waits_for and battle_game.state.is_being_set_up:
                played = await self._ledger.change(battle_game.channel, CLERK, self._begin, game_id=battle_game.id)
                battle_game = played.game
            work = partial(_draft_seats, stage=stage)
            return await self._ledger.change(battle_game.channel, CLERK, work, game_id=battle_game.id)
        except (Stale, NoGame):
            return None

    async def seat_newcomers(self, campaign: Game, battle: Battle, battle_game: Game, roster: Roster) -> Played | None:
        """Seat the new commanders of columns in the battle. They replace the bot on sides where it plays alone.

        Return None if every commander has a seat, or the game has ended.
        """
        if not (newcomers := _find_newcomers(campaign, battle, battle_game, roster)):
            return None
        work = partial(_draft_newcomers, newcomers=newcomers)
        with suppress(Stale, NoGame):
            return await self._ledger.change(battle_game.channel, CLERK, work, game_id=battle_game.id)
        return None

    def _begin(self, game: Game) -> NewEntry:
        batch = ActionBatch(self._ledger, game, CLERK, NO_INTERACTION)
        return batch.do(game.ruleset.parse(Begin.kind, {}), check_right=False)

    async def count_extra_days(self, campaign: Game) -> int:
        """Return how many turns of the campaign's clock have passed since its last day ended; 0 without a clock."""
        if not campaign_of(campaign).waits_for_battles:
            return 0
        clock, stops = await self._clocks.clock(campaign), await self._clocks.stops(campaign)
        passes = ENTRIES.c.game == campaign.id, ENTRIES.c.kind == PASS, ~ENTRIES.c.undone
        end = await fetch_value(self._ledger.store, select(func.max(ENTRIES.c.at)).where(*passes))
        for day in range(MOST_DAYS_MORE):
            if clock is None or end is None:
                return 0
            end = find_end(end, clock.hours, clock.daily_end, tuple(stops.pauses))
            if end is None or end > self._clocks.now():
                return day
        return MOST_DAYS_MORE


def _draft_seats(game: Game, stage: int) -> Draft:
    """Draft the entry that seats the bot. Raises Stale if the battle is over, or no side is left for the bot."""
    if game.ended is not None or game.state.over is not None:
        raise Stale("The battle is over.")
    sides = _sides_to_take(game, stage)
    if not sides:
        raise Stale("The bot plays already.")
    names = " and ".join(map(game.the_side, sides))
    seats = [seat_bot(game, side, Level.EASY) for side in sides]
    return Draft(SEATED, Report(headline=TAKES.format(sides=names), side=PUBLIC), {"sides": list(sides)}, changes=seats)


def _sides_to_take(game: Game, stage: int) -> list[Viewer]:
    """Return the sides that the bot takes over at this stage and does not play yet."""
    awaited_sides = game.waits_for if stage <= PLAYS_FOR_LATE else {side.id for side in game.open_sides}
    return [side.id for side in game.open_sides if side.id in awaited_sides and side.id not in game.bots]


def _find_newcomers(campaign: Game, battle: Battle, battle_game: Game, roster: Roster) -> Sequence[Seat]:
    """Return seats in the battle's game for commanders of columns in the battle who have no seat yet."""
    seated_users, powers = {seat.user for seat in battle_game.seats}, campaign_of(campaign)
    return [
        Seat(seat.user, seat.name, roster.sides[powers.power_of(seat.side).id])
        for seat in players_in(campaign, battle)
        if seat.user not in seated_users
    ]


def _draft_newcomers(game: Game, newcomers: Sequence[Seat]) -> Draft:
    """Draft the entry that seats the new commanders. Raises Stale if the game has ended, or all of them have a seat."""
    new = [seat for seat in newcomers if seat.user not in {other.user for other in game.seats}]
    if game.ended is not None or not new:
        raise Stale("These players have their seats already.")
    sides = {seat.side for seat in new}
    people = {seat.side for seat in game.seats if not seat.is_bot}
    bots = [seat for seat in game.seats if seat.is_bot and seat.side in sides - people]
    news = "; ".join(f"{seat.name} plays {game.the_side(seat.side)}" for seat in new)
    last_sides = {str(user): side for user, side in game.last_sides.items()}
    sides_held = {**last_sides, **{str(seat.user): seat.side for seat in new}}
    report = Report(headline=f"New commanders in the campaign: {news}", side=PUBLIC)
    removals = [delete_seat(game.id, bot.user) for bot in bots]
    changes = [*removals, *(insert_player(game.id, seat.user, seat.name, seat.side) for seat in new)]
    side = new[0].side if len(sides) == 1 else PUBLIC
    return Draft(RELIEVED if bots else JOINED, report, side=side, changes=changes, fields={"held": sides_held})
