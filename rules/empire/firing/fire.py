"""Fire of artillery, rifles and machine guns: thrown at once, it lands when the phase ends (BE-3, BE-4)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from pydantic import Field

from rules.core.action_type import ActionType
from rules.core.model import UMPIRE, Cite, Viewer
from rules.core.odds import Odds
from rules.core.play import Play
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.throws import Spread, Volley
from rules.core.wording import inches, percent
from rules.empire.fighting.landing import does, effect
from rules.empire.model import GUNS, MACHINE_GUNS, Burst, EmpireState, EmpireUnit, Shot
from rules.empire.orders import find_fighter, its_side_acts, remembering
from rules.empire.tables import value

from . import ad_hoc, consequences, words
from .batteries import guns_firing, guns_step
from .machine_guns import HITS_LOST, choice_words, choices, choose, jam, jams_on, question
from .ranges import band, distance, range_step, rule_of
from .scores import SIDES, dice_words, faces, hit_words, score
from .targeting import LINES, may_be_fired_at, may_fire
from .words import FIRE_WORDS, IN_CONTACT, firer_as_said, make_sense, target_as_said


class Fire(Action):
    """`unit` fires at `target`; `range` in inches where the table does not know it.

    `dice` are the stands of riflemen that can fire, all of them unless said otherwise, or the dice chosen for each
    machine gun, which are asked for where they are not given.
    """

    kind: ClassVar[str] = "fire"
    circumstance_names: ClassVar[tuple[str, ...]] = FIRE_WORDS

    target: str
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)
    dice: int | None = Field(default=None, ge=1, le=99)


@dataclass(frozen=True)
class FirePlan:
    """A shot with everything settled but the dice: `dice` of each of the `guns`, of which `volley` are left to throw.

    `jams_to` is the highest face that jams a machine gun. One whose dice are still to be chosen is `undecided`: it is
    reckoned with the fewest, and `can_hit` with the most. `past` warns of friends who stand in its way.
    """

    unit: str
    target: str
    inches: float
    band: str
    guns: int
    dice: int
    volley: Volley
    jams_to: int
    undecided: bool
    can_hit: bool
    steps: tuple[Step, ...]
    warnings: tuple[str, ...]
    past: str
    words: tuple[str, ...]

    @property
    def jam_chance(self) -> Fraction:
        """The chance that the burst jams the gun."""
        return Fraction(self.jams_to, SIDES)


class FireType(ActionType[EmpireState, Fire, FirePlan]):
    """A volley, or a machine gun that takes aim and is then asked for its dice (BE-3, BE-4)."""

    action = Fire
    needs = ad_hoc.NEEDS
    needs_words = FIRE_WORDS

    def umpires_words(self, state: EmpireState, action: Fire) -> Iterable[str]:
        """What helps the firer where the state knows better."""
        return words.umpires_words(state, action)

    def candidates(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[Fire]:
        """Every enemy for each unit that may fire; for a machine gun that has taken aim, each number of dice."""
        aiming = {burst.unit: burst for burst in state.bursts}
        for firer in state.fighters():
            if viewer not in (firer.side, UMPIRE) or unit not in (None, firer.id) or not can_fire(state, firer):
                continue
            if firer.id in aiming:
                yield from with_each_number(state, aiming[firer.id])
            else:
                foes = (foe for foe in state.fighters() if foe.side != firer.side)
                yield from (Fire(unit=firer.id, target=foe.id) for foe in foes)

    def possible(self, state: EmpireState, viewer: Viewer) -> Iterable[Fire]:
        """Those of them that are allowed, where the table knows the range, and that have a die left (BE-4.2)."""
        for action in self.candidates(state, viewer):
            plan = self.planned(state, action)
            if plan is not None and plan.can_hit:
                yield action

    def plan(self, state: EmpireState, action: Fire, *, supposing: bool = False) -> FirePlan:  # noqa: ARG002
        """Raises Refused with the rule: what keeps the unit itself from firing comes first."""
        unit, target = find_fighter(state, action.unit), find_fighter(state, action.target, "target")
        may_fire(state, unit)
        may_be_fired_at(state, unit, target)
        make_sense(unit, action.circumstances)
        touches = any(each.id == target.id for each in state.opponents(unit.id))
        contact = touches or IN_CONTACT in action.circumstances
        far = distance(unit, target, action.range, contact=touches, said=contact)
        at = band(unit, far.inches)
        past = LINES.warning(state, unit, target, state.options.friends_in_line)
        its_side_acts(state, unit)
        guns, dice = guns_firing(state, unit), _dice(unit, action.dice, at)
        found = score(
            state,
            firer_as_said(unit, action.circumstances),
            target_as_said(target, action.circumstances),
            dice * guns,
            at,
            contact=contact,
        )
        undecided = unit.weapon in MACHINE_GUNS and action.dice is None
        most = max(choices()) * guns if undecided else dice * guns
        return FirePlan(
            unit=unit.id,
            target=target.id,
            inches=far.inches,
            band=at,
            guns=guns,
            dice=dice,
            volley=found.volley,
            jams_to=jams_on(state, unit, dice, -(-found.volley.dice // guns)),
            undecided=undecided,
            can_hit=most > found.beyond,
            steps=(
                range_step(unit, target, far, at),
                *(() if undecided else guns_step(unit, guns, dice)),
                *found.steps,
            ),
            warnings=tuple(warning for warning in (far.warning, past) if warning),
            past=past,
            words=action.circumstances,
        )

    def label(self, state: EmpireState, plan: FirePlan) -> str:
        """`Marines: fire at Arteiga, 80.2% to hit`; of a machine gun, whose dice are chosen next, `aim at`."""
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        past = " past friends" if plan.past else ""
        if plan.undecided:
            return f"{unit.name}: aim{past} at {target.name}"
        return f"{unit.name}: fire{past} at {target.name}, {percent(at_all(hits(state, plan)))} to hit"

    def odds(self, state: EmpireState, plan: FirePlan) -> Odds:
        """Exact chances of hits and of what they do when the phase ends.

        Of a machine gun without dice: those of the fewest, and the chance of a jam with each number of them.
        """
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        spread = hits(state, plan)
        steps = [*plan.steps, *((_reckoning(state, plan),) if plan.volley.dice else ())]
        if plan.undecided:
            steps.append(_jams_with_each(state, plan))
        elif unit.weapon in MACHINE_GUNS:
            steps.append(jam(state, unit, plan.dice, plan.guns, plan.volley.dice).step)
        return Odds(
            question=f"What does the fire of {unit.name} do to {target.name} at {inches(plan.inches)}?",
            steps=tuple(steps),
            outcomes=consequences.outcomes(state, plan.unit, plan.target, spread),
            spread=spread,
            spread_of="hits",
            pass_from=1,
            warnings=plan.warnings,
        )

    def resolve(self, play: Play[EmpireState], plan: FirePlan) -> None:
        """Throws the dice, which land with the phase; of a machine gun without dice it asks how many."""
        unit = play.state.unit(plan.unit)
        play.tell(side=unit.side, warnings=plan.warnings, units=(plan.unit, plan.target))
        if plan.undecided:
            _take_aim(play, plan)
        else:
            _throw(play, plan)

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Fire]:
        """Any troops at a target of which only the circumstances are known."""
        state, args = ad_hoc.ask(given, words)
        return state, Fire.model_validate(args)


FIRE = FireType()


def hits(state: EmpireState, plan: FirePlan) -> Spread:
    """The chance of each number of hits; those of a jammed burst count or not (option jammed_hits_count)."""
    lost = Fraction(0) if state.options.jammed_hits_count else plan.jam_chance
    if not lost:
        return plan.volley.spread
    kept = {number: share * (1 - lost) for number, share in plan.volley.spread}
    return tuple(sorted({**kept, 0: kept.get(0, Fraction(0)) + lost}.items()))


def at_all(spread: Spread) -> Fraction:
    """The chance of any hit."""
    return sum((chance for number, chance in spread if number), Fraction(0))


def can_fire(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether it may fire at all now."""
    try:
        may_fire(state, unit)
        its_side_acts(state, unit)
    except Refused:
        return False
    return True


