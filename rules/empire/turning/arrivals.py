"""Reinforcements: a D6 each, from the turn the scenario names, thrown when phase 1 begins (BE-1, house)."""

from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.core.tabletop import table
from rules.core.tabletop.battle import Place
from rules.core.throws import Against
from rules.core.wording import percent
from rules.empire.model import EmpireState, EmpireUnit, Reserve
from rules.empire.placement import base, base_at

ARRIVALS = Cite(rule="BE-1", mark=Mark.HOUSE)
SIDES = 6
BESIDE = 1.0
"""Inches between the points tried beside the one where a reinforcement should come on."""


def due(state: EmpireState) -> tuple[EmpireUnit, ...]:
    """Reinforcements that may arrive this turn. A piece with a unit still to arrive comes on with it."""
    waiting = (unit for unit in state.units.values() if unit.reserve is not None and not unit.destroyed)
    return tuple(unit for unit in waiting if unit.reserve and unit.reserve.turn <= state.turn and not unit.attached_to)


def arrive(play: Play[EmpireState]) -> None:
    """Throws for each reinforcement that is due, and brings on those that come."""
    for unit in due(play.state):
        assert unit.reserve is not None
        if not play.state.options.reinforcements_by_dice:
            play.say(Step(text=unit.name, cite=ARRIVALS, verdict="arrives"))
        elif not _comes(play, unit, unit.reserve):
            continue
        play.state = _brought_on(play.state, unit, unit.reserve)


def _comes(play: Play[EmpireState], unit: EmpireUnit, reserve: Reserve) -> bool:
    """Throws for it, and tells it."""
    test = arrival(reserve)
    throw = play.throw(test.dice, test.sides, f"{unit.name} arrives", side=unit.side)
    comes = test.passes(throw)
    on = f" on {reserve.score} or more ({percent(test.chance)})" if reserve.score > 1 else ""
    verdict = "arrives" if comes else "does not arrive yet"
    play.say(Step(text=f"{unit.name} arrives{on}", cite=ARRIVALS, throws=(throw,), verdict=verdict))
    return comes


def arrival(reserve: Reserve) -> Against:
    """The D6 by which it arrives when it is thrown for."""
    return Against(1, SIDES, reserve.score)


def _brought_on(state: EmpireState, unit: EmpireUnit, reserve: Reserve) -> EmpireState:
    """At its point of the table, or beside it where there is room; without places it is simply there."""
    here = _room(state, unit, reserve) if _places_are_kept(state) else None
    there = unit.model_copy(update={"reserve": None, "place": here})
    with_it = (
        piece.model_copy(update={"reserve": None, "place": here})
        for piece in state.units.values()
        if piece.attached_to == unit.id and piece.reserve is not None
    )
    return state.with_unit(there, *with_it)


def _places_are_kept(state: EmpireState) -> bool:
    standing = [unit for unit in state.units.values() if unit.on_table]
    return any(unit.place is not None for unit in standing) or not standing


def _room(state: EmpireState, unit: EmpireUnit, reserve: Reserve) -> Place:
    """The nearest point beside the one named where it stands on nobody, along the edge it comes on by."""
    others = [there for other in state.units.values() if other.on_table and (there := base(other))]
    wanted = Place(x=reserve.x, y=reserve.y, facing=reserve.facing)
    aside = [step * way * BESIDE for step in range(int(state.width)) for way in (1, -1)]
    along = (
        wanted.model_copy(update=dict(zip("xy", table.shifted(wanted.point, wanted.facing + 90, run), strict=True)))
        for run in aside
    )
    for place in along:
        stood = base_at(unit, place)
        if table.on_table(stood, state.width, state.height) and not any(table.overlapping(stood, o) for o in others):
            return place
    return wanted
