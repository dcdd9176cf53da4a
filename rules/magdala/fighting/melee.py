"""Melee: contact, the defender's fire, and a round of single combats (MM-4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pydantic import Field

from rules.core.action_type import Caption, Chance
from rules.core.ad_hoc import OURS, THEIRS, read_whole_number, throwaway_state
from rules.core.dice import NoDice
from rules.core.model import Cite, Mark
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.state import Action
from rules.magdala import engagement
from rules.magdala.arms import BREASTWORKS, LEADERS, has_own_morale, is_riding_infantry
from rules.magdala.model import MOST_FIGURES, Attack, MagdalaPlay, MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test
from rules.magdala.morale.effects import CasualtyCause, inflict_casualties
from rules.magdala.morale.flight import HELD
from rules.magdala.placement import WAYS, base, touching
from rules.magdala.shared import (
    UMPIRES_CALL,
    MagdalaType,
    complete_action,
    find_unit_on_table,
    make_unit_for_question,
    require_own_turn,
    require_under_command,
)
from rules.magdala.stored_prompts import MOVES, SETTLE_FIRST, add_prompt, forget_prompts, prompts_of, refusal_for_prompt

from . import bouts
from .bouts import Bout, Losses
from .contact import AGAINST_WORKS, MELEE_WORDS, OVERLAPPED, ROUNDS, ROUTED, MeleePair, make_contact

MELEE_RULE, MEETING = Cite(rule="MM-4"), Cite(rule="MM-4.1")
GOES_ON, LED = Cite(rule="MM-4.5", mark=Mark.RULING), Cite(rule="MM-6", mark=Mark.RULING)


class Melee(Action):
    """Fight a round of melee between `unit` and `target`; `contact` is the number of figures seen to touch."""

    circumstance_names = (*MELEE_WORDS, UMPIRES_CALL)

    target: str | None = None
    contact: int | None = Field(default=None, ge=1)


@dataclass(frozen=True)
class MeleePlan:
    """A settled round of melee. If the defender fires first, `bout` is None.

    `attack` is None if the units are already in melee. `fire_is_over` is true if no defensive fire comes before the
    round.
    """

    unit: str
    target: str
    attack: Attack | None
    fire_is_over: bool
    bout: Bout | None = None


class MeleeType(MagdalaType[Melee, MeleePlan]):
    """A round of melee. If the action itself makes the contact, the defender may fire before the round (MM-4)."""

    action = Melee
    question_fields = ("troop", "figures", "against", "against_figures", "contact")
    question_circumstances = tuple(word for word in Melee.circumstance_names if word != UMPIRES_CALL)
    measured_circumstances = (engagement.FLANK, engagement.REAR, *OVERLAPPED, AGAINST_WORKS)

    def circumstances_from_state(self, state: MagdalaState, unit: MagdalaUnit, action: Melee) -> Iterable[str]:
        """Return the circumstances that the state decides: attack direction, overlap, works, rounds (MM-4.2)."""
        target = state.units.get(action.target or unit.melee_with or "")
        if target is None:
            return ()
        are_placed = unit.place is not None and target.place is not None
        goes_on = target.id in (enemy.id for enemy in engagement.enemies_in_contact(state, unit.id))
        works = {unit.works, target.works} if goes_on else {target.works}
        return (
            *ROUNDS,
            *((engagement.FLANK, engagement.REAR) if are_placed or goes_on else ()),
            *(OVERLAPPED if are_placed else ()),
            *(() if works & {*BREASTWORKS} else (AGAINST_WORKS,)),
        )

    def suggest_actions(self, state: MagdalaState) -> Iterable[Melee]:
        """Return the actions that fight the next round of each melee."""
        return (Melee(unit=attacker.id, target=defender.id) for attacker, defender in engagement.melee_pairs(state))

    def settle(self, state: MagdalaState, action: Melee, *, supposing: bool) -> MeleePlan:
        """Return the plan of the round. If the defender fires first, plan only the contact. Raises Refused."""
        unit, target = _find_opponents(state, action)
        circumstances, attack = action.circumstances, _determine_attack(state, action, unit, target)
        plan = MeleePlan(unit.id, target.id, attack, fire_is_over=UMPIRES_CALL in circumstances)
        play = Play(state, NoDice())
        _bring_into_contact(play, plan)
        if _pending_fire(play.state, unit, target) is not None and not supposing:
            return plan
        attacker, defender = engagement.attacker_and_defender(play.state.unit(unit.id), play.state.unit(target.id))
        why = f"{attacker.name} and {defender.name} have fought this turn. The melee goes on next turn."
        refuse(GOES_ON, (defender.id in attacker.this_turn.fought_with, why))
        pair = MeleePair(play.state, attacker, defender, circumstances, action.contact)
        return replace(plan, bout=pair.make_bout(unit.id))

    def caption(self, state: MagdalaState, plan: MeleePlan) -> Caption:
        """Return a caption such as `Berkshires fight Hadendowa: 61%`, with the chance to win the round."""
        names = f"{state.unit(plan.unit):fight} {state.unit(plan.target).name}"
        return Caption(names, Chance(self.odds(state, plan).outcomes[0].chance) if plan.bout else None)

    def odds(self, state: MagdalaState, plan: MeleePlan) -> Odds:
        """Return the exact chances of the round."""
        return bouts.odds_of_round(state, plan.bout, plan.unit) if plan.bout else super().odds(state, plan)

    def resolve(self, play: MagdalaPlay, plan: MeleePlan) -> None:
        """Bring the units into contact if needed, and fight a round; the loser tests morale."""
        _bring_into_contact(play, plan)
        unit, target, bout = play.state.unit(plan.unit), play.state.unit(plan.target), plan.bout
        if bout is None:
            complete_action(play, f"{unit:meet} {target.name}", unit.id, target.id)
            return
        losses = bouts.fight_round(play, bout)
        better = bout.units(play.state)[losses[0] > losses[1]]
        draw = f"{losses[0]} all" if losses[0] else "no losses"
        result = draw if losses[0] == losses[1] else f"{better:have} the better of it, {max(losses)} to {min(losses)}"
        _inflict_losses(play, bout, losses)
        headline = f"{unit:fight} {target.name}, round {bout.round}: {result}"
        complete_action(play, headline, unit.id, target.id, warnings=bout.warnings)

    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, Melee]:
        """Return a state with two units in contact, and a round of melee. Mounted infantry fights on foot (MM-2.3)."""
        if "against" not in options:
            raise Refused("Say against whom: melee needs “against”, such as “Mahdist tribesmen, spears”.")
        ours = _dismount_if_riding(make_unit_for_question(options, "unit", OURS))
        theirs = _dismount_if_riding(make_unit_for_question(options, "target", THEIRS, "against", "against_figures"))
        contact = read_whole_number(options, "contact", 1, MOST_FIGURES) if "contact" in options else None
        circumstances = (*words, UMPIRES_CALL)
        order = Melee(unit=ours.id, target=theirs.id, contact=contact, circumstances=circumstances)
        return throwaway_state(MagdalaState, ours, theirs), order


def _dismount_if_riding(unit: MagdalaUnit) -> MagdalaUnit:
    """Return the unit, dismounted if it is mounted infantry or a kommando: these attack on foot (MM-2.3)."""
    return unit.model_copy(update={"mounted": False}) if is_riding_infantry(unit) else unit


def _find_opponents(state: MagdalaState, action: Melee) -> tuple[MagdalaUnit, MagdalaUnit]:
    """Return the unit and its enemy. Raises Refused if they cannot fight each other now."""
    unit = find_unit_on_table(state, action.unit)
    target = find_unit_on_table(state, action.target or unit.melee_with, "target")
    if unit.side == target.side:
        raise Refused(f"{unit.name} and {target.name} are on the same side. Choose an enemy.", MELEE_RULE)
    for fighter in (unit, target):
        refuse(LED, (fighter.troop in LEADERS, f"{fighter:do} not fight alone: name the unit {fighter:they are} with."))
    fire = _pending_fire(state, unit, target)
    if fire is not None:
        why = f"The defender's fire comes first: fire, or decline, before {unit:fight} {target.name}."
        raise Refused(why, MEETING, keys=(fire.key,))
    for prompt in (*prompts_of(state, unit.id, *SETTLE_FIRST), *prompts_of(state, target.id, *SETTLE_FIRST)):
        if prompt.test not in MOVES:
            raise refusal_for_prompt(state, prompt, Cite(rule="MM-5"))
    return unit, target


def _pending_fire(state: MagdalaState, unit: MagdalaUnit, enemy: MagdalaUnit) -> StoredPrompt | None:
    """Return pending defensive fire between both units (MM-4.1), or None."""
    ids = {unit.id, enemy.id}
    fires = (fire for fire in state.prompts if fire.test is Test.DEFENSIVE_FIRE and {fire.unit, fire.by} == ids)
    return next(fires, None)


def _determine_attack(state: MagdalaState, action: Melee, unit: MagdalaUnit, target: MagdalaUnit) -> Attack | None:
    """Return whether this action strikes front, flank or rear; None if the units fight already. Raises Refused."""
    if target.id == unit.melee_with or unit.id == target.melee_with:
        return None
    refuse(MEETING, (touching(unit, target) is False, f"{unit:do} not touch {target.name}. Move into contact first."))
    if unit.melee_with is not None:
        enemy_name = state.unit(unit.melee_with).name
        raise Refused(f"{unit:are} in melee with {enemy_name}; that one goes on first.", GOES_ON)
    nobody = f"{unit:attack} nobody. Name the enemy's unit, and this as its target."
    refuse(MELEE_RULE, (not has_own_morale(unit), nobody))
    if target.morale is Morale.ROUTED:
        raise Refused(f"{target:are} in rout. Move into {target:them}, or pursue, to ride {target:them} down.", ROUTED)
    if UMPIRES_CALL not in action.circumstances:
        require_own_turn(state, unit)
        require_under_command(state, unit)
        why = f"{unit:are} {unit.morale}: {unit:they attack} nobody until {unit:they} may go on."
        refuse(Cite(rule="MM-5.7"), (unit.morale in HELD, why))
        WAYS.check_attack(unit)
    own_base = base(unit)
    by_place = engagement.side_struck(state, target, own_base, own_base) if own_base else Attack.FRONT
    return engagement.find_stated_attack(action.circumstances) or by_place


def _bring_into_contact(play: MagdalaPlay, plan: MeleePlan) -> None:
    """Bring the units into contact, unless already engaged."""
    if plan.attack is None:
        return
    if plan.fire_is_over:
        state = engagement.start_melee(play.state, plan.unit, plan.target, plan.attack)
        play.state = forget_prompts(forget_prompts(state, plan.unit, MOVES), plan.target, MOVES)
    else:
        make_contact(play, plan.unit, plan.target, play.state.unit(plan.unit).this_turn.moved, plan.attack)


def _inflict_losses(play: MagdalaPlay, bout: Bout, losses: Losses) -> None:
    """Inflict both sides' losses at once; the unit with more losses (ruling) then owes a morale test (MM-4.5)."""
    attacker, defender = bout.fighters
    _record_round(play, bout, attacker, loses=losses[0] > losses[1])
    _record_round(play, bout, defender, loses=losses[1] > losses[0])
    inflict_casualties(play, attacker, losses[0], defender, CasualtyCause.MELEE)
    inflict_casualties(play, defender, losses[1], attacker, CasualtyCause.MELEE)
    loser = bout.units(play.state)[losses[1] > losses[0]]
    still_there = all(unit.on_table for unit in bout.units(play.state))
    if losses[0] != losses[1] and still_there and has_own_morale(loser):
        victor, in_a_row = bout.enemy_of(loser.id), loser.melee_lost_in_a_row
        play.state = add_prompt(play.state, loser.id, Test.MELEE_LOST, by=victor, lost_in_a_row=in_a_row)


def _record_round(play: MagdalaPlay, bout: Bout, unit_id: str, *, loses: bool) -> None:
    """Record the round for a unit; several rounds lost in one turn count once (ruling)."""
    unit, enemy = play.state.unit(unit_id), bout.enemy_of(unit_id)
    memory = unit.this_turn
    in_a_row = unit.melee_lost_in_a_row + (loses and not memory.lost_round)
    next_round = bout.round + 1 if unit.melee_with == enemy else unit.melee_round
    play.change(unit_id, melee_round=next_round, melee_lost_in_a_row=in_a_row)
    fought_with, lost_round = (*memory.fought_with, enemy), memory.lost_round or loses
    play.remember(unit_id, fought=True, fought_with=fought_with, lost_round=lost_round)


MELEE = MeleeType()
