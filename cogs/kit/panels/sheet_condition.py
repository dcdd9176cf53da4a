"""The form of an order sheet that gives its last order a condition: *Only if …*."""

import asyncio
from collections.abc import Mapping
from typing import Any

from bot.errors import Stale
from bot.journal.game import Game
from bot.order_sheets.model import Sheet
from bot.order_sheets.sheet_changes import SheetChange
from bot.order_sheets.store import OldSheet
from cogs.kit.cards.card import shorten
from cogs.kit.controls.form import Form
from cogs.kit.order_sheets import display
from cogs.kit.request import Interaction
from rules.core.order_book import OrderBook
from rules.core.refusal import Refused

LONGEST = 200
"""Maximum characters of a condition."""
LONGEST_HINT = 100
"""Maximum characters of a field's description."""
EXAMPLE = "an enemy is within 12, or: the target is not routed"
GONE = "There is no order on your sheet any more."


class ConditionForm(Form, action="only-if", title="Only if …"):
    """The form with the condition of the sheet's last order."""

    def __init__(self, name: str, order: str, condition: str) -> None:
        """Create the form with the present `condition`. `name` holds the game's id and the sheet's revision."""
        super().__init__()
        order_line = shorten(order, LONGEST_HINT)
        self.add_text(name, "Only if", order_line, most=LONGEST, text=condition, hint=EXAMPLE, is_required=False)

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Give the last order the typed condition. An empty field removes the condition."""

        def make_condition_change(text: str) -> SheetChange:
            return lambda game, sheet: set_condition(game, sheet, interaction.user.id, text)

        await display.change_sheet_by_form(interaction, words, make_condition_change, Refused)


def set_condition(game: Game, sheet: Sheet, user: int, text: str) -> Sheet:
    """Return the sheet with a condition for its last order. Raises Refused, and Stale without orders."""
    if not sheet.orders:
        raise Stale(GONE)
    *earlier, last = sheet.orders
    fresh = last.model_copy(update={"unmet": "", "why": "", "waits": False, "told": False})
    return sheet.with_orders((*earlier, own_order_book(game, user).read_conditions(text, fresh)))


def own_order_book(game: Game, user: int) -> OrderBook[Any]:
    """Return the reader and writer of orders for the user's side."""
    viewer = game.sheet_viewer(user)
    return OrderBook(game.ruleset, game.ruleset.view(game.state, viewer), viewer)


async def open_condition_form(interaction: Interaction, game_id: str, revision: int) -> None:
    """Open the form for the sheet's last order. Raises OldSheet if the sheet changed, Stale without orders."""
    game, stored = await display.load_own_sheet(interaction, game_id)
    if stored.revision != revision:
        raise OldSheet
    if not stored.sheet.orders:
        raise Stale(GONE)
    last = stored.sheet.orders[-1]

    def write_order_and_condition() -> tuple[str, str]:
        book = own_order_book(game, interaction.user.id)
        return book.write(last.with_conditions(()), 1), book.write_conditions(last.conditions)

    order, condition = await asyncio.to_thread(write_order_and_condition)
    await ConditionForm(f"{game_id}:{revision}", order, condition).open(interaction)
