"""`/opponent`: seat the bot, set its level, let it play, explain its decisions, and remove the bot."""

import logging
from collections.abc import Iterable

from discord import app_commands
from discord.ext import commands

from bot.errors import DatabaseUnavailable, NoGame, UserError
from bot.journal.game import Played
from bot.journal.ledger import LEASE
from bot.runtime.client import UmpireBot
from rules.core.automaton.levels import Level

from .game import pages
from .kit import action_reply, automatic_play, bot_turns, pressed_message, reply, turn_post
from .kit.cards.card import Card, safe
from .kit.cards.offer_buttons import BOT
from .kit.cards.report_card import side_colour
from .kit.cards.stand_in import STAND_IN
from .kit.command_traits import offer_in_servers
from .kit.controls.control import PersistentButton
from .kit.lookup import completion
from .kit.lookup.notes import strip_note
from .kit.option_types import Name
from .kit.panels import why
from .kit.request import BotChannel, Interaction, actor_of, channel_of, require_game
from .kit.rooms import members

log = logging.getLogger(__name__)

ANNOUNCEMENT_INTERVAL = 30.0
"""Seconds between two searches for entries that another process left unannounced."""
OFF = "off"
"""The choice, listed beside the levels, that removes the bot from the side."""
LEVELS = [
    app_commands.Choice(name="easy: takes what is best at once", value=Level.EASY.value),
    app_commands.Choice(name="hard: looks at what comes next, and at your answer", value=Level.HARD.value),
]
OR_OFF = [*LEVELS, app_commands.Choice(name="off: the bot leaves this side", value=OFF)]


class LetBotPlayOnButton(PersistentButton, action=BOT, fields=("game",)):
    """The button that makes the bot play its turn now."""

    async def handle(self, interaction: Interaction) -> None:
        """Play the bot's turn and show it. Raises NotAllowed, UserError, BotIsStuck."""
        pressed_ids = {self.item.custom_id or ""}
        try:
            await require_game(interaction, self.fields["game"])
            played = await reply.carry_out(interaction, bot_turns.play_bot_on_request(interaction), quietly=True)
        except UserError:
            if not await bot_turns.is_game_waiting_for_bot(interaction, self.fields["game"]):
                await pressed_message.remove_buttons(interaction, pressed_ids)
            raise
        is_answered = await pressed_message.acknowledge_press(interaction)
        message = await action_reply.send_reports(interaction, *played)
        if is_answered:
            await pressed_message.remove_buttons(interaction, pressed_ids)
        await action_reply.add_picture_and_follow_ups(interaction, message, *played)


class StandInButton(PersistentButton, action=STAND_IN, fields=("game", "side")):
    """The button that lets the bot play for a side that missed turns, until a player of the side acts."""

    async def handle(self, interaction: Interaction) -> None:
        """Seat the bot and tell everyone. Raises NotAllowed, Stale."""
        await require_game(interaction, self.fields["game"])
        channel, actor, side = channel_of(interaction), actor_of(interaction), self.fields["side"]
        work = interaction.client.games.opponents.seat_substitute_bot(channel, actor, side, interaction=interaction.id)
        played = await reply.carry_out(interaction, work, quietly=True)
        await pressed_message.remove_buttons(interaction, {self.item.custom_id or ""})
        await announce_bot_seats(interaction, played)


async def play_bot_turn(interaction: Interaction, *, one_decision: bool = False) -> None:
    """Play the bot's turn, or one decision, and show the entries in one message. Then start automatic play."""
    played = await reply.carry_out(interaction, bot_turns.play_bot_on_request(interaction, one_decision=one_decision))
    await action_reply.show_actions(interaction, *played)


async def announce_bot_seats(interaction: Interaction, played: Played) -> None:
    """Tell everyone of a change to the bot's seats. Then start automatic play."""
    game, report = played.game, played.entry.report
    card = Card(side_colour(game.state, report.side)).text(f"**{safe(report.headline)}.**")
    card.text("\n".join(filter(None, (safe(report.outcome), pages.seat_lines(game)))))
    await turn_post.send_with_next_step(interaction, card, game)
    members.update_members(interaction, game)
    automatic_play.start_automatic_play(interaction, game)


