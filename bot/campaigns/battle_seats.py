"""Seat players who take over a command while its column is in a battle that is fought as a game."""

from collections.abc import Sequence
from functools import partial

from bot.errors import NoGame, Stale
from bot.games.seat_rows import delete_seat, insert_player
from bot.games.successors import JOINED, RELIEVED
from bot.journal.drafts import Draft
from bot.journal.game import CLERK, Game, Played, Seat
from bot.journal.ledger import Ledger
from rules.campaign.model import Battle
from rules.core.model import PUBLIC
from rules.core.report import Report

from .fights import campaign_of
from .openings import people_in
from .table import Roster


def find_newcomers(campaign: Game, battle: Battle, fought: Game, roster: Roster) -> Sequence[Seat]:
    """Return seats in the battle's game for commanders of columns in the battle who have no seat yet."""
    seated, powers = {seat.user for seat in fought.seats}, campaign_of(campaign)
    return [
        Seat(seat.user, seat.name, roster.sides[powers.power_of(seat.side).id])
        for seat in people_in(campaign, battle)
        if seat.user not in seated
    ]


async def seat_newcomers(ledger: Ledger, fought: Game, newcomers: Sequence[Seat]) -> Played | None:
    """Seat players in a battle's game, in place of the bot where it plays alone. Return None if the game has ended."""
    try:
        work = partial(_draft_seats, newcomers=newcomers)
        return await ledger.change(fought.channel, CLERK, work, game_id=fought.id)
    except (Stale, NoGame):
        return None


def _draft_seats(game: Game, newcomers: Sequence[Seat]) -> Draft:
    """Draft the entry. Raises Stale if the game has ended, or all have a seat."""
    new = [seat for seat in newcomers if seat.user not in {one.user for one in game.seats}]
    if game.ended is not None or not new:
        raise Stale("These players have their seats already.")
    sides = {seat.side for seat in new}
    people = {seat.side for seat in game.seats if not seat.is_bot}
    bots = [seat for seat in game.seats if seat.is_bot and seat.side in sides - people]
    told = "; ".join(f"{seat.name} plays {game.the_side(seat.side)}" for seat in new)
    held = {**{str(user): side for user, side in game.last_sides.items()}, **{str(one.user): one.side for one in new}}
    report = Report(headline=f"New commanders in the campaign: {told}", side=PUBLIC)
    gone = [delete_seat(game.id, bot.user) for bot in bots]
    changes = [*gone, *(insert_player(game.id, seat.user, seat.name, seat.side) for seat in new)]
    side = new[0].side if len(sides) == 1 else PUBLIC
    return Draft(RELIEVED if bots else JOINED, report, side=side, changes=changes, fields={"held": held})
