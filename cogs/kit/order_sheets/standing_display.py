"""Show a player's standing answers, and change them."""

import asyncio
from collections.abc import Awaitable

from bot.order_sheets.sheet_changes import SheetChange
from bot.order_sheets.store import OldSheet
from cogs.kit import reply
from cogs.kit.cards.card import Card
from cogs.kit.request import Interaction, actor_of, channel_of
from rules.core.model import UMPIRE
from rules.core.refusal import Refused

from .display import GameAndSheet, is_pressed_message_private, load_own_sheet
from .standing_card import StandingAnswersView


async def show_standing_answers(interaction: Interaction, game_id: str | None = None, note: str = "") -> None:
    """Show the user's standing answers. Replace the pressed private sheet, or send a new private message."""
    await _show_answers_card(interaction, _load_own_sheet(interaction, game_id), note)


async def change_answers(
    interaction: Interaction, game_id: str | None, revision: int | None, edit: SheetChange
) -> None:
    """Change the user's sheet by `edit`, and show the standing answers.

    If the sheet no longer has this `revision`, change nothing. Without `revision`, change the present sheet.
    """
    games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)

    async def apply_change() -> GameAndSheet:
        game, stored = await _load_own_sheet(interaction, game_id)
        expected = stored.revision if revision is None else revision
        result = await games.sheets.revise(channel, actor, game.id, expected, edit, interaction=interaction.id)
        return result.game, result.stored

    try:
        await _show_answers_card(interaction, apply_change(), "")
    except OldSheet as old:
        await show_standing_answers(interaction, game_id, str(old))


async def _load_own_sheet(interaction: Interaction, game_id: str | None) -> GameAndSheet:
    """Return the game and the user's sheet. Raises Refused if an umpire plays no side, NotAllowed for an onlooker."""
    game, stored = await load_own_sheet(interaction, game_id)
    if stored.side == UMPIRE:
        raise Refused("Standing answers are for players: an umpire who plays takes a seat with /game join.")
    return game, stored


async def _show_answers_card(interaction: Interaction, work: Awaitable[GameAndSheet], note: str) -> None:
    in_place = is_pressed_message_private(interaction)

    async def build_card() -> Card:
        game, stored = await work
        return await asyncio.to_thread(StandingAnswersView(game, stored, note).card)

    card = await reply.wait_for(interaction, build_card(), private=True, quietly=in_place)
    if in_place:
        await reply.edit_pressed_message(interaction, view=card.view(), attachments=[])
    else:
        await reply.send(interaction, card, private=True)
