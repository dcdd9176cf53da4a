"""Cards and forms of armies: the parsed lines, and the form that edits them."""

import asyncio
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

import discord
from discord import ui

from bot.errors import Stale, UserError
from bot.games.stored_armies import LONGEST_NAME
from bot.journal.game import Game
from cogs.kit import action_reply, game_actions, pressed_message, reply
from cogs.kit.cards.card import WARNING, Card, count_fitting_lines, safe, shorten
from cogs.kit.controls.control import UNREADABLE, PersistentButton
from cogs.kit.controls.form import BETWEEN, Form, read_first_input
from cogs.kit.request import Interaction, actor_of, channel_of, require_game, storage_key_of
from rules.core.own_battles import require_army_book
from rules.core.tabletop.army_book import ArmySummary
from rules.core.tabletop.deploy_army import LONGEST_ARMY

ARMY = "army"
FENCE = "```"
MOST_TOLD = 1500
"""Maximum characters of the unit list on a card. The army's lines need the rest of the card."""
LONGEST = 1800
"""Maximum characters of an army's lines in the form."""
LONGEST_KEPT = 2400
"""Maximum characters of an army's lines on a card. More than LONGEST characters shorten the list of units."""
MOST_TITLES = 200
"""Maximum characters of the titles on a card."""
CLEAR = "This is how the lines were understood. Nothing is on the table yet."
DOUBTFUL = "Some lines are not clear, so nothing can be put on yet:"
KEPT = (
    "-# Kept for you alone: troops, strength as it stands, names and leaders, but not where they stand nor what has "
    "come over them. `/army load` puts it on in any game of these rules on this server."
)


class ArmyForm(Form, action=ARMY, title="An army in plain lines"):
    """The form for an army's lines, one unit on each line."""

    def __init__(self, game: Game, side: str, lines: str = "") -> None:
        super().__init__()
        self.add_text(
            BETWEEN.join(("lines", game.id, side)),
            "A unit a line",
            "Strength, troops, colon, name; “, with …” names a leader, “, at C3” a place",
            most=min(max(LONGEST, len(lines)), LONGEST_ARMY),
            text=lines,
            hint=require_army_book(game.ruleset).example[:100],
            is_long=True,
        )

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Show the user privately how the lines were understood. Raises Refused, Stale."""
        (_, game_id, side), text = read_first_input(words, 3)
        await show_army_preview(interaction, await require_game(interaction, game_id), side, text)


async def show_army_preview(interaction: Interaction, game: Game, side: str, text: str) -> None:
    """Show the user privately how an army's lines were understood. Raises Refused."""
    side_name = next((candidate.name for candidate in game.state.sides if candidate.id == side), "")
    summary = await asyncio.to_thread(require_army_book(game.ruleset).summarize_typed_lines, text, side_name)
    await reply.send(interaction, army_preview_card(game, side, text, summary), private=True)


def army_preview_card(game: Game, side: str, text: str, summary: ArmySummary) -> Card:
    """Return the card that shows how an army's lines were understood.

    If all lines are clear, a button puts the army on the table.
    """
    block = code_block(summary.lines or text)
    heading = f"### An army of {safe(game.the_side(side))}"
    most = MOST_TOLD - max(len(block) - LONGEST, 0)
    if summary.doubts:
        lines = (f"- line {doubt.number}, “{safe(doubt.text[:60])}”: {safe(doubt.why)}" for doubt in summary.doubts)
        card = Card(WARNING).text(heading).text(DOUBTFUL).text(fit_unit_lines(lines, "lines", most))
    else:
        card = add_unit_lines(Card().text(heading).text(CLEAR), summary, most)
    if len(block) > (LONGEST if summary.doubts else LONGEST_KEPT) + 2 * len(FENCE) + 2:
        return card.text("-# There are too many lines for the form. Write them in parts: `/army write`.")
    write_button = WriteArmyButton("Write it again", discord.ButtonStyle.secondary, game=game.id, side=side)
    if summary.doubts:
        return card.text(block).buttons([write_button])
    put_button = PutArmyButton("Put on the table", game=game.id, side=side)
    keep = KeepArmyButton("Keep it", discord.ButtonStyle.secondary, game=game.id)
    return card.text(block).buttons([put_button, keep, write_button])


def add_unit_lines(card: Card, summary: ArmySummary, most: int = MOST_TOLD) -> Card:
    """Add lines to a card: the units (in `most` characters), the total strength, and the typed titles."""
    card.text(fit_unit_lines((f"- {safe(line)}" for line in summary.units), "units", most))
    return card.text(f"**{safe(summary.total)}**").text(typed_titles_line(summary))


