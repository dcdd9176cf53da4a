"""Seat the bot on a side, set the bot's level, and unseat the bot. Each change is a journal entry."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from bot.errors import Stale, UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game, Played
from bot.journal.seats import UNTIL_RETURN, Seat, bot_user_id
from rules.core.automaton.levels import Level
from rules.core.model import PUBLIC, Viewer
from rules.core.report import Report
from rules.core.state import Side
from rules.core.typed_text import normalize_text

from .hidden_troops_notice import describe_view_change, last_played_sides
from .rights import require_may_act_for, require_umpire
from .seat_rows import NAME, delete_seat, set_bot_level, store_bot_seat
from .service import Service
from .start import find_playable_side

SEATED, UNSEATED, LEVEL = "opponent side", "opponent off", "opponent level"
STOOD_IN = "game stand in"
"""Kinds of entries. STOOD_IN seats the bot as a substitute."""
ALL = "all"
"""Name of all sides without a player."""
MAY_RETURN = "A player who acts takes the seat back at once."
NOT_ABSENT = "No player of that side is absent now, or the bot plays for it already."
NO_POSITIONS = (
    "No positions are kept in this game, and the bot needs them to play. "
    "Begin a game with positions to play against it."
)
NO_BOT = "The bot plays no side here. /opponent side seats it."


class Opponents(Service):
    """Service for the bot's seats."""

    async def seat_bot(self, channel: int, actor: Actor, side: str, level: Level, *, interaction: int = 0) -> Played:
        """Seat the bot on a side, or change the bot's level if it already plays the side.

        Raises NotAllowed unless the actor is the umpire or a player without human opponents. Raises Refused for
        an unknown side, UserError if the side has a player or the bot cannot play the game.
        """
        work = partial(_draft_seating, actor=actor, side=side, level=level)
        return await self._ledger.change(channel, actor, work, interaction=interaction)

    async def seat_substitute_bot(self, channel: int, actor: Actor, side: str, *, interaction: int = 0) -> Played:
        """Seat the bot on an absent side, until a player of this side acts.

        Raises NotAllowed unless the actor is the umpire or plays the representing side. Raises Stale if the
        side is not absent, or the bot already plays it.
        """
        work = partial(_draft_substitute_bot, actor=actor, side=side)
        return await self._ledger.change(channel, actor, work, interaction=interaction)

    async def unseat_bot(self, channel: int, actor: Actor, side: str, *, interaction: int = 0) -> Played:
        """Unseat the bot from a side. Players may unseat a bot that is their own substitute.

        Raises NotAllowed like `seat_bot`, UserError if the bot does not play the side.
        """
        work = partial(_draft_unseating, actor=actor, side=side)
        return await self._ledger.change(channel, actor, work, interaction=interaction)

    async def set_level(
        self, channel: int, actor: Actor, level: Level, side: str | None = None, *, interaction: int = 0
    ) -> Played:
        """Set the bot's level for `side`, or for every side of the bot if None. Raises like `unseat_bot`."""
        work = partial(_draft_level_change, actor=actor, level=level, side=side)
        return await self._ledger.change(channel, actor, work, interaction=interaction)


def _player_names(game: Game, side: str) -> Sequence[str]:
    """Return the names of a side's players, without the bot."""
    return [seat.name for seat in game.seats if seat.side == side and not seat.is_bot]


def groups_of_free_sides(game: Game) -> Mapping[str, tuple[Side, ...]]:
    """Return the sides without a player by group: `all`, and the coalitions that have any."""
    free = [side for side in game.open_sides if not _player_names(game, side.id)]
    groups = {name: tuple(side for side in free if side.id in ids) for name, ids in game.state.coalitions.items()}
    return {name: sides for name, sides in {ALL: tuple(free), **groups}.items() if sides}


def _find_side_group(game: Game, words: str) -> tuple[Side, ...]:
    """Return the sides without a player in the typed group, or none for an unknown group.

    A comment may follow the group's name after a colon: `all: 4 that are free`.
    """
    groups = {normalize_text(name): sides for name, sides in groups_of_free_sides(game).items()}
    return groups.get(normalize_text(words.partition(":")[0]), ())


def _draft_seating(game: Game, actor: Actor, side: str, level: Level) -> Draft:
    require_bot_can_play(game)
    chosen = _find_side_group(game, side) or (find_playable_side(game.ruleset, game.state, side),)
    require_may_seat_bot(game, actor, "seat the bot")
    if people := _player_names(game, chosen[0].id):
        raise UserError(
            f"{' and '.join(people)} already {'play' if len(people) > 1 else 'plays'} {chosen[0]:the}. The bot "
            "takes a seat that is free: /game leave gives one up."
        )
    sides = [chosen_side.id for chosen_side in chosen]
    seats = [Seat(bot_user_id(game.state, chosen_id), NAME, chosen_id, level) for chosen_id in sides]
    other_seats = [other for other in game.seats if other.user not in {seat.user for seat in seats}]
    after = replace(game, seats=(*other_seats, *seats))
    headline = f"{actor.name} has the bot ({level}) play {' and '.join(f'{chosen_side:the}' for chosen_side in chosen)}"
    report = Report(headline=headline, outcome=describe_view_change(game, after), side=PUBLIC)
    return Draft(
        SEATED,
        report,
        {"side": sides[0], "level": level.value, **_make_sides_field(sides)},
        _side_of_entry(sides),
        changes=[store_bot_seat(game, chosen_id, level) for chosen_id in sides],
    )


