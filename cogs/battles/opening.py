"""Open a campaign's battle as a game in a private thread or another channel, and add its players there."""

import asyncio
import logging
from collections.abc import Sequence

import discord

from bot.campaigns.campaign_games import require_campaign
from bot.campaigns.openings import players_in_battle, require_battle_to_open
from bot.errors import GameRunning, NotAllowed, UserError
from bot.games.turn_mentions import TurnCall
from bot.journal.game import Game
from bot.runtime.client import UmpireBot
from cogs.game import opening_message
from cogs.kit import automatic_play, outbox, reply
from cogs.kit.cards import pictures, stale_buttons
from cogs.kit.cards.card import Card, safe
from cogs.kit.controls.control import PersistentButton
from cogs.kit.discord_errors import REQUEST_ERRORS, log_request_errors
from cogs.kit.request import BotChannel, Interaction, actor_of, request_of, require_game
from cogs.kit.rooms.members import add_member, find_text_channel, make_thread, require_thread_rights
from rules.campaign.model import Battle

from .post import OPEN, battle_channel_link, battle_name

log = logging.getLogger(__name__)

LACKS = (
    "To make a thread for the battle I need these permissions here: {rights}. Nothing was changed. Allow them, or let "
    "the umpire open the battle in another channel by the option channel: of /campaign fight."
)
REFUSED = "Discord does not let me make a thread: “{why}”. Nothing was changed."
NOT_YOURS = "Only the umpire, {umpire}, may choose the channel: whoever can read it would read both sides' forces."
WORDS = (
    "**{battle}** of the campaign {campaign}. The units stand where the rules put them; each side may move its "
    "own until the umpire begins the battle. When it is over, its losses are entered in <#{channel}> automatically. A "
    "side may break the battle off with `/campaign break-off`."
)


class OpenBattleButton(PersistentButton, action=OPEN, fields=("game", "battle")):
    """The button that opens a battle's game in a private thread."""

    async def handle(self, interaction: Interaction) -> None:
        """Open the game. Raises NotAllowed, GameRunning, UserError, and Stale for a battle that is no longer open."""
        game, battle = await require_open_battle(interaction, self.fields["game"], self.fields["battle"])
        await open_battle(interaction, game, battle)


async def require_open_battle(interaction: Interaction, game_id: str, battle_id: str) -> tuple[Game, Battle]:
    """Return the channel's campaign and its open battle. Raises Stale, NoGame."""
    game = await require_game(interaction, game_id)
    battle = require_campaign(game).battles.get(battle_id)
    if battle is None:
        raise UserError("That battle has a result already: /game log shows it.")
    return game, battle


async def open_battle(
    interaction: Interaction,
    game: Game,
    battle: Battle,
    channel: discord.TextChannel | discord.Thread | None = None,
    table: int | None = None,
) -> None:
    """Open the battle's game in the channel, or in a new private thread. Tell the user where the game is."""
    actor = actor_of(interaction)
    require_battle_to_open(game, actor, battle.at.label, table)
    if channel is not None and not game.is_umpire(actor.id):
        raise NotAllowed(NOT_YOURS.format(umpire=game.umpire.name))
    work = _find_or_start_game(interaction, game, battle, channel, table)
    battle_game, is_new = await reply.wait_for(interaction, work, private=True)
    request_of(interaction).is_done = True
    where = battle_channel_link(interaction.client, battle_game)
    card = Card().text(f"{safe(battle_name(game, battle))} is fought in {where}.")
    await reply.send(interaction, card, private=True)
    users = [seat.user for seat in players_in_battle(game, battle)]
    await add_to_battle_thread(interaction.client, battle_game, [*users, game.umpire.id])
    if battle_game.seq == 1:  # else a process died between the start of the game and its first message
        await post_battle_opening(interaction, game, battle, battle_game, users, is_new=is_new)
    interaction.client.dispatch("battle_opened", game, battle_game)


