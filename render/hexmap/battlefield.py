"""Draw shelled land: craters, shattered trees and ruined houses."""

import math
import random

from render.palette import mix
from render.pen import Pen
from rules.core.hexboard.hex_scene import HexGround
from rules.core.scene import Point

from .looks import HexLook

# Everything is drawn about the origin, about 2 units wide and 2 units high.

CORNERS = 11
"""Number of corners of a crater's edge."""
FLOODED = 0.6
"""Probability of water in a crater."""


def draw_crater(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a shell hole with a lip of thrown earth, shaded on the side towards the light; many are flooded."""
    size = dice.choice((0.35, 0.5, 0.7, 0.85, 0.95))
    _draw_hole(pen, look, dice, size)
    if dice.random() < FLOODED:
        water = mix(look.tints[HexGround.WATERWAY], look.drawn[HexGround.CRATERS], 0.35)
        pen.move((0.04, 0.08)).area(_ragged_circle(size * 0.42, dice, 0.1), mix(water, look.ink, 0.35))
        pen.move((0.04, 0.1)).area(_ragged_circle(size * 0.36, dice, 0.1), water)
        pen.line([(-0.1 * size, 0.04), (0.14 * size, 0.04)], mix(water, look.theme.paper, 0.6), 0.06)


def draw_small_crater(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a small shell hole."""
    _draw_hole(pen, look, dice, dice.uniform(0.45, 0.85))


def _draw_hole(pen: Pen, look: HexLook, dice: random.Random, size: float) -> None:
    """Draw a dry shell hole with its lip, of radius `size`."""
    tint, earth = look.tints[HexGround.CRATERS], look.drawn[HexGround.CRATERS]
    pen.move((0.06, 0.08)).area(_ragged_circle(size, dice, 0.16), mix(tint, earth, 0.5))
    pen.move((-0.02, -0.02)).area(_ragged_circle(size * 0.94, dice, 0.14), mix(tint, look.theme.paper, 0.4))
    pen.area(_ragged_circle(size * 0.72, dice, 0.08), mix(earth, look.ink, 0.5))
    pen.move((0.09 * size, 0.11 * size)).area(_ragged_circle(size * 0.58, dice, 0.08), mix(tint, earth, 0.6))


def _ragged_circle(radius: float, dice: random.Random, by: float) -> list[Point]:
    """Return a ragged circle about the origin, with the radius varied by the fraction `by`."""
    points = []
    for corner in range(CORNERS):
        angle, reach = math.tau * corner / CORNERS, radius * (1 + dice.uniform(-by, by))
        points.append((reach * math.cos(angle), reach * 0.86 * math.sin(angle)))
    return points


def draw_shattered_tree(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a trunk split by a shell, with broken boughs; some trees keep leaves."""
    tint, leaf = look.tints[HexGround.FOREST], look.drawn[HexGround.FOREST]
    bark = mix(mix(leaf, look.drawn[HexGround.TRENCH], 0.5), look.ink, 0.45)
    lean, high = dice.uniform(-0.22, 0.22), dice.uniform(0.7, 1.0)
    pen.line([(0, 0.85), (0.75, 0.62)], mix(tint, look.ink, 0.32), 0.15)
    top = 0.85 - 1.75 * high
    split_end = [(lean + 0.1, top + 0.12), (lean + 0.02, top - 0.1), (lean - 0.08, top + 0.2)]
    pen.area([(-0.15, 0.9), (0.15, 0.9), *split_end], bark)
    for side in (-1, 1):
        part = dice.uniform(0.4, 0.75)
        root = lean * part, 0.85 - 1.75 * high * part
        elbow = root[0] + side * 0.32, root[1] - 0.16
        pen.line([root, elbow, (elbow[0] + side * 0.1, elbow[1] - dice.uniform(0.2, 0.45))], bark, 0.12)
    if dice.random() < 0.4:
        for x, y, r in ((-0.3, -0.25, 0.42), (0.32, -0.3, 0.4), (lean, -0.55, 0.42)):
            pen.disc((x + 0.05, y + 0.08), r, mix(leaf, look.ink, 0.45))
            pen.disc((x, y), r * 0.86, leaf)
            pen.disc((x - 0.1, y - 0.12), r * 0.4, mix(leaf, tint, 0.4))


def draw_ruin(pen: Pen, look: HexLook, dice: random.Random) -> None:
    """Draw a house with a wrecked roof: broken walls, rafters over a corner, rubble inside."""
    tint, brick = look.tints[HexGround.BUILDING], look.drawn[HexGround.BUILDING]
    upright = pen.rotate(dice.choice((0, 90, 180, 270)) + dice.uniform(-6, 6))
    across, deep = dice.uniform(0.72, 0.86), dice.uniform(0.56, 0.68)
    ring = [(-across, -deep), (across, -deep), (across, deep), (-across, deep)]
    pen.move((0.14, 0.17)).area(ring, mix(tint, look.ink, 0.45))
    upright.area(ring, mix(tint, look.ink, 0.22))
    for _ in range(9):
        at = dice.uniform(-across, across), dice.uniform(-deep, deep)
        upright.disc(at, dice.uniform(0.06, 0.13), mix(brick, tint, dice.choice((0.45, 0.65, 0.85))))
    edge = dice.uniform(-0.2, 0.3)
    far_slope = [(-across, -deep), (edge, -deep), (edge - 0.22, -deep * 0.3), (edge + 0.12, 0)]
    near_slope = [(edge - 0.3, deep * 0.4), (edge - 0.5, deep), (-across, deep)]
    upright.area([*far_slope, *near_slope], brick)
    upright.area([(-across, 0), (edge + 0.05, 0), *near_slope], mix(brick, look.ink, 0.3))
    wall = mix(brick, look.ink, 0.62)
    upright.line([(edge * 0.6, -deep), (-across, -deep), (-across, deep), (edge - 0.4, deep)], wall, 0.12)
    upright.line([(0.45, -deep), (across, -deep), (across, -deep * 0.1)], wall, 0.12)
    upright.line([(across, deep * 0.55), (across, deep), (0.3, deep)], wall, 0.12)
    for x in (0.1, 0.36):
        upright.line([(edge - 0.15 + x, -deep), (edge - 0.15 + x, -deep * 0.2)], mix(wall, tint, 0.25), 0.06)
