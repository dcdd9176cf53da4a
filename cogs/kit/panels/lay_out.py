"""Lay out a table by one form: terrain pieces, and an army for each side. The umpire first sees a preview."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import discord

from bot.errors import Stale, UserError
from bot.games.rights import require_umpire
from bot.journal.game import Game
from cogs.kit import reply
from cogs.kit.cards.card import WARNING, Card, safe
from cogs.kit.controls.control import UNREADABLE, PersistentButton
from cogs.kit.controls.form import BETWEEN, Form
from cogs.kit.request import Interaction, actor_of, require_game
from rules.core.own_battles import require_army_book
from rules.core.refusal import Refused
from rules.core.tabletop.army_book import ArmySummary
from rules.core.tabletop.battle import TableState
from rules.core.tabletop.terrain_lines import EXAMPLE, TypedTerrain, read_terrain

from .army import code_block, fit_unit_lines, message_texts, typed_titles_line
from .map_preview import show_preview

GROUND = "terrain"
MOST_GROUND, MOST_ARMY = 1000, 1100
"""Maximum characters of the ground and of each army in the form. Ground and armies fit into one message."""
MOST_TOLD = 900
"""Maximum characters of the unclear lines of one input that the card shows."""


@dataclass(frozen=True)
class TypedLayout:
    """The typed text: the terrain, and each side's army by side id."""

    ground: str
    armies: Mapping[str, str]


class LayOutForm(Form, action="layout", title="Ground and armies"):
    """The form for the ground and the armies; every input may stay empty."""

    def __init__(self, game: Game, layout: TypedLayout | None = None) -> None:
        """Create the form, filled with the `layout` typed before."""
        super().__init__()
        before = layout or TypedLayout("", {})
        if game.state.keeps_positions:
            words = "Kind, place, size, name: village C3 10x8 called Tamai"
            key = f"{GROUND}{BETWEEN}{game.id}"
            self._add_input(key, "Ground, a piece a line", words, EXAMPLE, before.ground, MOST_GROUND)
        example = require_army_book(game.ruleset).example
        for side in game.open_sides:
            key, label = BETWEEN.join(("army", game.id, side.id)), f"Army of {side:the}"[:45]
            words = "A unit a line: strength, troops, colon, name; “, at C3” puts it there"
            self._add_input(key, label, words, example, before.armies.get(side.id, ""), MOST_ARMY)

    def _add_input(self, key: str, label: str, description: str, example: str, text: str, most: int) -> None:
        most, hint = max(most, len(text)), example[:100]
        self.add_text(key, label, description, most=most, text=text, hint=hint, is_long=True, is_required=False)

    @classmethod
    async def submit(cls, interaction: Interaction, words: Mapping[str, str]) -> None:
        """Show a preview of the table, or the unclear lines. Raises Refused, Stale, NotAllowed."""
        keys = [key.split(BETWEEN) for key in words]
        game = await require_game(interaction, next((key[1] for key in keys if len(key) > 1), ""))
        armies = {key[2]: text for key, text in zip(keys, words.values(), strict=True) if len(key) > 2}
        ground = next((text for key, text in zip(keys, words.values(), strict=True) if key[0] == GROUND), "")
        layout = TypedLayout(ground.strip(), {side: text for side, text in armies.items() if text.strip()})
        await show_layout(interaction, game, layout)


class LayOutButton(PersistentButton, action="layout", fields=("game",)):
    """The umpire's button that opens the form for the ground and the armies."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the empty form. Raises Stale, NotAllowed."""
        await open_layout_form(interaction, await require_game(interaction, self.fields["game"]))


class LayOutAgainButton(PersistentButton, action="relayout", fields=("game",)):
    """The button that opens the form again, with the typed text that the message repeats."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the form with the repeated text. Raises Stale if the message repeats nothing."""
        game = await require_game(interaction, self.fields["game"])
        await LayOutForm(game, read_repeated_layout(game, interaction.message)).open(interaction)


