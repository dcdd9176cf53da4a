"""Announce journal entries that a game made without a player's interaction.

A process claims the entries of one message, sends it, then deletes the rows. After a crash the next process finds the
rows and sends the same message. Discord drops a message whose nonce it has already taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, or_, select, update
from sqlalchemy.engine import Connection

from bot.games.clock import Clocks
from bot.journal.drafts import READ_COLUMNS
from bot.journal.game import Game, Played
from bot.journal.ledger import LEASE, Ledger
from bot.store.tables import ANNOUNCEMENTS, ENTRIES, GAMES

TRIED_FOR = timedelta(hours=1)
"""How long a running program retries entries that cannot be announced."""
BOT = -1
"""Stands for the bot on any side; bot users have ids below zero."""


@dataclass(frozen=True)
class Announcement:
    """The entries of one message.

    `since` is when the last entry was stored, if the message may have been sent before.
    """

    played: tuple[Played, ...]
    since: datetime | None = None


class Announcements:
    """Announces entries to their channel exactly once."""

    def __init__(self, ledger: Ledger, clocks: Clocks) -> None:
        self._ledger = ledger
        self._clocks = clocks

    async def claim(
        self, game: Game, done: Sequence[Played] = (), *, answering: bool = False, finished: bool = False
    ) -> Announcement | None:
        """Claim the oldest entries that make one message, or return None if there are none to announce now.

        A message ends with a turn, or where entries of another actor follow. `done` are entries that this process has
        just made. With `answering`, an interaction's answer announces the entries. With `finished`, skip messages to
        which the bot will still add.
        """
        game, rows = await self._unannounced_rows(game, reserved=answering)
        if not rows:
            return None
        since = rows[0].at if rows[0].last is not None else None
        if since is None:
            message = _first_message(rows)
            if finished and game.bot_goes_on and _may_grow(rows, message):
                return None
            await self._claim_message(
                game, [row.seq for row in message], self._clocks.now() + LEASE if answering else None
            )
            game, rows = await self._unannounced_rows(game, reserved=answering)
        last = rows[0].last if rows else None
        if last is None:  # another process has announced them meanwhile
            return None
        known = {one.entry.seq: one for one in done}
        claimed = [row for row in rows if row.last == last]
        played = [known.get(row.seq) or await self._ledger.load_played(game, row) for row in claimed]
        told = (*played[:-1], replace(played[-1], game=game))
        return Announcement(told, since and told[-1].entry.at)

    async def note(self, played: Sequence[Played]) -> None:
        """Delete the rows of these entries: the channel was told."""
        game, seqs = played[-1].game.id, [one.entry.seq for one in played]

        def note(connection: Connection) -> None:
            connection.execute(delete(ANNOUNCEMENTS).where(ANNOUNCEMENTS.c.game == game, ANNOUNCEMENTS.c.seq.in_(seqs)))

        await self._ledger.store.writer.run(note)

    async def unannounced(self, older: timedelta | None = None) -> Sequence[tuple[int, int | None]]:
        """Return the channel and guild of each running game that has entries to announce.

        With `older`, return only games whose entries are older than that and younger than `TRIED_FOR`: the process that
        made them has died.
        """
        asked = (
            select(GAMES.c.channel, GAMES.c.guild)
            .distinct()
            .join(ANNOUNCEMENTS, ANNOUNCEMENTS.c.game == GAMES.c.id)
            .join(ENTRIES, (ENTRIES.c.game == GAMES.c.id) & (ENTRIES.c.seq == ANNOUNCEMENTS.c.seq))
            .where(GAMES.c.ended.is_(None), ~ENTRIES.c.undone)
        )
        if older is not None:
            left = ENTRIES.c.at.between(self._clocks.now() - TRIED_FOR, self._clocks.now() - older)
            asked = asked.where(left, self._is_free())
        async with self._ledger.store.ask() as connection:
            return [(row.channel, row.guild) for row in await connection.execute(asked)]

    async def _unannounced_rows(self, game: Game, *, reserved: bool) -> tuple[Game, Sequence[Row[Any]]]:
        """Return the game and its entries to announce that are not undone, oldest first, with their claims.

        With `reserved`, include entries that an interaction's answer is about to announce. The game is reloaded if
        another process has added entries since.
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
        """Claim the entries for one message, except entries already claimed for another message."""
        there = ANNOUNCEMENTS.c.game == game.id, ANNOUNCEMENTS.c.seq.in_(seqs), ANNOUNCEMENTS.c.last.is_(None)

        def claim(connection: Connection) -> None:
            connection.execute(update(ANNOUNCEMENTS).where(*there).values(last=seqs[-1], reserved=reserved))

        await self._ledger.store.writer.run(claim)

    def _is_free(self) -> ColumnElement[bool]:
        """Return the SQL condition that no interaction's answer is about to announce the entry."""
        return or_(ANNOUNCEMENTS.c.reserved.is_(None), ANNOUNCEMENTS.c.reserved <= self._clocks.now())


def _first_message(rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
    """Return the entries of the first message: entries of the bot or of one actor, up to the end of a turn."""
    own = [*takewhile(lambda row: _announcer(row) == _announcer(rows[0]), rows)]
    before_end = sum(1 for _ in takewhile(lambda row: not row.turn_end, own))
    return own[: before_end + 1]


def _may_grow(rows: Sequence[Row[Any]], message: Sequence[Row[Any]]) -> bool:
    """Whether the bot's next decision would belong to this message too."""
    return len(message) == len(rows) and message[0].actor < 0 and not message[-1].turn_end


def _announcer(row: Row[Any]) -> int:
    """Return the actor of an entry's message. Both sides of the bot share a message."""
    return max(int(row.actor), BOT)
