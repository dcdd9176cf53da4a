"""Lists of a game's units. In games without positions, such a list replaces the map."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from bot.journal.game import Game
from rules.core.model import PUBLIC, Viewer
from rules.core.state import UnitCard

from .card import safe

NO_MAP = (
    "No positions are kept in this game, so there is no map: the figures stand on your table. /unit list has both "
    "sides, and /photo add shows everyone a photograph of it."
)
MOST_LETTERS = 1800
"""Maximum characters of the list in a message that has other content."""


class ListedSide(NamedTuple):
    """The units of a side, each as a phrase `1st Berkshires: 24 figures`, with special characters escaped."""

    side: str
    name: str
    units: Sequence[str]

    @property
    def paragraph(self) -> str:
        """Return the side's name and a line for each unit."""
        return "\n".join((f"**{self.name}**", *(f"- {unit}" for unit in self.units)))

    def fit_units(self, most: int, *, small: bool) -> str:
        """Return the units that fit in `most` letters, and the number of omitted units. With `small`, use one line."""
        head, mark, between = (f"-# **{self.name}**: ", "", "; ") if small else (f"**{self.name}**\n", "- ", "\n")
        lengths = accumulate(len(f"{mark}{unit}{between}") for unit in self.units)
        count = sum(len(head) + length - len(between) <= most for length in lengths)
        ending = [f"… and {len(self.units) - count} more: `/unit list`"] if count < len(self.units) else []
        return head + between.join(f"{mark}{unit}" for unit in (*self.units[:count], *ending))


def side_paragraphs(game: Game, viewer: Viewer, side: str | None = None) -> Iterable[str]:
    """Yield a paragraph for each side, with the name and state of each unit that the viewer sees."""
    return (side_units.paragraph for side_units in _listed_sides(game, viewer) if side in (None, side_units.side))


def unit_list_instead_of_map(game: Game, *, first: Collection[str] = (), most: int = MOST_LETTERS) -> list[str]:
    """Return a paragraph of units for each side, or an empty list if the game keeps positions.

    Sides in `first` come first, and the others in small print. The paragraphs together have at most `most` letters.
    """
    if game.state.keeps_positions:
        return []
    sides = sorted(_listed_sides(game, PUBLIC), key=lambda side_units: side_units.side not in first)
    share = most // max(len(sides), 1)
    return [side_units.fit_units(share, small=bool(first) and side_units.side not in first) for side_units in sides]


def _listed_sides(game: Game, viewer: Viewer) -> Iterator[ListedSide]:
    """Yield the sides that have units in the viewer's view."""
    cards: Sequence[UnitCard] = game.ruleset.roster(game.state, viewer)
    for side in game.state.sides:
        if own := [f"{safe(card.name)}: {safe(card.line)}" for card in cards if card.side == side.id]:
            yield ListedSide(side.id, safe(side.name), own)
