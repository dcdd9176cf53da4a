"""Import a game. A separate process checks the whole file before anything is written."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from sqlalchemy import Table, insert
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from bot.errors import GameRunning
from bot.game_file.format import ExportedSeed
from bot.games.new_game import SeedColumns, make_game_id, make_seed_row, require_free_channel
from bot.jobs import game_import as jobs
from bot.jobs.game_import import ImportContext, ImportedRows, Row
from bot.journal.game import Actor, Game
from bot.journal.ledger import Ledger
from bot.store.tables import ENTRIES, GAMES, PHOTOGRAPHS, PICTURES, SEATS, SEEDS

from .service import InspectionService
from .successors import last_played_sides_in_file

ROWS_PER_STATEMENT = 100
"""Maximum number of rows per INSERT statement. Other tasks run between two statements."""


class Importer(InspectionService):
    """Service that imports games."""

    async def import_game(
        self,
        channel: int,
        guild: int | None,
        actor: Actor,
        fetch: Callable[[], Awaitable[bytes]] | bytes,
        *,
        interaction: int = 0,
    ) -> Game:
        """Import a game file with the actor as umpire, and add an entry about the import.

        Only the bot gets seats; players must join again. If the interaction is repeated, return the game
        imported before. Raises GameRunning, BadFile, UserError.
        """
        if played := await self._ledger.find_played_action(channel, interaction):
            return played.game
        try:
            await require_free_channel(self._ledger, channel)
            origin = ImportContext(make_game_id(), channel, guild, actor, interaction)
            async with self._inspections.reserve_worker_for_member(actor.id) as run:
                file = fetch if isinstance(fetch, bytes) else await fetch()
                rows = await run(jobs.read_imported_rows, file, dict(self._ledger.rulesets), origin)
            last_sides = last_played_sides_in_file(rows.entries, actor.id)
            async with self._ledger.lock(channel):
                await _insert_game(self._ledger, replace(rows, game={**rows.game, "held": last_sides}))
                return await self._ledger.game_by_id(origin.game)
        except GameRunning:  # another process may just have imported the game for the same interaction
            if played := await self._ledger.find_played_action(channel, interaction):
                return played.game
            raise


async def _insert_game(ledger: Ledger, rows: ImportedRows) -> None:
    """Write an imported game in one transaction. Raises GameRunning if a game runs in the channel already."""
    game = str(rows.game["id"])
    try:
        async with ledger.store.write() as session:
            await _insert_rows(session, GAMES, [rows.game])
            await _insert_rows(session, SEATS, rows.seats)
            await _insert_rows(session, SEEDS, _make_seed_rows(game, rows.seeds))
            await _insert_rows(session, ENTRIES, rows.entries)
            await _insert_rows(session, PHOTOGRAPHS, rows.photographs)
            await _insert_rows(session, PICTURES, rows.pictures)
    except IntegrityError:
        await require_free_channel(ledger, int(rows.game["channel"]))
        raise


async def _insert_rows(session: AsyncSession, table: Table, rows: Sequence[Row]) -> None:
    for first in range(0, len(rows), ROWS_PER_STATEMENT):
        await session.execute(insert(table), list(rows[first : first + ROWS_PER_STATEMENT]))


def _make_seed_rows(game: str, seeds: Sequence[ExportedSeed]) -> list[SeedColumns]:
    """Return rows for the file's seeds, and new seeds where the newest cannot be used.

    The open and the hidden dice have separate seeds. A seed that is missing in the file or already revealed cannot
    be used.
    """
    rows: list[SeedColumns] = [
        {
            **seed.model_dump(exclude={"secret"}),
            "game": game,
            "seed": bytes.fromhex(seed.secret) if seed.secret else None,
        }
        for seed in seeds
    ]
    for hidden in (False, True):
        newest = max((row for row in rows if row["hidden"] == hidden), key=lambda row: row["epoch"], default=None)
        if newest is None or newest["seed"] is None or newest["revealed"]:
            rows.append(make_seed_row(game, newest["epoch"] + 1 if newest else 1, hidden=hidden, tag=game))
    return rows
