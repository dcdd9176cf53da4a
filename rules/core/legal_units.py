"""Find the units that may take actions of some kinds, and these actions."""

from collections.abc import Collection, Iterable

from .model import Viewer
from .ruleset import Ruleset
from .state import Action, S


def able_units(
    system: Ruleset[S],
    state: S,
    side: Viewer,
    kinds: Iterable[str],
    units: Collection[str],
    *,
    lacking: bool = False,
) -> set[str]:
    """Return those of `units` (ids) that may take any action of these kinds.

    Stop after the first action found for each unit, if the type finds one unit's actions without a full search. With
    `lacking`, return units that may act once people give a measurement.
    """
    unable, find_actions = set(units), system.actions_to_measure if lacking else system.legal
    for kind in kinds if unable else ():
        if system.finds_unit(kind):
            present = [unit for unit in unable if unit in state.units]
            unable.difference_update(u for u in present if any(True for _ in find_actions(state, side, kind, u)))
        else:
            unable.difference_update(action.unit for action in find_actions(state, side, kind) if action.unit)
    return {*units} - unable


def actions_of(
    system: Ruleset[S],
    state: S,
    side: Viewer,
    kinds: Iterable[str],
    units: Collection[str],
    *,
    lacking: bool = False,
) -> Iterable[Action]:
    """Yield the actions of these kinds that `units` (ids) may take now.

    With `lacking`, yield actions that they may take once people give a measurement.
    """
    find_actions = system.actions_to_measure if lacking else system.legal
    for kind in kinds if units else ():
        if system.finds_unit(kind):
            for unit in units:
                yield from find_actions(state, side, kind, unit) if unit in state.units else ()
        else:
            yield from (action for action in find_actions(state, side, kind) if action.unit in units)
