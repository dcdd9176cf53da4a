"""Find the units that may take actions of some kinds, and these actions."""

from collections.abc import Collection, Iterable

from .model import Viewer
from .ruleset import Ruleset
from .state import Action, S


def units_with_legal_action(
    system: Ruleset[S],
    state: S,
    side: Viewer,
    kinds: Iterable[str],
    units: Collection[str],
    *,
    unmeasured: bool = False,
) -> set[str]:
    """Return those of `units` (ids) that may now take an action of one of `kinds`.

    With `unmeasured`, return instead the units with an action that lacks only a measurement.
    """
    unable, find_actions = set(units), system.unmeasured_actions if unmeasured else system.legal_actions
    for kind in kinds if unable else ():
        if system.can_list_by_unit(kind):
            present = [unit for unit in unable if unit in state.units]
            unable.difference_update(u for u in present if any(True for _ in find_actions(state, side, kind, u)))
        else:
            unable.difference_update(action.unit for action in find_actions(state, side, kind) if action.unit)
    return {*units} - unable


def legal_actions_of_units(
    system: Ruleset[S],
    state: S,
    side: Viewer,
    kinds: Iterable[str],
    units: Collection[str],
    *,
    unmeasured: bool = False,
) -> Iterable[Action]:
    """Yield the legal actions of `units` (ids) or, with `unmeasured`, the actions that lack only a measurement."""
    find_actions = system.unmeasured_actions if unmeasured else system.legal_actions
    for kind in kinds if units else ():
        if system.can_list_by_unit(kind):
            for unit in units:
                yield from find_actions(state, side, kind, unit) if unit in state.units else ()
        else:
            yield from (action for action in find_actions(state, side, kind) if action.unit in units)
