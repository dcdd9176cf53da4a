"""Effects of each kind of terrain on movement, sight and cover, as text, depending on the game's options."""

from collections.abc import Iterable

from rules.core.catalog import TerrainAspect, TerrainEffect
from rules.core.model import Cite, Mark
from rules.core.scene import Feature
from rules.core.wording import inches

from .ground import HIDING, OBSTACLES, WALLS
from .options import ChargeOptions, Passage

PRINTED = Cite(rule="CH-1.2")
HOUSE = Cite(rule="CH-1.2", mark=Mark.HOUSE)
SIGHT = Cite(rule="CH-2.1", mark=Mark.HOUSE)
COVER = Cite(rule="CH-3.2", mark=Mark.HOUSE)


def terrain_effects(feature: Feature, options: ChargeOptions) -> Iterable[TerrainEffect]:
    """Yield the effects of terrain on movement, sight and cover under the game's options."""
    yield from _movement_effects(feature, options)
    if feature in HIDING:
        yield TerrainEffect(matter=TerrainAspect.SIGHT, words="hides what is beyond it", cite=SIGHT)
    if feature is Feature.WOOD:
        through = options.sight_through_wood
        yield TerrainEffect(matter=TerrainAspect.SIGHT, words=f"{inches(through)} through it", cite=SIGHT)
        if options.woods_cover:
            yield TerrainEffect(matter=TerrainAspect.COVER, words="those in it", cite=COVER)
    if feature in WALLS:
        covered = f"those within {inches(options.cover_within)} behind it"
        yield TerrainEffect(matter=TerrainAspect.COVER, words=covered, cite=COVER)


def _movement_effects(feature: Feature, options: ChargeOptions) -> Iterable[TerrainEffect]:
    """Yield the effects of terrain that slow or bar movement (CH-1.2)."""
    barred = options.river is Passage.IMPASSABLE and feature is Feature.RIVER
    marsh = "infantry at ½, no others" if options.marsh_for_infantry is Passage.HALF else "impassable"
    meanings = {
        Feature.HILL: ("slopes at ½, but not straight down", PRINTED),
        Feature.WOOD: ("at ½, cavalry in single file, no guns", PRINTED),
        Feature.MARSH: (marsh, PRINTED),
        Feature.BUILDING: ("impassable", HOUSE),
        Feature.ROAD: ("a bridge over a river", HOUSE),
        **dict.fromkeys(OBSTACLES, ("half of the move to cross", HOUSE)),
        **({Feature.RIVER: ("impassable but by a bridge", PRINTED.as_ruling)} if barred else {}),
    }
    if feature in meanings:
        words, cite = meanings[feature]
        yield TerrainEffect(matter=TerrainAspect.MOVEMENT, words=words, cite=cite)
