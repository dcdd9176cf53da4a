"""Titles of scenes: a finished game's title names the winner."""

from typing import Any

from rules.core.hexboard.hex_scene import Scene
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset
from rules.core.state import State

DASH = " — "
"""Separator in a title between battle and turn."""


def scene_of(system: Ruleset[Any], state: State, viewer: Viewer, before: State | None = None) -> Scene:
    """Return the viewer's scene; a finished game has no side to act, and its title tells the ending."""
    scene: Scene = system.scene(state, viewer, before)
    if state.over is None:
        return scene
    title = f"{scene.title.rpartition(DASH)[0] or scene.title}{DASH}{ending(state)}"
    alt = scene.alt.replace(scene.title, title, 1)
    return scene.model_copy(update={"title": title, "alt": alt})


def ending(state: State) -> str:
    """`the game is over, the British have won`."""
    winner = state.over.winner if state.over is not None else None
    side = next((side for side in state.sides if side.id == winner), None)
    return "the game is over, nobody has won" if side is None else f"the game is over, {side:the} have won"
