"""Orders to a column: way, stance, conduct on sight of the enemy, and task (CA-1.3 to CA-1.8)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from typing_extensions import override

from rules.core.action_type import ActionType, Caption
from rules.core.hexboard.hexes import Hex
from rules.core.refusal import Refused, refuse
from rules.core.state import Action
from rules.core.unit_lookup import find_unit
from rules.core.wording import join_with_and

from .columns import Column, ConductOnSight, Orders, Stance, Task
from .day import hexes_to_avoid
from .forecast import ForecastStep, describe_stop, forecast_march
from .ground import Board, board_of
from .knowledge import record_activity, viewers_of_orders
from .model import CampaignPlay, CampaignState
from .release import require_orders_open
from .telling import cite
from .ways import find_way

CHANGES: dict[str, dict[str, Any]] = {
    "attack": {"stance": Stance.ATTACK},
    "hold": {"stance": Stance.HOLD},
    "avoid": {"stance": Stance.AVOID},
    "carry on": {"on_sight": ConductOnSight.CARRY_ON, "refuge": None},
    "halt on sight": {"on_sight": ConductOnSight.HALT, "refuge": None},
    "no task": {"task": Task.NONE, "until": 0},
    "force the march": {"task": Task.FORCE, "until": 0},
    "scout": {"task": Task.SCOUT, "until": 0},
    "dig in": {"task": Task.DIG_IN, "until": 0},
    "rest": {"task": Task.REST, "until": 0},
    "stay": {"way": ()},
    "by road": {},
}
"""Changed fields of a column's orders, by the circumstance that changes them."""
STAYS = "{} would stay where it is. Order the march now, and the task when the column is there."
LONGEST_WAIT = 3
"""Maximum number of days that menus offer to wait."""


class Move(Action):
    """Orders to a column: a way to a goal or through several hexes, and changes in `with`. Other orders stay."""

    only_announces = True
    stays_for_readers = True
    circumstance_names = tuple(CHANGES)
    field_words: ClassVar[Mapping[str, str]] = {"back": "on sight back to", "until": "wait until day"}
    place_fields = ("back",)

    unit: str
    to: str = ""
    back: str = ""
    """Goal for falling back on sight of enemies."""
    until: int = 0
    """Day on which a waiting column marches again."""
    by_deputy: bool = False
    """Whether a deputy gives the order in the command's stead (CA-1.10)."""


@dataclass(frozen=True)
class OrderPlan:
    """Planned orders of a column, with the forecast of the march."""

    column: str
    orders: Orders
    march: Sequence[ForecastStep]
    stop: str = ""
    """What would stop the march as far as the command knows; empty for nothing."""
    by_deputy: bool = False


