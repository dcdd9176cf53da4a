"""When a side's time is up: the umpire, or all players of other sides together, decide how the game goes on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from bot.errors import OVER, NotAllowed, Stale, UserError
from bot.games.pass_action import for_side
from bot.journal.drafts import Draft, Written
from bot.journal.game import Actor, Game, Played
from bot.journal.ledger import Ledger
from bot.store.tables import ENTRIES, SEATS
from rules.core.automaton.levels import Level
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.report import Prompt, Report

from .action_batch import Series
from .clock import EXTENDED, SUBSTITUTED, Clocks
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


class OverdueTurns:
    """Remedies for absent players."""

    def __init__(self, ledger: Ledger, clocks: Clocks) -> None:
        self._ledger = ledger
        self._clocks = clocks

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

        Raises Stale if the side's time is no longer up, NotAllowed for others, Refused as the rules do.
        """
        chosen = _Choice(actor, overdue, remedy, substitute)
        read, work = partial(self._missing, chosen=chosen), partial(self._applied, chosen=chosen, by=interaction)
        return await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction)

    async def require_late(self, channel: int, actor: Actor, overdue: Overdue) -> None:
        """Raise Stale if the side's time is no longer up, NotAllowed if the actor may not decide."""
        game = await self._ledger.running(channel)
        await self._require_late(game, overdue)
        require_deciding(game, actor, overdue.side)

    async def _require_late(self, game: Game, overdue: Overdue) -> None:
        if game.id != overdue.game or game.ended is not None:
            raise Stale(OVER)
        found = next((one for one in await self._clocks.deadlines(game) if one.side == overdue.side), None)
        if found is None or found.since != overdue.since or self._clocks.now() < found.ends:
            raise Stale(NO_LONGER)

    async def _missing(self, game: Game, chosen: "_Choice") -> dict[int, str]:
        """Return the other players who have not agreed yet, by name. The umpire needs nobody's consent.

        Raises Stale, NotAllowed, UserError.
        """
        await self._require_late(game, chosen.overdue)
        chosen.require_possible(game)
        if game.is_umpire(chosen.actor.id):
            return {}
        overdue = chosen.overdue
        asked = select(ENTRIES.c.actor, ENTRIES.c.action).where(
            ENTRIES.c.game == game.id, ENTRIES.c.public > overdue.since, ENTRIES.c.kind == AGREED
        )
        async with self._ledger.store.ask() as connection:
            rows = (await connection.execute(asked)).all()
        agreed = {chosen.actor.id, *(row.actor for row in rows if row.action == chosen.document)}
        others = [seat for seat in game.seats if seat.side != overdue.side and not seat.is_bot]
        return {seat.user: seat.name for seat in others if seat.user not in agreed}

    def _applied(self, game: Game, missing: Mapping[int, str], chosen: "_Choice", by: int) -> Draft | Sequence[Written]:
        """Apply the remedy, or note the actor's consent. Raises Refused."""
        actor, overdue, substitute = chosen.actor, chosen.overdue, chosen.substitute
        if missing:
            return _consent(game, chosen, missing)
        if chosen.remedy is Remedy.PASS:
            return self._passed_on(game, actor, overdue, by)
        if chosen.remedy is Remedy.PLAY:
            return _stood_in(game, actor, overdue)
        return _seated(game, overdue, substitute) if substitute else _extended(game, actor, overdue)

    def _passed_on(self, game: Game, actor: Actor, overdue: Overdue, interaction: int) -> Sequence[Written]:
        """Pass the turn on for the side.

        Raises Refused if players would let themselves off what their own side owes.
        """
        series, owed = Series(self._ledger, game, actor, interaction), owed_by_others(game, overdue.side)
        action = game.ruleset.parse(PASS, passing(game, overdue.side))
        if owed and not for_side(game, overdue.side) and not game.is_umpire(actor.id):
            raise Refused(f"{OWN_FIRST}, or the umpire, {game.umpire.name}, waives it with all else.", prompts=owed)
        return [series.do(action, by_right=False)]


