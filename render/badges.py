"""Draw the markers of a unit's state as small badges that differ in shape and colour."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from PIL import Image

from rules.core.scene import Point, StatusMarker

from .geometry import star_corners
from .palette import AMBER, BLOOD, GREEN, HILL_BROWN, INK, RGB, SIDES, WHITE, mix
from .pen import Pen, rounded_box, sprite
from .tanks import HULL

RED, BLUE, GREY = BLOOD, SIDES[1].colour, RGB(96, 96, 96)
MUD = mix(HILL_BROWN, INK, 0.35)
Drawer = Callable[[Pen], None]

# Every badge is drawn about the origin, 2 units wide and 2 units high.


def _draw_tile(pen: Pen, colour: RGB) -> None:
    pen.area(rounded_box(2, 2, 0.4), colour)


def _draw_octagon(pen: Pen, colour: RGB) -> None:
    a, b = 1.0, 0.42
    pen.area([(-b, -a), (b, -a), (a, -b), (a, b), (b, a), (-b, a), (-a, b), (-a, -b)], colour)


def draw_pinned(pen: Pen) -> None:
    """Draw an arrow pressed down on a line."""
    _draw_tile(pen, AMBER)
    pen.line([(0, -0.7), (0, 0.1)], INK, 0.26)
    pen.area([(-0.5, -0.08), (0.5, -0.08), (0, 0.46)], INK)
    pen.line([(-0.62, 0.64), (0.62, 0.64)], INK, 0.26)


def draw_halted(pen: Pen) -> None:
    """Draw a stop sign."""
    _draw_octagon(pen, RED)
    pen.line([(-0.52, 0), (0.52, 0)], WHITE, 0.36)


def _draw_cartridge(pen: Pen, filled: float) -> None:
    """Draw a cartridge on a white tile; `filled` is the height of its dark part, in badge units."""
    shell = [(-0.3, 0.7), (-0.3, -0.25), (-0.15, -0.6), (0, -0.75), (0.15, -0.6), (0.3, -0.25), (0.3, 0.7)]
    _draw_tile(pen, WHITE)
    pen.line(rounded_box(1.9, 1.9, 0.36), INK, 0.14, closed=True)
    if filled:
        pen.area([(-0.3, 0.7), (-0.3, 0.7 - filled), (0.3, 0.7 - filled), (0.3, 0.7)], INK)
    pen.line(shell, INK, 0.16, closed=True)


def draw_low_ammunition(pen: Pen) -> None:
    """Draw a half-empty cartridge."""
    _draw_cartridge(pen, 0.5)


def draw_no_ammunition(pen: Pen) -> None:
    """Draw a cartridge crossed out."""
    _draw_cartridge(pen, 0)
    pen.line([(-0.7, 0.7), (0.7, -0.7)], RED, 0.3)


def draw_retreating(pen: Pen) -> None:
    """Draw an arrow turning back."""
    _draw_tile(pen, AMBER)
    bend: list[Point] = [
        (-0.45, 0.6),
        (0.1, 0.6),
        (0.45, 0.4),
        (0.55, 0.05),
        (0.45, -0.25),
        (0.1, -0.42),
        (-0.2, -0.42),
    ]
    pen.line(bend, INK, 0.26)
    pen.area([(-0.12, -0.85), (-0.12, 0.02), (-0.7, -0.42)], INK)


def draw_routed(pen: Pen) -> None:
    """Draw a white flag."""
    _draw_tile(pen, INK)
    pen.line([(-0.5, -0.7), (-0.5, 0.75)], WHITE, 0.2)
    pen.area([(-0.42, -0.72), (0.0, -0.58), (0.66, -0.72), (0.66, 0.08), (0.0, 0.2), (-0.42, 0.06)], WHITE)


def draw_pursuing(pen: Pen) -> None:
    """Draw two chevrons pointing forward."""
    _draw_tile(pen, GREEN)
    for x in (-0.5, 0.1):
        pen.line([(x, -0.55), (x + 0.45, 0), (x, 0.55)], WHITE, 0.28)


def draw_jammed(pen: Pen) -> None:
    """Draw a cross on a round plate."""
    pen.disc((0, 0), 1.0, GREY)
    pen.line([(-0.42, -0.42), (0.42, 0.42)], WHITE, 0.3)
    pen.line([(-0.42, 0.42), (0.42, -0.42)], WHITE, 0.3)


def draw_square(pen: Pen) -> None:
    """Draw a hollow square with four faces."""
    _draw_tile(pen, BLUE)
    pen.line([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)], WHITE, 0.28, closed=True)


def draw_melee(pen: Pen) -> None:
    """Draw crossed swords."""
    pen.disc((0, 0), 1.0, RED)
    for way in (-1, 1):
        pen.line([(-0.55 * way, -0.6), (0.42 * way, 0.42)], WHITE, 0.2)
        pen.line([(0.12 * way, 0.56), (0.56 * way, 0.12)], WHITE, 0.2)
        pen.line([(0.38 * way, 0.38), (0.6 * way, 0.6)], WHITE, 0.24)


def draw_skirmish(pen: Pen) -> None:
    """Draw three men in open order."""
    _draw_tile(pen, GREEN)
    for x, y in ((-0.55, 0.25), (0, -0.3), (0.55, 0.25)):
        pen.disc((x, y), 0.24, WHITE)


def draw_owes_test(pen: Pen) -> None:
    """Draw a die on its point, with a question mark."""
    pen.area([(0, -1), (1, 0), (0, 1), (-1, 0)], INK)
    pen.area([(0, -0.84), (0.84, 0), (0, 0.84), (-0.84, 0)], AMBER)
    pen.line([(-0.22, -0.2), (-0.12, -0.38), (0.12, -0.38), (0.22, -0.2), (0.02, 0.02), (0.02, 0.14)], INK, 0.19)
    pen.disc((0.02, 0.42), 0.13, INK)


def draw_shaken(pen: Pen) -> None:
    """Draw a jagged line."""
    _draw_tile(pen, GREY)
    pen.line([(-0.7, 0.2), (-0.35, -0.4), (0, 0.35), (0.35, -0.4), (0.7, 0.2)], WHITE, 0.24)


def draw_disordered(pen: Pen) -> None:
    """Draw ranks in disorder."""
    _draw_tile(pen, GREY)
    for start, end in (
        ((-0.6, -0.5), (0.0, -0.3)),
        ((0.2, -0.1), (0.62, -0.55)),
        ((-0.6, 0.5), (-0.2, 0.1)),
        ((0.1, 0.55), (0.65, 0.4)),
    ):
        pen.line([start, end], WHITE, 0.22)


def draw_disrupted(pen: Pen) -> None:
    """Draw a burst."""
    _draw_tile(pen, RED)
    pen.area([(x, -y) for x, y in star_corners(16, 0.8, 0.34)], WHITE)


def draw_collapsed(pen: Pen) -> None:
    """Draw a broken staff with the flag on the ground."""
    _draw_octagon(pen, INK)
    pen.line([(-0.42, 0.66), (-0.42, 0.1), (0.1, -0.12)], WHITE, 0.2)
    pen.area([(0.0, -0.28), (0.62, -0.5), (0.72, 0.1), (0.16, 0.32)], AMBER)
    pen.line([(-0.66, 0.68), (0.66, 0.68)], WHITE, 0.18)


def draw_gone_to_ground(pen: Pen) -> None:
    """Draw a man lying behind a rise."""
    _draw_tile(pen, GREEN)
    pen.line([(-0.72, 0.5), (0.72, 0.5)], WHITE, 0.18)
    pen.line([(-0.6, 0.2), (0.2, 0.02)], WHITE, 0.3)
    pen.disc((0.48, -0.12), 0.24, WHITE)


def draw_fanatic(pen: Pen) -> None:
    """Draw a flame."""
    _draw_tile(pen, RED)
    flame: list[Point] = [
        (0.0, 0.78),
        (-0.5, 0.5),
        (-0.56, 0.0),
        (-0.3, -0.3),
        (-0.2, -0.05),
        (0.05, -0.82),
        (0.3, -0.2),
        (0.42, -0.36),
        (0.58, 0.1),
        (0.46, 0.52),
    ]
    pen.area(flame, AMBER)
    pen.area([(0.0, 0.66), (-0.2, 0.4), (0.02, -0.02), (0.22, 0.4)], WHITE)


def draw_out_for_a_turn(pen: Pen) -> None:
    """Draw a red cross."""
    _draw_tile(pen, WHITE)
    pen.line(rounded_box(1.9, 1.9, 0.36), INK, 0.14, closed=True)
    pen.line([(0, -0.6), (0, 0.6)], RED, 0.36)
    pen.line([(-0.6, 0), (0.6, 0)], RED, 0.36)


def draw_black_powder(pen: Pen) -> None:
    """Draw a cloud of smoke."""
    pen.disc((0, 0), 1.0, INK)
    for at, radius in (((-0.42, 0.2), 0.36), ((0.42, 0.2), 0.36), ((0.0, -0.22), 0.46), ((0.0, 0.3), 0.3)):
        pen.disc(at, radius, WHITE)


def draw_fired(pen: Pen) -> None:
    """Draw a muzzle with its flash."""
    pen.disc((0, 0), 1.0, INK)
    pen.line([(-0.7, 0.34), (-0.1, 0.06)], WHITE, 0.3)
    flash = [
        (0.0, 0.0),
        (0.3, -0.52),
        (0.36, -0.2),
        (0.82, -0.36),
        (0.5, -0.06),
        (0.72, 0.26),
        (0.3, 0.14),
        (0.16, 0.42),
    ]
    pen.area(flash, AMBER)


def draw_limbered(pen: Pen) -> None:
    """Draw a gun's wheel hooked to the limber's wheel."""
    _draw_tile(pen, BLUE)
    pen.line([(-0.8, -0.36), (0.7, 0.18)], WHITE, 0.22)
    for x in (-0.4, 0.5):
        pen.disc((x, 0.26), 0.4, WHITE)
        pen.disc((x, 0.26), 0.18, BLUE)


def draw_improved_position(pen: Pen) -> None:
    """Draw a trench in section."""
    _draw_tile(pen, GREEN)
    trench: list[Point] = [(-0.76, -0.2), (-0.4, -0.2), (-0.4, 0.44), (0.4, 0.44), (0.4, -0.2), (0.76, -0.2)]
    pen.line(trench, WHITE, 0.26)


def draw_ordered(pen: Pen) -> None:
    """Draw a sealed dispatch."""
    _draw_tile(pen, BLUE)
    pen.area([(-0.68, -0.46), (0.68, -0.46), (0.68, 0.5), (-0.68, 0.5)], WHITE)
    pen.line([(-0.66, -0.42), (0, 0.12), (0.66, -0.42)], BLUE, 0.15)
    pen.disc((0, 0.14), 0.24, RED)


def draw_bogged(pen: Pen) -> None:
    """Draw a hull sunk into mud, bow up."""
    _draw_tile(pen, MUD)
    pen.move((0.05, -0.06)).rotate(-22).zoom(0.62).area(HULL, WHITE)
    for y, colour in ((0.1, INK), (0.5, mix(MUD, WHITE, 0.2))):
        waves = [
            (-0.86, y + 0.16),
            (-0.55, y),
            (-0.25, y + 0.18),
            (0.1, y),
            (0.4, y + 0.18),
            (0.66, y),
            (0.86, y + 0.16),
        ]
        pen.area([*waves, (0.86, 0.72), (-0.86, 0.72)], colour)


def draw_ditched(pen: Pen) -> None:
    """Draw an abandoned hull, bow down in a ditch."""
    _draw_octagon(pen, INK)
    pen.move((-0.04, -0.14)).rotate(48).zoom(0.5).area(HULL, WHITE)
    pen.line([(-0.84, 0.06), (-0.5, 0.06), (0.0, 0.68), (0.5, 0.68), (0.66, 0.06), (0.84, 0.06)], AMBER, 0.18)


DRAWERS: Mapping[StatusMarker, Drawer] = {
    StatusMarker.PINNED: draw_pinned,
    StatusMarker.HALTED: draw_halted,
    StatusMarker.NO_AMMUNITION: draw_no_ammunition,
    StatusMarker.LOW_AMMUNITION: draw_low_ammunition,
    StatusMarker.RETREATING: draw_retreating,
    StatusMarker.ROUTED: draw_routed,
    StatusMarker.PURSUING: draw_pursuing,
    StatusMarker.JAMMED: draw_jammed,
    StatusMarker.SQUARE: draw_square,
    StatusMarker.MELEE: draw_melee,
    StatusMarker.SKIRMISH: draw_skirmish,
    StatusMarker.OWES_TEST: draw_owes_test,
    StatusMarker.SHAKEN: draw_shaken,
    StatusMarker.DISORDERED: draw_disordered,
    StatusMarker.DISRUPTED: draw_disrupted,
    StatusMarker.COLLAPSED: draw_collapsed,
    StatusMarker.GONE_TO_GROUND: draw_gone_to_ground,
    StatusMarker.FANATIC: draw_fanatic,
    StatusMarker.OUT: draw_out_for_a_turn,
    StatusMarker.FIRED: draw_fired,
    StatusMarker.LIMBERED: draw_limbered,
    StatusMarker.BLACK_POWDER: draw_black_powder,
    StatusMarker.IMPROVED: draw_improved_position,
    StatusMarker.ORDERED: draw_ordered,
    StatusMarker.BOGGED: draw_bogged,
    StatusMarker.DITCHED: draw_ditched,
}


@lru_cache(maxsize=64)
def badge_sprite(marker: StatusMarker, size: int) -> Image.Image:
    """Return a marker's badge, `size` pixels square. The image is cached: never draw on it."""
    return sprite(size, size, lambda pen: DRAWERS[marker](pen.zoom((size - 1) / 2)))
