"""Save a game's table as a scenario, or one side as army lines."""

import asyncio
from collections.abc import Iterable
from itertools import chain, count

from sqlalchemy import func, select

from bot.errors import NotAllowed, UserError
from bot.journal import snapshots
from bot.journal.game import Actor, Game
from bot.journal.ledger import Ledger
from bot.store.tables import ENTRIES
from rules.core.model import PUBLIC
from rules.core.own_battles import army_book_of
from rules.core.state import State
from rules.core.tabletop.army_lines import MOST_LINES
from rules.core.tabletop.deploy_army import LONGEST_ARMY
from rules.core.tabletop.own_table import OWN
from rules.core.tabletop.set_up import Begin

from .uploaded_scenarios import Upload

ANOTHER = "own"
"""Suffix for the id of a scenario named like a shipped scenario."""
NAMELESS = "battle"
LONGEST_ID = 50
ONLY_ONES_OWN = "Only those who play {side}, and the umpire, {umpire}, may keep a force of it. Nothing was kept."
NOBODY_LEFT = (
    "As far as you see, nobody of {side} is on the table. Put units on first: /army write, /army add, /unit add."
)
TOO_LARGE = f"That is too large for one force: {MOST_LINES} units and {LONGEST_ARMY:,} characters is the most. "
TOO_LARGE += "/scenario save keeps the whole table."


class TableReadings:
    """Tables and forces of a game, to be kept for other games."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    async def tables_of(self, game: Game, actor: Actor, *, began: bool) -> tuple[State, State]:
        """Return the current or initial table, once for the actor and once for the public. Raises UserError."""
        state = await self._first(game) if began else game.state
        return game.ruleset.view(state, game.viewer(actor.id)), game.ruleset.view(state, PUBLIC)

    async def army_of(self, game: Game, actor: Actor, side: str) -> str:
        """Return a side's units on the table as army lines, limited to what the actor sees.

        Raises NotAllowed for all but the umpire and its own players, UserError where it has nothing, Refused.
        """
        viewer = game.viewer(actor.id)
        if viewer != side and not game.is_umpire(actor.id):
            raise NotAllowed(ONLY_ONES_OWN.format(side=game.the_side(side), umpire=game.umpire.name))
        seen = game.ruleset.view(game.state, viewer)
        lines: str = await asyncio.to_thread(army_book_of(game.ruleset).write_side, seen, side)
        if not lines:
            raise UserError(NOBODY_LEFT.format(side=game.the_side(side)))
        if len(lines) > LONGEST_ARMY or lines.count("\n") >= MOST_LINES:
            raise UserError(TOO_LARGE)
        return lines

    async def _first(self, game: Game) -> State:
        """Return the table after the first entry, or as its set-up ended."""
        entries, ended = ENTRIES.c.game == game.id, (ENTRIES.c.kind == Begin.kind) & ~ENTRIES.c.undone
        async with self._ledger.store.ask() as connection:
            begun = await connection.scalar(select(func.max(ENTRIES.c.seq)).where(entries, ended))
            first = begun or await connection.scalar(select(func.min(ENTRIES.c.seq)).where(entries))
            state, _ = await snapshots.load(connection, game.id, first, game.ruleset)
        return state


def id_of(game: Game, title: str, actor: Actor, kept: Iterable[Upload]) -> str:
    """Return a scenario id made from the title, different from shipped and other members' scenarios.

    Of those that are `kept`, only the actor's own of the same title is replaced.
    """
    words = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in title.casefold()).split()
    stem = "-".join(words)[:LONGEST_ID].strip("-") or NAMELESS
    if stem in (*game.ruleset.scenarios, OWN):
        stem = f"{stem}-{ANOTHER}"
    mine = {each.scenario.id for each in kept if (each.author.id, each.scenario.title) == (actor.id, title)}
    taken = {each.scenario.id for each in kept} - mine
    numbered = chain((stem,), (f"{stem}-{number}" for number in count(2)))
    return next(one for one in numbered if one not in taken)
