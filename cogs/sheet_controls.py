"""Controls of order sheets: open, write by menus or as text, carry out. `/turn orders` is in `cogs.turn`."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import discord

from bot.errors import NotAllowed, Stale, UserError
from bot.games.idle_turns import IdleTurnRefusal
from bot.journal.game import Game
from bot.order_sheets import menu_options
from bot.order_sheets.idle_sheets import require_no_idle_turn
from bot.order_sheets.model import Sheet, SheetFull
from bot.order_sheets.preview import Prospect
from bot.order_sheets.sheet_changes import (
    SheetChange,
    clear_orders,
    make_order_addition,
    make_understood_order_addition,
)
from bot.order_sheets.store import OldSheet, SheetResult
from rules.core.own_turn import own_turn_number

from .kit import game_actions, pressed_message, reply
from .kit.cards import idle_turn
from .kit.cards.card import WARNING, Card, make_button, safe, shorten
from .kit.cards.offer_buttons import ORDERS
from .kit.controls.control import UNREADABLE, PersistentButton, PersistentMenu
from .kit.controls.form import Form
from .kit.order_sheets import display
from .kit.order_sheets.sheet_card import ALL, FIELDS, MORE, ONLY_IF, PICK, READ, SHEET, SHOW, TAKE
from .kit.panels import sheet_condition, sheet_measurements
from .kit.request import Interaction, actor_of, channel_of, request_of

LONGEST = 4000
"""Maximum characters of text in Discord's form."""
LONGEST_HINT = 100
"""Maximum characters of a form's placeholder, and of a description."""
TOO_LONG = (
    f"Your sheet is longer than the {LONGEST} characters of a form. Remove last or Clear makes it shorter; "
    "/turn orders text: adds to it as it is."
)
ANYWAY = "anyway"
DO_ALL = ("all", "end", ANYWAY)
"""Buttons that carry out the sheet; the last one also ends an idle turn."""


class OrdersButton(PersistentButton, action=ORDERS, fields=("game",)):
    """The button *Give orders*: it opens the presser's own sheet."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the sheet, for the presser alone."""
        await display.show_own_sheet(interaction, self.fields["game"], anew=True)


class ReadSheetButton(PersistentButton, action=READ, fields=("game", "owner")):
    """The button that shows the order sheet of another player of the user's side."""

    async def handle(self, interaction: Interaction) -> None:
        """Show the sheet without menus and buttons."""
        await display.show_sheet_of_player(interaction, self.fields["game"], self.number_field("owner", most=2**63 - 1))


class SheetButton(PersistentButton, action=SHEET, fields=FIELDS):
    """A button of the user's own order sheet."""

    async def handle(self, interaction: Interaction) -> None:
        """Do what the button's field `what` names, such as carrying out all orders.

        Raises Stale, UserError, Refused, and NotAllowed if the user is not the sheet's owner.
        """
        require_sheet_owner(interaction, self.fields["owner"])
        press, game_id, revision = self.fields["what"], self.fields["game"], self.number_field("revision")
        if press in DO_ALL:
            await execute_sheet(interaction, game_id, revision, press)
        elif press == "text":
            await open_text_form(interaction, game_id, revision)
        elif press == ONLY_IF:
            await sheet_condition.open_condition_form(interaction, game_id, revision)
        elif press == SHOW:
            await display.post_sheet_in_room(interaction, game_id)
        elif press == "through":
            await display.change_sheet(interaction, game_id, revision, make_turn_end_toggle(interaction.user.id))
        elif press == TAKE:
            change = make_understood_order_addition(interaction.user.id)
            await display.change_sheet(interaction, game_id, revision, change)
        elif press in CHANGES:
            await display.change_sheet(interaction, game_id, revision, CHANGES[press])
        else:
            raise Stale(UNREADABLE)


class SheetMenu(PersistentMenu, action=PICK, fields=FIELDS):
    """A menu of the user's own order sheet."""

    async def handle(self, interaction: Interaction) -> None:
        """Choose units, phase or action. The choice of an action adds the order."""
        require_sheet_owner(interaction, self.fields["owner"])
        press, values = self.fields["what"], list(self.values)
        change = CHOICES.get(press)
        if change is None:
            raise Stale(UNREADABLE)
        user = interaction.user.id
        game_id, revision = self.fields["game"], self.number_field("revision")
        if press == "do" and await sheet_measurements.open_sheet_form(interaction, game_id, revision, values[0]):
            return

        def apply_choice(game: Game, sheet: Sheet) -> Sheet:
            return change(Prospect.for_sheet(game, game.viewer(user), sheet.orders), sheet, values)

        await display.change_sheet(interaction, game_id, revision, apply_choice)


def examples_hint(examples: Sequence[str]) -> str:
    """Return a hint such as `As “Amarar: forward 6” or “all: hold”`, with as many examples as fit."""
    chosen: list[str] = []
    for example in dict.fromkeys((examples[0], examples[-1], *examples)):
        quoted = " or ".join(f"“{shown_example}”" for shown_example in (*chosen, example))
        if len(quoted) + len("As ") <= LONGEST_HINT:
            chosen.append(example)
    return shorten(f"As {' or '.join(f'“{example}”' for example in chosen)}", LONGEST_HINT)


