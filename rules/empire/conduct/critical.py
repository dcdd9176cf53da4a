"""Critical hits: 2D6 for each commander, leader or mules with a unit that took kills (BE-7)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from typing_extensions import override

from rules.core.action_type import ActionType, Caption, Chance
from rules.core.ad_hoc import OURS
from rules.core.model import UMPIRE, Cite
from rules.core.odds import Odds, Outcome, combine_outcomes
from rules.core.play import Play
from rules.core.refusal import refuse
from rules.core.report import Prompt, Step
from rules.core.state import Action
from rules.core.throws import dice_sum_distribution
from rules.empire.model import COMMANDERS, Arm, EmpireState, EmpireUnit, Health
from rules.empire.phases import Phase
from rules.empire.shared import (
    change_turn_record,
    find_unit_on_table,
    make_fighter,
    make_question_state,
    require_active_side,
    require_phase,
)
from rules.empire.tables import TABLES, TROOPS

CRITICAL = Cite(rule="BE-7")
EXPOSED = CRITICAL.as_ruling
CHART, COLUMN = "critical-hits", "commander or mules"
DICE, SIDES = 2, 6


class CriticalHit(Action):
    """Critical hit of a commander, leader or mules with a unit that took a kill this turn."""

    kind = "critical"


class CriticalHitType(ActionType[EmpireState, CriticalHit, str]):
    """Action type of critical hits: 2D6, once a turn for each exposed piece (BE-7). The plan is the piece's id."""

    action = CriticalHit
    question_fields = ("troop",)
    question_defaults: Mapping[str, str] = {"troop": "army-commander"}

    def suggest_actions(self, state: EmpireState) -> Iterable[CriticalHit]:
        """Yield a critical hit for each exposed piece."""
        pieces = exposed_pieces(state) if state.current_phase is Phase.CRITICAL else ()
        return (CriticalHit(unit=piece.id) for piece in pieces)

    def plan(self, state: EmpireState, action: CriticalHit) -> str:
        """Return the piece's id. Raises Refused if it is not exposed, or its dice were thrown."""
        piece = find_unit_on_table(state, action.unit, "commander or mules")
        other_troops = f"{piece.name}: only commanders, leaders and mules take critical hits."
        second_throw = f"{piece:have} been thrown for this turn: {piece.health.value}. /turn next goes on."
        host = "a unit that took a kill this turn" if state.options.exposed_by_kills else "a unit"
        safe = f"{piece:are} not exposed, not being with {host}. No throw is needed."
        refuse(EXPOSED, (not can_take_critical_hit(state, piece), other_troops))
        require_phase(state, Phase.CRITICAL)
        refuse(CRITICAL, (piece.this_turn.critical_thrown, second_throw))
        refuse(EXPOSED, (piece not in exposed_pieces(state), safe))
        require_active_side(state, piece)
        return piece.id

    def caption(self, state: EmpireState, plan: str) -> Caption:
        """Return a button text such as `Critical hit: Lord Chelmsford, 44.4% unhurt`."""
        return Caption(f"Critical hit: {state.unit(plan).name}", Chance(_health_outcomes()[0].chance, "unhurt"), ", ")

    def odds(self, state: EmpireState, plan: str) -> Odds:
        """Return the exact chance of each result."""
        return Odds(
            question=f"{state.unit(plan).name}: critical hit",
            steps=tuple(_critical_hit_steps(state, plan)),
            outcomes=_health_outcomes(),
            distribution=dice_sum_distribution(DICE, SIDES),
            score_label=f"{DICE}D{SIDES}",
        )

    def resolve(self, play: Play[EmpireState], plan: str) -> None:
        """Throw 2D6, and make the piece unhurt, out until the end of the next turn, or killed."""
        piece, until = play.state.unit(plan), play.state.turn + 1
        throw = play.throw(DICE, SIDES, f"{piece.name}: critical hit", side=piece.side)
        health = health_after_critical_hit(throw.total)
        play.say(*_critical_hit_steps(play.state, plan, health, throws=(throw,), start=Fraction(throw.total)))
        play.remember(piece.id, critical_thrown=True)
        if health is not Health.WELL:
            play.change(piece.id, health=health, out_until=until if health is Health.OUT else piece.out_until)
        end = f"the end of turn {until}" if play.state.scenario else "the next turn ends"
        ends = {Health.WELL: "unhurt", Health.OUT: f"out until {end}", Health.KILLED: "killed"}
        play.tell(headline=f"Critical hit: {piece:are} {ends[health]}.", units=(piece.id,))

    @override
    def set_up_question(self, options: Mapping[str, Any], words: tuple[str, ...]) -> tuple[EmpireState, CriticalHit]:
        """Return a state in which the named piece is with a unit that took a kill. Raises Refused for other troops."""
        troop = TROOPS.find(str(options["troop"]))
        piece: EmpireUnit = troop.make_unit("piece", troop.name, OURS, attached_to="unit")
        unit = change_turn_record(make_fighter("british-regulars", "unit", OURS), kills=1)
        state = make_question_state(Phase.CRITICAL, unit, piece)
        other_troops = f"{piece:are} no commander, leader or mules. Name one of them, or leave “troop” out."
        refuse(None, (not can_take_critical_hit(state, piece), other_troops))
        return state, CriticalHit(unit=piece.id)


