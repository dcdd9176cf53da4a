"""From one phase to the next in which anybody has anything to do, and what happens on the way (BE-1)."""

from rules.core.phases import Kind
from rules.core.play import Play
from rules.core.report import Step
from rules.core.wording import in_a_row
from rules.empire.armies.scenarios import RECKONING
from rules.empire.firing.targeting import MOVED_GUNS, NO_FIRE, a_move_costs_its_fire
from rules.empire.model import EmpireState, EmpireUnit, Health, ThisTurn
from rules.empire.phases import MOVEMENT, SEQUENCE, Phase, title
from rules.empire.tables import TABLES, row

from .sequence import PHASES, idle, now


def on(play: Play[EmpireState]) -> None:
    """Ends the phase, and goes on to the next that asks anything of anybody; those between are told in a line each.

    Where nobody has anything to do in a whole turn, it halts when the next has begun.
    """
    play.set(landed=())
    last = play.state.turn if now(play.state) is PHASES[0] else play.state.turn + 1
    _end(play)
    while RECKONING.ended(play.state) is None:
        before = play.state
        play.state, told = _following(before), len(play.report.steps)
        phase = now(play.state)
        if phase is not now(before):
            phase.on_begin(play)
        if play.state.turn > last:
            return
        resting = idle(play.state)
        if phase.kind is Kind.SEQUENTIAL and not resting:
            return
        if phase.kind is not Kind.SEQUENTIAL and len(resting) < len(play.state.sides):
            play.set(done=resting)
            return
        if len(play.report.steps) == told:
            play.say(_passed_over(play.state))
        _end(play)


def opened(state: EmpireState) -> EmpireState:
    """A game begins with bayonets: nobody arrives in its first turn."""
    state = state.model_copy(update={"phase": Phase.BAYONETS.value})
    return state.model_copy(update={"done": idle(state)})


def asks(state: EmpireState) -> str:
    """What the phase asks of whom, in words."""
    if state.over is not None or RECKONING.ended(state) is not None:
        return ""
    what = TABLES.charts["sequence"].cell(row("sequence", state.phase), "what it asks").text
    resting = [side.name for side in state.sides if side.id in state.done]
    return " ".join((what, *_of_guns(state), *((f"The {in_a_row(resting)} have nothing to do.",) if resting else ())))


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


def _has_more_to_move(state: EmpireState) -> bool:
    """Whether another side moves in this phase after the one that does now."""
    return now(state).kind is Kind.SEQUENTIAL and state.active != order_of_moving(state)[-1]


def _following(state: EmpireState) -> EmpireState:
    """The next phase, or in movement the next side; after the last phase the next turn."""
    order = order_of_moving(state)
    if _has_more_to_move(state):
        return state.model_copy(update={"active": order[order.index(state.active) + 1]})
    if now(state) is PHASES[-1]:
        return _next_turn(state)
    following = PHASES[PHASES.index(now(state)) + 1]
    return state.model_copy(update={"phase": following.id, "done": (), "active": order[0]})


def _next_turn(state: EmpireState) -> EmpireState:
    """What a turn remembers is cleared; commanders who were out come back; who was with the destroyed is free."""
    turn = state.turn + 1
    units = (_refreshed(state, unit, turn) for unit in state.units.values())
    update: dict[str, object] = {
        "turn": turn,
        "phase": PHASES[0].id,
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


def _end(play: Play[EmpireState]) -> None:
    """What happens by itself when a phase ends for all."""
    if not _has_more_to_move(play.state):
        now(play.state).on_end(play)
