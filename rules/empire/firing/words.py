"""What may be said of a shot (`with:`), and firer and target as they are when that is so (BE-3, BE-4)."""

from collections.abc import Iterable, Mapping

from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.model import GUNS, Cover, EmpireState, EmpireUnit, Formation, Nation, Weapon
from rules.empire.orders import as_said

from .firepower import IN_SANGARS
from .targeting import has_moved, rule_of

ELITE, HEAVY, LIGHT = "elite", "heavy gun", "light gun"
IN_THE_OPEN, SKIRMISHING, IN_CONTACT = "target in the open", "target skirmishing", "target in contact"
TARGET_MOVED, MOUNTAINEER = "target moved", "target pathan or boer"
AN_INCH = 1.0
"""What is remembered of a unit that only is said to have moved."""

Meanings = Mapping[str, Mapping[str, object]]
OF_ARTILLERY: Meanings = {
    "pivoted": {"pivoted": True},
    HEAVY: {"weapon": Weapon.HEAVY_GUN},
    LIGHT: {"weapon": Weapon.LIGHT_GUN},
}
OF_SMALL_ARMS: Meanings = {
    "moving": {"moved": AN_INCH},
    ELITE: {"elite": True, "fragile": False},
    "fragile": {"elite": False, "fragile": True},
}
OF_FIRER: Meanings = {
    "firer shaken": {"shaken": True},
    "low on ammo": {"low_ammo": True},
    **OF_ARTILLERY,
    **OF_SMALL_ARMS,
}
COVERS = {
    "target in cover": Cover.SOFT,
    "target in hard cover": Cover.HARD,
    "target in a sangar": Cover.SANGAR,
}
IN_DEPTH = {"target in column": Formation.COLUMN, "target deep massed": Formation.DEEP}
OF_TARGET: Meanings = {
    IN_THE_OPEN: {"cover": Cover.NONE, "gone_to_ground": False},
    **{word: {"cover": cover} for word, cover in COVERS.items()},
    "target gone to ground": {"gone_to_ground": True},
    SKIRMISHING: {"formation": Formation.SKIRMISH},
    **{word: {"formation": formation} for word, formation in IN_DEPTH.items()},
    IN_CONTACT: {},
    TARGET_MOVED: {"moved": AN_INCH},
    MOUNTAINEER: {"nation": Nation.PATHAN},
}
FIRE_WORDS = (*OF_FIRER, *OF_TARGET)


def make_sense(unit: EmpireUnit, words: tuple[str, ...]) -> None:
    """Whether the words bear on what the unit fires. Raises Refused."""
    arms, others = ("artillery", {*OF_SMALL_ARMS, IN_CONTACT}), ("rifles and machine guns", {*OF_ARTILLERY})
    name, idle = arms if unit.weapon in GUNS else others
    for word in words:
        if word in idle:
            raise Refused(f"“{word}” makes no difference to the fire of {name}. Leave it out.", rule_of(unit))


def firer_as_said(unit: EmpireUnit, words: tuple[str, ...]) -> EmpireUnit:
    """The firer with what is said of it."""
    return as_said(unit, words, OF_FIRER)


def target_as_said(target: EmpireUnit, words: tuple[str, ...]) -> EmpireUnit:
    """The target with what is said of it; a Boer remains one."""
    known = (MOUNTAINEER,) if target.nation in IN_SANGARS else ()
    return as_said(target, (word for word in words if word not in known), OF_TARGET)


def umpires_words(state: EmpireState, action: Action) -> Iterable[str]:
    """Words that would help the firer, where the state knows better: only the umpire may say them.

    Those with which a machine gun has taken aim have been said by him, or needed not to be.
    """
    unit, target = state.units.get(action.unit or ""), state.units.get(getattr(action, "target", None) or "")
    if unit is None or target is None:
        return ()
    aims = (burst for burst in state.bursts if (burst.unit, burst.target) == (unit.id, target.id))
    allowed = {word for burst in aims for word in burst.circumstances}
    covered = target.cover is not Cover.NONE or target.gone_to_ground
    untrue = {
        HEAVY: unit.weapon is not Weapon.HEAVY_GUN,
        LIGHT: unit.weapon is Weapon.HEAVY_GUN,
        ELITE: not unit.elite,
        IN_THE_OPEN: covered,
        SKIRMISHING: covered,
        TARGET_MOVED: covered and not has_moved(target),
        **{word: target.cover not in (Cover.NONE, other) for word, other in COVERS.items()},
        **dict.fromkeys(IN_DEPTH, not target.in_depth),
    }
    return tuple(word for word, says_more in untrue.items() if says_more and word not in allowed)
