"""Moves of units, with changes on the way, into contact with enemies (BE-6.2, BE-M)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from typing_extensions import override

from rules.core.action_type import Caption
from rules.core.play import Play
from rules.core.refusal import Refused, passes_check
from rules.core.report import Prompt, Report, Step
from rules.core.state import Action
from rules.core.tabletop import squares, table
from rules.core.tabletop.marches import Route, destinations_to_try, read_route
from rules.core.tabletop.placement import place_of_base
from rules.core.tabletop.table_action import TableActionType
from rules.core.tabletop.ways import Halt
from rules.core.wording import decimal_text, inches, join_with_and
from rules.empire.conduct.fate import CONDUCT
from rules.empire.fighting.effects import add_contact
from rules.empire.firing.targeting import loses_fire_by_moving, lost_fire_warnings
from rules.empire.model import EmpireState, EmpireUnit
from rules.empire.phases import MOVEMENT
from rules.empire.placement import CONTACT, GIVEN_UP, WAYS, base, move_with_pieces, nearest, nearest_few
from rules.empire.shared import change_turn_record, find_unit_on_table

from . import allowance
from .formation import CHANGES, COSTLY, changes_to_consider

INTO_CONTACT, FLANK = "into contact", "in the flank"
MOST_GOALS = 3
"""Maximum number of nearest units considered as destinations."""


class Move(Action):
    """Move of a unit, or change of its formation, facing, mount, limber or use of ground.

    `to` is a place (“C2 NW”, “towards Black Watch 6”, “face north-east”), or free words for the log if the umpire
    moves the figures. Changes alone (“square”) need no `to` and are no march.
    """

    circumstance_names = (*CHANGES, INTO_CONTACT, FLANK)

    to: str | None = None


@dataclass(frozen=True)
class MovePlan:
    """A move: the unit's changed fields, `run` inches marched, and the report.

    `charges` maps each enemy met to whether the unit strikes its flank or rear.
    """

    unit: str
    fields: Mapping[str, Any]
    run: float
    charges: Mapping[str, bool]
    goal: str
    report: Report


class MoveType(TableActionType[EmpireState, Move, MovePlan]):
    """Action type of moves: a march within the allowance, with changes before it and at the halt (BE-6.2, BE-M)."""

    action = Move
    words_decided_by_place = (FLANK, INTO_CONTACT)

    @override
    def circumstances_to_ask(self, state: EmpireState, action: Move) -> tuple[str, ...]:
        """Return the flank circumstance for a move into contact, otherwise none (BE-M.3)."""
        return (FLANK,) if INTO_CONTACT in action.circumstances else ()

    @override
    def suggest_for_unit(self, state: EmpireState, unit: str) -> Iterable[Move]:
        """Yield the unit's marches and changes if it may move."""
        mover = state.units[unit]
        is_free = mover.on_table and not allowance.owes_conduct_test(state, mover)
        if state.current_phase in MOVEMENT and is_free and passes_check(allowance.require_may_move, state, mover):
            yield from _suggest_marches(state, mover)
            changes = changes_to_consider(mover, state.terrain, state.options)
            yield from (Move(unit=unit, circumstances=(word,)) for word in changes)

    def plan(self, state: EmpireState, action: Move) -> MovePlan:
        """Return the plan: changes, march and enemies met. Raises Refused with the rule."""
        original, words = find_unit_on_table(state, action.unit), action.circumstances
        allowance.require_may_move(state, original)
        changes = tuple(word for word in CHANGES if word in words)
        before, after = ([word for word in changes if CHANGES[word].at_halt is halts] for halts in (False, True))
        unit, steps = allowance.change_formation(state, original, before)
        route = WAYS.trace_route(state, unit, read_route(state, unit, action.to, stays=bool(changes)))
        unit, turning = allowance.turn_towards_route(state, unit, route)
        allowance.change_formation(state, unit, [word for word in after if word in COSTLY])
        move_steps, attacks = (allowance.allowance_step(state, unit),) if route.marches else (), INTO_CONTACT in words
        if route.marches:
            halt = WAYS.check_march(state, unit, route, allowance.march_reach(state, unit, after), attacks=attacks)
        else:
            halt = WAYS.check_change_on_spot(state, original, route, changes=bool(changes))
        enemies = WAYS.enemies_met(state, unit, route, halt, attacks=attacks)
        unit, leaving = _place_at_halt(state, unit, halt)
        if enemies and after:
            enemy = state.unit(enemies[0])
            leave_out = f"Leave out “{after[0]}”, or halt short of {enemy:them}."
            raise Refused(f"{unit:meet} {enemy.name} there. {leave_out}", CONTACT)
        unit, at_halt = _reform_at_halt(state, unit, after)
        charges = {enemy: _strikes_flank(state, route, enemy, words) for enemy in enemies}
        first, last = ([CHANGES[word].report_verb for word in words] for words in (before, after))
        names = [state.unit(enemy).name for enemy in enemies]
        strikes = zip(names, ("in flank or rear" if flank else "in front" for flank in charges.values()), strict=True)
        into = f", into contact with {join_with_and(names)}" if enemies else ""
        report = Report(
            headline=f"{unit.describe_actions((*first, *route.describe_move(halt.run), *last))}{into}.",
            side=unit.side,
            steps=(
                *move_steps,
                *steps,
                *turning,
                *route.quote_words(unit, halt.run, WAYS.rule),
                *leaving,
                *at_halt,
                *(Step(text=f"{unit:charge} {name}", cite=CONTACT, verdict=direction) for name, direction in strikes),
            ),
            outcome=_describe_halt(state, unit, route, halt.run, enemies),
            warnings=(*halt.warnings, *(lost_fire_warnings(state, unit) if halt.run > 0 else ())),
            units=(unit.id, *enemies),
        )
        fields = {name: new for name, new in unit if getattr(original, name) != new}
        charge = f"Charge {state.unit(enemies[0]).name}" if enemies else ""
        summary = ", ".join(changes).capitalize() or f"Move {decimal_text(halt.run)} inches"
        goal = charge or route.in_words(state) or summary
        return MovePlan(unit.id, fields, halt.run, charges, goal, report)

    @override
    def effect_on_move(self, state: EmpireState, plan: MovePlan) -> str:
        """Return in words the inches that changes cost, and the inches left; empty if the plan spends none."""
        unit = state.unit(plan.unit)
        after = unit.model_copy(update=plan.fields)
        cost = after.this_turn.spent - unit.this_turn.spent - plan.run
        total = f" of {inches(allowance.move_allowance(state, after).inches)}"
        price = f"takes {inches(cost)}{total}, " if cost > table.CLOSE else ""
        return f"{price}{inches(allowance.inches_left(state, after))} left after it" if price or plan.run > 0 else ""

    def caption(self, state: EmpireState, plan: MovePlan) -> Caption:
        """Return a button text: `Charge Zulu impi: 24th`, or `Forward 3 inches, no fire then: Battery`."""
        unit = state.unit(plan.unit)
        silent = ", no fire then" if plan.run > 0 and loses_fire_by_moving(state, unit) else ""
        return Caption(f"{plan.goal}{silent}: {unit.name}")

    def resolve(self, play: Play[EmpireState], plan: MovePlan) -> None:
        """Move the unit with its attached pieces, and bring it into contact with the enemies met."""
        play.state = move_with_pieces(play.state, play.state.unit(plan.unit).model_copy(update=plan.fields))
        for enemy, flank in plan.charges.items():
            play.state = add_contact(play.state, plan.unit, enemy, flank=flank)
        play.report = plan.report


