"""Fire of artillery, rifles and machine guns: thrown at once, it lands when the phase ends (BE-3, BE-4)."""

from collections.abc import Iterable

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Viewer
from rules.core.odds import Odds
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.wording import inches
from rules.empire.fighting.landing import does, effect
from rules.empire.model import MACHINE_GUNS, Burst, EmpireState, EmpireUnit, Shot
from rules.empire.orders import its_side_acts, remembering

from . import fire_odds
from .aiming import Aimed, Fire, aim
from .machine_guns import HITS_LOST, choice_words, choices, jam_chance, jam_step, question, throw_for_jam
from .ranges import rule_of
from .targeting import may_fire
from .volley import SIDES, dice_words, faces
from .words import FIRE_WORDS, umpires_words

__all__ = ["DEED", "FIRE_WORDS", "Fire", "umpires_words"]


def fire(state: EmpireState, action: Fire, dice: Dice) -> tuple[EmpireState, Report]:
    """Throws the dice, which land with the phase; of a machine gun without dice it asks how many. Raises Refused."""
    aimed = aim(state, action)
    return _take_aim(state, action, aimed) if aimed.open else _throw(state, aimed, dice)


def _take_aim(state: EmpireState, action: Fire, aimed: Aimed) -> tuple[EmpireState, Report]:
    """The machine gun has its target, and its owner is asked for the number of dice (BE-4)."""
    unit, target = aimed.unit, aimed.target
    burst = Burst(
        unit=unit.id, target=target.id, range=round(aimed.distance.inches, 2), circumstances=action.circumstances
    )
    report = Report(
        headline=f"{unit.name} takes aim at {target.name}.",
        side=unit.side,
        steps=tuple(step for step in aimed.steps if step.cite.rule != "BE-4.2"),
        outcome=f"{question(aimed.volley.guns).capitalize()} The more, the likelier it jams.",
        warnings=aimed.warnings,
        units=(unit.id, target.id),
    )
    return state.model_copy(update={"bursts": (*_other_bursts(state, unit), burst)}), report


def _throw(state: EmpireState, aimed: Aimed, dice: Dice) -> tuple[EmpireState, Report]:
    unit, target, volley = aimed.unit, aimed.target, aimed.volley
    steps, hits, jams = list(aimed.steps), 0, False
    if volley.dice:
        throw = dice.throw(volley.dice, SIDES, f"{unit.name} fires at {target.name}", side=unit.side)
        hits = sum(face >= volley.needed for face in throw.dice)
        steps.append(_reckoning(aimed).model_copy(update={"throws": (throw,), "verdict": hit_words(hits)}))
    if unit.weapon in MACHINE_GUNS:
        jams, told = throw_for_jam(state, unit, volley, dice)
        steps.append(told)
        if jams and hits and not state.options.jammed_hits_count:
            hits = 0
            steps.append(Step(text="The hits of the burst that jams do not count", cite=HITS_LOST))
    fired = remembering(unit.model_copy(update={"jammed": jams, "clearing": 0}), shot=True)
    shot = Shot(unit=unit.id, target=target.id, hits=hits)
    update = {"shots": (*state.shots, shot), "bursts": _other_bursts(state, unit)}
    after = state.with_unit(fired).model_copy(update=update)
    report = Report(
        headline=f"{unit.name} fires at {target.name}: {hit_words(hits)}{', and jams' if jams else ''}.",
        side=unit.side,
        steps=tuple(steps),
        outcome=_outcome(state, target, hits),
        warnings=aimed.warnings,
        units=(unit.id, target.id),
    )
    return after, report


def hit_words(hits: int) -> str:
    """`no hits`, `1 hit`, `3 hits`."""
    return "no hits" if not hits else "1 hit" if hits == 1 else f"{hits} hits"


def _reckoning(aimed: Aimed) -> Step:
    volley = aimed.volley
    chance = 1 - (1 - fire_odds.hit_chance(volley.needed)) ** volley.dice
    text = f"{dice_words(volley.dice)} at {inches(aimed.distance.inches)}, hits on {faces(volley.needed)}"
    return Step(text=text, cite=Cite(rule=rule_of(aimed.unit)), chance=chance, hope="to hit at all")


