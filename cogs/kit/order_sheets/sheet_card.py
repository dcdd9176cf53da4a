"""The card of a player's order sheet: orders with their forecast, menus that add orders, and buttons."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import discord

from bot.journal.game import Game
from bot.order_sheets import menu_options
from bot.order_sheets.forecast import OrderForecast
from bot.order_sheets.lost_attacks import warn_of_lost_attacks
from bot.order_sheets.menu_options import OrderOption
from bot.order_sheets.model import StoredSheet
from bot.order_sheets.order_sketch import MOST_NAMED
from bot.order_sheets.preview import NOW, WHOLE, Prospect
from bot.order_sheets.typed_lines import is_understood_in_part
from cogs.kit.cards import report_card
from cogs.kit.cards.card import Button, Card, Menu, Picture, count_fitting_lines, make_button, safe, shorten
from cogs.kit.cards.menu import MOST_OPTIONS, make_menu, make_option
from rules.core.action_type import Chance
from rules.core.model import UMPIRE
from rules.core.orders import DEFAULT_KIND, MY_TURN
from rules.core.own_turn import own_turn_number
from rules.core.phases import PASS
from rules.core.wording import count_of, percent

from .standing_lines import STANDING, standing_answer_lines

SHEET, PICK, READ = "sheet", "pick", "read"
"""Kinds of control: the buttons and the menus of a player's own sheet, and the button for another player's sheet."""
FIELDS = ("what", "game", "owner", "revision")
ALL, MORE = "all", "more"
SHOW = "show"
"""Name of the button that posts a sheet in the room of its side."""
TAKE = "take"
"""Name of the button that adds the orders that the bot understood in partly readable lines."""
ONLY_IF = "if"
"""Name of the button that gives the last order a condition."""
PAGE_SIZE = MOST_OPTIONS - 2
"""Maximum units or orders on a page of a menu. Two options are reserved: all units, and the next page."""
MOST_LINES = 2400
"""Maximum characters of orders on the card. The other orders stay on the sheet."""
MOST_WARNINGS = 3
MOST_UNREADABLE, MOST_OF_ONE = 1000, 100
"""Maximum characters of all unreadable lines, and of one unreadable line."""
MOST_ANSWERS = 300
"""Maximum characters of standing answers on the card."""
HOW = "Choose units and what they do, or write it all as text. Nothing is done before you press *Do all*."
LATER = "-# Press a green button. Orders for a later phase run when that phase begins."
ABOUT = "-# *about*: depends on dice; the map shows an average roll. Every order is checked again when it runs."
ABOUT_UNMAPPED = "-# *about*: depends on dice. Every order is checked again when it runs."
T = TypeVar("T")


@dataclass(frozen=True)
class SheetView:
    """A sheet in a reader's view. Only the sheet's owner gets menus and buttons."""

    game: Game
    kept: StoredSheet
    prospect: Prospect
    other_players: Sequence[tuple[int, str]] = ()
    """Other players of the side, by user id and name: the owner may read their sheets."""
    owner: str = ""
    """The owner's name if another player reads the sheet, else an empty string."""
    note: str = ""

    @property
    def picture_name(self) -> str:
        """The file name of the map. It changes when the content of the map changes."""
        orders = [order.model_dump_json() for order in self.kept.sheet.orders]
        photograph = self.game.photograph or b""
        content = "\n".join((self.game.id, self.kept.side, self.game.progress_for(self.kept.side), *orders)).encode()
        name = hashlib.blake2s(content + photograph, digest_size=6).hexdigest()
        return f"orders-{name}.{'jpg' if photograph else 'png'}"

    def card(self, picture: Picture | None = None) -> Card:
        """Return the card of the sheet, with its map if already drawn."""
        game = self.game
        title = f"Order sheet of {safe(self.owner)}" if self.owner else "Your order sheet"
        card = Card(report_card.side_colour(game.state, self.kept.side))
        card.text(f"### {title}\n-# {safe(game.state.turn_title_with_total)}")
        if self.note:
            card.text(f"⚠ {safe(self.note)}")
        card.text("\n".join(self._order_lines()))
        card.text("\n".join(self._unreadable_lines()))
        if not self.owner and any(is_understood_in_part(self.prospect, line.text) for line in self.kept.sheet.wrong):
            card.buttons([self._make_button("Take what was understood", discord.ButtonStyle.secondary, TAKE)])
        if answers := standing_answer_lines(game, self.kept.side, self.kept.sheet):
            card.text(f"-# Standing answers: {shorten(' · '.join(answers), MOST_ANSWERS)}")
        card.picture(picture)
        if self.owner:
            return card
        for menu in self._menus():
            card.menu(menu)
        card.buttons(self._buttons()).buttons(self._toggle_buttons())
        card.text(self._later_phases_note())
        if any(forecast.about for forecast in self.prospect.forecasts):
            card.text(ABOUT if game.state.keeps_positions else ABOUT_UNMAPPED)
        return card

    def _order_lines(self) -> Iterable[str]:
        if not self.prospect.forecasts:
            find_reason = self.game.ruleset.why_no_orders
            why_none = safe(find_reason(self.game.state, self.kept.side)) if find_reason is not None else ""
            yield "No orders." if self.owner else why_none or HOW
        lines = [
            "\n".join((f"**{number}** {order_headline(forecast)}", *order_remarks(forecast)))
            for number, forecast in enumerate(self.prospect.forecasts, 1)
        ]
        count = count_fitting_lines(lines, MOST_LINES - len(safe(self.note)))
        yield from lines[:count]
        if count < len(lines):
            yield f"… and {len(lines) - count} more: *Write as text* shows all of them."
        else:
            yield from (f"⚠ {safe(warning)}" for warning in warn_of_lost_attacks(self.prospect)[:MOST_WARNINGS])

    def _unreadable_lines(self) -> Iterable[str]:
        lines = [f"✎ “{safe(shorten(wrong.text, MOST_OF_ONE))}”: {safe(wrong.why)}" for wrong in self.kept.sheet.wrong]
        count = count_fitting_lines(lines, MOST_UNREADABLE)
        yield from lines[:count]
        if count < len(lines):
            yield f"✎ and {count_of(len(lines) - count, 'more line')}: *Write as text* shows all of them."

    def _later_phases_note(self) -> str:
        """Return the note about orders for later phases, or an empty string."""
        sheet = self.kept.sheet
        if sheet.go_on or not any(order.phase for order in sheet.orders):
            return ""
        return "-# Saved. Later orders run in their phase." if sheet.given else LATER

    def _fields(self, press: str) -> tuple[str | int, ...]:
        return press, self.kept.game, self.kept.owner, self.kept.revision

    def _make_menu(self, title: str, options: Sequence[discord.SelectOption], press: str, most: int = 1) -> Menu:
        return make_menu(title, options, PICK, *self._fields(press), most=most)

    def _menus(self) -> Iterable[Menu]:
        if self.game.state.over is not None:
            return
        chosen, times = self.kept.sheet.chosen, self._time_options()
        if len(times) > 1:
            choices = [make_option(name, value, chosen=value == (self.chosen_phase or NOW)) for value, name in times]
            yield self._make_menu("When", choices, "when")
        able_units = menu_options.units_able_to_act(self.prospect, self.chosen_phase)
        if able_units:
            yield self._make_unit_menu(able_units, chosen.units)
        if chosen.units:
            options = menu_options.list_order_options(self.prospect, chosen.units, self.chosen_phase)
            page, next_page = menu_page(options, chosen.page)
            choices = [make_option(option_label(item), option_tag(item), self._describe_option(item)) for item in page]
            if choices:
                yield self._make_menu("Do what?", [*choices, *next_page], "do")

    def _describe_option(self, option: OrderOption) -> str:
        """Return a menu option's description: its chance, and for a single unit its effect.

        A menu of the whole turn adds the option's phase.
        """
        when = f"In {option.order.phase}" if self.chosen_phase == WHOLE and option.order.phase else ""
        effect = menu_options.option_effect(self.prospect, option) if len(option.order.units) == 1 else ""
        return " · ".join(filter(None, (when, self._describe_chance(option), effect)))

    def _describe_chance(self, option: OrderOption) -> str:
        """Return a single unit's chance. For several units, name those that can do the order, unless all can."""
        if len(option.order.units) == 1:
            questions = menu_options.questions_for_option(self.prospect, option)
            if questions and questions.needed:
                return "Asks you for the distance"
            return chances_in_words([menu_options.option_chances(self.prospect, option)], option.order.kind)
        names = [self.prospect.state.units[unit].name for unit in option.able]
        if len(names) == len(option.order.units):
            return ""
        suits = ", ".join(names) if len(names) <= MOST_NAMED else f"{len(names)} of {len(option.order.units)}"
        return f"Suits {suits}; others if they can"

    def _make_unit_menu(self, able_units: Sequence[str], chosen: Sequence[str]) -> Menu:
        cards = {card.id: card for card in self.game.ruleset.roster(self.prospect.state, self.kept.side)}
        page, next_page = menu_page(able_units, 0 if chosen else self.kept.sheet.chosen.page)
        unit_options = [make_option(cards[unit].name, unit, cards[unit].line, chosen=unit in chosen) for unit in page]
        all_option = [make_option(f"All {len(able_units)} units that can act", ALL)] if len(able_units) > 1 else []
        options = [*all_option, *unit_options, *next_page]
        return self._make_menu("Which units?", options, "units", len(options))

    @property
    def chosen_phase(self) -> str:
        """The phase for which the sheet's owner now chooses orders."""
        return self.prospect.phase_for_menu(self.kept.sheet.chosen.phase)

    def _time_options(self) -> list[tuple[str, str]]:
        phase = self.game.state.phase
        names = {MY_TURN: "When it is my turn", "": f"Now: {phase}" if phase else "Now"}
        when = "When it is my turn: {}" if self.prospect.acts_later else "In {}"
        times = [(time or NOW, names.get(time, when.format(time))) for time in self.prospect.phases_ahead]
        return [(WHOLE, "Whenever it is time for it"), *times] if len(times) > 1 else times

    def _buttons(self) -> list[Button]:
        sheet, grey = self.kept.sheet, discord.ButtonStyle.secondary
        passes = self._can_end_turn and self._ends_turn
        now = any(order.is_due(self.game.state, self.kept.side) for order in sheet.orders)
        buttons: list[Button] = []
        if now or (passes and self.kept.side in self.game.state.acting_sides):
            label = (self._do_all_and_end_label if passes else "Do all") if now else "Pass on"
            buttons.append(self._make_button(label, discord.ButtonStyle.success, "all"))
        elif sheet.orders and not (sheet.given or sheet.go_on):
            buttons.append(self._make_button("Do all in time", discord.ButtonStyle.success, "all"))
        if sheet.orders and self._can_end_turn and not passes:
            buttons.append(self._make_button(self._do_all_and_end_label, discord.ButtonStyle.success, "end"))
        if sheet.orders:
            buttons.append(self._make_button("Remove last", grey, "last"))
        if sheet.orders or sheet.wrong or sheet.chosen.units:
            buttons.append(self._make_button("Clear", discord.ButtonStyle.danger, "clear"))
        buttons.append(self._make_button("Write as text", grey, "text"))
        if sheet.orders:
            buttons.append(self._make_button("Only if …", grey, ONLY_IF))
        if sheet.orders and self.kept.side in self.game.rooms:
            buttons.append(self._make_button("Show my side", grey, SHOW))
        return buttons

    def _toggle_buttons(self) -> list[Button]:
        sheet, grey = self.kept.sheet, discord.ButtonStyle.secondary
        buttons = [self._make_button(f"{checkbox(sheet.go_on)} Carry on without asking me", grey, "go_on")]
        if self._can_end_turn:
            words = self.game.ruleset.end_words.capitalize()
            buttons.append(self._make_button(f"{checkbox(self._ends_turn)} {words} when done", grey, "through"))
        if self.game.ruleset.occasions and self.kept.side != UMPIRE:
            buttons.append(make_button("Standing answers", grey, STANDING, *self._fields("open")))
        for user, name in self.other_players:
            buttons.append(make_button(f"Sheet of {name}", grey, READ, self.kept.game, user))
        return buttons

    @property
    def _do_all_and_end_label(self) -> str:
        """The label of the button that carries out all orders and ends the turn, in the rule system's words."""
        return f"Do all and {self.game.ruleset.end_words}"

    @property
    def _ends_turn(self) -> bool:
        return self.kept.sheet.through == own_turn_number(self.game.ruleset, self.game.state, self.kept.side)

    @property
    def _can_end_turn(self) -> bool:
        return self.kept.side != UMPIRE and PASS in self.game.ruleset.actions

    def _make_button(self, label: str, style: discord.ButtonStyle, press: str) -> Button:
        return make_button(label, style, SHEET, *self._fields(press))


