"""The bot in a seat: put there, told how hard to think, and taken off it. Each is an entry."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import delete, insert, update
from sqlalchemy.engine import Connection

from bot.errors import NotAllowed, UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Played, Seat, bot_user_id
from bot.journal.ledger import Ledger
from bot.store.tables import SEATS
from rules.core.automaton.levels import Level
from rules.core.model import PUBLIC
from rules.core.report import Report

from .hidden_troops_notice import change_of_sight, kept_sight
from .rights import require_umpire
from .start import side_to_play

SEATED, UNSEATED, LEVEL = "opponent side", "opponent off", "opponent level"
"""Kinds of entry."""
NAME = "the bot"
NO_POSITIONS = (
    "No positions are kept in this game, and the bot needs them to play. "
    "Begin a game with positions to play against it."
)
NO_BOT = "The bot plays no side here. /opponent side seats it."


class Opponents:
    """Sides that the bot plays."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def seat(self, channel: int, actor: Actor, side: str, level: Level, *, interaction: int = 0) -> Played:
        """Have the bot play a side, or change how hard it thinks there.

        Raises NotAllowed for all but the umpire and a player without an opponent, UserError on an unknown side, one
        that somebody plays, or a system that the bot cannot play.
        """
        work = partial(_seated, actor=actor, side=side, level=level)
        return await self._ledger.change(channel, actor, work, interaction=interaction)

    async def unseat(self, channel: int, actor: Actor, side: str, *, interaction: int = 0) -> Played:
        """Take the bot off a side. Raises NotAllowed as `seat` does, UserError if the bot does not play the side.

        The player for whom the bot stands in may take it off, too.
        """
        work = partial(_unseated, actor=actor, side=side)
        return await self._ledger.change(channel, actor, work, interaction=interaction)

    async def set_level(
        self, channel: int, actor: Actor, level: Level, side: str | None = None, *, interaction: int = 0
    ) -> Played:
        """Change how hard the bot thinks for a side, or for all its sides. Raises as `unseat` does."""
        work = partial(_with_level, actor=actor, level=level, side=side)
        return await self._ledger.change(channel, actor, work, interaction=interaction)


def _seated(game: Game, actor: Actor, side: str, level: Level) -> Draft:
    require_values(game)
    chosen = side_to_play(game.ruleset, game.state, side)
    require_seating(game, actor, "seat the bot")
    if people := [seat.name for seat in game.seats if seat.side == chosen.id and not seat.is_bot]:
        raise UserError(
            f"{' and '.join(people)} already {'play' if len(people) > 1 else 'plays'} {chosen:the}. The bot "
            "takes a seat that is free: /game leave gives one up."
        )
    seat = bot_row(game, chosen.id, level)
    others = [one for one in game.seats if one.user != seat["user"]]
    after = replace(game, seats=(*others, Seat(seat["user"], NAME, chosen.id, level)))
    headline = f"{actor.name} has the bot ({level}) play {chosen:the}"
    report = Report(headline=headline, outcome=change_of_sight(game, after), side=PUBLIC)
    return Draft(SEATED, report, {"side": chosen.id, "level": level.value}, chosen.id, also=partial(sit, seat))


def _unseated(game: Game, actor: Actor, side: str) -> Draft:
    (seat,) = seats_of(game, side)
    if seat.until is None or game.viewer(actor.id) != seat.side:
        require_seating(game, actor, "take the bot off a side")
    report = Report(headline=f"{actor.name} takes the bot off {game.the_side(seat.side)}", side=PUBLIC)
    also = partial(stand_up, seat, game.id)
    return Draft(UNSEATED, report, {"side": seat.side}, seat.side, also=also, fields={"held": kept_sight(game)})


def _with_level(game: Game, actor: Actor, level: Level, side: str | None) -> Draft:
    sides = [seat.side for seat in seats_of(game, side)]
    require_seating(game, actor, "change how hard the bot thinks")
    names = " and ".join(map(game.the_side, sides))
    report = Report(headline=f"{actor.name} has the bot play {names} at the level {level}", side=PUBLIC)
    also = partial(_set_level, game=game.id, sides=sides, level=level)
    return Draft(LEVEL, report, {"sides": sides, "level": level.value}, PUBLIC, also=also)


def _set_level(connection: Connection, game: str, sides: Sequence[str], level: Level) -> None:
    bots = SEATS.c.game == game, SEATS.c.level.is_not(None), SEATS.c.side.in_(sides)
    connection.execute(update(SEATS).where(*bots).values(level=level.value))


def require_seating(game: Game, actor: Actor, what: str) -> None:
    """Raises NotAllowed for all but the umpire, and a player whom nobody plays against."""
    own = game.viewer(actor.id)
    against = [seat for seat in game.seats if not seat.is_bot and seat.side != own]
    if own == PUBLIC or against:
        require_umpire(game, actor, what, ", or a player whom nobody plays against")


def require_values(game: Game) -> None:
    """Raises UserError where the bot cannot play that system."""
    if not game.ruleset.values:
        title = game.ruleset.title
        raise UserError(f"The bot cannot take a seat in {title}: not in this system yet. Nothing was changed.")
    if not game.state.keeps_positions:
        raise UserError(f"The bot cannot take a seat here. {NO_POSITIONS} Nothing was changed.")


def require_at_table(game: Game, actor: Actor) -> None:
    """Raises NotAllowed for who only looks on."""
    if not game.is_umpire(actor.id) and game.viewer(actor.id) == PUBLIC:
        raise NotAllowed(f"You are only looking on. The players and the umpire, {game.umpire.name}, tell the bot.")


def seats_of(game: Game, side: str | None = None) -> Sequence[Seat]:
    """Return the bot's seats, or its seat for `side`. Raises UserError if no such seat exists."""
    seats = [*game.bots.values()]
    if side is not None:
        wanted = side_to_play(game.ruleset, game.state, side)
        seats = [seat for seat in seats if seat.side == wanted.id]
    if not seats and game.bots:
        plays = " and ".join(map(game.the_side, game.bots))
        raise UserError(f"The bot plays {plays} here, and nothing else. Nothing was changed.")
    if not seats:
        raise UserError(NO_BOT)
    return seats


def bot_row(game: Game, side: str, level: Level, until: int | None = None) -> dict[str, Any]:
    """Return the row of a bot seat; a substitute seat ends with turn `until`."""
    seat = {"game": game.id, "user": bot_user_id(game.state, side), "name": NAME, "side": side, "level": level.value}
    return {**seat, "rests": None, "until": until}


def sit(seat: Mapping[str, Any], connection: Connection) -> None:
    """Insert or update the bot's seat."""
    there = SEATS.c.game == seat["game"], SEATS.c.user == seat["user"]
    now = {name: seat[name] for name in ("level", "rests", "until")}
    if not connection.execute(update(SEATS).where(*there).values(now)).rowcount:
        connection.execute(insert(SEATS), seat)


def stand_up(seat: Seat, game: str, connection: Connection) -> None:
    """Takes the bot off it."""
    connection.execute(delete(SEATS).where(SEATS.c.game == game, SEATS.c.user == seat.user))


def rest_bot(connection: Connection, game: str, at: int) -> None:
    """Has the bot wait to be asked as long as the state of that entry stands."""
    bots = SEATS.c.game == game, SEATS.c.level.is_not(None)
    connection.execute(update(SEATS).where(*bots).values(rests=at))