def _other_bursts(state: EmpireState, unit: EmpireUnit) -> tuple[Burst, ...]:
    return tuple(burst for burst in state.bursts if burst.unit != unit.id)


def _outcome(state: EmpireState, target: EmpireUnit, hits: int) -> str:
    """Nothing lands before the phase ends; the hits of all are added up then (BE-1, BE-2.4)."""
    before = sum(shot.hits for shot in state.shots if shot.target == target.id)
    if not hits:
        return f"Nothing is added to the {hit_words(before)} on {target.name}." if before else ""
    if not state.scenario:
        return f"{hit_words(hits)[0].upper()}{hit_words(hits)[1:]} on a target that is steady: {does(effect(hits))}."
    lands = "It lands" if hits == 1 else "They land"
    total = f", {before + hits} hits in all so far" if before else ""
    return f"{lands} on {target.name} when the phase ends{total}."


def odds(state: EmpireState, action: Fire) -> Odds:
    """Exact chances of hits and of what they do when the phase ends. Raises Refused as the deed does.

    Of a machine gun without dice: those of the fewest, and the chance of a jam with each number of them.
    """
    aimed = aim(state, action)
    spread = fire_odds.hits(state, aimed)
    steps = [*aimed.steps, *((_reckoning(aimed),) if aimed.volley.dice else ())]
    if aimed.open:
        steps.append(_jams_with_each(state, aimed))
    elif aimed.unit.weapon in MACHINE_GUNS:
        steps.append(jam_step(state, aimed.unit, aimed.volley))
    far = inches(aimed.distance.inches)
    return Odds(
        question=f"What does the fire of {aimed.unit.name} do to {aimed.target.name} at {far}?",
        steps=tuple(steps),
        outcomes=fire_odds.outcomes(state, aimed, spread),
        spread=spread,
        spread_of="hits",
        pass_from=1,
        warnings=aimed.warnings,
    )


def _jams_with_each(state: EmpireState, aimed: Aimed) -> Step:
    chances = ((dice, jam_chance(state, aimed.unit, dice, dice)) for dice in choices())
    words = "; ".join(choice_words(dice, chance, aimed.volley.guns) for dice, chance in chances)
    return Step(text=f"Reckoned with the fewest dice. {words}", cite=Cite(rule="BE-4"))


def legal(state: EmpireState, side: Viewer) -> Iterable[Fire]:
    """Every shot of the side that may be fired now where the table knows the range, and can hit.

    A machine gun that has taken aim chooses its dice (firing/owed.py).
    """
    aiming = {burst.unit: burst for burst in state.bursts}
    for unit in state.fighters():
        if side not in (unit.side, UMPIRE) or not can_fire(state, unit):
            continue
        if unit.id in aiming:
            yield from with_each_number(state, aiming[unit.id])
            continue
        for target in state.fighters():
            order = Fire(unit=unit.id, target=target.id)
            if target.side != unit.side and can_hit(state, order) is not None:
                yield order


def with_each_number(state: EmpireState, burst: Burst) -> tuple[Fire, ...]:
    """The orders that settle a burst, one for each number of dice; none where it may not be fired (any more)."""
    places = {state.unit(each).place for each in (burst.unit, burst.target)}
    given = burst.range if None in places else None
    orders = tuple(
        Fire(unit=burst.unit, target=burst.target, range=given, dice=dice, circumstances=burst.circumstances)
        for dice in choices()
    )
    return orders if _may(state, orders[0]) else ()


def can_fire(state: EmpireState, unit: EmpireUnit) -> bool:
    """Whether it may fire at all now."""
    try:
        may_fire(state, unit)
        its_side_acts(state, unit)
    except Refused:
        return False
    return True


def _may(state: EmpireState, order: Fire) -> bool:
    try:
        aim(state, order)
    except Refused:
        return False
    return True


def can_hit(state: EmpireState, order: Fire) -> Aimed | None:
    """The shot, if it may be fired and has a die left to throw with the most dice there are (BE-4.2)."""
    try:
        aimed = aim(state, order)
        most = aim(state, order.model_copy(update={"dice": max(choices())})) if aimed.open else aimed
    except Refused:
        return None
    return aimed if most.volley.dice else None


DEED: Deed[EmpireState] = Deed(Fire, fire, odds, legal)
