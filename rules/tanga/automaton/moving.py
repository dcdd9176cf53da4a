"""Movement of good-order stacks to entry hexes and objectives, and building (TA-9.A, TA-9.B, TA-9.5)."""

from collections.abc import Iterable, Mapping, Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, is_next_to, unit_hex, units_at
from rules.core.hexboard.ways import path_length_between
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.tanga.charts import priority
from rules.tanga.field import board_of
from rules.tanga.model import BRITISH, GERMAN, Arm, Formation, Kind, TangaState, TangaUnit
from rules.tanga.priorities import Measure, Measures, Situation
from rules.tanga.progress import Decision, Question
from rules.tanga.ways import CHARTS, are_guns_alone, decide, guns_left_behind, may_end, may_stay, open_hexes

from . import marching
from .stacks import ids, keeper, mark_acted, mf_left, names, ready, stack_of
from .step_results import StepResult

CHART = CHARTS[Question.OBJECTIVE]
ENTRY = Cite(rule="TA-9.A")
OBJECTIVE = Cite(rule="TA-9.B")
GUN_AWAY = Cite(rule="TA-9.5", mark=Mark.RULING)
"""Citation: a revealed MG that starts next to a German moves away first."""
BUILDS = Cite(rule="TA-H.8", mark=Mark.HOUSE)


