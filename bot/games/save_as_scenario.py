"""Read a game's table to save it as a scenario, or one side to save it as army lines."""

import asyncio
from collections.abc import Iterable
from itertools import chain, count

from sqlalchemy import func, select

from bot.errors import NotAllowed, UserError
from bot.journal.game import Actor, Game
from bot.store.queries import fetch_value
from bot.store.tables import ENTRIES
from rules.core.model import PUBLIC
from rules.core.own_battles import require_army_book
from rules.core.state import State
from rules.core.tabletop.army_lines import MOST_LINES
from rules.core.tabletop.deploy_army import LONGEST_ARMY
from rules.core.tabletop.own_table import OWN
from rules.core.tabletop.set_up import Begin

from .service import Service
from .uploaded_scenarios import UploadedScenario

OWN_SUFFIX = "own"
"""Suffix for a scenario's id if a shipped scenario has its title."""
NAMELESS = "battle"
LONGEST_ID = 50
ONLY_ONES_OWN = "Only those who play {side}, and the umpire, {umpire}, may keep a force of it. Nothing was kept."
NOBODY_LEFT = (
    "As far as you see, nobody of {side} is on the table. Put units on first: /army write, /army add, /unit add."
)
TOO_LARGE = f"That is too large for one force: the limit is {MOST_LINES} units and {LONGEST_ARMY:,} characters. "
TOO_LARGE += "/scenario save keeps the whole table."


class TableExports(Service):
    """Service that reads tables and armies of a game, for use in other games."""

    async def load_views(self, game: Game, actor: Actor, *, began: bool) -> tuple[State, State]:
        """Return the actor's view and the public view of the present state.

        With `began`, return these views of the battle's first state. Raises UserError if the first state cannot
        be loaded.
        """
        state = await self._load_initial_state(game) if began else game.state
        return game.ruleset.view(state, game.viewer(actor.id)), game.ruleset.view(state, PUBLIC)

    async def write_army_lines(self, game: Game, actor: Actor, side: str) -> str:
        """Return army lines for the side's units on the table that the actor sees.

        Raises NotAllowed unless the actor is the umpire or plays the side, UserError for no units or too many,
        Refused.
        """
        viewer = game.viewer(actor.id)
        if viewer != side and not game.is_umpire(actor.id):
            raise NotAllowed(ONLY_ONES_OWN.format(side=game.the_side(side), umpire=game.umpire.name))
        view = game.ruleset.view(game.state, viewer)
        lines: str = await asyncio.to_thread(require_army_book(game.ruleset).write_army, view, side)
        if not lines:
            raise UserError(NOBODY_LEFT.format(side=game.the_side(side)))
        if len(lines) > LONGEST_ARMY or lines.count("\n") >= MOST_LINES:
            raise UserError(TOO_LARGE)
        return lines

    async def _load_initial_state(self, game: Game) -> State:
        """Return the state at the end of the set-up. Without a set-up, return the state after the first entry."""
        entries, ended = ENTRIES.c.game == game.id, (ENTRIES.c.kind == Begin.kind) & ~ENTRIES.c.undone
        set_up_end = await fetch_value(self._ledger.store, select(func.max(ENTRIES.c.seq)).where(entries, ended))
        first = await fetch_value(self._ledger.store, select(func.min(ENTRIES.c.seq)).where(entries))
        return (await self._ledger.load_state(game, set_up_end or first or 1))[0]


def choose_scenario_id(game: Game, title: str, actor: Actor, uploads: Iterable[UploadedScenario]) -> str:
    """Return a scenario id, made from the title, that no shipped or uploaded scenario has.

    The id of the actor's own upload with the same title is kept, because the new scenario replaces this upload.
    """
    words = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in title.casefold()).split()
    stem = "-".join(words)[:LONGEST_ID].strip("-") or NAMELESS
    if stem in (*game.ruleset.scenarios, OWN):
        stem = f"{stem}-{OWN_SUFFIX}"
    key = actor.id, title
    own_ids = {upload.scenario.id for upload in uploads if (upload.author.id, upload.scenario.title) == key}
    taken_ids = {upload.scenario.id for upload in uploads} - own_ids
    numbered = chain((stem,), (f"{stem}-{number}" for number in count(2)))
    return next(scenario_id for scenario_id in numbered if scenario_id not in taken_ids)
