"""Orders that the bot considers for a column: goals with fitting stances, and tasks."""

from collections.abc import Iterable, Iterator

from rules.core.dice import Dice
from rules.core.hexboard.hexes import Hex

from .columns import Column, Stance
from .estimates import THREAT_RADIUS, enemy_worth_near
from .model import CampaignState
from .orders import Move

MOST_ENEMY_GOALS, MOST_REFUGES = 3, 3
"""Maximum number of goals that are hexes with enemies but no points, and that are own points to retire to."""
LEAST_FACTOR, FACTOR_PER_PIP = 0.65, 0.1
"""Base of the factor on the enemy's guessed worth, and its increase for each pip of a D6: 0.75 to 1.25 in all."""


def guess_enemy_worth(state: CampaignState, dice: Dice) -> CampaignState:
    """Return a command's view with the enemy's worth randomly changed, so that the bot's campaigns differ."""
    own = {column.side for column in state.columns}
    factor = LEAST_FACTOR + FACTOR_PER_PIP * dice.throw(1, 6, "how well the enemy fights").total
    powers = tuple(
        power if own & {*power.commands} else power.model_copy(update={"worth": min(power.worth * factor, 10.0)})
        for power in state.powers
    )
    return state.model_copy(update={"powers": powers})


def candidate_orders(state: CampaignState, column: Column) -> Iterator[Move]:
    """Yield orders to consider for a column: to stay, march, rest or dig in."""
    if column.at is None or not state.is_free(column):
        return
    for stance in Stance:
        yield Move.model_validate({"unit": column.id, "with": (stance.value, "no task", "stay")})
    for goal, stance in _candidate_goals(state, column, column.at):
        yield Move.model_validate({"unit": column.id, "to": goal.label, "with": (stance.value, "no task")})
    for task in ("rest", "dig in"):
        yield Move.model_validate({"unit": column.id, "with": (task, "hold")})


def _candidate_goals(state: CampaignState, column: Column, start: Hex) -> Iterable[tuple[Hex, Stance]]:
    """Yield hexes to march to, each with a stance: points by distance, then enemies seen."""
    power, refuges = state.power_of(column.side).id, 0
    points = [point for point in state.points.values() if point.at != start]
    points.sort(key=lambda point: point.at.distance(start))
    for point in points:
        if point.holder != power or enemy_worth_near(state, column.side, point.at):
            yield point.at, Stance.ATTACK
        if point.holder in (power, ""):
            yield point.at, Stance.HOLD
        if point.holder == power and refuges < MOST_REFUGES:
            refuges += 1
            yield point.at, Stance.AVOID
    point_hexes = {point.at for point in points}
    near = (hex_ for hex_ in state.enemy_hexes_seen_today(column.side) if hex_.distance(start) <= THREAT_RADIUS)
    free = [hex_ for hex_ in near if state.battle_in(hex_) is None]
    free.sort(key=lambda hex_: (hex_.distance(start), hex_))
    yield from ((hex_, Stance.ATTACK) for hex_ in free[:MOST_ENEMY_GOALS] if hex_ not in point_hexes)
