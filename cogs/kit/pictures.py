"""Pictures, drawn in a thread: other channels are answered meanwhile."""

import asyncio

from bot.games import Game, Played
from render import table
from rules.core.model import PUBLIC, Viewer
from rules.core.scene import TableScene
from rules.core.state import State

from .card import Picture


async def draw(scene: TableScene, name: str = "table.png") -> Picture:
    """The table of a scene, with its words for those who cannot see it."""
    return Picture(name=name, data=await asyncio.to_thread(table.draw, scene), alt=scene.alt)


async def table_of(game: Game, viewer: Viewer = PUBLIC, before: State | None = None) -> Picture:
    """The game's table as `viewer` may see it, with arrows for what moved since `before`."""
    return await draw(game.ruleset.scene(game.state, viewer, before))


async def after(played: Played) -> Picture:
    """The table after an action as everyone may see it, for `perform(picture=…)`."""
    return await table_of(played.game, before=played.before)
