"""Kinds of troops that the rules of melee, morale and reaction distinguish."""

from enum import StrEnum

from .model import MagdalaUnit, Nation, Troop, Works


class Arm(StrEnum):
    """Rows of the morale charts (MM-5.2, MM-5.3)."""

    INFANTRY = "infantry"
    KOMMANDO = "Boer kommando"
    MOUNTED_INFANTRY = "mounted infantry"
    CAVALRY = "cavalry"
    ARTILLERY = "artillery"
    DETACHMENT = "detachment"


ARMS = {
    **dict.fromkeys((Troop.REGULAR_INFANTRY, Troop.NATIVE_FOOT), Arm.INFANTRY),
    Troop.KOMMANDO: Arm.KOMMANDO,
    Troop.MOUNTED_INFANTRY: Arm.MOUNTED_INFANTRY,
    **dict.fromkeys((Troop.REGULAR_CAVALRY, Troop.NATIVE_MOUNTED), Arm.CAVALRY),
    **dict.fromkeys((Troop.FIELD_ARTILLERY, Troop.HEAVY_ARTILLERY, Troop.MOUNTAIN_GUN), Arm.ARTILLERY),
    **dict.fromkeys((Troop.MACHINE_GUN, Troop.POM_POM, Troop.ROCKET), Arm.ARTILLERY),
}
"""Arms by troop. Leaders, wagons and mules have no arm, because they lack morale of their own (ruling)."""

CREWED = (*(troop for troop, its in ARMS.items() if its is Arm.ARTILLERY), Troop.WAGON, Troop.PACK_MULES)
COMMANDERS = (Troop.GENERAL, Troop.NATIVE_COMMANDER)
LEADERS = (*COMMANDERS, Troop.IMAM)
DEFENCES = (Works.ZAREBA, Works.SANDBAGS, Works.EARTHWORKS, Works.SANGAR)
"""Field defences (MM-7): regulars behind them are steadier (MM-5.4)."""
BREASTWORKS = (Works.ZAREBA, Works.SANDBAGS, Works.EARTHWORKS)
"""Field defences that hinder an attacker in melee (MM-7); a sangar does not."""


def has_own_morale(unit: MagdalaUnit) -> bool:
    """Whether the unit has morale of its own: all but leaders, wagons and mules."""
    return unit.troop in ARMS


def morale_arm(unit: MagdalaUnit) -> Arm:
    """Return the unit's row of the morale charts; all detachments share one. Raises KeyError for leaders and wagons."""
    return Arm.DETACHMENT if unit.is_detachment else ARMS[unit.troop]


def is_infantry(unit: MagdalaUnit) -> bool:
    """Whether the unit is infantry, or mounted infantry or a kommando on foot (MM-5.1, ruling)."""
    of_arm = ARMS.get(unit.troop)
    return of_arm is Arm.INFANTRY or (of_arm in (Arm.KOMMANDO, Arm.MOUNTED_INFANTRY) and not unit.mounted)


def is_riding_infantry(unit: MagdalaUnit) -> bool:
    """Whether the unit is mounted infantry or a kommando on horseback, which attacks only on foot (MM-2.3, ruling)."""
    return unit.mounted and ARMS.get(unit.troop) in (Arm.KOMMANDO, Arm.MOUNTED_INFANTRY)


def is_british_infantry(unit: MagdalaUnit) -> bool:
    """Whether the unit is British infantry, or British mounted infantry on foot (MM-4.3, MM-5.8; ruling)."""
    of_arm = unit.troop in (Troop.REGULAR_INFANTRY, Troop.MOUNTED_INFANTRY)
    return unit.nation is Nation.BRITISH and of_arm and is_infantry(unit)


def never_routs(unit: MagdalaUnit) -> bool:
    """Whether the unit never routs from a melee: British infantry and the Foreign Legion (MM-5.8)."""
    return is_british_infantry(unit) or unit.nation is Nation.FOREIGN_LEGION


def counts_as_british(unit: MagdalaUnit) -> bool:
    """Whether the unit counts as British regulars, as the Foreign Legion does (MM-5.4)."""
    british = unit.british_equivalent or (unit.nation is Nation.BRITISH and unit.regular)
    return british or unit.nation is Nation.FOREIGN_LEGION
