"""Fire of infantry and of guns, and infantry's answer in the same exchange (CH-2)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import prod
from typing import Any

from pydantic import Field

from rules.core.action_type import Caption, Chance
from rules.core.ad_hoc import OURS, THEIRS, throwaway
from rules.core.model import Cite
from rules.core.odds import Odds, outcomes
from rules.core.refusal import Refused, refuse
from rules.core.refusal_with_map import RefusedInSight
from rules.core.report import Step
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.line_of_fire import determine_range
from rules.core.wording import count_of, faces, inches, number

from .aim import TO_HIT, aims, excess, lines_of_fire, reach, refusals
from .exchange import answerable, may_fire
from .figures import PLACEMENT
from .ground import cover
from .model import MOST_FIGURES, Arm, ChargePlay, ChargeState, ChargeUnit, Hits
from .shared import ANSWER, FIRE, ChargeType, conclude, fighters, find, may_act
from .tables import SIDES, TABLES, limit
from .volley import GROUPS, SHELL, SUM, VOLLEY, Volley, groups, halvings, needed, range_measured, reached, whole_men

RANGE = Cite(rule="CH-2.1").ruled
BEYOND = Cite(rule="CH-2.3").ruled
IN_COVER, IN_THE_OPEN = "target behind cover", "target in the open"
AT_CAVALRY, AT_GUNNERS = "at cavalry", "at gunners"


class Fire(Action):
    """Fire of `unit` at `target`; `range` in inches, and as many `dice` as its groups have, where no places are known.

    The ground says whether the target is behind cover, where places are known.
    """

    circumstance_names = (IN_COVER, IN_THE_OPEN, AT_CAVALRY, AT_GUNNERS)

    target: str
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    dice: int | None = Field(default=None, ge=1, le=MOST_FIGURES)


@dataclass(frozen=True)
class FirePlan:
    """A fire that may be thrown; `reached` are the target's figures, by number, that it may take."""

    unit: str
    target: str
    range: float
    volley: Volley
    reached: tuple[int, ...]
    steps: tuple[Step, ...]


