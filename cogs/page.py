"""`/page`: send a private link to the live map of the channel's game, and list or end the user's sessions there."""

from collections.abc import Sequence

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import UserError
from bot.journal.game import Entry, Game, Played
from bot.page.sessions import WebSession
from bot.runtime.client import UmpireBot

from .game.undo import post_undo_message
from .kit import automatic_play, reply
from .kit.cards.card import Card, safe
from .kit.cards.offer_buttons import MAP
from .kit.command_traits import offer_in_servers
from .kit.controls.control import PersistentButton
from .kit.request import BotChannel, Interaction, actor_of, game_of, require_game

ABOUT = (
    "-# This link is for you alone, works once, and for 15 minutes. The page then stays yours in that browser; "
    "`/page sessions` ends it."
)


class OpenPageButton(PersistentButton, action=MAP, fields=("game",)):
    """The button *Open the map*: it gives the presser a private link."""

    async def handle(self, interaction: Interaction) -> None:
        """Send a private link. Raises UserError if no map is served, Stale if another game runs."""
        await send_map_link(interaction, await require_game(interaction, self.fields["game"]))


class EndSessionsButton(PersistentButton, action="endpages", fields=("owner",)):
    """The button that ends all the user's sessions on the live map."""

    async def handle(self, interaction: Interaction) -> None:
        """End the presser's own sessions."""
        ended = await interaction.client.web_sessions.end_sessions(interaction.user.id)
        await reply.send(interaction, Card().text(f"Ended: {ended}. Links open new ones."), private=True)


async def send_map_link(interaction: Interaction, game: Game) -> None:
    """Send the user a private link to the game's live map. Raises UserError if no map is served."""
    url = interaction.client.live_map_url
    if url is None:
        raise UserError("This bot serves no live map. Whoever runs it can: docs/web.md says how.")
    key = await interaction.client.web_sessions.make_link(game, actor_of(interaction))
    card = Card().text(f"**{safe(game.name)}** on the map: your own view, orders by finger.")
    card.buttons([discord.ui.Button(label="Open the map", url=f"{url}/#{key}")]).text(ABOUT)
    await reply.send(interaction, card, private=True)


def sessions_card(sessions: Sequence[WebSession], user: int) -> Card:
    """Return the card that lists a user's sessions, with a button that ends them all."""
    card = Card()
    if not sessions:
        return card.text("No browser has a page of yours open.")
    pairs = ((session, int(session.used.timestamp())) for session in sessions)
    lines = [f"- game {session.game}, as {session.viewer}: last used <t:{used}:R>" for session, used in pairs]
    card.text("**Your pages**\n" + "\n".join(lines))
    return card.buttons([EndSessionsButton("End them all", discord.ButtonStyle.danger, owner=user).item])


class LiveMapAnnouncer:
    """The live map's connection to Discord: it announces in channels what users did on the live map."""

    def __init__(self, bot: UmpireBot) -> None:
        self._bot = bot

    def announce_and_continue(self, game: Game) -> None:
        """Announce the game's unannounced entries in its channel, then continue its automatic play."""
        automatic_play.start_automatic_play(BotChannel(self._bot, game.channel), game)

    def announce_undo(self, played: Played, undone: Sequence[Entry]) -> None:
        """Announce in the channel that the entries `undone` were undone. Halt automatic play, as `/game undo` does."""
        bot, game = self._bot, played.game
        bot.loops.halt(game.channel)
        work = post_undo_message(BotChannel(bot, game.channel), played, undone)
        bot.background_tasks.run(f"telling the undo in game {game.id}", game.id, work)


@offer_in_servers
class PageCog(commands.GroupCog, group_name="page", group_description="The live map in a browser"):
    """The commands `/page`."""

    @app_commands.command(name="open")
    async def open_(self, interaction: Interaction) -> None:
        """Gives you a private link to the live map, where you see your view and give orders by finger."""
        await send_map_link(interaction, await game_of(interaction))

    @app_commands.command()
    async def sessions(self, interaction: Interaction) -> None:
        """Lists the browsers in which your live map is open, with a button that ends these sessions."""
        sessions = await interaction.client.web_sessions.list_sessions(interaction.user.id)
        await reply.send(interaction, sessions_card(sessions, interaction.user.id), private=True)
