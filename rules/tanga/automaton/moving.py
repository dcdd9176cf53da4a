"""Movement of good-order stacks to entry hexes and objectives, and building (TA-9.A, TA-9.B, TA-9.5)."""

from collections.abc import Iterable, Mapping, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, is_next_to, unit_hex, units_at
from rules.core.hexboard.ways import path_length_between
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.tanga.charts import priority_chart
from rules.tanga.field import board_of
from rules.tanga.model import BRITISH, GERMAN, Arm, Formation, Kind, TangaState, TangaUnit
from rules.tanga.priorities import Measure, Measures, Situation
from rules.tanga.progress import Decision, Question
from rules.tanga.ways import CHARTS, are_guns_alone, can_enter, can_stay, choose_hex, guns_left_behind, passable_hexes

from . import marching
from .stacks import good_order_units, least_mf_left, mark_acted, moving_stack, short_names, unit_ids, victory_hex_keeper
from .step_results import StepResult

CHART = CHARTS[Question.OBJECTIVE]
ENTRY = Cite(rule="TA-9.A")
OBJECTIVE = Cite(rule="TA-9.B")
GUN_AWAY = Cite(rule="TA-9.5", mark=Mark.RULING)
"""Citation: a revealed MG that starts next to a German moves away first."""


def move_next_stack(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Let the next stack build, stay, or start its march to an entry hex or objective. Return None without a stack.

    Before that, MGs next to Germans move away (TA-9.5).
    """
    state, acted = play.state, play.state.british.acted
    waiting = good_order_units(state, formation.id, acted)
    if not waiting:
        return None
    if gun := next((unit for unit in waiting if guns_left_behind(state, (unit,), unit_hex(unit))), None):
        return _move_gun_away(play, gun, forced)
    stack = moving_stack(state, waiting[0], acted)
    decision = choose_objective(state, stack).overruled_by(forced)
    stack, goal = tuple(unit for unit in stack if unit.id in decision.units), decision.chosen
    if goal is None or goal == stack[0].at:
        return _stay_and_build(play, stack, decision)
    kind = "entry hex" if decision.cite == ENTRY else "objective"
    marching.begin_march(play, stack, goal, aim=f"{kind} {board_of(state).title(goal)}", rule=decision.cite.rule)
    return StepResult(decision)


def _stay_and_build(play: Play[TangaState], stack: Sequence[TangaUnit], decision: Decision) -> StepResult:
    """Keep the stack in its hex. One company builds if the deciding row and the rules allow it (TA-9.B, TA-H.8)."""
    mark_acted(play, unit_ids(stack))
    state, own_hex = play.state, unit_hex(stack[0])
    builder = next((unit for unit in stack if unit.arm is Arm.INFANTRY), None)
    free = own_hex not in state.improved and not is_next_to(state, own_hex, GERMAN)
    if builder is None or builder.acted or not free or not is_building_ordered(decision):
        return StepResult(decision)
    play.change(builder.id, acted=True)
    play.set(improved=tuple(sorted((*state.improved, own_hex))))
    name, place = short_names(state, (builder,)), board_of(state).title(own_hex)
    play.note(f"{name} builds in {place}", Cite(rule="TA-H.8", mark=Mark.HOUSE), "improved position")
    return StepResult(decision, f"{name} builds an improved position in {place}")


def _move_gun_away(play: Play[TangaState], gun: TangaUnit, forced: Hex | None) -> StepResult:
    """March the MG to a neighbouring hex away from Germans, by the Move chart. The MG stays without such a hex."""
    state, mf, board = play.state, least_mf_left((gun,)), board_of(play.state)
    near = (hex_ for hex_ in unit_hex(gun).neighbours() if (board.cost(hex_) or mf + 1) <= mf)
    open_ = tuple(hex_ for hex_ in near if can_enter(state, (gun,), hex_))
    if not open_:
        mark_acted(play, (gun.id,))
        return StepResult()
    away = f"{short_names(state, (gun,))}, next to Germans, moves away to"
    decision = choose_hex(state, (gun,), Question.STEP, open_, GUN_AWAY, lambda hex_, _: f"{away} {board.title(hex_)}")
    decision = decision.overruled_by(forced)
    marching.begin_march(play, (gun,), decision.chosen_hex, why="away from Germans", rule="TA-9.5")
    return StepResult(decision)


def choose_objective(state: TangaState, units: Sequence[TangaUnit]) -> Decision:
    """Return the decision for the hex that a stack marches to; its own hex if it stays.

    Before its battalion takes the entry hex, only a stack of companies G and H has objectives (TA-9.B). If a company
    must stay in a victory hex, the decision is for that company alone.
    """
    formation, own_hex, open_ = state.formation(units[0].formation), unit_hex(units[0]), passable_hexes(state, units)
    letters = frozenset(unit.letter for unit in units if unit.arm is Arm.INFANTRY)
    landed = formation.kind is Kind.BATTALION and not formation.entered
    counts = frozenset(state.objectives)
    situation = Situation(kind=formation.kind, letters=letters, objectives=counts, landed=landed)
    goals = _goal_hexes(state, units, situation)
    candidates = sorted({hex_ for hexes in goals.values() for hex_ in hexes})
    if not candidates:
        return _decide_without_objective(state, units, landed=landed)

    def path_key(hex_: Hex) -> tuple[bool, int]:
        """Return a sort key by the length of the shortest path. Hexes without an open path come last, by distance."""
        length = path_length_between(own_hex, hex_, open_)
        return (True, own_hex.distance(hex_)) if length is None else (False, length)

    measures: Measures = {Measure.WAY: path_key, **{measure: hexes.__contains__ for measure, hexes in goals.items()}}
    decision = choose_hex(state, units, Question.OBJECTIVE, candidates, OBJECTIVE, situation=situation, extra=measures)
    reason = next(f"row {row.row}, {row.text}" for row in decision.rows if not row.skipped)
    title = board_of(state).title(decision.chosen or own_hex)
    if goals.get(Measure.COMPANY_HOLDS) and (stays := victory_hex_keeper(state, own_hex)):
        built = "its improved position stands" if own_hex in state.improved else reason
        return decision.model_copy(update={"units": (stays.id,), "why": f"{stays.name} keeps {title}: {built}"})
    return decision.model_copy(update={"why": f"{title}: {reason}; {decision.why}"})


def is_building_ordered(decision: Decision) -> bool:
    """Whether a deciding row tells the stack to build an improved position in its hex (TA-9.B rows 1 and 2)."""
    building = {row.row for row in priority_chart(CHART).rows if row.builds}
    return decision.chart == CHART and any(not row.skipped and row.row in building for row in decision.rows)


def _decide_without_objective(state: TangaState, units: Sequence[TangaUnit], *, landed: bool) -> Decision:
    """Return the decision of a stack without objectives: its battalion's entry hex once landed (TA-9.A), or no hex."""
    formation, goal, why = state.formation(units[0].formation), None, "no objective is left to it"
    if landed:
        goal, why = formation.entry, f"{formation.name} has no entry hex yet"
    if goal is not None:
        why = f"{board_of(state).title(goal)}: {formation.name} takes its entry hex before any objective"
    return Decision(
        question=Question.OBJECTIVE,
        chart="" if landed else CHART,
        units=unit_ids(units),
        candidates=() if goal is None else (goal,),
        chosen=goal,
        why=why,
        cite=ENTRY if landed else OBJECTIVE,
    )


def _goal_hexes(state: TangaState, units: Sequence[TangaUnit], now: Situation) -> Mapping[Measure, frozenset[Hex]]:
    """Return the stack's goal hexes by measure, for the rows of the Objective chart that apply in the situation.

    Machine guns alone also avoid hexes next to Germans (TA-9.5).
    """
    guns = are_guns_alone(units)
    own_hex, board, german_hexes = unit_hex(units[0]), board_of(state), hexes_of_side(state, GERMAN)
    stays, builder = victory_hex_keeper(state, own_hex), any(unit.arm is Arm.INFANTRY for unit in units)
    near = state.options.near_a_beach
    near_beach = [at for at in german_hexes if any(at.distance(beach) <= near for beach in board.beach_hexes)]
    goals: Mapping[str, Iterable[Hex]] = {
        Measure.COMPANY_HOLDS: (own_hex,) if stays is not None and stays.id in unit_ids(units) else (),
        Measure.STAFF_HOLDS: (own_hex,) if builder and own_hex in board.beach_hexes.difference(state.improved) else (),
        Measure.GERMANS_NEAR_BEACH: near_beach,
        Measure.BEACH: board.beach_hexes,
    }

    def is_possible(hex_: Hex) -> bool:
        if hex_ == own_hex:
            return True
        return can_enter(state, units, hex_) if guns else hex_ in german_hexes or can_stay(state, units, hex_)

    possible_goals: dict[Measure, frozenset[Hex]] = {}
    for row in priority_chart(CHART).rows:
        if row.alternative and not row.why_skipped(now):
            kind = row.measure
            hexes = goals[kind] if kind in goals else _victory_hexes_left(state, units, kind, row.one)
            possible_goals[kind] = frozenset(filter(is_possible, hexes))
    return possible_goals


def _victory_hexes_left(state: TangaState, units: Sequence[TangaUnit], kind: str, one_is_enough: bool) -> Iterable[Hex]:
    """Return the victory hexes of `kind` that are not held by other British units.

    If `one_is_enough`, return no hexes if another British unit holds one.
    """
    every, own_ids = board_of(state).victory_hexes.get(kind, frozenset()), unit_ids(units)
    friends = (unit for at in every for unit in units_at(state, at) if unit.side == BRITISH and unit.id not in own_ids)
    held_hexes = {unit.at for unit in friends if unit.is_in_good_order and unit.is_combat}
    return () if one_is_enough and held_hexes else every - held_hexes
