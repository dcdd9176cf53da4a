"""Changes of an order sheet that both the chat and the live map make."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from bot.journal.game import Game
from rules.core.refusal import Refused
from rules.core.typed_text import split_statements

from .model import MOST_ORDERS, Sheet, SheetFull
from .preview import Prospect
from .typed_lines import add_order_lines

SheetChange: TypeAlias = Callable[[Game, Sheet], Sheet]


def make_order_addition(user: int, text: str, *, anew: bool = False) -> SheetChange:
    """Return a function that adds the orders of a typed text to a sheet.

    With `anew`, they replace the sheet's orders. The function raises SheetFull for too many orders.
    """
    lines = split_statements(text)

    def add_orders(game: Game, sheet: Sheet) -> Sheet:
        if len(lines) > MOST_ORDERS:  # checked first, because previewing so many takes long
            raise SheetFull
        earlier_orders = () if anew else sheet.orders
        prospect = Prospect.for_sheet(game, game.sheet_viewer(user), earlier_orders)
        parts = _split_into_orders(prospect, text) if game.ruleset.spell_out is not None else lines
        return _add_lines_to_sheet(sheet, prospect, parts)

    return add_orders


def _split_into_orders(prospect: Prospect, text: str) -> Sequence[str]:
    """Split a text into orders at line breaks and semicolons. A part that is no order belongs to the part before.

    `Graham: to Tamai; if enemy seen: halt` is one order, `Graham: to Tamai; garrison: dig in` are two.
    """
    joined_lines: list[str] = []
    for line in text.splitlines():
        first, *parts = split_statements(line) or ("",)
        joined_lines.append(first)
        for part in parts:
            longer = f"{joined_lines[-1]}; {part}"
            if not _is_order(prospect, part) and _is_order(prospect, longer):
                joined_lines[-1] = longer
            else:
                joined_lines.append(part)
    return joined_lines


def _is_order(prospect: Prospect, line: str) -> bool:
    try:
        prospect.book.read(line)
    except Refused:
        return False
    return True


def make_understood_order_addition(user: int) -> SheetChange:
    """Return a function that adds orders from the understood parts of a sheet's unreadable lines.

    The function raises SheetFull for too many orders.
    """

    def add_understood_orders(game: Game, sheet: Sheet) -> Sheet:
        prospect = Prospect.for_sheet(game, game.sheet_viewer(user), sheet.orders)
        return _add_lines_to_sheet(sheet, prospect, [line.text for line in sheet.wrong], partly=True)

    return add_understood_orders


def _add_lines_to_sheet(sheet: Sheet, prospect: Prospect, lines: Sequence[str], *, partly: bool = False) -> Sheet:
    """Return the sheet with the prospect's orders, followed by the orders of typed lines.

    For `partly`, see `add_order_lines`.
    """
    unreadable_lines = add_order_lines(prospect, lines, partly=partly)
    orders = [forecast.order for forecast in prospect.forecasts]
    return sheet.with_orders(orders).model_copy(update={"wrong": unreadable_lines})


def clear_orders(_: Game, sheet: Sheet) -> Sheet:
    """Return the sheet without its orders and unreadable lines."""
    return sheet.with_orders(()).model_copy(update={"wrong": ()})