def with_each_number(state: EmpireState, burst: Burst) -> tuple[Fire, ...]:
    """The shots that settle a burst, one for each number of dice; none where it may not be fired (any more)."""
    places = {state.unit(each).place for each in (burst.unit, burst.target)}
    given = burst.range if None in places else None
    shots = tuple(
        Fire(unit=burst.unit, target=burst.target, range=given, dice=dice, circumstances=burst.circumstances)
        for dice in choices()
    )
    return shots if FIRE.planned(state, shots[0]) is not None else ()


def _dice(unit: EmpireUnit, given: int | None, band_: str) -> int:
    """The dice of each gun by rate and range or by choice; of riflemen one a stand that can fire. Raises Refused."""
    if unit.weapon in GUNS:
        if given is not None:
            raise Refused(f"The dice of {unit.name} go by its rate and the range. Leave “dice” out.", Cite(rule="BE-3"))
        return value("artillery-dice", unit.rate, band_)
    if unit.weapon in MACHINE_GUNS:
        return min(choices()) if given is None else choose(unit, given)
    if given is not None and given > unit.stands:
        stands = f"{unit.stands} stand{'' if unit.stands == 1 else 's'}"
        raise Refused(
            f"{unit.name} has {stands}, and each throws a die: it cannot throw {dice_words(given)}.",
            Cite(rule=rule_of(unit)),
        )
    return unit.stands if given is None else given


