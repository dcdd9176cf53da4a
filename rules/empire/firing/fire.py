"""Fire of artillery, rifles and machine guns: dice are thrown at once, hits count when the phase ends (BE-3, BE-4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field
from typing_extensions import override

from rules.core.action_type import ActionType, Caption, Chance
from rules.core.ad_hoc import THEIRS, read_whole_number
from rules.core.model import Viewer
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.report import Step
from rules.core.state import Action
from rules.core.tabletop.line_of_fire import determine_range
from rules.core.test_action import Trial
from rules.core.throws import Volley, chance_of_at_least
from rules.core.wording import face_range, inches
from rules.empire.fighting.effects import describe_pending_hits, hits_in_words, shot_outcomes
from rules.empire.model import GUNS, MACHINE_GUNS, Burst, Cover, EmpireState, Shot, Weapon
from rules.empire.phases import Phase
from rules.empire.placement import measure_fire_range
from rules.empire.shared import find_fighter, make_fighter, make_question_state, require_active_side

from . import firepower, targeting

UNIT, TARGET = "unit", "target"
MOST_STANDS = 30
"""Maximum stands of a unit in questions without a game."""


class Fire(Action):
    """Fire of `unit` at `target`, at `range` inches if the state has no positions.

    `dice` is the number of rifle stands that can fire (default all), or the dice chosen for each machine gun. A machine
    gun without `dice` aims first, then its owner is asked for the number of dice.
    """

    circumstance_names = targeting.FIRE_WORDS

    target: str
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    dice: int | None = Field(default=None, ge=1, le=99)


@dataclass(frozen=True)
class FirePlan:
    """A shot before its dice are thrown: `dice` dice for each of `guns` guns.

    `volley` holds the dice left after BE-4.2. `aim` is set while a machine gun's number of dice is still to be chosen;
    until then the plan counts the fewest dice.
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

    @property
    def can_hit(self) -> bool:
        """Whether the shot has dice left to throw, or its dice are still to be chosen (BE-4.2)."""
        return self.aim is not None or self.volley.dice > 0


