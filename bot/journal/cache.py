"""Games in memory, each in the state after its entry `seq`: recently used games parsed, more games compressed.

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

PARSED = 256
"""Maximum parsed games in memory, 30 to 100 kB each: about the number of active channels."""
PACKED = 2048
"""Number of further games with a compressed state, a few thousand bytes each."""


@dataclass(frozen=True)
class Held:
    """A game with its compressed state. In a compressed entry, the state of `game` is left out."""

    game: Game
    packed: bytes


class _Games(LRUCache[str, Held]):
    """Cached games by id. `drop` is called with each game that leaves the cache for lack of room."""

    def __init__(self, most: int, drop: Callable[[Held], None]) -> None:
        super().__init__(most)
        self._drop = drop

    def popitem(self) -> tuple[str, Held]:
        """Remove the least recently used game, and pass it to `drop`."""
        game_id, held = super().popitem()
        self._drop(held)
        return game_id, held


class HeldGames:
    """The games in this process's memory, by id, and the running game of each channel."""

    def __init__(self, parsed: int = PARSED, packed: int = PACKED) -> None:
        self._parsed, self._packed = _Games(parsed, self._pack), _Games(packed, self._forget)
        self._running: dict[int, str] = {}

    def hold(self, game: Game, packed: bytes) -> None:
        """Store the game in its present state; `packed` is its compressed state."""
        self._packed.pop(game.id, None)
        self._parsed[game.id] = Held(game, packed)
        if game.ended is None:
            self._running[game.channel] = game.id
        elif self._running.get(game.channel) == game.id:
            del self._running[game.channel]

    def packed(self, game_id: str) -> bytes | None:
        """Return the compressed state of a cached game, or None if the game is not in memory."""
        held = self._parsed.get(game_id) or self._packed.get(game_id)
        return held.packed if held is not None else None

    async def running(self, channel: int) -> Game | None:
        """Return the channel's running game as last known, or None."""
        game_id = self._running.get(channel)
        return await self.get(game_id) if game_id is not None else None

    async def get(self, game_id: str) -> Game | None:
        """Return the game as last known, or None. A compressed state is parsed in a thread."""
        if held := self._parsed.get(game_id):
            return held.game
        held = self._packed.get(game_id)
        if held is None:
            return None
        state = await asyncio.to_thread(read_state, held.game.ruleset, held.packed)
        game = replace(held.game, state=state)
        if self._packed.get(game_id) is held:
            self.hold(game, held.packed)
        return game

    def _pack(self, held: Held) -> None:
        """Store the game without its parsed state. A game with a photograph is dropped: the photograph is large."""
        if held.game.photograph is not None:
            self._forget(held)
            return
        self._packed[held.game.id] = Held(replace(held.game, state=cast(State, None)), held.packed)

    def _forget(self, dropped: Held) -> None:
        """Drop a game that left memory from the running games."""
        if self._running.get(dropped.game.channel) == dropped.game.id:
            del self._running[dropped.game.channel]
