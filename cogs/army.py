"""/army: whole armies put on a table in inches, as printed lists or in plain lines."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.errors import OVER, Stale, UserError
from bot.games import Game
from rules.core import naming as names
from rules.core.tabletop.army_book import Understood
from rules.core.tabletop.mustering import LONGEST_ARMY

from .kit import answer, completion, naming
from .kit.acting import perform
from .kit.card import WARNING, Card, safe
from .kit.form import Form
from .kit.interaction import Interaction, at_table, channel_of
from .kit.options import Name
from .kit.own_commands import does
from .kit.press import UNREADABLE, Press

if TYPE_CHECKING:
    from bot.client import UmpireBot

ARMY = "army"
BETWEEN = "/"
"""In the id of the form's field, between its name, the game and the side."""
FENCE = "```"
MOST_SHOWN = 25
"""Units told on a card."""
LONGEST = 1800
"""Characters of an army's lines in the form: they stand on the card as well."""
CLEAR = "This is how the lines were understood. Nothing is on the table yet."
DOUBTFUL = "Some lines are not clear, so nothing can be put on yet:"


@completion.harmless
async def lists(interaction: Interaction, current: str) -> list[completion.Choice]:
    """`list`: the printed lists of the game's system."""
    game = await completion.game_of(interaction)
    return completion.matching(current, game.ruleset.army_book.lists.items())


def list_of(game: Game, typed: str) -> str:
    """The key of the printed list meant. Raises Refused with the nearest."""
    return names.one(typed, game.ruleset.army_book.lists, "There is no list {}.")


@at_table
class ArmyCog(commands.GroupCog, group_name="army", group_description="Whole armies put on the table"):
    """Armies."""

    @app_commands.command(name="list")
    async def list_(self, interaction: Interaction) -> None:
        """The printed lists of this game's rules: the armies of its battles."""
        game = await answer.in_time(interaction, completion.game_of(interaction), private=True)
        lines = "\n".join(f"- {safe(name)}" for name in game.ruleset.army_book.lists.values())
        card = Card().text(f"### Armies of {safe(game.ruleset.title)}").text(lines)
        card.text("-# `/army show` tells one, `/army add` puts it on, `/army write` puts on one in your own lines.")
        await answer.send(interaction, card, private=True)

    @app_commands.command()
    @app_commands.describe(list="The printed list")
    @app_commands.autocomplete(list=lists)
    async def show(self, interaction: Interaction, list: Name) -> None:  # noqa: A002
        """The units of a printed list, with its strength."""
        game = await answer.in_time(interaction, completion.game_of(interaction), private=True)
        key = list_of(game, list)
        card = Card().text(f"### {safe(game.ruleset.army_book.lists[key])}")
        await answer.send(interaction, told(card, game.ruleset.army_book.of_list(key)), private=True)

    @does("muster")
    @app_commands.command()
    @app_commands.describe(list="The printed list", side="The side of this game that gets it")
    @app_commands.autocomplete(list=lists, side=completion.sides)
    async def add(self, interaction: Interaction, list: Name, side: Name) -> None:  # noqa: A002
        """Put a printed list on the table, drawn up before its side's edge."""

        def given(game: Game) -> dict[str, Any]:
            return {"side": side, "battle": list_of(game, list)}

        await perform(interaction, "muster", given)

    @app_commands.command()
    @app_commands.describe(side="The side of this game that gets it")
    @app_commands.autocomplete(side=completion.sides)
    async def write(self, interaction: Interaction, side: Name) -> None:
        """Write an army in plain lines, as “24 British regulars: 1st Berkshires, with Sir John McNeill”."""
        game = await completion.game_of(interaction)
        await ArmyForm(game, naming.side_id(game.state, side)).open(interaction)


