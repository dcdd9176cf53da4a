"""The palette of a game's pictures, set by the umpire, and the palette of a user's private pictures."""

from functools import partial

from bot.errors import UserError
from bot.journal.drafts import Draft
from bot.journal.game import Actor, Game
from bot.store import Store
from bot.store.member_tables import PaletteRow
from render.palette import PALETTES
from rules.core.model import PUBLIC
from rules.core.report import Report

from .rights import require_umpire
from .service import Service

RECOLOURED = "game palette"
"""Kind of entry that changes the colours of everyone's pictures."""


class GamePalette(Service):
    """Service for the palette of a game's pictures."""

    async def set(self, channel: int, actor: Actor, palette: str, *, interaction: int = 0) -> Game:
        """Set the palette of the channel's running game.

        Raises NotAllowed unless the actor is the umpire, UserError for an unknown palette or the palette it has.
        """
        require_palette(palette)
        work = partial(_draft_palette, actor=actor, palette=palette)
        return (await self._ledger.change(channel, actor, work, interaction=interaction)).game


class UserPalettes:
    """Service for the palettes of users' private pictures, in every game."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def choose(self, user: int, palette: str) -> None:
        """Store the user's palette. Raises UserError for an unknown palette."""
        require_palette(palette)
        async with self._store.write() as session:
            await session.merge(PaletteRow(user=user, palette=palette))

    async def of_user(self, user: int) -> str | None:
        """Return the user's palette. Return None if the user chose none, or this program lacks it."""
        async with self._store.read() as session:
            row = await session.get(PaletteRow, user)
        return row.palette if row is not None and row.palette in PALETTES else None


def require_palette(name: str) -> None:
    """Raise UserError, with the palettes, unless `name` is one."""
    if name not in PALETTES:
        *others, last = PALETTES
        raise UserError(f"“{name[:40]}” cannot be kept. Choose {', '.join(others)} or {last}. Nothing was changed.")


def _draft_palette(game: Game, actor: Actor, palette: str) -> Draft:
    require_umpire(game, actor, "choose the colours of everyone's pictures")
    if game.palette == palette:
        raise UserError(f"This game's pictures are drawn in {palette} already.")
    report = Report(headline=f"Everyone's pictures are drawn in {palette} from now on", side=PUBLIC)
    return Draft(RECOLOURED, report, fields={"palette": palette})