MOVE = MoveType()


def shorten_move(state: EmpireState, action: Action) -> Action | None:
    """Return a move shortened to the unit's inches left, or None if none are left (BE-6); other actions unchanged."""
    unit = state.units.get(action.unit or "")
    if unit is None or not isinstance(action, Move):
        return action
    run = allowance.inches_left_in_words(state, unit)
    words, _, number = (action.to or "").rpartition(" ")
    if run == "0":
        return None
    return action.model_copy(update={"to": f"{words} {run}"}) if words and number.replace(".", "").isdigit() else action


def _reform_at_halt(state: EmpireState, unit: EmpireUnit, words: Iterable[str]) -> tuple[EmpireUnit, tuple[Step, ...]]:
    """Return the unit after its changes `words` at the halt, and report steps. Raises Refused without clearance."""
    after, steps = allowance.change_formation(state, unit, words)
    was, now = base(unit), base(after)
    if was is not None and now is not None and now != was:
        WAYS.require_clearance_on_spot(state, unit, was, now)
    return after, steps


def _place_at_halt(state: EmpireState, unit: EmpireUnit, halt: Halt[EmpireUnit]) -> tuple[EmpireUnit, tuple[Step, ...]]:
    """Return the unit at its halt, and the report steps.

    A unit that marches gives up its ground (BE-M.4). A piece leaves its host (BE-M.6).
    """
    memory, run = unit.this_turn, halt.run
    update: dict[str, Any] = {"place": place_of_base(halt.base)} if halt.base else {}
    if run > 0:
        update |= GIVEN_UP
    host = state.host(unit)
    if host is not None:
        update["attached_to"] = None
    moved = {"spent": round(memory.spent + run, 3), "moved": round(memory.moved + run, 3)}
    text = f"{unit:leave} {host.name}" if host is not None else ""
    leaving = (Step(text=text, cite=allowance.PIECES, verdict=text),) if text else ()
    return change_turn_record(unit.model_copy(update=update), **moved), leaving


