"""A line that says whom a game waits for."""

from bot.journal.game import Game
from bot.journal.seats import describe_seat_holder
from rules.core.model import UMPIRE

from .card import safe

LAST = " You are the last."


def waiting_for_line(game: Game, *, last: bool = False) -> str:
    """Return `Waiting for musa (Army of Osman Digna).`, or an empty string if the game waits for no person.

    With `last`, add `You are the last.`: the other players have acted.
    """
    waits = []
    for side in sorted(game.awaited_viewers):
        if side == UMPIRE:
            waits.append(f"{safe(game.umpire.name)} (umpire)")
            continue
        people = [describe_seat_holder(seat) for seat in game.players(side) if not seat.is_bot]
        name = safe(game.name_of(side))
        waits.append(f"{safe(' or '.join(people))} ({name})" if people else f"{name}, which nobody plays yet")
    return f"-# Waiting for {', '.join(waits)}.{LAST if last else ''}" if waits else ""
