"""Join a side, leave a seat, and appoint another umpire. Each change is a journal entry."""

from dataclasses import replace
from functools import partial

from bot.errors import OVER, Stale, UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game
from rules.core.model import PUBLIC
from rules.core.report import Report

from .hidden_troops_notice import OF_A_SEAT, describe_who_sees_all, last_played_sides
from .rights import CHANNEL_TOO, require_umpire, require_uninformed_successor
from .seat_rows import delete_seat, insert_player_seat
from .service import Service
from .start import find_playable_side
from .successors import APPOINTED, JOINED, LEFT, RELIEVED, has_umpire_seen_hidden_facts, load_umpire_ids


class Seats(Service):
    """Service for players' seats and the umpire's role."""

    async def join(
        self, channel: int, actor: Actor, side: str, *, game_id: str | None = None, interaction: int = 0
    ) -> Game:
        """Seat the actor on a side, in place of the bot if it plays the side.

        Raises Refused for an unknown side, UserError if the actor has a seat, Stale if a game other than
        `game_id` runs. If units may be hidden, raises NotAllowed for former umpires and former players of
        another side.
        """
        read = partial(load_umpire_ids, self._ledger)
        work = partial(_draft_join, actor=actor, side=side, game_id=game_id)
        played = await self._ledger.read_and_change(channel, actor, read, work, interaction=interaction)
        return played[0].game

    async def leave(self, channel: int, actor: Actor, *, interaction: int = 0) -> Game:
        """Give up the actor's seat. Raises UserError if the actor has none."""
        work = partial(_draft_leave, actor=actor)
        return (await self._ledger.change(channel, actor, work, interaction=interaction)).game

    async def appoint_umpire(
        self, channel: int, actor: Actor, umpire: Actor, *, manages: bool = False, interaction: int = 0
    ) -> Game:
        """Make `umpire` the umpire of the game.

        Raises NotAllowed unless the actor is the umpire or `manages` the channel, and UserError if `umpire` is
        the umpire already.
        """
        work = partial(_draft_appointment, actor=actor, umpire=umpire, manages=manages)
        return (await self._ledger.change(channel, actor, work, interaction=interaction)).game


def _draft_join(game: Game, umpires: frozenset[int], actor: Actor, side: str, game_id: str | None) -> Draft:
    if game_id not in (None, game.id):
        raise Stale(OVER)
    chosen = find_playable_side(game.ruleset, game.state, side)
    if own := game.seat_of(actor.id):
        raise UserError(f"You already play {game.the_side(own.side)}. Give that seat up first with /game leave.")
    require_uninformed_successor(
        game, actor, chosen.id, umpires - {game.umpire.id}
    )  # the umpire may play; the report says so
    bots = [seat for seat in game.seats if seat.side == chosen.id and seat.is_bot and seat.until is None]
    headline = f"{actor.name} plays {chosen:the}{', in place of the bot' if bots else ''}"
    earlier_sides = last_played_sides(game) if bots else {str(user): last for user, last in game.last_sides.items()}
    last_sides = {**earlier_sides, str(actor.id): chosen.id}
    notice = OF_A_SEAT if game.state.can_have_hidden_units and game.is_umpire(actor.id) else ""
    report = Report(headline=headline, outcome=notice, side=chosen.id)
    new = insert_player_seat(game.id, actor.id, actor.name, chosen.id)
    changes = [*(delete_seat(game.id, bot.user) for bot in bots), new]
    return Draft(RELIEVED if bots else JOINED, report, side=chosen.id, changes=changes, fields={"held": last_sides})


def _draft_leave(game: Game, actor: Actor) -> Draft:
    own = game.seat_of(actor.id)
    if own is None and game.is_umpire(actor.id):
        raise UserError("You are the umpire: appoint another with /umpire appoint, or end the game with /game end.")
    if own is None:
        raise UserError("You have no seat in this game. Take one with /game join.")
    report = Report(headline=f"{actor.name} no longer plays {game.the_side(own.side)}", side=own.side)
    return Draft(LEFT, report, side=own.side, changes=[delete_seat(game.id, actor.id)])


def _draft_appointment(game: Game, actor: Actor, umpire: Actor, *, manages: bool) -> Draft:
    if not manages:
        require_umpire(game, actor, "appoint another", CHANNEL_TOO)
    if umpire.id == game.umpire.id:
        raise UserError(f"{umpire.name} is already the umpire.")
    outcome = describe_who_sees_all(replace(game, umpire=umpire)) if game.state.can_have_hidden_units else ""
    report = Report(headline=f"{actor.name} makes {umpire.name} the umpire", outcome=outcome, side=PUBLIC)
    action = {"former": game.umpire.id, "umpire": umpire.id, "knew": has_umpire_seen_hidden_facts(game)}
    fields = {"umpire": umpire.id, "umpire_name": umpire.name, "held": last_played_sides(game)}
    return Draft(APPOINTED, report, action=action, fields=fields)
