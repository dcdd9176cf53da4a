"""Long readings of a game: its entries are read as they are stored, and workers make the result."""

from typing import Any

from sqlalchemy import JSON, ColumnElement, Text, cast, null, select

from rules.core.luck import Luck
from rules.core.model import PUBLIC, UMPIRE, Viewer

from .game import Game
from .jobs.dice import Verified, luck_of, verified
from .jobs.file import Sealed, file
from .jobs.lines import Line
from .jobs.report import report
from .journal import may_read
from .ledger import Ledger
from .store.tables import ENTRIES, SEEDS
from .workers import Workers

BATCH = 200
"""Rows taken from the database at a time, so that the event loop does other things between."""

STATE = "state"


async def write_report(ledger: Ledger, workers: Workers, game: Game, viewer: Viewer, style: str) -> str:
    """The after-action report, as `viewer` may know it: "html" (self-contained) or "markdown"."""
    async with workers.turn():
        return await workers.run(report, game, await lines(ledger, game, viewer), viewer, style)


async def export(ledger: Ledger, workers: Workers, game: Game, viewer: Viewer) -> bytes:
    """The game's file, as that viewer may know it. Of what they may not read it has only the results.

    Of a game that cannot be read, nobody gets a state or an entry that is not for everyone.
    """
    async with workers.turn():
        told = await lines(ledger, game, UMPIRE if game.readable else PUBLIC, states=game.readable)
        return await workers.run(file, game, told, await sealed(ledger, game), viewer)


async def verify(ledger: Ledger, workers: Workers, game: Game) -> Verified:
    """Recomputes every throw of the journal, undone ones too, and compares what the reports showed."""
    async with workers.turn():
        seeds = {one.seal: one.seed for one in await sealed(ledger, game) if one.seed is not None}
        return await workers.run(verified, game, await lines(ledger, game), seeds)


async def luck(ledger: Ledger, workers: Workers, game: Game, viewer: Viewer) -> tuple[Luck, ...]:
    """Each side's luck, by the throws that stand and that viewer may see."""
    async with workers.turn():
        return await workers.run(luck_of, game, await lines(ledger, game, viewer), viewer)


async def lines(ledger: Ledger, game: Game, viewer: Viewer = UMPIRE, *, states: bool = False) -> list[Line]:
    """The lines that the viewer may read at all, oldest first, nothing in them redacted; `states`: theirs with them."""
    columns = [null().label(STATE) if name == STATE and not states else _as_stored(name) for name in Line._fields]
    wanted = select(*columns).where(ENTRIES.c.game == game.id, may_read(viewer)).order_by(ENTRIES.c.seq)
    found: list[Line] = []
    async with ledger.store.read() as session:
        result = await session.stream(wanted, execution_options={"yield_per": BATCH})
        async for batch in result.partitions():
            found.extend(Line(*row) for row in batch)
    return found


async def sealed(ledger: Ledger, game: Game) -> list[Sealed]:
    """The seeds of the game, as they are stored."""
    columns = (SEEDS.c[name] for name in Sealed._fields)
    async with ledger.store.ask() as connection:
        return [Sealed(*row) for row in await connection.execute(select(*columns).where(SEEDS.c.game == game.id))]


def _as_stored(name: str) -> ColumnElement[Any]:
    """A column of an entry, its JSON unparsed."""
    column = ENTRIES.c[name]
    return cast(column, Text) if isinstance(column.type, JSON) else column
