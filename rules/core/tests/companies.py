"""A toy system: companies on a table of 72 by 48 inches, on bases 4 inches broad and 1 deep."""

from rules.core.state import Side
from rules.core.tabletop.battle import Place, TableState, TableUnit
from rules.core.tabletop.placement import Placement

OURS, THEIRS = "ours", "theirs"
SIDES = (Side(id=OURS, name="Ours", index=0), Side(id=THEIRS, name="Theirs", index=1))


class Company(TableUnit):
    """A unit that is on the table unless it is gone. A colonel takes no ground, and guns never attack."""

    gone: bool = False
    colonel: bool = False
    guns: bool = False

    @property
    def on_table(self) -> bool:
        return not self.gone


Field = TableState[Company]
PLACEMENT: Placement[Company] = Placement(lambda _: (4.0, 1.0))


def company(name: str, x: float, y: float, facing: float = 0.0, side: str = OURS, **fields: bool) -> Company:
    return Company(id=name.casefold(), name=name, side=side, place=Place(x=x, y=y, facing=facing), **fields)


def unplaced_company(name: str, side: str = OURS) -> Company:
    """Return a unit whose place is unknown."""
    return Company(id=name.casefold(), name=name, side=side)


def table_of(*units: Company, **fields: object) -> Field:
    state = Field(ruleset="toy", scenario="", sides=SIDES, active=OURS, units={unit.id: unit for unit in units})
    return state.model_copy(update=fields)
