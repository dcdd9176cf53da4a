"""Estimates of a bot's command: days of a march, enemies near a place, and the chance to prevail there.

They use the command's sightings. Where nothing is sighted, they assume an enemy as strong as the own power.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from rules.core.hexboard.hexes import Hex
from rules.core.memo import cache_by_identity

from .columns import Column, Pace, Stance
from .day import is_entrenched
from .ground import Board, board_of
from .intelligence import Sighting, Sightings, Size
from .model import CampaignState, Point, PointKind
from .supply import FEEDS, supplied_hexes
from .ways import Travel, day_points, points_to

FIGURES_OF: Mapping[Size, int] = {Size.PARTY: 20, Size.FORCE: 70, Size.ARMY: 200}
"""Figures that the bot assumes for enemies seen from afar."""
OLD, NEAR, FAR = 0.7, 3, 8
"""Share of a sighting's figures that counts after each day; hexes within which enemies count for a place to take, and
for a place to hold."""
PARITY, UNSEEN = 0.7, 0.15
"""Share of its own power's worth that the bot fears to stand unseen at all enemy points, and to come from each of them
to its own points, by the points' values."""
BEHIND_WORKS, ON_THE_SPOT = 1.7, 1.2
"""Factors of the worth of who defends: in a fort or entrenched, or only there first."""
LATER, HELP = 0.9, 0.5
"""Share of a goal's worth, and of a defender's, that counts for each day of the way; share of the worth of columns a
day's march away that a column counts on when it attacks."""
COMES = 0.35
"""Chance that an enemy comes to a point near whom none is sighted."""
SUPPLY_WORTH, DECISIVE, TAKEN_LATE = 1.0, 2.0, 0.5
"""Worth of a base or depot, and of a point for sudden victory; share of a point's worth that is taken too late to count
for its taker, but not too late for its loser."""
DAYS_AT_GOAL = 2
"""Days that a column means to stay at its goal, for its supply."""


def goal_of(column: Column) -> Hex:
    """Return the hex in which a column's orders end."""
    assert column.at is not None
    return column.orders.way[-1] if column.orders.way and not column.orders.task.stays else column.at


def fighting_worth(state: CampaignState, column: Column) -> float:
    """Return a column's figures, counted by the worth of their troops."""
    power = state.power_of(column.side)
    return sum(unit.figures * power.worths.get(unit.troop, power.worth) for unit in column.troops)


def own_worth(state: CampaignState, power: str) -> float:
    """Return the fighting worth with which a power began, at least one figure's."""
    return max(state.power(power).began_with * state.power(power).worth, 1.0)


def strength_at(state: CampaignState, columns: Iterable[Column], goal: Hex, *, attacking: bool = False) -> float:
    """Return the fighting worth of the columns with that goal, with `attacking` of those alone that attack.

    Columns within a day's march that attack nothing else count in part, if anybody goes there: they can join.
    """
    own, help_ = 0.0, 0.0
    for column in columns:
        own_goal = goal_of(column)
        if own_goal == goal:
            is_able = not attacking or column.orders.stance is Stance.ATTACK
            own += fighting_worth(state, column) if is_able else 0
        elif own_goal == column.at and days_to(state, column, goal) <= 1:
            help_ += fighting_worth(state, column)
    return own + HELP * help_ if own else 0.0


def defence_at(state: CampaignState, columns: Iterable[Column], point: Point) -> float:
    """Return the fighting worth of the columns that hold a point or go there; those in works count more."""
    total = 0.0
    for column in columns:
        if goal_of(column) == point.at:
            in_works = column.at == point.at and is_entrenched(state, column)
            late = LATER ** days_to(state, column, point.at)
            total += fighting_worth(state, column) * late * (BEHIND_WORKS if in_works else 1)
    return total


def chance(own: float, enemy: float) -> float:
    """Return the chance to prevail of forces with these fighting worths: 80% at two to one, 90% at three to one."""
    return own**2 / (own**2 + enemy**2) if enemy > 0 else 1.0


def days_to(state: CampaignState, column: Column, goal: Hex) -> float:
    """Return the days of a column's march to a goal."""
    days = _days_of(column)
    if goal not in days:
        power = state.power_of(column.side).id
        points = _march_points(board_of(state), column.pace, goal).get(column.at or goal)
        by_sea = float(column.orders.way != ())
        days[goal] = by_sea if points is None else points / max(day_points(state, power, column.pace), 1)
    return days[goal]


@cache_by_identity
def _days_of(column: Column) -> dict[Hex, float]:  # noqa: ARG001 (the column is the key)
    """Return the cache of the days of a column's marches, by goal."""
    return {}


@lru_cache(maxsize=512)
def _march_points(board: Board, pace: Pace, goal: Hex) -> Mapping[Hex, int]:
    return points_to((goal,), Travel(board, pace))


def point_worth(state: CampaignState, point: Point) -> float:
    """Return the worth of holding a point."""
    worth = float(point.value)
    if point.kinds & {PointKind.BASE, PointKind.DEPOT}:
        worth += SUPPLY_WORTH
    return worth + DECISIVE * is_decisive(state, point)


