"""Pictures, drawn in threads of their own: answers in words never wait behind them."""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import ParamSpec, TypeVar

from bot.games import Entry, Game, Played
from render import table
from render.geometry import Box, around
from render.palette import STYLES
from rules.core.model import PUBLIC, Viewer
from rules.core.scene import Arrow, TableScene
from rules.core.state import State

from .card import Picture

USUAL = STYLES[0]

STUDIO = ThreadPoolExecutor(max_workers=2, thread_name_prefix="drawing")

P = ParamSpec("P")
T = TypeVar("T")

ROOM = 7.0
"""Inches shown around what an action was about."""
BROAD = 1.5
"""Width over height of a picture of it, at least."""
AT_ANOTHER = ("fire", "melee")
"""Kinds of action that one unit does to another, drawn as an arrow of that kind."""


async def drawn(draws: Callable[P, T], *args: P.args, **options: P.kwargs) -> T:
    """What a function draws, done where only drawing is done."""
    return await asyncio.get_running_loop().run_in_executor(STUDIO, partial(draws, *args, **options))


async def draw(scene: TableScene, name: str = "table.png", *, area: Box | None = None, style: str = USUAL) -> Picture:
    """The table of a scene, or an area of it, with its words for those who cannot see it."""
    data = await drawn(table.draw, scene, area=area, style=style)
    return Picture(name=name, data=data, alt=scene.alt if area is None else close_up(scene, area))


def close_up(scene: TableScene, area: Box) -> str:
    """A part of the table in words: who stands in it."""
    inside = [base for base in scene.bases if area.left <= base.at[0] <= area.right]
    names = [f"{base.name} {base.strength}".strip() for base in inside if area.top <= base.at[1] <= area.bottom]
    return f"{scene.title}, a part of the table. On it: {', '.join(names) or 'nobody'}."


async def table_of(game: Game, viewer: Viewer = PUBLIC, before: State | None = None) -> Picture:
    """The game's table as `viewer` may see it, with arrows for what moved since `before`."""
    return await draw(game.ruleset.scene(game.state, viewer, before))


async def after(played: Played) -> Picture | None:
    """Where it happened, as everyone may see it; None where nothing moved, fired or fought, or no places are kept."""
    scene, stirred = await asyncio.to_thread(seen_after, played)
    if not stirred:
        return None
    about = [base.at for base in scene.bases if base.unit in played.entry.report.units]
    about += [point for arrow in scene.arrows for point in (arrow.start, arrow.end)]
    return await draw(scene, area=wide(around(about).grown(ROOM))) if about else None


def seen_after(played: Played) -> tuple[TableScene, bool]:
    """The table with an arrow for what was done, and whether it shows anything that was not seen before."""
    system, state, before = played.game.ruleset, played.game.state, played.before
    scene = system.scene(state, PUBLIC, before)
    scene = scene.model_copy(update={"arrows": (*scene.arrows, *between(scene, played.entry))})
    stood = {base.unit: (base.at, base.facing) for base in system.scene(before, PUBLIC).bases}
    turned = any(stood.get(base.unit) != (base.at, base.facing) for base in scene.bases)
    return scene, turned or bool(scene.arrows)


def between(scene: TableScene, entry: Entry) -> Iterable[Arrow]:
    """The line of fire, or the blows, from the first to the second unit of the report, where both are in sight."""
    if entry.kind not in AT_ANOTHER:
        return
    by = {base.unit: base for base in scene.bases}
    both = [by[unit] for unit in entry.report.units[:2] if unit in by]
    for doer, other in pairwise(both):
        yield Arrow(start=doer.at, end=other.at, kind=entry.kind, side=doer.side)


def wide(area: Box) -> Box:
    """The area, widened to the shape that a message shows largest."""
    more = max(area.height * BROAD - area.width, 0) / 2
    return Box(area.left - more, area.top, area.right + more, area.bottom)
