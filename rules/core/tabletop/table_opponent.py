"""The bot as an opponent on any table. Without objectives, the first side imagines objectives near the enemy."""

from collections.abc import Iterator, Sequence
from math import ceil, dist
from typing import Any

from rules.core.dice import Dice
from rules.core.opponent_support import OpponentSupport
from rules.core.scene import Point

from .battle import Edge, Objective, S, TableState
from .terrain import mean_point

AIM = "the enemy"
AROUND, AHEAD = 6.0, 30.0
"""Radius in inches of each imagined objective; maximum distance in inches from the units to their objective."""
GROUP, MOST_AIMS = 4, 4
"""Number of units for one objective; maximum number of objectives."""


def imagine_objectives(view: S, dice: Dice) -> S:  # noqa: ARG001 (no assumption is thrown for)
    """Return a side's view with imagined objectives for the first side, on the way to the enemy.

    Without objectives, two armies played by the bot would wait for each other until the last turn. In a battle of a
    campaign, the first side is the attacker.
    """
    if view.objectives or not view.keeps_positions or view.is_being_set_up or len(view.sides) < 2:
        return view
    return view.model_copy(update={"objectives": tuple(_iterate_objectives(view))})


def _iterate_objectives(view: TableState[Any]) -> Iterator[Objective]:
    """Yield an objective for each group of the attacker's units, from one flank to the other."""
    attacker, defender = (side.id for side in view.sides[:2])
    across = 0 if view.home_edges.get(attacker) in (Edge.NORTH, Edge.SOUTH, None) else 1
    own = sorted(_unit_points(view, attacker), key=lambda at: at[across])
    foes = sorted(_unit_points(view, defender), key=lambda at: at[across]) or [(view.width / 2, view.height / 2)]
    groups = min(ceil(len(own) / GROUP), MOST_AIMS)
    for number in range(groups):
        start = mean_point(own[number * len(own) // groups : (number + 1) * len(own) // groups])
        first = number * len(foes) // groups
        goal = mean_point(foes[first : max((number + 1) * len(foes) // groups, first + 1)])
        share = min(AHEAD / max(dist(start, goal), 1.0), 1.0)
        at = (start[0] + share * (goal[0] - start[0]), start[1] + share * (goal[1] - start[1]))
        yield Objective(side=attacker, name=AIM, at=at, within=AROUND)


def _unit_points(view: TableState[Any], side: str) -> Sequence[Point]:
    return [unit.place.point for unit in view.units_of(side) if unit.on_table and unit.place is not None]


class TableOpponent(OpponentSupport[S]):
    """Support for the bot as an opponent on a table."""

    imagine = staticmethod(imagine_objectives)
