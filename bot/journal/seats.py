"""Seats in a game: of players, and of the bot."""

from dataclasses import dataclass

from rules.core.automaton.levels import Level
from rules.core.state import State

UNTIL_RETURN = 0
"""Value of a bot seat's `until`: the bot keeps the seat until a player of the side acts."""


@dataclass(frozen=True)
class Seat:
    """A player's or the bot's seat in a game."""

    user: int
    """Discord user id of the player, or a negative number for the bot."""
    name: str
    side: str
    level: Level | None = None
    """Level of the bot, or None for a player."""
    rests: int | None = None
    """Entry in whose state the bot rests: while this is the present state, the bot waits for a request."""
    until: int | None = None
    """None for a permanent seat; for a substitute, the only turn of the seat, or UNTIL_RETURN."""

    @property
    def is_bot(self) -> bool:
        """Whether the bot holds this seat."""
        return self.level is not None


def bot_user_id(state: State, side: str) -> int:
    """Return the bot's user id on `side`: a negative number, unused by Discord."""
    return -1 - [other.id for other in state.sides].index(side)


def is_seat_active(until: int | None, turn: int) -> bool:
    """Whether a seat is in use in this turn. For `until`, see `Seat`."""
    return until in (None, UNTIL_RETURN, turn)


def describe_seat_holder(seat: Seat) -> str:
    """Return the name of the player in the seat, or a description of the bot with its level."""
    if not seat.is_bot:
        return seat.name
    duration = "until they act" if seat.until == UNTIL_RETURN else "for this turn"
    return f"played by the bot ({seat.level})" if seat.until is None else f"the bot ({seat.level}) {duration}"
