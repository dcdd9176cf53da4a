"""`/ruling`: let a die decide a question that no rule covers, and keep house rules."""

from collections.abc import Mapping, Sequence
from itertools import accumulate

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.games.rulings import LONGEST, DiceAnswer, Ruling
from rules.core import naming

from .kit import reply
from .kit.cards import report_card
from .kit.cards.card import Card, safe, shorten
from .kit.command_traits import offer_everywhere
from .kit.controls.control import MOST_SEQ, PersistentButton
from .kit.controls.form import Form
from .kit.lookup import completion
from .kit.option_types import Name
from .kit.request import Interaction, actor_of, can_manage_channel, channel_of, storage_key_of

LIKELY = {
    "2+": "2+ almost certainly",
    "3+": "3+ likely",
    "4+": "4+ even",
    "5+": "5+ unlikely",
    "6+": "6+ hardly",
}
MOST_QUESTION = 80
MOST_SHOWN = 10
"""Maximum number of rulings on a page."""
LONGEST_PAGE = 3300
"""Maximum characters of a page. Every single ruling is shorter."""
HEADING = "### House rules"
WORDS = "words"
"""Custom id of the form's field."""


class RulingForm(Form, action="record", title="Keep a house rule"):
    """The form for a new house rule."""

    words: ui.Label["RulingForm"] = ui.Label(
        text="The rule, in your own words",
        component=ui.TextInput(custom_id=WORDS, style=discord.TextStyle.paragraph, max_length=LONGEST),
    )

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Store the house rule and show it to everyone."""
        await record_ruling(interaction, words.get(WORDS, ""))


class RecordRulingButton(PersistentButton, action="record", fields=()):
    """The button that opens the form for a house rule."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the form."""
        await RulingForm().open(interaction)


class OlderRulingsButton(PersistentButton, action="rulings", fields=("before",)):
    """The button that shows older rulings."""

    async def handle(self, interaction: Interaction) -> None:
        """Show the rulings older than the number `before`."""
        await show_rulings(interaction, self.number_field("before"))


@completion.safe_completer
async def complete_odds(_: Interaction, current: str) -> list[completion.Choice]:
    """Complete `odds` with the possible scores on a die, in words."""
    return completion.match_choices(current, LIKELY.items())


@offer_everywhere
class RulingCog(commands.GroupCog, group_name="ruling", group_description="What no rule covers, and house rules"):
    """The commands `/ruling`."""

    @app_commands.command()
    @app_commands.describe(question="A question with yes or no", odds="For yes: 2+ to 6+ on a die, or a percentage")
    @app_commands.autocomplete(odds=complete_odds)
    async def ask(
        self,
        interaction: Interaction,
        question: app_commands.Range[str, 1, MOST_QUESTION],
        odds: Name = "4+",
    ) -> None:
        """Let a die decide, yes or no."""
        matches = naming.find_matches(odds, LIKELY)
        odds = matches[0] if len(matches) == 1 else odds
        channel, actor = channel_of(interaction), actor_of(interaction)
        work = interaction.client.rulings.answer_by_dice(channel, actor, question, odds, interaction=interaction.id)
        answer = await reply.carry_out(interaction, work)
        await reply.send(interaction, dice_answer_card(answer))

    @app_commands.command(name="record")
    @app_commands.describe(text="The rule you agreed on")
    async def record_(self, interaction: Interaction, text: app_commands.Range[str, 1, LONGEST]) -> None:
        """Keep a house rule for this server."""
        await record_ruling(interaction, text)

    @app_commands.command(name="list")
    @app_commands.describe(search="Words in it")
    async def list_(self, interaction: Interaction, search: Name | None = None) -> None:
        """The house rules of this server, the newest first."""
        rulings = interaction.client.rulings
        if search is None or not search.strip():
            await show_rulings(interaction)
            return
        work = rulings.search(storage_key_of(interaction), search, MOST_SHOWN)
        matches = await reply.wait_for(interaction, work, private=True)
        fitting = first_fitting_rulings(matches)
        words = "\n".join((HEADING, *map(ruling_line, fitting))) if fitting else "No house rule is about that."
        await reply.send(interaction, Card().text(words), private=True)

    @app_commands.command()
    @app_commands.describe(number="Its number, as /ruling list shows it")
    async def remove(self, interaction: Interaction, number: app_commands.Range[int, 1, MOST_SEQ]) -> None:
        """Remove a house rule: your own, or any if you manage the channel."""
        manages = interaction.guild_id is None or can_manage_channel(interaction)
        scope, actor = storage_key_of(interaction), actor_of(interaction)
        work = interaction.client.rulings.remove(scope, actor, number, manages=manages)
        ruling = await reply.carry_out(interaction, work)
        await reply.send(interaction, Card().text("### A house rule is removed").text(ruling_line(ruling)))


async def show_rulings(interaction: Interaction, before: int | None = None) -> None:
    """Show a page of house rules: the newest, or the rules older than number `before`."""
    work = interaction.client.rulings.load_newest_rulings(storage_key_of(interaction), MOST_SHOWN + 1, before)
    rulings = await reply.wait_for(interaction, work, private=True)
    await reply.send(interaction, rulings_card(rulings), private=True)


def rulings_card(rulings: Sequence[Ruling]) -> Card:
    """Return the card of the rulings that fit, with a button for older rulings."""
    if not rulings:
        return Card().text("There are no house rules yet. `/ruling record` keeps one.")
    fitting = first_fitting_rulings(rulings[:MOST_SHOWN])
    card = Card().text("\n".join((HEADING, *map(ruling_line, fitting))))
    older = [OlderRulingsButton("Older", discord.ButtonStyle.secondary, before=fitting[-1].id)]
    return card.buttons(older if len(fitting) < len(rulings) else [])


def first_fitting_rulings(rulings: Sequence[Ruling]) -> Sequence[Ruling]:
    """Return the first rulings that fit in a message."""
    ends = accumulate(len(ruling_line(ruling)) + 1 for ruling in rulings)
    return rulings[: max(sum(end <= LONGEST_PAGE for end in ends), 1)]


async def record_ruling(interaction: Interaction, text: str) -> None:
    """Store a house rule and show it to everyone."""
    scope, actor = storage_key_of(interaction), actor_of(interaction)
    work = interaction.client.rulings.store_ruling(scope, actor, text, interaction=interaction.id)
    ruling = await reply.carry_out(interaction, work)
    await reply.send(interaction, Card().text("### A new house rule").text(ruling_line(ruling)))


def dice_answer_card(answer: DiceAnswer) -> Card:
    """Return the card of a question that a die decided, with the button that records a house rule."""
    report = answer.rolled.report
    card = Card().text(f"### {safe(answer.question)}")
    dice = ", ".join(str(throw) for throw in report.throws)
    card.text(f"Yes on {safe(answer.odds)}: {dice}. **{'Yes' if answer.yes else 'No'}.**")
    card.buttons([RecordRulingButton("Keep a house rule", discord.ButtonStyle.secondary)])
    return card.text(report_card.footer_line(report, answer.rolled.played.game.state if answer.rolled.played else None))


def ruling_line(ruling: Ruling) -> str:
    """Return the line of a house rule: its words, author and date."""
    moment = int(ruling.at.timestamp())
    return f"**{ruling.id}.** {safe(shorten(ruling.text, LONGEST))}\n-# {safe(ruling.author.name)}, <t:{moment}:d>"
