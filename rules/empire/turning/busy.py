"""Who has anything to do in a phase: the others are taken to be through with it, and say nothing (BE-1)."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rules.core.action_type import ActionType
from rules.empire.conduct import critical
from rules.empire.conduct.testing import RALLY, TEST_CONDUCT
from rules.empire.fighting.melee import FIGHT
from rules.empire.firing.clearing import CLEAR
from rules.empire.firing.fire import FIRE
from rules.empire.model import GUNS, MACHINE_GUNS, EmpireState, EmpireUnit, Weapon
from rules.empire.phases import MOVEMENT, Phase

from . import bayonets, initiative


def busy(state: EmpireState, side: str) -> bool:
    """Whether the side has anything to do in the phase it is now."""
    return _BUSY[state.now](state, side)


def through(state: EmpireState) -> tuple[str, ...]:
    """Sides with nothing to do in the phase it is now; in movement it is the other's turn."""
    if state.now in MOVEMENT:
        return () if busy(state, state.active) else (state.active,)
    return tuple(side.id for side in state.sides if not busy(state, side.id))


def _may(state: EmpireState, side: str, *kinds: ActionType[EmpireState, Any, Any]) -> bool:
    """Whether the side may do anything of these kinds."""
    return any(True for kind in kinds for _ in kind.possible(state, side))


def _fires(
    state: EmpireState, side: str, units: Iterable[EmpireUnit], *kinds: ActionType[EmpireState, Any, Any]
) -> bool:
    """Whether a unit of these can fire at anything; where places are unknown the players know."""
    unmeasured = any(unit.place is None for unit in units)
    return unmeasured or _may(state, side, *kinds)


def _artillery(state: EmpireState, side: str) -> bool:
    guns = [unit for unit in state.fighters(side) if unit.weapon in GUNS and not unit.limbered]
    return bool(guns) and _fires(state, side, guns, FIRE)


def _rifles(state: EmpireState, side: str) -> bool:
    armed = (Weapon.RIFLES, *MACHINE_GUNS)
    units = [unit for unit in state.fighters(side) if unit.weapon in armed and not unit.limbered]
    return bool(units) and _fires(state, side, units, FIRE, CLEAR)


def _melee(state: EmpireState, side: str) -> bool:
    return _may(state, side, FIGHT)


_BUSY: Mapping[Phase, Callable[[EmpireState, str], bool]] = {
    Phase.REINFORCEMENTS: lambda _state, _side: False,
    Phase.BAYONETS: lambda state, side: state.options.fixing_bayonets and bool(bayonets.able(state, side)),
    Phase.INITIATIVE: lambda state, side: initiative.winner(state) == side,
    Phase.COMMANDERS: lambda state, side: any(unit.is_piece for unit in state.of_side(side)),
    Phase.UNITS: lambda state, side: bool(state.fighters(side)),
    Phase.EXPLOITATION: lambda state, side: _may(state, side, TEST_CONDUCT, RALLY),
    Phase.MARKERS: lambda _state, _side: False,
    Phase.ARTILLERY: _artillery,
    Phase.RIFLES: _rifles,
    Phase.MELEE: _melee,
    Phase.CRITICAL: lambda state, side: any(unit.side == side for unit in critical.exposed(state)),
}
