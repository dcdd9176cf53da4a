"""When a side's time is up: the umpire, or all players of other sides together, decide how the game goes on."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from bot.journal.drafts import Draft, Written
from bot.journal.game import Actor, Game, Played
from bot.order_sheets.execute import for_side
from bot.runtime.errors import OVER, NotAllowed, Stale, UserError
from bot.store.tables import ENTRIES, SEATS
from rules.core.automaton.levels import Level
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.report import Prompt, Report

from .action_batch import Series
from .clock import EXTENDED, SUBSTITUTED, Deadlines
from .opponents import bot_row, require_values
from .opponents import sit as sit_bot

AGREED, STOOD_IN = "game agree", "game stand in"
"""Kinds of entries: a player's consent, and the bot in a seat for a turn."""
WAIVE = "waive"
"""Field of the pass action that waives a side's open obligations."""
MORE_HOURS = 24
OWN_FIRST = "First settle what others than the late side still owe"
MAY_RETURN = "Whoever it stands in for may act all the same, and takes it off by /opponent side with level:off."
NO_LONGER = "Nobody is late there any more: the game has gone on, or has been given more time."


class Remedy(StrEnum):
    """Remedies for a side after its deadline."""

    PASS = "pass"
    PLAY = "play"
    EXTEND = "extend"
    SUBSTITUTE = "seat"


@dataclass(frozen=True)
class Overdue:
    """A side whose time is up, counted since public entry number `since`."""

    game: str
    side: Viewer
    since: int


class Late(Deadlines):
    """Remedies for absent players."""

    async def decide(
        self,
        channel: int,
        actor: Actor,
        overdue: Overdue,
        remedy: Remedy,
        *,
        substitute: Actor | None = None,
        interaction: int = 0,
    ) -> tuple[Played, ...]:
        """Apply the umpire's remedy; other players give consent, and the last consent applies the remedy.

        Raises Stale where that time is not up any more, NotAllowed for others, Refused as the rules do.
        """

        async def step(game: Game) -> Draft | Sequence[Written]:
            await self._require_late(game, overdue)
            require_deciding(game, actor, overdue.side)
            if remedy is Remedy.SUBSTITUTE:
                require_free(game, substitute)
            if remedy is Remedy.PLAY:
                require_values(game)
            missing = await self._missing(game, actor, overdue, remedy, substitute)
            if missing:
                return _consent(game, actor, overdue, remedy, substitute, missing)
            if remedy is Remedy.PASS:
                return await asyncio.to_thread(self._passed_on, game, actor, overdue, interaction)
            if remedy is Remedy.PLAY:
                return _stood_in(game, actor, overdue)
            return _seated(game, overdue, substitute) if substitute else _extended(game, actor, overdue)

        return await self._ledger.change_all(channel, actor, step, interaction=interaction)

    async def require_late(self, channel: int, actor: Actor, overdue: Overdue) -> None:
        """Raise Stale if the side's time is no longer up, NotAllowed if the actor may not decide."""
        game = await self._ledger.running(channel)
        await self._require_late(game, overdue)
        require_deciding(game, actor, overdue.side)

    async def _require_late(self, game: Game, overdue: Overdue) -> None:
        if game.id != overdue.game or game.ended is not None:
            raise Stale(OVER)
        found = next((one for one in await self.deadlines(game) if one.side == overdue.side), None)
        if found is None or found.since != overdue.since or self.now() < found.ends:
            raise Stale(NO_LONGER)

    async def _missing(
        self, game: Game, actor: Actor, overdue: Overdue, remedy: Remedy, substitute: Actor | None
    ) -> dict[int, str]:
        """The other players who have not agreed yet, by name; nobody's consent is missing to the umpire."""
        if game.is_umpire(actor.id):
            return {}
        asked = select(ENTRIES.c.actor, ENTRIES.c.action).where(
            ENTRIES.c.game == game.id, ENTRIES.c.public > overdue.since, ENTRIES.c.kind == AGREED
        )
        async with self._ledger.store.ask() as connection:
            rows = (await connection.execute(asked)).all()
        wanted = _agreed_to(overdue, remedy, substitute)
        agreed = {actor.id, *(row.actor for row in rows if row.action == wanted)}
        others = [seat for seat in game.seats if seat.side != overdue.side and not seat.is_bot]
        return {seat.user: seat.name for seat in others if seat.user not in agreed}

    def _passed_on(self, game: Game, actor: Actor, overdue: Overdue, interaction: int) -> Sequence[Written]:
        """The turn passed on for the side. Not for the event loop.

        Raises Refused where players would let themselves off what their own side owes.
        """
        series, owed = Series(self._ledger, game, actor, interaction), owed_by_others(game, overdue.side)
        action = game.ruleset.parse(PASS, passing(game, overdue.side))
        if owed and not for_side(game, overdue.side) and not game.is_umpire(actor.id):
            raise Refused(f"{OWN_FIRST}, or the umpire, {game.umpire.name}, waives it with all else.", prompts=owed)
        return [series.do(action, by_right=False)]


