"""Fire of artillery, rifles and machine guns: thrown at once, it lands when the phase ends (BE-3, BE-4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from pydantic import Field
from typing_extensions import override

from rules.core.action_type import ActionType, Caption, Chance
from rules.core.ad_hoc import THEIRS, whole_number
from rules.core.model import Viewer
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.report import Step
from rules.core.state import Action
from rules.core.tabletop.line_of_fire import range_known
from rules.core.test_action import Trial
from rules.core.throws import Volley, chance_of
from rules.core.wording import faces, inches
from rules.empire.fighting.effects import hit_words, outcomes_of_fire, until_it_lands
from rules.empire.model import GUNS, MACHINE_GUNS, Burst, Cover, EmpireState, EmpireUnit, Shot, Weapon
from rules.empire.phases import Phase
from rules.empire.placement import fire_range
from rules.empire.shared import fighter, find_fighter, its_side_acts, throwaway

from .firepower import JAM, choice, choices, counting, dice_of, dice_words, guns_firing, guns_step, jam, score
from .targeting import (
    FIRE_WORDS,
    FIRING,
    IN_CONTACT,
    LINES,
    as_they_are_said,
    band,
    in_reach,
    may_fire_at,
    rule_of,
    umpires_words,
    units_able_to_fire,
)

UNIT, TARGET = "unit", "target"
MOST_STANDS = 30
"""Maximum stands of a unit in questions without a game."""


class Fire(Action):
    """`unit` fires at `target`; `range` in inches where the table does not know it.

    `dice` are the stands of riflemen that can fire, all of them unless said otherwise, or the dice chosen for each
    machine gun, which are asked for where they are not given.
    """

    circumstance_names = FIRE_WORDS

    target: str
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    dice: int | None = Field(default=None, ge=1, le=99)


@dataclass(frozen=True)
class FirePlan:
    """A shot with everything settled but the dice: `dice` of each of the `guns`, of which `volley` are left to throw.

    `jam` is the D6 against jamming of a machine gun. One whose dice are still to be chosen takes `aim` alone, and is
    reckoned with the fewest. `past` warns of friends who stand in its way.
    """

    unit: str
    target: str
    inches: float
    guns: int
    dice: int
    volley: Volley
    to_hit: Step
    jam: Trial | None
    aim: Burst | None
    steps: tuple[Step, ...]
    warnings: tuple[str, ...]
    past: str

    @property
    def can_hit(self) -> bool:
        """Whether dice remain, or may remain (BE-4.2)."""
        return self.aim is not None or self.volley.dice > 0


class FireType(ActionType[EmpireState, Fire, FirePlan]):
    """A volley, or a machine gun that takes aim and is then asked for its dice (BE-3, BE-4)."""

    action = Fire
    needs = ("troop", "figures", "range", "dice")
    needs_words = FIRE_WORDS
    measured_circumstances = ("target in cover", "target in hard cover", "target in a sangar")

    def umpires_words(self, state: EmpireState, action: Fire) -> Iterable[str]:
        """What helps the firer where the state knows better."""
        return umpires_words(state, action)

    def measured(self, state: EmpireState, action: Fire) -> tuple[str, ...]:
        """Return the range, and for riflemen the number of stands that can fire."""
        unit = state.units.get(action.unit or "")
        return ("range", "dice") if unit is not None and unit.weapon is Weapon.RIFLES else ("range",)

    def circumstances_to_ask(self, state: EmpireState, action: Fire) -> tuple[str, ...]:
        """Return the target's cover, unless the state notes it or the unit has already aimed."""
        target, aims = state.units.get(action.target), any(burst.unit == action.unit for burst in state.bursts)
        noted = target is not None and target.cover is not Cover.NONE
        return () if aims or noted else super().circumstances_to_ask(state, action)

    def label_of_question(self, state: EmpireState, action: Fire) -> str:
        """Return a label such as `Marines: fire at Arteiga, how far?`; for a machine gun `aim at`."""
        unit, target = state.unit(action.unit or ""), state.units.get(action.target)
        verb = "aim" if unit.weapon in MACHINE_GUNS and action.dice is None else "fire"
        return f"{unit.name}: {verb} at {target.name}, how far?" if target is not None else f"{unit.name}: {verb} …"

    def thinkable(self, state: EmpireState) -> Iterable[Fire]:
        """Every enemy for each unit that may fire; for a machine gun that has taken aim, each number of dice."""
        return chain.from_iterable(self.of_unit(state, unit.id) for unit in state.fighters())

    @override
    def of_unit(self, state: EmpireState, unit: str) -> Iterable[Fire]:
        """Yield one unit's fire."""
        firers = units_able_to_fire(state, unit) if state.now in FIRING else ()
        return chain.from_iterable(self._at_each(state, firer) for firer in firers)

    def _at_each(self, state: EmpireState, firer: EmpireUnit) -> Iterable[Fire]:
        aim = next((burst for burst in state.bursts if burst.unit == firer.id), None)
        if aim:
            return with_each_number(state, aim)
        return (Fire(unit=firer.id, target=foe.id) for foe in in_reach(firer, state.foes(firer)))

    def possible(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[Fire]:
        """Yield allowed fire with known range and remaining dice (BE-4.2)."""
        for action in self.candidates(state, viewer, unit):
            plan = self.planned(state, action)
            if plan is not None and plan.can_hit:
                yield action

    def plan(self, state: EmpireState, action: Fire) -> FirePlan:
        """Raises Refused with the rule: what keeps the unit itself from firing comes first."""
        unit, target = find_fighter(state, action.unit), find_fighter(state, action.target, "target")
        may_fire_at(state, unit, target)
        said = action.circumstances
        firer, aimed_at = as_they_are_said(unit, target, said)
        touches = target in state.opponents(unit.id)
        contact = touches or IN_CONTACT in said
        elsewhere = f"{target:are} in contact with {unit.name}: leave “range” out, for there is none between them."
        refuse(rule_of(unit), (touches and action.range, elsewhere))
        measured = None if touches else fire_range(unit, target)
        given = 0.0 if touches or (contact and measured is None and action.range is None) else action.range
        far = range_known(unit, target, measured, given, rule_of(unit).rule)
        at, told = band(unit, target, far, measured=measured is not None)
        past = LINES.warning(state, unit, target, state.options.friends_in_line)
        its_side_acts(state, unit)
        guns, dice = guns_firing(state.options, unit), dice_of(unit, action.dice, at)
        volley, reckoned = score(state, firer, aimed_at, dice * guns, at, contact=contact)
        text, needs = f"{unit:fire} at {target.name}", f"{dice_words(volley.dice)} hitting on {faces(volley.needed)}"
        aims = unit.weapon in MACHINE_GUNS and action.dice is None
        aim = Burst(unit=unit.id, target=target.id, range=round(far, 2), circumstances=said) if aims else None
        number = () if aim else guns_step(unit, guns, dice)
        return FirePlan(
            unit=unit.id,
            target=target.id,
            inches=far,
            guns=guns,
            dice=dice,
            volley=volley,
            to_hit=Step(
                text=text,
                cite=rule_of(unit),
                needed=needs,
                chance=volley.chance,
                hope="to hit at all",
                text_in_headline=True,
            ),
            jam=jam(state, unit, dice, guns, volley.dice),
            aim=aim,
            steps=(told, *number, *reckoned),
            warnings=(past,) if past else (),
            past=past,
        )

    def caption(self, state: EmpireState, plan: FirePlan) -> Caption:
        """`Marines: fire at Arteiga, 80.2% to hit`; of a machine gun `aim at`, then `3 dice: 33.3% to jam`."""
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        past = " past friends" if plan.past else ""
        if plan.aim:
            return Caption(f"{unit.name}: aim{past} at {target.name}")
        if plan.jam and (plan.unit, plan.target) in ((burst.unit, burst.target) for burst in state.bursts):
            return choice(plan.dice, plan.guns, plan.jam)
        spread = counting(state, plan.volley.spread, plan.jam)
        chance = Chance(chance_of(spread, 1), "to hit")
        return Caption(f"{unit.name}: fire{past} at {target.name}", chance, ", ")

    def odds(self, state: EmpireState, plan: FirePlan) -> Odds:
        """Return exact chances of hits and effects; without chosen dice, of the fewest, with jam chances."""
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        spread = counting(state, plan.volley.spread, plan.jam)
        steps = [*plan.steps, *((plan.to_hit,) if plan.volley.dice else ())]
        if plan.aim:
            trials = ((dice, jam(state, unit, dice, plan.guns, dice * plan.guns)) for dice in choices())
            each = "; ".join(str(choice(dice, plan.guns, trial)) for dice, trial in trials if trial)
            steps.append(Step(text=f"Reckoned with the fewest dice. {each}", cite=JAM))
        elif plan.jam:
            steps.append(plan.jam.step)
        return Odds(
            question=f"What does the fire of {unit.name} do to {target.name} at {inches(plan.inches)}?",
            steps=tuple(steps),
            outcomes=outcomes_of_fire(state, plan.unit, plan.target, spread),
            spread=spread,
            spread_of="hits",
            pass_from=1,
            warnings=plan.warnings,
        )

    def resolve(self, play: Play[EmpireState], plan: FirePlan) -> None:
        """Throws the dice, which land with the phase; of a machine gun without dice it asks how many."""
        unit = play.state.unit(plan.unit)
        play.tell(side=unit.side, warnings=plan.warnings, units=(plan.unit, plan.target))
        play.set(bursts=tuple(burst for burst in play.state.bursts if burst.unit != plan.unit))
        if plan.aim:
            _take_aim(play, plan, plan.aim)
        else:
            _throw(play, plan)

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Fire]:
        """Return throwaway fire at a target described by circumstances."""
        nowhere = "range" not in given and IN_CONTACT not in words
        refuse(None, (nowhere, "Say how far: fire needs “range” in inches, as range:10."))
        stands = {"stands": whole_number(given, "figures", 1, MOST_STANDS)} if "figures" in given else {}
        unit = fighter(str(given["troop"]), UNIT).model_copy(update=stands)
        dice = whole_number(given, "dice", 1, MOST_STANDS) if "dice" in given else None
        numbers = f"{choices()[0]} to {choices()[-1]}"
        none = unit.weapon in MACHINE_GUNS and dice is None
        refuse(JAM, (none, f"Say with how many dice: {unit:need} “dice”, {numbers}."))
        target = fighter("Zulu impi", TARGET, THEIRS).model_copy(update={"name": "the target (foot)"})
        order = {"unit": UNIT, "target": TARGET, "range": given.get("range"), "dice": dice, "with": words}
        state = throwaway(Phase.ARTILLERY if unit.weapon in GUNS else Phase.RIFLES, unit, target)
        return state, Fire.model_validate(order)


