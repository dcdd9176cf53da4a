"""Lay out a campaign's battle as a game of the battle system, and read its losses from that game.

The battle's game does not know the campaign. The `Roster`, stored beside the game, relates its units to columns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from rules.campaign.battles import BattleOutcome, battle_system
from rules.campaign.columns import ColumnUnit
from rules.campaign.model import Battle, CampaignState
from rules.campaign.tables import BattleTable
from rules.core.dice import Dice
from rules.core.model import Model
from rules.core.own_battles import require_bare_tables
from rules.core.refusal import Refused, refuse
from rules.core.ruleset import Ruleset
from rules.core.tabletop.army_entries import ArmyUnit
from rules.core.tabletop.arrivals import add_arrival
from rules.core.tabletop.hidden_units import hide_units
from rules.core.tabletop.set_up import Begin
from rules.registry import rulesets

from .battleground import lay_out_ground
from .field_works import FRONT, place_behind_field_works
from .order_of_battle import BattleUnit, OrderOfBattle, orders_of_battle

OPTION, SECRET_SET_UP, YES = "option", "deploy_in_secret", "yes"
KILLS = "kills"
NEAR_EDGE, DEEPEST = 12.0, 24.0
"""Inches from a power's edge within which its units deploy (CA-6.2), and the limit if this space is full."""


class RosterUnit(Model):
    """A unit of a column, at index `place`, and its id in the battle's game.

    Strengths are in figures, or in kills left: `full` without losses, `began` at the beginning of the battle.
    """

    column: str
    place: int = Field(ge=0)
    unit: str
    full: int = Field(ge=0)
    began: int = Field(ge=0)


class Roster(Model):
    """The campaign's units in a battle's game. `sides` maps each power's id to the id of its side there."""

    units: tuple[RosterUnit, ...]
    sides: Mapping[str, str]


@dataclass(frozen=True)
class TableBattle:
    """A battle's game: its rule system, first state and roster."""

    system: Ruleset[Any]
    state: Any
    roster: Roster


def lay_out_on_table(
    campaign: CampaignState, battle: Battle, table: BattleTable, turns: int, dice: Dice, *, begin: bool = True
) -> TableBattle:
    """Return a battle's game, with all units on the table or listed as arrivals.

    If `begin` is false, players may still move their units, in secret if the battle has no defender. Raises Refused
    if the system lacks a troop type, or units do not fit on the table.
    """
    system: Ruleset[Any] = rulesets()[campaign.battle_system]
    state = lay_out_ground(system, campaign, battle, table, turns, dice)
    sides = {power.id: next(side.id for side in state.sides if side.name == power.name) for power in campaign.powers}
    on_table = []
    for power, order in orders_of_battle(campaign, battle).items():
        state, ids = _add_units(system, campaign, state, sides[power], order, dice)
        for battle_unit, unit_id in zip(order.units, ids, strict=True):
            full = _remaining_strength(system, state, unit_id)
            state = _add_earlier_kills(system, state, battle_unit.column_unit(campaign), unit_id, full, dice)
            began = _remaining_strength(system, state, unit_id)
            column, place = battle_unit.column, battle_unit.place
            on_table.append(RosterUnit(column=column, place=place, unit=unit_id, full=full, began=began))
        state = _move_to_arrivals(campaign, state, power, order, ids)
    if begin:
        state, _ = system.act(state, system.parse(Begin.kind, {}), dice)
    elif not battle.defender:
        state, _ = system.act(state, system.parse(OPTION, {"name": SECRET_SET_UP, "value": YES}), dice)
        state = hide_units(state, tuple(state.units))
    return TableBattle(system, state, Roster(units=tuple(on_table), sides=sides))


def _add_units(
    system: Ruleset[Any], campaign: CampaignState, state: Any, side: str, order: OrderOfBattle, dice: Dice
) -> tuple[Any, Sequence[str]]:
    """Return the state with a side's units, and their ids. Later units get no place on the table.

    Entrenched units stand in a row behind field works, or elsewhere if the row is full.
    """
    bare = require_bare_tables(system)
    units = bare.make_units(
        state, side, [_make_army_unit(system, campaign, battle_unit) for battle_unit in order.units]
    )
    unit_pairs = list(zip(order.units, units, strict=True))
    entrenched = [unit for battle_unit, unit in unit_pairs if battle_unit.has_works and battle_unit in order.standing]
    state = place_behind_field_works(system, state, entrenched, dice)
    front = FRONT if any(unit.id in state.units for unit in units) else NEAR_EDGE
    spots = [bare.deployment_spots(state, front, from_front=True), bare.deployment_spots(state, DEEPEST)]
    for battle_unit, unit in unit_pairs:
        if unit.id not in state.units:
            state = state.with_unit(_place_on_free_spot(spots, state, unit) if battle_unit in order.standing else unit)
    return state, [unit.id for unit in units]


