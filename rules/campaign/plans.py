"""How the bot judges orders: what a column's goal is worth, how soon it is reached, and what may stand in its way."""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from rules.core.hexboard.hexes import Hex

from .ground import Board, board_of
from .model import CampaignState, Column, Pace, Point, PointKind, Sighting, Size, Stance, Task
from .orders import Move
from .supply import FEEDS, most_supply, supplied_hexes
from .ways import Travel, day_points, points_to

FIGURES_OF: Mapping[Size, int] = {Size.PARTY: 20, Size.FORCE: 70, Size.ARMY: 200}
"""Figures that the bot takes enemies for who are seen from afar."""
GARRISON = 12
"""Figures that the bot takes to stand, unseen, at an enemy's point, for each of its value."""
OLD, NEAR = 0.7, 3
"""Share of a sighting's figures that counts after each day; hexes within which enemies threaten a place."""
LATER = 0.88
"""Share of a goal's worth that counts for each day of the way."""
DECISIVE, SUPPLY_WORTH, LOST = 2.0, 1.0, 3.0
"""Worth of a point for sudden victory, of a depot or base, and of a lost column."""
UNSEEN, FAR = 25, 8
"""Figures that the bot fears from each enemy's point, for each of its value; hexes within which it fears them."""
RAID = 40
"""Minimum feared figures near a point for the enemy's sudden victory."""
CROWD = 0.35
"""Share of a goal's worth for each further column that goes there."""
THIRST, STAYS, HUNDRED = 0.6, 2, 100
"""Loss for each day without supply of a hundred figures; days that a column stays at its goal."""
SHY = 0.2
"""Share of a goal's worth for a column that does not attack the enemies there."""
BOLD = 0.3
"""Worth of the right stance."""


def plans_value(state: CampaignState, side: str) -> float:
    """Return the worth of all orders of a command, as it knows the country."""
    columns = [column for column in state.of_side(side) if state.is_free(column)]
    going: dict[Hex, int] = {}
    guarded = [point for point in state.points.values() if columns and guardian_of(state, point) == side]
    total = sum(holding_value(state, side, columns, point) for point in guarded)
    for column in sorted(columns, key=lambda one: -one.figures):
        goal = goal_of(column)
        before = going.get(goal, 0)
        going[goal] = before + 1
        total += plan_value(state, column, strength_at(state, columns, goal)) * CROWD**before
        total += stance_value(state, column, strength_at(state, columns, goal))
    return total


def guardian_of(state: CampaignState, point: Point) -> str:
    """Return the command that looks after a point of its power: the one with the nearest column; empty for nobody."""
    near = [
        (column.at.distance(point.at), place, column.side)
        for power in state.powers
        if power.id == point.holder
        for place, column in enumerate(state.columns_of(power.id))
        if column.at is not None
    ]
    return min(near, default=(0, 0, ""))[2]


def holding_value(state: CampaignState, side: str, columns: list[Column], point: Point) -> float:
    """Return a held point's worth, by the chance that the columns with that goal keep it."""
    worth, strength = point_worth(state, point), strength_at(state, columns, point.at)
    threat = threat_to(state, side, point)
    return worth * strength / (strength + threat) if threat else worth


def threat_to(state: CampaignState, side: str, point: Point) -> float:
    """Return the fighting worth of enemies that may come to a held point, sighted or feared by a command."""
    enemy = state.enemy_of(point.holder)
    known = sum(
        figures_seen(one) * OLD ** (state.turn - one.day) / (1 + hex_.distance(point.at) / 3)
        for hex_, one in state.sightings.get(side, {}).items()
        if hex_.distance(point.at) <= FAR
    )
    theirs = (one for one in state.points.values() if one.holder == enemy.id and one.at.distance(point.at) <= FAR)
    feared = sum(UNSEEN * max(one.value, 1) / (1 + one.at.distance(point.at) / 3) for one in theirs)
    is_decisive = any(state.points[one] is point for one in state.sudden.get(enemy.id, ()))
    return max(known, feared, RAID if is_decisive else 0) * enemy.worth


def goal_of(column: Column) -> Hex:
    """Return the hex in which a column's orders end."""
    assert column.at is not None
    return column.orders.way[-1] if column.orders.way and not column.orders.task.stays else column.at


def strength_at(state: CampaignState, columns: list[Column], goal: Hex) -> float:
    """Return the fighting worth of all the command's columns with that goal."""
    return sum(fighting_worth(state, column) for column in columns if goal_of(column) == goal)


def fighting_worth(state: CampaignState, column: Column) -> float:
    """Return a column's figures, counted by the worth of its power's figures."""
    return column.figures * state.power_of(column.side).worth