class FireType(ChargeType[Fire, FirePlan]):
    """Fire of a unit at an enemy, in its own turn or in answer (CH-2)."""

    action = Fire
    needs = ("troop", "figures", "range")
    needs_words = (IN_COVER, AT_CAVALRY, AT_GUNNERS)
    seen = (IN_COVER, IN_THE_OPEN)
    measured_circumstances = (IN_COVER,)

    def measured(self, state: ChargeState, action: Fire) -> tuple[str, ...]:
        """Return the range, and for infantry the number of dice that can fire."""
        unit = state.units.get(action.unit or "")
        return ("range", "dice") if unit is not None and unit.arm is Arm.INFANTRY else ("range",)

    def circumstances_to_ask(self, state: ChargeState, action: Fire) -> tuple[str, ...]:
        """Return whether the target is covered, unless the state already notes its cover."""
        target = state.units.get(action.target)
        return () if target is not None and target.behind_cover else super().circumstances_to_ask(state, action)

    def label_of_question(self, state: ChargeState, action: Fire) -> str:
        """Return a label such as `Grenadiers fire at Hussars: how far?`."""
        return f"{state.unit(action.unit or ''):fire} at {state.unit(action.target).name}: how far?"

    def thinkable(self, state: ChargeState) -> Iterable[Fire]:
        """Yield all possible fire in this phase."""
        for unit in state.of_side(state.active):
            yield from self.of_unit(state, unit.id)

    def of_unit(self, state: ChargeState, unit: str) -> Iterable[Fire]:
        """Yield fire against enemies in range, or answering fire."""
        who = state.units[unit]
        if state.phase in (FIRE, ANSWER) and who.on_table and who.side == state.active and who.arm is not Arm.CAVALRY:
            foes = state.enemies(who.side) if state.phase == FIRE else answerable(state, who)
            yield from (Fire(unit=unit, target=foe.id) for foe in PLACEMENT.perhaps_within(who, foes, reach(who)))

    def settle(self, state: ChargeState, action: Fire, *, supposing: bool) -> FirePlan:
        """Settles all that comes before the dice. Raises Refused with the rule."""
        unit, target = find(state, action.unit), find(state, action.target, "target")
        may_fire(state, unit, target)
        measured = range_measured(unit, target)
        far = determine_range(unit, target, measured, action.range, str(RANGE.rule))
        said = action.circumstances
        seen = "" if IN_THE_OPEN in said else cover(state, unit, target)
        halved = halvings(unit, target, far, seen or ("behind cover" if IN_COVER in said else ""))
        each = prod((modifier.value for modifier in halved), start=Fraction(1))
        how = "" if measured is None else " from the middle of the front to the nearest figure"
        steps = [Step(text=f"{inches(far)}{how}", cite=RANGE)]
        firing: tuple[int, ...] = (0,)
        try:
            if state.phase != ANSWER and not supposing:
                may_act(state, unit, FIRE)
            if unit.arm is Arm.GUN:
                volley = _of_gun(state, unit, target, far, each)
            else:
                volley, firing, able = _of_infantry(state, unit, target, far, each, action.dice)
                steps += able
        except Refused as why:
            raise RefusedInSight(why, partial(lines_of_fire, state, unit, target)) from why
        if halved:
            pip = f"{number(each)} a casualty"
            steps.append(Step(text="Each pip", cite=SUM, start=Fraction(1), modifiers=halved, score=each, needed=pip))
        men = reached(unit, target, firing, reach(unit))
        return FirePlan(unit.id, target.id, far, volley, men, tuple(steps))

    def caption(self, state: ChargeState, plan: FirePlan) -> Caption:
        """`Grenadiers fire at Hussars: 92%`: the chance that it costs them anybody."""
        cost = sum((chance for worth, chance in plan.volley.spread if whole_men(worth)), Fraction(0))
        return Caption(f"{state.unit(plan.unit):fire} at {state.unit(plan.target).name}", Chance(cost))

    def odds(self, state: ChargeState, plan: FirePlan) -> Odds:
        """Exact chances of every number of men that this fire alone costs the target."""
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        spread: dict[int, Fraction] = {}
        for worth, chance in plan.volley.spread:
            fallen = min(whole_men(worth), len(plan.reached))
            spread[fallen] = spread.get(fallen, Fraction(0)) + chance
        falls = tuple(sorted(spread.items()))
        hits = (_to_hit(plan.volley),) if plan.volley.to_hit > 1 else ()
        return Odds(
            question=f"How many does it cost {target.name} if {unit:fire} at {inches(plan.range)}?",
            steps=(*plan.steps, *hits),
            outcomes=outcomes(falls, lambda fallen: (count_of(fallen, "figure"), fallen > 0)),
            spread=falls,
            spread_of="figures",
            pass_from=1,
        )

    def resolve(self, play: ChargePlay, plan: FirePlan) -> None:
        """Throws the dice; what it costs is kept until the turn's fire is over (CH-2.7)."""
        unit, target = play.state.unit(plan.unit), play.state.unit(plan.target)
        play.say(*plan.steps)
        play.remember(unit.id, has_fired=True)
        text, costs = f"{unit:fire} at {target.name}", Fraction(0)
        if _hits(play, plan, unit, text):
            throw = play.throw(plan.volley.dice, SIDES, text, side=unit.side)
            costs = plan.volley.casualties(throw)
            rule = SHELL if unit.arm is Arm.GUN else GROUPS if plan.volley.odd else VOLLEY
            play.say(Step(text=text, cite=rule, throws=(throw,), verdict=_casualties(costs), text_in_headline=True))
        outcome = f"Alone that costs {count_of(whole_men(costs), 'figure')} ({number(costs)})."
        if play.state.scenario:
            hits = Hits(by=unit.id, casualties=costs, reached=plan.reached)
            play.change(target.id, hits=(*target.hits, hits))
            so_far = play.state.unit(target.id).to_fall
            falls = f"{target.name}: {number(so_far)} so far; men fall when the turn's fire is over."
            outcome = falls if so_far else ""
        headline = f"{text}: {_casualties(costs)}"
        conclude(play, headline, unit.id, target.id, outcome=outcome)

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[ChargeState, Fire]:
        """Return the table of a question: the target is infantry in the open, but for the circumstances given."""
        if "range" not in given:
            raise Refused("Say how far: fire needs “range” in inches, as range:3.")
        unit = fighters(given, "unit", OURS, "troop", "figures")
        arm = Arm.CAVALRY if AT_CAVALRY in words else Arm.GUN if AT_GUNNERS in words else Arm.INFANTRY
        target = ChargeUnit(id="target", name=f"the target ({arm})", side=THEIRS, arm=arm, figures=MOST_FIGURES)
        said = tuple(word for word in words if word == IN_COVER)
        action = Fire(unit=unit.id, target=target.id, range=given["range"], circumstances=said)
        return throwaway(ChargeState, unit, target), action


