"""What may be said of a shot (`with:`), and firer and target as they are when that is so (BE-3, BE-4)."""

from collections.abc import Iterable

from rules.core.circumstances import meanings
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.model import GUNS, Cover, EmpireState, EmpireUnit, Weapon
from rules.empire.orders import as_said

from .firepower import IN_SANGARS
from .targeting import has_moved, rule_of

MEANINGS = meanings("rules.empire", "firing_circumstances.toml")
OF_ARTILLERY, OF_SMALL_ARMS, OF_TARGET = MEANINGS["artillery"], MEANINGS["small_arms"], MEANINGS["target"]
OF_FIRER = {**MEANINGS["firer"], **OF_ARTILLERY, **OF_SMALL_ARMS}
FIRE_WORDS = (*OF_FIRER, *OF_TARGET)
IN_CONTACT, MOUNTAINEER = "target in contact", "target pathan or boer"


def make_sense(unit: EmpireUnit, words: tuple[str, ...]) -> None:
    """Whether the words bear on what the unit fires. Raises Refused."""
    guns, small_arms = ("artillery", (*OF_SMALL_ARMS, IN_CONTACT)), ("rifles and machine guns", OF_ARTILLERY)
    name, idle = guns if unit.weapon in GUNS else small_arms
    for word in words:
        if word in idle:
            raise Refused(f"“{word}” makes no difference to the fire of {name}. Leave it out.", rule_of(unit))


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
        "heavy gun": unit.weapon is not Weapon.HEAVY_GUN,
        "light gun": unit.weapon is Weapon.HEAVY_GUN,
        "elite": not unit.elite,
        "target in the open": covered,
        "target skirmishing": covered,
        "target moved": covered and not has_moved(target),
        "target in cover": target.cover not in (Cover.NONE, Cover.SOFT),
        "target in hard cover": target.cover not in (Cover.NONE, Cover.HARD),
        "target in a sangar": target.cover not in (Cover.NONE, Cover.SANGAR),
        "target in column": not target.in_depth,
        "target deep massed": not target.in_depth,
    }
    return tuple(word for word, says_more in untrue.items() if says_more and word not in allowed)
