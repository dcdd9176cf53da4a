"""Load the times in which a game's clock stands still: pauses of the whole game, and absences of players."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.tables import GAMES, SEATS, STOPS
from rules.core.model import UMPIRE, Viewer

from .turn_time import ClockStop, intersect_stops, limit_absences

EVERYONE = 0
"""User id of a stop for the whole game."""


@dataclass(frozen=True)
class GameStops:
    """Stops of a game's clock: each user's absences by user id, and pauses under the id EVERYONE."""

    by_user: Mapping[int, Sequence[ClockStop]]
    players: Mapping[Viewer, Sequence[int]]

    @property
    def pauses(self) -> Sequence[ClockStop]:
        """Pauses of the whole game."""
        return self.by_user.get(EVERYONE, ())

    def absences_of_user(self, user: int, most_days: int) -> tuple[ClockStop, ...]:
        """Return the user's absences that hold up the game, at most `most_days` days in all."""
        return limit_absences(self.by_user.get(user, ()), timedelta(days=most_days))

    def stops_of_side(self, side: Viewer, most_days: int) -> tuple[ClockStop, ...]:
        """Return the stops of a side's clock: pauses, and times when all its players are absent."""
        absences = [self.absences_of_user(user, most_days) for user in self.players.get(side, ())]
        all_absent = reduce(intersect_stops, absences) if absences else ()
        return *self.pauses, *all_absent


async def load_stops(connection: AsyncConnection, game: str) -> GameStops:
    """Return the pauses and absences of a game."""
    query = select(STOPS.c.user, STOPS.c.begins, STOPS.c.ends).where(STOPS.c.game == game)
    rows = (await connection.execute(query)).all()
    if not rows:
        return GameStops({}, {})
    seat_query = select(SEATS.c.side, SEATS.c.user).where(SEATS.c.game == game, SEATS.c.level.is_(None))
    seats = (await connection.execute(seat_query)).all()
    umpire: int | None = await connection.scalar(select(GAMES.c.umpire).where(GAMES.c.id == game))
    players, by_user = defaultdict[Viewer, list[int]](list), defaultdict[int, list[ClockStop]](list)
    for seat in seats:
        players[seat.side].append(seat.user)
    for row in rows:
        by_user[row.user].append(ClockStop(row.begins, row.ends))
    if umpire is not None:
        players[UMPIRE].append(umpire)
    return GameStops(by_user, players)
