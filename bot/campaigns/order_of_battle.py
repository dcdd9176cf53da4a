"""Find the units of a campaign's battle: those on the table, and those that arrive later (CA-5.6, CA-6.2, CA-6.3)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from rules.campaign.columns import ColumnUnit, Pace
from rules.campaign.day import is_entrenched
from rules.campaign.model import Battle, CampaignState
from rules.campaign.tables import edge_towards, table_edges_by_power
from rules.core.tabletop.battle import Edge
from rules.registry import rulesets

THIRD = 3
"""Divisor: a unit with less than a third of its first figures stays out of the battle (CA-6.3)."""


@dataclass(frozen=True)
class BattleUnit:
    """A unit of a column in a battle, and the table edge where it enters.

    `place` is the unit's index in the column. `turn` is the turn of its arrival, or 0 for a unit that begins on the
    table. `has_works`: it begins behind field works.
    """

    column: str
    place: int
    edge: Edge
    turn: int
    has_works: bool

    def column_unit(self, campaign: CampaignState) -> ColumnUnit:
        """Return the campaign's data of the unit, from its column."""
        return campaign.unit(self.column).troops[self.place]


@dataclass(frozen=True)
class OrderOfBattle:
    """A power's units in a battle: those `standing` on the table at first, and those `to_come` later."""

    standing: Sequence[BattleUnit]
    to_come: Sequence[BattleUnit]

    @property
    def units(self) -> Sequence[BattleUnit]:
        """All units, those on the table first."""
        return (*self.standing, *self.to_come)


def find_order_of_battle(campaign: CampaignState, battle: Battle, power: str) -> OrderOfBattle:
    """Return a power's units in a battle, or no units if none of them can fight (CA-6.4).

    The option `table_units` limits the units that begin on the table. Units above this limit arrive later as
    reserves, followed by the units of late columns.
    """
    units = _units_fit_for_battle(campaign, battle, power)
    if not any(_is_fighting_troop(campaign.battle_system, unit.column_unit(campaign).troop) for unit in units):
        units = []
    if units and all(unit.turn for unit in units):
        units = [replace(unit, turn=0) for unit in units]
    in_time = [unit for unit in units if not unit.turn]
    most = campaign.option_value(power, "table_units")
    return OrderOfBattle(in_time[:most], [*in_time[most:], *(unit for unit in units if unit.turn)])


@cache
def _is_fighting_troop(system_id: str, troop_id: str) -> bool:
    """Whether units of this troop type count in an army's strength. An unknown type counts."""
    system: Any = rulesets()[system_id]
    troop = system.troops.get(troop_id)
    return troop is None or system.victory.counts(troop.make_unit(troop_id, troop_id, ""))


def orders_of_battle(campaign: CampaignState, battle: Battle) -> Mapping[str, OrderOfBattle]:
    """Return each power's units in the battle, by power."""
    return {power.id: find_order_of_battle(campaign, battle, power.id) for power in campaign.powers}


def _units_fit_for_battle(campaign: CampaignState, battle: Battle, power: str) -> Sequence[BattleUnit]:
    """Return a power's units with at least a third of their first figures (CA-6.3).

    The units are listed by column, in the order in which the columns came into contact.
    """
    home_edge = Edge(table_edges_by_power(campaign, battle)[power])
    units = []
    for column_id in battle.columns:
        column = campaign.units.get(column_id)
        if column is None or campaign.power_of(column.side).id != power:
            continue
        turn, edge = battle.late.get(column.id, 0), home_edge
        source = battle.edges.get(column.id)
        if turn and source is not None:
            edge = Edge(edge_towards(battle.at, source))
        behind_works = is_entrenched(campaign, column) and not turn
        units += [
            BattleUnit(column.id, place, edge, turn, behind_works and column.troops[place].pace is not Pace.MOUNTED)
            for place, unit in enumerate(column.troops)
            if THIRD * unit.figures >= unit.start
        ]
    return units
