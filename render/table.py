"""The map: a table in inches with its units, as a PNG.

Pure and safe in worker threads: what is kept between calls (ground, bases, plates) is never drawn on.
"""

from collections.abc import Iterator
from itertools import pairwise

from PIL import Image

from rules.core.scene import Feature, Point, TableScene, TerrainPiece, UnitBase

from .arrows import ABOVE, clear_of, draw_arrow, draw_leader
from .bases import base_sprite, beside_hosts
from .geometry import Box, View, around, corners
from .grid import area_of
from .ground import ground
from .palette import INK_ONLY, SideLook, Theme, png, theme
from .places import draw_place_names, place_names
from .placing import Wish, place
from .plates import plate, size_for
from .sheet import draw_sheet, paper, plan
from .taken import Standing

LEAST = 12.0
"""Inches that are shown at least, each way."""
LINES = frozenset({Feature.EARTHWORKS, Feature.SANDBAGS, Feature.ZAREBA, Feature.SANGAR, Feature.RAILWAY})
"""Terrain that writing is better not laid over."""

__all__ = ["Box", "area_of", "draw", "picture"]


def draw(scene: TableScene, *, area: Box | None = None, style: str = "campaign") -> bytes:
    """The scene, or only `area` of it (inches) at a larger scale, as a PNG.

    Raises:
        ValueError: on an unknown style or an empty area, saying what is allowed.
    """
    drawn = picture(scene, area=area, style=style)
    return png(drawn.convert("L").convert("RGB") if style == INK_ONLY else drawn)


def picture(scene: TableScene, *, area: Box | None = None, style: str = "campaign", shrink: float = 1.0) -> Image.Image:
    """The scene as an RGB picture, the map `shrink` of its usual size."""
    table = Box(0, 0, scene.width, scene.height)
    shown = table if area is None else area.within(table)
    if shown.width > 0 and shown.height > 0:
        shown = shown.at_least(LEAST).within(table)
    else:
        raise ValueError(f"That area is not on the table, which is {scene.width:g} by {scene.height:g} inches.")
    look = theme(style, scene.ground)
    sheet = plan(scene, shown, look, shrink)
    image = paper(sheet, look.paper)
    frame = sheet.view.frame
    field = ground(scene.ground, shown, sheet.view.scale, scene.terrain, style).convert("RGB")
    _Stage(scene, View(shown, sheet.view.scale), look, field, shrink).draw()
    image.paste(field, (int(frame.left), int(frame.top)))
    draw_sheet(image, sheet, look)
    return image


class _Stage:
    """One drawing of the map's field: the ground of `view`, and what comes on it from the bottom up."""

    def __init__(self, scene: TableScene, view: View, look: Theme, field: Image.Image, shrink: float) -> None:
        self._scene = scene
        self._view = view
        self._look = look
        self._shrink = shrink
        self._field = field
        self._looks: dict[str, SideLook] = {side.id: look.sides[side.index % len(look.sides)] for side in scene.sides}
        in_sight = view.box.grown(1)
        self._bases = [base for base in beside_hosts(scene.bases) if in_sight.meets(Box(*base.at, *base.at).grown(0.1))]
        self._rings: list[tuple[Point, ...]] = [
            tuple(view.px(corner) for corner in corners(base.at, base.facing, base.frontage, base.depth))
            for base in self._bases
        ]

    def draw(self) -> None:
        """Arrows, bases, what passes between them, then the writing."""
        self._arrows(above=False)
        for base in self._bases:
            self._base(base)
        self._arrows(above=True)
        self._writing()

    def _base(self, base: UnitBase) -> None:
        wide, deep = (max(round(length * self._view.scale), 14) for length in (base.frontage, base.depth))
        drawn = base_sprite(base.symbol, self._looks[base.side], wide, deep, round(base.facing) % 360)
        x, y = self._view.px(base.at)
        self._field.paste(drawn, (round(x - drawn.width / 2), round(y - drawn.height / 2)), drawn)

    def _arrows(self, *, above: bool) -> None:
        for arrow in self._scene.arrows:
            if (arrow.kind in ABOVE) is not above:
                continue
            start, end = self._view.px(arrow.start), self._view.px(arrow.end)
            if not above:
                start, end = clear_of(start, end, self._rings, 8)
            colour = self._looks[arrow.side].colour if arrow.side in self._looks else self._look.ink
            draw_arrow(self._field, arrow, start, end, colour, self._look.paper)

    def _edge(self, piece: TerrainPiece) -> Iterator[tuple[Point, Point]]:
        """A piece's line, stretch by stretch."""
        points = [self._view.px(point) for point in piece.points]
        return pairwise([*points, points[0]] if piece.closed else points)

    def _writing(self) -> None:
        look = self._look
        size = size_for(len(self._bases), self._shrink)
        plates = [
            plate(base.name, base.strength, base.markers, self._looks[base.side], look.plate, look.ink, size)
            for base in self._bases
        ]
        frame = self._view.frame.grown(-4)
        names = place_names(self._scene.terrain, self._view, look)
        lines = [(self._view.px(arrow.start), self._view.px(arrow.end)) for arrow in self._scene.arrows]
        works = [edge for piece in self._scene.terrain if piece.feature in LINES for edge in self._edge(piece)]
        standing = Standing(self._field.size, self._rings, [*(name.wanted_ring for name in names), *lines, *works])
        spots = place(
            [
                Wish(drawn.width, drawn.height, around(ring), base.facing)
                for drawn, ring, base in zip(plates, self._rings, self._bases, strict=True)
            ],
            standing,
            frame,
        )
        leaders = [spot.leader for spot in spots if spot.leader]
        clear = Standing(
            self._field.size, [*self._rings, *(spot.box.ring for spot in spots)], [*leaders, *lines, *works]
        )
        draw_place_names(self._field, names, clear, frame)
        for spot, base, ring in zip(spots, self._bases, self._rings, strict=True):
            if spot.leader:
                start, end = clear_of(*spot.leader, [ring], 0)
                draw_leader(self._field, start, end, self._looks[base.side].colour, look.paper)
        for drawn, spot in zip(plates, spots, strict=True):
            self._field.paste(drawn, (int(spot.box.left), int(spot.box.top)), drawn)