class MoveType(ActionType[CampaignState, Move, OrderPlan]):
    """Action type of orders to a column (CA-1.3)."""

    action = Move

    @override
    def suggest_actions(self, state: CampaignState) -> Iterable[Move]:
        """Yield, for every column, marches to each named place, and each change of conduct."""
        goals = board_of(state).spec.names
        for column in state.columns:
            if column.side not in state.done:
                yield from (Move(unit=column.id, to=goal) for hex_, goal in goals.items() if hex_ != column.at)
                yield from (Move.model_validate({"unit": column.id, "with": (word,)}) for word in CHANGES)
                later = range(state.turn + 1, min(state.turn + LONGEST_WAIT, state.days) + 1)
                yield from (Move(unit=column.id, until=day) for day in later)

    def plan(self, state: CampaignState, action: Move) -> OrderPlan:
        """Return the planned orders. Raises Refused for orders that the command knows to be impossible (CA-1.8)."""
        column: Column = find_unit(state, action.unit, "column")
        origin = column.at
        if origin is None:
            raise Refused(f"{column.name} is not on the map yet. Choose another column.", cite("8.4"))
        nothing = not (action.to or action.back or action.until or action.circumstances)
        ways = "a goal (to:), a stance or a task (with:), a place to fall back to (back:)"
        refuse(cite("1.3"), (nothing, f"Say what {column.name} is to do: {ways}."))
        require_orders_open(state, column.side, cite("1.3"))
        refuse(cite("5.8"), (not state.is_free(column), f"{column.name} is in a battle. Choose another column."))
        changes = self._merge_changes(action)
        clash = "Say one of them: %s contradict each other."
        refuse(
            cite("1.3"),
            (bool(action.to) and "way" in changes, clash % "to: and stay"),
            (bool(action.back) and "on_sight" in changes, clash % "back: and what else it does on sight of the enemy"),
            (bool(action.to) and changes.get("task") in (Task.DIG_IN, Task.REST), STAYS.format(column.name)),
            ("by road" in action.circumstances and not action.to, "Say where to go by road."),
            (bool(action.until) and "task" in changes, clash % "until: and another task"),
        )
        orders = column.orders.model_copy(update=changes)
        board = board_of(state)
        if action.to:
            orders = orders.model_copy(update={"way": _find_way(state, column, origin, action)})
        if action.back:
            refuge = board.parse_hexes(action.back)[-1]
            if find_way(state, column, origin, refuge, hexes_to_avoid(state, column.side)) is None:
                _refuse_barred_way(state, column, origin, refuge)
                raise Refused(_why_no_way(column, board, origin, refuge), cite("1.8"))
            orders = orders.model_copy(update={"on_sight": ConductOnSight.FALL_BACK, "refuge": refuge})
        if action.until:
            refuse(cite("1.6"), (action.until <= state.turn, f"Day {action.until} is not to come. Give a later day."))
            orders = orders.model_copy(update={"task": Task.WAIT, "until": action.until})
        after = column.model_copy(update={"orders": orders})
        march = forecast_march(state, after)
        return OrderPlan(column.id, orders, march, describe_stop(state, after, march), action.by_deputy)

    @staticmethod
    def _merge_changes(action: Move) -> dict[str, Any]:
        """Return the changes of all circumstances together. Raises Refused if two circumstances change one field."""
        merged: dict[str, Any] = {}
        for word in action.circumstances:
            changes = CHANGES[word]
            if merged.keys() & changes.keys():
                raise Refused(f"“{word}” contradicts what stands before it. Give one of them.", cite("1.3"))
            merged |= changes
        return merged

    @override
    def effect_on_move(self, state: CampaignState, plan: OrderPlan) -> str:
        """Return the arrival at the goal: `there tomorrow, impulse 8`, or `there after day 4` beyond the forecast."""
        if not plan.march:
            return ""
        last = plan.march[-1]
        day = day_in_words(last.day, state.turn)
        return f"there {day}, impulse {last.impulse}" if last.hex == plan.orders.way[-1] else f"there after {day}"

    @override
    def expected_course(self, state: CampaignState, plan: OrderPlan) -> str:
        """Return in words the hexes of the march, with days and impulses, and what will stop it."""
        title, days = board_of(state).title, dict[int, list[str]]()
        for step in plan.march:
            days.setdefault(step.day, []).append(f"{title(step.hex)} (impulse {step.impulse})")
        words = [f"{day_in_words(day, state.turn).capitalize()}: {', '.join(steps)}." for day, steps in days.items()]
        if plan.march and plan.march[-1].hex != plan.orders.way[-1]:
            words.append(f"Then on to {title(plan.orders.way[-1])}.")
        return " ".join(filter(None, (*words, plan.stop)))

    def caption(self, state: CampaignState, plan: OrderPlan) -> Caption:
        """Return a caption such as `Graham's column: to 1009 (Tamai), attack`."""
        return Caption(f"{state.unit(plan.column).name}: {orders_in_words(state, plan.orders)}")

    def resolve(self, play: CampaignPlay, plan: OrderPlan) -> None:
        """Store the orders; report them to the command and its chief only."""
        column = play.state.unit(plan.column)
        play.change(column.id, orders=plan.orders)
        record_activity(play, column.side, by_deputy=plan.by_deputy)
        play.tell(
            headline=f"{column.name}: {orders_in_words(play.state, plan.orders)}.",
            outcome=self.expected_course(play.state, plan),
            units=(column.id,),
            audience=viewers_of_orders(play.state, column.side),
        )