async def _find_or_start_game(
    interaction: Interaction,
    game: Game,
    battle: Battle,
    channel: discord.TextChannel | discord.Thread | None,
    table: int | None,
) -> tuple[Game, bool]:
    """Find the battle's running game, or start a game. Return the game, and whether it is new."""
    openings, threads = interaction.client.games.battle_openings, list[discord.Thread]()
    if (running := await openings.find_running_game(game, battle)) is not None:
        return running, False

    async def find_or_make_channel() -> int:
        if channel is not None:
            _require_writable_channel(interaction, channel)
            return channel.id
        if spare := interaction.client.spare_channels:
            return await openings.find_free_channel(spare)
        threads.append(await _make_battle_thread(interaction, game, battle))
        return threads[0].id

    place, actor = battle.at.label, actor_of(interaction)
    try:
        played = await openings.open(game, actor, place, find_or_make_channel, table=table, interaction=interaction.id)
    except BaseException as error:
        for thread in threads:
            with log_request_errors(log, "thread %s is empty, and could not be deleted", thread.id):
                await thread.delete()
        if isinstance(error, GameRunning) and (running := await openings.find_running_game(game, battle)) is not None:
            return running, False
        raise
    return played.game, True


async def add_to_battle_thread(bot: UmpireBot, battle_game: Game, users: Sequence[int]) -> None:
    """Add users to the battle's channel if it is a private thread."""
    channel = bot.get_channel(battle_game.channel)
    if channel is None or (isinstance(channel, discord.Thread) and channel.is_private()):
        for user in dict.fromkeys(users):
            await add_member(bot, battle_game.channel, user)


async def post_battle_opening(
    interaction: Interaction, campaign: Game, battle: Battle, battle_game: Game, users: Sequence[int], *, is_new: bool
) -> None:
    """Post the first message of the battle's game, mention the players, and start automatic play.

    If the game is not new, the message is posted only if an earlier attempt has not done so.
    """
    bot, context = interaction.client, BotChannel(interaction.client, battle_game.channel)
    name = safe(battle_name(campaign, battle))
    words = WORDS.format(battle=name, campaign=safe(campaign.name), channel=campaign.channel)
    silent = await bot.games.mentions.load_silent_users(campaign)
    call = TurnCall(users=tuple(user for user in users if user not in silent))
    picture = await pictures.draw_if_possible(pictures.draw_table(bot.workers, battle_game), battle_game)
    card = await asyncio.to_thread(opening_message.opening_card, battle_game, words, picture, call)
    message = await outbox.post(context, card, f"{battle_game.id} begins", None if is_new else battle_game.started)
    stale_buttons.set_live_message(bot, battle_game.id, battle_game.channel, message)
    automatic_play.start_automatic_play(context, battle_game)


async def _make_battle_thread(interaction: Interaction, game: Game, battle: Battle) -> discord.Thread:
    """Make a private thread of the campaign's channel. Raises UserError."""
    channel = find_text_channel(interaction.client, game)
    if channel is None:
        raise UserError(
            "The campaign's channel can have no private thread for the battle: only text channels of a server can. The "
            "umpire may open it in another one by the option channel: of /campaign fight. Nothing was changed."
        )
    require_thread_rights(channel, LACKS)
    try:
        return await make_thread(channel, f"{battle_name(game, battle)}: {game.name}")
    except REQUEST_ERRORS as error:
        log.warning("no thread for a battle of game %s: %s", game.id, error)
        raise UserError(REFUSED.format(why=getattr(error, "text", "") or str(error))) from None


def _require_writable_channel(interaction: Interaction, channel: discord.TextChannel | discord.Thread) -> None:
    """Raise UserError if the channel is in another server, or if the bot may not write in the channel."""
    if channel.guild.id != interaction.guild_id:
        raise UserError("That channel is not in this server. Nothing was changed.")
    permissions = channel.permissions_for(channel.guild.me)
    if not (permissions.view_channel and permissions.send_messages):
        where = channel.mention
        raise UserError(f"I may not write in {where}. Give me the right Send Messages there. Nothing was changed.")
