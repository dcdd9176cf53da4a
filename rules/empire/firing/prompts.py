"""Shots that may be fired, how many dice a machine gun throws, and jams that may be cleared (BE-3, BE-4)."""

from collections.abc import Iterable
from heapq import nsmallest
from itertools import islice
from operator import itemgetter

from rules.core.model import UMPIRE
from rules.core.report import Offer, Prompt
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.phases import Phase
from rules.empire.placement import gap

from .fire import FIRE, Fire, how_many_dice, with_each_number
from .firepower import guns_firing
from .jams import CLEAR, JAM
from .targeting import able, rule_of

TRIED, OFFERED = 3, 2
"""Nearest enemies that a unit is tried against, and buttons it has at the most."""
MANY = 6
"""Units firing in a turn above which each has one button."""


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """The choice of dice for each machine gun that has taken aim, then the jams that may be cleared."""
    for burst in state.bursts:
        unit, target = state.unit(burst.unit), state.unit(burst.target)
        text = f"{unit:fire} at {target.name}: {how_many_dice(guns_firing(state, unit))}"
        key = f"burst:{unit.id}:{target.id}:{state.turn}"
        choice = FIRE.prompt(state, with_each_number(state, burst), key, text, JAM.ruled)
        if choice.offers:
            yield choice
    for attempt in CLEAR.possible(state, UMPIRE):
        unit = state.unit(attempt.unit or "")
        text = f"{unit:are} jammed: one attempt to clear {unit:them} this turn"
        yield CLEAR.prompt(state, [attempt], f"clear:{unit.id}:{state.turn}", text, JAM, required=False)


def shots(state: EmpireState) -> Iterable[Prompt]:
    """Units that may fire now, each with the nearest enemies it can hit; where places are unknown, none.

    Shots past friends come last. Where many fire this turn each is offered one alone: one message has to hold them all.
    """
    if state.now not in (Phase.ARTILLERY, Phase.RIFLES):
        return ()
    aiming = {burst.unit for burst in state.bursts}
    firing = sum(unit.this_turn.shot or unit.id in aiming for unit in state.fighters())
    found: list[Prompt] = []
    for unit in able(state):
        key, text, by = f"shot:{unit.id}:{state.turn}:{state.phase}", f"{unit.name} may fire", rule_of(unit)
        offers = () if unit.id in aiming else tuple(islice(_shots_of(state, unit, key), OFFERED))
        if offers:
            who, side = unit.id, unit.side
            found.append(Prompt(key=key, unit=who, side=side, text=text, cite=by, offers=offers, required=False))
    most = 1 if firing + len(found) > MANY else OFFERED
    return tuple(each.model_copy(update={"offers": each.offers[:most]}) for each in found)


def _shots_of(state: EmpireState, unit: EmpireUnit, key: str) -> Iterable[Offer]:
    measured = [(inches, foe) for foe in state.foes(unit) if (inches := gap(unit, foe)) is not None]
    nearest = [Fire(unit=unit.id, target=foe.id) for _, foe in nsmallest(TRIED, measured, key=itemgetter(0))]
    found = [(plan, shot) for shot in nearest if (plan := FIRE.planned(state, shot)) is not None and plan.can_hit]
    for plan, shot in sorted(found, key=lambda pair: bool(pair[0].past)):
        yield FIRE.offer(state, shot, key, FIRE.label(state, plan))
