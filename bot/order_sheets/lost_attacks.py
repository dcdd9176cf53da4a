"""Warn of attacks that units can no longer make because of their orders."""

from collections.abc import Collection

from rules.core.legal_units import units_with_legal_action
from rules.core.model import UMPIRE
from rules.core.orders import kinds_for_orders
from rules.core.state import State
from rules.core.wording import as_words

from .preview import Prospect


def warn_of_lost_attacks(prospect: Prospect) -> tuple[str, ...]:
    """Return a warning for each attack that a unit can no longer make this turn because of its orders."""
    state = prospect.state
    ordered = {(unit, forecast.order.kind) for forecast in prospect.forecasts for unit in forecast.order.units}
    ordered_units = {unit for unit, _ in ordered if unit in state.units}
    lost = _possible_attacks(prospect, prospect.before, ordered_units) - ordered
    lost -= _possible_attacks(prospect, state, {unit for unit, _ in lost})
    warning_text = " ".join(warning for forecast in prospect.forecasts for warning in forecast.warnings)
    attacks = ((state.units[unit].name, kind) for unit, kind in sorted(lost))
    return tuple(f"{name} may then not {as_words(kind)}." for name, kind in attacks if name not in warning_text)


def _possible_attacks(prospect: Prospect, state: State, units: Collection[str]) -> set[tuple[str, str]]:
    """Return the attacks that these units can make, now or later in the turn: unit id and action kind."""
    if not units:
        return set()
    system, viewer = prospect.system, prospect.viewer
    kinds = [kind for kind in kinds_for_orders(system) if "target" in system.actions[kind].model_fields]
    phases, sides = system.phases, state.acting_sides if viewer == UMPIRE else (viewer,)
    tables = [state]
    if phases is not None:
        tables += (phases.suppose_phase(state, phase, side) for side in sides for phase in phases.later_phases(state))
    return {
        (unit, kind)
        for table in tables
        for kind in kinds
        for unit in units_with_legal_action(system, table, viewer, (kind,), units)
    }
