"""Joining, leaving, and appointing another umpire, each an entry of the journal."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from sqlalchemy import delete, insert
from sqlalchemy.engine import Connection

from bot.errors import OVER, Stale, UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Seat
from bot.journal.ledger import Ledger
from bot.store.tables import SEATS
from rules.core.model import PUBLIC
from rules.core.report import Report

from .hidden_troops_notice import kept_sight, sight_of_seat, who_sees_all
from .opponents import stand_up
from .rights import CHANNEL_TOO, require_umpire
from .start import side_to_play

JOINED, RELIEVED = "game join", "game join for bot"
"""A kind of entry."""


class Seats:
    """Seats of players, and the umpire's office."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def join(
        self, channel: int, actor: Actor, side: str, *, game_id: str | None = None, interaction: int = 0
    ) -> Game:
        """Seat the actor on a side, in place of the bot if the bot plays that side.

        Raises UserError for an unknown side or a second seat, Stale if another game than `game_id` runs.
        """
        work = partial(_take_seat, actor=actor, side=side, game_id=game_id)
        return (await self._ledger.change(channel, actor, work, interaction=interaction)).game

    async def leave(self, channel: int, actor: Actor, *, interaction: int = 0) -> Game:
        """Give up the actor's seat. Raises UserError if the actor has none."""
        work = partial(_give_up_seat, actor=actor)
        return (await self._ledger.change(channel, actor, work, interaction=interaction)).game

    async def appoint(
        self, channel: int, actor: Actor, umpire: Actor, *, manages: bool = False, interaction: int = 0
    ) -> Game:
        """Make `umpire` the umpire. Raises NotAllowed, or UserError if that person is the umpire already.

        `manages`: the actor may manage the channel, and so replace an umpire who is gone.
        """
        work = partial(_appoint, actor=actor, umpire=umpire, manages=manages)
        return (await self._ledger.change(channel, actor, work, interaction=interaction)).game


def _take_seat(game: Game, actor: Actor, side: str, game_id: str | None) -> Draft:
    if game_id not in (None, game.id):
        raise Stale(OVER)
    chosen = side_to_play(game.ruleset, game.state, side)
    if held := next((seat for seat in game.seats if seat.user == actor.id), None):
        raise UserError(f"You already play {game.the_side(held.side)}. Give that seat up first with /game leave.")
    bots = [seat for seat in game.seats if seat.side == chosen.id and seat.is_bot and seat.until is None]
    headline = f"{actor.name} plays {chosen:the}{', in place of the bot' if bots else ''}"
    before = kept_sight(game) if bots else {str(user): one for user, one in game.last_sides.items()}
    played = {**before, str(actor.id): chosen.id}
    report = Report(headline=headline, outcome=sight_of_seat(game, actor.id), side=chosen.id)
    also = partial(_seat, game=game.id, actor=actor, side=chosen.id, bots=bots)
    return Draft(RELIEVED if bots else JOINED, report, side=chosen.id, also=also, fields={"held": played})


def _seat(connection: Connection, game: str, actor: Actor, side: str, bots: Sequence[Seat]) -> None:
    for bot in bots:
        stand_up(bot, game, connection)
    connection.execute(insert(SEATS), {"game": game, "user": actor.id, "name": actor.name, "side": side})


def _give_up_seat(game: Game, actor: Actor) -> Draft:
    held = next((seat for seat in game.seats if seat.user == actor.id), None)
    if held is None and game.is_umpire(actor.id):
        raise UserError("You are the umpire: appoint another with /umpire appoint, or end the game with /game end.")
    if held is None:
        raise UserError("You have no seat in this game. Take one with /game join.")
    report = Report(headline=f"{actor.name} no longer plays {game.the_side(held.side)}", side=held.side)
    return Draft("game leave", report, side=held.side, also=partial(_unseat, game=game.id, user=actor.id))


def _unseat(connection: Connection, game: str, user: int) -> None:
    connection.execute(delete(SEATS).where(SEATS.c.game == game, SEATS.c.user == user))


def _appoint(game: Game, actor: Actor, umpire: Actor, *, manages: bool) -> Draft:
    if not manages:
        require_umpire(game, actor, "appoint another", CHANNEL_TOO)
    if umpire.id == game.umpire.id:
        raise UserError(f"{umpire.name} is already the umpire.")
    outcome = who_sees_all(replace(game, umpire=umpire)) if game.state.may_hide else ""
    report = Report(headline=f"{actor.name} makes {umpire.name} the umpire", outcome=outcome, side=PUBLIC)
    return Draft("umpire appoint", report, fields={"umpire": umpire.id, "umpire_name": umpire.name})
