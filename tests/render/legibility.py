"""Legibility: every kind of picture of a scenario, and its smallest text at a telephone's width."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from io import BytesIO
from itertools import islice
from typing import Any, NamedTuple

from PIL import Image

from bot.jobs import photograph as photographs
from bot.jobs import pictures as jobs
from bot.reports import turn_maps
from render import photo_grid, scenes
from render.odds import draw_odds
from render.photograph import encode_jpeg
from render.replay import draw_replay
from rules.core.automaton.levels import Level
from rules.core.automaton.opponent import DecisionMaker
from rules.core.automaton.reasons import explain_candidates
from rules.core.model import PUBLIC
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.core.scene import DieFace, Fan, SightLines, TableScene
from rules.core.state import State
from tests.fuzz import RandomDice, choose_random_action, scale_pass_chance

from .pictures import open_picture, record_texts

TELEPHONE_WIDTH = 300
"""Width in pixels at which Discord shows a picture on a telephone: 400 less the avatar and padding."""
SHEET_ORDERS = 8
"""Number of orders on the sketched sheet."""
REPLAY_SCENES = 3
"""Number of scenes of the replay."""

Drawn = Callable[[], bytes | Sequence[bytes]]


class Kind(NamedTuple):
    """A picture to draw: its kind, and the function that draws it (or several of its kind)."""

    name: str
    draw: Drawn


class Smallest(NamedTuple):
    """The smallest text of a picture: its size in pixels on a telephone, the text, and the picture."""

    size: float
    text: str
    picture: bytes


def measure_texts(draw: Drawn) -> list[Smallest]:
    """Draw, and return the smallest text of every picture drawn; a picture without text is left out.

    Pictures drawn together are measured by the narrowest scale: all their texts against the widest of them.
    """
    with record_texts() as records:
        result = draw()
    pictures = [result] if isinstance(result, bytes) else list(result)
    if not (texts := [(size, text) for text, size in records if text.strip()]) or not pictures:
        return []
    widest = max(pictures, key=lambda picture: open_picture(picture).width)
    size, text = min(texts)
    return [Smallest(size * TELEPHONE_WIDTH / open_picture(widest).width, text, widest)]


def _delay_job(job: Callable[..., jobs.DrawnPicture | None], *args: Any, **options: Any) -> Drawn:
    def draw() -> Sequence[bytes]:
        picture = job(*args, **options)
        return () if picture is None else (picture.data,)

    return draw


def iterate_start_pictures(system: Ruleset[Any], scenario: str) -> Iterator[Kind]:
    """Yield the pictures before the first action: whole map, each side's part, print, parts, and a photograph."""
    state = system.setup(scenario, {}, RandomDice(1))
    yield from iterate_state_pictures(system, state, "set-up")
    yield Kind("whole map in print", _delay_job(jobs.draw_table, system, state, style="print"))
    yield from _iterate_decision(system, state)
    scene = system.scene(state, PUBLIC)
    unit = next(iter(state.units))
    with suppress(ValueError):
        scenes.find_area(scene, unit)
        yield Kind("map around a unit", _delay_job(jobs.draw_table, system, state, area=unit))
    if isinstance(scene, TableScene):
        jpeg = encode_jpeg(Image.effect_noise((1200, 800), 60).convert("RGB"))
        yield Kind("map over a photograph", _delay_job(jobs.draw_table, system, state, photograph=jpeg))
        base = scene.bases[0]
        sight = SightLines(fans=(Fan(at=base.at, facing=base.facing, degrees=30, reach=24, side=base.side),))
        yield Kind("lines of sight", _delay_job(jobs.draw_sight_lines, system, state, PUBLIC, sight))


def _iterate_decision(system: Ruleset[Any], state: State) -> Iterator[Kind]:
    """Yield the picture of the bot's options in this state, for the first side that it may play."""
    for side in (side.id for side in state.sides if system.opponent is not None and system.values):
        view: State = system.view(state, side)
        if (thought := DecisionMaker(system, side, Level.EASY, "1").decide(view)) is not None:
            why = explain_candidates(system, view, side, thought)
            if why.scene is not None:
                yield Kind("decision", _delay_job(jobs.draw_decision, why.scene))
            return


