"""Remedies for a late side. The umpire chooses a remedy, or all players of the other sides agree on one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any

from sqlalchemy import select

from bot.errors import OVER, NotAllowed, Stale, UserError
from bot.games.pass_action import side_argument
from bot.journal.drafts import Draft, NewEntry
from bot.journal.game import Actor, Game, Played
from bot.store.queries import fetch_rows
from bot.store.tables import ENTRIES
from rules.core.automaton.levels import Level
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.phases import PASS
from rules.core.refusal import Refused
from rules.core.report import Report

from .action_batch import ActionBatch
from .clock import EXTENDED, ClockReadingService
from .opponents import MAY_RETURN, STOOD_IN, require_bot_can_play
from .rights import require_uninformed_successor
from .seat_rows import insert_player_seat, store_bot_seat
from .successors import SUBSTITUTED, load_umpire_ids, make_played_sides_column

AGREED = "game agree"
"""Kind of entries: a player's consent to a remedy."""
WAIVE = "waive"
"""Argument of the pass action: waive the side's required prompts."""
MORE_HOURS = 24
OWN_FIRST = "First settle what others than the late side still owe"
NO_LONGER = "Nobody is late there any more: the game has gone on, or has been given more time."


class Remedy(StrEnum):
    """A remedy for a side that missed its deadline: pass, bot, more time, or a new player."""

    PASS = "pass"
    PLAY = "play"
    EXTEND = "extend"
    SUBSTITUTE = "seat"


@dataclass(frozen=True)
class OverdueSide:
    """A side that has missed a deadline. Its time began with the public entry number `since`."""

    game: str
    side: Viewer
    since: int


class OverdueTurns(ClockReadingService):
    """Service for remedies against late sides."""

    async def decide_remedy(
        self,
        channel: int,
        actor: Actor,
        overdue: OverdueSide,
        remedy: Remedy,
        *,
        substitute: Actor | None = None,
        interaction: int = 0,
    ) -> tuple[Played, ...]:
        """Apply the remedy if the umpire chose it or all players agree, else store the actor's consent.

        Raises Stale if the side is no longer late, NotAllowed if the actor may not decide, UserError if the
        remedy is impossible, Refused.
        """
        chosen = _ChosenRemedy(actor, overdue, remedy, substitute)
        read = partial(self._load_missing_consents, chosen=chosen)
        work = partial(self._draft_remedy, chosen=chosen, interaction=interaction)
        return await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction)

    async def require_may_decide(self, channel: int, actor: Actor, overdue: OverdueSide) -> None:
        """Raise Stale if the side is no longer late, NotAllowed if the actor may not decide."""
        game = await self._ledger.running_game(channel)
        await self._require_still_late(game, overdue)
        require_may_choose_remedy(game, actor, overdue.side)

    async def _require_still_late(self, game: Game, overdue: OverdueSide) -> None:
        if game.id != overdue.game or game.ended is not None:
            raise Stale(OVER)
        deadlines = await self._clocks.load_deadlines(game)
        deadline = next((deadline for deadline in deadlines if deadline.side == overdue.side), None)
        if deadline is None or deadline.since != overdue.since or self._clocks.now() < deadline.ends:
            raise Stale(NO_LONGER)

    async def _load_missing_consents(self, game: Game, chosen: "_ChosenRemedy") -> dict[int, str]:
        """Return the names of players who must still agree to the remedy, by user id.

        If the umpire chose the remedy, nobody else must agree. Raises Stale, NotAllowed, UserError.
        """
        await self._require_still_late(game, chosen.overdue)
        chosen.require_possible(game)
        if chosen.substitute is not None:
            umpires = await load_umpire_ids(self._ledger, game)
            require_uninformed_successor(game, chosen.substitute, chosen.overdue.side, umpires)
        if game.is_umpire(chosen.actor.id):
            return {}
        overdue = chosen.overdue
        consents = ENTRIES.c.game == game.id, ENTRIES.c.public > overdue.since, ENTRIES.c.kind == AGREED
        query = select(ENTRIES.c.actor, ENTRIES.c.action).where(*consents)
        rows = await fetch_rows(self._ledger.store, query)
        agreed = {chosen.actor.id, *(row.actor for row in rows if row.action == chosen.document)}
        other_seats = [seat for seat in game.seats if seat.side != overdue.side and not seat.is_bot]
        return {seat.user: seat.name for seat in other_seats if seat.user not in agreed}

    def _draft_remedy(
        self, game: Game, missing: Mapping[int, str], chosen: "_ChosenRemedy", interaction: int
    ) -> Draft | Sequence[NewEntry]:
        """Return the draft of the remedy, or of the actor's consent if players in `missing` must agree, too.

        A pass returns entries instead of a draft. Raises UserError, Refused.
        """
        actor, overdue, substitute = chosen.actor, chosen.overdue, chosen.substitute
        if missing:
            return _draft_consent(game, chosen, missing)
        if chosen.remedy is Remedy.PASS:
            return self._pass_turn(game, actor, overdue, interaction)
        if chosen.remedy is Remedy.PLAY:
            return _draft_bot_substitute(game, actor, overdue)
        return _draft_substitute(game, overdue, substitute) if substitute else _draft_extension(game, actor, overdue)

    def _pass_turn(self, game: Game, actor: Actor, overdue: OverdueSide, interaction: int) -> Sequence[NewEntry]:
        """Pass for the late side, and waive its required prompts.

        In some systems, this waives the required prompts of all sides. Only the umpire may then pass if another
        side has any. Raises Refused, and UserError if a pass is impossible.
        """
        batch, prompts = ActionBatch(self._ledger, game, actor, interaction), game.ruleset.open_prompts(game.state)
        owed = tuple(prompt for prompt in prompts if prompt.required and prompt.side != overdue.side)
        if not can_pass_for(game, overdue.side):
            raise UserError("It is not their turn. What they still owe, the umpire may settle: /turn status has it.")
        own_side = side_argument(game, overdue.side)
        action = game.ruleset.parse(PASS, {WAIVE: True, **own_side})
        if owed and not own_side and not game.is_umpire(actor.id):
            raise Refused(f"{OWN_FIRST}, or the umpire, {game.umpire.name}, waives it with all else.", prompts=owed)
        return [batch.perform(action, check_right=False)]


