"""The card of a player's standing answers, with the menus that change them.

A standing answer is given in advance to an *occasion*: all prompts of one kind, such as fire at chargers.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import discord

from bot.journal.game import Game
from bot.order_sheets.model import AnswerChoice, StoredSheet
from cogs.kit.cards import report_card
from cogs.kit.cards.card import Card, Menu, make_button, safe, shorten
from cogs.kit.cards.menu import make_menu, make_option
from rules.core.model import Viewer
from rules.core.ruleset import Ruleset
from rules.core.standing_answers import Occasion
from rules.core.state import UnitCard

from .sheet_card import menu_page
from .standing_lines import STANDING, answers_for_occasion, occasion_line

ANSWER = "answer"
"""Kind of control: the menus of the card."""
SIDE = "side"
BACK = "back"
MOST_NAMES = 300
"""Maximum letters of the names of chosen units that the menu's page does not show."""
ABOUT = (
    "Answered for you at once, as soon as the game asks. Only your side sees them. A unit with an order of its own "
    "follows the order."
)


@dataclass(frozen=True)
class StandingAnswersView:
    """The card of a player's standing answers, with its menus."""

    game: Game
    kept: StoredSheet
    note: str = ""

    @property
    def _system(self) -> Ruleset[Any]:
        return self.game.ruleset

    def card(self) -> Card:
        """Return the card of the standing answers."""
        card = Card(report_card.side_colour(self.game.state, self.kept.side)).text("### Your standing answers")
        card.text(f"⚠ {safe(self.note)}" if self.note else "")
        if not self._system.occasions:
            return card.text("In these rules nothing is asked of you that could be answered beforehand.")
        card.text("\n".join(self._occasion_lines())).text(f"-# {ABOUT}")
        card.text(self._other_chosen_units_line())
        for menu in self._menus():
            card.menu(menu)
        buttons = [make_button("Back to my order sheet", discord.ButtonStyle.secondary, STANDING, *self._fields(BACK))]
        if self.kept.sheet.standing:
            buttons.insert(0, make_button("Remove all", discord.ButtonStyle.danger, STANDING, *self._fields("clear")))
        return card.buttons(buttons)

    def _occasion_lines(self) -> Iterable[str]:
        view = self._system.view(self.game.state, self.kept.side)
        for key, occasion in self._system.occasions.items():
            answers = answers_for_occasion(self.kept.sheet, key)
            yield f"{occasion_line(occasion, answers, view) or f'**{occasion.title}**: ask me'} · {occasion.cite}"

    def _menus(self) -> Iterable[Menu]:
        chosen = self.kept.sheet.answering
        occasions = self._system.occasions
        options = [make_option(one.title, key, chosen=key == chosen.occasion) for key, one in occasions.items()]
        yield self._make_menu("Choose what to answer", options, "occasion")
        if chosen.occasion not in occasions:
            return
        yield self._make_unit_menu(chosen)
        yield self._make_menu("Your answer", list(answer_options(occasions[chosen.occasion])), "answer")

    def _make_unit_menu(self, chosen: AnswerChoice) -> Menu:
        page, next_page = menu_page(units_in_menu_order(self.game, self.kept.side), chosen.page)
        unit_options = [make_option(unit.name, unit.id, unit.line, chosen=unit.id in chosen.units) for unit in page]
        options = [make_option("My whole side", SIDE, chosen=not chosen.units), *unit_options, *next_page]
        return self._make_menu("For whom?", options, "units", len(options))

    def _other_chosen_units_line(self) -> str:
        """Return a line with the chosen units on other pages of the menu, or an empty string."""
        chosen, own = self.kept.sheet.answering, units_in_menu_order(self.game, self.kept.side)
        page, next_page = menu_page(own, chosen.page)
        names = [unit.name for unit in own if unit.id in chosen.units and unit not in page]
        return f"-# Also for: {safe(shorten(', '.join(names), MOST_NAMES))}" if names and next_page else ""

    def _make_menu(self, title: str, options: list[discord.SelectOption], press: str, most: int = 1) -> Menu:
        return make_menu(title, options, ANSWER, *self._fields(press), most=most)

    def _fields(self, press: str) -> tuple[str | int, ...]:
        return press, self.kept.game, self.kept.owner, self.kept.revision


def units_in_menu_order(game: Game, side: Viewer) -> Sequence[UnitCard]:
    """Return the side's units, in the order in which the menu of units lists them."""
    return [card for card in game.ruleset.roster(game.state, side) if card.side == side]


def answer_options(occasion: Occasion[Any]) -> Iterable[discord.SelectOption]:
    """Yield a menu option for each possible answer. Its value is the answer as a player types it."""
    yield make_option(f"Always {occasion.yes}", "always")
    yield make_option(f"Always {occasion.no}", "never")
    yield make_option("Ask me", "ask")
    for distance in (3, 6, 9, 12, 18, 24) if occasion.measure is not None else ():
        yield make_option(f"{occasion.yes} within {distance}{occasion.measure}".capitalize(), f"within {distance}")
    for chance in (25, 50, 75) if occasion.has_chance else ():
        yield make_option(f"{occasion.yes} if the chance is at least {chance}%".capitalize(), f"at least {chance}%")
