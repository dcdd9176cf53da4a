"""Announcements: messages about journal entries that no interaction has shown in the channel.

A process claims a message's entries, sends the message, then deletes the entries' announcement rows. After a crash, the
next process sends the message again. Discord drops a second copy, because both have the same nonce.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import takewhile
from typing import Any

from sqlalchemy import ColumnElement, Row, delete, or_, select, update

from bot.journal.drafts import READ_COLUMNS
from bot.journal.game import Game, Played
from bot.journal.ledger import LEASE
from bot.store.queries import fetch_rows
from bot.store.tables import ANNOUNCEMENTS, ENTRIES, GAMES

from .clock import ClockReadingService

TRIED_FOR = timedelta(hours=1)
"""Maximum age of an entry that running processes still try to announce."""
BOT = -1
"""Stands for the bot as the actor of an entry, on any side. The bot has a negative user id for each side."""


@dataclass(frozen=True)
class Announcement:
    """The entries that one message announces.

    `since` is the time of the last entry if another process may have sent the message, else None.
    """

    played: tuple[Played, ...]
    since: datetime | None = None


class Announcements(ClockReadingService):
    """Service for announcements. Every entry is announced once in the game's channel."""

    async def claim(
        self, game: Game, just_played: Sequence[Played] = (), *, answering: bool = False, finished: bool = False
    ) -> Announcement | None:
        """Claim the oldest unannounced entries that belong in one message, or return None.

        With `answering`, the message answers an interaction. With `finished`, return None if the bot will add
        entries to the same message.
        """
        game, rows = await self._load_unannounced_rows(game, reserved=answering)
        if not rows:
            return None
        since = rows[0].at if rows[0].last is not None else None
        if since is None:
            message = _rows_of_first_message(rows)
            can_grow = len(message) == len(rows) and message[0].actor < 0 and not message[-1].turn_end
            if finished and game.will_bot_act and can_grow:
                return None
            seqs, reserved = [row.seq for row in message], self._clocks.now() + LEASE if answering else None
            await self._claim_message(game, seqs, reserved)
            game, rows = await self._load_unannounced_rows(game, reserved=answering)
        last = rows[0].last if rows else None
        if last is None:  # another process has announced them meanwhile
            return None
        known_actions = {action.entry.seq: action for action in just_played}
        claimed_rows, load = [row for row in rows if row.last == last], self._ledger.load_played_action
        played = [known_actions.get(row.seq) or await load(game, row) for row in claimed_rows]
        announced = (*played[:-1], replace(played[-1], game=game))
        return Announcement(announced, since and announced[-1].entry.at)

    async def delete_sent_announcements(self, played: Sequence[Played]) -> None:
        """Delete the announcement rows of entries that were sent to the game's channel."""
        numbers = [action.entry.seq for action in played]
        conditions = ANNOUNCEMENTS.c.game == played[-1].game.id, ANNOUNCEMENTS.c.seq.in_(numbers)
        await self._ledger.store.writer.execute(delete(ANNOUNCEMENTS).where(*conditions))

    async def find_channels_with_announcements(
        self, older: timedelta | None = None
    ) -> Sequence[tuple[int, int | None]]:
        """Return the channel and guild of each running game with unannounced entries.

        With `older`, count only entries that a process has probably abandoned. They are from `older` to
        `TRIED_FOR` old, and not reserved for an answer.
        """
        query = (
            select(GAMES.c.channel, GAMES.c.guild)
            .distinct()
            .join(ANNOUNCEMENTS, ANNOUNCEMENTS.c.game == GAMES.c.id)
            .join(ENTRIES, (ENTRIES.c.game == GAMES.c.id) & (ENTRIES.c.seq == ANNOUNCEMENTS.c.seq))
            .where(GAMES.c.ended.is_(None), ~ENTRIES.c.undone)
        )
        if older is not None:
            abandoned = ENTRIES.c.at.between(self._clocks.now() - TRIED_FOR, self._clocks.now() - older)
            query = query.where(abandoned, self._unreserved_condition())
        return [(row.channel, row.guild) for row in await fetch_rows(self._ledger.store, query)]

    async def _load_unannounced_rows(self, game: Game, *, reserved: bool) -> tuple[Game, Sequence[Row[Any]]]:
        """Return the game, loaded again if it has newer entries, and the rows of its unannounced entries.

        A row's column `last` identifies the message that has claimed the entry, if any. `reserved` adds entries
        reserved for the answer to an interaction.
        """
        query = (
            select(*READ_COLUMNS, ENTRIES.c.turn_end, ANNOUNCEMENTS.c.last)
            .join(ANNOUNCEMENTS, (ANNOUNCEMENTS.c.game == ENTRIES.c.game) & (ANNOUNCEMENTS.c.seq == ENTRIES.c.seq))
            .join(GAMES, GAMES.c.id == ENTRIES.c.game)
            .where(ENTRIES.c.game == game.id, ~ENTRIES.c.undone, GAMES.c.ended.is_(None))
            .order_by(ENTRIES.c.seq)
        )
        rows = await fetch_rows(self._ledger.store, query if reserved else query.where(self._unreserved_condition()))
        return (await self._ledger.game_by_id(game.id) if rows and rows[-1].seq > game.seq else game), rows

    async def _claim_message(self, game: Game, seqs: Sequence[int], reserved: datetime | None) -> None:
        """Claim the entries numbered `seqs` for one message, without already claimed entries.

        The last number in `seqs` identifies the claim.
        """
        conditions = ANNOUNCEMENTS.c.game == game.id, ANNOUNCEMENTS.c.seq.in_(seqs), ANNOUNCEMENTS.c.last.is_(None)
        claim = update(ANNOUNCEMENTS).where(*conditions).values(last=seqs[-1], reserved=reserved)
        await self._ledger.store.writer.execute(claim)

    def _unreserved_condition(self) -> ColumnElement[bool]:
        """Return the SQL condition for entries that are not reserved for the answer to an interaction."""
        return or_(ANNOUNCEMENTS.c.reserved.is_(None), ANNOUNCEMENTS.c.reserved <= self._clocks.now())


def _rows_of_first_message(rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
    """Return the rows of the oldest entries that belong in one message.

    These are entries of one user, or of the bot on any side, up to the end of a turn.
    """
    own = [*takewhile(lambda row: _announced_actor(row) == _announced_actor(rows[0]), rows)]
    before_end = sum(1 for _ in takewhile(lambda row: not row.turn_end, own))
    return own[: before_end + 1]


def _announced_actor(row: Row[Any]) -> int:
    """Return the user id of the entry's actor, or BOT for any seat of the bot."""
    return max(int(row.actor), BOT)
