"""Cache of games at their newest known entry. Recently used games are parsed, other games compressed.

A cached game stays correct until the game has a newer entry.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

from cachetools import LRUCache

from rules.core.state import State

from .codec import read_state
from .game import Game

MAX_PARSED_GAMES = 256
"""Maximum number of parsed games, 30 to 100 kB each: about the number of active channels."""
MAX_PACKED_GAMES = 2048
"""Maximum number of other games, stored with a compressed state of a few thousand bytes each."""


@dataclass(frozen=True)
class CachedGame:
    """A game with its compressed state. If the game is in the compressed part of the cache, `game.state` is None."""

    game: Game
    packed: bytes


class _LeastRecentlyUsedGames(LRUCache[str, CachedGame]):
    """Cached games by id. A full cache removes the least recently used game, and passes the game to `drop`."""

    def __init__(self, most: int, drop: Callable[[CachedGame], None]) -> None:
        super().__init__(most)
        self._drop = drop

    def popitem(self) -> tuple[str, CachedGame]:
        """Remove the least recently used game, and pass it to `drop`."""
        game_id, cached = super().popitem()
        self._drop(cached)
        return game_id, cached


class GameCache:
    """The games in the memory of this process, by game id. The running game of a channel is also found by channel."""

    def __init__(self, parsed: int = MAX_PARSED_GAMES, packed: int = MAX_PACKED_GAMES) -> None:
        self._parsed, self._packed = (
            _LeastRecentlyUsedGames(parsed, self._compress_game),
            _LeastRecentlyUsedGames(packed, self._forget_channel),
        )
        self._running: dict[int, str] = {}

    def put(self, game: Game, packed: bytes) -> None:
        """Store or replace a game. `packed` is the game's compressed state."""
        self._packed.pop(game.id, None)
        self._parsed[game.id] = CachedGame(game, packed)
        if game.ended is None:
            self._running[game.channel] = game.id
        elif self._running.get(game.channel) == game.id:
            del self._running[game.channel]

    def packed_state(self, game_id: str) -> bytes | None:
        """Return a game's compressed state, or None if the game is not in the cache."""
        cached = self._parsed.get(game_id) or self._packed.get(game_id)
        return cached.packed if cached is not None else None

    async def running_game(self, channel: int) -> Game | None:
        """Return the channel's running game from the cache, or None."""
        game_id = self._running.get(channel)
        return await self.get(game_id) if game_id is not None else None

    async def get(self, game_id: str) -> Game | None:
        """Return a game from the cache, or None. A compressed state is parsed in a thread."""
        if cached := self._parsed.get(game_id):
            return cached.game
        cached = self._packed.get(game_id)
        if cached is None:
            return None
        state = await asyncio.to_thread(read_state, cached.game.ruleset, cached.packed)
        game = replace(cached.game, state=state)
        if self._packed.get(game_id) is cached:
            self.put(game, cached.packed)
        return game

    def _compress_game(self, cached: CachedGame) -> None:
        """Move a game to the compressed part of the cache. Drop a game with a photograph, because it is too large."""
        if cached.game.photograph is not None:
            self._forget_channel(cached)
            return
        self._packed[cached.game.id] = CachedGame(replace(cached.game, state=cast(State, None)), cached.packed)

    def _forget_channel(self, cached: CachedGame) -> None:
        """Remove the channel of a dropped game from the cache."""
        if self._running.get(cached.game.channel) == cached.game.id:
            del self._running[cached.game.channel]
