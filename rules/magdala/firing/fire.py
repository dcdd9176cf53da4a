"""Volleys: firing units, dice, hits and costs (MM-3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field
from typing_extensions import override

from rules.core import throws
from rules.core.action_type import Caption, Chance
from rules.core.ad_hoc import OURS, THEIRS, throwaway_state
from rules.core.dice import NoDice
from rules.core.odds import Odds, combine_outcomes
from rules.core.play import Play
from rules.core.refusal import Refused, refuse
from rules.core.report import Step
from rules.core.state import Action
from rules.core.tabletop.line_of_fire import determine_range
from rules.core.tabletop.values import inches_between
from rules.core.wording import count_of, face_range, inches
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test, Troop, Weapon, Works
from rules.magdala.morale.effects import CasualtyCause, inflict_casualties
from rules.magdala.morale.flight import HELD
from rules.magdala.placement import LINES, PLACEMENT, gap
from rules.magdala.shared import MagdalaType, complete_action, find_unit_on_table, make_unit_for_question
from rules.magdala.stored_prompts import prompts_of, remove_prompts
from rules.magdala.tables import SIDES, mishap_value

from . import firepower
from .ammunition import spend_ammunition
from .firepower import COVER_WORDS, FULL_EFFECT, HALF_EFFECT, IN_THE_OPEN, RANGES, ROUNDING, TARGET_WORDS
from .mishaps import JAM, JAMS, can_jam, drop_rockets_on_friends, hit_and_stray_chances, jam_chance_step

DEFENSIVE = "defensive fire"
TARGET_FIGURES = 100
"""Figures of the unnamed target in a question without a game: enough for any volley to hit."""


class Fire(Action):
    """Fire a volley of `unit` at `target`; `range` is in inches, for units without positions.

    Without the circumstance `full effect` or `half effect` the unit fires at full effect if it may.
    """

    circumstance_names = (FULL_EFFECT, HALF_EFFECT, DEFENSIVE, *TARGET_WORDS)

    target: str
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)


@dataclass(frozen=True)
class FirePlan:
    """A volley before its throw. `steps` explain the number of dice.

    `warnings` are about friends in the line of fire. `answers` is the prompt to answer an enemy's charge with fire, if
    any.
    """

    unit: str
    target: str
    range: float
    dice: throws.Volley
    half: bool
    answers: StoredPrompt | None
    defensive: bool
    steps: tuple[Step, ...]

    warnings: tuple[str, ...]


class FireType(MagdalaType[Fire, FirePlan]):
    """A volley of a unit at an enemy (MM-3)."""

    action = Fire
    question_fields = ("troop", "figures", "range")
    question_circumstances = tuple(word for word in Fire.circumstance_names if word != DEFENSIVE)
    measured_circumstances = (*COVER_WORDS,)

    def circumstances_from_state(self, state: MagdalaState, unit: MagdalaUnit, action: Fire) -> Iterable[str]:
        """Yield the circumstances that follow from the state: target in the open, and defensive fire (MM-4.1)."""
        target = state.units.get(action.target)
        if target is not None and (target.place is not None or target.works is not Works.NONE):
            yield IN_THE_OPEN
        if _find_charge(state, unit, action.target) is None:
            yield DEFENSIVE

    def circumstances_to_ask(self, state: MagdalaState, action: Fire) -> tuple[str, ...]:
        """Return the kinds of cover to ask about; none if the target charges, or its cover is recorded."""
        unit, target = state.units.get(action.unit or ""), state.units.get(action.target)
        charged = unit is not None and _find_charge(state, unit, action.target) is not None
        noted = target is not None and target.works is not Works.NONE
        return () if charged or noted else super().circumstances_to_ask(state, action)

    def question_label(self, state: MagdalaState, action: Fire) -> str:
        """Return a label such as `Berkshires fire at Hadendowa: how far?`."""
        return f"{state.unit(action.unit or ''):fire} at {state.unit(action.target).name}: how far?"

    def suggest_for_unit(self, state: MagdalaState, unit: str) -> Iterable[Fire]:
        """Yield the unit's volleys at every enemy who may be in range, nearest first."""
        firer = state.unit(unit)
        if firer.on_table and firer.weapon is not Weapon.MELEE:
            foes, far = state.enemies(firer.side), firepower.maximum_range(firer, state.options)
            near = foes if far is None else PLACEMENT.units_perhaps_within(firer, foes, far)
            enemies = sorted(near, key=lambda enemy: inches_between(firer, enemy))
            yield from (Fire(unit=unit, target=enemy.id) for enemy in enemies)

    @override
    def suggest_answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[Fire]:
        """Yield the defender's fire at the unit that comes into contact (MM-4.1)."""
        if prompt.test is Test.DEFENSIVE_FIRE:
            yield Fire(unit=prompt.unit, target=prompt.by)

    def plan(self, state: MagdalaState, action: Fire) -> FirePlan:
        """Return the settled volley. Raises Refused with the rule; then nothing is spent.

        Fire at attackers who come into contact is at range 0, unless their range is known (ruling).
        """
        unit, target = find_unit_on_table(state, action.unit), find_unit_on_table(state, action.target, "target")
        circumstances, answers = action.circumstances, _find_charge(state, unit, action.target)
        defensive = answers is not None or (DEFENSIVE in circumstances and unit.side != state.active)
        firepower.require_may_fire(state, unit, defensive, answers)
        firepower.require_lawful_target(state, unit, target, answers)
        measured, given = gap(unit, target), action.range
        given = 0.0 if defensive and measured is None and given is None else given
        far = determine_range(unit, target, measured, given, RANGES.rule)
        at = firepower.find_range_band(unit, far, state.options)
        past = LINES.friends_in_line_warning(state, unit, target, state.options.friends_in_line)
        why_half = firepower.reason_for_half_effect(state, unit, circumstances, answers, defensive)
        reductions = firepower.volley_reductions(state, unit.weapon, target, circumstances, why_half)
        number, sum_ = firepower.count_volley_dice(unit, reductions, state.options)
        none = f"{unit:have} no dice left to throw at {target.name}; {unit:they keep} {unit:their} ammunition."
        refuse(ROUNDING, (not number, none))
        dice = throws.Volley(number, SIDES, at.hits_from)
        measure = "" if measured is None else " between the nearest points of the bases"
        between = Step(text=f"{inches(far)}{measure}: {at.name}", cite=RANGES if measured is None else RANGES.as_ruling)
        text, words = f"{unit:fire} at {target.name}", count_of(number, "die", "dice")
        needs = f"{words} hitting on {face_range(at.hits_from)}"
        to_hit = Step(
            text=text, cite=at.cite, needed=needs, chance=dice.chance, hope="to hit at all", text_in_headline=True
        )
        steps = (between, *sum_, to_hit)
        warnings = (past,) if past else ()
        return FirePlan(unit.id, target.id, far, dice, bool(why_half), answers, defensive, steps, warnings)

    def caption(self, state: MagdalaState, plan: FirePlan) -> Caption:
        """Return a caption such as `Berkshires fire at Hadendowa: 96%`, or `…fire past friends at Hadendowa: 96%`."""
        past = " past friends" if plan.warnings else ""
        names = f"{state.unit(plan.unit):fire}{past} at {state.unit(plan.target).name}"
        return Caption(names, Chance(plan.dice.chance))

    def odds(self, state: MagdalaState, plan: FirePlan) -> Odds:
        """Return exact chances of hits and their effects."""
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        chances = hit_and_stray_chances(unit, plan.dice)
        return Odds(
            question=f"What {unit.verb('do')} {unit.name} do to {target.name} at {inches(plan.range)}?",
            steps=(*plan.steps, *((jam_chance_step(plan.dice.dice),) if can_jam(unit) else ())),
            outcomes=combine_outcomes(chances, lambda hits: fate_after_hits(state, target, unit, *hits)),
            distribution=plan.dice.distribution,
            score_label="hits",
            pass_from=1,
            warnings=plan.warnings,
        )

    def resolve(self, play: MagdalaPlay, plan: FirePlan) -> None:
        """Throw the dice, spend ammunition, and inflict the hits; a question without a game inflicts none."""
        unit, target = play.state.unit(plan.unit), play.state.unit(plan.target)
        throw = play.throw(plan.dice.dice, SIDES, f"{unit:fire} at {target.name}", side=unit.side)
        hits, ones = plan.dice.count_hits(throw), throw.dice.count(1)
        jammed = can_jam(unit) and ones >= mishap_value(JAMS)
        strays = unit.weapon is Weapon.ROCKET and ones > throw.dice.count(SIDES)  # MM-3.8
        result = count_of(hits, "hit") if hits else "no hits"
        *steps, to_hit = plan.steps
        changes = {"throws": (throw,), "needed": f"hits on {face_range(plan.dice.needed)}", "verdict": result}
        play.say(*steps, to_hit.model_copy(update=changes))
        spend_ammunition(play, unit, plan.half)
        play.change(plan.unit, jammed=jammed)
        if not plan.defensive:  # defensive fire is additional to the unit's own volley (ruling)
            play.remember(unit.id, **{"fired_half" if plan.half else "fired_full": True})
            play.change(unit.id, half_effect_next_fire=unit.half_effect_next_fire and unit.morale in HELD)
        if jammed:
            play.note("Two or more 1s", JAM, f"{unit:jam}")
        if plan.answers is not None:
            play.state = remove_prompts(play.state, plan.answers)

        if strays:
            drop_rockets_on_friends(play, unit, target, hits)
        elif play.state.scenario:
            inflict_casualties(play, target.id, hits, unit.id, CasualtyCause.FIRE)
        struck = play.state.unit(target.id)
        standing = f"{struck.name}: {struck.strength} of {struck.figures} left, {struck.morale}."
        outcome = standing if struck.on_table else f"{struck:are} off the table."
        headline = f"{unit:fire} at {target.name}: {f'{result}, astray' if hits and strays else result}"
        outcome = outcome if play.state.scenario else ""
        complete_action(play, headline, unit.id, target.id, outcome=outcome, warnings=plan.warnings)

    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, Fire]:
        """Return the state and the volley of a question without a game; circumstances describe the target."""
        if "range" not in options:
            raise Refused("Say how far: fire needs “range” in inches, as range:10.")
        unit = make_unit_for_question(options, "unit", OURS)
        name = "the target (infantry)"
        target = MagdalaUnit(id="target", name=name, side=THEIRS, troop=Troop.NATIVE_FOOT, figures=TARGET_FIGURES)
        order = Fire(unit=unit.id, target=target.id, range=options["range"], circumstances=words)
        return throwaway_state(MagdalaState, unit, target), order


