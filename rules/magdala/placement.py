"""Unit bases on the table in inches: sizes, distances, and ground.

Functions return None, or leave a unit out, if the umpire runs the figures and positions are unknown.
"""

from collections.abc import Mapping
from functools import cache

from pydantic import Field

from rules.core.data_files import read_data_file
from rules.core.model import Cite, Mark, Model
from rules.core.refusal import Refused
from rules.core.scene import Feature, Symbol
from rules.core.tabletop.line_of_fire import LineOfFire
from rules.core.tabletop.marches import Marches
from rules.core.tabletop.placement import Placement

from .arms import LEADERS, has_own_morale, is_riding_infantry
from .model import MagdalaState, MagdalaUnit, Order, Troop

COVERING = {Feature.WOOD: "a wood", Feature.BUILDING: "buildings"}
ROUGH_GOING = {Feature.ROUGH: "rough going", Feature.MARSH: "a marsh"}


class TroopBase(Model):
    """The base of troops in inches: frontage of a figure in each order, least frontage, and depth (house values)."""

    troops: tuple[Troop, ...]
    symbol: Symbol
    close: float = 0.0
    skirmish: float = 0.0
    least: float
    depth: float


class _BaseFile(Model):
    bases: tuple[TroopBase, ...] = Field(alias="base")


@cache
def troop_bases() -> Mapping[Troop, TroopBase]:
    """Return the base of every troop type. Raises ValidationError on an unknown key, KeyError on a missing base."""
    rows = read_data_file(_BaseFile, "rules.magdala", "bases.toml").bases
    by_troop = {troop: base for base in rows for troop in base.troops}
    return {troop: by_troop[troop] for troop in Troop}


def base_size(unit: MagdalaUnit) -> tuple[float, float]:
    """Return frontage and depth of a unit's base in inches; casualties do not make the base smaller."""
    base = troop_bases()[unit.troop]
    a_figure = base.skirmish if unit.order is Order.SKIRMISH else base.close
    return max(base.least, round(a_figure * unit.figures, 2)), base.depth


MOUNTED = Cite(rule="MM-2.3", mark=Mark.RULING)


def mounted_attack_refusal(unit: MagdalaUnit) -> Refused | None:
    """Return the refusal of an attack by mounted infantry on horseback, or None if the unit may attack (MM-2.3)."""
    if not is_riding_infantry(unit):
        return None
    why = f"{unit:do} not move into contact mounted. Dismount {unit:them} first, or halt short of the enemy."
    return Refused(why, MOUNTED)


PLACEMENT: Placement[MagdalaUnit] = Placement(base_size)
base, gap, touching = PLACEMENT.base, PLACEMENT.gap, PLACEMENT.are_touching
nearest, within = PLACEMENT.nearest_unit, PLACEMENT.units_within
WAYS: Marches[MagdalaUnit] = Marches(
    PLACEMENT,
    takes_ground=lambda unit: unit.troop not in LEADERS,
    attacks=has_own_morale,
    rule=Cite(rule="MM-2", mark=Mark.RULING),
    horses=lambda unit: unit.horses_at,
    contact=Cite(rule="MM-4.1", mark=Mark.RULING),
    attackers="leaders fight with their units, and wagons attack nobody",
    attack_refusal=mounted_attack_refusal,
)
LINES: LineOfFire[MagdalaUnit] = LineOfFire(PLACEMENT, WAYS.takes_ground, Cite(rule="MM-3.11", mark=Mark.HOUSE))
"""Lines of fire: leaders never stand in the way, other friends do, for guns as for rifles (MM-3.11)."""


def distance_to_enemy(state: MagdalaState, unit: MagdalaUnit) -> float | None:
    """Return the distance in inches to the nearest enemy; None without enemies or positions."""
    enemy = nearest(unit, state.enemies(unit.side))
    return None if enemy is None else gap(unit, enemy)


def move_with_leader(state: MagdalaState, unit: MagdalaUnit) -> MagdalaState:
    """Return the state with `unit` replaced, and its general moved to the unit's place."""
    leader = state.units.get(unit.general or "")
    if leader is None or unit.place is None:
        return state.with_unit(unit)
    return state.with_unit(unit, leader.model_copy(update={"place": unit.place}))
