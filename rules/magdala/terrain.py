"""The meaning of each kind of terrain under the rules and the game's options."""

from collections.abc import Iterable, Mapping

from rules.core.catalog import TerrainAspect, TerrainEffect
from rules.core.model import Cite
from rules.core.scene import Feature
from rules.core.wording import number_text

from .firing.firepower import COVER, COVERING_GROUND
from .model import Works
from .moving.allowance import BAD_GOING as SLOWED
from .moving.formation import BUILDING, ROCKY
from .moving.marching import BAD_GOING, RIVERBOAT
from .options import MagdalaOptions
from .tables import cite, value

WORKS: Mapping[Feature, Works] = {
    feature: Works[feature.name] for feature in (Feature.ZAREBA, Feature.SANDBAGS, Feature.EARTHWORKS, Feature.SANGAR)
}
DEFENCES = "defences"
BY_SMALL_ARMS, BY_ARTILLERY, IN_MELEE = "cover from small arms", "cover from artillery", "attacker in melee"


def terrain_effects(feature: Feature, options: MagdalaOptions) -> Iterable[TerrainEffect]:
    """Yield what the terrain changes under the game's options."""
    if feature in BAD_GOING:
        part = f"formed regulars and guns at {number_text(options.going)}"
        yield TerrainEffect(matter=TerrainAspect.MOVEMENT, words=part, cite=SLOWED.as_ruling)
    if feature is Feature.RIVER:
        yield TerrainEffect(matter=TerrainAspect.MOVEMENT, words="the riverboat keeps to it", cite=RIVERBOAT)
    if feature in COVERING_GROUND:
        yield TerrainEffect(matter=TerrainAspect.COVER, words="fire is halved", cite=cite("firing-factors", COVER))
    if feature in WORKS:
        yield from _works_effects(WORKS[feature])
    if feature in ROCKY:
        yield TerrainEffect(matter=TerrainAspect.WORKS, words="a sangar may be built", cite=BUILDING.as_ruling)


def _works_effects(works: Works) -> Iterable[TerrainEffect]:
    """Yield the effects of works (MM-7): the fire that they halve, and the modifier of attackers in melee."""
    rule: Cite = cite(DEFENCES, works)
    against = {"small arms": BY_SMALL_ARMS, "artillery": BY_ARTILLERY}
    halved_arms = [arms for arms, column in against.items() if value(DEFENCES, works, column)]
    if halved_arms:
        words = f"fire of {' and '.join(halved_arms)} is halved"
        yield TerrainEffect(matter=TerrainAspect.COVER, words=words, cite=rule)
    if costs := value(DEFENCES, works, IN_MELEE):
        yield TerrainEffect(matter=TerrainAspect.MELEE, words=f"attackers {costs:+d}", cite=rule)
