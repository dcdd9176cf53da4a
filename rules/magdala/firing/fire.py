"""A volley: who may fire at whom, how many dice, what they hit, and what it costs (MM-3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from pydantic import Field

from rules.core import throws
from rules.core.dice import Throw
from rules.core.odds import Odds
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import inches, percent
from rules.magdala import asking
from rules.magdala.action_types import MagdalaType, conclude
from rules.magdala.model import MagdalaPlay, MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test, Troop, Weapon, Works
from rules.magdala.morale.casualties import How, inflict
from rules.magdala.orders import find
from rules.magdala.stored_prompts import prompts_of, settle
from rules.magdala.tables import SIDES

from . import fire_odds
from .ammunition import half_by_ammunition, spend
from .firepower import ROUNDING, Volley, dice_words, volley
from .mishaps import JAM, astray, fall_on_friends, jams
from .permission import STANDING, may_be_fired_at, may_fire
from .ranges import Band, band
from .targeting import IN_THE_OPEN, LINES, TARGET_WORDS, half_by_moving, half_by_state, range_to, situation

FULL_EFFECT = "full effect"
HALF_EFFECT = "half effect"
DEFENSIVE = "defensive fire"
HELD = (Morale.PINNED, Morale.HALTED)
TARGET_FIGURES = 100
"""Of the unnamed target of fire without a game: enough that no volley runs out of men to hit."""


class Fire(Action):
    """A volley of `unit` at `target`; `range` in inches where the table does not know it.

    Without `full effect` or `half effect` it fires at full effect if it may.
    """

    kind: ClassVar[str] = "fire"
    circumstance_names: ClassVar[tuple[str, ...]] = (FULL_EFFECT, HALF_EFFECT, DEFENSIVE, *TARGET_WORDS)

    target: str
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)


@dataclass(frozen=True)
class FirePlan:
    """A volley that may be fired: everything settled but the dice."""

    unit: str
    target: str
    range: float
    band: Band
    volley: Volley
    half: bool
    answers: StoredPrompt | None
    defensive: bool
    steps: tuple[Step, ...]
    past: str
    warnings: tuple[str, ...]

    @property
    def dice(self) -> throws.Volley:
        """The dice that are thrown, and what they need."""
        return throws.Volley(self.volley.dice, SIDES, self.band.hits_from)

    @property
    def words(self) -> str:
        """`8 dice at 10", short range, hits on 5-6`."""
        return f"{dice_words(self.volley.dice)} at {inches(self.range)}, {self.band.name}, hits on {self.band.faces}"


class FireType(MagdalaType[Fire, FirePlan]):
    """A volley of a unit at an enemy (MM-3)."""

    action = Fire
    needs = ("troop", "figures", "range")
    needs_words = tuple(word for word in Fire.circumstance_names if word != DEFENSIVE)

    def known_better(self, state: MagdalaState, unit: MagdalaUnit, action: Fire) -> Iterable[str]:
        """What covers a target is known with its place or its works; fire out of turn answers a charge (MM-4.1)."""
        target = state.units.get(action.target)
        covered = target is not None and (target.place is not None or target.works is not Works.NONE)
        charged = _charge(state, unit, action.target) is not None
        return (*(() if charged else (DEFENSIVE,)), *((IN_THE_OPEN,) if covered else ()))

    def thinkable(self, state: MagdalaState) -> Iterable[Fire]:
        """Every volley of the armed."""
        for unit in state.units.values():
            if unit.on_table and unit.weapon is not Weapon.MELEE:
                yield from (Fire(unit=unit.id, target=enemy.id) for enemy in state.enemies(unit.side))

    def answers(self, state: MagdalaState, prompt: StoredPrompt) -> Iterable[Fire]:  # noqa: ARG002
        """The defender's fire at those who come into contact (MM-4.1)."""
        if prompt.test is Test.DEFENSIVE_FIRE:
            yield Fire(unit=prompt.unit, target=prompt.by)

    def plan(self, state: MagdalaState, action: Fire, *, supposing: bool = False) -> FirePlan:  # noqa: ARG002
        """Settles all that comes before the dice. Raises Refused with the rule; then nothing is spent."""
        unit, target = find(state, action.unit), find(state, action.target, "target")
        answers = _charge(state, unit, target.id)
        defensive = answers is not None or (DEFENSIVE in action.circumstances and unit.side != state.active)
        may_fire(state, unit, defensive, answers)
        may_be_fired_at(state, unit, target, answers)
        range_, measured, warning = _range(unit, target, action.range, defensive)
        at = band(unit, range_, state.options)
        past = LINES.warning(state, unit, target, state.options.friends_in_line)
        half = _half_effect(state, unit, action.circumstances, answers, defensive)
        thrown = volley(unit, situation(state, unit, target, action.circumstances, half), state.options)
        if not thrown.dice:
            raise Refused(f"{unit.name} has no dice left to throw at {target.name}; it keeps its ammunition.", ROUNDING)
        steps = (*((measured,) if measured else ()), *thrown.steps)
        warnings = tuple(each for each in (warning, past) if each)
        return FirePlan(unit.id, target.id, range_, at, thrown, bool(half), answers, defensive, steps, past, warnings)

    def label(self, state: MagdalaState, plan: FirePlan) -> str:
        """`Berkshires fires at Hadendowa: 96%`, or `fires past friends at` them."""
        past = " past friends" if plan.past else ""
        names = f"{state.unit(plan.unit).name} fires{past} at {state.unit(plan.target).name}"
        return f"{names}: {percent(plan.dice.chance)}"

    def odds(self, state: MagdalaState, plan: FirePlan) -> Odds:
        """Exact chances of every number of hits and of what each does to the target."""
        unit, target = state.unit(plan.unit), state.unit(plan.target)
        if unit.weapon is Weapon.ROCKET:
            outcomes = fire_odds.rocket_outcomes(state, target, unit, plan.dice.dice)
        else:
            outcomes = fire_odds.outcomes(state, target, unit, plan.dice.spread)
        jam = fire_odds.jam_step(unit, plan.dice.dice)
        return Odds(
            question=f"What does {unit.name} do to {target.name} at {inches(plan.range)}?",
            steps=(*plan.steps, Step(text=plan.words, cite=plan.band.cite), *jam),
            outcomes=outcomes,
            spread=plan.dice.spread,
            spread_of="hits",
            pass_from=1,
            warnings=plan.warnings,
        )

    def resolve(self, play: MagdalaPlay, plan: FirePlan) -> None:
        """Throws the dice, spends ammunition, and lets the hits fall.

        Without a game there is nobody whom they could fall on, and no ammunition to count.
        """
        unit, target = play.state.unit(plan.unit), play.state.unit(plan.target)
        throw = play.throw(plan.dice.dice, SIDES, f"{unit.name} fires at {target.name}", side=unit.side)
        hits = plan.dice.hits(throw)
        play.say(*plan.steps, _hits_step(plan, throw, hits))
        spend(play, unit, plan.half)
        _remember(play, plan, jammed=jams(unit, throw))
        if jams(unit, throw):
            play.say(Step(text="Two or more 1s", cite=JAM, verdict=f"{unit.name} jams"))
        if plan.answers is not None:
            play.state = settle(play.state, plan.answers)
        if astray(unit, throw):
            fall_on_friends(play, unit, target, hits)
        elif play.state.scenario:
            inflict(play, target.id, hits, unit.id, How.FIRE)
        outcome = _outcome(play.state.unit(target.id)) if play.state.scenario else ""
        headline = f"{unit.name} fires at {target.name}: {hit_words(hits)}"
        conclude(play, headline, unit.id, target.id, outcome=outcome, warnings=plan.warnings)

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[MagdalaState, Fire]:
        """At a target of which nothing is known but the circumstances."""
        if "range" not in given:
            raise Refused("Say how far: fire needs “range” in inches, as range:10.")
        unit = asking.fighters(given, "troop", "figures", asking.UNIT, asking.OURS)
        target = MagdalaUnit(
            id=asking.TARGET,
            name="the target (infantry)",
            side=asking.THEIRS,
            troop=Troop.NATIVE_FOOT,
            figures=TARGET_FIGURES,
        )
        order = Fire(unit=unit.id, target=target.id, range=given["range"], circumstances=words)
        return asking.table(unit, target), order


