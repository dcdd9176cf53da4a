"""Supply of columns at a day's end (CA-4)."""

from functools import lru_cache

from rules.core.hexboard.hexes import Hex
from rules.core.hexboard.stacks import hexes_of_side, unit_hex
from rules.core.wording import count_of

from .columns import Column, Pace
from .ground import board_of
from .losses import subtract_share
from .model import CampaignPlay, CampaignState, PointKind
from .telling import report_on_column, throw_hidden_die
from .ways import Travel, costs_to_reach

HUNGRY_UP_TO = 3
"""Maximum D6 score on which a column without supply loses figures (CA-4.3)."""
SUPPLIERS = frozenset((PointKind.BASE, PointKind.DEPOT))
"""Kinds of points that supply columns of their holder."""
SELF_SUFFICIENT = frozenset((PointKind.TOWN, PointKind.WELL))
"""Kinds of points at which a column needs no supply."""


def supply_capacity(state: CampaignState, column: Column) -> int:
    """Return the maximum days of supply that a column can carry (CA-4.1)."""
    return state.option_value(state.power_of(column.side).id, "wagon_days" if column.has_wagon else "supply_days")


def supplied_hexes(state: CampaignState, power: str) -> frozenset[Hex]:
    """Return the hexes that a base or depot of the power supplies, because it is in reach on foot (CA-4.1)."""
    foes = state.enemy_of(power).commands
    hexes_with_enemies = frozenset(hex_ for command in foes for hex_ in hexes_of_side(state, command))
    return _hexes_in_reach(*_supply_route_args(state, power, hexes_with_enemies))


def is_apparently_supplied(state: CampaignState, column: Column) -> bool:
    """Whether a column is in supply, as far as its command knows of enemies on the supply route (CA-4.4)."""
    ways = _supply_route_args(state, state.power_of(column.side).id, state.enemy_hexes_seen_today(column.side))
    return column.at in _hexes_in_known_reach(*ways)


def _supply_route_args(state: CampaignState, power: str, enemies: frozenset[Hex]) -> tuple[int, frozenset[Hex], Travel]:
    """Return the arguments of `_find_hexes_within` for a power's supply: its reach, depots, and travel on foot."""
    depots = frozenset(point.at for point in state.points.values() if point.holder == power and point.kinds & SUPPLIERS)
    return state.option_value(power, "supply_reach"), depots - enemies, Travel(board_of(state), Pace.FOOT, enemies)


def _find_hexes_within(reach: int, goals: frozenset[Hex], travel: Travel) -> frozenset[Hex]:
    """Return the hexes from which a way of at most `reach` movement points leads to a goal."""
    return frozenset(costs_to_reach(goals, travel, reach))


_hexes_in_reach = lru_cache(maxsize=256)(_find_hexes_within)
"""`_find_hexes_within` with a cache, because the bot needs the hexes for every plan that it considers."""
_hexes_in_known_reach = lru_cache(maxsize=256)(_find_hexes_within)
"""Separate cache for what commands know: the answer time of a shared cache would reveal unseen enemies."""


def update_supply(play: CampaignPlay) -> None:
    """Update each free column's supply, and throw for the hunger of columns without supply (CA-4.1 to CA-4.3)."""
    supplied = {power.id: supplied_hexes(play.state, power.id) for power in play.state.powers}
    for column in play.state.columns:
        state = play.state
        if not state.is_free(column):
            continue
        point = state.point_in(unit_hex(column))
        if column.at in supplied[state.power_of(column.side).id]:
            play.change(column.id, supply=supply_capacity(state, column))
        elif point is not None and point.kinds & SELF_SUFFICIENT:
            continue
        elif column.supply:
            days_left = column.supply - 1
            play.change(column.id, supply=days_left)
            report_on_column(play, column, "4.2", f"no convoy came: supply for {count_of(days_left, 'more day')}")
        else:
            throw = throw_hidden_die(play, column, "without supply")
            loss = subtract_share(play, column, throw.total, straggle=False) if throw.total <= HUNGRY_UP_TO else 0
            verdict = f"starves: {count_of(loss, 'figure')} lost" if loss else "has nothing to eat, but holds out"
            report_on_column(play, column, "4.3", verdict, throw, f"loses figures on 1-{HUNGRY_UP_TO}")
