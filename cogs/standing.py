"""`/turn standing`: a player's answers in advance to prompts of one kind (an *occasion*), and the card's controls."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import Any

from discord import app_commands
from discord.ext import commands

from bot.errors import Stale, UserError
from bot.journal.game import Game
from bot.order_sheets.model import AnswerChoice, Sheet
from bot.order_sheets.sheet_changes import SheetChange
from rules.core.order_book import OrderBook
from rules.core.standing_answers import Occasion, read_answer, read_occasion, require_possible_answer

from .kit.command_traits import offer_in_servers
from .kit.controls.control import UNREADABLE, PersistentButton, PersistentMenu
from .kit.lookup import completion
from .kit.option_types import Name, Words
from .kit.order_sheets import display, standing_display
from .kit.order_sheets.sheet_card import FIELDS, MORE, menu_page
from .kit.order_sheets.standing_card import ANSWER, BACK, SIDE, answer_options, units_in_menu_order
from .kit.order_sheets.standing_lines import STANDING
from .kit.request import Interaction, game_of
from .sheet_controls import require_sheet_owner

WHEN_FIRST = "Fill in when: too, to say what you answer. /turn standing without options lists what can be answered."


class StandingAnswersButton(PersistentButton, action=STANDING, fields=FIELDS):
    """A button that opens the card of standing answers, leaves it, or removes all answers."""

    async def handle(self, interaction: Interaction) -> None:
        """Do what the button says. Raises Stale, and NotAllowed if the user is not the owner."""
        require_sheet_owner(interaction, self.fields["owner"])
        press, game_id = self.fields["what"], self.fields["game"]
        if press == "open":
            await standing_display.show_standing_answers(interaction, game_id)
        elif press == BACK:
            await display.show_own_sheet(interaction, game_id)
        elif press == "clear":
            await standing_display.change_answers(interaction, game_id, self.number_field("revision"), remove_answers)
        else:
            raise Stale(UNREADABLE)


class AnswerMenu(PersistentMenu, action=ANSWER, fields=FIELDS):
    """A menu that chooses the occasion, units or reply of a standing answer."""

    async def handle(self, interaction: Interaction) -> None:
        """Choose the occasion, units, or answer. Raises Stale, Refused, and NotAllowed if the user is not the owner."""
        require_sheet_owner(interaction, self.fields["owner"])
        change = CHOICES.get(self.fields["what"])
        if change is None:
            raise Stale(UNREADABLE)
        values, user = list(self.values), interaction.user.id

        def apply_choice(game: Game, sheet: Sheet) -> Sheet:
            return change(game, user, sheet, values)

        revision = self.number_field("revision")
        await standing_display.change_answers(interaction, self.fields["game"], revision, apply_choice)


def remove_answers(_: Game, sheet: Sheet) -> Sheet:
    """Return the sheet without standing answers."""
    return sheet.model_copy(update={"standing": (), "answering": AnswerChoice()})


def choose_occasion(_game: Game, _user: int, sheet: Sheet, values: Sequence[str]) -> Sheet:
    """Return the sheet with the chosen occasion. The next answer is for the whole side until units are chosen."""
    return sheet.model_copy(update={"answering": AnswerChoice(occasion=values[0])})


def choose_units(game: Game, user: int, sheet: Sheet, values: Sequence[str]) -> Sheet:
    """Return the sheet with the units chosen in the menu and on its other pages. No units mean the whole side.

    MORE turns the page. SIDE chooses the whole side; if it was already ticked, newly ticked units replace it.
    """
    before = sheet.answering
    page, _ = menu_page(units_in_menu_order(game, game.sheet_viewer(user)), before.page)
    page_units = {card.id for card in page}
    off_page = [unit for unit in before.units if unit not in page_units]
    units = (*off_page, *(unit for unit in values if unit in page_units))
    if values == [SIDE] or (SIDE in values and before.units):
        units = ()
    change = {"units": units, "page": before.page + (MORE in values)}
    return sheet.model_copy(update={"answering": before.model_copy(update=change)})


def choose_answer(game: Game, user: int, sheet: Sheet, values: Sequence[str]) -> Sheet:
    """Return the sheet with the chosen answer to the chosen occasion. Raises Stale, Refused, UserError."""
    chosen = sheet.answering
    occasion = game.ruleset.occasions.get(chosen.occasion)
    if occasion is None:
        raise Stale(UNREADABLE)
    return add_answer(game, user, sheet, occasion, (chosen.occasion, values[0], chosen.units))


CHOICES: Mapping[str, Callable[[Game, int, Sheet, Sequence[str]], Sheet]] = {
    "occasion": choose_occasion,
    "units": choose_units,
    "answer": choose_answer,
}


def add_answer(
    game: Game, user: int, sheet: Sheet, occasion: Occasion[Any], typed_answer: tuple[str, str, tuple[str, ...]]
) -> Sheet:
    """Return the sheet with a new answer. Raises Refused, UserError.

    `typed_answer` consists of the occasion's id, the player's words, and the unit ids.
    """
    key, words, units = typed_answer
    answer = read_answer(occasion, key, words, units)
    require_possible_answer(occasion, game.ruleset.view(game.state, game.sheet_viewer(user)), answer)
    return sheet.with_answer(answer)


def make_change_from_options(user: int, when: str, answer: str | None, unit: str | None) -> SheetChange:
    """Return the sheet change that the command's options describe. Applying the change may raise Refused, UserError."""

    def change_answers(game: Game, sheet: Sheet) -> Sheet:
        system, viewer = game.ruleset, game.sheet_viewer(user)
        key = read_occasion(system.occasions, when)
        answers = (answer for answer in sheet.standing if answer.occasion == key)
        answered_units = frozenset(chain.from_iterable(answer.units for answer in answers))
        # “the rest” means units without an answer
        book = OrderBook(system, system.view(game.state, viewer), viewer, answered_units)
        units = () if unit is None else book.find_listed_units(unit)
        chosen = sheet.model_copy(update={"answering": AnswerChoice(occasion=key, units=units)})
        return chosen if answer is None else add_answer(game, user, chosen, system.occasions[key], (key, answer, units))

    return change_answers


