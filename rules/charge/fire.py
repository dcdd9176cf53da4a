"""Fire of infantry and of guns, and infantry's answer in the same exchange (CH-2)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

from pydantic import Field

from rules.core.action_type import Caption, Chance
from rules.core.ad_hoc import OURS, THEIRS, throwaway_state
from rules.core.model import Cite
from rules.core.odds import Odds, combine_outcomes
from rules.core.refusal import Refused, refuse
from rules.core.refusal_with_map import RefusedWithSightLines
from rules.core.report import Step
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.line_of_fire import determine_range
from rules.core.tabletop.table_action import TableActionType
from rules.core.wording import count_of, face_range, inches, number_text

from .aim import TO_HIT, aims_at_target, describe_faults, lines_of_fire, maximum_range, round_up_inches
from .exchange import answerable_enemies, require_may_fire
from .figures import PLACEMENT
from .ground import find_cover
from .model import MOST_FIGURES, Arm, ChargePlay, ChargeState, ChargeUnit, Hits
from .shared import ANSWER, FIRE, complete_report, find_unit_on_table, make_unit_for_question, require_may_act
from .tables import SIDES, TABLES, limit
from .volley import (
    GROUPS,
    SUM,
    VOLLEY,
    Volley,
    count_infantry_dice,
    figures_in_range,
    halving_modifiers,
    measure_range,
    round_to_men,
    score_to_hit,
)

RANGE = Cite(rule="CH-2.1").as_ruling
BEYOND = Cite(rule="CH-2.3").as_ruling
IN_COVER, IN_THE_OPEN = "target behind cover", "target in the open"
AT_CAVALRY, AT_GUNNERS = "at cavalry", "at gunners"


class Fire(Action):
    """Fire of `unit` at `target`.

    Without places, players state the `range` in inches, the number of `dice` of infantry, and the target's cover. With
    places, the table decides all three.
    """

    circumstance_names = (IN_COVER, IN_THE_OPEN, AT_CAVALRY, AT_GUNNERS)

    target: str
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    dice: int | None = Field(default=None, ge=1, le=MOST_FIGURES)


@dataclass(frozen=True)
class FirePlan:
    """An allowed fire before its dice. `reached` contains the numbers of the target's figures that may fall."""

    unit: str
    target: str
    range: float
    volley: Volley
    reached: tuple[int, ...]
    steps: tuple[Step, ...]


