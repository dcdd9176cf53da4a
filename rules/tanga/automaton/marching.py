"""Marches of stacks hex by hex under opportunity fire, and retreats to RO hexes (TA-6, TA-9.5, TA-9.C, TA-H.6)."""

from collections.abc import Sequence
from dataclasses import replace

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import distance_to_side, unit_hex
from rules.core.model import Cite, Mark
from rules.core.play import Play
from rules.core.report import Step
from rules.tanga.combat import fire as fires
from rules.tanga.combat.entering import move_into_hex, unit_after_entering
from rules.tanga.combat.losses import describe_hits, units_under_fire
from rules.tanga.combat.retreats import choose_new_ro_hex, split_stack
from rules.tanga.field import board_of, fits_stacking_limit, formation_units
from rules.tanga.model import BRITISH, GERMAN, Arm, Formation, TangaState, TangaUnit, Trail
from rules.tanga.progress import Decision, March, Question, Stage, change_progress
from rules.tanga.questions import ask_about_opportunity_fire
from rules.tanga.ways import MOVING, can_enter, can_stay, choose_hex, choose_next_hex, guns_left_behind

from .stacks import MOST, formation_stack, least_mf_left, mark_acted, names_with_verb, short_names, sort_units, unit_ids
from .step_results import StepResult

RETREATING = Cite(rule="TA-6")
ROOM = Cite(rule="TA-H.3", mark=Mark.HOUSE)
COMPANIES_JOIN = Cite(rule="TA-6", mark=Mark.RULING)
"""Citation: a company that retreats alone joins another in reach, unless the other is nearer to Germans."""
GUNS_LEAVE = Cite(rule="TA-9.5", mark=Mark.RULING)
"""Citation: an MG leaves its stack if the path runs next to a German; a revealed MG joins its company."""


def begin_march(
    play: Play[TangaState],
    stack: Sequence[TangaUnit],
    goal: Hex,
    *,
    aim: str = "",
    why: str = "",
    rule: str = "",
    hexes: int | None = None,
) -> None:
    """Start the march of a stack. `hexes` is the maximum length of a retreat or rout; None if MF limit the march.

    If `goal` is the stack's own hex, the stack has just landed there, and the march is only opportunity fire.
    """
    units = [play.state.units[unit.id] for unit in stack]
    march = _make_march(units, goal, hexes).model_copy(update={"aim": aim, "why": why, "rule": rule})
    if goal == march.way[0]:
        march = march.model_copy(update={"way": (goal, goal)})
    change_progress(play, march=march, offered=())


def _make_march(units: Sequence[TangaUnit], goal: Hex, hexes: int | None) -> March:
    """Return a stack's march from its hex. `hexes` is the maximum length of a retreat or rout; None if MF limit it."""
    budget = least_mf_left(units) if hexes is None else hexes
    return March(units=unit_ids(units), goal=goal, left=budget, way=(unit_hex(units[0]),), retreats=hexes is not None)


def can_reach(state: TangaState, units: Sequence[TangaUnit], goal: Hex, *, hexes: int | None = None) -> bool:
    """Whether a stack can reach `goal` in one march from its present hex, if nobody fires (TA-9.1)."""
    march, board = _make_march(units, goal, hexes), board_of(state)
    while march.way[-1] != goal and march.left > 0:
        step = choose_next_hex(state, march).chosen
        if step is None:
            return False
        budget = march.left - (1 if march.retreats else board.cost(step) or 1)
        march = march.model_copy(update={"way": (*march.way, step), "left": budget})
    return march.way[-1] == goal


def advance_march(play: Play[TangaState], march: March, forced: Hex | None) -> StepResult:
    """Carry out the march's next event: opportunity fire, entry of a hex, or the end of the march."""
    if (shot := next(iter(fires.opportunity_shots(play.state, march)), None)) is not None:
        return StepResult() if ask_about_opportunity_fire(play, shot) else resolve_opportunity_fire(play, shot)
    state, units = play.state, [play.state.units[unit] for unit in march.units]
    marchers = tuple(unit for unit in units if unit.at == march.way[-1] and (march.retreats or unit.is_in_good_order))
    if any(unit.is_combat for unit in units) and not any(unit.is_combat for unit in marchers):
        marchers = ()  # leaders do not march on alone
    broken = state.formation(units[0].formation).collapsed and not march.retreats
    if not marchers or march.way[-1] == march.goal or march.left <= 0 or broken:
        return _end_march(play, march)
    decision = choose_next_hex(state, march.model_copy(update={"units": unit_ids(marchers)})).overruled_by(forced)
    if decision.chosen is None:
        stepped = _end_march(play, march)
        play.note_calculation(short_names(play.state, marchers), MOVING, decision.why)
        return replace(stepped, decision=decision)
    _enter_hex(play, march, marchers, decision.chosen)
    return StepResult(decision)


