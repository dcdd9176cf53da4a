"""Joining, leaving, and appointing another umpire, each an entry of the journal."""

from dataclasses import replace

from sqlalchemy import delete, insert
from sqlalchemy.engine import Connection

from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game
from bot.runtime.errors import OVER, Stale, UserError
from bot.store.tables import SEATS
from rules.core.model import PUBLIC
from rules.core.report import Report

from .hidden_troops_notice import kept_sight, sight_of_seat, who_sees_all
from .opponents import stand_up
from .rights import CHANNEL_TOO, require_umpire
from .service import Part
from .start import side_to_play

JOINED, RELIEVED = "game join", "game join for bot"
"""A kind of entry."""


class Seats(Part):
    """Seats of players, and the umpire's office."""

    async def join(
        self, channel: int, actor: Actor, side: str, *, game_id: str | None = None, interaction: int = 0
    ) -> Game:
        """Takes a seat, the bot's where it plays that side.

        Raises UserError on an unknown side or a second seat, Stale if not `game_id` runs.
        """

        async def step(game: Game) -> Draft:
            if game_id not in (None, game.id):
                raise Stale(OVER)
            chosen = side_to_play(game.ruleset, game.state, side)
            if held := next((seat for seat in game.seats if seat.user == actor.id), None):
                raise UserError(
                    f"You already play {game.name_of(held.side)}. Give that seat up first with /game leave."
                )

            def sit(connection: Connection) -> None:
                seat = {"game": game.id, "user": actor.id, "name": actor.name, "side": chosen.id}
                for bot in bots:
                    stand_up(bot, game.id, connection)
                connection.execute(insert(SEATS), seat)

            bots = [seat for seat in game.seats if seat.side == chosen.id and seat.is_bot and seat.until is None]
            headline = f"{actor.name} plays {chosen.name}{', in place of the bot' if bots else ''}"
            kind = RELIEVED if bots else JOINED
            before = kept_sight(game) if bots else {str(user): one for user, one in game.held.items()}
            played = {**before, str(actor.id): chosen.id}
            report = Report(headline=headline, outcome=sight_of_seat(game, actor.id), side=chosen.id)
            return Draft(kind, report, side=chosen.id, also=sit, fields={"held": played})

        return (await self._ledger.change(channel, actor, step, interaction=interaction)).game

    async def leave(self, channel: int, actor: Actor, *, interaction: int = 0) -> Game:
        """Gives a seat up. Raises UserError when the actor has none."""

        async def step(game: Game) -> Draft:
            held = next((seat for seat in game.seats if seat.user == actor.id), None)
            if held is None and game.is_umpire(actor.id):
                raise UserError(
                    "You are the umpire: appoint another with /umpire appoint, or end the game with /game end."
                )
            if held is None:
                raise UserError("You have no seat in this game. Take one with /game join.")

            def stand(connection: Connection) -> None:
                connection.execute(delete(SEATS).where(SEATS.c.game == game.id, SEATS.c.user == actor.id))

            headline = f"{actor.name} no longer plays {game.name_of(held.side)}"
            return Draft(
                kind="game leave", report=Report(headline=headline, side=held.side), side=held.side, also=stand
            )

        return (await self._ledger.change(channel, actor, step, interaction=interaction)).game

    async def appoint(
        self, channel: int, actor: Actor, umpire: Actor, *, manages: bool = False, interaction: int = 0
    ) -> Game:
        """Makes `umpire` the umpire. Raises NotAllowed, or UserError where that person already is.

        `manages`: the actor may manage the channel, and so replace an umpire who is gone.
        """

        async def step(game: Game) -> Draft:
            if not manages:
                require_umpire(game, actor, "appoint another", CHANNEL_TOO)
            if umpire.id == game.umpire.id:
                raise UserError(f"{umpire.name} is already the umpire.")
            outcome = who_sees_all(replace(game, umpire=umpire)) if game.state.may_hide else ""
            report = Report(headline=f"{actor.name} makes {umpire.name} the umpire", outcome=outcome, side=PUBLIC)
            return Draft(kind="umpire appoint", report=report, fields={"umpire": umpire.id, "umpire_name": umpire.name})

        return (await self._ledger.change(channel, actor, step, interaction=interaction)).game
