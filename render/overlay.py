"""Draw a table's units, arrows and text over the ground, from the bottom layer up."""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from PIL import Image

from rules.core.scene import Figure, ListNumbers, Point, TableScene, UnitBase

from . import objectives, pips
from .arrows import ABOVE, draw_arrow, draw_fan, draw_leader_line, trim_line_to_bases
from .bases import (
    MARKER_SIZE,
    base_outline,
    base_outline_sprite,
    base_sprite,
    bases_in_area,
    marker_sprite,
    separate_single_figures,
    symbol_scale,
)
from .coverage import CoverageGrid
from .geometry import View, bounding_box, rotated_corners
from .palette import AMBER, GREEN, INK, RGB, WHITE, Theme, mix
from .places import LINES, draw_place_names, visible_terrain_names
from .plate_placement import PlatePosition, UnplacedPlate, place_plates
from .plates import label_sprite, plate_sprite
from .short_names import shorten_crowded_names
from .stamp import centred_box, paste_centred, paste_into

ARROW_GAP = 8.0
"""Pixels between an arrow's head and its target base."""
LEAST_BASE, LEAST_FIGURE = 14, 8
"""Minimum size in pixels of a unit's base, and of a single figure's base."""
EDGE = 4
"""Margin in pixels between text and the map's edge."""
NUMBER_FIRST, NUMBER_OTHER = mix(GREEN, INK, 0.2), mix(AMBER, INK, 0.6)
NUMBER_SIZE = 1.25
"""Size of a number, in multiples of the text size."""