def move(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Let the next stack build, stay, or march to its entry hex or objective. MGs next to Germans move first.

    Return None if no stack is left.
    """
    state, acted = play.state, play.state.british.acted
    waiting = ready(state, formation.id, acted)
    if not waiting:
        return None
    if gun := next((unit for unit in waiting if guns_left_behind(state, (unit,), unit_hex(unit))), None):
        return _move_gun_away(play, gun, forced)
    stack = stack_of(state, waiting[0], acted)
    decision = objective(state, stack).by_word(forced)
    stack, goal = tuple(unit for unit in stack if unit.id in decision.units), decision.chosen
    if goal is None or goal == stack[0].at:
        return _stay(play, stack, decision)
    kind = "entry hex" if decision.cite == ENTRY else "objective"
    marching.begin(play, stack, goal, aim=f"{kind} {board_of(state).title(goal)}", rule=decision.cite.rule)
    return StepResult(decision)


def _stay(play: Play[TangaState], stack: Sequence[TangaUnit], decision: Decision) -> StepResult:
    """Keep the stack in its hex. One company builds if the deciding row and the rules allow it (TA-9.B, TA-H.8)."""
    mark_acted(play, ids(stack))
    state, own_hex = play.state, unit_hex(stack[0])
    builder = next((unit for unit in stack if unit.arm is Arm.INFANTRY), None)
    free = own_hex not in state.improved and not is_next_to(state, own_hex, GERMAN)
    if builder is None or builder.acted or not free or not builds(decision):
        return StepResult(decision)
    play.change(builder.id, acted=True)
    play.set(improved=tuple(sorted((*state.improved, own_hex))))
    name, place = names(state, (builder,)), board_of(state).title(own_hex)
    play.note(f"{name} builds in {place}", BUILDS, "improved position")
    return StepResult(decision, f"{name} builds an improved position in {place}")


def _move_gun_away(play: Play[TangaState], gun: TangaUnit, forced: Hex | None) -> StepResult:
    """March the MG to a neighbouring hex away from Germans, by the Move chart. The MG stays without such a hex."""
    state, mf, board = play.state, mf_left((gun,)), board_of(play.state)
    near = (hex_ for hex_ in unit_hex(gun).neighbours() if (board.cost(hex_) or mf + 1) <= mf)
    open_ = tuple(hex_ for hex_ in near if may_end(state, (gun,), hex_))
    if not open_:
        mark_acted(play, (gun.id,))
        return StepResult()
    away = f"{names(state, (gun,))}, next to Germans, moves away to"
    decision = decide(state, (gun,), Question.STEP, open_, GUN_AWAY, lambda hex_, _: f"{away} {board.title(hex_)}")
    decision = decision.by_word(forced)
    marching.begin(play, (gun,), decision.taken, why="away from Germans", rule="TA-9.5")
    return StepResult(decision)


def objective(state: TangaState, units: Sequence[TangaUnit]) -> Decision:
    """Return the decision to which hex the stack marches. The choice is its own hex if it stays, None without a goal.

    A battalion takes its entry hex first. Before that, only companies G and H, and staffs, choose objectives (TA-9.B).
    If a company of the stack keeps a victory hex, the decision is for that company alone.
    """
    formation, own_hex, open_ = state.formation(units[0].formation), unit_hex(units[0]), open_hexes(state, units)
    letters = frozenset(unit.letter for unit in units if unit.arm is Arm.INFANTRY)
    landed = formation.kind is Kind.BATTALION and not formation.entered
    counts = frozenset(state.objectives)
    situation = Situation(kind=formation.kind, letters=letters, objectives=counts, landed=landed)
    goals = _goals(state, units, situation)
    candidates = sorted({hex_ for hexes in goals.values() for hex_ in hexes})
    if not candidates:
        return _no_objective(state, units, landed=landed)

    def way(hex_: Hex) -> tuple[bool, int]:
        """Return a sort key by the length of the shortest path. Hexes without an open path come last, by distance."""
        length = path_length_between(own_hex, hex_, open_)
        return (True, own_hex.distance(hex_)) if length is None else (False, length)

    measures: Measures = {Measure.WAY: way, **{measure: hexes.__contains__ for measure, hexes in goals.items()}}
    decision = decide(state, units, Question.OBJECTIVE, candidates, OBJECTIVE, situation=situation, extra=measures)
    reason = next(f"row {row.row}, {row.text}" for row in decision.rows if not row.skipped)
    title = board_of(state).title(decision.chosen or own_hex)
    if goals.get(Measure.COMPANY_HOLDS) and (stays := keeper(state, own_hex)):
        built = "its improved position stands" if own_hex in state.improved else reason
        return decision.model_copy(update={"units": (stays.id,), "why": f"{stays.name} keeps {title}: {built}"})
    return decision.model_copy(update={"why": f"{title}: {reason}; {decision.why}"})


def builds(decision: Decision) -> bool:
    """Whether the deciding row makes the stack build an improved position in its hex (TA-9.B rows 1 and 2)."""
    building = {row.row for row in priority(CHART).rows if row.builds}
    return decision.chart == CHART and any(not row.skipped and row.row in building for row in decision.rows)


def _no_objective(state: TangaState, units: Sequence[TangaUnit], *, landed: bool) -> Decision:
    """Return the decision without objectives: a landed battalion's entry hex (TA-9.A), or no hex."""
    formation, goal, why = state.formation(units[0].formation), None, "no objective is left to it"
    if landed:
        goal, why = formation.entry, f"{formation.name} has no entry hex yet"
    if goal is not None:
        why = f"{board_of(state).title(goal)}: {formation.name} takes its entry hex before any objective"
    return Decision(
        question=Question.OBJECTIVE,
        chart="" if landed else CHART,
        units=ids(units),
        candidates=() if goal is None else (goal,),
        chosen=goal,
        why=why,
        cite=ENTRY if landed else OBJECTIVE,
    )


def _goals(state: TangaState, units: Sequence[TangaUnit], situation: Situation) -> Mapping[Measure, frozenset[Hex]]:
    """Return the goal hexes of each applicable row of the chart (rows 1 to 7), by the row's measure.

    Hexes without space in the stack are left out. Machine guns alone also leave out hexes next to Germans (TA-9.5).
    """
    guns = are_guns_alone(units)
    own_hex, board, german_hexes = unit_hex(units[0]), board_of(state), hexes_of_side(state, GERMAN)
    stays, builder = keeper(state, own_hex), any(unit.arm is Arm.INFANTRY for unit in units)
    near = state.options.near_a_beach
    goals: Mapping[str, Iterable[Hex]] = {
        Measure.COMPANY_HOLDS: (own_hex,) if stays is not None and stays.id in ids(units) else (),
        Measure.STAFF_HOLDS: (own_hex,) if builder and own_hex in board.beach_hexes.difference(state.improved) else (),
        Measure.GERMANS_NEAR_BEACH: (
            at for at in german_hexes if any(at.distance(beach) <= near for beach in board.beach_hexes)
        ),
        Measure.BEACH: board.beach_hexes,
    }
    return {
        row.measure: frozenset(
            hex_
            for hex_ in (
                goals[row.measure] if row.measure in goals else _victory_goals(state, units, row.measure, row.one)
            )
            if hex_ == own_hex
            or (may_end(state, units, hex_) if guns else hex_ in german_hexes or may_stay(state, units, hex_))
        )
        for row in priority(CHART).rows
        if row.alternative and not row.why_skipped(situation)
    }


def _victory_goals(state: TangaState, units: Sequence[TangaUnit], kind: str, one_is_enough: bool) -> Iterable[Hex]:
    """Return the victory hexes of a kind that no other good-order British unit holds.

    Return none if `one_is_enough` and other British hold one of them.
    """
    every, own_ids = board_of(state).victory.get(kind, frozenset()), ids(units)
    friends = (
        unit for hex_ in every for unit in units_at(state, hex_) if unit.side == BRITISH and unit.id not in own_ids
    )
    held_hexes = {unit.at for unit in friends if unit.is_good and unit.is_combat}
    return () if one_is_enough and held_hexes else every - held_hexes
