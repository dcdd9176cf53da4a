"""The troops and scenarios of Charge!, and when an army is beaten (CH-5)."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, ClassVar

from typing_extensions import override

from rules.core.data_files import ScenarioFiles
from rules.core.model import Cite, Mark
from rules.core.state import Side
from rules.core.tabletop.battle import TableState
from rules.core.tabletop.battle_files import BattleFile
from rules.core.tabletop.troops import Troops
from rules.core.tabletop.victory import VictoryRules
from rules.core.wording import join_with_and

from .figures import PLACEMENT, WAYS
from .model import ChargeState, ChargeUnit
from .options import ChargeOptions

TROOPS = Troops("rules.charge", ChargeUnit)
LISTS = Cite(rule="CH-S", mark=Mark.HOUSE)
MORALE = Cite(rule="CH-5")


class BattleScenario(BattleFile[ChargeUnit, ChargeState]):
    """A scenario file of Charge!"""

    troops, state_type, ways, lists_rule = TROOPS, ChargeState, WAYS, LISTS

    unsaved_fields, first_fields = ("this_turn", "hits"), ("mover", "first", "active")
    initial_fields: ClassVar[Mapping[str, Any]] = {"phase": "moves"}

    options: ChargeOptions = ChargeOptions()

    @classmethod
    @override
    def reset_for_new_battle(cls, unit: ChargeUnit) -> ChargeUnit:
        """Return the unit without cover, and with its present figures as its original strength."""
        return unit.model_copy(update={"at_start": unit.figures, "behind_cover": False})


BATTLES = ScenarioFiles("rules.charge", BattleScenario)


class ArmyMorale(VictoryRules[ChargeUnit]):
    """Army morale: losses above the allowed share of soldiers beat the army (CH-5)."""

    @override
    def lost_and_total_strength(self, state: TableState[ChargeUnit], side: str) -> tuple[int, int]:
        army = self.army_units(state, side)
        return sum(unit.figures_lost for unit in army), sum(unit.at_start for unit in army)

    @override
    def is_broken(self, state: TableState[ChargeUnit], side: str, share: Fraction) -> bool:
        lost, began = self.lost_and_total_strength(state, side)
        return lost > share * began

    @override
    def explain_broken_armies(self, losses: Sequence[tuple[Side, int, int]], share: Fraction) -> str:
        text = join_with_and(f"{side:the} have lost {lost} of {began} soldiers" for side, lost, began in losses)
        return f"{text[0].upper()}{text[1:]}, and fight no more."


VICTORY = ArmyMorale(base=PLACEMENT.base, fate="gone", whole="soldiers", option="beaten_at")
