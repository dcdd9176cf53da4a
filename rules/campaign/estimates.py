"""Estimates for a command that the bot leads, from its sightings and its own power's strength."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import unit_hex
from rules.core.memo import cache_by_identity

from .columns import Column, Pace, Stance
from .day import is_entrenched
from .ground import Board, board_of
from .intelligence import EnemySize, Sighting, Sightings
from .model import CampaignState, Point, PointKind
from .supply import SELF_SUFFICIENT, supplied_hexes
from .ways import Travel, costs_to_reach, march_points_of_pace

ASSUMED_FIGURES: Mapping[EnemySize, int] = {EnemySize.PARTY: 20, EnemySize.FORCE: 70, EnemySize.ARMY: 200}
"""Figures that the bot assumes for enemies seen from afar."""
DECAY, ATTACK_RADIUS, THREAT_RADIUS = 0.7, 3, 8
"""Factor on a sighting's figures per day of its age. Distances in hexes within which enemies count: from a place to
attack, and from a place to hold."""
ASSUMED_AT_POINTS, ASSUMED_ON_THE_WAY = 0.7, 0.15
"""Assumed fighting worth of unseen enemies, as shares of the own power's starting worth: all enemies at their points
together, and the enemies on the way to one own point."""
ENTRENCHED_FACTOR, DEFENDER_FACTOR = 1.7, 1.2
"""Factors on the fighting worth of defenders: in a fort or entrenched, and at other points of the enemy."""
FACTOR_PER_DAY, SUPPORT_SHARE = 0.9, 0.5
"""Factor on the worth of a goal or defender for each day of the march. Share of the fighting worth of nearby columns
that counts as support for an attack."""
ATTACK_PROBABILITY = 0.35
"""Probability that an unseen enemy comes to a point of the own power."""
SUPPLY_WORTH, DECISIVE_WORTH, LATE_SHARE = 1.0, 2.0, 0.5
"""Additional worth of a base or depot, and of a point for sudden victory. Share of a point's worth that a power gains
if it takes the point too late to count for itself, because the old holder loses the point."""
DAYS_AT_GOAL = 2
"""Number of days that a column is expected to stay at its goal, for the estimate of its supply."""


def march_goal(column: Column) -> Hex:
    """Return the hex in which a column's march ends; its own hex without a march."""
    return column.orders.way[-1] if column.orders.way and not column.orders.task.stays else unit_hex(column)


def fighting_worth(state: CampaignState, column: Column) -> float:
    """Return a column's figures, each multiplied by the worth of a figure of its troop."""
    power = state.power_of(column.side)
    return sum(unit.figures * power.worths.get(unit.troop, power.worth) for unit in column.troops)


def starting_worth(state: CampaignState, power: str) -> float:
    """Return a power's fighting worth at the start, at least 1."""
    return max(state.power(power).began_with * state.power(power).worth, 1.0)


def strength_for_goal(state: CampaignState, columns: Iterable[Column], goal: Hex, *, attacking: bool = False) -> float:
    """Return the fighting worth of the columns that march to a goal, or with `attacking` only of attacking columns.

    Waiting columns at most a day away add a part of their worth, because they can join.
    """
    own, help_ = 0.0, 0.0
    for column in columns:
        own_goal = march_goal(column)
        if own_goal == goal:
            is_able = not attacking or column.orders.stance is Stance.ATTACK
            own += fighting_worth(state, column) if is_able else 0
        elif own_goal == column.at and days_to_goal(state, column, goal) <= 1:
            help_ += fighting_worth(state, column)
    return own + SUPPORT_SHARE * help_ if own else 0.0


def defence_strength(state: CampaignState, columns: Iterable[Column], point: Point) -> float:
    """Return the fighting worth of the columns that hold a point or march to it; entrenched columns count more."""
    total = 0.0
    for column in columns:
        if march_goal(column) == point.at:
            in_works = column.at == point.at and is_entrenched(state, column)
            late = FACTOR_PER_DAY ** days_to_goal(state, column, point.at)
            total += fighting_worth(state, column) * late * (ENTRENCHED_FACTOR if in_works else 1)
    return total


def chance_to_beat(own: float, enemy: float) -> float:
    """Return the probability to beat an enemy, from the fighting worth of both: 80% at two to one, 90% at three."""
    return own**2 / (own**2 + enemy**2) if enemy > 0 else 1.0


def days_to_goal(state: CampaignState, column: Column, goal: Hex) -> float:
    """Return the number of days of a column's march to a goal."""
    days = _march_days_cache(column)
    if goal not in days:
        power = state.power_of(column.side).id
        points = _costs_to_goal(board_of(state), column.pace, goal).get(column.at or goal)
        by_sea = float(column.orders.way != ())
        days[goal] = by_sea if points is None else points / max(march_points_of_pace(state, power, column.pace), 1)
    return days[goal]


@cache_by_identity
def _march_days_cache(column: Column) -> dict[Hex, float]:  # noqa: ARG001 (the column is the key)
    """Return the column's cache of `days_to_goal`, by goal."""
    return {}


@lru_cache(maxsize=512)
def _costs_to_goal(board: Board, pace: Pace, goal: Hex) -> Mapping[Hex, int]:
    return costs_to_reach((goal,), Travel(board, pace))


