"""Forecast of a column's march, if nothing stops the column: hexes with day and impulse (CA-2.3, CA-2.4)."""

from collections.abc import Sequence
from typing import NamedTuple

from rules.core.hexboard.hexes import Hex

from .columns import Column, Stance, Task
from .ground import board_of
from .marching import IMPULSES, LAST_IMPULSE, gets_march_point, march_points_per_day
from .model import CampaignState
from .seeing import hexes_in_sight

FORECAST_DAYS = 3
"""Number of days in a forecast, today included."""


class ForecastStep(NamedTuple):
    """A hex that a column will enter, with day and impulse."""

    hex: Hex
    day: int
    impulse: int


def forecast_march(state: CampaignState, column: Column) -> Sequence[ForecastStep]:
    """Return the hexes that a column enters in the next days if nothing stops it."""
    orders, position, way = column.orders, column.at, list(column.orders.way)
    arrivals: list[ForecastStep] = []
    waits = orders.until if orders.task is Task.WAIT else 0
    if orders.task in (Task.DIG_IN, Task.REST):
        return ()
    for day in range(state.turn, min(state.turn + FORECAST_DAYS, state.days + 1)):
        if day < waits or position is None:
            continue
        position = _forecast_day(state, column, position, way, day, arrivals)
        if not way:
            break
    return tuple(arrivals)


def describe_stop(state: CampaignState, column: Column, march: Sequence[ForecastStep]) -> str:
    """Return a sentence on the known battle or enemy that will stop a march; empty if none will.

    Enemies in sight do not stop attacking columns (CA-1.4). The hex of a battle stops every column (CA-5.8).
    """
    title, position = board_of(state).title, column.at
    enemies = state.enemy_hexes_seen_today(column.side)
    for step in march:
        if state.battle_in(step.hex) is not None:
            return f"It stops before {title(step.hex)} while a battle is fought there."
        near = {hex_ for hex_ in enemies if step.hex.distance(hex_) <= 1}
        if near and column.orders.stance is not Stance.ATTACK:
            in_sight = hexes_in_sight(state, column.model_copy(update={"at": position}))
            if near & in_sight:
                return f"It stops before {title(step.hex)} if the enemy stays near."
        position = step.hex
    return ""


def _forecast_day(
    state: CampaignState, column: Column, position: Hex, way: list[Hex], day: int, arrivals: list[ForecastStep]
) -> Hex:
    """Move the hexes of one day from `way` to `arrivals`, and return the column's hex at the day's end."""
    points, entered, a_day = 0, False, march_points_per_day(state, column)
    for impulse in range(1, LAST_IMPULSE + 1):
        if not way:
            break
        by_sea = position.distance(way[0]) != 1
        price = 0 if by_sea else board_of(state).step_cost(position, way[0], column.pace)
        if price is None:
            break
        points += impulse < LAST_IMPULSE and gets_march_point(impulse, a_day) and points < price
        enters = (impulse == IMPULSES and not entered) if by_sea else points >= price
        if enters or (impulse == LAST_IMPULSE and not entered):
            arrivals.append(ForecastStep(way[0], day, impulse))
            position, points, entered = way.pop(0), max(points - price, 0), True
    return position
