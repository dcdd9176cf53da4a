"""Messages about a campaign's battles: an open battle with its buttons, and the sentences about its outcome."""

import discord

from bot.campaigns.campaign_games import require_campaign
from bot.journal.game import Game
from bot.runtime.client import UmpireBot
from cogs.kit.cards.card import Button, Card, discord_link, make_button, safe
from rules.campaign.ground import board_of
from rules.campaign.model import Battle

OPEN, BOT, ENTER = "fight", "botfight", "fought"
"""Kinds of button: open the battle's game, let the bot fight it, and enter its result."""
BEGUN = "a battle has begun."
AGAIN = "the battle is open again."
LAST = "this is the last day on which you can fight the battle yourselves."
HOW = (
    "-# The umpire, and players with a column in the battle, may open it in a thread of its own. It has until the end "
    "of day {day}; then the bot plays for everyone who is still to act (CA-6.5)."
)

HOW_AGAIN = (
    "-# The umpire, and players with a column in the battle, may open it in a thread of its own. If it was fought "
    "there, `/game undo` there goes back into it. Without a game, it waits: the bot does not fight it by itself again."
)

TOO_MANY = "More battles were open than {most}, so the bot fought the smallest (CA-5.7). "
TIME_UP = "Its time was up, so the bot fought it (CA-6.5). "
ENTERED = "**The result is in the campaign {campaign}**, <#{channel}>: {headline} `/game undo` there takes it back."
DEFENDED = " Where neither side is broken the defender holds the field, and nobody where nobody defended (CA-6.4)."
NOT_ENTERED = (
    "**{battle}** is over in <#{channel}>, but its result cannot be entered by itself. Enter it by `/campaign result`."
)
NOT_FOUGHT = (
    "**{battle}** cannot be fought by the bot: `/campaign fight by:the bot` tells you why. Fight it, or enter its "
    "result by `/campaign result`."
)
"""Public message about a battle that the bot cannot fight. The reason is omitted, because it may name units."""
LAST_DAY_WORDS = (
    "this is the battle's last day. When day {day} ends, the bot plays for everyone who is still to act (CA-6.5)."
)
NEWCOMER = "your column is in this battle."
STANDS = "The result of this battle stands, and its game is closed."
SETTLED = (
    "This battle is no longer open in <#{channel}>: it got its result without this game, or its day was taken back. "
    "This game ends here, and does not count."
)
REOPENED = (
    "**The result was taken back in <#{channel}>**, and the battle is open again. `/game undo` here takes the end of "
    "the battle back, to play on."
)
TAKEN_OVER = "-# Only the umpire may use `/campaign result` and `/opponent side level:off`."


def battle_name(game: Game, battle: Battle) -> str:
    """Return a battle's name: `Battle in 2318 (El Teb)`."""
    return f"Battle in {board_of(require_campaign(game)).title(battle.at)}"


def battle_channel_link(bot: UmpireBot, battle_game: Game) -> str:
    """Return a link to the channel of a battle's game. On a local table, return a mention of the channel."""
    return f"<#{battle_game.channel}>" if bot.spare_channels else discord_link(battle_game.guild, battle_game.channel)


def battle_buttons(game: Game, battle: Battle, *, names_place: bool = False) -> list[Button]:
    """Return the three buttons of an open battle. With `names_place`, the labels name the battle's place."""
    place = f" ({board_of(require_campaign(game)).title(battle.at)})" if names_place else ""
    return [
        make_button(f"Fight it in a thread{place}", discord.ButtonStyle.primary, OPEN, game.id, battle.id),
        make_button(f"Bot fights both sides{place}", discord.ButtonStyle.secondary, BOT, game.id, battle.id),
        make_button(f"Enter the result{place}", discord.ButtonStyle.secondary, ENTER, game.id, battle.id),
    ]


def open_battle_card(game: Game, battle: Battle, silent: frozenset[int], words: str) -> Card:
    """Return the message about an open battle that has no game yet; `words` say why it is sent.

    It mentions all commanders except `silent` users. To mention only some would reveal whose columns fight.
    """
    day = battle.day + require_campaign(game).options.battle_days
    users = [seat.user for seat in game.seats if not seat.is_bot and seat.user not in silent]
    card = Card().text(f"### {safe(battle_name(game, battle))}\n-# {safe(game.name)}")
    card.mention(users, words).text(HOW_AGAIN if words == AGAIN else HOW.format(day=day))
    return card.buttons(battle_buttons(game, battle))
