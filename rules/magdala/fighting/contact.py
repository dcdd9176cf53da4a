"""Coming into contact (MM-4.1): the defender's fire that comes first, or a routed enemy ridden down."""

from rules.core.model import Cite, Mark
from rules.core.report import Step
from rules.core.tabletop.table import CONTACT
from rules.core.wording import tenths
from rules.magdala.arms import is_fighter
from rules.magdala.engagement import can_fight, engage, engaged
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.model import Attack, MagdalaPlay, MagdalaState, MagdalaUnit, Morale, Test, Troop, Weapon
from rules.magdala.morale.flight import remove
from rules.magdala.morale.standing import GONE_OR_GOING
from rules.magdala.stored_prompts import MOVES, call_for, forget
from rules.magdala.tables import limit

ROUTED = Cite(rule="MM-4.6", mark=Mark.RULING)


def contact(play: MagdalaPlay, attacker_id: str, target_id: str, moved: float, attack: Attack = Attack.FRONT) -> None:
    """The attacker, having moved so many inches, is in base contact; the defender's fire comes first (MM-4.1)."""
    attacker, target = play.state.unit(attacker_id), play.state.unit(target_id)
    attack = Attack.FRONT if target.in_square else attack
    if not can_fight(attacker, target):
        play.say(Step(text=f"{attacker.name} meets {target.name}", cite=Cite(rule="MM-4"), verdict="no melee"))
        return
    if target.morale is Morale.ROUTED:
        _ride_down(play, attacker, target, moved)
        return
    fires_back = may_fire_back(play.state, target)
    play.state = forget(engage(play.state, attacker_id, target_id, attack), target_id, MOVES)
    half = moved < limit("approach that halves the defender's fire") - CONTACT
    owing = call_for(play.state, target_id, Test.DEFENSIVE_FIRE, by=attacker_id, half_effect=half)
    verdict = f"{target.name} has no fire to give"
    if fires_back and FIRE.planned(owing, Fire(unit=target_id, target=attacker_id)) is not None:
        play.state = owing
        effect = f"at half effect: the attackers came {tenths(moved)} inches" if half else "at full effect"
        verdict = f"{target.name} fires first, {effect}"
    where = "" if attack is Attack.FRONT else f" in the {attack}"
    play.say(Step(text=f"{attacker.name} meets {target.name}{where}", cite=Cite(rule="MM-4.1"), verdict=verdict))


def _ride_down(play: MagdalaPlay, attacker: MagdalaUnit, routed: MagdalaUnit, moved: float) -> None:
    """Who moves into the routed destroys them as pursuers would; not who has just fought, or stands there (ruling)."""
    verdict = "it does not come up with them"
    if moved > CONTACT and not attacker.this_turn.fought:
        play.state = remove(play.state, routed.id)
        verdict = f"{routed.name} is destroyed"
    play.say(Step(text=f"{attacker.name} meets {routed.name} in rout", cite=ROUTED, verdict=verdict))


def may_fire_back(state: MagdalaState, defender: MagdalaUnit) -> bool:
    """Whether a defender has fire to give: armed, loaded, formed, and not in melee already."""
    silent = defender.weapon in (Weapon.MELEE, Weapon.HEAVY_GUN) or defender.jammed or defender.limbered
    last_volley = defender.troop is Troop.REGULAR_INFANTRY and not defender.last_volley_fired
    loaded = defender.is_detachment or defender.ammunition > 0 or last_volley
    formed = is_fighter(defender) and defender.morale not in GONE_OR_GOING and not engaged(state, defender)
    return loaded and formed and not silent