def _find_charge(state: MagdalaState, unit: MagdalaUnit, target: str) -> StoredPrompt | None:
    """Return the prompt of the charge by `target` that the unit may answer with fire, or None (MM-4.1)."""
    return next((prompt for prompt in prompts_of(state, unit.id, Test.DEFENSIVE_FIRE) if prompt.by == target), None)


def fate_after_hits(
    state: MagdalaState, target: MagdalaUnit, unit: MagdalaUnit, number: int, strays: bool = False
) -> tuple[str, bool]:
    """Return in words what `number` hits do to `target`, and whether that is good for the firing unit.

    `strays` is whether the hits fall on friends.
    """
    if not number or strays:
        return ("astray, on friends" if number else "no hits"), False
    if not state.scenario:
        return "hit", True
    play = Play(state, NoDice())
    inflict_casualties(play, target.id, number, unit.id, CasualtyCause.FIRE)
    struck = play.state.unit(target.id)
    became = struck.morale if struck.morale is not target.morale else None
    after, before = (len(prompts_of(version, target.id, Test.UNDER_FIRE)) for version in (play.state, state))
    fates = {
        "hit and destroyed": not struck.on_table,
        "hit, a retreat at half strength": became is Morale.RETREATING,
        "hit, halted and pinned": became is Morale.PINNED,
        "hit, a morale test": after > before,
        "hit, no test": True,
    }
    return next(label for label, holds in fates.items() if holds), True


FIRE = FireType()
