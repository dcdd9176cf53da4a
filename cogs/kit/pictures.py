"""Pictures, drawn in threads of their own: answers in words never wait behind them."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from bot.games import Game, Played
from render import scenes
from render.geometry import Box
from render.scenes import USUAL
from rules.core.hex_scene import Scene
from rules.core.model import PUBLIC, Viewer
from rules.core.state import State

from .card import Picture

log = logging.getLogger(__name__)

STUDIO = ThreadPoolExecutor(max_workers=2, thread_name_prefix="drawing")

P = ParamSpec("P")
T = TypeVar("T")


async def drawn(draws: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """What a function draws, done where only drawing is done."""
    return await asyncio.get_running_loop().run_in_executor(STUDIO, partial(draws, *args, **options))


async def draw(scene: Scene, name: str = "table.png", *, area: Box | None = None, style: str = USUAL) -> Picture:
    """The map of a scene, or an area of it, with its words for those who cannot see it."""
    data = await drawn(scenes.draw, scene, area=area, style=style)
    return Picture(name=name, data=data, alt=scene.alt if area is None else scenes.close_up(scene, area))


async def table_of(game: Game, viewer: Viewer = PUBLIC, before: State | None = None) -> Picture:
    """The game's map as `viewer` may see it, with arrows for what moved since `before`."""
    return await draw(game.ruleset.scene(game.state, viewer, before))


async def after(played: Played) -> Picture | None:
    """Where it happened, as everyone may see it; None where nothing stirred, or no places are kept."""
    scene, about = await asyncio.to_thread(seen_after, played)
    return None if about is None else await draw(scene, area=about)


def seen_after(played: Played) -> tuple[Scene, Box | None]:
    """The map with a line for what was done, and the part of it that shows what was not seen before."""
    system, entry = played.game.ruleset, played.entry
    scene = system.scene(played.game.state, PUBLIC, played.before)
    return scenes.after(scene, system.scene(played.before, PUBLIC), entry.kind, entry.report.units)


async def if_drawn(picture: Awaitable[Picture | None], game: Game) -> Picture | None:
    """The picture of something done: for want of it nobody should be asked to try again."""
    try:
        return await picture
    except Exception:
        log.exception("no picture of game %s at %s", game.id, game.seq)
        return None
