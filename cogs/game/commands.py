"""The commands of `/game`."""

from typing import Any

import discord
from discord import app_commands
from discord.ext import commands

from bot.errors import BadFile, NoGame, UserError
from bot.games.game_settings import BRIEF, FULL, TOLD_IN
from cogs.kit import bot_turns, one_at_a_time, reply, turn_message
from cogs.kit.cards import report_card
from cogs.kit.cards.card import Card, safe
from cogs.kit.command_traits import offer_everywhere
from cogs.kit.lookup import completion, name_lookup
from cogs.kit.option_types import Name
from cogs.kit.request import Interaction, actor_of, can_have_game, channel_of, game_of, require_no_room
from cogs.kit.rooms import members
from rules.core.state import MOST_TURNS
from rules.core.tabletop.battle import KEPT, NONE

from . import endgame, opening_message, own_table, pages, real_table, replay, seats
from . import undo as game_undo
from .board import BoardCommand
from .brief import BriefCommand
from .catch_up import CatchUpCommands
from .clock import ClockCommand, add_clock_lines
from .pause import AwayCommand
from .start import start_game
from .substitute import SubstituteCommand

MOST_ENTRIES = 100
LARGEST_FILE = 32 * 1024 * 1024
"""Maximum bytes of an imported file. The longest game is far smaller."""
ANYWHERE = ("mine",)
"""Names of the commands that also run where no game is possible, such as in direct messages."""


