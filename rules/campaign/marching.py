"""Marches in impulses: movement points, steps, and reasons to stop (CA-2.1 to CA-2.5, CA-1.4, CA-5.1)."""

from collections.abc import Sequence

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex
from rules.core.model import UMPIRE
from rules.core.report import Step

from .columns import Column, Stance, Task
from .going_back import CameFrom
from .ground import board_of
from .model import CampaignPlay, CampaignState, PointKind
from .seeing import enemies_in_sight
from .telling import UMPIRE_ALONE, cite, report_on_column
from .ways import march_points_of_pace

IMPULSES = 12
LAST_IMPULSE = IMPULSES + 1
"""The impulse in which a column that has not entered a hex today enters its next hex (CA-2.4)."""
SCOUTING_COSTS = 1
"""Movement points that scouting costs a column each day (CA-2.1)."""


def march_points_per_day(state: CampaignState, column: Column) -> int:
    """Return a column's movement points for a day's march (CA-2.1)."""
    power = state.power_of(column.side).id
    points = march_points_of_pace(state, power, column.pace)
    if column.orders.task is Task.FORCE:
        points += state.option_value(power, "forced_march")
    return points - (SCOUTING_COSTS if column.orders.task is Task.SCOUT else 0)


def gets_march_point(impulse: int, points: int) -> bool:
    """Whether a column with `points` movement points a day gets one of them in that impulse (CA-2.3)."""
    return impulse * points // IMPULSES > (impulse - 1) * points // IMPULSES


def is_marching(state: CampaignState, column: Column) -> bool:
    """Whether a column has hexes ahead, and no task, stop or battle keeps it in place."""
    orders = column.orders
    return bool(orders.way) and not orders.task.stays and not column.today.is_stopped and state.is_free(column)


def march_columns(play: CampaignPlay, impulse: int) -> CameFrom:
    """Give movement points, move the columns that can pay for their next hex, and return the hexes that they left."""
    _give_march_points(play, impulse)
    marching = [column for column in play.state.columns if is_marching(play.state, column)]
    due = [column for column in marching if _check_step_is_due(play, column, impulse)]
    entering = [column for column in due if not _stop_if_held_up(play, column)]
    return {column.id: _enter_next_hex(play, column) for column in _settle_opposed_crossings(play, entering)}


def _give_march_points(play: CampaignPlay, impulse: int) -> None:
    """Give a movement point to each marching column that is due one, unless it has enough to go on (CA-2.3)."""
    if impulse == LAST_IMPULSE:
        return
    for column in play.state.columns:
        if is_marching(play.state, column) and gets_march_point(impulse, march_points_per_day(play.state, column)):
            price = next_step_cost(play.state, column)
            points = column.today.points if price is None else min(column.today.points + 1, price)
            play.change(column.id, today=column.today.model_copy(update={"points": points}))


def next_step_cost(state: CampaignState, column: Column) -> int | None:
    """Return the movement points for a column's next hex; None if the column cannot march there, or goes by sea."""
    start, next_hex = unit_hex(column), column.orders.way[0]
    return board_of(state).step_cost(start, next_hex, column.pace) if start.distance(next_hex) == 1 else None


def _check_step_is_due(play: CampaignPlay, column: Column, impulse: int) -> bool:
    """Return whether a column is due to enter its next hex in this impulse. Stop the column if it cannot enter."""
    state, next_hex, today = play.state, column.orders.way[0], column.today
    start = unit_hex(column)
    if start.distance(next_hex) != 1:
        return _check_passage_is_due(play, column, impulse)
    price = next_step_cost(state, column)
    if price is None:
        board = board_of(state)
        why = board.why_barred(start, next_hex, column.pace)
        _stop_column(play, column, "1.8", f"stops before {board.title(next_hex)}: {why}")
        return False
    if impulse == LAST_IMPULSE:
        return not today.entered and not today.has_turned
    return today.points >= price