class ArmyForm(Form, action=ARMY, title="An army in plain lines"):
    """A line a unit."""

    def __init__(self, game: Game, side: str, lines: str = "") -> None:
        super().__init__()
        typed: ui.TextInput[ArmyForm] = ui.TextInput(
            custom_id=BETWEEN.join(("lines", game.id, side)),
            style=discord.TextStyle.paragraph,
            placeholder=game.ruleset.army_book.example[:100],
            default=lines or None,
            max_length=min(LONGEST, LONGEST_ARMY),
        )
        words = "Strength, troops, a colon and the name; “, with …” names a leader"
        self.add_item(ui.Label(text="A unit a line", description=words, component=typed))

    @classmethod
    async def sent(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Shows how the lines were understood, to who wrote them alone. Raises Refused, Stale."""
        (field, text), *_ = (*words.items(), ("", ""))
        _, game_id, side = (*field.split(BETWEEN, 2), "", "")[:3]
        game = await still(interaction, game_id)
        await answer.send(interaction, preview(game, side, text), private=True)


async def still(interaction: Interaction, game_id: str) -> Game:
    """The channel's game, if it is that one. Raises Stale."""
    game = await interaction.client.games.running(channel_of(interaction))
    if game.id != game_id:
        raise Stale(OVER)
    return game


def preview(game: Game, side: str, text: str) -> Card:
    """How an army's lines were understood, with the button that puts it on where all are clear. Raises Refused."""
    understood = game.ruleset.army_book.of_lines(text)
    again = WriteButton("Write it again", discord.ButtonStyle.secondary, game=game.id, side=side)
    kept = f"{FENCE}\n{text.replace('`', chr(39)).strip()}\n{FENCE}"
    name = safe(game.name_of(side))
    if understood.doubts:
        card = Card(WARNING).text(f"### An army of the {name}").text(DOUBTFUL)
        lines = (f"- line {one.number}, “{safe(one.text[:60])}”: {safe(one.why)}" for one in understood.doubts)
        return card.text("\n".join(lines)).text(kept).buttons([again])
    card = told(Card().text(f"### An army of the {name}").text(CLEAR), understood).text(kept)
    return card.buttons([PutButton("Put on the table", game=game.id, side=side), again])


def told(card: Card, understood: Understood) -> Card:
    """The units, a line each, and their total."""
    more = len(understood.units) - MOST_SHOWN
    lines = [f"- {safe(line)}" for line in understood.units[:MOST_SHOWN]]
    card.text("\n".join([*lines, f"… and {more} more"] if more > 0 else lines))
    return card.text(f"**{safe(understood.total)}**")


def lines_on(message: discord.Message | None) -> str:
    """The lines that stand on such a card. Raises Stale where there are none."""
    found = next((text for text in _texts(message) if text.startswith(FENCE)), None)
    if found is None:
        raise Stale(UNREADABLE)
    return found.strip("`\n")


def _texts(message: discord.Message | None) -> Iterator[str]:
    view = ui.LayoutView.from_message(message) if message is not None else ui.LayoutView()
    yield from (item.content for item in view.walk_children() if isinstance(item, ui.TextDisplay))


class PutButton(Press, action="muster", fields=("game", "side")):
    """Puts on what the card says."""

    async def pressed(self, interaction: Interaction) -> None:
        """Does it. Raises Stale, NotAllowed, Refused."""
        await still(interaction, self.fields["game"])
        lines = lines_on(interaction.message)
        await perform(interaction, "muster", {"side": self.fields["side"], "lines": lines})


class WriteButton(Press, action="rewrite", fields=("game", "side")):
    """Opens the form again with what was written."""

    async def pressed(self, interaction: Interaction) -> None:
        """Opens it. Raises Stale."""
        game = await still(interaction, self.fields["game"])
        if self.fields["side"] not in {side.id for side in game.state.sides}:
            raise UserError("There is no such side any more. Give /army write again.")
        await ArmyForm(game, self.fields["side"], lines_on(interaction.message)).open(interaction)


async def setup(bot: "UmpireBot") -> None:
    """Adds the commands and the buttons."""
    await bot.add_cog(ArmyCog())
    bot.add_dynamic_items(PutButton, WriteButton)
