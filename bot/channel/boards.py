"""Boards: messages that always show a game's current table. One process at a time updates a board."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from bot.games.game_settings import RECOLOURED
from bot.games.opponents import LEVEL, SEATED, STOOD_IN, UNSEATED
from bot.games.photographs import ADDED, REMOVED
from bot.games.successors import JOINED, RELIEVED
from bot.journal.game import Game
from bot.services import Games
from bot.store import Store
from bot.store.changes import unclaimed_condition
from bot.store.queries import fetch_row, fetch_rows, fetch_value
from bot.store.tables import BOARDS, ENTRIES, GAMES

REST = timedelta(seconds=5)
"""Minimum time between two updates of a board."""
LEASE = timedelta(minutes=1)
"""Lease duration of a claimed board. After it, another process may update the board."""

BOT_SEAT_KINDS = (SEATED, UNSEATED, LEVEL, STOOD_IN, JOINED, RELIEVED)
"""Kinds of entries that seat or unseat the bot, or change its level."""


@dataclass(frozen=True)
class BoardMessage:
    """The message that shows a game's table after entry `seq`. `head` is the number of the game's newest entry."""

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
        return await fetch_value(self._store, select(BOARDS.c.message).where(BOARDS.c.game == game.id))

    async def set_message(self, game: Game, message: int) -> None:
        """Store the message as the game's board, in place of an earlier board."""
        clear = delete(BOARDS).where(BOARDS.c.game == game.id)
        row = insert(BOARDS).values(game=game.id, message=message, seq=game.seq, claimed=None)
        await self._store.writer.execute(clear, row)

    async def find_outdated_boards(self) -> Sequence[BoardMessage]:
        """Return the boards of games with newer entries, except claimed or just updated boards."""
        of_game = select(func.max(ENTRIES.c.seq)).where(ENTRIES.c.game == BOARDS.c.game)
        head = of_game.correlate(BOARDS).scalar_subquery()
        query = (
            select(BOARDS.c.game, GAMES.c.channel, BOARDS.c.message, BOARDS.c.seq, head.label("head"))
            .join(GAMES, GAMES.c.id == BOARDS.c.game)
            .where(BOARDS.c.seq < head, self._unclaimed_condition())
        )
        return [BoardMessage(*row) for row in await fetch_rows(self._store, query)]

    async def needs_new_card(self, board: BoardMessage) -> bool:
        """Whether the buttons or pictures on the board are outdated.

        Newer entries than the board's may have changed the bot's seats, the photograph or the colours.
        """
        kinds = ENTRIES.c.kind.in_((*BOT_SEAT_KINDS, ADDED, REMOVED, RECOLOURED))
        newer_entries = ENTRIES.c.game == board.game, ENTRIES.c.seq > board.seq, kinds
        return await fetch_row(self._store, select(ENTRIES.c.seq).where(*newer_entries).limit(1)) is not None

    async def claim(self, board: BoardMessage) -> bool:
        """Claim the board for this process. Return False if another process holds the claim."""
        claim = update(BOARDS).where(*_row_conditions(board), BOARDS.c.seq == board.seq, self._unclaimed_condition())
        return await self._store.writer.execute(claim.values(claimed=self._games.clocks.now())) == 1

    async def mark_shown(self, board: BoardMessage, seq: int) -> None:
        """Record that the board shows the game after entry `seq`, and prevent updates for the time REST."""
        blocked = self._games.clocks.now() - LEASE + REST  # a claim that expires after REST
        shown = update(BOARDS).where(*_row_conditions(board)).values(seq=seq, claimed=blocked)
        await self._store.writer.execute(shown)

    async def delete(self, board: BoardMessage) -> None:
        """Delete the board's row."""
        await self._store.writer.execute(delete(BOARDS).where(*_row_conditions(board)))

    def _unclaimed_condition(self) -> ColumnElement[bool]:
        return unclaimed_condition(BOARDS, self._games.clocks.now() - LEASE)


def _row_conditions(board: BoardMessage) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return BOARDS.c.game == board.game, BOARDS.c.message == board.message
