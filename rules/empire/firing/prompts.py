"""Shots that may be fired, how many dice a machine gun throws, and jams that may be cleared (BE-3, BE-4)."""

from collections.abc import Iterable
from heapq import nsmallest
from itertools import islice
from operator import itemgetter

from rules.core.model import UMPIRE, Cite
from rules.core.report import Offer, Prompt
from rules.empire.model import Burst, EmpireState, EmpireUnit
from rules.empire.phases import Phase
from rules.empire.placement import gap

from .batteries import guns_firing
from .clearing import CLEAR, Clear
from .fire import FIRE, Fire, can_fire, with_each_number
from .machine_guns import CHOSEN, choice_words, question
from .ranges import rule_of

TRIED, OFFERED = 3, 2
"""Nearest enemies that a unit is tried against, and buttons it has at the most."""
MANY = 6
"""Units firing in a turn above which each has one button."""


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """The choice of dice for each machine gun that has taken aim, then the jams that may be cleared."""
    for burst in state.bursts:
        shots_of_burst = with_each_number(state, burst)
        if shots_of_burst:
            yield _how_many_dice(state, burst, shots_of_burst)
    for attempt in CLEAR.possible(state, UMPIRE):
        yield _jam(state, attempt)


def _how_many_dice(state: EmpireState, burst: Burst, each: tuple[Fire, ...]) -> Prompt:
    unit, target = state.unit(burst.unit), state.unit(burst.target)
    key = f"burst:{unit.id}:{target.id}:{state.turn}"
    return Prompt(
        key=key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} fires at {target.name}: {question(guns_firing(state, unit))}",
        cite=CHOSEN,
        offers=tuple(FIRE.offer(state, shot, key, _with_so_many(state, shot)) for shot in each),
    )


def _with_so_many(state: EmpireState, shot: Fire) -> str:
    """`3 dice: jams 33.3%`."""
    plan = FIRE.plan(state, shot)
    return choice_words(plan.dice, plan.jam_chance, plan.guns)


def _jam(state: EmpireState, attempt: Clear) -> Prompt:
    unit = state.unit(attempt.unit or "")
    key = f"clear:{unit.id}:{state.turn}"
    return Prompt(
        key=key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} is jammed: one attempt to clear it this turn",
        cite=Cite(rule="BE-4"),
        offers=(CLEAR.offer(state, attempt, key),),
        required=False,
    )


def shots(state: EmpireState) -> Iterable[Prompt]:
    """Units that may fire now, each with the nearest enemies it can hit; where places are unknown, none.

    Shots past friends come last. Where many fire this turn each is offered one alone: one message has to hold them all.
    """
    if state.now not in (Phase.ARTILLERY, Phase.RIFLES):
        return ()
    aiming = {burst.unit for burst in state.bursts}
    done = [unit for unit in state.fighters() if unit.this_turn.shot or unit.id in aiming]
    able = [unit for unit in state.fighters() if unit.id not in aiming and can_fire(state, unit)]
    found = [(unit, offers) for unit in able if (offers := tuple(islice(_shots_of(state, unit), OFFERED)))]
    most = 1 if len(done) + len(found) > MANY else OFFERED
    return tuple(_may_fire(state, unit, offers[:most]) for unit, offers in found)


def _may_fire(state: EmpireState, unit: EmpireUnit, offers: tuple[Offer, ...]) -> Prompt:
    return Prompt(
        key=_shot_key(state, unit),
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} may fire",
        cite=Cite(rule=rule_of(unit)),
        offers=offers,
        required=False,
    )


def _shot_key(state: EmpireState, unit: EmpireUnit) -> str:
    return f"shot:{unit.id}:{state.turn}:{state.phase}"


def _shots_of(state: EmpireState, unit: EmpireUnit) -> Iterable[Offer]:
    foes = (foe for foe in state.enemies(unit.side) if not foe.is_piece)
    measured = [(inches, foe) for foe in foes if (inches := gap(unit, foe)) is not None]
    nearest = [Fire(unit=unit.id, target=foe.id) for _, foe in nsmallest(TRIED, measured, key=itemgetter(0))]
    found = [(plan, shot) for shot in nearest if (plan := FIRE.planned(state, shot)) is not None and plan.can_hit]
    for plan, shot in sorted(found, key=lambda pair: bool(pair[0].past)):
        yield FIRE.offer(state, shot, _shot_key(state, unit), FIRE.label(state, plan))