class Overlay:
    """The units, arrows and texts of a scene, to be drawn over the ground.

    If `outlined`, the bases have no fill, so that a photograph below stays visible.
    """

    def __init__(self, scene: TableScene, view: View, look: Theme, text_size: int, *, outlined: bool = False) -> None:
        self._scene = scene
        self._view = view
        self._look = look
        self._text_size = text_size
        self._outlined = outlined
        self._size = int(view.frame.right), int(view.frame.bottom)
        self._short_names = shorten_crowded_names(scene, view, text_size)
        self._looks = look.side_looks(scene.sides)
        self.bases = bases_in_area(separate_single_figures(scene.bases), view.box)
        self.rings: list[tuple[Point, ...]] = [
            tuple(view.pixel(corner) for corner in rotated_corners(base.at, base.facing, *self._drawn_size(base)))
            for base in self.bases
        ]
        self._arrow_lines = [(view.pixel(arrow.start), view.pixel(arrow.end)) for arrow in scene.arrows]
        goals = objectives.visible_objective_names(scene.goals, view, look, self._looks, text_size)
        self._names = (*goals, *visible_terrain_names(scene.terrain, view, look, text_size))
        self._works = list[tuple[Point, Point]]()
        for piece in scene.terrain:
            if piece.feature in LINES:
                line = [view.pixel(point) for point in piece.points]
                self._works += pairwise([*line, line[0]] if piece.closed else line)

    def draw(self, field: Image.Image) -> None:
        """Draw objectives, arcs of fire, arrows and bases, then the text."""
        for goal in self._scene.goals:
            objectives.draw_objective_ring(field, goal, self._view, self._side_colour(goal.side))
        for fan in self._scene.fans:
            draw_fan(field, self._view.pixel(fan.at), fan, self._view.scale, self._side_colour(fan.side))
        self._draw_arrows(field, above=False)
        for base in self.bases:
            self._draw_base(field, base)
        self._draw_arrows(field, above=True)
        leaders = [position.leader for position in self.plate_positions if position.leader]
        covered = [*self.rings, *(position.box.ring for position in self.plate_positions)]
        occupied = CoverageGrid(self._size, covered, [*leaders, *self._arrow_lines, *self._works])
        draw_place_names(field, self._names, occupied, self._view.frame.grow(-EDGE))
        for position, (base, ring, _) in zip(self.plate_positions, self._bases_with_plates, strict=True):
            if position.leader:
                start, end = trim_line_to_bases(*position.leader, [ring], 0)
                draw_leader_line(field, start, end, self._looks[base.side].colour, self._look.paper)
        for image, position in zip(self.plates, self.plate_positions, strict=True):
            paste_into(field, image, position.box)
        for row in self.pip_rows:
            if row:
                pips.draw_pip_row(field, row)
        draw_list_numbers(field, self._scene.numbers, self._view, self._text_size)

    @cached_property
    def pip_rows(self) -> list[pips.PipRow | None]:
        """Return the row of kill pips of each base; None without kills or without space."""
        rows: list[pips.PipRow | None] = []
        for number, base in enumerate(self.bases):
            look, (wide, deep) = self._looks[base.side], self._size_in_pixels(base)
            unit = symbol_scale(look, wide, deep)
            shape = base_outline(look.shape, wide, deep)
            space = pips.BaseSpace(self._view.pixel(base.at), base.facing, shape, (unit * 1.5, unit))
            above = self.rings[number + 1 :]
            rows.append(pips.place_pip_row(base.kills, space, above, self._view.frame) if base.kills else None)
        return rows

    @property
    def _bases_with_plates(self) -> list[tuple[UnitBase, tuple[Point, ...], pips.PipRow | None]]:
        """Return each base that has a plate, with its outline and its row of kill pips."""
        every = zip(self.bases, self.rings, self.pip_rows, strict=True)
        return [(base, ring, row) for base, ring, row in every if base.has_plate]

    @cached_property
    def plates(self) -> list[Image.Image]:
        """Return the plates of `_bases_with_plates`, in the same order."""
        return [
            plate_sprite(
                self._short_names.get(base.unit, base.name),
                base.strength,
                base.markers,
                self._looks[base.side],
                self._look.plate,
                self._look.ink,
                self._text_size,
                0 if row else base.kills,
            )
            for base, _, row in self._bases_with_plates
        ]

    @cached_property
    def plate_positions(self) -> tuple[PlatePosition, ...]:
        """Return each plate's position, in the order of `plates`."""
        kept_in_sight = [*(name.preferred_ring for name in self._names), *self._arrow_lines, *self._works]
        unplaced = [
            UnplacedPlate(image.width, image.height, bounding_box(ring), base.facing)
            for image, (base, ring, _) in zip(self.plates, self._bases_with_plates, strict=True)
        ]
        bare_rings = [ring for ring, base in zip(self.rings, self.bases, strict=True) if not base.has_plate]
        rings = [*(ring for _, ring, _ in self._bases_with_plates), *bare_rings]
        return place_plates(unplaced, CoverageGrid(self._size, rings, kept_in_sight), self._view.frame.grow(-EDGE))

    def _drawn_size(self, base: UnitBase) -> tuple[float, float]:
        """Return a base's drawn frontage and depth in inches. A marker is at least as large as its letter needs."""
        least = self._text_size * MARKER_SIZE / self._view.scale if base.letter else 0.0
        return max(base.frontage, least), max(base.depth, least)

    def _draw_base(self, field: Image.Image, base: UnitBase) -> None:
        if base.letter:
            across = round(self._drawn_size(base)[0] * self._view.scale)
            paste_centred(field, marker_sprite(self._looks[base.side], base.letter, across), self._view.pixel(base.at))
            return
        for part in base.figures or (base,):
            least = LEAST_FIGURE if base.figures else LEAST_BASE
            size, facing, look = self._size_in_pixels(part, least), round(base.facing) % 360, self._looks[base.side]
            image = (
                base_outline_sprite(look, *size, facing)
                if self._outlined or base.hidden
                else base_sprite(part.symbol, look, *size, facing)
            )
            paste_centred(field, image, self._view.pixel(part.at))

    def _size_in_pixels(self, base: UnitBase | Figure, least: int = LEAST_BASE) -> tuple[int, int]:
        """Return the drawn width and height of a base, in pixels."""
        wide, deep = (max(round(length * self._view.scale), least) for length in (base.frontage, base.depth))
        return wide, deep

    def _draw_arrows(self, field: Image.Image, *, above: bool) -> None:
        for arrow, (start, end) in zip(self._scene.arrows, self._arrow_lines, strict=True):
            if (arrow.kind in ABOVE) is not above:
                continue
            line = (start, end) if above else trim_line_to_bases(start, end, self.rings, ARROW_GAP)
            draw_arrow(field, arrow, *line, self._side_colour(arrow.side), self._look.paper)

    def _side_colour(self, side: str) -> RGB:
        """Return the side's colour, or the ink colour for no side."""
        return self._looks[side].colour if side in self._looks else self._look.ink


def draw_list_numbers(field: Image.Image, numbers: Sequence[ListNumbers], view: View, text_size: int) -> None:
    """Draw the numbers of list items on small plates; those marked `first` are highlighted, on top."""
    for number in sorted(numbers, key=lambda number: number.first):
        if not view.box.contains(number.at):
            continue
        fill, writing = (NUMBER_FIRST, WHITE) if number.first else (WHITE, NUMBER_OTHER)
        image = label_sprite(number.text, round(text_size * NUMBER_SIZE), fill, writing, writing, round_=True)
        paste_into(field, image, centred_box(view.pixel(number.at), image, field))
