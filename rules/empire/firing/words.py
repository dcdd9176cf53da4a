"""What may be said of a shot (`with:`), and firer and target as they are when that is so (BE-3, BE-4)."""

from collections.abc import Iterable

from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.model import GUNS, Cover, EmpireState, EmpireUnit, Formation, Nation, Weapon
from rules.empire.orders import remembering

from .cover import IN_SANGARS, has_moved

SHAKEN, LOW, MOVING, PIVOTED = "firer shaken", "low on ammo", "moving", "pivoted"
ELITE, FRAGILE, HEAVY, LIGHT = "elite", "fragile", "heavy gun", "light gun"
IN_THE_OPEN, GONE_TO_GROUND, SKIRMISHING = "target in the open", "target gone to ground", "target skirmishing"
COVERS = {
    "target in cover": Cover.SOFT,
    "target in hard cover": Cover.HARD,
    "target in a sangar": Cover.SANGAR,
}
IN_DEPTH = {"target in column": Formation.COLUMN, "target deep massed": Formation.DEEP}
ORDERS = {SKIRMISHING: Formation.SKIRMISH, **IN_DEPTH}
IN_CONTACT, TARGET_MOVED, MOUNTAINEER = "target in contact", "target moved", "target pathan or boer"

OF_ARTILLERY = (PIVOTED, HEAVY, LIGHT)
OF_SMALL_ARMS = (MOVING, IN_CONTACT, ELITE, FRAGILE)
FIRE_WORDS = (
    *(SHAKEN, LOW, *OF_ARTILLERY, MOVING, ELITE, FRAGILE),
    *(IN_THE_OPEN, *COVERS, GONE_TO_GROUND, *ORDERS, IN_CONTACT, TARGET_MOVED, MOUNTAINEER),
)
AN_INCH = 1.0
"""What is remembered of a unit that only is said to have moved."""


def make_sense(unit: EmpireUnit, words: tuple[str, ...]) -> None:
    """Whether the words bear on what the unit fires. Raises Refused."""
    guns = unit.weapon in GUNS
    idle = next((word for word in words if word in (OF_SMALL_ARMS if guns else OF_ARTILLERY)), None)
    if idle:
        arms = "artillery" if guns else "rifles and machine guns"
        rule = Cite(rule="BE-3" if guns else "BE-4")
        raise Refused(f"“{idle}” makes no difference to the fire of {arms}. Leave it out.", rule)


def firer_as_said(unit: EmpireUnit, words: tuple[str, ...]) -> EmpireUnit:
    """The firer with what is said of it."""
    fields = {SHAKEN: "shaken", LOW: "low_ammo", ELITE: "elite", FRAGILE: "fragile"}
    update: dict[str, object] = {field: True for word, field in fields.items() if word in words}
    update |= {fields[other]: False for word, other in ((ELITE, FRAGILE), (FRAGILE, ELITE)) if word in words}
    if HEAVY in words or LIGHT in words:
        update["weapon"] = Weapon.HEAVY_GUN if HEAVY in words else Weapon.LIGHT_GUN
    said = unit.model_copy(update=update)
    said = remembering(said, pivoted=True) if PIVOTED in words else said
    return remembering(said, moved=AN_INCH) if MOVING in words else said


def target_as_said(target: EmpireUnit, words: tuple[str, ...]) -> EmpireUnit:
    """The target with what is said of it."""
    update: dict[str, object] = {}
    if IN_THE_OPEN in words:
        update |= {"cover": Cover.NONE, "gone_to_ground": False}
    if GONE_TO_GROUND in words:
        update["gone_to_ground"] = True
    if MOUNTAINEER in words and target.nation not in IN_SANGARS:
        update["nation"] = Nation.PATHAN
    for word in words:
        if word in COVERS:
            update["cover"] = COVERS[word]
        elif word in ORDERS:
            update["formation"] = ORDERS[word]
    said = target.model_copy(update=update)
    return remembering(said, moved=AN_INCH) if TARGET_MOVED in words else said


def umpires_words(state: EmpireState, action: Action) -> Iterable[str]:
    """Words that would help the firer, where the state knows better: only the umpire may say them.

    Those with which a machine gun has taken aim have been said by him, or needed not to be.
    """
    unit, target = state.units.get(action.unit or ""), state.units.get(getattr(action, "target", None) or "")
    if unit is None or target is None:
        return ()
    aims = (burst for burst in state.bursts if (burst.unit, burst.target) == (unit.id, target.id))
    allowed = {word for burst in aims for word in burst.circumstances}
    cover = target.cover
    covered = cover is not Cover.NONE or target.gone_to_ground
    untrue = {
        HEAVY: unit.weapon is not Weapon.HEAVY_GUN,
        LIGHT: unit.weapon is Weapon.HEAVY_GUN,
        ELITE: not unit.elite,
        IN_THE_OPEN: covered,
        SKIRMISHING: covered,
        TARGET_MOVED: covered and not has_moved(target),
        **{word: cover not in (Cover.NONE, other) for word, other in COVERS.items()},
        **dict.fromkeys(IN_DEPTH, not target.in_depth),
    }
    return tuple(word for word, says_more in untrue.items() if says_more and word not in allowed)