def resolve_opportunity_fire(play: Play[TangaState], shot: fires.VolleyPlan) -> StepResult:
    """Resolve opportunity fire of one German hex: one unit fires, others support. Only marching units can be hit."""
    state = play.state
    under_fire = units_under_fire(state, shot.target, BRITISH, shot.entering)
    targets = short_names(state, (unit for unit in under_fire if unit.is_combat))
    fires.fire_volley(play, shot)
    result = describe_hits(state, play.state, "no hit")
    place = board_of(state).title(shot.target)
    return StepResult(clause=f"{shot.shooter.name} fires at {targets} in {place} ({result})")


def _enter_hex(play: Play[TangaState], march: March, marchers: tuple[TangaUnit, ...], hex_: Hex) -> None:
    """Move the marching units into the chosen hex, and reveal MG markers that Germans now see (TA-1)."""
    board, way = board_of(play.state), (*march.way, hex_)
    if stays := guns_left_behind(play.state, marchers, hex_):
        text = f"{short_names(play.state, stays)} stays in {board.title(march.way[-1])}: the way goes next to Germans"
        play.note_calculation(text, GUNS_LEAVE)
        if march.retreats and len(march.way) > 1:
            mark_acted(play, unit_ids(stays))
        marchers = tuple(unit for unit in marchers if unit not in stays)
    spent = 1 if march.retreats else board.cost(hex_) or 1
    guns = move_into_hex(play, marchers, hex_, spent)
    moved = [play.state.units[unit.id] for unit in marchers]
    can_march_on = march.retreats or all(gun.is_in_good_order for gun in guns)
    if can_march_on and fits_stacking_limit(play.state, (*moved, *guns)):
        moved += guns
    else:
        _return_to_free_hex(play, guns, way)
    budget = march.left - spent if march.retreats else least_mf_left(moved)
    march = march.model_copy(update={"units": unit_ids(moved), "left": budget, "way": way})
    change_progress(play, march=march, offered=())


def _end_march(play: Play[TangaState], march: March) -> StepResult:
    """End the march at its present hex, or at the last hex on its path that has space for the units (TA-H.3)."""
    mark_acted(play, march.units)
    change_progress(play, march=None, offered=())
    if len(set(march.way)) == 1:
        return StepResult()
    step_count, units = play.step_count, [play.state.units[unit] for unit in march.units]
    way = _return_to_free_hex(play, [unit for unit in units if unit.at == march.way[-1]], march.way)
    trail = Trail(hexes=way, kind="retreat" if march.retreats else "move", side=BRITISH)
    play.set(trails=(*play.state.trails, trail))
    subject, text = short_names(play.state, units), " → ".join(hex_.label for hex_ in way)
    if march.retreats:
        play.insert_steps(step_count, Step(text=f"{subject}: {text}", cite=RETREATING, verdict=march.purpose_with_rule))
    else:
        play.insert_steps(step_count, Step(text=f"{subject}: {text}", cite=MOVING, needed=march.purpose_with_rule))
    verb = "retreat" if march.retreats else "advance" if play.state.british.stage is Stage.MOVE else "go"
    arrived = way[-1] == march.goal
    whereto = march.aim if arrived and march.aim else f"{board_of(play.state).title(way[-1])} {march.purpose}".strip()
    joint_clause = f"{verb} {march.purpose}" if march.purpose and not arrived else ""
    return StepResult(clause=f"{names_with_verb(play.state, units, verb)} to {whereto}", clause_of_several=joint_clause)