def _strikes_flank(state: EmpireState, route: Route, enemy_id: str, words: tuple[str, ...]) -> bool:
    """Whether the charge strikes the enemy's flank or rear, by its start point or the claim `in the flank` (BE-M.3).

    Squares have no flank or rear.
    """
    enemy, start = state.unit(enemy_id), route.start
    by_position = start is not None and WAYS.is_flank_attack(enemy, start, state.options.flank_beyond)
    return not enemy.is_in_square and (FLANK in words or by_position)


def _describe_halt(state: EmpireState, unit: EmpireUnit, route: Route, run: float, enemies: tuple[str, ...]) -> str:
    """Return in words where the unit stands, and its inches left."""
    unspent, position = allowance.inches_left(state, unit), route.describe_final_position(unit, run, "stands")
    free = unspent > table.CONTACT and not enemies and not state.opponents(unit.id)
    return f"{position} {unit:They have} {inches(unspent)} left.".strip() if free else position


def _suggest_marches(state: EmpireState, unit: EmpireUnit) -> Iterable[Move]:
    """Yield the unit's moves worth considering."""
    run, enemies = allowance.inches_left_in_words(state, unit), state.foes(unit)
    if run == "0":
        return
    if unit.place is not None:
        yield from (Move(unit=unit.id, to=to) for to in dict.fromkeys(_suggest_destinations(state, unit, run)))
        return
    yield Move(unit=unit.id)
    if not state.keeps_positions:
        yield from WAYS.moves_into_contact(state, unit, Move, INTO_CONTACT)
        return
    for enemy in enemies[:1]:
        yield Move(unit=unit.id, to=f"towards {enemy.id} {run}", circumstances=(INTO_CONTACT,))


def _suggest_destinations(state: EmpireState, unit: EmpireUnit, run: str) -> Iterable[str]:
    """Yield places to move to, such as near enemies and objectives, or for a piece near friends."""
    place, side = unit.place, unit.side
    others = (other for other in state.fighters() if (other.side == side) is unit.is_piece and other.id != unit.id)
    near = [other.id for other in nearest_few(unit, sorted(others, key=lambda other: other.id), MOST_GOALS)]
    yield from (f"towards {goal}" for goal in near[:1])
    if place is not None:
        steps = (squares.next_spot_towards(place.point, objective.at, float(run)) for objective in state.objectives)
        yield from (step for step in steps if step is not None)
    yield from destinations_to_try(None, run)
    yield from (f"towards {goal}" for goal in near[1:])
    if near and place is not None and not unit.is_piece and (foe := state.units[near[0]].place) is not None:
        yield f"face {squares.direction_name(table.bearing(place.point, foe.point))}"


def prompts(state: EmpireState) -> Iterable[Prompt]:
    """Yield optional prompts for tested units with inches left: move towards the nearest enemy, or ahead."""
    for unit in (mover for side in state.sides for mover in allowance.units_with_unused_move(state, side.id)):
        run, foe = allowance.inches_left_in_words(state, unit), nearest(unit, state.foes(unit))
        likely = (*((f"towards {foe.id}",) if foe else ()), f"forward {run}")
        orders = [Move(unit=unit.id, to=to) for to in likely]
        key, text = f"move:{unit.id}:{state.turn}:{state.phase}", f"{unit.name} may move {run} inches"
        yield MOVE.prompt(state, orders, key, text, CONDUCT, required=False)
