"""Boards: messages that always show a game's present table. One process at a time updates a board."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, func, insert, or_, select, update
from sqlalchemy.engine import Connection

from bot.games.opponents import LEVEL, SEATED, STOOD_IN, UNSEATED
from bot.games.palettes import RECOLOURED
from bot.games.photographs import ADDED, REMOVED
from bot.games.successors import JOINED, RELIEVED
from bot.journal.game import Game
from bot.services import Games
from bot.store import Store
from bot.store.tables import BOARDS, ENTRIES, GAMES

REST = timedelta(seconds=5)
"""Minimum time between two updates of a board."""
LEASE = timedelta(minutes=1)
"""Lease duration of a claimed board. After it, another process may update the board."""

BOT_SEAT_KINDS = (SEATED, UNSEATED, LEVEL, STOOD_IN, JOINED, RELIEVED)
"""Kinds of entries after which the bot plays a side, or plays it no longer."""


@dataclass(frozen=True)
class BoardMessage:
    """The message that shows a game as of entry `seq`; `head` is the game's newest entry."""

    game: str
    channel: int
    message: int
    seq: int
    head: int


class Boards:
    """The boards of all games, as rows of the database."""

    def __init__(self, store: Store, games: Games) -> None:
        self._store, self._games = store, games

    async def find_message(self, game: Game) -> int | None:
        """Return the message id of the game's board, or None without a board."""
        async with self._store.ask() as connection:
            found: int | None = await connection.scalar(select(BOARDS.c.message).where(BOARDS.c.game == game.id))
        return found

    async def set_message(self, game: Game, message: int) -> None:
        """Store the message as the game's board, in place of an earlier board."""
        row = {"game": game.id, "message": message, "seq": game.seq, "claimed": None}

        def change(connection: Connection) -> None:
            connection.execute(delete(BOARDS).where(BOARDS.c.game == game.id))
            connection.execute(insert(BOARDS), row)

        await self._store.writer.run(change)

    async def find_outdated(self) -> Sequence[BoardMessage]:
        """Return the boards of games with newer entries, without boards that are claimed or were just updated."""
        of_game = select(func.max(ENTRIES.c.seq)).where(ENTRIES.c.game == BOARDS.c.game)
        head = of_game.correlate(BOARDS).scalar_subquery()
        asked = (
            select(BOARDS.c.game, GAMES.c.channel, BOARDS.c.message, BOARDS.c.seq, head.label("head"))
            .join(GAMES, GAMES.c.id == BOARDS.c.game)
            .where(BOARDS.c.seq < head, self._is_unclaimed())
        )
        async with self._store.ask() as connection:
            return [BoardMessage(*row) for row in await connection.execute(asked)]

    async def needs_new_card(self, board: BoardMessage) -> bool:
        """Whether the bot's seats, the photograph or the colours changed after the entry that the board shows."""
        kinds = ENTRIES.c.kind.in_((*BOT_SEAT_KINDS, ADDED, REMOVED, RECOLOURED))
        since = ENTRIES.c.game == board.game, ENTRIES.c.seq > board.seq, kinds
        async with self._store.ask() as connection:
            return await connection.scalar(select(ENTRIES.c.seq).where(*since).limit(1)) is not None

    async def claim(self, board: BoardMessage) -> bool:
        """Claim the board for this process. Return False if another process holds the claim."""
        now, claimed = self._games.clocks.now(), list[bool]()

        def claim(connection: Connection) -> None:
            still = BOARDS.c.game == board.game, BOARDS.c.message == board.message, BOARDS.c.seq == board.seq
            changed = connection.execute(update(BOARDS).where(*still, self._is_unclaimed()).values(claimed=now))
            claimed.append(changed.rowcount == 1)

        await self._store.writer.run(claim)
        return any(claimed)

    async def mark_shown(self, board: BoardMessage, seq: int) -> None:
        """Record that the board shows the game as of entry `seq`, and block further updates for the time of REST."""
        blocked = self._games.clocks.now() - LEASE + REST  # a claim that expires after REST
        await self._change(board, seq=seq, claimed=blocked)

    async def delete(self, board: BoardMessage) -> None:
        """Delete the board's row."""

        def change(connection: Connection) -> None:
            connection.execute(delete(BOARDS).where(BOARDS.c.game == board.game, BOARDS.c.message == board.message))

        await self._store.writer.run(change)

    async def _change(self, board: BoardMessage, **values: Any) -> None:
        def change(connection: Connection) -> None:
            this = BOARDS.c.game == board.game, BOARDS.c.message == board.message
            connection.execute(update(BOARDS).where(*this).values(**values))

        await self._store.writer.run(change)

    def _is_unclaimed(self) -> Any:
        return or_(BOARDS.c.claimed.is_(None), BOARDS.c.claimed <= self._games.clocks.now() - LEASE)
