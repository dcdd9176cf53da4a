"""List the units of a game: the list stands in place of a map in games without positions."""

from collections.abc import Collection, Iterable, Sequence

from bot.journal.game import Game
from rules.core.model import PUBLIC, Viewer
from rules.core.state import UnitCard

from .card import safe

NO_MAP = (
    "No positions are kept in this game, so there is no map: the figures stand on your table. /unit list has both "
    "sides, and /photo add shows everyone a photograph of it."
)
MOST_LETTERS = 1800
"""Maximum letters of the list in a message that has other content."""


def paragraphs(game: Game, viewer: Viewer, side: str | None = None) -> Iterable[str]:
    """Yield a paragraph for each side: its units and their short state, in the view of the viewer."""
    cards: Sequence[UnitCard] = game.ruleset.roster(game.state, viewer)
    for one in game.state.sides:
        own = [card for card in cards if card.side == one.id]
        if own and side in (None, one.id):
            yield f"**{safe(one.name)}**\n" + "\n".join(f"- {safe(card.name)}: {safe(card.line)}" for card in own)


def instead_of_map(game: Game, viewer: Viewer = PUBLIC, *, first: Collection[str] = ()) -> list[str]:
    """Return a paragraph for each side in a game without positions; nothing if there is a map. Long lists are cut.

    Sides in `first` get a line for each unit, the other sides small print. Without `first`, every side gets lines.
    """
    if game.state.keeps_positions:
        return []
    sides = sorted(game.state.sides, key=lambda side: side.id not in first)
    told = [(side, text) for side in sides for text in paragraphs(game, viewer, side.id)]
    lines = [text if not first or side.id in first else _small(text) for side, text in told]
    return [_fit(text, MOST_LETTERS // len(lines)) for text in lines]


def _small(text: str) -> str:
    """Return a paragraph's lines joined into one line of small print."""
    name, *units = text.split("\n")
    return f"-# {name}: " + "; ".join(unit.removeprefix("- ") for unit in units)


def _fit(text: str, most: int) -> str:
    """Return the lines or units within `most` letters, and the number of the rest."""
    between = "\n" if "\n" in text else "; "
    parts, kept = text.split(between), list[str]()
    for part in parts:
        if len(between.join([*kept, part])) > most:
            break
        kept.append(part)
    more = f"… and {len(parts) - len(kept)} more: `/unit list`"
    return between.join(kept if len(kept) == len(parts) else [*kept, more if between == "; " else f"- {more}"])
