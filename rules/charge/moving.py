"""Moves and changes of formation (CH-1); a move that meets enemies brings the unit into contact (CH-4.1)."""

from collections.abc import Iterable
from dataclasses import dataclass

from typing_extensions import override

from rules.core.action_type import Caption
from rules.core.model import Cite, Mark
from rules.core.refusal import Refused, refuse
from rules.core.report import Step
from rules.core.state import Action
from rules.core.tabletop import table
from rules.core.tabletop.formation_changes import FormationChange, changes_by_word
from rules.core.tabletop.marches import MarchLimits, Route, destinations_to_try, read_route
from rules.core.tabletop.table_action import TableActionType
from rules.core.tabletop.ways import Way
from rules.core.wording import decimal_text, inches

from .candidates import suggest_destinations
from .contact import bring_into_contact
from .figures import DRAWN_UP, PLACEMENT, WAYS, move_to_base
from .ground import TWICE, MoveLimit, explain_barrier, measure_move_limit, terrain_name
from .model import Arm, ChargePlay, ChargeState, ChargeUnit, Formation
from .shared import MOVES, TURNS, complete_report, find_unit_on_table, require_may_act
from .tables import cell_value, cite

GROUND = Cite(rule="CH-1.2")
IN_CONTACT = Cite(rule="CH-4.5", mark=Mark.RULING)
INTO_CONTACT = "into contact"
SHORTEST_RUN = 0.1
"""Shortest move in inches up to barring ground; a shorter move is refused."""
NORMAL_GOING, HINDERED = "normal going", "hindered ground"
CHANGES = changes_by_word(
    *(
        FormationChange[ChargeState, ChargeUnit](
            formation.value,
            DRAWN_UP,
            {"formation": formation},
            bars=((lambda unit: unit.arm is Arm.GUN, "{unit:are} a gun, and {unit:have} no formation."),),
            says=f"form {formation.value}",
        )
        for formation in Formation
    )
)


class Move(Action):
    """A move of a unit, perhaps with a change of formation.

    `to` is a destination on the table, such as `forward 6`; for a unit without a place, a text for the log. Without
    places, the circumstance `hindered ground` marks the whole path as hindered.
    """

    circumstance_names = (*CHANGES, INTO_CONTACT, HINDERED, NORMAL_GOING)

    to: str | None = None


@dataclass(frozen=True)
class MovePlan:
    """An allowed move. `unit_ready` is the unit before the move, with its formation already changed."""

    unit: str
    unit_ready: ChargeUnit
    words: tuple[str, ...]
    change: str
    route: Route
    reach: MarchLimits
    steps: tuple[Step, ...]
    barred: str = ""
    """Why the unit cannot go beyond its reach, or empty."""


