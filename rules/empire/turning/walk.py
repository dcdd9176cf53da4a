"""The phases of a turn: who has anything to do in each (others are through by themselves), and what happens (BE-1)."""

from collections.abc import Callable
from typing import Any

from rules.core import phases
from rules.core.action_type import ActionType
from rules.core.phases import Kind
from rules.core.play import Play
from rules.core.wording import in_a_row
from rules.empire.armies.scenarios import RECKONING
from rules.empire.conduct.critical import HIT
from rules.empire.conduct.fate import settle_dooms
from rules.empire.conduct.testing import RALLY, TEST_CONDUCT
from rules.empire.fighting.effects import land_blows, land_shots
from rules.empire.fighting.melee import FIGHT
from rules.empire.firing.fire import FIRE
from rules.empire.firing.jams import CLEAR
from rules.empire.firing.targeting import MOVED_GUNS, NO_FIRE, a_move_costs_its_fire
from rules.empire.model import GUNS, MACHINE_GUNS, EmpireState, EmpireUnit, Health, ThisTurn, Weapon
from rules.empire.phases import MOVEMENT, SEQUENCE, Phase, title
from rules.empire.tables import TABLES

from .bayonets import FIX
from .by_itself import arrive, markers_off, throw_initiative, winner

HasToDo = Callable[[EmpireState, str], bool]
FIRERS = {Phase.ARTILLERY: GUNS, Phase.RIFLES: (Weapon.RIFLES, *MACHINE_GUNS)}


def _may(*kinds: ActionType[EmpireState, Any, Any]) -> HasToDo:
    """Whether the side may do anything of these kinds."""
    return lambda state, side: any(True for one in kinds for _ in one.possible(state, side))


def _may_fire(state: EmpireState, side: str) -> bool:
    """Whether it has arms of the phase that may fire, or be cleared; at whom without places the players know."""
    able = [each for each in state.fighters(side) if each.weapon in FIRERS[state.now] and not each.limbered]
    return bool(able) and (any(each.place is None for each in able) or _may(FIRE, CLEAR)(state, side))


def _order(state: EmpireState) -> list[str]:
    """Sides in the order in which they move this turn."""
    return sorted((side.id for side in state.sides), key=lambda side: side != state.first)


def _next_turn(state: EmpireState) -> EmpireState:
    """What a turn remembers is cleared; commanders who were out come back; who was with the destroyed is free."""
    units = (_refreshed(state, unit) for unit in state.units.values())
    return state.with_unit(*units).model_copy(update={"initiative": {}})


def _refreshed(state: EmpireState, unit: EmpireUnit) -> EmpireUnit:
    back = unit.health is Health.OUT and unit.out_until <= state.turn
    with_unit = state.units.get(unit.attached_to or "")
    stays = with_unit is not None and not with_unit.destroyed and unit.health is not Health.KILLED
    health, attached_to = Health.WELL if back else unit.health, unit.attached_to if stays else None
    return unit.model_copy(update={"this_turn": ThisTurn(), "health": health, "attached_to": attached_to})


def _phase(phase: Phase, **more: Any) -> phases.Phase[EmpireState]:
    together = Kind.SIMULTANEOUS if "has_to_do" in more else Kind.AUTOMATIC
    return phases.Phase(phase.value, title(phase), Kind.SEQUENTIAL if phase in MOVEMENT else together, **more)


PHASES = phases.Phases(
    (
        _phase(Phase.REINFORCEMENTS, on_begin=arrive),
        _phase(Phase.BAYONETS, has_to_do=_may(FIX)),
        _phase(Phase.INITIATIVE, has_to_do=lambda state, side: winner(state) == side, on_begin=throw_initiative),
        _phase(Phase.COMMANDERS, has_to_do=lambda state, side: any(unit.is_piece for unit in state.of_side(side))),
        _phase(Phase.UNITS, has_to_do=lambda state, side: bool(state.fighters(side)), on_end=settle_dooms),
        _phase(Phase.EXPLOITATION, has_to_do=_may(TEST_CONDUCT, RALLY)),
        _phase(Phase.MARKERS, on_begin=markers_off),
        _phase(Phase.ARTILLERY, has_to_do=_may_fire, on_end=land_shots),
        _phase(Phase.RIFLES, has_to_do=_may_fire, on_end=land_shots),
        _phase(Phase.MELEE, has_to_do=_may(FIGHT), on_end=land_blows),
        _phase(Phase.CRITICAL, has_to_do=_may(HIT)),
    ),
    _order,
    _next_turn,
    RECKONING.ended,
    SEQUENCE,
)


def on(play: Play[EmpireState]) -> None:
    """Ends the phase, and goes on to the next that asks anything of anybody."""
    play.set(landed=())
    PHASES.go_on(play)


def opened(state: EmpireState) -> EmpireState:
    """A game begins with bayonets: nobody arrives in its first turn."""
    state = state.model_copy(update={"phase": Phase.BAYONETS.value})
    return state.model_copy(update={"done": PHASES.idle(state)})


def asks(state: EmpireState) -> str:
    """What the phase asks of whom, in words, and before guns are moved what it costs them (BE-3, house)."""
    if state.over is not None or RECKONING.ended(state) is not None:
        return ""
    sequence = TABLES.charts["sequence"]
    told = [sequence.cell(sequence.row(state.phase), "what it asks").text]
    if state.now is Phase.UNITS and any(a_move_costs_its_fire(state, each) for each in state.fighters(state.active)):
        told.append(f"{NO_FIRE[0].upper()}{NO_FIRE[1:]} ({MOVED_GUNS}).")
    if state.done:
        told.append(f"The {in_a_row(side.name for side in state.sides if side.id in state.done)} have nothing to do.")
    return " ".join(told)
