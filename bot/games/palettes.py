"""The palette of a user's private pictures."""

from bot.errors import UserError
from bot.store import Store
from bot.store.member_tables import PaletteRow
from render.palette import PALETTES


class UserPalettes:
    """Service for the palettes of users' private pictures, in every game."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def store_palette(self, user: int, palette: str) -> None:
        """Store the user's palette. Raises UserError for an unknown palette."""
        require_known_palette(palette)
        async with self._store.write() as session:
            await session.merge(PaletteRow(user=user, palette=palette))

    async def load_palette(self, user: int) -> str | None:
        """Return the palette that the user chose, or None if there is none or it is unknown to this version."""
        async with self._store.read() as session:
            row = await session.get(PaletteRow, user)
        return row.palette if row is not None and row.palette in PALETTES else None


def require_known_palette(name: str) -> None:
    """Raise UserError, which lists all palettes, unless a palette has this name."""
    if name not in PALETTES:
        *others, last = PALETTES
        raise UserError(f"“{name[:40]}” cannot be kept. Choose {', '.join(others)} or {last}. Nothing was changed.")