def _place_on_free_spot(spots: Sequence[Any], state: Any, unit: Any) -> Any:
    """Return the unit on a free spot near the edge, or else farther in. Raises Refused if there is none."""
    near, anywhere = spots
    try:
        return near.place_unit(state, unit)
    except Refused:
        return anywhere.place_unit(state, unit)


def _move_to_arrivals(campaign: CampaignState, state: Any, power: str, order: OrderOfBattle, ids: Sequence[str]) -> Any:
    """Return the state with the later units off the table, and listed as arrivals."""
    most = campaign.option_value(power, "table_units")
    for battle_unit, unit_id in zip(order.units, ids, strict=True):
        if battle_unit in order.to_come:
            unit = state.units[unit_id]
            state = add_arrival(state.without_unit(unit_id), unit, battle_unit.edge, battle_unit.turn, most)
    return state.model_copy(update={"hides_arrivals": any(arrival.turn for arrival in state.arrivals.values())})


def _make_army_unit(system: Ruleset[Any], campaign: CampaignState, battle_unit: BattleUnit) -> ArmyUnit:
    """Return the unit as an entry of an army list, with its figures unless the system counts kills.

    Raises Refused if the battle system lacks the unit's troop type.
    """
    unit = battle_unit.column_unit(campaign)
    troop: Any = system.troops.get(unit.troop)
    no_troop = f"The battle's rules have no troop for {unit.name}. Enter the result: /campaign result."
    refuse(None, (troop is None, no_troop))
    return ArmyUnit(troop, unit.name, None if battle_system(campaign.battle_system).kills else unit.figures)


def battle_result(campaign: CampaignState, battle: Battle, roster: Roster, after: Any) -> BattleOutcome:
    """Return the losses of a battle, and who holds the field (CA-6.4, CA-6.6).

    The winner holds the field, or without a winner the defender. If the game ended early without a winner, both
    armies are broken and nobody holds the field. `after` is the state after the battle.
    """
    lost = {column: [0] * len(campaign.unit(column).troops) for column in battle.columns if column in campaign.units}
    for roster_unit in roster.units:
        if roster_unit.column in lost:
            unit = campaign.unit(roster_unit.column).troops[roster_unit.place]
            lost[roster_unit.column][roster_unit.place] = _figures_lost(campaign, after, roster_unit, unit)
    winner = after.over.winner if after.over is not None else None
    powers = {side: power for power, side in roster.sides.items()}
    are_broken = after.over is not None and after.turn <= (after.turn_limit or 0)
    field = powers[winner] if winner is not None and winner in powers else "" if are_broken else battle.defender
    return BattleOutcome(field=field, lost={column: tuple(figures) for column, figures in lost.items()})


def _figures_lost(campaign: CampaignState, after: Any, roster_unit: RosterUnit, unit: ColumnUnit) -> int:
    """Return the figures that a unit lost in the battle: all of them if no strength is left.

    In a system that counts kills, each kill costs an equal share of the figures with which the unit began the
    campaign.
    """
    strength = _remaining_strength(rulesets()[campaign.battle_system], after, roster_unit.unit)
    if not strength or not roster_unit.full:
        return unit.figures
    figures = unit.start if battle_system(campaign.battle_system).kills else unit.figures
    return min(max(roster_unit.began - strength, 0) * figures // roster_unit.full, unit.figures)


def is_on_table(state: Any, unit: str) -> bool:
    """Whether the unit with the id `unit` is on the table, neither still to arrive nor gone."""
    table_unit = state.every_unit.get(unit)
    return table_unit is not None and table_unit.on_table and unit not in state.arrivals


def _remaining_strength(system: Ruleset[Any], state: Any, unit_id: str) -> int:
    """Return the strength left to a unit and its detachments, in figures or kills left."""
    parts = (unit for unit in state.every_unit.values() if unit_id in (unit.id, unit.parent_id) and unit.on_table)
    return sum(int(system.unit_facts.strength(state, unit)) for unit in parts) if system.unit_facts is not None else 0


def _add_earlier_kills(system: Ruleset[Any], state: Any, unit: ColumnUnit, unit_id: str, full: int, dice: Dice) -> Any:
    """Return the state with the unit's kills from earlier losses in the campaign, rounded down (CA-6.3).

    In a system that counts figures, the state is unchanged.
    """
    kills = (unit.start - unit.figures) * full // unit.start if battle_system(system.id).kills else 0
    if not kills:
        return state
    return system.act(state, system.parse("set", {"unit": unit_id, "field": KILLS, "value": str(kills)}), dice)[0]