@offer_in_servers
class OpponentCog(commands.GroupCog, group_name="opponent", group_description="The bot plays a side of the game"):
    """The commands for the bot's seats."""

    def __init__(self, bot: UmpireBot) -> None:
        self.bot = bot

    @app_commands.command()
    @app_commands.describe(
        side="The side it plays; or several without a player at once",
        level="How hard it thinks, or off; hard if you leave it out",
    )
    @app_commands.choices(level=OR_OFF)
    @app_commands.autocomplete(side=completion.complete_sides_for_opponent)
    async def side(self, interaction: Interaction, side: Name, level: str = Level.HARD.value) -> None:
        """Has the bot play a free side; the bot plays on by itself whenever the game waits for this side."""
        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
        if level == OFF:
            work = games.opponents.unseat_bot(channel, actor, side, interaction=interaction.id)
        else:
            work = games.opponents.seat_bot(channel, actor, side, Level(level), interaction=interaction.id)
        await announce_bot_seats(interaction, await reply.carry_out(interaction, work))

    @app_commands.command()
    @app_commands.describe(level="How hard it thinks", side="Only on that side; else on every side that it plays")
    @app_commands.choices(level=LEVELS)
    @app_commands.autocomplete(side=completion.complete_bot_sides)
    async def level(self, interaction: Interaction, level: str, side: Name | None = None) -> None:
        """Changes how hard the bot thinks."""
        games, channel, actor = interaction.client.games, channel_of(interaction), actor_of(interaction)
        work = games.opponents.set_level(channel, actor, Level(level), side, interaction=interaction.id)
        await announce_bot_seats(interaction, await reply.carry_out(interaction, work))

    @app_commands.command()
    async def turn(self, interaction: Interaction) -> None:
        """Has the bot play its turn now, told in one message."""
        await play_bot_turn(interaction)

    @app_commands.command()
    async def step(self, interaction: Interaction) -> None:
        """Has the bot do one action of its turn, then wait until it is asked again."""
        await play_bot_turn(interaction, one_decision=True)

    @app_commands.command(name="why")
    @app_commands.describe(number="Which decision, by its number in /game log; its last if you leave it out")
    @app_commands.autocomplete(number=why.complete_decision_numbers)
    async def why_(self, interaction: Interaction, number: Name | None = None) -> None:
        """Explains a decision of the bot: its three best candidates, with what each should bring and lose."""
        await why.show_explanation(interaction, number and strip_note(number))

    @commands.Cog.listener()
    async def on_ready(self) -> None:
        """Continue the games that were under way when the bot stopped, and announce unannounced entries."""
        try:
            tables = {
                *await self.bot.games.bot_decisions.channels_to_resume(),
                *await self.bot.games.announcements.find_channels_with_announcements(),
            }
        except DatabaseUnavailable:
            return
        await self._resume_games(tables)

    async def announce_abandoned_entries(self) -> None:
        """Announce entries that another process has left unannounced for a while."""
        await self._resume_games(await self.bot.games.announcements.find_channels_with_announcements(LEASE))

    async def _resume_games(self, tables: Iterable[tuple[int, int | None]]) -> None:
        for channel, guild in sorted(tables, key=lambda table: table[0]):
            if guild is None or self.bot.get_guild(guild) is not None:
                await self._resume_game(channel)

    @commands.Cog.listener()
    async def on_table_open(self, channel: int) -> None:
        """Resume the game of a local table when the table opens."""
        await self._resume_game(channel)

    async def _resume_game(self, channel: int) -> None:
        try:
            game = await self.bot.games.running_game(channel)
        except NoGame:
            return
        except UserError as error:
            log.info("channel %s: the bot does not play on: %s", channel, error)
            return
        automatic_play.start_automatic_play(BotChannel(self.bot, channel), game)
