"""`/game board`: one message in the channel that always shows the present table in the public view."""

import logging

import discord
from discord import app_commands
from discord.ext import commands
from sqlalchemy.exc import IntegrityError

from bot.channel.boards import REST, BoardMessage
from bot.errors import DatabaseUnavailable, NotAllowed, UserError
from bot.jobs import pictures as jobs
from bot.journal.game import Game
from bot.journal.seats import describe_seat_holder
from bot.runtime.client import UmpireBot
from cogs.kit import reply
from cogs.kit.cards import pictures, report_card, unit_list
from cogs.kit.cards.card import Card, discord_link, safe
from cogs.kit.cards.waiting import waiting_for_line
from cogs.kit.discord_errors import REQUEST_ERRORS, log_request_errors
from cogs.kit.request import Interaction, channel_of, game_of, request_of
from rules.core.model import PUBLIC
from rules.core.ruleset import describe_tally

from . import pages

log = logging.getLogger(__name__)

LOST_CHANNEL_ERRORS = (discord.Forbidden, discord.NotFound)
"""Errors of a channel in which the bot can no longer write."""
CHANGES_EVERY = REST.total_seconds()
MAY_NOT_WRITE = "I may not write in this channel by myself. Give me the right Send Messages here, then ask again."


class BoardCommand(commands.Cog):
    """The command `/game board`."""

    @app_commands.command()
    async def board(self, interaction: Interaction) -> None:
        """Pin a message that always shows the present table; it replaces an earlier one."""
        words = await reply.wait_for(interaction, post_board(interaction), private=True)
        await reply.send(interaction, Card().text(words), private=True)


async def post_board(interaction: Interaction) -> str:
    """Post and pin the board, and delete an older one. Return a sentence for the user. Raises NotAllowed, UserError."""
    bot, game = interaction.client, await game_of(interaction)
    if not game.is_umpire(interaction.user.id) and game.viewer(interaction.user.id) == PUBLIC:
        raise NotAllowed("Only those who play and the umpire put up a board. /map shows the table to everyone, once.")
    card = await board_card(bot, game)
    channel, older = bot.get_partial_messageable(channel_of(interaction)), await bot.boards.find_message(game)
    try:
        message = await channel.send(view=card.view(), files=card.files(), nonce=str(interaction.id))
    except LOST_CHANNEL_ERRORS:
        raise UserError(MAY_NOT_WRITE) from None
    try:
        await bot.boards.set_message(game, message.id)
    except IntegrityError:  # another process of ours heard of the command, too
        log.info("the board of game %s is kept already", game.id)
    request_of(interaction).is_done = True
    if older not in (None, message.id):
        with log_request_errors(log, "an old board stays in channel %s", channel.id, level=logging.INFO):
            await channel.get_partial_message(older or 0).delete()
    link = discord_link(game.guild, game.channel, message.id)
    return " ".join(filter(None, (f"The board stands here: {link}.", await pin_board(message))))


async def pin_board(message: discord.Message) -> str:
    """Pin the message. If Discord refuses, return a sentence for the user, else an empty string."""
    try:
        await message.pin()
    except discord.Forbidden:
        return "It is not pinned, for which I need the right Pin Messages here; with it, ask again."
    except discord.HTTPException as error:
        return f"It is not pinned: Discord says “{safe(error.text)}”."
    return ""


async def board_card(bot: UmpireBot, game: Game) -> Card:
    """Return the board's card: the table in the public view."""
    picture = await pictures.draw_if_possible(pictures.draw_table(bot.workers, game), game)
    card = Card(report_card.turn_colour(game.state))
    card.text(pages.result_in_words(game)).text(pages.game_heading(game)).picture(picture)
    card.paragraphs(unit_list.unit_list_instead_of_map(game))
    bot_lines = [
        f"-# {safe(game.name_of(side))}: {describe_seat_holder(seat)}" for side, seat in game.bot_seats.items()
    ]
    card.text(safe(describe_tally(game.ruleset, game.state))).text("\n".join(bot_lines)).text(waiting_for_line(game))
    return card.text("-# This message always shows the table as it stands." if game.ended is None else "-# The end.")


async def update_boards(bot: UmpireBot) -> None:
    """Edit every board whose game has new entries. Log a board's error, then continue. Raises DatabaseUnavailable."""
    for board in await bot.boards.find_outdated_boards():
        try:
            if await bot.boards.claim(board):
                await update_board(bot, board)
        except DatabaseUnavailable:
            raise
        except Exception:
            log.exception("the board in channel %s could not be changed", board.channel)


async def update_board(bot: UmpireBot, board: BoardMessage) -> None:
    """Edit a board if its picture would change. Forget a board whose message was deleted, or whose game has ended."""
    try:
        game = await bot.games.running_or_last_game(board.channel)
    except DatabaseUnavailable:
        raise
    except UserError as error:
        log.warning("the board in channel %s stays as it is: %s", board.channel, error)
        await bot.boards.mark_shown(board, board.head)
        return
    if game.id != board.game:
        await bot.boards.delete(board)
        return
    needs_new_card = game.ended is not None or await bot.boards.needs_new_card(board)
    if needs_new_card or await has_public_table_changed(bot, game, board.seq):
        card, channel = await board_card(bot, game), bot.get_partial_messageable(board.channel)
        try:
            await channel.get_partial_message(board.message).edit(view=card.view(), attachments=card.files())
        except LOST_CHANNEL_ERRORS as error:
            log.info("the board in channel %s is gone: %s", board.channel, error)
            await bot.boards.delete(board)
            return
        except REQUEST_ERRORS as error:
            log.warning("the board in channel %s is changed later: %s", board.channel, error)
            return
    await (bot.boards.mark_shown(board, game.seq) if game.ended is None else bot.boards.delete(board))


async def has_public_table_changed(bot: UmpireBot, game: Game, seq: int) -> bool:
    """Whether the public table looks different from the table after entry `seq`.

    Otherwise the board must not be edited, because an edit would reveal that a hidden action was done.
    """
    before = await bot.games.catch_up.load_state_after(game, seq)
    return before is None or await bot.workers.run(jobs.looks_different, game.ruleset, game.state, before)
