"""Melee: contact, the defender's fire, and a round of single combats (MM-4)."""

from typing import ClassVar

from pydantic import Field

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import Cite, Mark
from rules.core.odds import Odds
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.tabletop.table import CONTACT
from rules.core.wording import tenths
from rules.magdala.arms import LEADERS, is_fighter
from rules.magdala.attack import meets, said_to_be
from rules.magdala.engagement import can_fight, engage, engaged, roles
from rules.magdala.firing.fire import Fire, aim
from rules.magdala.fleeing.flight import GONE_OR_GOING, HELD, Outcome, remove
from rules.magdala.model import Attack, MagdalaState, MagdalaUnit, Morale, Test, Troop, Weapon
from rules.magdala.morale.casualties import How, inflict
from rules.magdala.morale.morale_trial import UMPIRES_CALL
from rules.magdala.orders import find, own_turn, under_command
from rules.magdala.placement import base, touching
from rules.magdala.prompts import first_fire, hindrance, offering
from rules.magdala.stored_prompts import MOVES, call_for, forget
from rules.magdala.tables import limit
from rules.magdala.telling import Told, told

from . import bouts, setting_up
from .combats import AGAINST_WORKS, Bout, Losses

ROUTED = Cite(rule="MM-4.6", mark=Mark.RULING)


class Melee(Action):
    """One round of melee between `unit` and `target`; `contact` figures touch, where positions do not tell."""

    kind: ClassVar[str] = "melee"
    circumstance_names: ClassVar[tuple[str, ...]] = (*setting_up.MELEE_WORDS, AGAINST_WORKS, UMPIRES_CALL)

    target: str | None = None
    contact: int | None = Field(default=None, ge=1)


def contact(
    state: MagdalaState, attacker_id: str, target_id: str, moved: float, attack: Attack = Attack.FRONT
) -> Outcome:
    """The attacker, having moved so many inches, is in base contact; the defender's fire comes first (MM-4.1)."""
    attacker, target = state.unit(attacker_id), state.unit(target_id)
    attack = Attack.FRONT if target.in_square else attack
    if not can_fight(attacker, target):
        return state, (Step(text=f"{attacker.name} meets {target.name}", cite=Cite(rule="MM-4"), verdict="no melee"),)
    if target.morale is Morale.ROUTED:
        return _ridden_down(state, attacker, target, moved)
    fires_back = may_fire_back(state, target)
    state = forget(engage(state, attacker_id, target_id, attack), target_id, MOVES)
    half = moved < limit("approach that halves the defender's fire") - CONTACT
    owing = call_for(state, target_id, Test.DEFENSIVE_FIRE, by=attacker_id, half_effect=half)
    if fires_back and _comes_to_a_volley(owing, target_id, attacker_id):
        state = owing
        effect = f"at half effect: the attackers came {tenths(moved)} inches" if half else "at full effect"
        verdict = f"{target.name} fires first, {effect}"
    else:
        verdict = f"{target.name} has no fire to give"
    where = "" if attack is Attack.FRONT else f" in the {attack}"
    step = Step(text=f"{attacker.name} meets {target.name}{where}", cite=Cite(rule="MM-4.1"), verdict=verdict)
    return state, (step,)


def _comes_to_a_volley(state: MagdalaState, defender_id: str, attacker_id: str) -> bool:
    """Whether the defender's fire would throw a die at all (MM-3.5)."""
    try:
        aim(state, Fire(unit=defender_id, target=attacker_id))
    except Refused:
        return False
    return True


def _ridden_down(state: MagdalaState, attacker: MagdalaUnit, routed: MagdalaUnit, moved: float) -> Outcome:
    """Who moves into the routed destroys them as pursuers would; not who has just fought, or stands there (ruling)."""
    text = f"{attacker.name} meets {routed.name} in rout"
    if moved <= CONTACT or attacker.this_turn.fought:
        return state, (Step(text=text, cite=ROUTED, verdict="it does not come up with them"),)
    return remove(state, routed.id), (Step(text=text, cite=ROUTED, verdict=f"{routed.name} is destroyed"),)