@dataclass(frozen=True)
class _ChosenRemedy:
    """The remedy chosen by `actor` for a late side."""

    actor: Actor
    overdue: OverdueSide
    remedy: Remedy
    substitute: Actor | None

    def require_possible(self, game: Game) -> None:
        """Raise NotAllowed if the actor may not decide, UserError if the remedy is impossible."""
        require_may_choose_remedy(game, self.actor, self.overdue.side)
        if self.remedy is Remedy.SUBSTITUTE:
            require_substitute_without_seat(game, self.substitute)
        if self.remedy is Remedy.PLAY:
            require_bot_can_play(game)

    @property
    def document(self) -> dict[str, Any]:
        """The stored form of a player's consent."""
        substitute_field = {"user": self.substitute.id} if self.substitute else {}
        return {"side": self.overdue.side, "since": self.overdue.since, "remedy": self.remedy.value, **substitute_field}


def can_pass_for(game: Game, side: Viewer) -> bool:
    """Whether a late side can pass now. The side must be acting, and the rules must let a pass waive prompts."""
    action = game.ruleset.actions.get(PASS)
    return side in game.state.acting_sides and action is not None and WAIVE in action.model_fields


def may_choose_remedy(game: Game, user: int, side: Viewer) -> bool:
    """Whether the user may choose a remedy for the late `side`, as umpire or player of another side."""
    return game.is_umpire(user) or game.viewer(user) not in (PUBLIC, side)


def require_may_choose_remedy(game: Game, actor: Actor, side: Viewer) -> None:
    """Raise NotAllowed unless the actor is the umpire or plays a side other than `side`."""
    if not may_choose_remedy(game, actor.id, side):
        deciders = "the players of the other sides, all together" if side != UMPIRE else "the players, all together"
        raise NotAllowed(f"This is for the umpire, {game.umpire.name}, or for {deciders}.")


def require_substitute_without_seat(game: Game, substitute: Actor | None) -> None:
    """Raise UserError if the substitute is missing, or already has a seat."""
    if substitute is None:
        raise UserError("Say who takes the seat.")
    seat = game.seat_of(substitute.id)
    if seat is not None:
        raise UserError(f"{substitute.name} already plays {game.the_side(seat.side)}. Choose somebody else.")


def _draft_consent(game: Game, chosen: _ChosenRemedy, missing: Mapping[int, str]) -> Draft:
    actor, overdue, substitute = chosen.actor, chosen.overdue, chosen.substitute
    side, new = game.the_side(overdue.side), substitute.name if substitute else ""
    remedies = {
        Remedy.PASS: f"pass on for {side}",
        Remedy.PLAY: f"have the bot play for {side}",
        Remedy.EXTEND: f"give {side} another {MORE_HOURS} hours",
        Remedy.SUBSTITUTE: f"seat {new} for {side}",
    }
    report = Report(
        headline=f"{actor.name} agrees to {remedies[chosen.remedy]}",
        outcome=f"Still to agree: {', '.join(missing.values())}; or the umpire, {game.umpire.name}, decides.",
        side=game.viewer(actor.id),
    )
    return Draft(kind=AGREED, report=report, action=chosen.document, side=overdue.side)


def _draft_extension(game: Game, actor: Actor, overdue: OverdueSide) -> Draft:
    headline = f"{actor.name} gives {game.the_side(overdue.side)} another {MORE_HOURS} hours"
    report, action = Report(headline=headline, side=overdue.side), {"side": overdue.side, "hours": MORE_HOURS}
    return Draft(kind=EXTENDED, report=report, action=action, side=overdue.side)


def _draft_bot_substitute(game: Game, actor: Actor, overdue: OverdueSide) -> Draft:
    """Draft the entry that seats the bot as the side's substitute for the present turn."""
    headline = f"{actor.name} has the bot play this turn for {game.the_side(overdue.side)}, whose time was up"
    action = {"side": overdue.side, "turn": game.state.turn}
    report = Report(headline=headline, outcome=MAY_RETURN, side=overdue.side)
    changes = [store_bot_seat(game, overdue.side, Level.HARD, until=game.state.turn)]
    return Draft(kind=STOOD_IN, report=report, action=action, side=overdue.side, changes=changes)


def _draft_substitute(game: Game, overdue: OverdueSide, substitute: Actor) -> Draft:
    headline = f"{substitute.name} takes a seat for {game.the_side(overdue.side)}, whose time was up"
    report, action = Report(headline=headline, side=overdue.side), {"side": overdue.side, "user": substitute.id}
    changes = [insert_player_seat(game.id, substitute.id, substitute.name, overdue.side)]
    fields = make_played_sides_column(game, substitute, overdue.side)
    return Draft(kind=SUBSTITUTED, report=report, action=action, side=overdue.side, changes=changes, fields=fields)