class OrdersForm(Form, action="orders", title="Your orders, one a line"):
    """The form with the whole order sheet as text."""

    def __init__(self, name: str, text: str, examples: Sequence[str]) -> None:
        """Create the form with `text`. `name` holds the game's id and the sheet's revision."""
        super().__init__()
        hint, description = shorten(examples[0], LONGEST_HINT), examples_hint(examples)
        self.add_text(name, "Orders", description, most=LONGEST, text=text, hint=hint, is_long=True, is_required=False)

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Replace the sheet by the typed text. Lines that cannot be read stay on the sheet for correction."""
        make_change = partial(make_order_addition, interaction.user.id, anew=True)
        await display.change_sheet_by_form(interaction, words, make_change, SheetFull)


def require_sheet_owner(interaction: Interaction, owner: str) -> None:
    """Raise NotAllowed if the user is not the sheet's owner."""
    if owner != str(interaction.user.id):
        raise NotAllowed("That is another player's order sheet. /turn orders opens yours.")


def make_turn_end_toggle(user: int) -> SheetChange:
    """Return a sheet change that toggles whether the turn ends after the sheet's orders."""

    def toggle_on_sheet(game: Game, sheet: Sheet) -> Sheet:
        turn = own_turn_number(game.ruleset, game.state, game.sheet_viewer(user))
        return sheet.with_turn_reopened() if sheet.through == turn else sheet.with_turn_ended(game.state, turn)

    return toggle_on_sheet


CHANGES: Mapping[str, SheetChange] = {
    "last": lambda _, sheet: sheet.with_orders(sheet.orders[:-1]),
    "clear": clear_orders,
    "go_on": lambda _, sheet: sheet.model_copy(update={"go_on": not sheet.go_on}),
}
"""The changes that buttons make: remove the last order, clear the sheet, switch its automatic execution on or off."""


def choose_phase(_: Prospect, sheet: Sheet, values: list[str]) -> Sheet:
    """Return the sheet with the phase chosen for its next order: now, a later phase, or any time."""
    return sheet.with_choice(phase=values[0], units=())


def choose_units(prospect: Prospect, sheet: Sheet, values: list[str]) -> Sheet:
    """Return the sheet with the chosen units, with all units able to act, or with the menu's next page."""
    page = sheet.chosen.page
    if ALL in values:
        phase = prospect.phase_for_menu(sheet.chosen.phase)
        return sheet.with_choice(units=menu_options.units_able_to_act(prospect, phase))
    chosen = tuple(unit for unit in values if unit in prospect.book.own_names)
    if MORE in values:
        return sheet.with_choice(units=(), page=page + 1)
    return sheet.with_choice(units=chosen)


def choose_order(prospect: Prospect, sheet: Sheet, values: list[str]) -> Sheet:
    """Return the sheet with the chosen order for the chosen units. If the next page was chosen, only turn the page."""
    chosen = sheet.chosen
    if values[0] == MORE:
        return sheet.with_choice(page=chosen.page + 1)
    option = sheet_measurements.find_menu_option(prospect, sheet, values[0])
    return sheet_measurements.add_order(prospect, sheet, option)


CHOICES: Mapping[str, Callable[[Prospect, Sheet, list[str]], Sheet]] = {
    "when": choose_phase,
    "units": choose_units,
    "do": choose_order,
}


async def open_text_form(interaction: Interaction, game_id: str, revision: int) -> None:
    """Open the form with the sheet as text. Raises OldSheet if the sheet changed, UserError if the text is too long."""
    game, stored = await display.load_own_sheet(interaction, game_id)
    if stored.revision != revision:
        raise OldSheet
    text, examples = await asyncio.to_thread(display.sheet_text_and_examples, game, stored)
    if len(text) > LONGEST:
        raise UserError(TOO_LONG)
    await OrdersForm(f"{game_id}:{revision}", text, examples).open(interaction)


async def execute_sheet(interaction: Interaction, game_id: str, revision: int, press: str) -> None:
    """Do the orders, tell everyone, and show the remaining sheet. Ask first if this ends a turn without any action."""
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    through = press != "all"

    async def execute_orders() -> SheetResult:
        if press != ANYWAY:
            game, stored = await display.load_own_sheet(interaction, game_id)
            await require_no_idle_turn(games.idle_turns, game, stored, actor, through=through)
        return await games.sheets.execute(
            channel, actor, game_id, revision, ends_turn=through, interaction=interaction.id
        )

    try:
        result = await reply.wait_for(interaction, execute_orders(), quietly=True)
    except OldSheet as old:
        await display.show_own_sheet(interaction, game_id, note=str(old))
        return
    except IdleTurnRefusal as idle:
        red = discord.ButtonStyle.danger
        button = make_button(idle_turn.ANYWAY, red, SHEET, ANYWAY, game_id, actor.id, revision)
        await reply.send(interaction, Card(WARNING).text(safe(str(idle))).buttons([button]), private=True)
        return
    if result.played:
        request_of(interaction).is_done = True
        await pressed_message.acknowledge_press(interaction)
    await game_actions.show_sheet_result(interaction, result)
