"""Order sheets: a player's list of orders, and the choices made so far in the menus."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from bot.errors import UserError
from rules.core.model import UMPIRE, Model, Viewer
from rules.core.orders import LONGEST, MY_TURN, Order
from rules.core.ruleset import Ruleset
from rules.core.standing_answers import StandingAnswer, replace_answer
from rules.core.state import State

MOST_ORDERS = 40
"""Maximum orders on a sheet, and maximum lines in its text."""
FULL = f"A sheet holds {MOST_ORDERS} orders. Have some done first, or name several units in one."
MOST_ANSWERS = 40
"""Maximum standing answers on a sheet."""
VERSION = "rules_version"
"""Key in a stored sheet's JSON: the rules version in which its orders are written."""


class SheetFull(UserError):
    """Raised for a sheet with more than MOST_ORDERS orders, or MOST_ANSWERS standing answers."""

    def __init__(self, why: str = FULL) -> None:
        super().__init__(why)


class SheetOrder(Order):
    """An order on a sheet, with the turn in which it is due and its last refusal."""

    turn: int = 0
    """Number of the turn in which the order is due, or 0 for any turn."""
    why: str = ""
    """The last refusal, or an empty string."""
    waits: bool = False
    """Whether the order waits for another side's answer."""
    unmet: str = ""
    """`moment_key` of the phase in which a condition left the order undone, or an empty string."""
    told: bool = False
    """Whether the player has been told the refusal."""

    def is_due(self, state: State, side: Viewer) -> bool:
        """Whether the order's turn and phase are the present ones, and `side` acts now."""
        acts = side == UMPIRE or side in state.acting_sides
        return acts and self.phase in ("", MY_TURN, state.phase) and self.turn in (0, state.turn)

    def is_over(self, state: State) -> bool:
        """Whether the order's turn has ended."""
        return 0 < self.turn < state.turn


class MenuChoice(Model):
    """The player's choices so far in the menus for a new order. `page` is the page that the next menu shows."""

    units: tuple[str, ...] = ()
    phase: str = ""
    page: int = 0


class AnswerChoice(Model):
    """The player's choices so far in the menus for a new standing answer.

    Without units, the answer is for the whole side.
    """

    occasion: str = ""
    units: tuple[str, ...] = ()
    page: int = 0


class UnreadableLine(Model):
    """A line of an order sheet that cannot be read, and the reason."""

    text: str = Field(max_length=LONGEST)
    why: str


class Sheet(Model):
    """A player's orders and standing answers."""

    orders: tuple[SheetOrder, ...] = ()
    wrong: tuple[UnreadableLine, ...] = ()
    """Typed lines that could not be read."""
    chosen: MenuChoice = MenuChoice()
    given: bool = False
    """Whether the player gave these orders by *Do all*. Then each later order is executed in its phase."""
    go_on: bool = False
    """Whether waiting orders are executed as soon as they become possible."""
    through: int = 0
    """Number of the turn that the player ended, or 0. Its later phases end without him unless they require a choice."""
    held: str = ""
    """`moment_key` of the phase in which the player ended the turn or saw a refusal. He ends that phase himself."""
    by: int = 0
    """Id of the last interaction that changed the sheet."""
    holding: tuple[str, ...] = ()
    """Units that carried out an order to hold, at the moment `holding_at` (a `moment_key`)."""
    holding_at: str = ""
    standing: tuple[StandingAnswer, ...] = Field(default=(), max_length=MOST_ANSWERS)
    asked_at: int = 0
    """`seq` of the entry to which an undo led back. In that entry's state, no standing answer is used."""
    answering: AnswerChoice = AnswerChoice()

    def with_orders(self, orders: Iterable[SheetOrder]) -> "Sheet":
        """Return the sheet with these orders in place of its own.

        The new orders are not `given` yet. Raises SheetFull for more than MOST_ORDERS orders.
        """
        new_orders = tuple(order.model_copy(update={"unmet": ""}) if order.unmet else order for order in orders)
        if len(new_orders) > MOST_ORDERS:
            raise SheetFull
        return self.model_copy(update={"orders": new_orders, "chosen": MenuChoice(), "given": False})

    def with_choice(self, **chosen: Any) -> "Sheet":
        """Return the sheet with changed menu choices. The next menu shows its first page, unless `page` is given."""
        return self.model_copy(update={"chosen": self.chosen.model_copy(update={"page": 0, **chosen})})

    def with_answer(self, answer: StandingAnswer) -> "Sheet":
        """Return the sheet with the standing answer. Raises SheetFull for more than MOST_ANSWERS answers."""
        answers = replace_answer(self.standing, answer)
        if len(answers) > MOST_ANSWERS:
            raise SheetFull(f"A sheet holds {MOST_ANSWERS} standing answers. Give one for the whole side first.")
        return self.model_copy(update={"standing": answers})

    def with_holding_units(self, units: Collection[str], state: State) -> "Sheet":
        """Return the sheet after these units have carried out an order to hold."""
        if not units:
            return self
        now = moment_key(state)
        before = self.holding if self.holding_at == now else ()
        return self.model_copy(update={"holding": tuple(sorted({*before, *units})), "holding_at": now})

    def with_refusals_told(self) -> "Sheet":
        """Return the sheet with every refusal marked as told to the player."""
        orders = (order.model_copy(update={"told": bool(order.why) and not order.waits}) for order in self.orders)
        return self.model_copy(update={"orders": tuple(orders)})

    @property
    def untold_refusal_count(self) -> int:
        """Number of refused orders whose refusal the player has not been told."""
        return sum(bool(order.why) and not (order.waits or order.told) for order in self.orders)

    def with_turn_ended(self, state: State, turn: int) -> "Sheet":
        """Return the sheet after its player ended turn number `turn`. He still ends the present phase himself."""
        return self.model_copy(update={"through": turn, "held": moment_key(state)})

    def with_turn_reopened(self) -> "Sheet":
        """Return the sheet after its player took back the end of his turn. From now on, he ends every phase himself."""
        return self.model_copy(update={"through": 0, "held": ""})


EMPTY = Sheet()


def moment_key(state: State) -> str:
    """Return a key for the present turn, phase and active side."""
    return f"{state.turn} {state.phase} {state.active}"


@dataclass(frozen=True)
class StoredSheet:
    """An order sheet, with the game, owner, side and revision of its database row."""

    game: str
    owner: int
    side: Viewer
    revision: int = 0
    """Revision of the row, or 0 if the sheet is not stored yet."""
    sheet: Sheet = EMPTY
    fellows: tuple[Sheet, ...] = ()
    """Sheets of the side's other players. A standing answer is used only if none of them has a different answer."""


def dump_sheet(sheet: Sheet, system: Ruleset[Any]) -> dict[str, Any]:
    """Return the sheet as JSON for the database."""
    return {VERSION: system.version, **sheet.model_dump(mode="json", exclude_defaults=True)}


def parse_sheet(document: Mapping[str, Any], system: Ruleset[Any]) -> Sheet:
    """Parse a stored sheet, and upgrade its orders to the present rules version.

    Raises ValueError, LookupError or TypeError for an unreadable document.
    """
    fields = {name: value for name, value in document.items() if name != VERSION}
    orders = []
    for order in fields.get("orders", ()):
        kind, args = system.upgrade_action(order["kind"], order.get("args", {}), document[VERSION])
        orders.append({**order, "kind": kind, "args": args})
    return Sheet.model_validate({**fields, "orders": orders})