def iterate_state_pictures(system: Ruleset[Any], state: State, when: str) -> Iterator[Kind]:
    """Yield the whole map, and the part of each side as the side sees it."""
    yield Kind(f"whole map, {when}", _delay_job(jobs.draw_table, system, state))
    for side in state.sides:
        yield Kind(
            f"side's part, {when}", _delay_job(jobs.draw_units_of_sides, system, state, state, (), {side.id}, side.id)
        )


def iterate_game_pictures(system: Ruleset[Any], scenario: str, seed: int, at_most: int, every: int) -> Iterator[Kind]:
    """Play random actions and yield the pictures of each `every`th, then those of the game so far."""
    chance, dice = random.Random(seed), RandomDice(seed)
    state = first = system.setup(scenario, {}, dice)
    scenes = [system.scene(state, PUBLIC)]
    for number in range(1, at_most + 1):
        if state.over is not None:
            break
        action = choose_random_action(system, state, chance, scale_pass_chance(system, scenario))
        after, report = system.act(state, action, dice)
        if number % every == 0:
            acts = [(action.kind, report.units)]
            yield Kind("part after an action", _delay_job(jobs.draw_actions, system, after, state, acts))
            side = after.sides[number // every % len(after.sides)].id
            yield Kind(
                "turn message",
                _delay_job(jobs.draw_units_of_sides, system, after, state, acts, {side}, side, show_all_actions=True),
            )
            yield from _iterate_sketches(system, after, side)
            yield from _iterate_odds(system, after)
        state = after
        if number * REPLAY_SCENES % at_most < REPLAY_SCENES:
            scenes.append(system.scene(state, PUBLIC, first))
    yield from iterate_state_pictures(system, state, "later")
    yield Kind("changes", lambda: [picture.data for picture in jobs.draw_changes(system, state, first, PUBLIC) or ()])
    yield Kind("report's map", partial(_draw_report, system, state, first))
    yield Kind("replay", partial(draw_replay, scenes))


def _draw_report(system: Ruleset[Any], state: State, before: State) -> bytes:
    """Draw the map of a report."""
    return turn_maps._draw_map(system, state, PUBLIC, "", before, "", None).data


def _iterate_sketches(system: Ruleset[Any], state: State, side: str) -> Iterator[Kind]:
    """Yield the sketch of one order, and of a sheet of `ORDERS` orders."""
    view: State = system.view(state, side)
    now, acts, units = view, list[tuple[str, Sequence[str]]](), set[str | None]()
    for action in islice(system.legal_actions(view, side), 400):
        if len(acts) == SHEET_ORDERS:
            break
        if action.unit is None or action.unit in units:
            continue
        with suppress(Refused):
            now = system.sketch(now, side, action).state
            acts.append((action.kind, (action.unit,)))
            units.add(action.unit)
            if len(acts) == 1:
                args = system, now, view, tuple(acts), side
                yield Kind("sketch of an order", _delay_job(jobs.draw_actions, *args, only_supposed=True))
    if len(acts) > 1:
        args = system, now, view, tuple(acts), side
        yield Kind("sketch of a sheet", _delay_job(jobs.draw_actions, *args, only_supposed=True))


def _iterate_odds(system: Ruleset[Any], state: State) -> Iterator[Kind]:
    """Yield the odds of the first action that has any."""
    legal = (action for side in state.sides for action in islice(system.legal_actions(state, side.id), 200))
    for action in legal:
        if action.kind in system.kinds_with_odds:
            with suppress(Refused):
                odds = system.odds(state, action)
                yield Kind("odds", partial(draw_odds, odds))
                return


def iterate_charts(system: Ruleset[Any]) -> Iterator[Kind]:
    """Yield every chart of a system."""
    for chart in system.charts.values():
        yield Kind("chart", partial(jobs.draw_charts, [chart]))


def iterate_other_pictures() -> Iterator[Kind]:
    """Yield the pictures of no system: dice, and a photograph under its grids, upright and lying."""
    yield Kind("dice", lambda: jobs.draw_dice([*DieFace]).data)
    for size in ((1200, 800), (800, 1200), (2000, 400)):
        out = BytesIO()
        Image.effect_noise(size, 60).convert("RGB").save(out, "JPEG")
        data = out.getvalue()
        squares = photo_grid.parse_squares("A1 B2 C3 D4")
        yield Kind("photograph's grid", partial(_draw_grid, data))
        yield Kind("photograph's fine grid", partial(photographs.enlarge_corners, data, squares))


def _draw_grid(data: bytes) -> bytes:
    """Draw the grid over a photograph."""
    return photographs.prepare_photograph(data).gridded
