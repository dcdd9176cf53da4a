"""Values by which the bot compares orders of its command; each has a name for explanations."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rules.core.hexboard.hexes import Hex
from rules.core.memo import cache_by_identity
from rules.core.value import Worth

from .columns import Column, Stance, Task
from .day import values_held
from .estimates import (
    LATER,
    chance,
    chance_to_keep,
    days_to,
    defence_at,
    dry_days,
    enemies_at,
    enemies_near,
    fighting_worth,
    goal_of,
    own_worth,
    point_worth,
    share_in_time,
    strength_at,
)
from .model import CampaignState, Point
from .scouting_reports import value_of_reports
from .supply import most_supply

UNHELD_SHARE = 0.7
"""Share of a point's worth that counts if nobody holds the point: the enemy loses nothing."""
WHOLE_ARMY = 12.0
"""Worth of all starting figures of a power, in points."""
PRIZE = 6.0
"""Worth, in points, of beating enemies whose fighting worth equals that of the own power at the start."""
DAYS_WAITING = 1.0
"""Days within which later columns still count in the odds of an attack."""
STANDING_SHARE = 0.4
"""Factor on the danger for a column that does not attack, but stays near enemies or marches towards them."""
DARING_SHARE = 0.5
"""Factor on the danger for a power that is losing in the second half of the campaign."""
THIRST = 6.0
"""Worth, in points, of a day without supply for the whole power."""
CONDUCT = 0.3
"""Worth of a column's best stance or task."""
SURE, WEAK = 0.55, 0.35
"""Minimum probability to prevail for an attack, and probability below which a column should avoid the enemy."""


def points_held(state: CampaignState, side: str) -> float:
    """Return the worth of the points guarded by the command, weighted by the probability to keep each."""
    columns = _free(state, side)
    own_points = [point for point in state.points.values() if columns and guardian_of(state, point) == side]
    defences = ((point, defence_at(state, columns, point)) for point in own_points)
    return sum(point_worth(state, point) * chance_to_keep(state, side, point, own) for point, own in defences)


def points_to_take(state: CampaignState, side: str) -> float:
    """Return the worth of the points that columns march to, weighted by days and by the probability to take each."""
    columns, power, total = _free(state, side), state.power_of(side).id, 0.0
    for goal, days in _days_to_goals(state, columns):
        point = state.point_in(goal)
        if point is None or point.holder == power:
            continue
        enemies = enemies_at(state, side, goal)
        own = strength_at(state, columns, goal, attacking=enemies > 0)
        worth = point_worth(state, point) * (1 if point.holder else UNHELD_SHARE)
        total += worth * chance(own, enemies) * LATER**days * share_in_time(state, power, point, days) if own else 0.0
    return total


def enemies_to_beat(state: CampaignState, side: str) -> float:
    """Return the worth of beating the enemies that the command's columns attack with more than even odds."""
    columns, power, total = _free(state, side), state.power_of(side).id, 0.0
    for goal, days in _days_to_goals(state, columns):
        own, enemies = strength_at(state, columns, goal, attacking=True), enemies_near(state, side, goal)
        odds = 2 * chance(own, enemies_at(state, side, goal)) - 1
        if own and enemies and odds > 0 and state.turn + days <= state.days:
            total += PRIZE * odds * min(enemies, own) / own_worth(state, power) * LATER**days
    return total


def _days_to_goals(state: CampaignState, columns: Sequence[Column]) -> Iterator[tuple[Hex, float]]:
    """Yield each goal of the columns, with the number of days until the first column arrives."""
    for goal in dict.fromkeys(map(goal_of, columns)):
        yield goal, min(days_to(state, column, goal) for column in columns if goal_of(column) == goal)


def danger(state: CampaignState, side: str) -> float:
    """Return the expected losses, in points, of columns near enemies, by the odds of the columns that come in time."""
    columns = _free(state, side)
    dares = DARING_SHARE if columns and _is_behind(state, state.power_of(side).id) else 1
    return dares * sum(_danger_of(state, column, columns) for column in columns)


def _is_behind(state: CampaignState, power: str) -> bool:
    """Whether a power would lose by the points held now, in the second half of the campaign."""
    values = values_held(state)
    return 2 * state.turn > state.days and values[power] < values[state.enemy_of(power).id]


