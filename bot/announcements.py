"""Announcements: entries that a game made by itself, each stored with a row until its channel has been told of it.

A process claims the entries of one message before it sends them, and deletes their rows afterwards. After a crash the
next process finds the rows and sends the same message; Discord drops one that it has taken already.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, or_, select, update
from sqlalchemy.engine import Connection

from .deadlines import Deadlines
from .game import Game, Played
from .journal import READ_COLUMNS
from .ledger import LEASE
from .store.tables import ANNOUNCEMENTS, ENTRIES, GAMES

TRIED_FOR = timedelta(hours=1)
"""How long entries that cannot be announced are tried again while the program runs."""
BOT = -1
"""Stands for the bot on any side, whose users are below zero."""


@dataclass(frozen=True)
class Announcement:
    """The entries of one message. `since` is when the last was stored, if the message may have been sent before."""

    played: tuple[Played, ...]
    since: datetime | None = None


class Announcements(Deadlines):
    """Telling a channel of what its game did by itself, once."""

    async def claim_announcement(
        self, game: Game, done: Sequence[Played] = (), *, answering: bool = False, finished: bool = False
    ) -> Announcement | None:
        """Claim the oldest entries that make one message; None if there are none to announce now.

        A message ends with a turn, or where somebody else's entries follow. `done` are entries that this process has
        just made. With `answering`, an interaction's answer tells of them. With `finished`, leave entries alone that
        the bot is still to add to.
        """
        game, rows = await self._unannounced_rows(game, reserved=answering)
        if not rows:
            return None
        since = rows[0].at if rows[0].last is not None else None
        if since is None:
            message = _first_message(rows)
            if finished and game.bot_goes_on and _may_grow(rows, message):
                return None
            await self._claim_message(game, [row.seq for row in message], self.now() + LEASE if answering else None)
            game, rows = await self._unannounced_rows(game, reserved=answering)
        last = rows[0].last if rows else None
        if last is None:  # another process has announced them meanwhile
            return None
        known = {one.entry.seq: one for one in done}
        claimed = [row for row in rows if row.last == last]
        played = [known.get(row.seq) or await self._ledger.done_before(game, row) for row in claimed]
        told = (*played[:-1], replace(played[-1], game=game))
        return Announcement(told, since and told[-1].entry.at)

    async def note_announced(self, played: Sequence[Played]) -> None:
        """Note that the channel was told of these entries."""
        game, seqs = played[-1].game.id, [one.entry.seq for one in played]

        def note(connection: Connection) -> None:
            connection.execute(delete(ANNOUNCEMENTS).where(ANNOUNCEMENTS.c.game == game, ANNOUNCEMENTS.c.seq.in_(seqs)))

        await self._ledger.store.writer.run(note)

    async def unannounced(self, older: timedelta | None = None) -> Sequence[tuple[int, int | None]]:
        """Return the channel and guild of each running game that has entries to announce.

        With `older`, only of entries that have been left for so long, but not for ever: their process has died.
        """
        asked = (
            select(GAMES.c.channel, GAMES.c.guild)
            .distinct()
            .join(ANNOUNCEMENTS, ANNOUNCEMENTS.c.game == GAMES.c.id)
            .join(ENTRIES, (ENTRIES.c.game == GAMES.c.id) & (ENTRIES.c.seq == ANNOUNCEMENTS.c.seq))
            .where(GAMES.c.ended.is_(None), ~ENTRIES.c.undone)
        )
        if older is not None:
            left = ENTRIES.c.at.between(self.now() - TRIED_FOR, self.now() - older)
            asked = asked.where(left, self._is_free())
        async with self._ledger.store.ask() as connection:
            return [(row.channel, row.guild) for row in await connection.execute(asked)]

    async def _unannounced_rows(self, game: Game, *, reserved: bool) -> tuple[Game, Sequence[Row[Any]]]:
        """The entries to announce that stand, oldest first, with the claims on them; `reserved`: also those.

        With them comes the game as it stands after the last of them: another process may just have made it.
        """
        asked = (
            select(*READ_COLUMNS, ENTRIES.c.turn_end, ANNOUNCEMENTS.c.last)
            .join(ANNOUNCEMENTS, (ANNOUNCEMENTS.c.game == ENTRIES.c.game) & (ANNOUNCEMENTS.c.seq == ENTRIES.c.seq))
            .join(GAMES, GAMES.c.id == ENTRIES.c.game)
            .where(ENTRIES.c.game == game.id, ~ENTRIES.c.undone, GAMES.c.ended.is_(None))
            .order_by(ENTRIES.c.seq)
        )
        async with self._ledger.store.ask() as connection:
            found = await connection.execute(asked if reserved else asked.where(self._is_free()))
            rows = [*found]
        return (await self._ledger.by_id(game.id) if rows and rows[-1].seq > game.seq else game), rows

    async def _claim_message(self, game: Game, seqs: Sequence[int], reserved: datetime | None) -> None:
        """Claim the entries for one message, except those that are claimed for another."""
        there = ANNOUNCEMENTS.c.game == game.id, ANNOUNCEMENTS.c.seq.in_(seqs), ANNOUNCEMENTS.c.last.is_(None)

        def claim(connection: Connection) -> None:
            connection.execute(update(ANNOUNCEMENTS).where(*there).values(last=seqs[-1], reserved=reserved))

        await self._ledger.store.writer.run(claim)

    def _is_free(self) -> ColumnElement[bool]:
        """The condition that no answer to an interaction is about to tell of the entry."""
        return or_(ANNOUNCEMENTS.c.reserved.is_(None), ANNOUNCEMENTS.c.reserved <= self.now())


def _first_message(rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
    """The entries of the first message: the bot's, or one actor's, up to the end of a turn."""
    own = [*takewhile(lambda row: _announcer(row) == _announcer(rows[0]), rows)]
    before_end = sum(1 for _ in takewhile(lambda row: not row.turn_end, own))
    return own[: before_end + 1]


def _may_grow(rows: Sequence[Row[Any]], message: Sequence[Row[Any]]) -> bool:
    """Whether the bot's next decision would be told with these entries."""
    return len(message) == len(rows) and message[0].actor < 0 and not message[-1].turn_end


def _announcer(row: Row[Any]) -> int:
    """Who acts in the message of an entry: both sides of the bot are told together."""
    return max(int(row.actor), BOT)