def order_headline(forecast: OrderForecast) -> str:
    """Return a line `Amarar: forward 6 · about, 91.7%`: the order, *about* for an estimate, and the chance."""
    about = "*about*" if forecast.about else ""
    note = ", ".join(filter(None, (about, chances_in_words(forecast.chances, forecast.order.kind))))
    return f"{safe(forecast.words)} · {note}" if note else safe(forecast.words)


def order_remarks(forecast: OrderForecast) -> list[str]:
    """Return the lines below an order: foreseen events, warnings, reasons against the order, and its condition."""
    reasons = [forecast.order.why] if forecast.order.why else forecast.prevented[:MOST_WARNINGS]
    return [
        *(f"-# {safe(line)}" for line in forecast.foreseen),
        *(f"⚠ {safe(warning)}" for warning in forecast.warnings[:MOST_WARNINGS]),
        *(f"✖ {safe(reason)}" for reason in reasons),
        *([safe(forecast.condition_note)] if forecast.condition_note else ()),
    ]


def chances_in_words(all_chances: Iterable[tuple[Chance, ...]], kind: str) -> str:
    """Return `12% to hit`, or `12% to 31% to hit` if the units' chances differ.

    Return an empty string without chances, for a certain or impossible move, or if the units take different tests.
    """
    distinct = [*dict.fromkeys(filter(None, all_chances))]
    firsts = sorted(chances[0] for chances in distinct)
    if not firsts or (kind == DEFAULT_KIND and all(chance.value in (0, 1) for chance in firsts)):
        return ""
    if len(distinct) == 1:
        return ", ".join(map(str, distinct[0]))
    return f"{percent(firsts[0].value)} to {firsts[-1]}" if len({chance.hope for chance in firsts}) == 1 else ""


def option_label(option: OrderOption) -> str:
    """Return the option's words with a capital letter."""
    return option.words[:1].upper() + option.words[1:]


def option_tag(option: OrderOption) -> str:
    """Return a hash of the option's order. The hash identifies the option in a menu."""
    return hashlib.blake2s(option.order.model_dump_json().encode(), digest_size=8).hexdigest()


def checkbox(on: bool) -> str:
    """Return a ticked or an empty box."""
    return "☑" if on else "☐"


def menu_page(items: Sequence[T], page: int) -> tuple[Sequence[T], list[discord.SelectOption]]:
    """Return a page of a menu's items, and the option that turns to the next page, if there are several pages."""
    if len(items) <= PAGE_SIZE:
        return items, []
    pages = -(-len(items) // PAGE_SIZE)
    now = page % pages
    return items[now * PAGE_SIZE : (now + 1) * PAGE_SIZE], [make_option(f"More … ({now + 1} of {pages})", MORE)]
