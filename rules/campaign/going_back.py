"""Going back one hex: out of a contact, or after a lost battle (the rule *Going back*, CA-5.2, CA-5.3, CA-6.7)."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from rules.core.hexboard.hexes import Hex

from .columns import Column
from .ground import board_of
from .model import CampaignPlay, CampaignState
from .ways import Travel, costs_to_reach, quickest_way

CameFrom: TypeAlias = Mapping[str, Hex]
"""The hex that each column left in this impulse, by column id."""


def find_hex_to_go_back_to(state: CampaignState, column: Column, barred: frozenset[Hex]) -> Hex | None:
    """Return the hex to which a column goes back, outside the hexes `barred`, or None (the rule *Going back*)."""
    start = column.at
    if start is None:
        return None
    travel = Travel(board_of(state), column.pace, barred)
    near = dict(travel.steps_from(start))
    if column.way_back and column.way_back[0] in near:
        return column.way_back[0]
    power = state.power_of(column.side).id
    points = (point for point in state.points.values() if point.holder == power)
    refuges = [point.at for point in points if point.at != start and point.at not in barred]
    costs = [(costs_to_reach((goal,), travel).get(start), goal) for goal in refuges]
    nearest = min(((cost, goal) for cost, goal in costs if cost is not None), default=None)
    if nearest is not None:
        way = quickest_way(start, nearest[1], travel)
        return way[0] if way else None
    return min(((cost, hex_) for hex_, cost in near.items()), default=(0, None))[1]


def barred_hexes(
    state: CampaignState, column: Column, in_contact: Sequence[Column], came_from: CameFrom
) -> frozenset[Hex]:
    """Return the hexes to which a column may not go back.

    They hold enemies or battles, or enemies in contact left them in this impulse.
    """
    power = state.power_of(column.side).id
    enemies = {hex_ for hex_ in state.stacks.by_hex if state.enemies_in(hex_, power)}
    foes = (column.id for column in in_contact if state.power_of(column.side).id != power)
    sources = {came_from[column_id] for column_id in foes if column_id in came_from}
    return frozenset(enemies | {battle.at for battle in state.battles.values()} | sources)


def go_back(play: CampaignPlay, column: Column, barred: frozenset[Hex]) -> bool:
    """Move a column back one hex and cancel its march (CA-1.7); return whether a hex was free."""
    column = play.state.unit(column.id)
    back = find_hex_to_go_back_to(play.state, column, barred)
    if back is None:
        return False
    way_back = tuple(hex_ for hex_ in column.way_back if hex_ != back)
    orders = column.orders.model_copy(update={"way": ()})
    play.change(column.id, at=back, way_back=way_back, orders=orders, days_dug=0)
    return True
