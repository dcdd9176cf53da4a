"""Cache the newest messages of games, so that they can be edited without a request to Discord."""

import asyncio
from weakref import WeakValueDictionary

import discord
from cachetools import LRUCache

MOST = 256
"""Number of messages in the cache."""
TAKING_OFF = "older buttons"
"""First words in the name of a task that removes buttons from a message."""


class Sent:
    """The messages that show a game's next step, as Discord returned them when they were sent or edited."""

    def __init__(self, most: int = MOST) -> None:
        self._messages: LRUCache[int, discord.Message] = LRUCache(most)
        self._changed: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def of(self, message: int) -> discord.Message | None:
        """Return the cached message in its current form, or None."""
        return self._messages.get(message)

    def keep(self, message: discord.Message) -> None:
        """Store the message in its present form."""
        self._messages[message.id] = message

    def forget(self, message: int) -> None:
        """Drop the message: its form is no longer known, or no longer needed."""
        self._messages.pop(message, None)

    def changing(self, message: int) -> asyncio.Lock:
        """Return the message's lock. Hold it during an edit: a second edit then starts from the result of the first."""
        return self._changed.setdefault(message, asyncio.Lock())