def _return_to_free_hex(play: Play[TangaState], units: Sequence[TangaUnit], way: tuple[Hex, ...]) -> tuple[Hex, ...]:
    """Move units back to the last hex with space on their path. Return the path with that hex added (TA-H.3)."""
    state, title = play.state, board_of(play.state).title
    back = next((hex_ for hex_ in reversed(way) if can_stay(state, units, hex_)), way[0])
    if back == way[-1]:
        return way
    for unit in units:
        returned = unit_after_entering(state, unit, back).model_copy(update={"turned_up": unit.turned_up})
        play.state = play.state.with_unit(returned)
    play.note(f"No room for {short_names(state, units)} in {title(way[-1])}", ROOM, f"back to {title(back)}")
    return (*way, back)


def retreat_next_stack(play: Play[TangaState], formation: Formation, forced: Hex | None) -> StepResult | None:
    """Start the next stack's retreat to its RO hex; return None without a stack (TA-6, TA-9.C)."""
    state, rout = play.state, formation.collapsed
    units = (unit for unit in formation_units(state, formation.id) if unit.on_map and unit.is_combat)
    waiting = [unit for unit in units if unit.id not in state.british.acted and (rout or unit.is_disrupted)]
    if not waiting:
        return None
    lead = sort_units(state, waiting)[0]
    stack, _ = split_stack(state, sort_units(state, (unit for unit in waiting if unit.at == lead.at)))
    members = formation_stack(state, lead)
    if not any(unit.is_combat and unit not in stack for unit in members):
        stack = (*stack, *(unit for unit in members if unit.is_leader))
    most = state.options.rout_hexes if rout else state.options.retreat_hexes
    decision = _choose_company_to_join(state, stack, most) or choose_new_ro_hex(state, stack)
    decision = decision and decision.overruled_by(forced)
    own_hex = unit_hex(lead)
    goal = decision.chosen_hex if decision else lead.ro or own_hex
    movers = [unit.model_copy(update={"ro": goal, "retreating": True}) if unit.is_combat else unit for unit in stack]
    play.state = state.with_unit(*movers)
    title = board_of(state).title(goal)
    if goal != own_hex:
        begin_march(play, movers, goal, aim=f"RO hex {title}", rule="TA-9.C", hexes=most)
        return StepResult(decision)
    mark_acted(play, unit_ids(movers))
    play.note(f"{short_names(state, movers)} in RO hex {title}", Cite(rule="TA-9"), "retreating, stays")
    return StepResult(decision, f"{names_with_verb(state, movers, 'stay')} in RO hex {title}")


def _choose_company_to_join(state: TangaState, stack: Sequence[TangaUnit], most: int) -> Decision | None:
    """Return the decision for the nearest hex, at most `most` hexes away, where a lone company joins another (TA-6).

    Return None if there is no such hex, or if the stack is no lone company.
    """
    lead, own_hex = stack[0], unit_hex(stack[0])
    own = distance_to_side(state, own_hex, GERMAN)
    if sum(unit.is_combat for unit in stack) > 1 or lead.arm is not Arm.INFANTRY:
        return None
    goals = set()
    for hex_ in {unit.at for unit in map(state.unit, state.british.acted) if unit.at is not None}:
        near = distance_to_side(state, hex_, GERMAN)
        further = near is None or own is None or near >= own
        near_enough = 0 < own_hex.distance(hex_) <= most and _can_take_in_company(state, hex_, lead)
        if further and near_enough and can_reach(state, stack, hex_, hexes=most):
            goals.add(hex_)
    if not goals:
        return None
    hexes = sorted(hex_ for hex_ in goals if own_hex.distance(hex_) == min(map(own_hex.distance, goals)))
    joins = f"{short_names(state, stack)} join the nearest that retreat, to rally together"
    return choose_hex(state, stack, Question.STACK, hexes, COMPANIES_JOIN, lambda _hex, _row: joins)


def _can_take_in_company(state: TangaState, hex_: Hex, unit: TangaUnit) -> bool:
    """Whether the hex holds a single disrupted company of the unit's formation, with space for the unit."""
    members = [member for member in formation_stack(state, unit, hex_) if member.arm is Arm.INFANTRY]
    if not 0 < len(members) < MOST[Arm.INFANTRY] or any(member.is_in_good_order for member in members):
        return False
    return can_enter(state, (unit,), hex_)