@completion.game_completer
def complete_occasions(game: Game) -> completion.NamedValues:
    """Complete `when` with the occasions for standing answers in the game's rules."""
    return ((occasion.title, occasion.title) for occasion in game.ruleset.occasions.values())


@completion.safe_completer
async def complete_answers(interaction: Interaction, current: str) -> list[completion.Choice]:
    """Complete `answer` with the possible answers on the occasion in `when`."""
    occasions = (await game_of(interaction)).ruleset.occasions
    occasion = occasions[read_occasion(occasions, completion.typed_option(interaction, "when") or "")]
    return completion.match_choices(current, ((option.value, option.label) for option in answer_options(occasion)))


class StandingCommand(commands.Cog):
    """The command `/turn standing`."""

    @offer_in_servers
    @app_commands.command()
    @app_commands.describe(
        when="What the game may ask you in the other side's turn",
        answer="always, never, ask, within 6, at least 50%",
        unit="Only for these units; leave it out for your whole side",
    )
    @app_commands.autocomplete(when=complete_occasions, answer=complete_answers, unit=completion.complete_unit_lists)
    async def standing(
        self, interaction: Interaction, when: Name | None = None, answer: Words | None = None, unit: Words | None = None
    ) -> None:
        """Sets your answers in advance to what the game may ask you, such as fire at chargers or a re-roll."""
        if when is None:
            if answer is not None or unit is not None:
                raise UserError(WHEN_FIRST)
            await standing_display.show_standing_answers(interaction)
            return
        change = make_change_from_options(interaction.user.id, when, answer, unit)
        await standing_display.change_answers(interaction, None, None, change)