def _charge(state: MagdalaState, unit: MagdalaUnit, target: str) -> StoredPrompt | None:
    """The charge of that target which the unit may answer (MM-4.1)."""
    return next((each for each in prompts_of(state, unit.id, Test.DEFENSIVE_FIRE) if each.by == target), None)


def _range(
    unit: MagdalaUnit, target: MagdalaUnit, given: float | None, defensive: bool
) -> tuple[float, Step | None, str]:
    """Fire at attackers as they come in is at no distance, unless they stand further off (ruling)."""
    unknown = unit.place is None or target.place is None
    return range_to(unit, target, 0.0 if defensive and unknown and given is None else given)


def _half_effect(
    state: MagdalaState, unit: MagdalaUnit, words: tuple[str, ...], answers: StoredPrompt | None, defensive: bool
) -> str:
    """Why the volley is at half effect; empty at full. Raises Refused if full effect was asked for and may not be."""
    forced = half_by_ammunition(unit, charged=answers is not None) or half_by_state(unit)
    if not forced and not defensive:
        forced = half_by_moving(state, unit)
    if not forced and answers is not None and answers.half_effect:
        forced = "half effect, the attackers came a short way"
    if FULL_EFFECT in words and forced:
        raise Refused(f"{unit.name} cannot fire at full effect: {forced}.", STANDING)
    return forced or (HALF_EFFECT if HALF_EFFECT in words else "")


def _hits_step(plan: FirePlan, throw: Throw, hits: int) -> Step:
    return Step(
        text=plan.words,
        cite=plan.band.cite,
        throws=(throw,),
        verdict=hit_words(hits),
        chance=plan.dice.chance,
        hope="to hit at all",
    )


def hit_words(hits: int) -> str:
    """`no hit`, `1 hit`, `3 hits`."""
    return "no hit" if not hits else "1 hit" if hits == 1 else f"{hits} hits"


def _remember(play: MagdalaPlay, plan: FirePlan, *, jammed: bool) -> None:
    """The unit remembers its volley; the defender's fire is beside the one volley of its own turn (ruling)."""
    play.change(plan.unit, jammed=jammed)
    if not plan.defensive:
        unit = play.state.unit(plan.unit)
        fired = unit.this_turn.model_copy(update={"fired_half" if plan.half else "fired_full": True})
        still_half = unit.half_effect_next_fire and unit.morale in HELD
        play.change(plan.unit, this_turn=fired, half_effect_next_fire=still_half)


def _outcome(target: MagdalaUnit) -> str:
    if not target.on_table:
        return f"{target.name} is off the table."
    return f"{target.name}: {target.strength} of {target.figures} left, {target.morale}."


FIRE = FireType()