def is_decisive(state: CampaignState, point: Point, power: str = "") -> bool:
    """Whether a point is named for a sudden victory, of that power alone if one is given."""
    return any(
        state.points[key] is point for taker, keys in state.sudden.items() if power in ("", taker) for key in keys
    )


def share_in_time(state: CampaignState, power: str, point: Point, days: float) -> float:
    """Return the share of a point's worth that its taker gains after so many days; 0 if it comes too late (CA-8.2)."""
    days_left = state.days - state.turn - days
    if days_left < 0:
        return 0.0
    counts = days_left >= state.value(power, "days_held") - 1
    return 1.0 if counts else TAKEN_LATE * bool(point.holder)


def enemies_near(state: CampaignState, side: str, goal: Hex) -> float:
    """Return the fighting worth of enemies near a place, sighted or feared by a command."""
    enemy = state.enemy_of(state.power_of(side).id)
    figures = _figures_around(state, side, goal, NEAR, 2)
    point = state.point_in(goal)
    if figures or point is None or point.holder != enemy.id or _is_watched(state, side, goal):
        return figures * enemy.worth
    return feared_at(state, side, point)


def feared_at(state: CampaignState, side: str, point: Point) -> float:
    """Return the fighting worth that a command assumes unseen at an enemy's point."""
    power = state.power_of(side).id
    total = sum(max(other.value, 1) for other in state.points.values() if other.holder == point.holder)
    return PARITY * own_worth(state, power) * max(point.value, 1) / total


def enemies_at(state: CampaignState, side: str, goal: Hex) -> float:
    """Return the fighting worth of enemies near a place that a command would attack; more if they defend it."""
    worth, point = enemies_near(state, side, goal), state.point_in(goal)
    if point is None or point.holder != state.enemy_of(state.power_of(side).id).id:
        return worth
    return worth * (BEHIND_WORKS if PointKind.FORT in point.kinds else ON_THE_SPOT)


def chance_to_keep(state: CampaignState, side: str, point: Point, own: float) -> float:
    """Return the chance to keep a held point with that fighting worth, from sighted enemies or from those feared."""
    feared = 1 - COMES * (1 - chance(own, fear_for(state, side, point)))
    return min(chance(own, threat_to(state, side, point)), feared)


def threat_to(state: CampaignState, side: str, point: Point) -> float:
    """Return the fighting worth of enemies sighted by a command that may come to a held point."""
    return state.enemy_of(point.holder).worth * _figures_around(state, side, point.at, FAR, 3)


def _figures_around(state: CampaignState, side: str, place: Hex, within: int, halved_at: int) -> float:
    """Return the figures sighted by a command within so many hexes; older and more distant ones count less."""
    sightings = state.sightings.get(side)
    if not sightings:
        return 0.0
    sums, key = _sums_of(sightings), (place, within, state.turn)
    if key not in sums:
        sums[key] = sum(
            figures_seen(sighting) * OLD ** (state.turn - sighting.day) / (1 + hex_.distance(place) / halved_at)
            for hex_, sighting in sightings.items()
            if hex_.distance(place) <= within
        )
    return sums[key]


@cache_by_identity
def _sums_of(sightings: Sightings) -> dict[tuple[Hex, int, int], float]:  # noqa: ARG001 (they are the key)
    """Return the cache of the figures sighted around a place, by place."""
    return {}


def fear_for(state: CampaignState, side: str, point: Point) -> float:
    """Return the fighting worth of enemies that may come, unseen, to a held point from theirs."""
    power, enemy = state.power_of(side).id, state.enemy_of(point.holder)
    near = (other for other in state.points.values() if other.holder == enemy.id and other.at.distance(point.at) <= FAR)
    shares = (1 / (1 + other.at.distance(point.at) / 3) for other in near)
    feared = UNSEEN * own_worth(state, power) * max(shares, default=0.0)
    if is_decisive(state, point, enemy.id):
        feared = max(feared, UNSEEN * own_worth(state, power))
    return feared


def figures_seen(sighting: Sighting) -> int:
    """Return the figures that the bot assumes for a sighting."""
    return sighting.figures if sighting.figures is not None else FIGURES_OF[sighting.size]


def dry_days(state: CampaignState, column: Column) -> float:
    """Return the days that a column will lack supply on its way to its goal, and there."""
    goal = goal_of(column)
    point, days = state.point_in(goal), days_to(state, column, goal)
    feeds = point is not None and point.kinds & FEEDS
    if goal in supplied_hexes(state, state.power_of(column.side).id) or feeds:
        return max(0.0, days - column.supply)
    return max(0.0, days + DAYS_AT_GOAL - column.supply)


def _is_watched(state: CampaignState, side: str, place: Hex) -> bool:
    """Whether a column of the command sees the units in a hex."""
    return any(column.at is not None and column.at.distance(place) <= 1 for column in state.of_side(side))
