"""From one phase to the next in which anybody has anything to do, and what happens on the way (BE-1)."""

from collections.abc import Callable, Mapping

from rules.core.dice import Dice, NoDice
from rules.core.play import Play
from rules.core.report import Step
from rules.core.wording import in_a_row
from rules.empire.armies.victory import verdict
from rules.empire.conduct.instant import settle_dooms
from rules.empire.fighting.landing import land_blows, land_shots
from rules.empire.firing.after_moving import MOVED_GUNS, NO_FIRE, a_move_costs_its_fire
from rules.empire.model import EmpireState, EmpireUnit, Health, ThisTurn
from rules.empire.phases import MOVEMENT, SEQUENCE, Phase, title
from rules.empire.tables import TABLES, row

from . import arrivals, initiative, markers
from .busy import through

Steps = tuple[Step, ...]
Told = tuple[EmpireState, Steps]
PHASES = tuple(Phase)


def on(state: EmpireState, dice: Dice) -> Told:
    """Ends the phase, and goes on to the next that asks anything of anybody; those between are told in a line each.

    Where nobody has anything to do in a whole turn, it halts when the next has begun.
    """
    state = state.model_copy(update={"landed": ()})
    last = state.turn if state.now is PHASES[0] else state.turn + 1
    state, steps = _ended(state)
    while verdict(state) is None:
        state = _following(state)
        state, began = _begun(state, dice)
        steps += began
        if state.turn > last:
            return state, steps
        done = through(state)
        if state.now in MOVEMENT and not done:
            return state, steps
        if state.now not in MOVEMENT and len(done) < len(state.sides):
            return state.model_copy(update={"done": done}), steps
        if not began:
            steps += (_passed_over(state),)
        state, ended = _ended(state)
        steps += ended
    return state, steps


def opened(state: EmpireState) -> EmpireState:
    """A game begins with bayonets: nobody arrives in its first turn."""
    state = state.model_copy(update={"phase": Phase.BAYONETS.value})
    return state.model_copy(update={"done": through(state)})


def asks(state: EmpireState) -> str:
    """What the phase asks of whom, in words."""
    if state.over is not None or verdict(state) is not None:
        return ""
    what = TABLES.charts["sequence"].cell(row("sequence", state.phase), "what it asks").text
    idle = [side.name for side in state.sides if side.id in state.done]
    return " ".join((what, *_of_guns(state), *((f"The {in_a_row(idle)} have nothing to do.",) if idle else ())))


def _of_guns(state: EmpireState) -> tuple[str, ...]:
    """Before guns are moved: what it costs them (BE-3, house)."""
    guns = state.now is Phase.UNITS and any(a_move_costs_its_fire(state, u) for u in state.fighters(state.active))
    return (f"{NO_FIRE[0].upper()}{NO_FIRE[1:]} ({MOVED_GUNS}).",) if guns else ()


def _passed_over(state: EmpireState) -> Step:
    phase = title(state.now)
    who = f"the {state.side(state.active).name} have nothing" if state.now in MOVEMENT else "nobody has anything"
    return Step(text=f"{phase[0].upper()}{phase[1:]}: {who} to do", cite=SEQUENCE)


def order_of_moving(state: EmpireState) -> tuple[str, ...]:
    """Sides in the order in which they move this turn."""
    sides = [side.id for side in state.sides]
    return tuple(sorted(sides, key=lambda side: side != state.first))


def _following(state: EmpireState) -> EmpireState:
    """The next phase, or in movement the next side; after the last phase the next turn."""
    order = order_of_moving(state)
    if state.now in MOVEMENT and state.active != order[-1]:
        return state.model_copy(update={"active": order[order.index(state.active) + 1]})
    if state.now is PHASES[-1]:
        return _next_turn(state)
    following = PHASES[PHASES.index(state.now) + 1]
    return state.model_copy(update={"phase": following.value, "done": (), "active": order[0]})


def _next_turn(state: EmpireState) -> EmpireState:
    """What a turn remembers is cleared; commanders who were out come back; who was with the destroyed is free."""
    turn = state.turn + 1
    units = (_refreshed(state, unit, turn) for unit in state.units.values())
    update: dict[str, object] = {
        "turn": turn,
        "phase": PHASES[0].value,
        "done": (),
        "initiative": {},
        "active": state.first,
    }
    return state.with_unit(*units).model_copy(update=update)


def _refreshed(state: EmpireState, unit: EmpireUnit, turn: int) -> EmpireUnit:
    update: dict[str, object] = {"this_turn": ThisTurn()}
    if unit.health is Health.OUT and unit.out_until < turn:
        update["health"] = Health.WELL
    with_unit = state.units.get(unit.attached_to or "")
    if with_unit is None or with_unit.destroyed or unit.health is Health.KILLED:
        update["attached_to"] = None
    return unit.model_copy(update=update)


def _begun(state: EmpireState, dice: Dice) -> Told:
    """What happens by itself when a phase begins."""
    if state.now is Phase.REINFORCEMENTS:
        return arrivals.arrive(state, dice)
    if state.now is Phase.INITIATIVE:
        return initiative.throw(state, dice)
    if state.now is Phase.MARKERS:
        return markers.off(state)
    return state, ()


_AT_THE_END: Mapping[Phase, Callable[[Play[EmpireState]], None]] = {
    Phase.UNITS: settle_dooms,
    Phase.ARTILLERY: land_shots,
    Phase.RIFLES: land_shots,
    Phase.MELEE: land_blows,
}


def _ended(state: EmpireState) -> Told:
    """What happens by itself when a phase ends for all."""
    still_moving = state.now in MOVEMENT and state.active != order_of_moving(state)[-1]
    ends = None if still_moving else _AT_THE_END.get(state.now)
    play = Play(state, NoDice())
    if ends is not None:
        ends(play)
    return play.state, play.report.steps
