"""Values by which the bot compares possible orders of its command, each named for explanations."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rules.core.hexboard.hexes import Hex
from rules.core.memo import cache_by_identity
from rules.core.value import SideValue

from .columns import Column, Stance, Task
from .day import held_value_by_power
from .estimates import (
    FACTOR_PER_DAY,
    chance_to_beat,
    chance_to_keep_point,
    days_to_goal,
    days_without_supply,
    defence_strength,
    enemy_worth_at_goal,
    enemy_worth_near,
    fighting_worth,
    march_goal,
    point_worth,
    share_of_worth_gained,
    starting_worth,
    strength_for_goal,
)
from .model import CampaignState, Point
from .scouting_reports import value_of_missing_reports
from .supply import supply_capacity

UNHELD_SHARE = 0.7
"""Share of a point's worth that counts for a point that nobody holds, because the enemy loses nothing."""
ARMY_WORTH = 12.0
"""Worth of all starting figures of a power, in points."""
VICTORY_WORTH = 6.0
"""Worth, in points, of beating enemies with the fighting worth that the own power had at the start."""
DAYS_WAITING = 1.0
"""Maximum days by which a column may arrive later than another and still count in the other's odds."""
STANDING_SHARE = 0.4
"""Factor on the danger for a column that does not attack, but stays near enemies or marches towards them."""
DARING_SHARE = 0.5
"""Factor on the danger for a power that is losing in the second half of the campaign."""
HUNGER = 6.0
"""Worth, in points, of a day without supply for the whole power."""
CONDUCT_WORTH = 0.3
"""Worth of a column's best stance or task."""
STRONG, WEAK = 0.55, 0.35
"""Minimum probability to prevail for an attack, and probability below which a column should avoid the enemy."""


def worth_of_held_points(state: CampaignState, side: str) -> float:
    """Return the worth of the points guarded by the command, each multiplied by the probability to keep it."""
    columns = _free_columns(state, side)
    own_points = [point for point in state.points.values() if columns and find_guarding_command(state, point) == side]
    defences = ((point, defence_strength(state, columns, point)) for point in own_points)
    return sum(point_worth(state, point) * chance_to_keep_point(state, side, point, own) for point, own in defences)


def worth_of_points_to_take(state: CampaignState, side: str) -> float:
    """Return the worth of points that columns march to, reduced by long marches and doubtful battles."""
    columns, power, total = _free_columns(state, side), state.power_of(side).id, 0.0
    for goal, days in _days_to_goals(state, columns):
        point = state.point_in(goal)
        if point is None or point.holder == power:
            continue
        enemies = enemy_worth_at_goal(state, side, goal)
        own = strength_for_goal(state, columns, goal, attacking=enemies > 0)
        if own:
            worth = point_worth(state, point) * (1 if point.holder else UNHELD_SHARE)
            chance = chance_to_beat(own, enemies)
            total += worth * chance * FACTOR_PER_DAY**days * share_of_worth_gained(state, power, point, days)
    return total


def worth_of_enemies_to_beat(state: CampaignState, side: str) -> float:
    """Return the worth of beating the enemies that the command's columns attack with more than even odds."""
    columns, power, total = _free_columns(state, side), state.power_of(side).id, 0.0
    for goal, days in _days_to_goals(state, columns):
        own, enemies = strength_for_goal(state, columns, goal, attacking=True), enemy_worth_near(state, side, goal)
        odds = 2 * chance_to_beat(own, enemy_worth_at_goal(state, side, goal)) - 1
        if own and enemies and odds > 0 and state.turn + days <= state.days:
            total += VICTORY_WORTH * odds * min(enemies, own) / starting_worth(state, power) * FACTOR_PER_DAY**days
    return total


def _days_to_goals(state: CampaignState, columns: Sequence[Column]) -> Iterator[tuple[Hex, float]]:
    """Yield each goal to which the columns march, with the days until the first column arrives."""
    for goal in dict.fromkeys(map(march_goal, columns)):
        yield goal, min(days_to_goal(state, column, goal) for column in columns if march_goal(column) == goal)


def danger_to_columns(state: CampaignState, side: str) -> float:
    """Return the expected losses, in points, of the command's columns near enemies."""
    columns = _free_columns(state, side)
    dares = DARING_SHARE if columns and _is_losing_late(state, state.power_of(side).id) else 1
    return dares * sum(_danger_to_column(state, column, columns) for column in columns)


def _is_losing_late(state: CampaignState, power: str) -> bool:
    """Whether a power would lose by the points held now, and half of the campaign's days are over."""
    values = held_value_by_power(state)
    return 2 * state.turn > state.days and values[power] < values[state.enemy_of(power).id]


