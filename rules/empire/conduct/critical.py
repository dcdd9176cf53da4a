"""Critical hits: 2D6 for commanders, leaders and mules with a unit that was hit hard (BE-7)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from rules.core.action_type import ActionType
from rules.core.asking import only
from rules.core.model import UMPIRE, Cite, Mark, Viewer
from rules.core.odds import Odds, Outcome
from rules.core.play import Play
from rules.core.report import Step
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.throws import sums
from rules.core.wording import percent
from rules.empire.armies.troops import troop_of
from rules.empire.asked import OURS, fighter, throwaway
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
UNIT, PIECE = "unit", "piece"


class Critical(Action):
    """What becomes of a commander, leader or mules with a unit that took a kill this turn."""

    kind: ClassVar[str] = "critical"


@dataclass(frozen=True)
class CriticalPlan:
    """The piece that is thrown for."""

    piece: str


class CriticalType(ActionType[EmpireState, Critical, CriticalPlan]):
    """2D6 read on the chart, once a turn for each who is exposed (BE-7)."""

    action = Critical
    needs = ("troop",)

    def candidates(self, state: EmpireState, viewer: Viewer, unit: str | None = None) -> Iterable[Critical]:
        """All of the side who are exposed."""
        if state.now is Phase.CRITICAL:
            for piece in exposed(state):
                if viewer in (piece.side, UMPIRE) and unit in (None, piece.id):
                    yield Critical(unit=piece.id)

    def plan(self, state: EmpireState, action: Critical, *, supposing: bool = False) -> CriticalPlan:  # noqa: ARG002
        """The piece. Raises Refused for who is not exposed, or has been thrown for."""
        piece = find(state, action.unit, "commander or mules")
        if not exposable(state, piece):
            raise Refused(f"{piece.name}: critical hits are thrown for commanders, leaders and mules alone.", EXPOSED)
        if state.now is not Phase.CRITICAL:
            in_phase(state, piece, Phase.CRITICAL)
        if piece.this_turn.critical_thrown:
            thrown = f"{piece.name} has been thrown for this turn: {piece.health.value}"
            raise Refused(f"{thrown}. /turn next goes on.", CRITICAL)
        if not is_exposed(state, piece):
            who = "a unit that took a kill this turn" if state.options.exposed_by_kills else "a unit"
            raise Refused(f"{piece.name} is not exposed, not being with {who}. No throw is needed.", EXPOSED)
        in_phase(state, piece, Phase.CRITICAL)
        return CriticalPlan(piece.id)

    def label(self, state: EmpireState, plan: CriticalPlan) -> str:
        """`Critical hit: Lord Chelmsford, 44.4% unhurt`."""
        return f"Critical hit: {state.unit(plan.piece).name}, {percent(chances()[Health.WELL])} unhurt"

    def odds(self, state: EmpireState, plan: CriticalPlan) -> Odds:
        """The chance of each end."""
        piece = state.unit(plan.piece)
        return Odds(
            question=f"{piece.name}: critical hit",
            steps=(Step(text=_exposure(state, piece), cite=EXPOSED), *_ends()),
            outcomes=tuple(
                Outcome(label=health.value, chance=chance, good=health is Health.WELL)
                for health, chance in chances().items()
            ),
            spread=sums(DICE, SIDES),
            spread_of=f"{DICE}D{SIDES}",
        )

    def resolve(self, play: Play[EmpireState], plan: CriticalPlan) -> None:
        """Throws it: unhurt, out until the next turn ends, or killed."""
        state, piece = play.state, play.state.unit(plan.piece)
        throw = play.throw(DICE, SIDES, f"{piece.name}: critical hit", side=piece.side)
        health = end_on(throw.total)
        until = {"out_until": state.turn + 1} if health is Health.OUT else {}
        change = {} if health is Health.WELL else {"health": health, **until}
        play.state = state.with_unit(remembering(piece.model_copy(update=change), critical_thrown=True))
        start = Fraction(throw.total)
        play.say(Step(text=_exposure(state, piece), cite=EXPOSED, throws=(throw,), start=start), *_ends(health))
        outcome = ENDS[health].format(name=piece.name, turn=state.turn + 1)
        play.tell(headline=f"{piece.name}: critical hit.", side=piece.side, outcome=outcome, units=(piece.id,))

    def ask(self, given: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, Critical]:  # noqa: ARG002
        """An army commander, or the piece named, with a unit that took a kill. Raises Refused."""
        only(Critical.kind, given, self.needs or ())
        troop = troop_of(str(given.get("troop", "army-commander")))
        piece: EmpireUnit = troop.unit(PIECE, troop.name, OURS, attached_to=UNIT)
        unit = remembering(fighter("british-regulars", UNIT, OURS, kills=1), kills=1)
        state = throwaway(Phase.CRITICAL, unit, piece)
        if not exposable(state, piece):
            raise Refused(f"{troop.name} is no commander, leader or mules. Name one of them, or leave “troop” out.")
        return state, Critical(unit=PIECE)


def end_on(score: int) -> Health:
    """What 2D6 bring (BE-7)."""
    chart = TABLES.charts["critical-hits"]
    return Health(chart.band(score).cells[0].text)


def chances() -> Mapping[Health, Fraction]:
    """The chance of every end."""
    spread = sums(DICE, SIDES)
    return {
        health: sum((chance for total, chance in spread if end_on(total) is health), Fraction(0)) for health in ENDS
    }


def _ends(read: Health | None = None) -> Iterable[Step]:
    """Each end with its scores and chance, the one that was read marked."""
    chart = TABLES.charts["critical-hits"]
    for health, chance in chances().items():
        scores = " and ".join(row.label for row in chart.rows if row.cells[0].text == health)
        verdict = "this is read" if health is read else ""
        yield Step(text=f"{scores}: {health}", cite=CRITICAL, chance=chance, verdict=verdict)


def _exposure(state: EmpireState, piece: EmpireUnit) -> str:
    unit = state.unit(piece.attached_to or "")
    return f"{piece.name} is with {unit.name}" + (", which took a kill this turn" if unit.this_turn.kills else "")


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


HIT = CriticalType()