def may_fire_back(state: MagdalaState, defender: MagdalaUnit) -> bool:
    """Whether a defender has fire to give: armed, loaded, formed, and not in melee already."""
    silent = defender.weapon in (Weapon.MELEE, Weapon.HEAVY_GUN) or defender.jammed or defender.limbered
    last_volley = defender.troop is Troop.REGULAR_INFANTRY and not defender.last_volley_fired
    loaded = defender.is_detachment or defender.ammunition > 0 or last_volley
    formed = is_fighter(defender) and defender.morale not in GONE_OR_GOING and not engaged(state, defender)
    return loaded and formed and not silent


def fight(state: MagdalaState, action: Melee, dice: Dice) -> Told:
    """Fights the round; first contact made by hand lets the defender fire before it. Raises Refused before any die."""
    unit, target = _two(state, action)
    state, met = _met(state, action, unit, target)
    if first_fire(state, unit, target) or not state.unit(target.id).on_table:
        headline = f"{unit.name} meets {target.name}"
        return told(state, unit.id, headline, met, (target.id,))
    bout = _bout(state, action, unit.id, target.id)
    lost, steps = bouts.fought(bout, dice)
    state, after = _settled(state, bout, lost)
    headline = f"{unit.name} against {target.name}, round {bout.round}: {_result(bout, lost)}"
    return told(state, unit.id, headline, (*met, *steps, *after), (target.id,), bout.warnings)


def odds(state: MagdalaState, action: Melee) -> Odds:
    """The exact chances of the round. Raises Refused as the round itself."""
    unit, target = _two(state, action)
    state, _ = _met(state, action, unit, target)
    return bouts.odds(_bout(state, action, unit.id, target.id), unit.id)


def _two(state: MagdalaState, action: Melee) -> tuple[MagdalaUnit, MagdalaUnit]:
    """The two who fight. Raises Refused."""
    unit = find(state, action.unit)
    target = find(state, action.target or unit.melee_with, "target")
    if unit.side == target.side:
        raise Refused(f"{unit.name} and {target.name} are on the same side. Choose an enemy.", Cite(rule="MM-4"))
    leader = next((each for each in (unit, target) if each.troop in LEADERS), None)
    if leader is not None:
        rule = Cite(rule="MM-6", mark=Mark.RULING)
        raise Refused(f"{leader.name} does not fight alone: name the unit he is with.", rule)
    not_yet = hindrance(state, unit, target)
    if not_yet is not None:
        raise not_yet
    return unit, target


def _in_melee(unit: MagdalaUnit, target: MagdalaUnit) -> bool:
    return target.id == unit.melee_with or unit.id == target.melee_with


def _met(state: MagdalaState, action: Melee, unit: MagdalaUnit, target: MagdalaUnit) -> Outcome:
    """Contact made by hand, where the table does not know it, or found by touching. Raises Refused without contact."""
    if _in_melee(unit, target):
        return state, ()
    if touching(unit, target) is False:
        raise Refused(f"{unit.name} does not touch {target.name}. Move into contact first.", Cite(rule="MM-4.1"))
    if unit.melee_with is not None:
        raise Refused(
            f"{unit.name} is in melee with {state.unit(unit.melee_with).name}; that one goes on first.",
            Cite(rule="MM-4.5", mark=Mark.RULING),
        )
    if not is_fighter(unit):
        raise Refused(f"{unit.name} attacks nobody. Name the enemy's unit, and this as its target.", Cite(rule="MM-4"))
    if target.morale is Morale.ROUTED:
        raise Refused(f"{target.name} is in rout. Move into it, or pursue, to ride it down.", ROUTED)
    attack = _attack(state, action, unit, target)
    if UMPIRES_CALL in action.circumstances:
        return forget(forget(engage(state, unit.id, target.id, attack), unit.id, MOVES), target.id, MOVES), ()
    own_turn(state, unit)
    under_command(state, unit)
    if unit.morale in HELD:
        raise Refused(f"{unit.name} is {unit.morale}: it attacks nobody until it may go on.", Cite(rule="MM-5.7"))
    return contact(state, unit.id, target.id, unit.this_turn.moved, attack)


