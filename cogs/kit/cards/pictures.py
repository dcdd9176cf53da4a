"""Pictures for the chat. Workers draw them, so answers in words never wait for them."""

import contextlib
import logging
from collections.abc import Awaitable, Collection, Sequence
from dataclasses import replace
from typing import TypeVar

from bot.errors import UserError
from bot.games.catch_up import RecentActions
from bot.jobs import grounds
from bot.jobs import pictures as jobs
from bot.jobs.pictures import DrawnPicture
from bot.journal.game import Entry, Game, Played
from bot.services import Games
from bot.workers import Workers
from render.action_lines import Acts
from render.fixed_palette import recolour
from render.photograph import is_jpeg
from render.scenes import USUAL
from render.tiles import TILES
from rules.core.hexboard.hex_scene import Scene
from rules.core.model import PUBLIC, Viewer
from rules.core.scene import DieFace, SightLines
from rules.core.state import State

from .card import Picture, picture_legend_line

T = TypeVar("T")
log = logging.getLogger(__name__)


def make_picture(drawing: DrawnPicture, palette: str = USUAL, name: str = "table.png") -> Picture:
    """Return the drawing in the palette, as a picture with its alternative text."""
    file_name = name.replace(".png", ".jpg") if is_jpeg(drawing.data) else name
    return Picture(file_name, recolour(drawing.data, palette), drawing.words, picture_legend_line(drawing.numbers))


async def draw_table(
    workers: Workers,
    game: Game,
    viewer: Viewer = PUBLIC,
    *,
    area: str | None = None,
    style: str | None = None,
    letters: bool = False,
) -> Picture | None:
    """Return the game's map in the view of `viewer`, or None without a map. With `style`, omit the photograph.

    With `letters`, hexes over a photograph show the letter of their terrain. Raises UserError for an unknown `area`.
    """
    photograph, look = (game.photograph, USUAL) if style is None else (None, style)
    if not has_map(game, photograph):
        return None
    drawing = await workers.run(
        jobs.draw_table, game.ruleset, game.state, viewer, area=area, style=look, photograph=photograph, letters=letters
    )
    return replace(make_picture(drawing, style or game.palette), keeps_colours=style is not None)


def has_map(game: Game, photograph: bytes | None) -> bool:
    """Whether the game has a map: unit positions, or a photograph."""
    return photograph is not None or game.state.keeps_positions


async def draw_actions(workers: Workers, *played: Played, viewer: Viewer = PUBLIC) -> Picture | None:
    """Draw the area of the actions in the view of `viewer`. Return None if nothing moved, or without positions."""
    game = played[-1].game
    acts = [(action.entry.kind, action.entry.report.units) for action in played]
    drawing = await workers.run(
        jobs.draw_actions, game.ruleset, game.state, played[0].before, acts, viewer, photograph=game.photograph
    )
    return None if drawing is None else make_picture(drawing, game.palette)


async def find_event_picture(games: Games, *played: Played) -> Picture | None:
    """Return the picture that the umpire attached to an event, or None."""
    for action in played:
        if (jpeg := await games.events.load_picture(action.game, action.entry)) is not None:
            return make_event_picture(action.entry, jpeg)
    return None


def make_event_picture(entry: Entry, jpeg: bytes) -> Picture:
    """Return the picture of a journal entry, with the headline as its alternative text."""
    return Picture(f"event-{entry.number}.jpg", jpeg, entry.report.headline)


async def draw_turn(
    workers: Workers,
    game: Game,
    sides: Collection[str],
    recent_actions: RecentActions,
    viewer: Viewer = PUBLIC,
    *,
    show_all_actions: bool = False,
) -> Picture | None:
    """Draw the area around the units of `sides`, with the latest actions, in the view of `viewer`.

    With `show_all_actions`, the area also includes the places of the latest actions. Return None without a map.
    """
    before, acts = recent_actions
    system, photograph = game.ruleset, game.photograph
    if not has_map(game, photograph):
        return None
    drawing = workers.run(
        jobs.draw_units_of_sides,
        system,
        game.state,
        before,
        acts,
        sides,
        viewer,
        show_all_actions=show_all_actions,
        photograph=photograph,
    )
    return make_picture(await drawing, game.palette)


async def draw_side_map(workers: Workers, game: Game, side: str, before: State) -> Picture | None:
    """Draw the side's own map around its units, with moves since `before`. Return None without a map or on failure."""
    return await draw_if_possible(draw_turn(workers, game, {side}, RecentActions(before, ()), side), game)


async def draw_sketch(
    workers: Workers, game: Game, state: State, before: State, acts: Acts, viewer: Viewer
) -> Picture | None:
    """Draw planned actions in the view of `viewer`. Return None if nothing would move."""
    drawing = await workers.run(
        jobs.draw_actions, game.ruleset, state, before, acts, viewer, only_supposed=True, photograph=game.photograph
    )
    return None if drawing is None else make_picture(drawing, game.palette, "sketch.png")


async def draw_changes(workers: Workers, game: Game, before: State, viewer: Viewer) -> tuple[Picture, Picture] | None:
    """Draw the changed part of the table, before and after, in the view of `viewer`. Return None without changes."""
    drawings = await workers.run(jobs.draw_changes, game.ruleset, game.state, before, viewer, game.photograph)
    if drawings is None:
        return None
    return make_picture(drawings[0], game.palette, "before.png"), make_picture(drawings[1], game.palette, "after.png")


async def draw_sight_lines(workers: Workers, game: Game, viewer: Viewer, sight: SightLines, name: str) -> Picture:
    """Draw arcs of fire and lines of sight on the viewer's table, to explain a refusal or a new facing."""
    drawing = await workers.run(jobs.draw_sight_lines, game.ruleset, game.state, viewer, sight, game.photograph)
    return make_picture(drawing, game.palette, name)


async def draw_decision(workers: Workers, scene: Scene) -> Picture:
    """Draw a map with the candidate actions of a decision."""
    return make_picture(await workers.run(jobs.draw_decision, scene), name="why.png")


async def draw_dice(workers: Workers, faces: Sequence[DieFace]) -> Sequence[Picture]:
    """Draw thrown dice that have pictures on their faces. Return an empty list without dice."""
    return [make_picture(await workers.run(jobs.draw_dice, faces), name="dice.png")] if faces else []


async def draw_ground_ahead(workers: Workers, game: Game) -> None:
    """Draw the ground of a game's map before it is needed, in one job for each scale."""
    number, has_more = 0, TILES.folder is not None and game.state.keeps_positions
    with contextlib.suppress(UserError):  # the bot closes or is busy: draw the ground when needed
        while has_more:
            async with workers.long_job_slot():
                has_more = await workers.run(grounds.draw_ground_ahead, game.ruleset, game.state, number)
            number += 1


async def draw_if_possible(drawing: Awaitable[T | None], game: Game) -> T | None:
    """Await a drawing and return its result. Return None if drawing fails; the failure is logged."""
    try:
        return await drawing
    except Exception:
        log.exception("no picture of game %s at %s", game.id, game.seq)
        return None