def _danger_to_column(state: CampaignState, column: Column, columns: Sequence[Column]) -> float:
    goal = march_goal(column)
    enemies = enemy_worth_at_goal(state, column.side, goal)
    if not enemies:
        return 0.0
    soon = days_to_goal(state, column, goal) + DAYS_WAITING
    in_time = [other for other in columns if march_goal(other) == goal and days_to_goal(state, other, goal) <= soon]
    risk = 1 - chance_to_beat(strength_for_goal(state, in_time, goal), enemies)
    attacks = column.orders.stance is Stance.ATTACK and goal != column.at
    return _share_of_power_worth(state, column) * risk * ARMY_WORTH * (1 if attacks else STANDING_SHARE)


def cost_of_missing_supply(state: CampaignState, side: str) -> float:
    """Return the expected loss, in points, for lack of supply."""
    columns = _free_columns(state, side)
    return sum(HUNGER * days_without_supply(state, column) * _share_of_power_worth(state, column) for column in columns)


def worth_of_conduct(state: CampaignState, side: str) -> float:
    """Return the worth of the columns' stances and tasks, such as an attack where it is likely to win."""
    columns = _free_columns(state, side)
    return sum(_worth_of_column_conduct(state, column, columns) for column in columns)


def _worth_of_column_conduct(state: CampaignState, column: Column, columns: Sequence[Column]) -> float:
    goal = march_goal(column)
    enemies = enemy_worth_at_goal(state, column.side, goal)
    odds = chance_to_beat(strength_for_goal(state, columns, goal), enemies) if enemies else (STRONG + WEAK) / 2
    right = Stance.ATTACK if odds > STRONG else Stance.AVOID if odds < WEAK else Stance.HOLD
    value = CONDUCT_WORTH if column.orders.stance is right else 0.0
    if column.orders.task is Task.REST:
        is_quiet = not enemies and column.supply == supply_capacity(state, column)
        value += ARMY_WORTH * _worth_restored_by_rest(state, column) if is_quiet else -1
    if column.orders.task is Task.DIG_IN:
        value += CONDUCT_WORTH / 2 if enemies and goal == column.at and right is not Stance.ATTACK else -CONDUCT_WORTH
    return value


def _worth_restored_by_rest(state: CampaignState, column: Column) -> float:
    """Return the worth that a column regains by a day of rest, as a share of its power's starting worth."""
    power = state.power_of(column.side).id
    stragglers = sum(unit.stragglers for unit in column.troops)
    losses = sum(unit.start - unit.figures - unit.stragglers for unit in column.troops)
    start = sum(unit.start for unit in column.troops)
    back = stragglers + min(max(losses - start / 10, 0.0), start / state.option_value(power, "replaced"))
    return back * state.power_of(column.side).worth / starting_worth(state, power)


def find_guarding_command(state: CampaignState, point: Point) -> str:
    """Return the command with the nearest column of the point's holder; empty without a holder or column."""
    columns = ((column.side, column.at, column.listed) for column in state.units.values() if column.at is not None)
    power = next((power for power in state.powers if power.id == point.holder), None)
    return "" if power is None else _nearest_command(point.at, power.commands, tuple(columns))


@lru_cache(maxsize=512)
def _nearest_command(place: Hex, commands: tuple[str, ...], columns: tuple[tuple[str, Hex, int], ...]) -> str:
    near = ((at.distance(place), listed, side) for side, at, listed in columns if side in commands)
    return min(near, default=(0, 0, ""))[2]


def _find_free_columns(state: CampaignState, side: str) -> Sequence[Column]:
    """Return a command's columns that can be given orders."""
    return list(filter(state.is_free, state.units_of(side)))


_free_columns = cache_by_identity(_find_free_columns, most=32)


def _share_of_power_worth(state: CampaignState, column: Column) -> float:
    """Return a column's fighting worth as a share of its power's fighting worth at the start."""
    return fighting_worth(state, column) / starting_worth(state, state.power_of(column.side).id)


VALUES: tuple[SideValue[CampaignState], ...] = (
    SideValue("points held", 1.0, worth_of_held_points),
    SideValue("points to take", 1.0, worth_of_points_to_take),
    SideValue("enemies to beat", 1.0, worth_of_enemies_to_beat),
    SideValue("danger", -1.0, danger_to_columns),
    SideValue("thirst", -1.0, cost_of_missing_supply),
    SideValue("conduct", 1.0, worth_of_conduct),
    SideValue("news told", 1.0, value_of_missing_reports),
)