def typed_titles_line(summary: ArmySummary) -> str:
    """Return a line with the typed lines that were read as titles, or an empty string without such lines."""
    titles = "; ".join(summary.titles)
    return f"-# Read as titles, not as units: {safe(shorten(titles, MOST_TITLES))}" if titles else ""


def fit_unit_lines(lines: Iterable[str], noun: str, most: int = MOST_TOLD) -> str:
    """Return the lines that fit in `most` characters. If some do not fit, a last line says `… and 3 more units`."""
    all_lines = list(lines)
    count = count_fitting_lines((f"{line}\n" for line in all_lines), most)
    omitted = len(all_lines) - count
    return "\n".join([*all_lines[:count], *([f"… and {omitted} more {noun}"] if omitted else [])])


def code_block(text: str) -> str:
    """Return the text as a code block. `read_army_lines` reads this block from the card."""
    return f"{FENCE}\n{text.replace('`', chr(39)).strip()}\n{FENCE}"


def read_army_lines(message: discord.Message | None) -> str:
    """Return the army's lines on a card. Raises Stale if the message has none."""
    block = next((text for text in message_texts(message) if text.startswith(FENCE)), None)
    if block is None:
        raise Stale(UNREADABLE)
    return block.strip("`\n")


def message_texts(message: discord.Message | None) -> Iterator[str]:
    """Yield the content of each text component of a message."""
    view = ui.LayoutView.from_message(message) if message is not None else ui.LayoutView()
    yield from (item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay))


async def keep_army(interaction: Interaction, game: Game, name: str, lines: str) -> None:
    """Store the user's army on this server under `name`, and show it to the user. Raises UserError."""
    armies, owner = interaction.client.armies, interaction.user.id
    work = armies.store_army(storage_key_of(interaction), owner, game.ruleset.id, name, lines)
    army = await reply.carry_out(interaction, work, private=True)
    summary = await asyncio.to_thread(require_army_book(game.ruleset).summarize_lines, army.lines)
    card = add_unit_lines(Card().text(f"### {safe(army.name)}"), summary).text(KEPT)
    await reply.send(interaction, card, private=True)


class ArmyNameForm(Form, action="army-name", title="Keep this army"):
    """The form for the name of an army that the user keeps."""

    def __init__(self, game: str) -> None:
        super().__init__()
        words = "For you alone on this server; the same name again replaces it"
        self.add_text(game, "What to call it", words, most=LONGEST_NAME)

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Store the army's lines on the card under the typed name. Raises UserError, Stale."""
        (game_id,), name = read_first_input(words, 1)
        game = await require_game(interaction, game_id)
        await keep_army(interaction, game, name, read_army_lines(interaction.message))


class KeepArmyButton(PersistentButton, action="keep", fields=("game",)):
    """The button that stores the card's army."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the form for the army's name. Raises Stale if the card has no lines."""
        read_army_lines(interaction.message)
        await ArmyNameForm(self.fields["game"]).open(interaction)


async def put_army_on_table(
    interaction: Interaction, army: Mapping[str, Any], custom_ids: Collection[str] | None = None
) -> None:
    """Put an army on the table, and remove the buttons `custom_ids` (None means all) from the pressed card.

    A second press would put the army on the table twice. Raises NotAllowed, Refused.
    """
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
    make_muster = partial(game_actions.parse_action, user=actor.id, kind="muster", args=army)
    work = games.actions.act(channel, actor, make_muster, interaction=interaction.id)
    played = await game_actions.await_action(interaction, work, quietly=True)
    if await pressed_message.acknowledge_press(interaction):
        await pressed_message.remove_buttons(interaction, custom_ids)
    await action_reply.show_actions(interaction, *played)


class PutArmyButton(PersistentButton, action="muster", fields=("game", "side")):
    """The button that puts the card's army on the table."""

    async def handle(self, interaction: Interaction) -> None:
        """Put the army on the table. Raises Stale, NotAllowed, Refused."""
        await require_game(interaction, self.fields["game"])
        lines = read_army_lines(interaction.message)
        await put_army_on_table(interaction, {"side": self.fields["side"], "lines": lines}, {self.custom_id})


class WriteArmyButton(PersistentButton, action="rewrite", fields=("game", "side")):
    """The button that opens the army's form again, with the lines on the card."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the form with the army's lines. Raises Stale, or UserError if the side no longer exists."""
        game = await require_game(interaction, self.fields["game"])
        if self.fields["side"] not in {side.id for side in game.state.sides}:
            raise UserError("There is no such side any more. Give /army write again.")
        await ArmyForm(game, self.fields["side"], read_army_lines(interaction.message)).open(interaction)
