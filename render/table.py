"""The map: a table in inches with its units, as a PNG.

Pure and safe in worker threads: what is kept between calls (ground, bases, plates) is never drawn on.
"""

from collections.abc import Mapping, Sequence

from PIL import Image, ImageDraw

from rules.core.scene import Point, TableScene, UnitBase

from .arrows import ABOVE, clear_of, draw_arrow
from .bases import base_sprite
from .geometry import Box, View, around, corners
from .grid import area_of
from .ground import ground
from .palette import SideLook, Theme, png, theme
from .plates import plate
from .placing import Spot, Taken, Wish, place
from .sheet import Plan, draw_sheet, paper, plan

__all__ = ["Box", "area_of", "draw", "picture"]


def draw(scene: TableScene, *, area: Box | None = None, style: str = "campaign") -> bytes:
    """The scene, or only `area` of it (inches) at a larger scale, as a PNG.

    Raises:
        ValueError: on an unknown style or an empty area, saying what is allowed.
    """
    return png(picture(scene, area=area, style=style))


def picture(scene: TableScene, *, area: Box | None = None, style: str = "campaign", shrink: float = 1.0) -> Image.Image:
    """The scene as an RGB picture, the map `shrink` of its usual size."""
    table = Box(0, 0, scene.width, scene.height)
    shown = table if area is None else area.within(table)
    if shown.width <= 0 or shown.height <= 0:
        raise ValueError(f"That area is not on the table, which is {scene.width:g} by {scene.height:g} inches.")
    look = theme(style, scene.ground)
    sheet = plan(scene, shown, look, shrink)
    image = paper(sheet, look.paper)
    frame = sheet.view.frame
    field = ground(scene.ground, shown, sheet.view.scale, scene.terrain, style).convert("RGB")
    _draw_units(field, scene, View(shown, sheet.view.scale), look)
    image.paste(field, (int(frame.left), int(frame.top)))
    draw_sheet(image, sheet, look)
    return image


def _draw_units(field: Image.Image, scene: TableScene, view: View, look: Theme) -> None:
    """Arrows, bases, names of places and plates on the ground of `view`."""
    looks = {side.id: look.sides[side.index % len(look.sides)] for side in scene.sides}
    shown = [base for base in scene.bases if view.box.grown(1).meets(Box(*base.at, *base.at).grown(0.1))]
    rings = [_ring(base, view) for base in shown]
    _draw_arrows(field, scene, view, looks, rings, look, above=False)
    for base in shown:
        _draw_base(field, base, view, looks[base.side])
    _draw_arrows(field, scene, view, looks, rings, look, above=True)
    _draw_plates(field, scene, shown, rings, view, looks, look)


def _ring(base: UnitBase, view: View) -> tuple[Point, ...]:
    return tuple(view.px(corner) for corner in corners(base.at, base.facing, base.frontage, base.depth))


def _draw_base(field: Image.Image, base: UnitBase, view: View, look: SideLook) -> None:
    wide, deep = (max(round(length * view.scale), 14) for length in (base.frontage, base.depth))
    drawn = base_sprite(base.symbol, look, wide, deep, round(base.facing) % 360)
    x, y = view.px(base.at)
    field.paste(drawn, (round(x - drawn.width / 2), round(y - drawn.height / 2)), drawn)


def _draw_arrows(
    field: Image.Image,
    scene: TableScene,
    view: View,
    looks: Mapping[str, SideLook],
    rings: Sequence[Sequence[Point]],
    look: Theme,
    *,
    above: bool,
) -> None:
    for arrow in scene.arrows:
        if (arrow.kind in ABOVE) is not above:
            continue
        start, end = view.px(arrow.start), view.px(arrow.end)
        if arrow.kind not in ABOVE:
            start, end = clear_of(start, end, rings, 8)
        colour = looks[arrow.side].colour if arrow.side in looks else look.ink
        draw_arrow(field, arrow, start, end, colour, look.paper)


def _draw_plates(
    field: Image.Image,
    scene: TableScene,
    shown: Sequence[UnitBase],
    rings: Sequence[Sequence[Point]],
    view: View,
    looks: Mapping[str, SideLook],
    look: Theme,
) -> None:
    plates = [plate(b.name, b.strength, b.markers, looks[b.side], look.plate, look.ink) for b in shown]
    spots = _spots(scene, shown, rings, view, [p.size for p in plates])
    draw = ImageDraw.Draw(field)
    for spot in spots:
        if spot.leader:
            draw.line(spot.leader, fill=look.ink, width=2)
    for drawn, spot in zip(plates, spots, strict=True):
        field.paste(drawn, (int(spot.box.left), int(spot.box.top)), drawn)


def _spots(
    scene: TableScene,
    shown: Sequence[UnitBase],
    rings: Sequence[Sequence[Point]],
    view: View,
    sizes: Sequence[tuple[int, int]],
) -> tuple[Spot, ...]:
    """Where the plates of those sizes go, in pixels of the field."""
    frame = view.frame
    wide, high = int(frame.right), int(frame.bottom)
    bases = Taken.by(wide, high, rings, ())
    lines = [(view.px(arrow.start), view.px(arrow.end)) for arrow in scene.arrows]
    soft = Taken.by(wide, high, (), lines)
    wishes = [
        Wish(size[0], size[1], around(ring), base.facing) for size, ring, base in zip(sizes, rings, shown, strict=True)
    ]
    return place(wishes, bases, soft, frame.grown(-4))
