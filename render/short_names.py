"""Shorten unit names on crowded plates; the legend explains the short names."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from rules.core.scene import TableScene, UnitBase

from .bases import bases_in_area, separate_single_figures
from .geometry import View, base_corners, bounding_box
from .plates import plate_size

AROUND = 7.0
"""Distance from a base within which other plates crowd its plate, in multiples of the text size."""
CROWDED, ROOMY = 0.7, 0.6
"""Covered share of a base's surroundings above which names are shortened, and share at which shortening stops."""
WORTH = 0.75
"""Maximum area of a plate with a short name, as a fraction of the plate with the long name."""


@lru_cache(maxsize=4)
def shorten_crowded_names(scene: TableScene, view: View, text_size: int) -> Mapping[str, str]:
    """Return the short names of units whose plates are crowded, by unit id.

    `text_size` is in pixels. The result is cached for plates and legend: never change it.
    """
    bases = [base for base in bases_in_area(separate_single_figures(scene.bases), view.box) if base.has_plate]
    if not bases:
        return {}
    short = {base.unit: base.short or base.name for base in bases}
    long_sizes, short_sizes = (
        np.array([_plate_area(base, name, text_size) for base, name in zip(bases, names, strict=True)])
        for names in ([base.name for base in bases], [*short.values()])
    )
    frame = view.frame
    base_areas = np.array([base.frontage * base.depth * view.scale**2 for base in bases])
    rings = [[view.pixel(at) for at in base_corners(base)] for base in bases]
    surroundings = [bounding_box(ring).grow(AROUND * text_size).clip_to(frame) for ring in rings]
    positions, edges = np.array([view.pixel(base.at) for base in bases]), np.array(surroundings)[:, None]
    inside = np.asarray(((edges[..., :2] <= positions) & (positions <= edges[..., 2:])).all(axis=-1))
    ground = np.array([max(box.width * box.height, 1.0) for box in surroundings])
    saved = np.where(short_sizes <= WORTH * long_sizes, long_sizes - short_sizes, 0.0)
    used_areas, chosen = long_sizes + base_areas, list[UnitBase]()
    crowded = inside @ used_areas > CROWDED * ground
    while True:
        fullness = np.where(crowded & (inside @ saved > 0), inside @ used_areas / ground, 0.0)
        if fullness.max() <= ROOMY:
            return {base.unit: short[base.unit] for base in chosen}
        number = int(np.where(inside[fullness.argmax()], saved, 0.0).argmax())
        used_areas[number] -= saved[number]
        saved[number] = 0.0
        chosen.append(bases[number])


def _plate_area(base: UnitBase, name: str, text_size: int) -> float:
    """Return the area in square pixels of the unit's plate with `name` on it."""
    across, down = plate_size(name, base.strength, len(base.markers), text_size, base.kills)
    return float(across * down)
