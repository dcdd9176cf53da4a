"""Show the umpire a private map of a planned change of the table, and buttons that accept or reject it."""

import asyncio
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import discord

from bot.errors import NoGame, Stale
from bot.games.map_previews import Preview
from bot.games.terrain_changes import list_terrain_changes
from cogs.kit import action_reply, game_actions, pressed_message, reply
from cogs.kit.cards import pictures, report_card
from cogs.kit.cards.card import Card, safe
from cogs.kit.controls.control import UNREADABLE, PersistentButton
from cogs.kit.request import Interaction, actor_of, channel_of
from rules.core.refusal import Refused

PUT, BEGIN, NOT = "put", "begin", "not"
ONLY_SHOWN = "-# Only you see this. Nothing is done before you press *Put it on the table*."
PUT_IT, AND_BEGIN = "Put it on the table", "Put it on and begin"
LAY_OUT = "lay_out"
"""Kind of the action that puts ground and armies on the table together."""
MEANS_NOTHING = "In {system} no rule asks for a {kind}: it is only drawn."


class PreviewButton(PersistentButton, action="ground", fields=("what", "game", "tag")):
    """A button of a preview: it carries out the previewed change, or drops the preview."""

    async def handle(self, interaction: Interaction) -> None:
        """Carry out the previewed action, or drop the preview; the field `what` decides. Raises UserError, Refused."""
        press, game, tag = self.fields.values()
        if press in (PUT, BEGIN):
            await confirm_preview(interaction, game, tag, begins=press == BEGIN)
        elif press == NOT:
            work = interaction.client.games.map_previews.delete_preview(actor_of(interaction), game, tag)
            await reply.carry_out(interaction, work, quietly=True)
            await pressed_message.remove_buttons(interaction)
            await reply.send(interaction, Card().text("Nothing was done."), private=True)
        else:
            raise Stale(UNREADABLE)


async def show_preview(interaction: Interaction, kind: str, args: Mapping[str, Any], about: Sequence[str] = ()) -> None:
    """Show the umpire a private preview of an action. `about` holds lines of text for the preview.

    Raises UserError and Refused like the action.
    """
    await reply.send_privately_when_ready(interaction, _preview_card(interaction, kind, args, about))


async def _preview_card(interaction: Interaction, kind: str, args: Mapping[str, Any], about: Sequence[str]) -> Card:
    bot, actor = interaction.client, actor_of(interaction)
    make = partial(game_actions.parse_action, user=actor.id, kind=kind, args=args)
    preview = await bot.games.map_previews.store_preview(channel_of(interaction), actor, make)
    game, before, after = preview.game, preview.before, preview.after
    drawing = pictures.draw_sketch(bot.workers, game, after, before, [(kind, ())], preview.viewer)
    card = Card(report_card.turn_colour(game.state)).text("\n".join(about))
    card.text("\n".join(await asyncio.to_thread(_terrain_change_lines, preview)))
    card.picture(await pictures.draw_if_possible(drawing, game)).text(ONLY_SHOWN)
    fields = {"game": game.id, "tag": preview.tag}
    style = discord.ButtonStyle
    begins = kind == LAY_OUT and await asyncio.to_thread(lambda: preview.can_battle_begin)
    return card.buttons(
        [
            PreviewButton(PUT_IT, style.success, what=PUT, **fields),
            *([PreviewButton(AND_BEGIN, style.primary, what=BEGIN, **fields)] if begins else []),
            PreviewButton("Do not", style.secondary, what=NOT, **fields),
        ]
    )


async def confirm_preview(interaction: Interaction, game: str, tag: str, *, begins: bool = False) -> None:
    """Do the previewed action, show it to everyone, and remove the buttons. With `begins`, also begin the battle."""
    work = interaction.client.games.map_previews.confirm_preview(
        channel_of(interaction), actor_of(interaction), game, tag, begins=begins, interaction=interaction.id
    )
    try:
        played = await game_actions.await_actions(interaction, work, quietly=True)
    except (Stale, NoGame, Refused):
        await pressed_message.remove_buttons(interaction)
        raise
    if await pressed_message.acknowledge_press(interaction):
        await pressed_message.remove_buttons(interaction)
    await action_reply.show_actions(interaction, *played)


def _terrain_change_lines(preview: Preview) -> list[str]:
    """Return the lines about changed terrain pieces. A single piece has lines for its place and its effects."""
    changes = list_terrain_changes(preview)
    if len(changes) > 1:
        return [f"- **{safe(change.name)}**: {change.description}" for change in changes]
    lines = []
    for change in changes:
        lines.append(f"### {safe(change.name)}: {change.description}")
        if change.moved_to:
            lines.append(f"It lies at {change.moved_to} now.")
        lines += [f"- {safe(str(meaning))} ({safe(str(meaning.cite))})" for meaning in change.meanings]
        if not change.meanings:
            lines.append(MEANS_NOTHING.format(system=preview.game.ruleset.title, kind=change.piece.feature.value))
    return lines
