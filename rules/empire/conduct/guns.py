"""How far guns and machine guns move: without a test while they are steady (BE-6)."""

from rules.empire.model import EmpireUnit, Weapon
from rules.empire.tables import value

ON_MULES = (Weapon.MOUNTAIN_GUN, Weapon.MAXIM)


def gun_move(unit: EmpireUnit) -> int:
    """Inches of a crew's full move, limbered or not."""
    row = "mountain guns and Maxims" if unit.weapon in ON_MULES else "guns and carriage machine guns"
    return value("gun-moves", row, "limbered" if unit.limbered else "unlimbered")
