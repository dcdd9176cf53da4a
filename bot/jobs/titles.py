"""What is drawn of a state: as its system has it, and of a finished game with a title that says who has won."""

from typing import Any

from rules.core.hexboard.hex_scene import Scene
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset
from rules.core.state import State

DASH = " — "
"""Stands in a title between the name of the battle and the turn."""


def scene_of(system: Ruleset[Any], state: State, viewer: Viewer, before: State | None = None) -> Scene:
    """The scene as `viewer` may see it; once the game is over, no side is to come, and the title says how it ended."""
    scene: Scene = system.scene(state, viewer, before)
    if state.over is None:
        return scene
    title = f"{scene.title.rpartition(DASH)[0] or scene.title}{DASH}{ending(state)}"
    alt = scene.alt.replace(scene.title, title, 1)
    return scene.model_copy(update={"title": title, "alt": alt})


def ending(state: State) -> str:
    """`the game is over, the British have won`."""
    winner = state.over.winner if state.over is not None else None
    name = next((side.name for side in state.sides if side.id == winner), None)
    return "the game is over, nobody has won" if name is None else f"the game is over, the {name} have won"
