"""The units of a game as a list: what stands in the place of a map where no positions are kept."""

from collections.abc import Collection, Iterable, Sequence

from bot.games import Game
from rules.core.model import PUBLIC, Viewer
from rules.core.state import UnitCard

from .card import safe

NO_MAP = (
    "No positions are kept in this game, so there is no map: the figures stand on your table. /unit list has both "
    "sides, and /photo add shows everyone a photograph of it."
)
MOST_LETTERS = 1800
"""Of the list in a message that tells more."""


def paragraphs(game: Game, viewer: Viewer, side: str | None = None) -> Iterable[str]:
    """Yield a paragraph a side: its units and their short state, as the viewer may know them."""
    cards: Sequence[UnitCard] = game.ruleset.roster(game.state, viewer)
    for one in game.state.sides:
        own = [card for card in cards if card.side == one.id]
        if own and side in (None, one.id):
            yield f"**{safe(one.name)}**\n" + "\n".join(f"- {safe(card.name)}: {safe(card.line)}" for card in own)


def instead_of_map(game: Game, viewer: Viewer = PUBLIC, *, first: Collection[str] = ()) -> list[str]:
    """Return a paragraph a side where no positions are kept, and nothing where there is a map; what is long is cut.

    Of the sides named `first` a line a unit, of the others small print; of all a line a unit where none is named.
    """
    if game.ruleset.keeps_positions(game.state):
        return []
    sides = sorted(game.state.sides, key=lambda side: side.id not in first)
    told = [(side, text) for side in sides for text in paragraphs(game, viewer, side.id)]
    lines = [text if not first or side.id in first else _small(text) for side, text in told]
    return [_cut(text, MOST_LETTERS // len(lines)) for text in lines]


def _small(text: str) -> str:
    """The lines of a paragraph as one of small print."""
    name, *units = text.split("\n")
    return f"-# {name}: " + "; ".join(unit.removeprefix("- ") for unit in units)


def _cut(text: str, most: int) -> str:
    """The lines or units that there is room for, and how many more there are."""
    between = "\n" if "\n" in text else "; "
    parts, kept = text.split(between), list[str]()
    for part in parts:
        if sum(map(len, kept)) + len(part) > most:
            break
        kept.append(part)
    more = f"… and {len(parts) - len(kept)} more: `/unit list`"
    return between.join(kept if len(kept) == len(parts) else [*kept, more if between == "; " else f"- {more}"])
