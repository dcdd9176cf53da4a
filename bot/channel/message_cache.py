"""The messages of games as they stand now, so that they can be changed without being asked for again."""

import asyncio
from collections import OrderedDict
from weakref import WeakValueDictionary

import discord

MOST = 256
"""Messages remembered."""
TAKING_OFF = "older buttons"
"""Begins the name of a task that takes buttons off a message."""


class Sent:
    """What this process knows of messages that have a game's next step: as Discord said when it took them."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._messages: OrderedDict[int, discord.Message] = OrderedDict()
        self._changed: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def of(self, message: int) -> discord.Message | None:
        """The message as it stands, where that is known."""
        return self._messages.get(message)

    def keep(self, message: discord.Message) -> None:
        """The message stands so now."""
        self._messages.pop(message.id, None)
        self._messages[message.id] = message
        while len(self._messages) > self._most:
            self._messages.popitem(last=False)

    def forget(self, message: int) -> None:
        """The message changes in a way not followed here, or need not be changed any more."""
        self._messages.pop(message, None)

    def changing(self, message: int) -> asyncio.Lock:
        """Held while the message is changed: of two changes the later is made of what the earlier left."""
        return self._changed.setdefault(message, asyncio.Lock())
