"""The message at a game's end: the winner, the last map, losses, luck of the dice, the report, and a rematch."""

import asyncio
from collections.abc import Sequence
from datetime import datetime

import discord

from bot.journal.game import Game, Played
from rules.core.dice import Luck
from rules.core.model import PUBLIC

from . import outbox, turn_message
from .cards import pictures, report_card, stale_buttons
from .cards.card import Button, Card, Picture, make_button, safe
from .request import ChannelContext

REPORT, AGAIN = "report", "again"
"""Kinds of button: a game's after-action report, and a rematch."""


def finale_buttons(game: Game) -> list[Button]:
    """Return the buttons *Report* and *Again*."""
    report = make_button("Report", discord.ButtonStyle.secondary, REPORT, game.id)
    return [report, make_button("Again", discord.ButtonStyle.success, AGAIN, game.id)]


def finale_card(game: Game, lucks: Sequence[Luck], picture: Picture | None) -> Card:
    """Return the card of the game's end: its result, map, strengths and luck of the dice."""
    state = game.state
    card = Card(report_card.turn_colour(state))
    if state.over is None:
        card.text(f"### {safe(game.name)} ends undecided")
    else:
        card.text(f"### {safe(state.result)}\n{safe(state.over.why)}")
    card.picture(picture)
    turn = state.turn_title_with_total if state.over is None else state.turn_name_with_total
    lines = [f"-# {safe(turn)}", *turn_message.strength_lines(game)]
    names = {side.id: side.name for side in state.sides}
    thrown = [luck for luck in lucks if luck.side in names and luck.dice]
    if deviations := ", ".join(f"{safe(names[luck.side])} {luck.standard_deviations:+z.1f}" for luck in thrown):
        lines.append(f"-# Luck of the dice: {deviations} standard deviations (`/dice luck`)")
    return card.text("\n".join(lines))


async def draw_finale(context: ChannelContext, game: Game) -> Card:
    """Draw the last map, and return the card of the game's end with public facts."""
    bot = context.client
    picture = await pictures.draw_if_possible(pictures.draw_table(bot.workers, game), game)
    lucks = await bot.games.readings.measure_luck(game, PUBLIC)
    return await asyncio.to_thread(finale_card, game, lucks, picture)


async def post_finale(context: ChannelContext, *played: Played, since: datetime | None = None) -> None:
    """Post the message of the game's end, if these actions ended the game. See `outbox.post` for `since`."""
    game = played[-1].game
    if played[0].before.over is not None or game.state.over is None or not any(action.entry.acts for action in played):
        return
    card = (await draw_finale(context, game)).buttons(finale_buttons(game))
    card.text("-# `/game undo` takes the last action back; `/game end` makes the seed of the dice public.")
    message = await outbox.post(context, card, f"{game.id}-{played[-1].entry.name} e", since)
    stale_buttons.set_live_message(context.client, game.id, game.channel, message)
