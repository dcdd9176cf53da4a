"""Lay a campaign's battle out as a game of its battle system, and read its losses from that game's state.

The battle's game needs nothing from outside while it is played. Its result needs the `Roster`, which can be kept as
JSON beside the game.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from rules.campaign.battles import Result, battle_system
from rules.campaign.ground import board_of
from rules.campaign.model import Battle, CampaignState, Column, Troops
from rules.campaign.tables import BattleTable, edges_of
from rules.core.dice import Dice
from rules.core.model import Model
from rules.core.own_battles import bare_tables_of, own_battles_of
from rules.core.refusal import refuse
from rules.core.ruleset import Ruleset
from rules.core.tabletop.army_entries import ArmyUnit, write_lines
from rules.core.tabletop.set_up import Begin
from rules.registry import rulesets

SIZE = "72 x 48 inches"
LAY_OUT, KILLS = "lay_out", "kills"
THIRD = 3
"""A unit below one part in so many of its start stays out of the battle (CA-6.3)."""


class UnitOnTable(Model):
    """A unit of the campaign on the table: its column, its place in the column, and its id in the battle's game.

    Strengths are in the system's own measure, figures or kills left: `full` of such a unit without losses, `began` of
    this one when the battle was laid out.
    """

    column: str
    place: int = Field(ge=0)
    unit: str
    full: int = Field(ge=0)
    began: int = Field(ge=0)


class Roster(Model):
    """Who is who in a battle's game: the units of the columns, and each power's side by its id."""

    units: tuple[UnitOnTable, ...]
    sides: Mapping[str, str]


@dataclass(frozen=True)
class TableBattle:
    """A battle as a game of its system: its first state, and who is who in it."""

    system: Ruleset[Any]
    state: Any
    roster: Roster


def lay_out(
    campaign: CampaignState, battle: Battle, table: BattleTable, turns: int, dice: Dice, *, begin: bool = True
) -> TableBattle:
    """Return the battle on its table, with the units of all columns that were in contact.

    Without `begin` the battle stays in its set-up: the players may move their units until the umpire begins it.
    Raises Refused if the system has no such troops, or there is no room.
    """
    system: Ruleset[Any] = rulesets()[campaign.battle_system]
    edges = edges_of(campaign, battle)
    names = {power.id: power.name for power in campaign.powers}
    first = campaign.enemy_of(battle.defender).id if battle.defender else campaign.powers[0].id
    words = {
        "size": SIZE,
        "ground": table.ground,
        "sides": "\n".join(f"{names[power]}, {edge}" for power, edge in edges.items()),
        "first": names[first],
        "turns": str(turns),
    }
    title = f"Battle of {board_of(campaign).title(battle.at)}"
    document = bare_tables_of(system).document(words, title)
    state = own_battles_of(system).set_up(document, {}, dice)
    sides = {power: next(side.id for side in state.sides if side.name == name) for power, name in names.items()}
    chosen = {power: units_for_table(campaign, battle, power) for power in names}
    armies = {sides[power]: _army_lines(system, campaign, units) for power, units in chosen.items()}
    before = set(state.units)
    action = system.parse(LAY_OUT, {"terrain": table.lines, "armies": armies})
    state, _ = system.act(state, action, dice)
    placed = [unit for unit in state.units.values() if unit.id not in before]
    found = [
        (unit.id, column, place, _strength(system, state, unit))
        for power, units in chosen.items()
        for (column, place), unit in zip(units, (unit for unit in placed if unit.side == sides[power]), strict=True)
    ]
    if battle_system(campaign.battle_system).kills:
        for unit_id, column, place, full in found:
            state = _with_kills(system, state, campaign.unit(column).troops[place], unit_id, full, dice)
    units = tuple(
        UnitOnTable(
            column=column,
            place=place,
            unit=unit_id,
            full=full,
            began=_strength(system, state, state.every_unit[unit_id]),
        )
        for unit_id, column, place, full in found
    )
    if begin:
        state, _ = system.act(state, system.parse(Begin.kind, {}), dice)
    return TableBattle(system, state, Roster(units=units, sides=sides))


def units_for_table(campaign: CampaignState, battle: Battle, power: str) -> Sequence[tuple[str, int]]:
    """Return a power's units for the table by column and place, without those that are too weak (CA-6.3)."""
    found = []
    for column_id in battle.columns:
        column = campaign.units.get(column_id)
        if column is not None and campaign.power_of(column.side).id == power:
            found += [(column.id, place) for place in _fit_places(column)]
    return found[: campaign.value(power, "table_units")]