def point_worth(state: CampaignState, point: Point) -> float:
    """Return the worth of holding a point."""
    worth = float(point.value)
    if point.kinds & {PointKind.BASE, PointKind.DEPOT}:
        worth += SUPPLY_WORTH
    return worth + DECISIVE_WORTH * is_decisive(state, point)


def is_decisive(state: CampaignState, point: Point, power: str = "") -> bool:
    """Whether a point counts for a sudden victory of `power`; of either power if `power` is empty."""
    point_ids = [keys for taker, keys in state.sudden.items() if power in ("", taker)]
    return any(state.points[key] is point for keys in point_ids for key in keys)


def share_of_worth_gained(state: CampaignState, power: str, point: Point, days: float) -> float:
    """Return the share of a point's worth that a power gains if it takes the point in `days` days (CA-8.2)."""
    days_left = state.days - state.turn - days
    if days_left < 0:
        return 0.0
    counts = days_left >= state.option_value(power, "days_held") - 1
    return 1.0 if counts else LATE_SHARE * bool(point.holder)


def enemy_worth_near(state: CampaignState, side: str, goal: Hex) -> float:
    """Return the estimated fighting worth of enemies near a place, from the command's sightings.

    For an enemy's point without sightings, return an assumed worth, or 0 if an own column is within one hex.
    """
    power = state.power_of(side).id
    enemy = state.enemy_of(power)
    figures = _sighted_figures_near(state, side, goal, ATTACK_RADIUS, 2)
    point = state.point_in(goal)
    if figures or point is None or point.holder != enemy.id:
        return figures * enemy.worth
    if any(unit_hex(column).distance(goal) <= 1 for column in state.units_of(side)):
        return 0.0  # a column in or next to a hex sees all units there
    total = sum(max(other.value, 1) for other in state.points.values() if other.holder == enemy.id)
    return ASSUMED_AT_POINTS * starting_worth(state, power) * max(point.value, 1) / total


def enemy_worth_at_goal(state: CampaignState, side: str, goal: Hex) -> float:
    """Return the fighting worth of enemies near an attacked place, increased if they defend a point."""
    worth, point = enemy_worth_near(state, side, goal), state.point_in(goal)
    if point is None or point.holder != state.enemy_of(state.power_of(side).id).id:
        return worth
    return worth * (ENTRENCHED_FACTOR if PointKind.FORT in point.kinds else DEFENDER_FACTOR)


def chance_to_keep_point(state: CampaignState, side: str, point: Point, own: float) -> float:
    """Return the probability that defenders keep a point. `own` is their fighting worth."""
    feared = 1 - ATTACK_PROBABILITY * (1 - chance_to_beat(own, assumed_threat(state, side, point)))
    return min(chance_to_beat(own, sighted_threat(state, side, point)), feared)


def sighted_threat(state: CampaignState, side: str, point: Point) -> float:
    """Return the fighting worth of sighted enemies within reach of a point of the command's power."""
    return state.enemy_of(point.holder).worth * _sighted_figures_near(state, side, point.at, THREAT_RADIUS, 3)


def _sighted_figures_near(state: CampaignState, side: str, place: Hex, within: int, halved_at: int) -> float:
    """Return the figures that a command has sighted at most `within` hexes from a place.

    Figures at `halved_at` hexes count half; older sightings count less.
    """
    sightings = state.sightings.get(side)
    if not sightings:
        return 0.0
    sums, key = _sighted_figures_cache(sightings), (place, within, state.turn)
    if key not in sums:
        sums[key] = sum(
            estimated_figures(sighting) * DECAY ** (state.turn - sighting.day) / (1 + hex_.distance(place) / halved_at)
            for hex_, sighting in sightings.items()
            if hex_.distance(place) <= within
        )
    return sums[key]


@cache_by_identity
def _sighted_figures_cache(sightings: Sightings) -> dict[tuple[Hex, int, int], float]:  # noqa: ARG001 (they are the key)
    """Return the cache of `_sighted_figures_near` for a command's sightings, by place, distance and day."""
    return {}


def assumed_threat(state: CampaignState, side: str, point: Point) -> float:
    """Return the assumed fighting worth of unseen enemies that may come to a point of the command's power."""
    power, enemy = state.power_of(side).id, state.enemy_of(point.holder)
    distances = (other.at.distance(point.at) for other in state.points.values() if other.holder == enemy.id)
    shares = (1 / (1 + distance / 3) for distance in distances if distance <= THREAT_RADIUS)
    feared = ASSUMED_ON_THE_WAY * starting_worth(state, power) * max(shares, default=0.0)
    if is_decisive(state, point, enemy.id):
        feared = max(feared, ASSUMED_ON_THE_WAY * starting_worth(state, power))
    return feared


def estimated_figures(sighting: Sighting) -> int:
    """Return the figures that the bot assumes for a sighting."""
    return sighting.figures if sighting.figures is not None else ASSUMED_FIGURES[sighting.size]


def days_without_supply(state: CampaignState, column: Column) -> float:
    """Return the number of days that a column will be without supply, on its way and at its goal."""
    goal = march_goal(column)
    point, days = state.point_in(goal), days_to_goal(state, column, goal)
    feeds = point is not None and point.kinds & SELF_SUFFICIENT
    if goal in supplied_hexes(state, state.power_of(column.side).id) or feeds:
        return max(0.0, days - column.supply)
    return max(0.0, days + DAYS_AT_GOAL - column.supply)