def health_after_critical_hit(score: int) -> Health:
    """Return a piece's health after a throw of `score` on 2D6 (BE-7)."""
    return Health(TABLES.charts[CHART].text_for_score(score, COLUMN))


def _health_outcomes() -> tuple[Outcome, ...]:
    """Return the chance of each critical hit result, the best result first."""
    distribution = dice_sum_distribution(DICE, SIDES)
    healths = {score: health_after_critical_hit(score) for score, _ in distribution}
    return combine_outcomes(distribution, lambda score: (healths[score].value, healths[score] is Health.WELL))[::-1]


def _critical_hit_steps(state: EmpireState, piece: str, health: str = "", **fields: Any) -> Iterable[Step]:
    """Yield a step on why the piece is exposed, then each result with its chance; mark the thrown result `health`."""
    unit = state.unit(state.unit(piece).attached_to or "")
    text = f"{state.unit(piece):are} with {unit.name}"
    yield Step(text=text + (", which took a kill this turn" if unit.this_turn.kills else ""), cite=EXPOSED, **fields)
    yield from TABLES.charts[CHART].result_steps(COLUMN, dice_sum_distribution(DICE, SIDES), CRITICAL, health)


def can_take_critical_hit(state: EmpireState, piece: EmpireUnit) -> bool:
    """Whether the piece is a commander, leader or mules; or a wagon, if the option allows it (BE-7, ruling)."""
    return piece.arm in (*COMMANDERS, Arm.MULES) or (piece.arm is Arm.WAGON and state.options.wagons_exposed)


def exposed_pieces(state: EmpireState) -> tuple[EmpireUnit, ...]:
    """Return the pieces that still need a throw, because their unit took kills this turn or was destroyed (BE-7)."""
    units, all_are = state.units, not state.options.exposed_by_kills
    hit = {unit.id for unit in units.values() if all_are or unit.this_turn.kills or unit.destroyed}
    near = (piece for piece in units.values() if piece.on_table and piece.attached_to in hit)
    return tuple(piece for piece in near if can_take_critical_hit(state, piece) and not piece.this_turn.critical_thrown)


HIT = CriticalHitType()


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """Yield a prompt to throw each pending critical hit."""
    for action in HIT.possible_actions(state, UMPIRE):
        piece = state.unit(action.unit or "")
        text = f"{piece:are} exposed to a critical hit"
        yield HIT.prompt(state, [action], f"critical:{piece.id}:{state.turn}", text, CRITICAL)
