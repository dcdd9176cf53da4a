"""Return seats to players: when a player acts, the bot that plays in his place leaves the seat."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from sqlalchemy import func, select

from bot.games.act import NO_INTERACTION
from bot.games.missed_turns import MISSED
from bot.games.opponents import STOOD_IN, UNSEATED
from bot.games.seat_rows import delete_seat
from bot.journal.drafts import ChangeNotNeeded, Draft
from bot.journal.game import Actor, Game
from bot.journal.ledger import Ledger
from bot.journal.seats import Seat
from bot.store.queries import fetch_value
from bot.store.tables import ENTRIES
from rules.core.model import PUBLIC
from rules.core.report import Report


@dataclass(frozen=True)
class ReturningPlayer:
    """A player who has acted again after the bot took his place. `seat` is the bot's seat."""

    player: Actor
    seat: Seat


async def find_returning_player(ledger: Ledger, game: Game, seats: Sequence[Seat]) -> ReturningPlayer | None:
    """Return a player who has acted again since the bot took his place, or None."""
    for seat in seats:
        people = {player.user: player.name for player in game.players(seat.side) if not player.is_bot}
        if seat.until is None or not people:
            continue
        in_game = ENTRIES.c.game == game.id
        substitutions = in_game, ENTRIES.c.side == seat.side, ENTRIES.c.kind.in_((MISSED, STOOD_IN))
        since = select(func.max(ENTRIES.c.seq)).where(*substitutions).scalar_subquery()
        own_actions = ENTRIES.c.acts, ~ENTRIES.c.undone, ENTRIES.c.interaction != NO_INTERACTION
        actors = select(ENTRIES.c.actor).where(
            in_game, *own_actions, ENTRIES.c.actor.in_(people), ENTRIES.c.seq > since
        )
        user = await fetch_value(ledger.store, actors.order_by(ENTRIES.c.seq.desc()).limit(1))
        if user is not None:
            return ReturningPlayer(Actor(user, people[user]), seat)
    return None


async def return_seat_to_player(ledger: Ledger, game: Game, player_return: ReturningPlayer) -> None:
    """Unseat the bot for a player who has returned. Do nothing if another process has already unseated the bot."""
    with suppress(ChangeNotNeeded):
        await ledger.change(game.channel, player_return.player, partial(_draft_unseating, player_return=player_return))


def _draft_unseating(game: Game, player_return: ReturningPlayer) -> Draft:
    """Draft the entry that unseats the bot. Raises ChangeNotNeeded if another process has already unseated the bot."""
    side = player_return.seat.side
    if player_return.seat.user not in {seat.user for seat in game.seats}:
        raise ChangeNotNeeded
    report = Report(headline=f"{player_return.player.name} is back, and plays {game.the_side(side)}", side=PUBLIC)
    return Draft(UNSEATED, report, {"side": side}, side, changes=[delete_seat(game.id, player_return.seat.user)])
