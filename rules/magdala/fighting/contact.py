"""Coming into contact (MM-4.1): the defender's fire that comes first, or a routed enemy ridden down."""

from rules.core.model import Cite, Mark
from rules.core.tabletop.table import CONTACT
from rules.core.wording import tenths
from rules.magdala.arms import is_fighter
from rules.magdala.engagement import can_fight, engage, engaged
from rules.magdala.firing.fire import FIRE, Fire
from rules.magdala.model import Attack, MagdalaPlay, Morale, Test
from rules.magdala.morale.flight import GONE_OR_GOING, remove
from rules.magdala.stored_prompts import MOVES, call_for, forget
from rules.magdala.tables import limit

ROUTED = Cite(rule="MM-4.6", mark=Mark.RULING)


def contact(play: MagdalaPlay, attacker_id: str, target_id: str, moved: float, attack: Attack = Attack.FRONT) -> None:
    """The attacker, having moved so many inches, is in base contact; the defender's fire comes first (MM-4.1).

    Who moves into the routed destroys them as pursuers would; not who has just fought, or stands there (ruling).
    """
    attacker, target = play.state.unit(attacker_id), play.state.unit(target_id)
    meets = f"{attacker.name} meets {target.name}"
    if not can_fight(attacker, target):
        play.note(meets, Cite(rule="MM-4"), "no melee")
    elif target.morale is not Morale.ROUTED:
        at = Attack.FRONT if target.in_square else attack
        fire = _charged(play, attacker_id, target_id, moved, at)
        play.note(f"{meets}{'' if at is Attack.FRONT else f' in the {at}'}", Cite(rule="MM-4.1"), fire)
    elif moved > CONTACT and not attacker.this_turn.fought:
        play.state = remove(play.state, target_id)
        play.note(f"{meets} in rout", ROUTED, f"{target.name} is destroyed")
    else:
        play.note(f"{meets} in rout", ROUTED, "it does not come up with them")


def _charged(play: MagdalaPlay, attacker_id: str, target_id: str, moved: float, attack: Attack) -> str:
    """They are in melee; the defender owes its fire if it has any to give, formed and in no melee before: in words."""
    target = play.state.unit(target_id)
    formed = is_fighter(target) and target.morale not in GONE_OR_GOING and not engaged(play.state, target)
    play.state = forget(engage(play.state, attacker_id, target_id, attack), target_id, MOVES)
    half = moved < limit("approach that halves the defender's fire") - CONTACT
    owing = call_for(play.state, target_id, Test.DEFENSIVE_FIRE, by=attacker_id, half_effect=half)
    if not formed or FIRE.planned(owing, Fire(unit=target_id, target=attacker_id)) is None:
        return f"{target.name} has no fire to give"
    play.state = owing
    effect = f"at half effect: the attackers came {tenths(moved)} inches" if half else "at full effect"
    return f"{target.name} fires first, {effect}"