@offer_everywhere
class GameCog(
    CatchUpCommands,
    ClockCommand,
    AwayCommand,
    SubstituteCommand,
    BriefCommand,
    BoardCommand,
    commands.GroupCog,
    group_name="game",
    group_description="The game of this channel",
):
    """The commands of `/game`. Discord offers them everywhere, so a check refuses them where no game is possible."""

    def interaction_check(self, interaction: discord.Interaction[Any], /) -> bool:
        """Return True if the command may run here.

        Raises CommandInvokeError with NoGame where no game is possible, except for commands in `ANYWHERE`.
        """
        command = interaction.command
        if not isinstance(command, app_commands.Command) or command.name in ANYWHERE:
            return True
        if not can_have_game(interaction):
            raise app_commands.CommandInvokeError(command, NoGame("Games are played in channels of servers."))
        return True

    @app_commands.command()
    @app_commands.describe(
        rules="The rule system",
        scenario="The battle",
        side="The side you play, if you do not only umpire",
        name="What to call this game",
        positions="none: figures stand on a real table, and distances are asked of you; kept if you leave it out",
    )
    @app_commands.choices(positions=[app_commands.Choice(name=value, value=value) for value in (KEPT, NONE)])
    @app_commands.autocomplete(
        rules=completion.complete_rule_systems,
        scenario=completion.complete_battles_or_bare_table,
        side=completion.complete_sides,
    )
    async def new(
        self,
        interaction: Interaction,
        rules: Name,
        scenario: Name,
        side: Name | None = None,
        name: app_commands.Range[str, 1, 80] | None = None,
        positions: str = KEPT,
    ) -> None:
        """Start this channel's game; you are its umpire."""
        require_no_room(interaction, "Give /game new")
        system = name_lookup.find_system_by_name(rules)
        if positions != KEPT and system.bare_tables is None:
            raise UserError(real_table.ON_HEXES.format(title=system.title))
        if scenario.casefold() == own_table.OWN:
            await own_table.open_table_form(interaction, system, side, name, positions)
            return
        await start_game(interaction, system, scenario, side, name, positions)

    @app_commands.command()
    @app_commands.describe(side="The side to play")
    @app_commands.autocomplete(side=completion.complete_open_sides)
    async def join(self, interaction: Interaction, side: Name) -> None:
        """Take a seat in this channel's game."""
        await seats.join_side(interaction, side)

    @app_commands.command()
    async def leave(self, interaction: Interaction) -> None:
        """Give up your seat; the game goes on."""
        actor = actor_of(interaction)
        work = interaction.client.games.seats.leave(channel_of(interaction), actor, interaction=interaction.id)
        game = await reply.carry_out(interaction, work)
        card = Card().text(f"**{safe(actor.name)}** gives up their seat.\n{pages.seat_lines(game)}")
        call = await interaction.client.games.mentions.make_umpire_call(game, present=actor.id)
        card.mention(call.users, turn_message.WAITS_FOR_YOU)
        await reply.send(interaction, card.buttons(seats.open_side_buttons(game)))
        members.update_members(interaction, game, actor)

    @app_commands.command()
    async def status(self, interaction: Interaction) -> None:
        """How the game stands: turn, strengths, what it waits for, who plays what."""
        game = await reply.wait_for(interaction, game_of(interaction), private=True)
        viewer = game.viewer(interaction.user.id)
        card = pages.status_card(game, viewer)
        report_card.add_private_prompts(card, game, viewer, game.ruleset.open_prompts(game.state))
        await add_clock_lines(interaction, card, game)
        card.text(pages.seal_line(game))
        await reply.send(interaction, card, private=True)

    @app_commands.command()
    @app_commands.describe(last="How many entries, the newest last")
    async def log(self, interaction: Interaction, last: app_commands.Range[int, 1, MOST_ENTRIES] = 5) -> None:
        """What has happened, with every calculation, as far as you may know it."""
        games = interaction.client.games
        game = await games.running_or_last_game(channel_of(interaction), even_unreadable=True)
        viewer = game.viewer(interaction.user.id)
        entries = await reply.wait_for(interaction, games.readings.load_log(game, viewer, last), private=True)
        await reply.send(interaction, pages.journal_card(game, entries), private=True)

    @app_commands.command()
    @app_commands.describe(steps="How many actions to take back")
    async def undo(self, interaction: Interaction, steps: app_commands.Range[int, 1, game_undo.MOST_STEPS] = 1) -> None:
        """Take back the last actions; shows them first, and asks for consent where that is needed."""
        games = interaction.client.games
        game = await games.running_game(channel_of(interaction))
        work = games.undo.preview(game, actor_of(interaction), steps)
        preview = await reply.wait_for(interaction, work, private=True)
        viewer = game.viewer(interaction.user.id)
        card = game_undo.undo_preview_card(game, preview, steps, viewer)
        card.text(game_undo.PLAYS_ON if bot_turns.is_bot_playing(interaction) else "")
        await reply.send(interaction, card, private=True)

    @app_commands.command()
    async def redo(self, interaction: Interaction) -> None:
        """Do the action again that was undone last."""
        channel, games, actor = channel_of(interaction), interaction.client.games, actor_of(interaction)
        work = games.undo.redo_action(channel, actor, interaction=interaction.id)
        played = await reply.carry_out(interaction, work, private=True)
        game, back = played.game, await games.undo.load_changed_entries(played, actor)
        lines = game_undo.numbered_entry_lines(back, game_undo.undo_message_viewer(game, back, actor))
        card = Card().text(f"**{safe(actor.name)}** puts back:\n{lines}")
        card.text(f"-# {safe(game.state.turn_title_with_total)}")
        await game_undo.announce_undo(interaction, card, game, back)

    @app_commands.command()
    @app_commands.describe(confirm="End it without being asked again")
    async def end(self, interaction: Interaction, confirm: bool = False) -> None:
        """End this channel's game and make the seed of its dice public."""
        await (endgame.end_game if confirm else endgame.ask_to_end_game)(interaction)

    @app_commands.command()
    @app_commands.rename(level="answers")
    @app_commands.describe(level="brief: a line a throw, the rest behind Details; full: the whole reckoning")
    @app_commands.choices(level=[app_commands.Choice(name=value, value=value) for value in (BRIEF, FULL)])
    async def detail(self, interaction: Interaction, level: str) -> None:
        """For the umpire: how much of a calculation the answers in the chat show."""
        channel, actor = channel_of(interaction), actor_of(interaction)
        work = interaction.client.games.settings.set_detail(channel, actor, level, interaction=interaction.id)
        game = await reply.carry_out(interaction, work)
        await reply.send(interaction, Card().text(f"**{safe(game.name)}**: {TOLD_IN[game.detail].lower()}."))

    @app_commands.command()
    @app_commands.rename(form="format")
    @app_commands.describe(form="The format of the file")
    @app_commands.choices(form=[app_commands.Choice(name="JSON, for /game import", value="json")])
    async def export(self, interaction: Interaction, form: str = "json") -> None:
        """Get the whole game as a file; hidden things only for the umpire."""
        games = interaction.client.games
        game = await games.running_or_last_game(channel_of(interaction), even_unreadable=True)
        card = Card().text(f"**{safe(game.name)}**, {safe(game.state.turn_title)}. `/game import` reads it again.")
        with one_at_a_time.reserve_private_work(interaction, "The file of this game"):
            work = games.readings.export_game(game, actor_of(interaction))
            file = await reply.wait_for(interaction, work, private=True)
            if file.left_out:
                card.text(f"-# Oldest photographs and pictures left out, because the file is full: {file.left_out}.")
            await reply.send(interaction, card.attach(f"umpire-{game.id}.{form}", file.data), private=True)

    @app_commands.command()
    @app_commands.rename(form="format")
    @app_commands.describe(form="The format of the file")
    @app_commands.choices(
        form=[
            app_commands.Choice(name="A page for the browser", value="html"),
            app_commands.Choice(name="Markdown", value="markdown"),
        ]
    )
    async def report(self, interaction: Interaction, form: str = "html") -> None:
        """The after-action report: the whole game turn by turn, as far as you may know it."""
        game = await interaction.client.games.running_or_last_game(channel_of(interaction), even_unreadable=True)
        await endgame.send_report(interaction, game, form)

    @app_commands.command()
    @app_commands.describe(mentions="Whether you are mentioned when this game begins to wait for you")
    @app_commands.choices(mentions=[app_commands.Choice(name=value, value=value) for value in ("on", "off")])
    async def pings(self, interaction: Interaction, mentions: str) -> None:
        """Be mentioned when this channel's game begins to wait for you, or not."""
        games, actor = interaction.client.games, actor_of(interaction)
        quiet = mentions == "off"
        game = await games.running_game(channel_of(interaction))
        await reply.carry_out(interaction, games.mentions.set_silent(game, actor, quiet=quiet), private=True)
        words = "You are no longer mentioned" if quiet else "You are mentioned again"
        await reply.send(interaction, Card().text(f"{words} when **{safe(game.name)}** waits for you."), private=True)

    @app_commands.command()
    @app_commands.describe(
        turns="Number of last turns to show; by default the whole game",
        side="The view of this side, shown to you alone; by default the public view",
    )
    @app_commands.autocomplete(side=completion.complete_views)
    async def replay(
        self,
        interaction: Interaction,
        turns: app_commands.Range[int, 1, MOST_TURNS] | None = None,
        side: Name | None = None,
    ) -> None:
        """Show the game again as moving pictures, as everyone may see it."""
        await replay.show_replay(interaction, turns, side)

    @app_commands.command(name="import")
    @app_commands.describe(file="A game as /game export wrote it")
    async def import_(self, interaction: Interaction, file: discord.Attachment) -> None:
        """Import an exported game into this channel."""
        require_no_room(interaction, "Give /game import")
        if file.size > LARGEST_FILE:
            raise BadFile("That file is far larger than any game. Give one that /game export wrote.")
        channel, games, actor = channel_of(interaction), interaction.client.games, actor_of(interaction)

        work = games.importer.import_game(channel, interaction.guild_id, actor, file.read, interaction=interaction.id)
        game = await reply.carry_out(interaction, work)
        words = f"**{safe(actor.name)}** imports this game from a file. What came before is only known from that file. "
        words += "All players' seats are open: take yours with a button."
        await opening_message.send_opening_message(interaction, game, f"{words}\n{pages.result_in_words(game)}".strip())
