"""Buttons for the choices of a printed army list, one row for each choice, before the army is put on the table."""

from collections.abc import Iterator, Sequence
from hashlib import blake2s

import discord

from bot.errors import Stale
from bot.journal.game import Game
from cogs.kit import reply
from cogs.kit.cards.card import Card, safe
from cogs.kit.controls.control import UNREADABLE, PersistentButton, parse_number
from cogs.kit.request import Interaction, require_game
from rules.core.catalog import ScenarioChoice
from rules.core.own_battles import require_army_book

from .army import add_unit_lines, put_army_on_table

PUT = "put"
BETWEEN = "-"
CHOSEN, OTHER = discord.ButtonStyle.success, discord.ButtonStyle.secondary
ASKED = "Choose, then put it on. Nothing is on the table yet."


def hash_list_key(key: str) -> str:
    """Return a short hash of a printed list's key. The key may be too long for a custom id."""
    return blake2s(key.encode(), digest_size=6).hexdigest()


def chosen_options(choices: Sequence[ScenarioChoice], chosen: Sequence[int]) -> dict[str, str]:
    """Return the chosen option of each choice, by the name of the choice."""
    return {choice.name: choice.options[at] for choice, at in zip(choices, chosen, strict=True)}


def army_list_card(game: Game, side: str, key: str, chosen: Sequence[int] | None = None) -> Card:
    """Return the card of a printed army list, with a row of buttons for each choice.

    `chosen` holds the index of the option chosen for each choice; None means the default options.
    """
    book = require_army_book(game.ruleset)
    choices = book.choices_of_list(key)
    now = [choice.options.index(choice.default) for choice in choices] if chosen is None else chosen
    index = [candidate.id for candidate in game.state.sides].index(side)
    common = {"game": game.id, "side": str(index), "list": hash_list_key(key), "chosen": BETWEEN.join(map(str, now))}

    def list_button(label: str, press: str, style: discord.ButtonStyle = discord.ButtonStyle.primary) -> ArmyListButton:
        fields: dict[str, str | int] = {**common, "press": press}
        return ArmyListButton(label, style, **fields)

    card = Card().text(f"### {safe(book.army_list_titles[key])}\nFor {safe(game.the_side(side))}. {ASKED}")
    for row, choice in enumerate(choices):
        card.text(f"**{safe(choice.question)}** {safe(choice.options[now[row]])}")
        styles = [CHOSEN if at == now[row] else OTHER for at in range(len(choice.options))]
        words = (f"{option} (usual)" if option == choice.default else option for option in choice.options)
        presses = (f"{row}{BETWEEN}{at}" for at in range(len(choice.options)))
        card.buttons([list_button(*parts) for parts in zip(words, presses, styles, strict=True)])
    add_unit_lines(card, book.summarize_list(key, chosen_options(choices, now)))
    return card.buttons([list_button("Put on the table", PUT)])


def army_choice_lines(game: Game, key: str) -> Iterator[str]:
    """Yield a line for each option of the list's choices, with its units."""
    book = require_army_book(game.ruleset)
    for choice in book.choices_of_list(key):
        yield f"**{safe(choice.question)}**"
        for option, units in book.units_by_option(key, choice).items():
            usually = " (usual)" if option == choice.default else ""
            yield f"- {safe(option)}{usually}: {safe(', '.join(units) or 'nobody more')}"


class ArmyListButton(PersistentButton, action="listed", fields=("game", "side", "list", "chosen", "press")):
    """A button of a printed list: it chooses an option, or puts the army on the table."""

    async def handle(self, interaction: Interaction) -> None:
        """Show the card with the changed option, or put the army on the table. Raises Stale, NotAllowed, Refused."""
        game = await require_game(interaction, self.fields["game"])
        book, sides = require_army_book(game.ruleset), game.state.sides
        key = next((key for key in book.army_list_titles if hash_list_key(key) == self.fields["list"]), None)
        at = parse_number(self.fields["side"], most=len(sides) - 1)
        if key is None or at is None:
            raise Stale(UNREADABLE)
        choices = book.choices_of_list(key)
        chosen = _parse_option_indexes(self.fields["chosen"], [len(choice.options) for choice in choices])
        if self.fields["press"] == PUT:
            army = {"side": sides[at].id, "battle": key, "choices": chosen_options(choices, chosen)}
            await put_army_on_table(interaction, army)
            return
        longest = max(len(choice.options) for choice in choices)
        row, option = _parse_option_indexes(self.fields["press"], [len(choices), longest])
        if option >= len(choices[row].options):
            raise Stale(UNREADABLE)
        now = [option if number == row else index for number, index in enumerate(chosen)]
        await reply.edit_pressed_message(interaction, view=army_list_card(game, sides[at].id, key, now).view())


def _parse_option_indexes(text: str, below: Sequence[int]) -> list[int]:
    """Return the indexes in a custom id's field. Raises Stale unless there is one below each bound in `below`."""
    parts = text.split(BETWEEN)
    read = (parse_number(part, most=most - 1) for part, most in zip(parts, below, strict=False))
    numbers = [number for number in read if number is not None]
    if not len(parts) == len(below) == len(numbers):
        raise Stale(UNREADABLE)
    return numbers