class MoveType(TableActionType[ChargeState, Move, MovePlan]):
    """A unit's move and change of formation (CH-1)."""

    action = Move
    words_decided_by_place = (NORMAL_GOING, HINDERED, INTO_CONTACT)

    def suggest_for_unit(self, state: ChargeState, unit: str) -> Iterable[Move]:
        """Yield candidate moves of a unit: towards enemies and objectives, straight ahead, and into each formation."""
        moving_unit = state.units[unit]
        may_not_move = state.phase != MOVES or moving_unit.this_turn.has_moved or state.fight_of(unit) is not None
        if not moving_unit.on_table or moving_unit.side != state.active or (state.scenario and may_not_move):
            return
        if (base := PLACEMENT.base(moving_unit)) is None:
            yield Move(unit=unit)
            yield from WAYS.moves_into_contact(state, moving_unit, Move, INTO_CONTACT)
            return
        full = full_move_inches(state, moving_unit)
        enemy = PLACEMENT.nearest_unit(moving_unit, state.enemies(moving_unit.side))
        ahead = measure_move_limit(state, moving_unit, Way(base.facing, full, base), full, full).inches
        straight_ahead = f"forward {int(ahead * 10 + table.CLOSE) / 10:g}"
        half = f"forward {full * float(1 - state.options.change_of_formation):g}"
        plain = (*destinations_to_try(enemy, f"{full:g}"), straight_ahead, half)
        for to, form in dict.fromkeys((*suggest_destinations(state, moving_unit, full), *((to, "") for to in plain))):
            yield Move(unit=unit, to=to, circumstances=(form,) if form else ())
        yield from (Move(unit=unit, circumstances=(word,)) for word in CHANGES)
        yield from (Move(unit=unit, to=half, circumstances=(word,)) for word in CHANGES)

    def plan(self, state: ChargeState, action: Move) -> MovePlan:
        """Return the plan: formation, route and reach in inches. Raises Refused, with the rule's number."""
        unit, words = find_unit_on_table(state, action.unit), action.circumstances
        require_may_act(state, unit, MOVES)
        in_contact = f"{unit:are} in contact: {unit:they stand} until the mêlée has been fought."
        refuse(IN_CONTACT, (state.fight_of(unit.id), in_contact))
        refuse(TURNS, (unit.this_turn.has_moved, f"{unit:have} moved this turn."))
        gunless = unit.arm is Arm.GUN and unit.gun_destroyed
        refuse(Cite(rule="CH-3.4").as_ruling, (gunless, f"The gun of {unit.name} is destroyed; its crew stand by it."))
        change = next((word for word in CHANGES if word in words), "")
        destination = read_route(state, unit, action.to, stays=bool(change))
        unit_ready = CHANGES[change].apply(state, unit) if change else unit
        route = WAYS.trace_route(state, unit_ready, destination)
        full = full_move_inches(state, unit)
        inches_left = full * float(1 - state.options.change_of_formation) if change else full
        steps = [Step(text=f"{unit.arm.capitalize()}: {decimal_text(full)} inches", cite=cite("movement", unit.arm))]
        if change:
            part = f"{CHANGES[change].report_verb}: {inches(full - inches_left)} of it"
            steps.append(Step(text=unit.verb(part).capitalize(), cite=DRAWN_UP))
        if not route.marches:
            halt = WAYS.check_change_on_spot(state, unit, route, changes=bool(change))
            placed_unit = move_to_base(unit_ready, halt.base)
            WAYS.require_clearance(state, placed_unit, WAYS.rule)
            bars = "" if explain_barrier(state, unit) else explain_barrier(state, placed_unit)
            refuse(GROUND, (bars, f"{unit:have} no room: {bars}. Move {unit:them} clear first."))
            return MovePlan(unit.id, unit_ready, words, change, route, MarchLimits(0.0, 0.0, TURNS), tuple(steps))
        far = measure_move_limit(state, unit_ready, route.way, inches_left, full)
        if HINDERED in words or NORMAL_GOING in words:
            far = MoveLimit(inches_left / TWICE if HINDERED in words else inches_left, ())
        steps += [
            _make_terrain_step(terrain_name(stretch.piece), stretch.obstacle)
            for stretch in far.hindered
            if stretch.start < (route.wanted_inches or full)
        ]
        refuse(GROUND, (far.barred and far.inches < SHORTEST_RUN, f"{unit:are} barred: {far.barred}."))
        rule = DRAWN_UP if change else cite("movement", unit.arm)
        reach = MarchLimits(far.inches, far.inches, GROUND if far.hindered or far.barred else rule)
        try:
            WAYS.check_march(state, unit_ready, route, reach, attacks=INTO_CONTACT in words)
        except Refused as refused:
            raise Refused(f"{refused.why} {_explain_move_limit(far)}".strip(), refused.cite) from None
        return MovePlan(unit.id, unit_ready, words, change, route, reach, tuple(steps), far.barred)

    @override
    def effect_on_move(self, state: ChargeState, plan: MovePlan) -> str:
        """Return in words how much of the move a change of formation takes; empty without a change."""
        full = full_move_inches(state, state.unit(plan.unit))
        cost = full * float(state.options.change_of_formation)
        return f"takes {inches(cost)} of {inches(full)}" if plan.change else ""

    def caption(self, state: ChargeState, plan: MovePlan) -> Caption:
        """Return a caption such as `Grenadiers: forward 6, column`."""
        to = plan.route.in_words(state)
        text = ", ".join(word for word in (to[:1].lower() + to[1:], *plan.words) if word)
        return Caption(f"{state.unit(plan.unit).name}: {text or 'move'}")

    def resolve(self, play: ChargePlay, plan: MovePlan) -> None:
        """Move the unit as far as possible, and bring it into contact with enemies met on the way."""
        state, unit = play.state, plan.unit_ready
        halt = WAYS.find_halt_on_route(state, unit, plan.route, plan.reach.furthest)
        play.say(*plan.steps)
        play.change(unit.id, formation=unit.formation, place=move_to_base(unit, halt.base).place)
        play.remember(unit.id, has_moved=True)
        play.say(*plan.route.quote_words(unit, halt.run, TURNS))
        met = WAYS.enemies_met(state, unit, plan.route, halt, attacks=INTO_CONTACT in plan.words)
        bring_into_contact(play, unit.id, met)
        actions = (*plan.route.describe_move(halt.run), *((CHANGES[plan.change].report_verb,) if plan.change else ()))
        into = f", into contact with {' and '.join(state.unit(unit_id).name for unit_id in met)}" if met else ""
        outcome = plan.route.describe_final_position(play.state.unit(unit.id), halt.run, "figures")
        stopped = plan.barred and not halt.crowded_by and halt.run >= plan.reach.furthest - table.CLOSE
        short = (f"Halted after {inches(halt.run)}: {plan.barred}.",) if stopped else ()
        warnings = (*halt.warnings, *short)
        headline = f"{unit.describe_actions(actions)}{into}"
        complete_report(play, headline, unit.id, *met, outcome=outcome, warnings=warnings)


def full_move_inches(state: ChargeState, unit: ChargeUnit) -> float:
    """Return a unit's full move in inches (CH-1.1)."""
    printed = cell_value("movement", unit.arm, "a turn")
    return state.options.cavalry_move if printed is None else float(printed)


def _make_terrain_step(place: str, obstacle: bool) -> Step:
    """Return the report step for terrain that hinders the move. `place` is the name of the terrain."""
    text = f"{place}: half of the move to cross" if obstacle else f"{place}: every inch counts two"
    return Step(text=f"{text[0].upper()}{text[1:]}", cite=GROUND.as_ruling)


def _explain_move_limit(move_limit: MoveLimit) -> str:
    """Return a sentence that says why the unit can go no further. Empty if terrain does not matter."""
    if move_limit.barred:
        return f"{move_limit.barred[0].upper()}{move_limit.barred[1:]}."
    names = dict.fromkeys(terrain_name(stretch.piece) for stretch in move_limit.hindered)
    return f"It is slowed by {' and '.join(names)}." if names else ""


MOVE = MoveType()
