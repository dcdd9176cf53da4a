"""The phases of a turn: who has anything to do in each, what happens by itself, and from one to the next (BE-1).

Who has nothing to do is taken to be through with the phase, and says nothing.
"""

from collections.abc import Callable, Mapping
from typing import Any

from rules.core.action_type import ActionType
from rules.core.play import Play
from rules.core.wording import in_a_row
from rules.empire.armies.scenarios import RECKONING
from rules.empire.conduct.critical import HIT
from rules.empire.conduct.fate import settle_dooms
from rules.empire.conduct.testing import RALLY, TEST_CONDUCT
from rules.empire.fighting.landing import land_blows, land_shots
from rules.empire.fighting.melee import FIGHT
from rules.empire.firing.fire import FIRE
from rules.empire.firing.jams import CLEAR
from rules.empire.firing.targeting import MOVED_GUNS, NO_FIRE, a_move_costs_its_fire
from rules.empire.model import GUNS, MACHINE_GUNS, EmpireState, EmpireUnit, Health, ThisTurn, Weapon
from rules.empire.phases import MOVEMENT, SEQUENCE, Phase, title
from rules.empire.tables import TABLES

from .bayonets import FIX
from .by_itself import arrive, markers_off, throw_initiative, winner

PHASES = tuple(Phase)
BEGINS: Mapping[Phase, Callable[[Play[EmpireState]], None]] = {
    Phase.REINFORCEMENTS: arrive,
    Phase.INITIATIVE: throw_initiative,
    Phase.MARKERS: markers_off,
}
ENDS: Mapping[Phase, Callable[[Play[EmpireState]], None]] = {
    Phase.UNITS: settle_dooms,
    Phase.ARTILLERY: land_shots,
    Phase.RIFLES: land_shots,
    Phase.MELEE: land_blows,
}
"""What happens by itself when a phase begins, and when it ends for all."""
KINDS: Mapping[Phase, tuple[ActionType[EmpireState, Any, Any], ...]] = {
    Phase.BAYONETS: (FIX,),
    Phase.EXPLOITATION: (TEST_CONDUCT, RALLY),
    Phase.ARTILLERY: (FIRE,),
    Phase.RIFLES: (FIRE, CLEAR),
    Phase.MELEE: (FIGHT,),
    Phase.CRITICAL: (HIT,),
}
"""Kinds of action of which a side has to be able to do one, to have anything to do in a phase."""
FIRING = {Phase.ARTILLERY: GUNS, Phase.RIFLES: (Weapon.RIFLES, *MACHINE_GUNS)}


def _has_to_do(state: EmpireState, side: str) -> bool:
    """Whether the side has anything to do in the phase; whom it may fire at without places the players know."""
    if state.now is Phase.INITIATIVE:
        return winner(state) == side
    if state.now is Phase.COMMANDERS:
        return any(unit.is_piece for unit in state.of_side(side))
    if state.now is Phase.UNITS:
        return bool(state.fighters(side))
    if state.now in FIRING:
        able = [each for each in state.fighters(side) if each.weapon in FIRING[state.now] and not each.limbered]
        if not able or any(each.place is None for each in able):
            return bool(able)
    return any(True for kind in KINDS.get(state.now, ()) for _ in kind.possible(state, side))


def idle(state: EmpireState) -> tuple[str, ...]:
    """Sides with nothing to do in the phase it is now; of a phase of one side after the other, that of whose turn."""
    sides = [state.active] if state.now in MOVEMENT else [side.id for side in state.sides]
    return tuple(side for side in sides if not _has_to_do(state, side))


def on(play: Play[EmpireState]) -> None:
    """Ends the phase, and goes on to the next that asks anything of anybody; those between are told in a line each.

    Where nobody has anything to do in a whole turn, it halts when the next has begun.
    """
    play.set(landed=())
    last = play.state.turn + (play.state.now is not PHASES[0])
    _end(play)
    while RECKONING.ended(play.state) is None:
        before, told = play.state.now, play.said
        play.state = _following(play.state)
        state = play.state
        if state.now is not before and state.now in BEGINS:
            BEGINS[state.now](play)
        if state.turn > last:
            return
        resting = idle(play.state)
        if len(resting) < (1 if state.now in MOVEMENT else len(state.sides)):
            play.set(done=resting)
            return
        if play.said == told:
            whose = (
                f"the {state.side(state.active).name} have nothing" if state.now in MOVEMENT else "nobody has anything"
            )
            play.note(f"Phase {title(state.now)[6:]}: {whose} to do", SEQUENCE)
        _end(play)


def opened(state: EmpireState) -> EmpireState:
    """A game begins with bayonets: nobody arrives in its first turn."""
    state = state.model_copy(update={"phase": Phase.BAYONETS.value})
    return state.model_copy(update={"done": idle(state)})


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


def _still_to_move(state: EmpireState) -> list[str]:
    """Sides that move in this phase after the one that does now."""
    order = _order(state)
    return order[order.index(state.active) + 1 :] if state.now in MOVEMENT else []


def _order(state: EmpireState) -> list[str]:
    """Sides in the order in which they move this turn."""
    return sorted((side.id for side in state.sides), key=lambda side: side != state.first)


def _end(play: Play[EmpireState]) -> None:
    """What happens by itself when a phase ends for all."""
    if play.state.now in ENDS and not _still_to_move(play.state):
        ENDS[play.state.now](play)


def _following(state: EmpireState) -> EmpireState:
    """The next phase, or in movement the next side; after the last phase the next turn."""
    to_move = _still_to_move(state)
    if to_move:
        return state.model_copy(update={"active": to_move[0]})
    if state.now is PHASES[-1]:
        return _next_turn(state)
    following = PHASES[PHASES.index(state.now) + 1]
    return state.model_copy(update={"phase": following.value, "done": (), "active": _order(state)[0]})


def _next_turn(state: EmpireState) -> EmpireState:
    """What a turn remembers is cleared; commanders who were out come back; who was with the destroyed is free."""
    units = (_refreshed(state, unit) for unit in state.units.values())
    new = {"phase": PHASES[0].value, "done": (), "initiative": dict[str, int](), "active": state.first}
    return state.with_unit(*units).model_copy(update={"turn": state.turn + 1, **new})


def _refreshed(state: EmpireState, unit: EmpireUnit) -> EmpireUnit:
    back = unit.health is Health.OUT and unit.out_until <= state.turn
    with_unit = state.units.get(unit.attached_to or "")
    stays = with_unit is not None and not with_unit.destroyed and unit.health is not Health.KILLED
    health, attached_to = Health.WELL if back else unit.health, unit.attached_to if stays else None
    return unit.model_copy(update={"this_turn": ThisTurn(), "health": health, "attached_to": attached_to})
