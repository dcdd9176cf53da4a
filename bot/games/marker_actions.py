"""Make actions that place markers and hide units under markers. The chat and the live map use these functions."""

from collections.abc import Mapping, Sequence

from bot.journal.game import Game
from rules.core.state import Action

HIDE, PUT_MARKER = "hide", "put_marker"


def make_hiding_actions(game: Game, user: int, unit: str) -> Sequence[Action]:
    """Return the actions that put a new marker where a unit stands, and hide the unit under it.

    The second action is not public.
    """
    view = game.ruleset.view(game.state, game.viewer(user))
    hidden = game.ruleset.parse(HIDE, {"unit": unit, "marker": True})
    place = getattr(view.units.get(unit), "place", None)
    under = {marker.unit for marker in getattr(view, "markers", {}).values()}
    if place is None or unit in under:  # the rules refuse with the reason
        return [hidden]
    point = {"x": place.x, "y": place.y, "facing": place.facing}
    return [make_marker_action(game, view.units[unit].side, point), hidden]


def make_marker_action(game: Game, side: str, point: Mapping[str, float]) -> Action:
    """Return the action that puts a marker of the side (by id) at a point."""
    return game.ruleset.parse(PUT_MARKER, {"side": side, **point})
