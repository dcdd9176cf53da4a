"""A volley: who may fire at whom, how many dice, what they hit, and what it costs (MM-3)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from rules.core.action_type import Deed
from rules.core.dice import Dice, Throw
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.wording import inches
from rules.magdala.arms import LEADERS
from rules.magdala.engagement import engaged
from rules.magdala.model import MagdalaState, MagdalaUnit, Morale, StoredPrompt, Test, Weapon
from rules.magdala.morale.casualties import How, inflict
from rules.magdala.orders import counted, find, not_in_melee, obeys, own_turn, under_command
from rules.magdala.stored_prompts import prompts_of, settle
from rules.magdala.tables import SIDES

from . import fire_odds, mishaps
from .ammunition import half_by_ammunition, spend
from .clearing import CLEAR
from .firepower import ROUNDING, Volley, dice_words, volley
from .mishaps import STRAY
from .ranges import Band, band
from .targeting import LINES, TARGET_WORDS, half_by_moving, half_by_state, range_to, situation

FULL_EFFECT = "full effect"
HALF_EFFECT = "half effect"
DEFENSIVE = "defensive fire"
STANDING = Cite(rule="MM-3.1")
ONCE = Cite(rule="MM-3.1", mark=Mark.RULING)
HELD = (Morale.PINNED, Morale.HALTED)
INTO_MELEE = Cite(rule="MM-3.1", mark=Mark.RULING)


class Fire(Action):
    """A volley of `unit` at `target`; `range` in inches where the table does not know it.

    Without `full effect` or `half effect` it fires at full effect if it may.
    """

    kind: ClassVar[str] = "fire"
    circumstance_names: ClassVar[tuple[str, ...]] = (FULL_EFFECT, HALF_EFFECT, DEFENSIVE, *TARGET_WORDS)

    target: str
    range: float | None = Field(default=None, ge=0, le=1000, allow_inf_nan=False)


@dataclass(frozen=True)
class Aimed:
    """A volley that may be fired: everything settled but the dice."""

    unit: MagdalaUnit
    target: MagdalaUnit
    range: float
    band: Band
    volley: Volley
    half: bool
    answers: StoredPrompt | None
    defensive: bool
    steps: tuple[Step, ...]
    warnings: tuple[str, ...]


def aim(state: MagdalaState, action: Fire) -> Aimed:
    """Settles all that comes before the dice. Raises Refused with the rule; then nothing is spent."""
    unit, target = find(state, action.unit), find(state, action.target, "target")
    answers = next(
        (prompt for prompt in prompts_of(state, unit.id, Test.DEFENSIVE_FIRE) if prompt.by == target.id), None
    )
    defensive = answers is not None or (DEFENSIVE in action.circumstances and unit.side != state.active)
    _may_fire(state, unit, defensive, answers)
    _may_be_fired_at(state, unit, target, answers)
    range_, measured, warning = _range(unit, target, action.range, defensive)
    at = band(unit, range_, state.options)
    past = LINES.warning(state, unit, target, state.options.friends_in_line)
    half = _half_effect(state, unit, action.circumstances, answers, defensive)
    throws = volley(unit, situation(state, unit, target, action.circumstances, half), state.options)
    if not throws.dice:
        raise Refused(f"{unit.name} has no dice left to throw at {target.name}; it keeps its ammunition.", ROUNDING)
    steps = (*((measured,) if measured else ()), *throws.steps)
    warnings = tuple(each for each in (warning, past) if each)
    return Aimed(unit, target, range_, at, throws, bool(half), answers, defensive, steps, warnings)


def _may_fire(state: MagdalaState, unit: MagdalaUnit, defensive: bool, answers: StoredPrompt | None) -> None:
    if unit.weapon is Weapon.MELEE:
        raise Refused(f"{unit.name} has nothing to fire with.", Cite(rule="MM-3.6"))
    if unit.limbered:
        raise Refused(f"{unit.name} is limbered. Unlimbering takes a full turn.", Cite(rule="MM-2.4"))
    if unit.jammed:
        raise Refused(f"{unit.name} is jammed. Clear it first, on 4-6, one attempt a turn.", mishaps.JAM_RULING)
    if answers is not None:
        return
    not_in_melee(unit)
    obeys(state, unit)
    if defensive:
        if unit.place is not None:
            raise Refused(f"Nobody is moving into contact with {unit.name}: it fires in its own turn.", STANDING)
        return
    own_turn(state, unit)
    under_command(state, unit)
    if unit.this_turn.has_fired:
        raise Refused(f"{unit.name} has fired this turn. A unit fires once a turn.", ONCE)


def _may_be_fired_at(state: MagdalaState, unit: MagdalaUnit, target: MagdalaUnit, answers: StoredPrompt | None) -> None:
    if target.side == unit.side:
        raise Refused(f"{target.name} is on the same side as {unit.name}. Choose an enemy.", INTO_MELEE)
    if target.troop in LEADERS:
        raise Refused(
            f"{target.name} is not fired at alone: generals run their risk with their units. Choose a unit.",
            Cite(rule="MM-6", mark=Mark.RULING),
        )
    if answers is None and engaged(state, target):
        raise Refused(f"{target.name} is in melee: fire would fall on friends. Choose another target.", INTO_MELEE)


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


def fire(state: MagdalaState, action: Fire, dice: Dice) -> tuple[MagdalaState, Report]:
    """Throws the dice, spends ammunition, and lets the hits fall. Raises Refused before any die.

    Without a game there is nobody whom they could fall on, and no ammunition to count.
    """
    aimed = aim(state, action)
    unit, target = aimed.unit, aimed.target
    throw = dice.throw(aimed.volley.dice, SIDES, f"{unit.name} fires at {target.name}", side=unit.side)
    hits = sum(face >= aimed.band.hits_from for face in throw.dice)
    steps = [*aimed.steps, _hits_step(aimed, throw, hits)]
    in_a_game = bool(state.scenario)
    fired, cost = spend(unit, aimed.half, dice, counted=in_a_game)
    steps.extend((cost,) if cost else ())
    after = state.with_unit(_fired(fired, aimed, jammed=mishaps.jams(unit, throw)))
    if mishaps.jams(unit, throw):
        steps.append(Step(text="Two or more 1s", cite=mishaps.JAM, verdict=f"{unit.name} jams"))
    if aimed.answers is not None:
        after = settle(after, aimed.answers)
    if mishaps.astray(unit, throw):
        after, fallen = mishaps.fall_on_friends(after, unit, target, hits)
    elif in_a_game:
        after, fallen = inflict(after, target.id, hits, unit.id, How.FIRE)
    else:
        fallen = ()
    report = Report(
        headline=f"{unit.name} fires at {target.name}: {hit_words(hits)}.",
        side=unit.side,
        steps=(*steps, *fallen),
        outcome=_outcome(after, target) if in_a_game else "",
        warnings=aimed.warnings,
        units=(unit.id, target.id),
    )
    return counted(after), report


def _hits_step(aimed: Aimed, throw: Throw, hits: int) -> Step:
    at_least_one = 1 - fire_odds.miss(aimed.band) ** aimed.volley.dice
    return Step(
        text=f"{throw_words(aimed)}, hits on {aimed.band.faces}",
        cite=aimed.band.cite,
        throws=(throw,),
        verdict=hit_words(hits),
        chance=at_least_one,
        hope="to hit at all",
    )


def hit_words(hits: int) -> str:
    """`no hit`, `1 hit`, `3 hits`."""
    return "no hit" if not hits else "1 hit" if hits == 1 else f"{hits} hits"


def throw_words(aimed: Aimed) -> str:
    """`8 dice at 10", short range`."""
    return f"{dice_words(aimed.volley.dice)} at {inches(aimed.range)}, {aimed.band.name}"


def _fired(unit: MagdalaUnit, aimed: Aimed, *, jammed: bool) -> MagdalaUnit:
    """The unit remembers its volley; the defender's fire is beside the one volley of its own turn (ruling)."""
    update: dict[str, object] = {"jammed": jammed}
    if not aimed.defensive:
        flag = "fired_half" if aimed.half else "fired_full"
        update["this_turn"] = unit.this_turn.model_copy(update={flag: True})
        update["half_effect_next_fire"] = unit.half_effect_next_fire and unit.morale in HELD
    return unit.model_copy(update=update)


