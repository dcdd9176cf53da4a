"""Order sheets: a player's list of orders, and the current menu choices."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from bot.errors import UserError
from rules.core.model import Model, Viewer
from rules.core.orders import LONGEST, Order
from rules.core.ruleset import Ruleset
from rules.core.state import State

MOST_ORDERS = 40
"""Maximum orders on a sheet, and maximum lines in its text."""
FULL = f"A sheet holds {MOST_ORDERS} orders. Have some done first, or name several units in one."
VERSION = "rules_version"
"""Under which a stored sheet names the version of the actions that its orders hold."""


class SheetFull(UserError):
    """More orders than a sheet holds."""

    def __init__(self) -> None:
        super().__init__(FULL)


class SheetOrder(Order):
    """An order on a sheet; `why` gives its refusal, `waits` marks orders awaiting another side's answer.

    An order for a phase belongs to that phase of a `turn`. `told`: its player has been told why.
    """

    turn: int = 0
    why: str = ""
    waits: bool = False
    told: bool = False


class Chosen(Model):
    """What is chosen so far of an order being made in menus, and which page of the next menu is shown."""

    units: tuple[str, ...] = ()
    phase: str = ""
    page: int = 0


class Wrong(Model):
    """An unreadable line, and the reason."""

    text: str = Field(max_length=LONGEST)
    why: str


class Sheet(Model):
    """A player's orders.

    `given`: the player gave the sheet as it stands, and orders for later are done in their phase. `go_on`: waiting
    orders are done as soon as possible. `through`: the turn whose remaining phases end without the player, unless they
    require a choice. `held`: the moment in which the player ended the turn, or saw an order refused; he ends that
    moment himself. `by`: the last interaction that changed the sheet.
    """

    orders: tuple[SheetOrder, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    chosen: Chosen = Chosen()
    given: bool = False
    go_on: bool = False
    through: int = 0
    held: str = ""
    by: int = 0

    def with_orders(self, orders: Iterable[SheetOrder]) -> "Sheet":
        """Return the sheet with these orders, not yet given. Raises SheetFull beyond the limit."""
        listed = tuple(orders)
        if len(listed) > MOST_ORDERS:
            raise SheetFull
        return self.model_copy(update={"orders": listed, "chosen": Chosen(), "given": False})

    def choosing(self, **chosen: Any) -> "Sheet":
        """Return the sheet with something else chosen, and the first page of the next menu."""
        return self.model_copy(update={"chosen": self.chosen.model_copy(update={"page": 0, **chosen})})

    def all_told(self) -> "Sheet":
        """Return the sheet with every refused order marked as told to its player."""
        told = (one.model_copy(update={"told": bool(one.why) and not one.waits}) for one in self.orders)
        return self.model_copy(update={"orders": tuple(told)})

    @property
    def untold(self) -> int:
        """Number of refused orders that their player has not been told of."""
        return sum(bool(one.why) and not (one.waits or one.told) for one in self.orders)

    def through_with(self, state: State, turn: int) -> "Sheet":
        """Return the sheet of a player who has ended that turn, except for the present moment."""
        return self.model_copy(update={"through": turn, "held": moment(state)})

    def not_through(self) -> "Sheet":
        """Return the sheet of a player who ends every phase himself."""
        return self.model_copy(update={"through": 0, "held": ""})


EMPTY = Sheet()


def moment(state: State) -> str:
    """Name the moment: turn, phase and active side."""
    return f"{state.turn} {state.phase} {state.active}"


@dataclass(frozen=True)
class Kept:
    """A stored sheet: game, owner, side, and revision (0 before its first storage)."""

    game: str
    owner: int
    side: Viewer
    revision: int = 0
    sheet: Sheet = EMPTY


def document(sheet: Sheet, system: Ruleset[Any]) -> dict[str, Any]:
    """Return the sheet as stored JSON."""
    return {VERSION: system.version, **sheet.model_dump(mode="json", exclude_defaults=True)}


def sheet_of(stored: Mapping[str, Any], system: Ruleset[Any]) -> Sheet:
    """Return the sheet of such a document; what an older program wrote is read as of today. Raises ValueError."""
    told = {name: value for name, value in stored.items() if name != VERSION}
    orders = []
    for order in told.get("orders", ()):
        kind, args = system.upgrade_action(order["kind"], order.get("args", {}), stored[VERSION])
        orders.append({**order, "kind": kind, "args": args})
    return Sheet.model_validate({**told, "orders": orders})