def _attack(state: MagdalaState, action: Melee, unit: MagdalaUnit, target: MagdalaUnit) -> Attack:
    """Where a melee made by hand meets the enemy: as it is said, else as the bases stand."""
    here = base(unit)
    return said_to_be(action.circumstances) or (meets(state, target, here, here) if here else Attack.FRONT)


def _bout(state: MagdalaState, action: Melee, unit_id: str, target_id: str) -> Bout:
    """The round to be fought. Raises Refused when it has been fought this turn."""
    attacker, defender = roles(state.unit(unit_id), state.unit(target_id))
    if defender.id in attacker.this_turn.fought_with:
        raise Refused(
            f"{attacker.name} and {defender.name} have fought this turn. The melee goes on next turn.",
            Cite(rule="MM-4.5", mark=Mark.RULING),
        )
    return setting_up.bout(state, attacker, defender, action.circumstances, action.contact, unit_id)


def _settled(state: MagdalaState, bout: Bout, lost: Losses) -> Outcome:
    """Both sides take their losses at once; who lost more tests its morale, and the melee goes on (MM-4.5)."""
    state = _after_round(state, bout, lost)
    steps: tuple[Step, ...] = ()
    two = (bout.attacker, bout.defender)
    for unit, enemy, figures in zip(two, reversed(two), lost, strict=True):
        state, taken = inflict(state, unit.id, figures, enemy.id, How.MELEE)
        steps += taken
    loser = beaten(bout, lost)
    still_there = all(state.unit(unit.id).on_table for unit in two)
    if loser is not None and still_there and is_fighter(loser):
        in_a_row = state.unit(loser.id).melee_lost_in_a_row
        state = call_for(state, loser.id, Test.MELEE_LOST, by=_enemy(bout, loser).id, lost_in_a_row=in_a_row)
    return state, steps


def beaten(bout: Bout, lost: Losses) -> MagdalaUnit | None:
    """The overall loser of a round: the side that suffered more kills (ruling); None of equals."""
    if lost[0] == lost[1]:
        return None
    return bout.attacker if lost[0] > lost[1] else bout.defender


def _enemy(bout: Bout, unit: MagdalaUnit) -> MagdalaUnit:
    return bout.defender if unit.id == bout.attacker.id else bout.attacker


def _after_round(state: MagdalaState, bout: Bout, lost: Losses) -> MagdalaState:
    """The state with the round counted for both; a turn in which one or more are lost counts once (ruling)."""
    loser = beaten(bout, lost)
    for each in (bout.attacker, bout.defender):
        unit, enemy = state.unit(each.id), _enemy(bout, each).id
        memory = unit.this_turn
        loses = loser is not None and loser.id == unit.id
        fought = {
            "fought": True,
            "fought_with": (*memory.fought_with, enemy),
            "lost_round": memory.lost_round or loses,
        }
        counted = {
            "melee_round": bout.round + 1 if unit.melee_with == enemy else unit.melee_round,
            "melee_lost_in_a_row": unit.melee_lost_in_a_row + (loses and not memory.lost_round),
            "this_turn": memory.model_copy(update=fought),
        }
        state = state.with_unit(unit.model_copy(update=counted))
    return state


def _result(bout: Bout, lost: Losses) -> str:
    loser = beaten(bout, lost)
    if loser is None:
        return f"{lost[0]} all" if lost[0] else "no losses"
    more, less = max(lost), min(lost)
    return f"{_enemy(bout, loser).name} has the better of it, {more} to {less}"


DEED: Deed[MagdalaState] = Deed(Melee, fight, odds, offering(Melee))