class FireType(ActionType[EmpireState, Fire, FirePlan]):
    """Action type of fire: a volley, or first the aim of a machine gun (BE-3, BE-4)."""

    action = Fire
    question_fields = ("troop", "figures", "range", "dice")
    question_circumstances = targeting.FIRE_WORDS
    measured_circumstances = ("target in cover", "target in hard cover", "target in a sangar")
    umpire_circumstances = staticmethod(targeting.umpire_circumstances)

    def fields_to_measure(self, state: EmpireState, action: Fire) -> tuple[str, ...]:
        """Return the fields to fill in without positions: the range, and for rifles the stands that can fire."""
        unit = state.units.get(action.unit or "")
        return ("range", "dice") if unit is not None and unit.weapon is Weapon.RIFLES else ("range",)

    def circumstances_to_ask(self, state: EmpireState, action: Fire) -> tuple[str, ...]:
        """Return circumstances of the target's cover; none if the state knows the cover, or if the unit has aimed."""
        target, aims = state.units.get(action.target), any(burst.unit == action.unit for burst in state.bursts)
        noted = target is not None and target.cover is not Cover.NONE
        return () if aims or noted else super().circumstances_to_ask(state, action)

    def question_label(self, state: EmpireState, action: Fire) -> str:
        """Return a label such as `Marines: fire at Arteiga, how far?`; for a machine gun `aim at`."""
        unit, target = state.unit(action.unit or ""), state.units.get(action.target)
        verb = "aim" if unit.weapon in MACHINE_GUNS and action.dice is None else "fire"
        return f"{unit.name}: {verb} at {target.name}, how far?" if target is not None else f"{unit.name}: {verb} …"

    @override
    def suggest_for_unit(self, state: EmpireState, unit: str) -> Iterable[Fire]:
        """Yield the unit's possible fire at each enemy in reach, or each number of dice if a machine gun has aimed."""
        firers = targeting.units_able_to_fire(state, unit) if state.current_phase in targeting.FIRING else ()
        for firer in firers:
            aim = next((burst for burst in state.bursts if burst.unit == firer.id), None)
            if aim:
                yield from shots_by_number_of_dice(state, aim)
            else:
                foes = targeting.enemies_in_reach(firer, state.foes(firer))
                yield from (Fire(unit=firer.id, target=foe.id) for foe in foes)

    def possible_actions(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[Fire]:
        """Yield allowed shots, if their range is known and they have dice left to throw (BE-4.2)."""
        for action in self.candidates(state, viewer, unit):
            plan = self.plan_if_allowed(state, action)
            if plan is not None and plan.can_hit:
                yield action

    def plan(self, state: EmpireState, action: Fire) -> FirePlan:
        """Return the plan of the shot. Raises Refused; reasons that forbid the unit any fire come first."""
        unit, target = find_fighter(state, action.unit), find_fighter(state, action.target, "target")
        targeting.require_may_fire_at(state, unit, target)
        circumstances = action.circumstances
        firer, aimed_at = targeting.apply_fire_circumstances(unit, target, circumstances)
        rule, touches = targeting.rule_of_fire(unit), target in state.opponents(unit.id)
        contact = touches or targeting.IN_CONTACT in circumstances
        elsewhere = f"{target:are} in contact with {unit.name}: leave “range” out, for there is none between them."
        refuse(rule, (touches and action.range, elsewhere))
        measured = None if touches else measure_fire_range(unit, target)
        stated_range = 0.0 if touches or (contact and measured is None and action.range is None) else action.range
        far = determine_range(unit, target, measured, stated_range, rule.rule)
        at, band_step = targeting.determine_range_band(unit, target, far, measured=measured is not None)
        past = targeting.LINES.friends_in_line_warning(state, unit, target, state.options.friends_in_line)
        require_active_side(state, unit)
        guns, dice = firepower.count_firing_guns(state.options, unit), firepower.count_fire_dice(unit, action.dice, at)
        volley, score_steps = firepower.settle_fire_volley(state, firer, aimed_at, dice * guns, at, contact=contact)
        text = f"{unit:fire} at {target.name}"
        needs = f"{firepower.dice_in_words(volley.dice)} hitting on {face_range(volley.needed)}"
        to_hit = Step(
            text=text, cite=rule, needed=needs, chance=volley.chance, hope="to hit at all", text_in_headline=True
        )
        aims = unit.weapon in MACHINE_GUNS and action.dice is None
        aim = Burst(unit=unit.id, target=target.id, range=round(far, 2), circumstances=circumstances) if aims else None
        number = () if aim else firepower.steps_for_several_guns(unit, guns, dice)
        return FirePlan(
            unit=unit.id,
            target=target.id,
            inches=far,
            guns=guns,
            dice=dice,
            volley=volley,
            to_hit=to_hit,
            jam=firepower.make_jam_trial(state, unit, dice, guns, volley.dice),
            aim=aim,
            steps=(band_step, *number, *score_steps),
            warnings=(past,) if past else (),
        )

    def caption(self, state: EmpireState, plan: FirePlan) -> Caption:
        """Return a button text such as `Marines: fire at Arteiga, 80.2% to hit`.

        Machine guns have two texts: first `Maxim: aim at Arteiga`, then `3 dice: 33.3% to jam`.
        """
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        past = " past friends" if plan.warnings else ""
        if plan.aim:
            return Caption(f"{unit.name}: aim{past} at {target.name}")
        if plan.jam and (plan.unit, plan.target) in ((burst.unit, burst.target) for burst in state.bursts):
            return firepower.dice_caption(plan.dice, plan.guns, plan.jam)
        distribution = firepower.distribution_of_counted_hits(state, plan.volley.distribution, plan.jam)
        chance = Chance(chance_of_at_least(distribution, 1), "to hit")
        return Caption(f"{unit.name}: fire{past} at {target.name}", chance, ", ")

    def odds(self, state: EmpireState, plan: FirePlan) -> Odds:
        """Return the exact chances of hits and effects. Until dice are chosen, count the fewest dice."""
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        distribution = firepower.distribution_of_counted_hits(state, plan.volley.distribution, plan.jam)
        steps = [*plan.steps, *((plan.to_hit,) if plan.volley.dice else ())]
        if plan.aim:
            captions = []
            for dice in firepower.dice_choices():
                trial = firepower.make_jam_trial(state, unit, dice, plan.guns, dice * plan.guns)
                captions += [str(firepower.dice_caption(dice, plan.guns, trial))] if trial else []
            text = f"Reckoned with the fewest dice. {'; '.join(captions)}"
            steps.append(Step(text=text, cite=firepower.JAM))
        elif plan.jam:
            steps.append(plan.jam.step)
        return Odds(
            question=f"What does the fire of {unit.name} do to {target.name} at {inches(plan.inches)}?",
            steps=tuple(steps),
            outcomes=shot_outcomes(state, plan.unit, plan.target, distribution),
            distribution=distribution,
            score_label="hits",
            pass_from=1,
            warnings=plan.warnings,
        )

    def resolve(self, play: Play[EmpireState], plan: FirePlan) -> None:
        """Throw the dice, or aim a machine gun and ask for its number of dice. Hits take effect when the phase ends."""
        unit = play.state.unit(plan.unit)
        play.tell(side=unit.side, warnings=plan.warnings, units=(plan.unit, plan.target))
        play.set(bursts=tuple(burst for burst in play.state.bursts if burst.unit != plan.unit))
        if plan.aim is None:
            _throw_dice(play, plan)
            return
        play.set(bursts=(*play.state.bursts, plan.aim))
        play.say(*(step for step in plan.steps if step.cite.rule != "BE-4.2"))
        question = f"{dice_question(plan.guns).capitalize()} The more, the likelier {unit:they jam}."
        play.tell(headline=f"{unit:take} aim at {play.state.unit(plan.target).name}.", outcome=question)

    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Fire]:
        """Return a state and fire for a question without a game. Raises Refused if range or dice are missing."""
        nowhere = "range" not in options and targeting.IN_CONTACT not in words
        refuse(None, (nowhere, "Say how far: fire needs “range” in inches, as range:10."))
        stands = {"stands": read_whole_number(options, "figures", 1, MOST_STANDS)} if "figures" in options else {}
        unit = make_fighter(str(options["troop"]), UNIT).model_copy(update=stands)
        dice = read_whole_number(options, "dice", 1, MOST_STANDS) if "dice" in options else None
        numbers = f"{firepower.dice_choices()[0]} to {firepower.dice_choices()[-1]}"
        lacks_dice = unit.weapon in MACHINE_GUNS and dice is None
        refuse(firepower.JAM, (lacks_dice, f"Say with how many dice: {unit:need} “dice”, {numbers}."))
        target = make_fighter("Zulu impi", TARGET, THEIRS).model_copy(update={"name": "the target (foot)"})
        order = {"unit": UNIT, "target": TARGET, "range": options.get("range"), "dice": dice, "with": words}
        state = make_question_state(Phase.ARTILLERY if unit.weapon in GUNS else Phase.RIFLES, unit, target)
        return state, Fire.model_validate(order)


