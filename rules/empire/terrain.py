"""Effects of each kind of terrain on foot and crews that take cover in it (BE-M.4)."""

from collections.abc import Iterable

from rules.core.catalog import TerrainAspect, TerrainEffect
from rules.core.scene import Feature

from .conduct.charts import CHART, SHELTER
from .fighting.engagement import OBSTACLE, TERRAIN
from .firing.firepower import COVERED
from .model import Cover, Defence
from .moving.formation import GROUND, protection_by_ground
from .options import EmpireOptions
from .tables import value


def terrain_effects(feature: Feature, options: EmpireOptions) -> Iterable[TerrainEffect]:
    """Yield the terrain's effects on cover, melee and conduct (house). No terrain slows or hides units."""
    defends, cover = protection_by_ground(feature.value)
    if cover is not Cover.NONE:
        modifier = value("rifle-modifiers", COVERED)
        words = f"{cover.value}, {modifier:+d} a die of fire"
        yield TerrainEffect(matter=TerrainAspect.COVER, words=words, cite=GROUND)
    if defends is Defence.NOTHING:
        return
    as_terrain = defends is Defence.TERRAIN
    if as_terrain or defends is Defence.OBSTACLE or options.works_are_obstacles:
        modifier = value("melee-modifiers", TERRAIN if as_terrain else OBSTACLE)
        yield TerrainEffect(matter=TerrainAspect.MELEE, words=f"{modifier:+d} a die when charged", cite=GROUND)
    if defends is Defence.WORKS:
        yield TerrainEffect(matter=TerrainAspect.CONDUCT, words=f"{value(CHART, SHELTER):+d}", cite=GROUND)