class FireType(TableActionType[ChargeState, Fire, FirePlan]):
    """Fire of a unit at an enemy, in its own turn or in answer (CH-2)."""

    action = Fire
    question_fields = ("troop", "figures", "range")
    question_circumstances = (IN_COVER, AT_CAVALRY, AT_GUNNERS)
    words_decided_by_place = (IN_COVER, IN_THE_OPEN)
    measured_circumstances = (IN_COVER,)

    def fields_to_measure(self, state: ChargeState, action: Fire) -> tuple[str, ...]:
        """Return the fields to measure if units have no places: the range and, for infantry, the number of dice."""
        unit = state.units.get(action.unit or "")
        return ("range", "dice") if unit is not None and unit.arm is Arm.INFANTRY else ("range",)

    def circumstances_to_ask(self, state: ChargeState, action: Fire) -> tuple[str, ...]:
        """Return the circumstances of cover to ask for; none if the target is already marked as behind cover."""
        target = state.units.get(action.target)
        return () if target is not None and target.behind_cover else super().circumstances_to_ask(state, action)

    def question_label(self, state: ChargeState, action: Fire) -> str:
        """Return a label such as `Grenadiers fire at Hussars: how far?`."""
        return f"{state.unit(action.unit or ''):fire} at {state.unit(action.target).name}: how far?"

    def suggest_for_unit(self, state: ChargeState, unit: str) -> Iterable[Fire]:
        """Yield the unit's fire at each enemy that may be in range.

        In the phase of answering fire, yield only fire at enemies that fired at the unit.
        """
        firing_unit = state.units[unit]
        acts = state.phase in (FIRE, ANSWER) and firing_unit.on_table and firing_unit.side == state.active
        if acts and firing_unit.arm is not Arm.CAVALRY:
            foes = state.enemies(firing_unit.side) if state.phase == FIRE else answerable_enemies(state, firing_unit)
            for foe in PLACEMENT.units_perhaps_within(firing_unit, foes, maximum_range(firing_unit)):
                yield Fire(unit=unit, target=foe.id)

    def settle(self, state: ChargeState, action: Fire, *, supposing: bool) -> FirePlan:
        """Return the plan: range, dice, casualties for each pip, and figures in range. Raises Refused.

        Refusals because of phase, range, arc or friends include a map of the lines of fire.
        """
        unit, target = find_unit_on_table(state, action.unit), find_unit_on_table(state, action.target, "target")
        require_may_fire(state, unit, target)
        measured = measure_range(unit, target)
        far = determine_range(unit, target, measured, action.range, str(RANGE.rule))
        circumstances = action.circumstances
        cover = "" if IN_THE_OPEN in circumstances else find_cover(state, unit, target)
        modifiers = halving_modifiers(unit, target, far, cover or ("behind cover" if IN_COVER in circumstances else ""))
        per_pip = prod((modifier.value for modifier in modifiers), start=Fraction(1))
        from_to = "" if measured is None else " from the middle of the front to the nearest figure"
        steps = [Step(text=f"{inches(far)}{from_to}", cite=RANGE)]
        firing: tuple[int, ...] = (0,)
        try:
            if state.phase != ANSWER and not supposing:
                require_may_act(state, unit, FIRE)
            if unit.arm is Arm.GUN:
                volley = _plan_gun_volley(state, unit, target, far, per_pip)
            else:
                volley, firing, able_steps = _plan_infantry_volley(state, unit, target, far, per_pip, action.dice)
                steps += able_steps
        except Refused as why:
            raise RefusedWithSightLines(why, partial(lines_of_fire, state, unit, target)) from why
        if modifiers:
            pip = f"{number_text(per_pip)} a casualty"
            step = Step(text="Each pip", cite=SUM, start=Fraction(1), modifiers=modifiers, score=per_pip, needed=pip)
            steps.append(step)
        men = figures_in_range(unit, target, firing, maximum_range(unit))
        return FirePlan(unit.id, target.id, far, volley, men, tuple(steps))

    def caption(self, state: ChargeState, plan: FirePlan) -> Caption:
        """Return a caption with the chance of at least one casualty: `Grenadiers fire at Hussars: 92%`."""
        cost = sum((chance for worth, chance in plan.volley.distribution if round_to_men(worth)), Fraction(0))
        return Caption(f"{state.unit(plan.unit):fire} at {state.unit(plan.target).name}", Chance(cost))

    def odds(self, state: ChargeState, plan: FirePlan) -> Odds:
        """Return the exact chances of each number of men that fall by this fire alone."""
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        distribution: dict[int, Fraction] = {}
        for worth, chance in plan.volley.distribution:
            fallen = min(round_to_men(worth), len(plan.reached))
            distribution[fallen] = distribution.get(fallen, Fraction(0)) + chance
        falls = tuple(sorted(distribution.items()))
        hits = (_make_to_hit_step(plan.volley),) if plan.volley.to_hit > 1 else ()
        return Odds(
            question=f"How many does it cost {target.name} if {unit:fire} at {inches(plan.range)}?",
            steps=(*plan.steps, *hits),
            outcomes=combine_outcomes(falls, lambda fallen: (count_of(fallen, "figure"), fallen > 0)),
            distribution=falls,
            score_label="figures",
            pass_from=1,
        )

    def resolve(self, play: ChargePlay, plan: FirePlan) -> None:
        """Throw the dice, and store the hits with the target until the turn's fire is over (CH-2.7)."""
        unit, target = play.state.unit(plan.unit), play.state.unit(plan.target)
        play.say(*plan.steps)
        play.remember(unit.id, has_fired=True)
        text, costs = f"{unit:fire} at {target.name}", Fraction(0)
        if _throw_to_hit(play, plan, unit, text):
            throw = play.throw(plan.volley.dice, SIDES, text, side=unit.side)
            costs = plan.volley.casualties(throw)
            rule = Cite(rule="CH-2.4") if unit.arm is Arm.GUN else GROUPS if plan.volley.has_odd_group else VOLLEY
            verdict = _casualties_in_words(costs)
            play.say(Step(text=text, cite=rule, throws=(throw,), verdict=verdict, text_in_headline=True))
        outcome = f"Alone that costs {count_of(round_to_men(costs), 'figure')} ({number_text(costs)})."
        if play.state.scenario:
            hits = Hits(by=unit.id, casualties=costs, reached=plan.reached)
            play.change(target.id, hits=(*target.hits, hits))
            so_far = play.state.unit(target.id).pending_casualties
            falls = f"{target.name}: {number_text(so_far)} so far; men fall when the turn's fire is over."
            outcome = falls if so_far else ""
        headline = f"{text}: {_casualties_in_words(costs)}"
        complete_report(play, headline, unit.id, target.id, outcome=outcome)

    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[ChargeState, Fire]:
        """Return a table and a fire action for a question without a game. Raises Refused if no range is given.

        The target is infantry in the open, unless circumstances say otherwise.
        """
        if "range" not in options:
            raise Refused("Say how far: fire needs “range” in inches, as range:3.")
        unit = make_unit_for_question(options, "unit", OURS, "troop", "figures")
        arm = Arm.CAVALRY if AT_CAVALRY in words else Arm.GUN if AT_GUNNERS in words else Arm.INFANTRY
        target = ChargeUnit(id="target", name=f"the target ({arm})", side=THEIRS, arm=arm, figures=MOST_FIGURES)
        circumstances = tuple(word for word in words if word == IN_COVER)
        action = Fire(unit=unit.id, target=target.id, range=options["range"], circumstances=circumstances)
        return throwaway_state(ChargeState, unit, target), action


