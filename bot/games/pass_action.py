"""Arguments of the pass: the action with which a side ends its phase or turn."""

from typing import Any

from bot.journal.game import Game
from rules.core.model import Viewer
from rules.core.phases import PASS

SIDE = "side"
"""Argument of the pass action: the passing side."""


def side_argument(game: Game, side: Viewer) -> dict[str, Any]:
    """Return the pass's argument `side`, or no argument if the system's passes name no side."""
    return {SIDE: side} if SIDE in game.ruleset.actions[PASS].model_fields else {}
