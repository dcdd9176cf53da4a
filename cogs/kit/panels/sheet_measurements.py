"""The form for missing facts of an order that was chosen in a menu, such as the range to a target."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace

from bot.errors import Stale
from bot.journal.game import Game
from bot.order_sheets import menu_options
from bot.order_sheets.menu_options import OrderOption
from bot.order_sheets.model import Sheet
from bot.order_sheets.order_phases import add_prerequisites
from bot.order_sheets.preview import Prospect
from cogs.kit import reply
from cogs.kit.controls import measurement_form
from cogs.kit.controls.control import UNREADABLE
from cogs.kit.controls.measurement_form import MeasurementForm
from cogs.kit.order_sheets import display
from cogs.kit.order_sheets.sheet_card import MORE, option_label, option_tag
from cogs.kit.request import Interaction
from rules.core.ad_hoc import FactsToAsk


class SheetMeasurementForm(MeasurementForm, action="sheet-said", title="Facts only you know"):
    """The form for missing facts of an order. The custom ids carry the game, the sheet's revision, and the option."""

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Add the order, with the answers, to the sheet. Raises Stale, Refused."""
        match measurement_form.read_custom_id_data(words):
            case [str(game_id), int(revision), str(chosen)]:
                pass
            case _:
                raise Stale(UNREADABLE)

        def add_measured_order(game: Game, sheet: Sheet) -> Sheet:
            prospect = Prospect.for_sheet(game, game.viewer(interaction.user.id), sheet.orders)
            option = find_menu_option(prospect, sheet, chosen)
            order = option.order.model_copy(update={"args": measurement_form.read_answers(words, option.order.args)})
            return add_order(prospect, sheet, replace(option, order=order))

        await display.change_sheet(interaction, game_id, revision, add_measured_order)


async def open_sheet_form(interaction: Interaction, game_id: str, revision: int, chosen: str) -> bool:
    """Open the form if people may state facts for the menu option with the tag `chosen`. Return whether it opened."""
    game, stored = await display.load_own_sheet(interaction, game_id)
    if game.state.keeps_positions or stored.revision != revision or chosen == MORE:
        return False

    def find_questions() -> tuple[OrderOption, FactsToAsk | None]:
        prospect = Prospect.for_sheet(game, game.viewer(interaction.user.id), stored.sheet.orders)
        option = find_menu_option(prospect, stored.sheet, chosen)
        return option, menu_options.questions_for_option(prospect, option)

    option, facts = await asyncio.to_thread(find_questions)
    if facts is None or reply.is_answered(interaction):
        return False
    carried = json.dumps([game_id, revision, chosen], separators=(",", ":"))
    units = option.order.units
    unit_names = measurement_form.unit_name(game, units[0]) if len(units) == 1 else f"{len(units)} units"
    await SheetMeasurementForm(facts, game, f"{unit_names}: {option_label(option)}", carried).open(interaction)
    return True


def find_menu_option(prospect: Prospect, sheet: Sheet, chosen: str) -> OrderOption:
    """Return the option with the tag `chosen` for the sheet's chosen units. Raises Stale if it no longer exists."""
    options = menu_options.list_order_options(prospect, sheet.chosen.units, prospect.phase_for_menu(sheet.chosen.phase))
    option = next((candidate for candidate in options if option_tag(candidate) == chosen), None)
    if option is None:
        raise Stale("That can no longer be ordered. The sheet stands here as it is now.")
    return option


def add_order(prospect: Prospect, sheet: Sheet, option: OrderOption) -> Sheet:
    """Return the sheet with an option's order, after the orders that it requires. The chosen phase stays chosen."""
    order = menu_options.make_order(prospect, option)
    first = add_prerequisites(prospect, order)
    changed = sheet.with_orders((*sheet.orders, *first, order))
    return changed.with_choice(phase=prospect.phase_for_menu(sheet.chosen.phase) or sheet.chosen.phase)