def _of_gun(state: ChargeState, unit: ChargeUnit, target: ChargeUnit, far: float, each: Fraction) -> Volley:
    """Return a gun's shot (CH-2.3, CH-2.4). Raises Refused beyond its range, arc or lane."""
    to_hit = needed(far)
    refuse(BEYOND, (to_hit is None, f"{target:are} {excess(far)} away, and a gun reaches {inches(reach(unit))}."))
    assert to_hit is not None
    for aim in aims(state, unit, target):
        fault = aim.fault(reach(unit))
        refuse(Cite(rule="CH-2.1"), (fault, f"{unit:do} not fire at {target.name}: {fault}. Choose another target."))
    return Volley(1, odd=False, each=each, to_hit=to_hit)


def _of_infantry(
    state: ChargeState, unit: ChargeUnit, target: ChargeUnit, far: float, each: Fraction, given: int | None
) -> tuple[Volley, tuple[int, ...], tuple[Step, ...]]:
    """Return the volley of the figures that can fire, and their numbers (CH-2.5, CH-2.6).

    Raises Refused if they are too few. Without places the figures have no numbers.
    """
    carries, found = reach(unit), aims(state, unit, target)
    nearest = min((aim.inches for aim in found), default=far)
    refuse(
        VOLLEY,
        (nearest > carries + table.CLOSE, f"{target:are} {excess(nearest)} away, and infantry fire {inches(carries)}."),
    )
    said = unit.figures if given is None else min(given * limit("infantrymen to a die"), unit.figures)
    firing = tuple(aim.number for aim in found if not aim.fault(carries))
    able = len(firing) if found else said
    dice = sum(groups(able))
    counted_here = f"{count_of(dice, 'die', 'dice')} of {unit.name} can fire at {target.name} by the places kept here"
    other = f"{counted_here}, and {given} {'is' if given == 1 else 'are'} given. Leave “dice” out."
    refuse(GROUPS, (found and given not in (None, dice), other))
    least = limit("infantrymen to half a die, at least")
    why = refusals(found, carries)
    who, none = (count_of(able, "figure"), f", and fewer than {least} throw no die") if able else ("No figure", "")
    few = f"{who} of {unit.name} can fire at {target.name}{none}"
    refuse(GROUPS, (able < least, f"{few}{': ' if why else ''}{why}. Choose another target, or move first."))
    whole, odd = groups(able)
    step = Step(
        text=f"{able} of {count_of(unit.figures, 'figure')} can fire",
        cite=GROUPS if odd else VOLLEY,
        needed=f"{count_of(whole, 'die', 'dice')}{', and one at half its number' if odd else ''}",
    )
    not_able = (Step(text=f"Who cannot: {why}", cite=RANGE),) if why else ()
    return Volley(whole, odd, each), firing, (step, *not_able)


def _hits(play: ChargePlay, plan: FirePlan, unit: ChargeUnit, text: str) -> bool:
    """Whether a gun hits, thrown if it can miss (CH-2.3); infantry always throw for casualties."""
    if unit.arm is not Arm.GUN:
        return True
    cite = TABLES.charts[TO_HIT].cite
    if plan.volley.to_hit == 1:
        play.reckon(f"{text}: at this range a gun always hits", cite)
        return True
    throw = play.throw(1, SIDES, f"{text}, to hit", side=unit.side)
    hit = throw.total >= plan.volley.to_hit
    verdict = "a hit" if hit else "a miss"
    play.say(_to_hit(plan.volley).model_copy(update={"throws": (throw,), "verdict": verdict}))
    return hit


def _to_hit(volley: Volley) -> Step:
    """Return what a gun has to throw (CH-2.3)."""
    cite, needs = TABLES.charts[TO_HIT].cite, f"hits on {faces(volley.to_hit)}"
    return Step(text="To hit", cite=cite, needed=needs, chance=volley.chance_to_hit, hope="to hit")


def _casualties(costs: Fraction) -> str:
    return f"{number(costs)} {'casualty' if costs <= 1 else 'casualties'}" if costs else "no effect"


FIRING = FireType()
