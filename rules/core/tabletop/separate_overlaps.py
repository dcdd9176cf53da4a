"""Separate enemies that a secret set-up put on the same spot, when the battle begins (house)."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any, NamedTuple

from rules.core.report import Step
from rules.core.umpire import BY_UMPIRE

from . import markers, table
from .battle import S, TableState
from .clearance import move_back_until_clear
from .hidden_units import is_unit_hidden
from .ways import Ways


class Separation(NamedTuple):
    """A unit (by id) that was moved back, and the enemy (by id) that keeps its place."""

    unit: str
    enemy: str


def separate_enemies(ways: Ways[Any], state: S) -> tuple[S, tuple[Separation, ...]]:
    """Move overlapping enemies apart where possible. Return the state and each separation.

    A unit in ambush gives way to one that is not; otherwise the unit of the side that moves second gives way. Units
    under markers stay.
    """
    separations = []
    units = state.units.items()
    standing = [key for key, unit in units if unit.on_table and not markers.marker_over_unit(state, key)]
    for pair in combinations(standing, 2):
        if _has_overlap(ways, state, *pair):
            sides = {unit: state.units[unit].side for unit in pair}
            keeps, gives_way = sorted(pair, key=lambda unit: (is_unit_hidden(state, unit), sides[unit] != state.active))
            before, state = state, move_back_until_clear(ways, state, gives_way)
            separations += [Separation(gives_way, keeps)] if state is not before else []
    return state, tuple(separations)


def report_separations(state: TableState[Any], moved: Iterable[Separation]) -> tuple[Step, ...]:
    """Return a report step for each unit that was moved back.

    If this unit is in ambush, only its own side may read the step. If the enemy is in ambush, there is no step,
    because it would betray the ambush.
    """
    steps = []
    for separation in moved:
        unit, enemy = state.units[separation.unit], state.units[separation.enemy]
        text = f"{unit:are} set back to {unit.place.spot_in_words}, clear of {enemy.name}"
        if not is_unit_hidden(state, enemy.id):
            only_for = frozenset({unit.side}) if is_unit_hidden(state, unit.id) else None
            steps.append(Step(text=text, cite=BY_UMPIRE, verdict=text, only_for=only_for))
    return tuple(steps)


def _has_overlap(ways: Ways[Any], state: TableState[Any], first_id: str, second_id: str) -> bool:
    """Whether two units (by id) are enemies with overlapping bases, and both take ground."""
    first, second = state.units[first_id], state.units[second_id]
    if first.side == second.side or not (ways.takes_ground(first) and ways.takes_ground(second)):
        return False
    first_base, second_base = ways.placement.base(first), ways.placement.base(second)
    return first_base is not None and second_base is not None and table.are_overlapping(first_base, second_base)