def _outcome(state: MagdalaState, target: MagdalaUnit) -> str:
    now = state.unit(target.id)
    if not now.on_table:
        return f"{target.name} is off the table."
    return f"{target.name}: {now.strength} of {now.figures} left, {now.morale}."


def odds(state: MagdalaState, action: Fire) -> Odds:
    """Exact chances of every number of hits and of what each does to the target. Raises Refused as the deed does."""
    aimed = aim(state, action)
    spread = fire_odds.hits(aimed.volley.dice, aimed.band)
    reckoning = Step(text=f"{throw_words(aimed)}, hits on {aimed.band.faces}", cite=aimed.band.cite)
    question = f"What does {aimed.unit.name} do to {aimed.target.name} at {inches(aimed.range)}?"
    if aimed.unit.weapon is Weapon.ROCKET:
        outcomes = fire_odds.rocket_outcomes(state, aimed.target, aimed.unit, aimed.volley.dice)
    else:
        outcomes = fire_odds.outcomes(state, aimed.target, aimed.unit, spread)
    jam = fire_odds.jam_step(aimed.unit, aimed.volley.dice)
    return Odds(
        question=question,
        steps=(*aimed.steps, reckoning, *jam),
        outcomes=outcomes,
        spread=spread,
        spread_of="hits",
        pass_from=1,
        warnings=aimed.warnings,
    )


def legal(state: MagdalaState, side: Viewer) -> Iterable[Fire]:
    """Every volley of the side that may be fired now where the table knows the range."""
    for unit in state.units.values():
        if side not in (unit.side, UMPIRE) or not unit.on_table or unit.weapon is Weapon.MELEE:
            continue
        for target in state.enemies(unit.side):
            order = Fire(unit=unit.id, target=target.id)
            try:
                aim(state, order)
            except Refused:
                continue
            yield order


FIRE: Deed[MagdalaState] = Deed(Fire, fire, odds, legal)
DEEDS = (FIRE, CLEAR, STRAY)