@dataclass(frozen=True)
class _Choice:
    """The remedy that somebody chooses for a late side."""

    actor: Actor
    overdue: Overdue
    remedy: Remedy
    substitute: Actor | None

    def require_possible(self, game: Game) -> None:
        """Raises NotAllowed if the actor may not decide, UserError if the remedy is impossible."""
        require_deciding(game, self.actor, self.overdue.side)
        if self.remedy is Remedy.SUBSTITUTE:
            require_free(game, self.substitute)
        if self.remedy is Remedy.PLAY:
            require_values(game)

    @property
    def document(self) -> dict[str, Any]:
        """Return the stored form of a player's consent."""
        who = {"user": self.substitute.id} if self.substitute else {}
        return {"side": self.overdue.side, "since": self.overdue.since, "remedy": self.remedy.value, **who}


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


def may_decide(game: Game, user: int, side: Viewer) -> bool:
    """Whether the user may decide about a late side: as the umpire, or together with all players of other sides."""
    return game.is_umpire(user) or game.viewer(user) not in (PUBLIC, side)


def require_deciding(game: Game, actor: Actor, side: Viewer) -> None:
    """Raises NotAllowed unless the actor is the umpire, or plays another side."""
    if not may_decide(game, actor.id, side):
        others = "the players of the other sides, all together" if side != UMPIRE else "the players, all together"
        raise NotAllowed(f"This is for the umpire, {game.umpire.name}, or for {others}.")


def require_free(game: Game, substitute: Actor | None) -> None:
    """Raises UserError where nobody is named, or somebody who has a seat."""
    if substitute is None:
        raise UserError("Say who takes the seat.")
    held = next((seat for seat in game.seats if seat.user == substitute.id), None)
    if held is not None:
        raise UserError(f"{substitute.name} already plays {game.the_side(held.side)}. Choose somebody else.")


def _consent(game: Game, chosen: _Choice, missing: Mapping[int, str]) -> Draft:
    actor, overdue, substitute = chosen.actor, chosen.overdue, chosen.substitute
    side, new = game.the_side(overdue.side), substitute.name if substitute else ""
    what = {
        Remedy.PASS: f"pass on for {side}",
        Remedy.PLAY: f"have the bot play for {side}",
        Remedy.EXTEND: f"give {side} another {MORE_HOURS} hours",
        Remedy.SUBSTITUTE: f"seat {new} for {side}",
    }
    report = Report(
        headline=f"{actor.name} agrees to {what[chosen.remedy]}",
        outcome=f"Still to agree: {', '.join(missing.values())}; or the umpire, {game.umpire.name}, decides.",
        side=game.viewer(actor.id),
    )
    return Draft(kind=AGREED, report=report, action=chosen.document, side=overdue.side)


def _extended(game: Game, actor: Actor, overdue: Overdue) -> Draft:
    headline = f"{actor.name} gives {game.the_side(overdue.side)} another {MORE_HOURS} hours"
    report, action = Report(headline=headline, side=overdue.side), {"side": overdue.side, "hours": MORE_HOURS}
    return Draft(kind=EXTENDED, report=report, action=action, side=overdue.side)


def _stood_in(game: Game, actor: Actor, overdue: Overdue) -> Draft:
    """Return the draft that puts the bot in the side's seat until the turn ends."""
    headline = f"{actor.name} has the bot play this turn for {game.the_side(overdue.side)}, whose time was up"
    seat = bot_row(game, overdue.side, Level.HARD, until=game.state.turn)
    action = {"side": overdue.side, "turn": game.state.turn}
    report = Report(headline=headline, outcome=MAY_RETURN, side=overdue.side)
    return Draft(kind=STOOD_IN, report=report, action=action, side=overdue.side, also=partial(sit_bot, seat))


def _seated(game: Game, overdue: Overdue, substitute: Actor) -> Draft:
    seat = {"game": game.id, "user": substitute.id, "name": substitute.name, "side": overdue.side}
    headline = f"{substitute.name} takes a seat for {game.the_side(overdue.side)}, whose time was up"
    report, action = Report(headline=headline, side=overdue.side), {"side": overdue.side, "user": substitute.id}
    return Draft(kind=SUBSTITUTED, report=report, action=action, side=overdue.side, also=partial(_sit, seat))


def _sit(seat: dict[str, Any], connection: Connection) -> None:
    connection.execute(insert(SEATS), seat)
