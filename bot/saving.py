"""A game's table as a scenario: as it stands, or as its battle began."""

from sqlalchemy import func, select

from rules.core.model import PUBLIC
from rules.core.state import State
from rules.core.tabletop.setting_up import Begin

from . import snapshots
from .game import Actor, Game
from .part import Part
from .store.tables import ENTRIES

OWN = "own"
NAMELESS = "battle"
LONGEST_ID = 60


class Saving(Part):
    """Tables that are kept."""

    async def tables_of(self, game: Game, actor: Actor, *, began: bool) -> tuple[State, State]:
        """The table as it stands, or as it `began`: as the actor may see it, and as everyone may. Raises UserError."""
        state = await self._first(game) if began else game.state
        return game.ruleset.view(state, game.viewer(actor.id)), game.ruleset.view(state, PUBLIC)

    async def _first(self, game: Game) -> State:
        """The table after the first entry, or as its set-up ended."""
        entries, ended = ENTRIES.c.game == game.id, (ENTRIES.c.kind == Begin.kind) & ~ENTRIES.c.undone
        async with self._ledger.store.ask() as connection:
            begun = await connection.scalar(select(func.max(ENTRIES.c.seq)).where(entries, ended))
            first = begun or await connection.scalar(select(func.min(ENTRIES.c.seq)).where(entries))
            state, _ = await snapshots.load(connection, game.id, first, game.ruleset)
        return state


def id_of(game: Game, title: str) -> str:
    """An id for a scenario of that title: its words in small letters, none of a scenario that ships."""
    words = "".join(sign if sign.isascii() and sign.isalnum() else " " for sign in title.casefold()).split()
    stem = "-".join(words)[:LONGEST_ID].strip("-") or NAMELESS
    return f"{stem}-{OWN}" if stem in game.ruleset.scenarios else stem
