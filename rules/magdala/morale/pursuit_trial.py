"""The throw that keeps victors from pursuit (MM-4.6)."""

from rules.core.model import Cite
from rules.magdala.model import MagdalaUnit, Troop
from rules.magdala.morale.trials import Trial
from rules.magdala.tables import value


def pursuit_trial(unit: MagdalaUnit) -> Trial:
    """D6: they pursue unless they roll a 6, regular cavalry a 5 or 6."""
    row = "regular cavalry" if unit.troop is Troop.REGULAR_CAVALRY else "any other troops"
    needs = value("pursuit", row)
    return Trial(
        text=f"{unit.name}: pursuit",
        cite=Cite(rule="MM-4.6"),
        dice=1,
        modifiers=(),
        needs=needs,
        against=f"against {needs}",
        hope="to rally",
        passed="rallies on the spot",
        failed="pursues",
    )
