"""The bot in a seat: put there, told how hard to think, to wait or to go on, and taken off it. Each is an entry."""

from collections.abc import Sequence

from sqlalchemy import delete, insert, update
from sqlalchemy.engine import Connection

from rules.core.automaton.chooser import Level
from rules.core.model import PUBLIC
from rules.core.report import Report

from .errors import NotAllowed, UserError
from .game import ASKED_ALWAYS, Actor, Game, Played, Seat
from .journal import Draft
from .opening import side_to_play
from .part import Part
from .rights import require_umpire
from .store.tables import SEATS

SEATED, PAUSED, RESUMED = "opponent side", "opponent pause", "opponent resume"
"""Kinds of entry."""
NAME = "the bot"
NO_BOT = "The bot plays no side here. The umpire, {umpire}, seats it with /opponent side."


class Opponents(Part):
    """Sides that the bot plays."""

    async def seat_bot(self, channel: int, actor: Actor, side: str, level: Level, *, interaction: int = 0) -> Played:
        """Has the bot play a side, or changes how hard it thinks there.

        Raises NotAllowed for all but the umpire, UserError on an unknown side, one that somebody plays, or a system
        that the bot cannot play.
        """

        async def step(game: Game) -> Draft:
            require_umpire(game, actor, "seat the bot")
            require_values(game)
            chosen = side_to_play(game.ruleset, game.state, side)
            if people := [seat.name for seat in game.players(chosen.id) if not seat.is_bot]:
                raise UserError(
                    f"{' and '.join(people)} already {'play' if len(people) > 1 else 'plays'} {chosen.name}. The bot "
                    "takes a seat that is free: /game leave gives one up."
                )
            own = {"game": game.id, "user": bot_of(game, chosen.id)}
            row = {"level": level.value, "rests": None, "until": None}

            def sit(connection: Connection) -> None:
                there = update(SEATS).where(SEATS.c.game == own["game"], SEATS.c.user == own["user"])
                if not connection.execute(there.values(row)).rowcount:
                    connection.execute(insert(SEATS), {**own, **row, "name": NAME, "side": chosen.id, "told": game.seq})

            report = Report(headline=f"{actor.name} has the bot ({level}) play {chosen.name}", side=PUBLIC)
            return Draft(SEATED, report, {"side": chosen.id, "level": level.value}, chosen.id, also=sit)

        return await self._ledger.change(channel, actor, step, interaction=interaction)

    async def unseat_bot(self, channel: int, actor: Actor, side: str | None, *, interaction: int = 0) -> Played:
        """Takes the bot off a side, or off all. Raises NotAllowed for all but the umpire, UserError."""

        async def step(game: Game) -> Draft:
            require_umpire(game, actor, "take the bot off a side")
            seats = seats_of(game, side)
            users = [seat.user for seat in seats]

            def stand(connection: Connection) -> None:
                connection.execute(delete(SEATS).where(SEATS.c.game == game.id, SEATS.c.user.in_(users)))

            names = " and ".join(game.name_of(seat.side) for seat in seats)
            report = Report(headline=f"{actor.name} takes the bot off {names}", side=PUBLIC)
            return Draft(SEATED, report, {"sides": [seat.side for seat in seats], "level": None}, also=stand)

        return await self._ledger.change(channel, actor, step, interaction=interaction)

    async def pause_bot(self, channel: int, actor: Actor, *, interaction: int = 0) -> Played:
        """Has the bot wait until it is asked, always. Raises NotAllowed for who only looks on, UserError."""
        return await self._told_to(channel, actor, PAUSED, ASKED_ALWAYS, "has the bot wait to be asked", interaction)

    async def resume_bot(self, channel: int, actor: Actor, *, interaction: int = 0) -> Played:
        """Has the bot go on by itself again. Raises NotAllowed for who only looks on, UserError."""
        return await self._told_to(channel, actor, RESUMED, None, "has the bot go on by itself", interaction)

    async def _told_to(
        self, channel: int, actor: Actor, kind: str, rests: int | None, words: str, interaction: int
    ) -> Played:
        async def step(game: Game) -> Draft:
            seats_of(game, None)
            require_at_table(game, actor)

            def note(connection: Connection) -> None:
                bots = SEATS.c.game == game.id, SEATS.c.level.is_not(None)
                connection.execute(update(SEATS).where(*bots).values(rests=rests))

            report = Report(headline=f"{actor.name} {words}", side=PUBLIC)
            return Draft(kind, report, {}, PUBLIC, also=note)

        return await self._ledger.change(channel, actor, step, interaction=interaction)


def require_values(game: Game) -> None:
    """Raises UserError where the bot cannot play that system."""
    if not game.ruleset.values:
        raise UserError(f"The bot cannot play {game.ruleset.title}: it does not know what counts there.")


def require_at_table(game: Game, actor: Actor) -> None:
    """Raises NotAllowed for who only looks on."""
    if not game.is_umpire(actor.id) and game.viewer(actor.id) == PUBLIC:
        raise NotAllowed(f"You are only looking on. The players and the umpire, {game.umpire.name}, tell the bot.")


def seats_of(game: Game, side: str | None) -> Sequence[Seat]:
    """The bot's seats, or that of one side. Raises UserError where it has none."""
    seats = [seat for seat in game.seats if seat.is_bot]
    if side is not None:
        wanted = side_to_play(game.ruleset, game.state, side)
        seats = [seat for seat in seats if seat.side == wanted.id]
        if not seats:
            raise UserError(f"The bot does not play {wanted.name}. Nothing was changed.")
    if not seats:
        raise UserError(NO_BOT.format(umpire=game.umpire.name))
    return seats


def bot_of(game: Game, side: str) -> int:
    """The user that the bot is on that side: below zero, where Discord has none."""
    return -1 - [one.id for one in game.state.sides].index(side)