def _take_aim(play: Play[EmpireState], plan: FirePlan) -> None:
    """The machine gun has its target, and its owner is asked for the number of dice (BE-4)."""
    unit, target = play.state.unit(plan.unit), play.state.unit(plan.target)
    burst = Burst(unit=unit.id, target=target.id, range=round(plan.inches, 2), circumstances=plan.words)
    play.set(bursts=(*_other_bursts(play.state, plan), burst))
    play.say(*(step for step in plan.steps if step.cite.rule != "BE-4.2"))
    play.tell(
        headline=f"{unit.name} takes aim at {target.name}.",
        outcome=f"{question(plan.guns).capitalize()} The more, the likelier it jams.",
    )


def _throw(play: Play[EmpireState], plan: FirePlan) -> None:
    unit, target = play.state.unit(plan.unit), play.state.unit(plan.target)
    play.say(*plan.steps)
    count, jams = 0, False
    if plan.volley.dice:
        throw = play.throw(plan.volley.dice, SIDES, f"{unit.name} fires at {target.name}", side=unit.side)
        count = plan.volley.hits(throw)
        thrown = {"throws": (throw,), "verdict": hit_words(count)}
        play.say(_reckoning(play.state, plan).model_copy(update=thrown))
    if unit.weapon in MACHINE_GUNS:
        jams = jam(play.state, unit, plan.dice, plan.guns, plan.volley.dice).throw(play, unit.side)
        if jams and count and not play.state.options.jammed_hits_count:
            count = 0
            play.say(Step(text="The hits of the burst that jams do not count", cite=HITS_LOST))
    play.tell(
        headline=f"{unit.name} fires at {target.name}: {hit_words(count)}{', and jams' if jams else ''}.",
        outcome=_outcome(play.state, target, count),
    )
    fired = remembering(unit.model_copy(update={"jammed": jams, "clearing": 0}), shot=True)
    shot = Shot(unit=unit.id, target=target.id, hits=count)
    play.state = play.state.with_unit(fired)
    play.set(shots=(*play.state.shots, shot), bursts=_other_bursts(play.state, plan))


def _reckoning(state: EmpireState, plan: FirePlan) -> Step:
    text = f"{dice_words(plan.volley.dice)} at {inches(plan.inches)}, hits on {faces(plan.volley.needed)}"
    cite = Cite(rule=rule_of(state.unit(plan.unit)))
    return Step(text=text, cite=cite, chance=plan.volley.chance, hope="to hit at all")


def _jams_with_each(state: EmpireState, plan: FirePlan) -> Step:
    unit = state.unit(plan.unit)
    chances = ((dice, Fraction(jams_on(state, unit, dice, dice), SIDES)) for dice in choices())
    words = "; ".join(choice_words(dice, chance, plan.guns) for dice, chance in chances)
    return Step(text=f"Reckoned with the fewest dice. {words}", cite=Cite(rule="BE-4"))


def _other_bursts(state: EmpireState, plan: FirePlan) -> tuple[Burst, ...]:
    return tuple(burst for burst in state.bursts if burst.unit != plan.unit)


def _outcome(state: EmpireState, target: EmpireUnit, count: int) -> str:
    """Nothing lands before the phase ends; the hits of all are added up then (BE-1, BE-2.4)."""
    before = sum(shot.hits for shot in state.shots if shot.target == target.id)
    if not count:
        return f"Nothing is added to the {hit_words(before)} on {target.name}." if before else ""
    if not state.scenario:
        words = hit_words(count)
        return f"{words[0].upper()}{words[1:]} on a target that is steady: {does(effect(count))}."
    lands = "It lands" if count == 1 else "They land"
    total = f", {before + count} hits in all so far" if before else ""
    return f"{lands} on {target.name} when the phase ends{total}."
