"""Cache the newest messages of games. A cached message can be edited without first requesting it from Discord."""

import asyncio
from weakref import WeakValueDictionary

import discord
from cachetools import LRUCache

MOST_MESSAGES = 256
"""Number of messages in the cache."""
REMOVAL_TASK = "older buttons"
"""Prefix of the names of asyncio tasks that remove buttons from a message."""


class MessageCache:
    """Cache of messages that show a game's next step, as last received from Discord."""

    def __init__(self, most: int = MOST_MESSAGES) -> None:
        self._messages: LRUCache[int, discord.Message] = LRUCache(most)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def get(self, message: int) -> discord.Message | None:
        """Return the cached form of the message, or None."""
        return self._messages.get(message)

    def store(self, message: discord.Message) -> None:
        """Cache the message in its current form."""
        self._messages[message.id] = message

    def forget(self, message: int) -> None:
        """Remove the message from the cache."""
        self._messages.pop(message, None)

    def edit_lock(self, message: int) -> asyncio.Lock:
        """Return the lock that edits of the message hold, one at a time.

        Each edit thus starts from the message as the last edit left it.
        """
        return self._locks.setdefault(message, asyncio.Lock())