FIRE = FireType()


def shots_by_number_of_dice(state: EmpireState, burst: Burst) -> tuple[Fire, ...]:
    """Return the possible shots of a machine gun that has aimed, one for each number of dice."""
    places = {state.unit(unit_id).place for unit_id in (burst.unit, burst.target)}
    stated_range = burst.range if None in places else None
    shot = Fire(unit=burst.unit, target=burst.target, range=stated_range, circumstances=burst.circumstances)
    return tuple(shot.model_copy(update={"dice": dice}) for dice in firepower.dice_choices())


def dice_question(guns: int) -> str:
    """Return the question for the dice of one or several machine guns."""
    return "with how many dice each?" if guns > 1 else "with how many dice?"


def _throw_dice(play: Play[EmpireState], plan: FirePlan) -> None:
    """Throw the dice of the shot and the D6 against jamming, and store the hits until the phase ends."""
    unit, target = play.state.unit(plan.unit), play.state.unit(plan.target)
    play.say(*plan.steps)
    count = 0
    if plan.volley.dice:
        throw = play.throw(plan.volley.dice, plan.volley.sides, f"{unit:fire} at {target.name}", side=unit.side)
        count = plan.volley.count_hits(throw)
        needed, verdict = f"hits on {face_range(plan.volley.needed)}", hits_in_words(count)
        play.say(plan.to_hit.model_copy(update={"throws": (throw,), "needed": needed, "verdict": verdict}))
    jammed = False
    if plan.jam is not None and plan.jam.test.chance == 1:
        play.say(plan.jam.step)
    elif plan.jam is not None:
        jammed = not plan.jam.take(play)
    if jammed and count and not play.state.options.jammed_hits_count:
        count = 0
        play.note("The hits of the burst that jams do not count", firepower.JAM.as_ruling)
    play.tell(
        headline=f"{unit:fire} at {target.name}: {hits_in_words(count)}{f', and {unit:they jam}' if jammed else ''}.",
        outcome=describe_pending_hits(play.state, target, count),
    )
    play.change(unit.id, jammed=jammed, clearing=0)
    play.remember(unit.id, shot=True)
    shot = Shot(unit=unit.id, target=target.id, hits=count)
    play.set(shots=(*play.state.shots, shot))