def plan_value(state: CampaignState, column: Column, strength: float) -> float:
    """Return what a column's goal is worth, by its distance and the chance to prevail there."""
    goal, power = goal_of(column), state.power_of(column.side).id
    days = days_to(state, column, goal)
    if state.turn + days > state.days:
        return 0.0
    enemies = enemies_near(state, column.side, goal)
    chance = strength / (strength + enemies) if enemies else 1.0
    point = state.point_in(goal)
    worth = 0.0 if point is None or point.holder == power else point_worth(state, point)
    if enemies and column.orders.stance is not Stance.ATTACK:
        worth *= SHY
    share_lost = (1 - chance) ** 2 * LOST if enemies else 0.0
    return float(worth * chance * LATER**days - thirst_of(state, column, goal, days) - share_lost)


def thirst_of(state: CampaignState, column: Column, goal: Hex, days: float) -> float:
    """Return the loss that a column fears for want of supply on its way to a goal, and there."""
    point = state.point_in(goal)
    if goal in supplied_hexes(state, state.power_of(column.side).id) or (point is not None and point.kinds & FEEDS):
        dry = max(0.0, days - column.supply)
    else:
        dry = max(0.0, days + STAYS - column.supply)
    return THIRST * dry * column.figures / HUNDRED


def days_to(state: CampaignState, column: Column, goal: Hex) -> float:
    """Return the days of a column's march to a goal."""
    power = state.power_of(column.side).id
    points = _march_points(board_of(state), column.pace, goal).get(column.at or goal)
    if points is None:
        return float(column.orders.way != ())  # by sea
    return points / max(day_points(state, power, column.pace), 1)


@lru_cache(maxsize=512)
def _march_points(board: Board, pace: Pace, goal: Hex) -> Mapping[Hex, int]:
    return points_to((goal,), Travel(board, pace))


def point_worth(state: CampaignState, point: Point) -> float:
    """Return what it is worth to hold a point."""
    worth = float(point.value)
    if point.kinds & {PointKind.BASE, PointKind.DEPOT}:
        worth += SUPPLY_WORTH
    decisive = {key for named in state.sudden.values() for key in named}
    return worth + DECISIVE * any(state.points[key] is point for key in decisive)


def enemies_near(state: CampaignState, side: str, goal: Hex) -> float:
    """Return the fighting worth of enemies near a hex, sighted or feared by a command."""
    enemy, known = state.enemy_of(state.power_of(side).id), 0.0
    for hex_, one in state.sightings.get(side, {}).items():
        distance = hex_.distance(goal)
        if distance <= NEAR:
            known += figures_seen(one) * OLD ** (state.turn - one.day) / (1 + distance / 2)
    point = state.point_in(goal)
    if not known and point is not None and point.holder == enemy.id:
        known = GARRISON * max(point.value, 1)
    return known * enemy.worth


def figures_seen(sighting: Sighting) -> int:
    """Return the figures that the bot takes a sighting for."""
    return sighting.figures if sighting.figures is not None else FIGURES_OF[sighting.size]


def orders_worth_trying(state: CampaignState, column: Column) -> Iterator[Move]:
    """Yield orders of a column: to stay or go to each point, with each stance, nearer points first; and its tasks."""
    if column.at is None or not state.is_free(column):
        return
    goals = sorted({point.at for point in state.points.values()} - {column.at}, key=column.at.distance)
    for stance in (Stance.ATTACK, Stance.HOLD, Stance.AVOID):
        yield Move.model_validate({"unit": column.id, "with": (stance.value, "no task", "stay")})
        for goal in goals:
            yield Move.model_validate({"unit": column.id, "to": goal.label, "with": (stance.value, "no task")})
    for task in ("rest", "dig in"):
        yield Move.model_validate({"unit": column.id, "with": (task, "hold")})


def stance_value(state: CampaignState, column: Column, strength: float) -> float:
    """Return the worth of a column's stance and task: attack where it is likely to prevail, else keep away."""
    goal = goal_of(column)
    enemies = enemies_near(state, column.side, goal)
    chance = strength / (strength + enemies) if enemies else 0.5
    right = Stance.ATTACK if chance > 0.55 else Stance.AVOID if chance < 0.35 else Stance.HOLD
    value = BOLD if column.orders.stance is right else 0.0
    if column.orders.task is Task.REST:
        start = sum(unit.start for unit in column.troops)
        value += (start - column.figures) / start if not enemies and column.supply == most_supply(state, column) else -1
    if column.orders.task is Task.DIG_IN:
        value += BOLD / 2 if enemies and goal == column.at and right is not Stance.ATTACK else -0.1
    return value
