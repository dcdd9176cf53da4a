"""Options of Charge!: rulings and house values that `/umpire option` changes for one game."""

from enum import StrEnum
from fractions import Fraction

from rules.core.model import Exact
from rules.core.options import house, printed, ruling
from rules.core.tabletop.options import TableOptions


class Passage(StrEnum):
    """Effect of terrain on the units that cross it."""

    HALF = "half"
    IMPASSABLE = "impassable"


class ChargeOptions(TableOptions):
    """Values of rulings and house rules of Charge!, and printed values that an umpire may change."""

    cavalry_move: float = ruling(12, "CH-1.1", "Inches cavalry move on normal going.", 1, 36)
    downhill_within: float = ruling(
        22.5, "CH-1.2", "Degrees off the way straight down a hill that still count as straight downhill.", 0, 90
    )
    marsh_for_infantry: Passage = ruling(
        Passage.HALF, "CH-1.2", "Whether infantry go through marsh at half their move, or not at all."
    )
    river: Passage = ruling(
        Passage.HALF, "CH-1.2", "Whether a river is an obstacle that takes half the move to cross, or impassable."
    )
    change_of_formation: Exact = house(
        Fraction(1, 2), "CH-F", "The part of its move that a change of formation takes.", 0, 1
    )
    sight_through_wood: float = house(2, "CH-2.1", "Inches of wood through which a target is still visible.", 0, 72)
    cover_within: float = house(1, "CH-3.2", "Inches behind a wall or a bank at which it covers a target.", 0, 12)
    woods_cover: bool = house(True, "CH-3.2", "Whether who stands in a wood is behind cover.")
    answers_at_once: bool = ruling(
        True, "CH-2.7", "Infantry that can answer the fire of one enemy alone does so without being told."
    )
    beaten_at: Exact = printed(
        Fraction(1, 2), "CH-5", "The part of an army's soldiers of which it must lose more to be beaten.", 0, 1
    )
