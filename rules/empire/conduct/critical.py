"""Critical hits: 2D6 for commanders, leaders and mules with a unit that was hit hard (BE-7)."""

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import ClassVar

from rules.core.action_type import Deed
from rules.core.dice import Dice
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.report import Report, Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.empire.model import COMMANDERS, Arm, EmpireState, EmpireUnit, Health
from rules.empire.orders import find, in_phase, remembering
from rules.empire.phases import Phase
from rules.empire.tables import TABLES

CRITICAL = Cite(rule="BE-7")
EXPOSED = Cite(rule="BE-7", mark=Mark.RULING)
DICE, SIDES = 2, 6
ENDS = {
    Health.WELL: "{name} is unhurt.",
    Health.OUT: "{name} is out until the end of turn {turn}.",
    Health.KILLED: "{name} is killed.",
}


class Critical(Action):
    """What becomes of a commander, leader or mules with a unit that took a kill this turn."""

    kind: ClassVar[str] = "critical"


def end_on(score: int) -> Health:
    """What 2D6 bring (BE-7)."""
    chart = TABLES.charts["critical-hits"]
    return Health(chart.band(score).cells[0].text)


def spread() -> tuple[tuple[int, Fraction], ...]:
    """The chance of every total of 2D6."""
    faces = range(1, SIDES + 1)
    totals = [sum(fallen) for fallen in product(faces, repeat=DICE)]
    return tuple((total, Fraction(totals.count(total), len(totals))) for total in sorted({*totals}))


def chances() -> dict[Health, Fraction]:
    """The chance of every end."""
    return {
        health: sum((chance for total, chance in spread() if end_on(total) is health), Fraction(0)) for health in ENDS
    }


def take(state: EmpireState, action: Critical, dice: Dice) -> tuple[EmpireState, Report]:
    """Throws it. Raises Refused for who is not exposed, or has been thrown for."""
    piece = _asked(state, action)
    thrown = dice.throw(DICE, SIDES, f"{piece.name}: critical hit", side=piece.side)
    health = end_on(thrown.total)
    until = {"out_until": state.turn + 1} if health is Health.OUT else {}
    change = {} if health is Health.WELL else {"health": health, **until}
    after = remembering(piece.model_copy(update=change), critical_thrown=True)
    report = Report(
        headline=f"{piece.name}: critical hit.",
        side=piece.side,
        steps=(
            Step(text=_exposure(state, piece), cite=EXPOSED, throws=(thrown,), start=Fraction(thrown.total)),
            *_steps(health),
        ),
        outcome=ENDS[health].format(name=piece.name, turn=state.turn + 1),
        units=(piece.id,),
    )
    return state.with_unit(after), report


def _steps(read: Health | None = None) -> Iterable[Step]:
    """Each end with its scores and chance, the one that was read marked."""
    chart = TABLES.charts["critical-hits"]
    for health, chance in chances().items():
        scores = " and ".join(row.label for row in chart.rows if row.cells[0].text == health)
        yield Step(
            text=f"{scores}: {health}", cite=CRITICAL, chance=chance, verdict="this is read" if health is read else ""
        )


def _exposure(state: EmpireState, piece: EmpireUnit) -> str:
    unit = state.unit(piece.attached_to or "")
    return f"{piece.name} is with {unit.name}" + (", which took a kill this turn" if unit.this_turn.kills else "")


def odds(state: EmpireState, action: Critical) -> Odds:
    """The exact chances. Raises Refused as `take`."""
    piece = _asked(state, action)
    return Odds(
        question=f"{piece.name}: critical hit",
        steps=(Step(text=_exposure(state, piece), cite=EXPOSED), *_steps()),
        outcomes=tuple(
            Outcome(label=health.value, chance=chance, good=health is Health.WELL)
            for health, chance in chances().items()
        ),
        spread=spread(),
        spread_of="2D6",
    )


def exposable(state: EmpireState, piece: EmpireUnit) -> bool:
    """Commanders, leaders and mules; wagons by option (BE-7, ruling)."""
    wagon = piece.arm is Arm.WAGON and state.options.wagons_exposed
    return piece.arm in (*COMMANDERS, Arm.MULES) or wagon


def is_exposed(state: EmpireState, piece: EmpireUnit) -> bool:
    """Whether it is with a unit that took a kill this turn, or was destroyed in it (BE-7, ruling)."""
    unit = state.units.get(piece.attached_to or "")
    if unit is None or not piece.on_table or not exposable(state, piece):
        return False
    return unit.this_turn.kills > 0 or unit.destroyed or not state.options.exposed_by_kills


def exposed(state: EmpireState) -> tuple[EmpireUnit, ...]:
    """All who are exposed and have not been thrown for this turn."""
    return tuple(
        each for each in state.units.values() if is_exposed(state, each) and not each.this_turn.critical_thrown
    )


def _asked(state: EmpireState, action: Critical) -> EmpireUnit:
    """The piece thrown for. Raises Refused."""
    piece = find(state, action.unit, "commander or mules")
    if not exposable(state, piece):
        raise Refused(f"{piece.name}: critical hits are thrown for commanders, leaders and mules alone.", EXPOSED)
    if state.now is not Phase.CRITICAL:
        in_phase(state, piece, Phase.CRITICAL)
    if piece.this_turn.critical_thrown:
        raise Refused(
            f"{piece.name} has been thrown for this turn: {piece.health.value}. /turn next goes on.", CRITICAL
        )
    if not is_exposed(state, piece):
        who = "a unit that took a kill this turn" if state.options.exposed_by_kills else "a unit"
        raise Refused(f"{piece.name} is not exposed, not being with {who}. No throw is needed.", EXPOSED)
    in_phase(state, piece, Phase.CRITICAL)
    return piece


def legal(state: EmpireState, side: Viewer) -> Iterable[Critical]:
    """For each who is exposed."""
    if state.now is Phase.CRITICAL:
        for piece in exposed(state):
            if piece.side in state.acting and side in (piece.side, UMPIRE):
                yield Critical(unit=piece.id)


DEED: Deed[EmpireState] = Deed(Critical, take, odds, legal)
