"""Changes of an order sheet that the chat and the live map share."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from bot.journal.game import Game
from rules.core.refusal import Refused
from rules.core.typed_text import statements

from .model import MOST_ORDERS, Sheet, SheetFull
from .preview import Prospect
from .typed_lines import add_lines

Change: TypeAlias = Callable[[Game, Sheet], Sheet]


def write_orders(user: int, text: str, *, anew: bool = False) -> Change:
    """Return a change that adds a text's orders to a sheet, or with `anew` replaces the sheet's orders.

    The change may raise SheetFull.
    """
    lines = statements(text)

    def write(game: Game, sheet: Sheet) -> Sheet:
        if len(lines) > MOST_ORDERS:  # checked first, because previewing so many takes long
            raise SheetFull
        earlier_orders = () if anew else sheet.orders
        prospect = Prospect.for_sheet(game, game.sheet_viewer(user), earlier_orders)
        parts = _split_statements(prospect, text) if game.ruleset.spell_out is not None else lines
        unreadable_lines = add_lines(prospect, parts)
        orders = [forecast.order for forecast in prospect.forecasts]
        return sheet.with_orders(orders).model_copy(update={"wrong": unreadable_lines})

    return write


def _split_statements(prospect: Prospect, text: str) -> Sequence[str]:
    """Return the statements of a text. If a part after a semicolon is no order by itself, join it to the part before.

    `Graham: to Tamai; if enemy seen: halt` is one order, `Graham: to Tamai; garrison: dig in` are two.
    """
    joined_lines: list[str] = []
    for line in text.splitlines():
        first, *parts = statements(line) or ("",)
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


def take_understood(user: int) -> Change:
    """Return a change that adds the orders understood in partly unreadable lines. The change may raise SheetFull."""

    def take(game: Game, sheet: Sheet) -> Sheet:
        prospect = Prospect.for_sheet(game, game.sheet_viewer(user), sheet.orders)
        unreadable_lines = add_lines(prospect, [line.text for line in sheet.wrong], partly=True)
        orders = [forecast.order for forecast in prospect.forecasts]
        return sheet.with_orders(orders).model_copy(update={"wrong": unreadable_lines})

    return take


def clear(_: Game, sheet: Sheet) -> Sheet:
    """Return the sheet without orders and unreadable lines."""
    return sheet.with_orders(()).model_copy(update={"wrong": ()})
