"""Decide whom to mention after an entry, and what happened since their last turn."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete, insert, select
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.errors import NotAllowed
from bot.games.clock import Clocks
from bot.journal.drafts import READ_COLUMNS
from bot.journal.entries import entry_of
from bot.journal.game import Actor, Game, Played
from bot.journal.ledger import Ledger
from bot.journal.live_message import Newest
from bot.store.tables import ENTRIES, SILENT
from rules.core.model import PUBLIC, UMPIRE, Viewer
from rules.core.ruleset import Ruleset
from rules.core.state import State

from .history import last_waited_for

MOST_LINES = 3
"""Things told that happened since."""


@dataclass(frozen=True)
class Call:
    """Sides newly waited for, users to mention, and what happened since their last turn.

    `since` has headlines that everyone may read, the newest last; `besides` counts what is left out.
    """

    sides: tuple[Viewer, ...] = ()
    users: tuple[int, ...] = ()
    since: tuple[str, ...] = ()
    besides: int = 0
    ends: datetime | None = None
    """End of the time allowed by the game's clock, or None without a clock."""


def sides_newly_waited_for(*played: Played) -> tuple[Viewer, ...]:
    """Return sides waited for after these entries that were not waited for earlier."""
    return tuple(sorted(side for side in played[-1].waits if any(side not in one.waited for one in played)))


def sides_to_call(*played: Played) -> tuple[Viewer, ...]:
    """Return sides able to act after these entries that were not able to act earlier. Too slow for the event loop."""
    first, last = played[0], played[-1]
    before = _sides_able(last.game.ruleset, first.before, first.waited)
    after = _sides_able(last.game.ruleset, last.game.state, last.waits)
    fresh = {*sides_newly_waited_for(*played)}
    return tuple(sorted(side for side in after if side in fresh or side not in before))


def _sides_able(system: Ruleset[Any], state: State, waits: frozenset[Viewer]) -> frozenset[Viewer]:
    """Return the sides waited for that can go on.

    If one side owes a required choice, drop the sides that cannot act meanwhile.
    """
    if len(waits) < 2:
        return waits
    owing = waits & {one.side for one in system.open_prompts(state) if one.required}
    held_up = {side for side in waits - owing if owing and not _can_act(system, state, side)}
    return waits - held_up


def _can_act(system: Ruleset[Any], state: State, side: Viewer) -> bool:
    """Whether the side has any legal action now."""
    return any(True for _ in system.legal(system.view(state, side), side))


def holders(game: Game, sides: Collection[Viewer], but: Collection[int] = ()) -> tuple[int, ...]:
    """Return the holders of the sides' seats, except the users `but`. The umpire holds his own side and empty sides."""
    seats = [seat for side in sides if side != UMPIRE for seat in game.players(side)]
    empty = {*sides} - {seat.side for seat in seats}
    users = [seat.user for seat in seats if not seat.is_bot]
    users += [game.umpire.id] if empty else []
    return tuple(dict.fromkeys(user for user in users if user not in but))


class TurnMentions:
    """Mentions of the players whose turn begins."""

    def __init__(self, ledger: Ledger, clocks: Clocks) -> None:
        self._ledger = ledger
        self._clocks = clocks

    async def call(self, *played: Played, present: int | None = None) -> Call:
        """Return the users to mention after these entries: players newly waited for or newly able to act.

        The user who is `present` is not mentioned, since this answers his command or press. Users who want no mentions
        are not mentioned either.
        """
        sides = await asyncio.to_thread(sides_to_call, *played)
        if not sides:
            return Call()
        last = played[-1]
        users = holders(last.game, sides, () if present is None else (present,))
        silent = await self.silent(last.game) if users else frozenset[int]()
        begins = played[0].before.is_being_set_up
        lines, more = ((), 0) if begins else await self._since(last.game, last.entry.seq, sides)
        ends = [one.ends for one in await self._clocks.deadlines(last.game) if one.side in sides]
        return Call(sides, tuple(user for user in users if user not in silent), lines, more, min(ends, default=None))

    async def call_umpire(self, game: Game, *, present: int) -> Call:
        """Return a call for the umpire if the game waits for the umpire or for a side without players."""
        sides = tuple(sorted(side for side in game.waits_for if side == UMPIRE or not game.players(side)))
        silent = await self.silent(game)
        return Call(sides, tuple(user for user in holders(game, sides, (present,)) if user not in silent))

    @property
    def newest(self) -> Newest:
        """The newest message of each game, as far as this process has shown one."""
        return self._ledger.newest

    async def hush(self, game: Game, actor: Actor, *, quiet: bool) -> None:
        """Mentions the actor no more in this game, or again. Raises NotAllowed where nobody would."""
        if not game.is_umpire(actor.id) and game.viewer(actor.id) == PUBLIC:
            raise NotAllowed("Only players and the umpire are mentioned, and you are neither. Nothing was changed.")
        mine = SILENT.c.game == game.id, SILENT.c.user == actor.id

        def change(connection: Connection) -> None:
            connection.execute(delete(SILENT).where(*mine))
            if quiet:
                connection.execute(insert(SILENT), {"game": game.id, "user": actor.id})

        try:
            await self._ledger.store.writer.run(change)
        except IntegrityError:  # another process has just written the same
            return

    async def newest_known(self, game: str) -> int | None:
        """Return the newest message with the next step that the journal knows of, before the newest entry's own."""
        async with self._ledger.store.ask() as connection:
            known = ENTRIES.c.game == game, ENTRIES.c.message.is_not(None)
            newest = select(ENTRIES.c.message).where(*known).order_by(ENTRIES.c.seq.desc()).limit(1)
            found: int | None = await connection.scalar(newest)
        return found

    async def silent(self, game: Game) -> frozenset[int]:
        """Return the users who want no mentions in this game."""
        async with self._ledger.store.ask() as connection:
            return frozenset(await connection.scalars(select(SILENT.c.user).where(SILENT.c.game == game.id)))

    async def _since(self, game: Game, seq: int, sides: Sequence[Viewer]) -> tuple[tuple[str, ...], int]:
        """Return headlines of unit actions since a side was last waited for, and the number of omitted ones.

        The newest are told: what was done to somebody first, then moves, which the map shows, and the like.
        """
        by_unit = [kind for kind, action in game.ruleset.actions.items() if action.by_unit]
        at_somebody = [kind for kind in by_unit if "target" in game.ruleset.actions[kind].model_fields]
        async with self._ledger.store.ask() as connection:
            last = await last_waited_for(connection, game.id, seq, sides)
            there = ENTRIES.c.game == game.id, ENTRIES.c.seq > last, ENTRIES.c.seq <= seq
            told = ENTRIES.c.acts, ~ENTRIES.c.undone, ENTRIES.c.audience.is_(None), ENTRIES.c.kind.in_(by_unit)
            found = select(ENTRIES.c.seq).where(*there, *told)
            found = found.order_by(ENTRIES.c.kind.not_in(at_somebody), ENTRIES.c.seq.desc())
            seqs = list(await connection.scalars(found))
            shown = select(*READ_COLUMNS).where(ENTRIES.c.game == game.id, ENTRIES.c.seq.in_(seqs[:MOST_LINES]))
            entries = (await connection.execute(shown.order_by(ENTRIES.c.seq))).all() if seqs else []
        read = await asyncio.to_thread(lambda: [entry_of(row, game.ruleset) for row in entries])
        return tuple(one.report.headline for one in read), max(len(seqs) - MOST_LINES, 0)