async def open_layout_form(interaction: Interaction, game: Game) -> None:
    """Open the form for ground and armies to the umpire. Raises NotAllowed, or UserError for a map of hexes."""
    require_army_book(game.ruleset)
    require_umpire(game, actor_of(interaction), "lay out the table")
    await LayOutForm(game).open(interaction)


async def show_layout(interaction: Interaction, game: Game, layout: TypedLayout) -> None:
    """Show the umpire a preview of the table, or the unclear lines. Raises Refused, NotAllowed."""
    if not layout.ground and not layout.armies:
        raise UserError("Nothing was written. Give the ground, or an army, a line each.")
    ground, armies = await asyncio.to_thread(_parse_layout, game, layout)
    if ground.doubts or any(army.doubts for army in armies.values()):
        await reply.send(interaction, _doubts_card(game, layout, ground, armies), private=True)
        return
    lines = {side: army.lines for side, army in armies.items()}
    about = [
        f"**{safe(game.name_of(side))}**: {safe(army.total)}\n{_unit_lines(army)}" for side, army in armies.items()
    ]
    await show_preview(interaction, "lay_out", {"terrain": layout.ground, "armies": lines}, about)


def _unit_lines(army: ArmySummary) -> str:
    """Return a line for each unit, and a last line with the typed lines that were read as titles."""
    unit_lines = fit_unit_lines((f"- {safe(unit)}" for unit in army.units), "units", MOST_TOLD)
    return "\n".join(filter(None, (unit_lines, typed_titles_line(army))))


def _parse_layout(game: Game, layout: TypedLayout) -> tuple[TypedTerrain, Mapping[str, ArmySummary]]:
    """Return the terrain and the armies that the typed text describes. Raises Refused for too many lines."""
    book, state = require_army_book(game.ruleset), game.state
    assert isinstance(state, TableState), "battles of one's own are fought on tables in inches"
    ground = read_terrain(state, layout.ground) if layout.ground else TypedTerrain((), ())
    return ground, {side: book.summarize_typed_lines(text, game.name_of(side)) for side, text in layout.armies.items()}


def _doubts_card(game: Game, layout: TypedLayout, ground: TypedTerrain, armies: Mapping[str, ArmySummary]) -> Card:
    """Return the card with the unclear lines (*doubts*), the typed text, and the button that opens the form again."""
    card = Card(WARNING).text("Some lines are not clear, so nothing was put on the table:")
    doubts_by_heading: list[tuple[str, Any]] = [("The ground", ground.doubts)]
    doubts_by_heading += [(f"The army of {game.the_side(side)}", army.doubts) for side, army in armies.items()]
    for heading, doubts in doubts_by_heading:
        lines = (f"- line {doubt.number}, “{safe(doubt.text[:60])}”: {safe(doubt.why)}" for doubt in doubts)
        card.text(f"**{safe(heading)}**\n{fit_unit_lines(lines, 'lines', MOST_TOLD)}" if doubts else "")
    for name, text in ((GROUND, layout.ground), *layout.armies.items()):
        card.text(code_block(f"{name}{BETWEEN}\n{text}") if text else "")
    if not card.fits_in_message:
        raise Refused("There is too much for one form: write the ground and each army by itself.")
    return card.buttons([LayOutAgainButton("Write it again", discord.ButtonStyle.secondary, game=game.id)])


def read_repeated_layout(game: Game, message: discord.Message | None) -> TypedLayout:
    """Return the typed text that a card of unclear lines repeats. Raises Stale if the message repeats none."""
    blocks = [text.strip("`\n").partition(f"{BETWEEN}\n") for text in message_texts(message) if text.startswith("```")]
    if not blocks:
        raise Stale(UNREADABLE)
    side_ids = {side.id for side in game.open_sides}
    by_name = {name: text for name, _, text in blocks}
    return TypedLayout(by_name.pop(GROUND, ""), {side: text for side, text in by_name.items() if side in side_ids})