def _plan_gun_volley(state: ChargeState, unit: ChargeUnit, target: ChargeUnit, far: float, per_pip: Fraction) -> Volley:
    """Return a gun's volley at `far` inches (CH-2.3, CH-2.4).

    Raises Refused if range, arc, sight or friends forbid the fire.
    """
    to_hit = score_to_hit(far)
    too_far = f"{target:are} {round_up_inches(far)} away, and a gun reaches {inches(maximum_range(unit))}."
    refuse(BEYOND, (to_hit is None, too_far))
    assert to_hit is not None
    for aim in aims_at_target(state, unit, target):
        fault = aim.describe_fault(maximum_range(unit))
        refuse(Cite(rule="CH-2.1"), (fault, f"{unit:do} not fire at {target.name}: {fault}. Choose another target."))
    return Volley(1, has_odd_group=False, per_pip=per_pip, to_hit=to_hit)


def _plan_infantry_volley(
    state: ChargeState, unit: ChargeUnit, target: ChargeUnit, far: float, per_pip: Fraction, stated_dice: int | None
) -> tuple[Volley, tuple[int, ...], tuple[Step, ...]]:
    """Return the volley, the numbers of the firing figures, and the report's steps (CH-2.5, CH-2.6).

    `far` is in inches; `stated_dice` is the number of dice that players give, or None. Raises Refused if the target is
    too far, or if too few figures can fire.
    """
    fire_range, unit_aims = maximum_range(unit), aims_at_target(state, unit, target)
    nearest = min((aim.inches for aim in unit_aims), default=far)
    too_far = f"{target:are} {round_up_inches(nearest)} away, and infantry fire {inches(fire_range)}."
    refuse(VOLLEY, (nearest > fire_range + table.CLOSE, too_far))
    figures = unit.figures if stated_dice is None else min(stated_dice * limit("infantrymen to a die"), unit.figures)
    firing = tuple(aim.number for aim in unit_aims if not aim.describe_fault(fire_range))
    able_count = len(firing) if unit_aims else figures
    dice = sum(count_infantry_dice(able_count))
    counted_here = f"{count_of(dice, 'die', 'dice')} of {unit.name} can fire at {target.name} by the places kept here"
    reason = f"{counted_here}, and {stated_dice} {'is' if stated_dice == 1 else 'are'} given. Leave “dice” out."
    refuse(GROUPS, (unit_aims and stated_dice not in (None, dice), reason))
    least = limit("infantrymen to half a die, at least")
    why = describe_faults(unit_aims, fire_range)
    subject = count_of(able_count, "figure") if able_count else "No figure"
    addition = f", and fewer than {least} throw no die" if able_count else ""
    too_few = f"{subject} of {unit.name} can fire at {target.name}{addition}"
    refuse(GROUPS, (able_count < least, f"{too_few}{': ' if why else ''}{why}. Choose another target, or move first."))
    whole_dice, odd = count_infantry_dice(able_count)
    step = Step(
        text=f"{able_count} of {count_of(unit.figures, 'figure')} can fire",
        cite=GROUPS if odd else VOLLEY,
        needed=f"{count_of(whole_dice, 'die', 'dice')}{', and one at half its number' if odd else ''}",
    )
    not_able = (Step(text=f"Who cannot: {why}", cite=RANGE),) if why else ()
    return Volley(whole_dice, odd, per_pip), firing, (step, *not_able)


def _throw_to_hit(play: ChargePlay, plan: FirePlan, unit: ChargeUnit, text: str) -> bool:
    """Return whether the fire hits. A gun that can miss first throws to hit (CH-2.3)."""
    if unit.arm is not Arm.GUN:
        return True
    cite = TABLES.charts[TO_HIT].cite
    if plan.volley.to_hit == 1:
        play.note_calculation(f"{text}: at this range a gun always hits", cite)
        return True
    throw = play.throw(1, SIDES, f"{text}, to hit", side=unit.side)
    hit = throw.total >= plan.volley.to_hit
    verdict = "a hit" if hit else "a miss"
    play.say(_make_to_hit_step(plan.volley).model_copy(update={"throws": (throw,), "verdict": verdict}))
    return hit


def _make_to_hit_step(volley: Volley) -> Step:
    """Return the report step of a gun's throw to hit, with the score needed and its chance (CH-2.3)."""
    cite, needs = TABLES.charts[TO_HIT].cite, f"hits on {face_range(volley.to_hit)}"
    return Step(text="To hit", cite=cite, needed=needs, chance=volley.chance_to_hit, hope="to hit")


def _casualties_in_words(costs: Fraction) -> str:
    return f"{number_text(costs)} {'casualty' if costs <= 1 else 'casualties'}" if costs else "no effect"


FIRING = FireType()
