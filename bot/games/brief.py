"""A summary of the game for the new player of a seat: what the seat has seen in the last turns."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select

from bot.errors import NotAllowed
from bot.journal.game import Actor, Entry, Game
from bot.store.queries import fetch_rows, fetch_value
from bot.store.tables import ENTRIES
from rules.core.model import PUBLIC, Viewer
from rules.core.sightings import EnemySighting
from rules.core.state import State

from .history import load_past_state, load_state_after
from .service import Service

RECENT_TURNS = 3
"""Number of recent turns whose events a brief includes."""
MOST_ENTRIES = 200
MOST_SEARCHED_STATES = 12
"""Maximum number of past turns searched for enemies that are now out of sight."""


@dataclass(frozen=True)
class SeatBrief:
    """What a player may know of the last turns: their entries, and the state before them.

    `last_seen` says where the side last saw the enemies that are now out of sight.
    """

    viewer: Viewer
    entries: Sequence[Entry]
    before: State | None
    last_seen: Sequence[EnemySighting]
    seen_now: Sequence[EnemySighting] = ()
    """Enemies in sight, for a system whose views hold enemies as sightings, not as units."""


class SeatBriefs(Service):
    """Service that summarizes a game for the new player of a seat."""

    async def load_brief(self, game: Game, actor: Actor) -> SeatBrief:
        """Return the brief of the actor's seat. Raises NotAllowed for onlookers."""
        viewer = game.viewer(actor.id)
        if viewer == PUBLIC:
            raise NotAllowed("A brief is for players and the umpire. /game join takes a seat, /game since is for all.")
        of_turns = ENTRIES.c.game == game.id, ENTRIES.c.turn >= max(game.state.turn - RECENT_TURNS + 1, 1)
        first = await fetch_value(self._ledger.store, select(func.min(ENTRIES.c.seq)).where(*of_turns)) or 1
        entries = await self._ledger.load_entries(game, MOST_ENTRIES, viewer)
        before = await load_state_after(self._ledger, game, first)
        actions = [entry for entry in entries if entry.seq >= first and entry.acts and not entry.undone]
        if game.ruleset.enemies_seen is None:
            return SeatBrief(viewer, actions, before, await self._find_enemies_out_of_sight(game, viewer))
        enemies = game.ruleset.enemies_seen(game.ruleset.view(game.state, viewer), viewer)
        now = [enemy for enemy in enemies if enemy.turn == game.state.turn]
        return SeatBrief(viewer, actions, before, [enemy for enemy in enemies if enemy not in now], now)

    async def _find_enemies_out_of_sight(self, game: Game, viewer: Viewer) -> Sequence[EnemySighting]:
        """Return the enemies seen in past turns but now out of sight, most recently seen first."""
        if not game.state.can_have_hidden_units or viewer not in {side.id for side in game.state.sides}:
            return ()
        turn_ends = ENTRIES.c.game == game.id, ENTRIES.c.turn_end, ~ENTRIES.c.undone
        ends = select(ENTRIES.c.state_seq, ENTRIES.c.turn).where(*turn_ends)
        rows = await fetch_rows(self._ledger.store, ends.order_by(ENTRIES.c.seq.desc()).limit(MOST_SEARCHED_STATES))
        visible_ids = {card.id for card in await asyncio.to_thread(game.ruleset.roster, game.state, viewer)}
        last_seen: dict[str, EnemySighting] = {}
        for row in rows:
            state = await load_past_state(self._ledger, game, row.state_seq)
            cards = () if state is None else await asyncio.to_thread(game.ruleset.roster, state, viewer)
            for card in cards:
                if card.side != viewer and card.id not in visible_ids and card.id not in last_seen:
                    last_seen[card.id] = EnemySighting(card.name, row.turn, dict(card.details).get("Place", card.line))
        return tuple(last_seen.values())
