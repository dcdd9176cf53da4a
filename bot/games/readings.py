"""Long readings of a game: its entries are read as they are stored, and workers make the result."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import JSON, ColumnElement, Text, cast, null, select

from bot.jobs.dice_check import Verification, measure_luck, verify_throws
from bot.jobs.game_export import ExportedFile, StoredSeed, export_game
from bot.jobs.journal_lines import Line
from bot.jobs.replay import Film, make_film
from bot.journal.drafts import may_read
from bot.journal.game import Actor, Entry, Game
from bot.journal.ledger import Ledger
from bot.reports.job import write_report
from bot.store.tables import ENTRIES, SEEDS
from bot.workers import Workers
from rules.core.dice import Luck
from rules.core.model import PUBLIC, UMPIRE, Viewer

from .history import illustrations, kept_states, last_turns, photographs, shots, turn_starts

BATCH = 200
"""Rows taken from the database at a time, so that the event loop does other things between."""

LARGEST_PAGE = 9_500_000
"""Bytes of a report; Discord's limit is 10 MiB, the message around it included."""

STATE = "state"


class Readings:
    """Everything that reads much of a game."""

    def __init__(self, ledger: Ledger, workers: Workers) -> None:
        self._ledger = ledger
        self._workers = workers

    async def page(self, game: Game, viewer: Viewer, style: str = "html", largest: int = LARGEST_PAGE) -> str:
        """Return the after-action report, as `viewer` may know it: "html" (self-contained, with maps) or "markdown".

        The page is of at most `largest` bytes. Of a game that cannot be read it has no maps.
        """
        async with self._workers.long_job_slot():
            seen_as = viewer if game.state_is_readable else PUBLIC
            told = await lines(self._ledger, game, seen_as)
            starts = await turn_starts(self._ledger, game) if style == "html" and game.state_is_readable else ()
            lain = await photographs(self._ledger, game) if starts else ()
            shown = await illustrations(self._ledger, game) if style == "html" else ()
            return await self._workers.run(write_report, game, told, starts, seen_as, style, largest, lain, shown)

    async def export(self, game: Game, actor: Actor) -> ExportedFile:
        """Return the game's file as the actor may read it; unreadable entries contain results only.

        Of a game that cannot be read, nobody gets a state or an entry that is not for everyone.
        """
        async with self._workers.long_job_slot():
            told = await lines(
                self._ledger, game, UMPIRE if game.state_is_readable else PUBLIC, states=game.state_is_readable
            )
            seeds, lain = await stored_seeds(self._ledger, game), await photographs(self._ledger, game)
            shown = await illustrations(self._ledger, game)
            return await self._workers.run(
                export_game, game, told, seeds, game.viewer(actor.id), lain, illustrations=shown
            )

    async def verify(self, game: Game, viewer: Viewer = UMPIRE) -> Verification:
        """Recomputes every throw that the viewer may see, undone ones too, and compares what the reports showed."""
        async with self._workers.long_job_slot():
            seeds = {one.seal: one.seed for one in await stored_seeds(self._ledger, game) if one.seed is not None}
            return await self._workers.run(verify_throws, game, await lines(self._ledger, game), seeds, viewer)

    async def luck(self, game: Game, viewer: Viewer) -> tuple[Luck, ...]:
        """Return each side's luck, by the throws that stand and that viewer may see."""
        async with self._workers.long_job_slot():
            return await self._workers.run(measure_luck, game, await lines(self._ledger, game, viewer), viewer)

    async def replay(self, game: Game, turns: int | None, largest: int) -> Film | None:
        """Return a film of the last turns, or the whole game, of at most `largest` bytes; None without turns."""
        async with self._workers.long_job_slot():
            states, every = await kept_states(self._ledger, game), await photographs(self._ledger, game)
            shown = shots(last_turns(states, turns), every)
            return await self._workers.run(make_film, game.ruleset, shown, largest)

    async def log(self, game: Game, viewer: Viewer, last: int) -> Sequence[Entry]:
        """Return the last entries (0: all), oldest first, undone ones included, redacted for the viewer."""
        return await self._ledger.entries(game, last or None, viewer if game.state_is_readable else PUBLIC)


async def lines(ledger: Ledger, game: Game, viewer: Viewer = UMPIRE, *, states: bool = False) -> list[Line]:
    """Return the entries that the viewer may read in part or whole, oldest first, unredacted; `states` adds states."""
    columns = [null().label(STATE) if name == STATE and not states else _as_stored(name) for name in Line._fields]
    query = select(*columns).where(ENTRIES.c.game == game.id, may_read(viewer)).order_by(ENTRIES.c.seq)
    found: list[Line] = []
    async with ledger.store.read() as session:
        result = await session.stream(query, execution_options={"yield_per": BATCH})
        async for batch in result.partitions():
            found.extend(Line(*row) for row in batch)
    return found


async def stored_seeds(ledger: Ledger, game: Game) -> list[StoredSeed]:
    """Return the game's dice seeds as stored."""
    columns = (SEEDS.c[name] for name in StoredSeed._fields)
    async with ledger.store.ask() as connection:
        return [StoredSeed(*row) for row in await connection.execute(select(*columns).where(SEEDS.c.game == game.id))]


def _as_stored(name: str) -> ColumnElement[Any]:
    """Return a column of an entry, its JSON unparsed."""
    column = ENTRIES.c[name]
    return cast(column, Text) if isinstance(column.type, JSON) else column
