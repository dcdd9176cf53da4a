"""The troops and scenarios of Charge!, and when an army is beaten (CH-5)."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from typing_extensions import override

from rules.core.data_files import ScenarioFiles
from rules.core.model import Cite, Mark
from rules.core.state import Verdict
from rules.core.tabletop.battle import TableState
from rules.core.tabletop.battle_files import BattleFile
from rules.core.tabletop.troops import Troops
from rules.core.tabletop.victory import Reckoning
from rules.core.wording import in_a_row

from .figures import PLACEMENT, WAYS
from .model import ChargeState, ChargeUnit
from .options import ChargeOptions

TROOPS = Troops("rules.charge", ChargeUnit)
LISTS = Cite(rule="CH-S", mark=Mark.HOUSE)
MORALE = Cite(rule="CH-5")


class BattleScenario(BattleFile[ChargeUnit, ChargeState]):
    """A scenario file."""

    troops, state_type, ways, lists = TROOPS, ChargeState, WAYS, LISTS

    options: ChargeOptions = ChargeOptions()

    @override
    def further(self) -> Mapping[str, Any]:
        """Whose turn it is."""
        return {"mover": self.first, "first": self.first, "phase": "moves"}

    @override
    def unit_faults(self, unit: ChargeUnit) -> Iterable[str]:
        """It stands nowhere."""
        if unit.place is None:
            yield "at: it stands nowhere"


BATTLES = ScenarioFiles("rules.charge", BattleScenario)


def soldiers(state: TableState[ChargeUnit], side: str) -> tuple[int, int]:
    """Soldiers whom an army has lost, and began with."""
    army = [unit for unit in state.units.values() if unit.side == side]
    return sum(unit.lost for unit in army), sum(unit.at_start for unit in army)


def least_to_be_beaten(state: TableState[ChargeUnit], side: str, part: Fraction) -> int:
    """The least number of soldiers lost with which an army is beaten: more than that part (CH-5)."""
    _, began = soldiers(state, side)
    return int(part * began) + 1


class ArmyMorale(Reckoning[ChargeUnit]):
    """An army that has lost more than a part of the soldiers it began with is beaten (CH-5)."""

    @override
    def ended(self, state: TableState[ChargeUnit]) -> Verdict | None:
        return self.verdict(state, state.options.beaten_at) if state.scenario else None

    @override
    def is_broken(self, state: TableState[ChargeUnit], side: str, part: Fraction) -> bool:
        lost, began = soldiers(state, side)
        return began > 0 and lost > part * began

    @override
    def broken(self, state: TableState[ChargeUnit], part: Fraction) -> Verdict | None:
        fled = [side for side in state.sides if self.is_broken(state, side.id, part)]
        if not fled:
            return None
        told = in_a_row(f"the {side.name} have lost {self.count(state, side.id)}" for side in fled)
        stand = [side for side in state.sides if side not in fled]
        if len(stand) != 1:
            return Verdict(winner=None, why=f"{told[0].upper()}{told[1:]}: both armies are beaten.")
        why = f"{told[0].upper()}{told[1:]}, and fight no more. The {stand[0].name} win."
        return Verdict(winner=stand[0].id, why=why)

    @staticmethod
    def count(state: TableState[ChargeUnit], side: str) -> str:
        """`21 of 41 soldiers`."""
        lost, began = soldiers(state, side)
        return f"{lost} of {began} soldiers"


RECKONING = ArmyMorale(base=PLACEMENT.base, fate="gone")
