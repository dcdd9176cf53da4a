"""Shots that may be fired, how many dice a machine gun throws, and jams that may be cleared (BE-3, BE-4)."""

from collections.abc import Iterable
from heapq import nsmallest
from itertools import islice
from operator import itemgetter

from rules.core.model import UMPIRE, Cite
from rules.core.report import Offer, Prompt
from rules.core.wording import percent
from rules.empire.model import Burst, EmpireState, EmpireUnit
from rules.empire.phases import Phase
from rules.empire.placement import gap

from . import fire_odds
from .aiming import Aimed, Fire, aim
from .batteries import guns_firing
from .clearing import CLEAR, Clear
from .fire import can_fire, can_hit, with_each_number
from .machine_guns import CHOSEN, choice_words, jam_chance, question
from .ranges import rule_of

TRIED, OFFERED = 3, 2
"""Nearest enemies that a unit is tried against, and buttons it has at the most."""
MANY = 6
"""Units firing in a turn above which each has one button."""


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """The choice of dice for each machine gun that has taken aim, then the jams that may be cleared."""
    for burst in state.bursts:
        orders = with_each_number(state, burst)
        if orders:
            yield _how_many_dice(state, burst, orders)
    for order in CLEAR.possible(state, UMPIRE):
        yield _jam(state, order)


def _how_many_dice(state: EmpireState, burst: Burst, orders: tuple[Fire, ...]) -> Prompt:
    unit, target = state.unit(burst.unit), state.unit(burst.target)
    key = f"burst:{unit.id}:{target.id}:{state.turn}"
    return Prompt(
        key=key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} fires at {target.name}: {question(guns_firing(state, unit))}",
        cite=CHOSEN,
        offers=tuple(
            Offer(label=_label(state, order), kind=Fire.kind, args=_args(order), side=unit.side, key=key)
            for order in orders
        ),
    )


def _label(state: EmpireState, order: Fire) -> str:
    """`3 dice: jams 33.3%`."""
    aimed = aim(state, order)
    volley = aimed.volley
    jams = jam_chance(state, aimed.unit, volley.chosen_each, volley.left_each)
    return choice_words(volley.chosen_each, jams, volley.guns)


def _args(order: Fire) -> dict[str, object]:
    given: dict[str, object] = {
        "unit": order.unit,
        "target": order.target,
        "range": order.range,
        "dice": order.dice,
        "with": order.circumstances or None,
    }
    return {name: what for name, what in given.items() if what is not None}


def _jam(state: EmpireState, order: Clear) -> Prompt:
    unit = state.unit(order.unit or "")
    key = f"clear:{unit.id}:{state.turn}"
    label = CLEAR.label(state, CLEAR.plan(state, order))
    return Prompt(
        key=key,
        unit=unit.id,
        side=unit.side,
        text=f"{unit.name} is jammed: one attempt to clear it this turn",
        cite=Cite(rule="BE-4"),
        offers=(Offer(label=label, kind=Clear.kind, args={"unit": unit.id}, side=unit.side, key=key),),
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
    key = _shot_key(state, unit)
    foes = (foe for foe in state.enemies(unit.side) if not foe.is_piece)
    measured = [(inches, foe) for foe in foes if (inches := gap(unit, foe)) is not None]
    orders = [Fire(unit=unit.id, target=foe.id) for _, foe in nsmallest(TRIED, measured, key=itemgetter(0))]
    found = [(aimed, order) for order in orders if (aimed := can_hit(state, order)) is not None]
    for aimed, order in sorted(found, key=lambda pair: bool(pair[0].past)):
        yield Offer(label=_shot_label(state, aimed), kind=Fire.kind, args=_args(order), side=unit.side, key=key)


def _shot_label(state: EmpireState, aimed: Aimed) -> str:
    """`Fire at TARGET: 80.2% to hit`; of a machine gun, whose dice are chosen next, `Aim at TARGET`."""
    past = " past friends" if aimed.past else ""
    if aimed.open:
        return f"Aim{past} at {aimed.target.name}"
    return f"Fire{past} at {aimed.target.name}: {percent(fire_odds.at_all(fire_odds.hits(state, aimed)))} to hit"
