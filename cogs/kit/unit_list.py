"""The units of a game as a list: what stands in the place of a map where no positions are kept."""

from collections.abc import Iterable, Sequence

from bot.games import Game
from rules.core.model import PUBLIC, Viewer
from rules.core.state import UnitCard

from .card import safe

NO_MAP = (
    "No positions are kept in this game, so there is no map: the figures stand on your table. `/unit list` has both "
    "sides, and `/photo add` shows everyone a photograph of it."
)
MOST_LETTERS = 1400
"""Of the list in a message that tells more."""


def paragraphs(game: Game, viewer: Viewer, side: str | None = None) -> Iterable[str]:
    """Yield a paragraph a side: its units and their short state, as the viewer may know them."""
    cards: Sequence[UnitCard] = game.ruleset.roster(game.state, viewer)
    for one in game.state.sides:
        own = [card for card in cards if card.side == one.id]
        if own and side in (None, one.id):
            yield f"**{safe(one.name)}**\n" + "\n".join(f"- {safe(card.name)}: {safe(card.line)}" for card in own)


def instead_of_map(game: Game, viewer: Viewer = PUBLIC) -> list[str]:
    """Return a paragraph a side where no positions are kept, and nothing where there is a map; what is long is cut."""
    if game.ruleset.keeps_positions(game.state):
        return []
    told = [*paragraphs(game, viewer)]
    return [_cut(text, MOST_LETTERS // max(len(told), 1)) for text in told]


def _cut(text: str, most: int) -> str:
    """The lines that there is room for, and how many more there are."""
    lines = text.split("\n")
    kept = list[str]()
    for line in lines:
        if sum(map(len, kept)) + len(line) > most:
            break
        kept.append(line)
    more = len(lines) - len(kept)
    return "\n".join([*kept, f"- … and {more} more: `/unit list`"] if more else kept)