def _find_way(state: CampaignState, column: Column, position: Hex, action: Move) -> tuple[Hex, ...]:
    """Return the way through the hexes that an order names. Raises Refused, with the reason, if there is no way."""
    board, closed, by_road = board_of(state), hexes_to_avoid(state, column.side), "by road" in action.circumstances
    way: list[Hex] = []
    goals = board.parse_hexes(action.to)
    for goal in goals:
        is_step = position.distance(goal) == 1 and len(goals) > 1 and not by_road
        part = (goal,) if is_step else find_way(state, column, position, goal, closed, by_road=by_road)
        if part is None:
            _refuse_barred_way(state, column, position, goal, by_road=by_road)
        if part is None and by_road:
            no_road = f"No road leads {column.name} from {board.title(position)} to {board.title(goal)}."
            raise Refused(f"{no_road} Without “by road” it takes the quickest way.", cite("1.3"))
        if part is None or (position.distance(goal) == 1 and board.why_barred(position, goal, column.pace)):
            raise Refused(_why_no_way(column, board, position, goal), cite("1.8"))
        way.extend(part)
        position = goal
    refuse(cite("1.3"), (not way, f"{column.name} is in {board.title(position)} already."))
    return tuple(way)


def _refuse_barred_way(state: CampaignState, column: Column, origin: Hex, goal: Hex, *, by_road: bool = False) -> None:
    """Raise Refused if only known enemies or battles keep the column from reaching a goal."""
    if find_way(state, column, origin, goal, frozenset(), by_road=by_road) is not None:
        title = board_of(state).title
        barred = f"Enemies that you see, or battles, bar the way from {title(origin)} to {title(goal)}."
        raise Refused(f"{barred} To march at them, give the hexes one by one.", cite("1.3"))


def _why_no_way(column: Column, board: Board, origin: Hex, goal: Hex) -> str:
    """Return the reason why no way leads a column to a goal."""
    start, end = board.title(origin), board.title(goal)
    if origin.distance(goal) == 1:
        return f"{column.name} cannot go from {start} to {end}: {board.why_barred(origin, goal, column.pace)}."
    reasons = [board.why_barred(hex_, goal, column.pace) for hex_ in goal.neighbours() if hex_ in board.terrain]
    if all(reasons):
        return f"{column.name} cannot enter {end}: {join_with_and(sorted(set(reasons)))}."
    return f"No way leads {column.name} from {start} to {end}: it marches as {column.pace}."


def orders_in_words(state: CampaignState, orders: Orders) -> str:
    """Return orders in words: `to 1009 (Tamai), attack, halt on sight of the enemy`."""
    board = board_of(state)
    goal = f"to {board.title(orders.way[-1])}" if orders.way else "stays"
    parts = [goal, orders.stance.value]
    if orders.on_sight is ConductOnSight.HALT:
        parts.append("halt on sight of the enemy")
    elif orders.on_sight is ConductOnSight.FALL_BACK and orders.refuge is not None:
        parts.append(f"on sight of the enemy back to {board.title(orders.refuge)}")
    if orders.task is Task.WAIT:
        parts.append(f"wait until day {orders.until}")
    elif orders.task is not Task.NONE:
        parts.append(orders.task.value)
    return ", ".join(parts)


def day_in_words(day: int, today: int) -> str:
    """Return `today`, `tomorrow`, or `day 4`."""
    return {today: "today", today + 1: "tomorrow"}.get(day, f"day {day}")


MOVE = MoveType()