def _make_sides_field(sides: Sequence[str]) -> dict[str, list[str]]:
    """Return the action's field `sides` if the entry concerns several sides, else an empty dictionary."""
    return {"sides": [*sides]} if len(sides) > 1 else {}


def _side_of_entry(sides: Sequence[str]) -> Viewer:
    """Return the side stored with an entry about `sides`, or PUBLIC for several sides."""
    return sides[0] if len(sides) == 1 else PUBLIC


def _draft_substitute_bot(game: Game, actor: Actor, side: str) -> Draft:
    require_may_act_for(game, actor, side)
    require_bot_can_play(game)
    if side not in sides_for_substitute_bot(game):
        raise Stale(NOT_ABSENT)
    headline = f"{actor.name} has the bot play {game.the_side(side)}, who have missed their turns"
    return Draft(
        STOOD_IN,
        Report(headline=headline, outcome=MAY_RETURN, side=side),
        {"side": side},
        side,
        changes=[store_bot_seat(game, side, Level.HARD, until=UNTIL_RETURN)],
    )


def sides_for_substitute_bot(game: Game) -> Sequence[str]:
    """Return the absent sides on which the bot may be seated as a substitute."""
    absent = [side for side in game.state.absent_sides if side not in game.bot_seats and game.players(side)]
    return sorted(absent) if game.ruleset.values and game.state.keeps_positions and game.ended is None else ()


def _draft_unseating(game: Game, actor: Actor, side: str) -> Draft:
    group = {group_side.id for group_side in _find_side_group(game, side)}
    seats = [seat for seat in game.bot_seats.values() if seat.side in group] or find_bot_seats(game, side)
    if len(seats) > 1 or seats[0].until is None or game.viewer(actor.id) != seats[0].side:
        require_may_seat_bot(game, actor, "take the bot off a side")
    names = " and ".join(game.the_side(seat.side) for seat in seats)
    report = Report(headline=f"{actor.name} takes the bot off {names}", side=PUBLIC)
    sides = [seat.side for seat in seats]
    return Draft(
        UNSEATED,
        report,
        {"side": sides[0], **_make_sides_field(sides)},
        _side_of_entry(sides),
        changes=[delete_seat(game.id, seat.user) for seat in seats],
        fields={"held": last_played_sides(game)},
    )


def _draft_level_change(game: Game, actor: Actor, level: Level, side: str | None) -> Draft:
    sides = [seat.side for seat in find_bot_seats(game, side)]
    require_may_seat_bot(game, actor, "change how hard the bot thinks")
    names = " and ".join(map(game.the_side, sides))
    report = Report(headline=f"{actor.name} has the bot play {names} at the level {level}", side=PUBLIC)
    changes = [set_bot_level(game.id, sides, level)]
    return Draft(LEVEL, report, {"sides": sides, "level": level.value}, PUBLIC, changes=changes)


def require_may_seat_bot(game: Game, actor: Actor, action: str) -> None:
    """Raise NotAllowed unless the actor is the umpire, or a player without human opponents.

    `action` completes the refusal "Only the umpire may ...".
    """
    own = game.viewer(actor.id)
    against = [seat for seat in game.seats if not seat.is_bot and seat.side != own]
    if own == PUBLIC or against:
        require_umpire(game, actor, action, ", or a player whom nobody plays against")


def require_bot_can_play(game: Game) -> None:
    """Raise UserError if the bot cannot play the game's system, or the game keeps no positions."""
    if not game.ruleset.values:
        title = game.ruleset.title
        raise UserError(f"The bot cannot take a seat in {title}: not in this system yet. Nothing was changed.")
    if not game.state.keeps_positions:
        raise UserError(f"The bot cannot take a seat here. {NO_POSITIONS} Nothing was changed.")


def find_bot_seats(game: Game, side: str | None = None) -> Sequence[Seat]:
    """Return the bot's seat on `side`, or all seats of the bot if `side` is None. Raises UserError if there is none."""
    seats = [*game.bot_seats.values()]
    if side is not None:
        open_side = find_playable_side(game.ruleset, game.state, side)
        seats = [seat for seat in seats if seat.side == open_side.id]
    if not seats and game.bot_seats:
        plays = " and ".join(map(game.the_side, game.bot_seats))
        raise UserError(f"The bot plays {plays} here, and nothing else. Nothing was changed.")
    if not seats:
        raise UserError(NO_BOT)
    return seats