def _check_passage_is_due(play: CampaignPlay, column: Column, impulse: int) -> bool:
    """Return whether a column ends its passage by sea in this impulse, after a whole day (CA-2.2).

    Stop the column unless its power holds the ports at both ends.
    """
    state, next_hex = play.state, column.orders.way[0]
    if not (is_own_port(state, column, column.at) and is_own_port(state, column, next_hex)):
        _stop_column(play, column, "2.2", f"finds no ship to {board_of(state).title(next_hex)}")
        return False
    return impulse == IMPULSES and not column.today.entered and not column.today.has_turned


def is_own_port(state: CampaignState, column: Column, hex_: Hex | None) -> bool:
    """Whether a hex is a port that the column's power holds."""
    point = state.point_in(hex_) if hex_ is not None else None
    return point is not None and PointKind.PORT in point.kinds and point.holder == state.power_of(column.side).id


def _stop_if_held_up(play: CampaignPlay, column: Column) -> bool:
    """Stop a column before a battle, or before enemies in sight if it does not attack; return whether it stops."""
    state, next_hex = play.state, column.orders.way[0]
    title = board_of(state).title(next_hex)
    if state.battle_in(next_hex) is not None:
        _stop_column(play, column, "5.8", f"stops before {title}: a battle is fought there")
        return True
    if column.orders.stance is Stance.ATTACK:
        return False
    near = any(next_hex.distance(unit_hex(enemy)) <= 1 for enemy in enemies_in_sight(state, column))
    if near:
        _stop_column(play, column, "1.4", f"stops before {title}: the enemy is near")
    return near


def _stop_column(play: CampaignPlay, column: Column, rule: str, why: str) -> None:
    play.change(column.id, today=column.today.model_copy(update={"is_stopped": True}))
    report_on_column(play, column, rule, why)


def _settle_opposed_crossings(play: CampaignPlay, entering: Sequence[Column]) -> list[Column]:
    """Return the columns that may enter their next hex, after a D6 between enemies who would swap hexes (CA-5.1)."""
    state, first = play.state, play.state.powers[0].id
    steps: dict[tuple[Hex, Hex], list[Column]] = {}
    for column in entering:
        steps.setdefault((unit_hex(column), column.orders.way[0]), []).append(column)
    held_ids: set[str] = set()
    for start, end in sorted(step for step in steps if step < step[::-1] and step[::-1] in steps):
        crossing = [*steps[start, end], *steps[end, start]]
        all_ids = {column.id for column in crossing}
        first_ids = {column.id for column in crossing if state.power_of(column.side).id == first}
        if not first_ids or first_ids == all_ids:
            continue
        title = board_of(state).title
        throw = play.throw(1, 6, f"Enemies between {title(start)} and {title(end)}", side=UMPIRE, hidden=True)
        staying_ids, staying = (first_ids, 0) if throw.total <= 3 else (all_ids - first_ids, 1)
        held_ids |= staying_ids
        verdict = f"the {state.powers[staying].name} stay, the others cross"
        play.say(Step(text=throw.label, cite=cite("5.1"), throws=(throw,), verdict=verdict, only_for=UMPIRE_ALONE))
        audience = frozenset(command for column in crossing for command in state.sides_sharing_view(column.side))
        text = f"on a {throw.total}, {verdict}"  # a numbered throw would reveal how many hidden throws came before
        play.say(Step(text=throw.label, cite=cite("5.1"), verdict=text, only_for=audience))
    return [column for column in entering if column.id not in held_ids]


def _enter_next_hex(play: CampaignPlay, column: Column) -> Hex:
    """Move a column into its next hex, and return the hex that it left.

    All its movement points are spent, even if it falls back into a cheaper hex (CA-2.3).
    """
    start, (next_hex, *way) = unit_hex(column), column.orders.way
    by_road = frozenset((start, next_hex)) in board_of(play.state).road_steps
    entered, by_road = (*column.today.entered, next_hex), column.today.by_road and by_road
    today = column.today.model_copy(update={"points": 0, "entered": entered, "by_road": by_road})
    orders = column.orders.model_copy(update={"way": tuple(way)})
    way_back = column.way_back_after_step(next_hex)
    play.change(column.id, at=next_hex, way_back=way_back, today=today, orders=orders, days_dug=0)
    return start