def _danger_of(state: CampaignState, column: Column, columns: Sequence[Column]) -> float:
    goal = goal_of(column)
    enemies = enemies_at(state, column.side, goal)
    if not enemies:
        return 0.0
    soon = days_to(state, column, goal) + DAYS_WAITING
    in_time = [other for other in columns if goal_of(other) == goal and days_to(state, other, goal) <= soon]
    risk = 1 - chance(strength_at(state, in_time, goal), enemies)
    attacks = column.orders.stance is Stance.ATTACK and goal != column.at
    return _share(state, column) * risk * WHOLE_ARMY * (1 if attacks else STANDING_SHARE)


def thirst(state: CampaignState, side: str) -> float:
    """Return the expected loss, in points, for lack of supply."""
    return sum(THIRST * dry_days(state, column) * _share(state, column) for column in _free(state, side))


def conduct(state: CampaignState, side: str) -> float:
    """Return the worth of the columns' stances and tasks: attack if likely to prevail, else keep away."""
    columns = _free(state, side)
    return sum(_conduct_of(state, column, columns) for column in columns)


def _conduct_of(state: CampaignState, column: Column, columns: Sequence[Column]) -> float:
    goal = goal_of(column)
    enemies = enemies_at(state, column.side, goal)
    odds = chance(strength_at(state, columns, goal), enemies) if enemies else (SURE + WEAK) / 2
    right = Stance.ATTACK if odds > SURE else Stance.AVOID if odds < WEAK else Stance.HOLD
    value = CONDUCT if column.orders.stance is right else 0.0
    if column.orders.task is Task.REST:
        is_quiet = not enemies and column.supply == most_supply(state, column)
        value += WHOLE_ARMY * _replaced_a_day(state, column) if is_quiet else -1
    if column.orders.task is Task.DIG_IN:
        value += CONDUCT / 2 if enemies and goal == column.at and right is not Stance.ATTACK else -CONDUCT
    return value


def _replaced_a_day(state: CampaignState, column: Column) -> float:
    """Return the stragglers and replacements of a column's day of rest, as a share of its power's starting worth."""
    power = state.power_of(column.side).id
    stragglers = sum(unit.stragglers for unit in column.troops)
    losses = sum(unit.start - unit.figures - unit.stragglers for unit in column.troops)
    start = sum(unit.start for unit in column.troops)
    back = stragglers + min(max(losses - start / 10, 0.0), start / state.value(power, "replaced"))
    return back * state.power_of(column.side).worth / own_worth(state, power)


def guardian_of(state: CampaignState, point: Point) -> str:
    """Return the command that guards a point of its power: the command with the nearest column; empty without one."""
    columns = ((column.side, column.at, column.listed) for column in state.units.values() if column.at is not None)
    power = next((power for power in state.powers if power.id == point.holder), None)
    return "" if power is None else _nearest_command(point.at, power.commands, tuple(columns))


@lru_cache(maxsize=512)
def _nearest_command(place: Hex, commands: tuple[str, ...], columns: tuple[tuple[str, Hex, int], ...]) -> str:
    near = ((at.distance(place), listed, side) for side, at, listed in columns if side in commands)
    return min(near, default=(0, 0, ""))[2]


def _find_free(state: CampaignState, side: str) -> Sequence[Column]:
    """Return a command's columns that can be given orders."""
    return [column for column in state.of_side(side) if state.is_free(column) and column.at is not None]


_free = cache_by_identity(_find_free, most=32)


def _share(state: CampaignState, column: Column) -> float:
    """Return a column's fighting worth as a share of its power's starting worth."""
    return fighting_worth(state, column) / own_worth(state, state.power_of(column.side).id)


VALUES: tuple[Worth[CampaignState], ...] = (
    Worth("points held", 1.0, points_held),
    Worth("points to take", 1.0, points_to_take),
    Worth("enemies to beat", 1.0, enemies_to_beat),
    Worth("danger", -1.0, danger),
    Worth("thirst", -1.0, thirst),
    Worth("conduct", 1.0, conduct),
    Worth("news told", 1.0, value_of_reports),
)