def _fit_places(column: Column) -> Sequence[int]:
    return [place for place, unit in enumerate(column.troops) if THIRD * unit.figures >= unit.start]


def _army_lines(system: Ruleset[Any], campaign: CampaignState, units: Sequence[tuple[str, int]]) -> str:
    """Return the army lines of units; their figures where the system counts figures."""
    takes_kills = battle_system(campaign.battle_system).kills
    lines = []
    for column_id, place in units:
        unit = campaign.unit(column_id).troops[place]
        troop: Any = system.troops.get(unit.troop)
        no_troop = f"{unit.name} is of no troop that the bot can put on a table. Enter the result: /campaign result."
        refuse(None, (troop is None, no_troop))
        lines.append(ArmyUnit(troop, unit.name, None if takes_kills else unit.figures))
    return write_lines(lines)


def result_of(campaign: CampaignState, battle: Battle, roster: Roster, after: Any) -> Result:
    """Return what a finished game of the battle means in the campaign (CA-6.4, CA-6.6).

    Without a winner the defender holds the field after the last turn. Before its end both powers are broken, and nobody
    holds it.
    """
    lost = {column: [0] * len(campaign.unit(column).troops) for column in battle.columns if column in campaign.units}
    for one in roster.units:
        if one.column in lost:
            unit = campaign.unit(one.column).troops[one.place]
            lost[one.column][one.place] = _figures_lost(campaign, after, one, unit)
    winner = after.over.winner if after.over is not None else None
    powers = {side: power for power, side in roster.sides.items()}
    are_broken = after.over is not None and after.turn <= (after.turn_limit or 0)
    field = powers[winner] if winner is not None and winner in powers else "" if are_broken else battle.defender
    return Result(field=field, lost={column: tuple(figures) for column, figures in lost.items()})


def _figures_lost(campaign: CampaignState, after: Any, one: UnitOnTable, unit: Troops) -> int:
    """Return the figures that a unit lost; all of one that is destroyed, fled or gone.

    Where a system counts parts of a unit, each part is as many figures of its start.
    """
    system = rulesets()[campaign.battle_system]
    left = _strength(system, after, after.every_unit[one.unit]) if stands(after, one.unit) else 0
    if not left or not one.full:
        return unit.figures
    whole = unit.start if battle_system(campaign.battle_system).kills else unit.figures
    return min(max(one.began - left, 0) * whole // one.full, unit.figures)


def stands(state: Any, unit: str) -> bool:
    """Whether a unit (by id) is still on the table of a battle's game."""
    found = state.every_unit.get(unit)
    return found is not None and found.on_table


def _strength(system: Ruleset[Any], state: Any, unit: Any) -> int:
    """Return a unit's strength as the system counts it."""
    return int(system.unit_facts.strength(state, unit)) if system.unit_facts is not None else 0


def _with_kills(system: Ruleset[Any], state: Any, unit: Troops, unit_id: str, full: int, dice: Dice) -> Any:
    """Return the state in which a unit has the kills that its losses in the campaign make, rounded down (CA-6.3)."""
    kills = (unit.start - unit.figures) * full // unit.start
    if not kills:
        return state
    return system.act(state, system.parse("set", {"unit": unit_id, "field": KILLS, "value": str(kills)}), dice)[0]
