"""Contact (MM-4.1): attackers moving into it take the defender's fire first."""

from rules.core.model import Cite
from rules.core.report import Step

from .arms import is_fighter
from .debts import owe
from .engagement import engage, engaged
from .flight import GONE_OR_GOING, Outcome
from .model import MagdalaState, MagdalaUnit, Test, Troop, Weapon
from .tables import limit


def contact(state: MagdalaState, attacker_id: str, target_id: str, moved: float, flank: bool = False) -> Outcome:
    """The attacker, having moved so many inches, is in base contact; the defender's fire comes first (MM-4.1)."""
    attacker, target = state.unit(attacker_id), state.unit(target_id)
    fires_back = may_fire_back(state, target)
    state = engage(state, attacker_id, target_id, flank)
    if fires_back:
        half = moved < limit("approach that halves the defender's fire")
        state = owe(state, target_id, Test.DEFENSIVE_FIRE, by=attacker_id, half_effect=half)
        effect = f"at half effect: the attackers came {moved:g} inches" if half else "at full effect"
        verdict = f"{target.name} fires first, {effect}"
    else:
        verdict = f"{target.name} has no fire to give"
    where = " in the flank" if flank else ""
    step = Step(text=f"{attacker.name} meets {target.name}{where}", cite=Cite(rule="MM-4.1"), verdict=verdict)
    return state, (step,)


def may_fire_back(state: MagdalaState, defender: MagdalaUnit) -> bool:
    """Whether a defender has fire to give: armed, loaded, formed, and not in melee already."""
    silent = defender.weapon in (Weapon.MELEE, Weapon.HEAVY_GUN) or defender.jammed or defender.limbered
    last_volley = defender.troop is Troop.REGULAR_INFANTRY and not defender.last_volley_fired
    loaded = defender.is_detachment or defender.ammunition > 0 or last_volley
    formed = is_fighter(defender) and defender.morale not in GONE_OR_GOING and not engaged(state, defender)
    return loaded and formed and not silent
