"""The phases of a turn: who has anything to do in each, and what happens by itself (BE-1).

Who has nothing to do is taken to be through with the phase, and says nothing.
"""

from collections.abc import Callable
from typing import Any

from rules.core import phases
from rules.core.action_type import ActionType
from rules.core.phases import Kind
from rules.empire.conduct import critical
from rules.empire.conduct.fate import settle_dooms
from rules.empire.conduct.testing import RALLY, TEST_CONDUCT
from rules.empire.fighting.landing import land_blows, land_shots
from rules.empire.fighting.melee import FIGHT
from rules.empire.firing.fire import FIRE
from rules.empire.firing.jams import CLEAR
from rules.empire.model import GUNS, MACHINE_GUNS, EmpireState, Weapon
from rules.empire.phases import Phase, kind, title

from . import arrivals, bayonets, initiative, markers

HasToDo = Callable[[EmpireState, str], bool]


def _may(*kinds: ActionType[EmpireState, Any, Any]) -> HasToDo:
    """Whether the side may do anything of these kinds."""
    return lambda state, side: any(True for one in kinds for _ in one.possible(state, side))


def _fires(weapons: tuple[Weapon, ...], *kinds: ActionType[EmpireState, Any, Any]) -> HasToDo:
    """Whether a unit of such arms can fire at anything; where places are unknown the players know."""
    may = _may(*kinds)

    def can(state: EmpireState, side: str) -> bool:
        units = [unit for unit in state.fighters(side) if unit.weapon in weapons and not unit.limbered]
        return bool(units) and (any(unit.place is None for unit in units) or may(state, side))

    return can


def _phase(phase: Phase, **more: Any) -> phases.Phase[EmpireState]:
    return phases.Phase(phase.value, title(phase), kind(phase), **more)


PHASES = (
    _phase(Phase.REINFORCEMENTS, on_begin=arrivals.arrive),
    _phase(Phase.BAYONETS, has_to_do=lambda state, side: bool(bayonets.able(state, side))),
    _phase(
        Phase.INITIATIVE,
        on_begin=initiative.throw,
        has_to_do=lambda state, side: initiative.winner(state) == side,
    ),
    _phase(Phase.COMMANDERS, has_to_do=lambda state, side: any(unit.is_piece for unit in state.of_side(side))),
    _phase(Phase.UNITS, on_end=settle_dooms, has_to_do=lambda state, side: bool(state.fighters(side))),
    _phase(Phase.EXPLOITATION, has_to_do=_may(TEST_CONDUCT, RALLY)),
    _phase(Phase.MARKERS, on_begin=markers.off),
    _phase(Phase.ARTILLERY, on_end=land_shots, has_to_do=_fires(GUNS, FIRE)),
    _phase(Phase.RIFLES, on_end=land_shots, has_to_do=_fires((Weapon.RIFLES, *MACHINE_GUNS), FIRE, CLEAR)),
    _phase(Phase.MELEE, on_end=land_blows, has_to_do=_may(FIGHT)),
    _phase(
        Phase.CRITICAL,
        has_to_do=lambda state, side: any(unit.side == side for unit in critical.exposed(state)),
    ),
)
"""In the order of a turn."""
BY_ID = {phase.id: phase for phase in PHASES}


def now(state: EmpireState) -> phases.Phase[EmpireState]:
    """The phase it is."""
    return BY_ID[state.phase]


def idle(state: EmpireState) -> tuple[str, ...]:
    """Sides with nothing to do in the phase it is now; of a phase of one side after the other, that of whose turn."""
    phase = now(state)
    moving = phase.kind is Kind.SEQUENTIAL
    return phase.idle(state, (state.active,) if moving else (side.id for side in state.sides))