FIRE = FireType()


def with_each_number(state: EmpireState, burst: Burst) -> tuple[Fire, ...]:
    """The shots that settle a burst, one for each number of dice."""
    places = {state.unit(each).place for each in (burst.unit, burst.target)}
    given = burst.range if None in places else None
    shot = Fire(unit=burst.unit, target=burst.target, range=given, circumstances=burst.circumstances)
    return tuple(shot.model_copy(update={"dice": dice}) for dice in choices())


def how_many_dice(guns: int) -> str:
    """Return the question about a machine gun's dice."""
    return "with how many dice each?" if guns > 1 else "with how many dice?"


def _take_aim(play: Play[EmpireState], plan: FirePlan, aim: Burst) -> None:
    """The machine gun has its target, and its owner is asked for the number of dice (BE-4)."""
    unit = play.state.unit(plan.unit)
    play.set(bursts=(*play.state.bursts, aim))
    play.say(*(step for step in plan.steps if step.cite.rule != "BE-4.2"))
    play.tell(
        headline=f"{unit:take} aim at {play.state.unit(plan.target).name}.",
        outcome=f"{how_many_dice(plan.guns).capitalize()} The more, the likelier {unit:they jam}.",
    )


def _throw(play: Play[EmpireState], plan: FirePlan) -> None:
    unit, target = play.state.unit(plan.unit), play.state.unit(plan.target)
    play.say(*plan.steps)
    count = 0
    if plan.volley.dice:
        throw = play.throw(plan.volley.dice, plan.volley.sides, f"{unit:fire} at {target.name}", side=unit.side)
        count = plan.volley.hits(throw)
        thrown = {"throws": (throw,), "needed": f"hits on {faces(plan.volley.needed)}", "verdict": hit_words(count)}
        play.say(plan.to_hit.model_copy(update=thrown))
    jammed = False
    if plan.jam is not None and plan.jam.test.chance == 1:
        play.say(plan.jam.step)
    elif plan.jam is not None:
        jammed = not plan.jam.throw(play)
    if jammed and count and not play.state.options.jammed_hits_count:
        count = 0
        play.note("The hits of the burst that jams do not count", JAM.ruled)
    play.tell(
        headline=f"{unit:fire} at {target.name}: {hit_words(count)}{f', and {unit:they jam}' if jammed else ''}.",
        outcome=until_it_lands(play.state, target, count),
    )
    play.change(unit.id, jammed=jammed, clearing=0)
    play.remember(unit.id, shot=True)
    shot = Shot(unit=unit.id, target=target.id, hits=count)
    play.set(shots=(*play.state.shots, shot))