def owed_by_others(game: Game, side: Viewer) -> tuple[Prompt, ...]:
    """Return required prompts of all other sides."""
    return tuple(one for one in game.ruleset.open_prompts(game.state) if one.required and one.side != side)


def may_pass_on(game: Game, side: Viewer) -> bool:
    """Whether the turn can be passed for the side: the side acts, and the rules support waiving."""
    action = game.ruleset.actions.get(PASS)
    return side in game.state.acting and action is not None and WAIVE in action.model_fields


def passing(game: Game, side: Viewer) -> dict[str, Any]:
    """Return the pass arguments for that side, waiving its obligations. Raises UserError if passing is impossible."""
    if not may_pass_on(game, side):
        raise UserError("It is not their turn. What they still owe, the umpire may settle: /turn status has it.")
    return {WAIVE: True, **for_side(game, side)}


def require_deciding(game: Game, actor: Actor, side: Viewer) -> None:
    """Raises NotAllowed unless the actor is the umpire, or plays another side."""
    if not game.is_umpire(actor.id) and game.viewer(actor.id) in (PUBLIC, side):
        others = "the players of the other sides, all together" if side != UMPIRE else "the players, all together"
        raise NotAllowed(f"This is for the umpire, {game.umpire.name}, or for {others}.")


def require_free(game: Game, substitute: Actor | None) -> None:
    """Raises UserError where nobody is named, or somebody who has a seat."""
    if substitute is None:
        raise UserError("Say who takes the seat.")
    held = next((seat for seat in game.seats if seat.user == substitute.id), None)
    if held is not None:
        raise UserError(f"{substitute.name} already plays {game.name_of(held.side)}. Choose somebody else.")


def _agreed_to(overdue: Overdue, remedy: Remedy, substitute: Actor | None) -> dict[str, Any]:
    """Return the stored form of a player's consent."""
    who = {"user": substitute.id} if substitute else {}
    return {"side": overdue.side, "since": overdue.since, "remedy": remedy.value, **who}


def _consent(
    game: Game, actor: Actor, overdue: Overdue, remedy: Remedy, substitute: Actor | None, missing: dict[int, str]
) -> Draft:
    side, new = game.name_of(overdue.side), substitute.name if substitute else ""
    what = {
        Remedy.PASS: f"pass on for {side}",
        Remedy.PLAY: f"have the bot play for {side}",
        Remedy.EXTEND: f"give {side} another {MORE_HOURS} hours",
        Remedy.SUBSTITUTE: f"seat {new} for {side}",
    }
    report = Report(
        headline=f"{actor.name} agrees to {what[remedy]}",
        outcome=f"Still to agree: {', '.join(missing.values())}; or the umpire, {game.umpire.name}, decides.",
        side=game.viewer(actor.id),
    )
    return Draft(kind=AGREED, report=report, action=_agreed_to(overdue, remedy, substitute), side=overdue.side)


def _extended(game: Game, actor: Actor, overdue: Overdue) -> Draft:
    headline = f"{actor.name} gives {game.name_of(overdue.side)} another {MORE_HOURS} hours"
    report, action = Report(headline=headline, side=overdue.side), {"side": overdue.side, "hours": MORE_HOURS}
    return Draft(kind=EXTENDED, report=report, action=action, side=overdue.side)


def _stood_in(game: Game, actor: Actor, overdue: Overdue) -> Draft:
    """Return the draft that puts the bot in the side's seat until the turn ends."""
    headline = f"{actor.name} has the bot play this turn for the {game.name_of(overdue.side)}, whose time was up"
    seat = bot_row(game, overdue.side, Level.HARD, until=game.state.turn)
    action = {"side": overdue.side, "turn": game.state.turn}
    report = Report(headline=headline, outcome=MAY_RETURN, side=overdue.side)
    return Draft(kind=STOOD_IN, report=report, action=action, side=overdue.side, also=partial(sit_bot, seat))


def _seated(game: Game, overdue: Overdue, substitute: Actor) -> Draft:
    seat = {"game": game.id, "user": substitute.id, "name": substitute.name, "side": overdue.side}
    headline = f"{substitute.name} takes a seat for {game.name_of(overdue.side)}, whose time was up"
    report, action = Report(headline=headline, side=overdue.side), {"side": overdue.side, "user": substitute.id}
    return Draft(kind=SUBSTITUTED, report=report, action=action, side=overdue.side, also=partial(_sit, seat))


def _sit(seat: dict[str, Any], connection: Connection) -> None:
    connection.execute(insert(SEATS), seat)
