"""Seats in a game: of players, and of the bot."""

from dataclasses import dataclass

from rules.core.automaton.levels import Level
from rules.core.state import State

RETURN = 0
"""Value of a seat's `until` in place of a turn: the bot keeps the seat until a player of the side acts."""


@dataclass(frozen=True)
class Seat:
    """A player's or the bot's seat in a game. A bot seat has a level and a negative user id.

    In the state of entry `rests`, the bot acts only on request. `until` is None for a permanent seat. The bot as a
    substitute keeps the seat in turn `until`, or with RETURN until a player of the side acts.
    """

    user: int
    name: str
    side: str
    level: Level | None = None
    rests: int | None = None
    until: int | None = None

    @property
    def is_bot(self) -> bool:
        """Whether the bot holds this seat."""
        return self.level is not None


def bot_user_id(state: State, side: str) -> int:
    """Return the bot's user id on `side`: a negative number, unused by Discord."""
    return -1 - [other.id for other in state.sides].index(side)


def is_seat_active(until: int | None, turn: int) -> bool:
    """Whether the holder of a seat with this `until` plays the side in this turn."""
    return until in (None, RETURN, turn)


def describe_seat_holder(seat: Seat) -> str:
    """Return the name of the seat's holder, or the bot with its level."""
    if not seat.is_bot:
        return seat.name
    duration = "until they act" if seat.until == RETURN else "for this turn"
    return f"played by the bot ({seat.level})" if seat.until is None else f"the bot ({seat.level}) {duration}"
