"""Reports, exports, dice checks and replays of a whole game. Worker processes parse the entries."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import JSON, ColumnElement, Text, cast, null, select

from bot.jobs.dice_check import ThrowVerification, measure_luck, verify_throws
from bot.jobs.game_export import ExportedFile, StoredSeed, export_game
from bot.jobs.journal_lines import EntryColumns
from bot.jobs.replay import ReplayAnimation, make_animation
from bot.journal.drafts import readable_entries_condition
from bot.journal.game import Actor, Entry, Game
from bot.journal.ledger import Ledger
from bot.reports.job import write_report
from bot.store.queries import fetch_rows
from bot.store.tables import ENTRIES, SEEDS
from rules.core.dice import Luck
from rules.core.hidden_troops import viewer_for_history
from rules.core.model import PUBLIC, UMPIRE, Viewer

from .history import (
    first_states_of_turns,
    load_illustrations,
    load_photographs,
    load_states,
    load_turn_starts,
    make_replay_frames,
    states_of_last_turns,
)
from .service import WorkerService

ROWS_PER_BATCH = 200
"""Number of rows per batch from the database. Other tasks run between two batches."""

LARGEST_PAGE = 9_500_000
"""Maximum size of a report in bytes. Discord's limit is 10 MiB including the message around it."""

STATE = "state"
MOST_ENTRIES = 100
"""Maximum number of entries in one answer."""


class Readings(WorkerService):
    """Service for jobs that read most of a game's entries: reports, exports, checks and replays."""

    async def write_report(self, game: Game, viewer: Viewer, style: str = "html", largest: int = LARGEST_PAGE) -> str:
        """Return the after-action report for `viewer`, at most `largest` bytes.

        If everyone may know the past, the report includes hidden events. `style` is "html" (one file, with
        maps) or "markdown".
        """
        async with self._workers.long_job_slot():
            reader = viewer_for_history(game.ruleset, game.state, viewer) if game.state_is_readable else PUBLIC
            entries = await load_raw_entries(self._ledger, game, reader)
            starts = await load_turn_starts(self._ledger, game) if style == "html" and game.state_is_readable else ()
            photographs = await load_photographs(self._ledger, game) if starts else ()
            illustrations = await load_illustrations(self._ledger, game) if style == "html" else ()
            arguments = entries, starts, reader, style, largest, photographs, illustrations
            return await self._workers.run(write_report, game, *arguments, umpires_own=viewer == UMPIRE)

    async def export_game(self, game: Game, actor: Actor) -> ExportedFile:
        """Return the game's export file for the actor. Entries hidden from the actor have only their results.

        The file of an unreadable game has only public entries and no states, even for the umpire.
        """
        async with self._workers.long_job_slot():
            reader = UMPIRE if game.state_is_readable else PUBLIC
            entries = await load_raw_entries(self._ledger, game, reader, states=game.state_is_readable)
            seeds, photographs = await load_seeds(self._ledger, game), await load_photographs(self._ledger, game)
            illustrations = await load_illustrations(self._ledger, game)
            return await self._workers.run(
                export_game, game, entries, seeds, game.viewer(actor.id), photographs, illustrations=illustrations
            )

    async def verify_throws(self, game: Game, viewer: Viewer = UMPIRE) -> ThrowVerification:
        """Recompute every throw that the viewer may see, including undone throws. Compare the dice with the reports."""
        async with self._workers.long_job_slot():
            seed_rows = await load_seeds(self._ledger, game)
            seeds = {row.seal: row.seed for row in seed_rows if row.seed is not None}
            entries = await load_raw_entries(self._ledger, game)
            return await self._workers.run(verify_throws, game, entries, seeds, viewer)

    async def measure_luck(self, game: Game, viewer: Viewer) -> tuple[Luck, ...]:
        """Return the luck of each side, from the throws that `viewer` may see. Undone throws do not count."""
        async with self._workers.long_job_slot():
            entries = await load_raw_entries(self._ledger, game, viewer)
            return await self._workers.run(measure_luck, game, entries, viewer)

    async def make_replay(
        self, game: Game, turns: int | None, largest: int, viewer: Viewer = PUBLIC
    ) -> ReplayAnimation | None:
        """Return an animation of the last `turns` turns, or of the whole game, as `viewer` may know it.

        Return None if the table never changed. `largest` is in bytes.
        """
        async with self._workers.long_job_slot():
            states, photographs = await load_states(self._ledger, game), await load_photographs(self._ledger, game)
            if game.ruleset.turn_accounts is not None:
                states = first_states_of_turns(states)
            frames = make_replay_frames(states_of_last_turns(states, turns), photographs)
            reader = viewer_for_history(game.ruleset, game.state, viewer)
            return await self._workers.run(make_animation, game.ruleset, frames, largest, game.palette, reader)

    async def load_log(self, game: Game, viewer: Viewer, last: int) -> Sequence[Entry]:
        """Return the newest `last` entries, oldest first, redacted for the viewer.

        Undone entries are included. If `last` is 0, return all entries.
        """
        return await self._ledger.load_entries(game, last or None, viewer if game.state_is_readable else PUBLIC)

    async def load_entry_range(
        self, game_id: str, first: str, last: str, actor: Actor, *, channel: int
    ) -> tuple[Game, Sequence[Entry]]:
        """Return the game, and a range of its entries, redacted for the actor.

        `first` and `last` are entry names. Raises NoGame, UnreadableGame, and Stale if the game belongs to
        another channel or an entry is missing.
        """
        game = await self._ledger.game_in_channel(channel, game_id)
        begins, ends = [(await self._ledger.load_entry(game, name)).seq for name in (first, last)]
        entries = await self._ledger.load_entries(game, None, game.viewer(actor.id), between=(begins, ends))
        return game, entries[:MOST_ENTRIES]


async def load_raw_entries(
    ledger: Ledger, game: Game, viewer: Viewer = UMPIRE, *, states: bool = False
) -> list[EntryColumns]:
    """Return the unredacted entries that the viewer may read at least in part, oldest first.

    With `states`, the stored states are included.
    """
    columns = [
        null().label(STATE) if name == STATE and not states else _unparsed_column(name) for name in EntryColumns._fields
    ]
    query = (
        select(*columns).where(ENTRIES.c.game == game.id, readable_entries_condition(viewer)).order_by(ENTRIES.c.seq)
    )
    entries: list[EntryColumns] = []
    async with ledger.store.read() as session:
        result = await session.stream(query, execution_options={"yield_per": ROWS_PER_BATCH})
        async for batch in result.partitions():
            entries.extend(EntryColumns(*row) for row in batch)
    return entries


async def load_seeds(ledger: Ledger, game: Game) -> list[StoredSeed]:
    """Return the game's dice seeds as stored."""
    columns = (SEEDS.c[name] for name in StoredSeed._fields)
    rows = await fetch_rows(ledger.store, select(*columns).where(SEEDS.c.game == game.id))
    return [StoredSeed(*row) for row in rows]


def _unparsed_column(name: str) -> ColumnElement[Any]:
    """Return a column of entries, with JSON as unparsed text."""
    column = ENTRIES.c[name]
    return cast(column, Text) if isinstance(column.type, JSON) else column
