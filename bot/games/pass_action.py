"""The action by which a side ends its phase or turn."""

from typing import Any

from bot.journal.game import Game
from rules.core.model import Viewer
from rules.core.phases import PASS

SIDE = "side"
"""Field of the pass action naming the passing side."""


def for_side(game: Game, side: Viewer) -> dict[str, Any]:
    """Return the pass arguments naming the side, if the system supports them."""
    return {SIDE: side} if SIDE in game.ruleset.actions[PASS].model_fields else {}
