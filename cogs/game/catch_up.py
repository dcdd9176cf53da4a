"""`/game since` and `/game mine`: recent actions in a game, and the games that wait for the user."""

import asyncio
from collections.abc import Sequence

from discord import app_commands
from discord.ext import commands

from bot.games.catch_up import Recap, WaitingGame
from bot.journal.game import Entry, Game
from cogs.kit import one_at_a_time, reply
from cogs.kit.cards import pictures, report_card
from cogs.kit.cards.card import Card, Picture, discord_link, safe
from cogs.kit.cards.report_card import deadline_in_words
from cogs.kit.request import Interaction, actor_of, channel_of
from rules.core.model import UMPIRE, Viewer
from rules.core.state import State

MOST_LETTERS = 2000
"""Maximum letters of the lines about recent actions."""
MOST_GAMES = 25
ALL_THERE = "-# Messages may be lost: `/game status` there has everything that they offer."


class CatchUpCommands(commands.Cog):
    """The commands `/game since` and `/game mine`."""

    @app_commands.command()
    async def since(self, interaction: Interaction) -> None:
        """What happened since you last acted, for you alone, with the map before and after."""
        games = interaction.client.games

        async def make_recap_card() -> Card:
            game = await games.running_or_last_game(channel_of(interaction), even_unreadable=True)
            viewer = game.viewer(interaction.user.id)
            recap = await games.catch_up.load_recap(game, actor_of(interaction))
            maps = await draw_changes(interaction, game, recap.before, viewer)
            return await asyncio.to_thread(recap_card, game, viewer, recap, maps)

        task = f"What happened since {interaction.user.display_name} last acted"
        with one_at_a_time.reserve_private_work(interaction, task):
            await reply.send_privately_when_ready(interaction, make_recap_card())

    @app_commands.command()
    async def mine(self, interaction: Interaction) -> None:
        """Every game that waits for you, in any channel."""
        games = interaction.client.games.catch_up.find_games_waiting_for(interaction.user.id)
        is_local = bool(interaction.client.spare_channels)
        card = waiting_games_card(await reply.wait_for(interaction, games, private=True), is_local=is_local)
        await reply.send(interaction, card, private=True)


async def draw_changes(interaction: Interaction, game: Game, before: State | None, viewer: Viewer) -> Sequence[Picture]:
    """Draw the part of the table that differs from `before`. Return a picture before and one after the changes."""
    if before is None:
        return ()
    drawing = pictures.draw_changes(interaction.client.workers, game, before, viewer)
    return await pictures.draw_if_possible(drawing, game) or ()


def recap_card(game: Game, viewer: Viewer, recap: Recap, maps: Sequence[Picture]) -> Card:
    """Return the card of a recap, with a line for each action, the maps, and the viewer's open prompts."""
    card = Card(report_card.turn_colour(game.state))
    never = "You have not acted in this game yet."
    when = never if recap.at is None else f"You acted <t:{int(recap.at.timestamp())}:R>."
    card.text(f"### {safe(game.state.turn_title)}\n-# {safe(game.name)} · {when}")
    card.text(recent_entry_lines(recap) if recap.entries else "Nothing has happened since you last acted.")
    for words, picture in zip(("Before:", "Now:"), maps, strict=False):
        card.text(f"-# {words}").picture(picture)
    if game.state_is_readable and game.ended is None:
        report_card.add_private_prompts(card, game, viewer, game.ruleset.open_prompts(game.state))
    return card


def recent_entry_lines(recap: Recap) -> str:
    """Return lines about the newest entries, as many as fit in MOST_LETTERS letters, oldest first."""
    lines, letters = list[str](), 0
    for entry in reversed(recap.entries):
        line = entry_line(entry)
        letters += len(line)
        if lines and letters > MOST_LETTERS:
            break
        lines.insert(0, line)
    before = "-# `/game log` has what came before:" if recap.more or len(lines) < len(recap.entries) else ""
    return "\n".join(filter(None, (before, *lines)))


def entry_line(entry: Entry) -> str:
    """Return a line about an entry: `- **Amarar move 12"** They halt.` Strike through an undone entry's headline."""
    headline = safe(entry.report.headline)
    if entry.undone:
        return f"- ~~{headline}~~ *taken back*"
    return f"- **{headline}** {safe(entry.report.whole_outcome)}".rstrip()


def waiting_games_card(games: Sequence[WaitingGame], *, is_local: bool = False) -> Card:
    """Return the card of the games that wait for the user. Each line has the channel's link or name."""
    if not games:
        return Card().text("No game waits for you.")
    card = Card().text(f"### {len(games)} game{'s' * (len(games) != 1)} waiting for you")
    card.text("\n".join(waiting_game_line(game, is_local=is_local) for game in games[:MOST_GAMES])).text(ALL_THERE)
    omitted = len(games) - MOST_GAMES
    return card.text(f"-# and {omitted} more" if omitted > 0 else "")


def waiting_game_line(game: WaitingGame, *, is_local: bool = False) -> str:
    """Return `- **Suakin 1885**, turn 3 as umpire, until Friday (in 2 days): #table` for a game that waits."""
    role = " as umpire" if game.side == UMPIRE else f" for {safe(' and '.join(game.absent))}" if game.absent else ""
    time = f", {deadline_in_words(game.until)}" if game.until is not None else ""
    link = f"<#{game.channel}>" if is_local else discord_link(game.guild, game.channel)
    return f"- **{safe(game.name)}**, turn {game.turn}{role}{time}: {link}"
