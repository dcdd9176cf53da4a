"""What to do when something is done and Discord does not accept the answer: send it to the channel, or later.

What everyone may read is posted to the channel by the bot itself. What only the user may read, and what the channel
could not be told, is kept, and told with the next answer there.
"""

import logging
from datetime import datetime

import discord

from bot.channel.undelivered import EVERYONE, Notice
from bot.runtime.errors import DatabaseAway

from .cards.card import Card
from .interaction import Interaction, Unasked, Where, channel_of, room_of
from .refusals import UNSENT
from .sent_messages import find_sent

log = logging.getLogger(__name__)

LATE = "-# This was done {when} and could not be shown then. `/game log` has what was done since."


async def tell(interaction: Interaction, card: Card, *, private: bool) -> discord.Message | None:
    """Tells of something done whose answer was not taken. None where it has to wait for the next command there."""
    if not private:
        return await post(interaction, card, str(interaction.id))
    await _keep(interaction, card, str(interaction.id), interaction.user.id)
    return None


async def post(where: Where, card: Card, key: str, since: datetime | None = None) -> discord.Message | None:
    """Tell the channel, now or with the next answer there.

    `key`, at most 25 letters, names the content: Discord takes only one message with it, even from two processes. With
    `since`, a dead process may have sent the message after that moment, so it is searched for first. If the bot may not
    post in the channel, it sends a follow-up to the interaction there.
    """
    channel = where.client.get_partial_messageable(channel_of(where))
    if since is not None and (sent := await find_sent(where.client, channel.id, card, since)) is not None:
        return sent
    try:
        try:
            return await channel.send(view=card.view(), files=card.files(), nonce=key, allowed_mentions=card.mentions)
        except discord.Forbidden:
            if isinstance(where, Unasked) or room_of(where) is not None:
                raise
            return await where.followup.send(
                view=card.view(), files=card.files(), allowed_mentions=card.mentions, wait=True
            )
    except UNSENT as error:
        log.warning("channel %s could not be told of %s: %s", channel.id, key, error)
    await _keep(where, card, key, EVERYONE)
    return None


async def _keep(where: Where, card: Card, key: str, user: int) -> None:
    try:
        await where.client.untold.keep(key, channel_of(where), user, card.words)
    except DatabaseAway:
        log.warning("what channel %s was not told of %s could not be kept", where.channel_id, key)
    except Exception:
        log.exception("what channel %s was not told of %s could not be kept", where.channel_id, key)


async def deliver(interaction: Interaction) -> None:
    """After an answer: tells the channel, and the user alone, what they could not be told before."""
    in_channel = room_of(interaction) is None
    for user in (EVERYONE, interaction.user.id) if in_channel else (interaction.user.id,):
        try:
            async with interaction.client.untold.telling(channel_of(interaction), user) as notices:
                for notice in notices:
                    view = late(notice).view()
                    await interaction.followup.send(view=view, ephemeral=user != EVERYONE, wait=True)
        except UNSENT as error:
            log.warning("channel %s could still not be told what was done: %s", interaction.channel_id, error)
        except DatabaseAway:
            return
        except Exception:
            log.exception("channel %s: what was not told yet could not be read", interaction.channel_id)


def late(notice: Notice) -> Card:
    """Build the card of a late notice, with the time of the event."""
    return Card().text(notice.text).text(LATE.format(when=f"<t:{int(notice.at.timestamp())}:R>"))
