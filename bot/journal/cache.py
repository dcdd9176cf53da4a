"""Games in memory, each as it stood at its entry `seq`: those used last parsed, more of them packed.

What is held changes only with an entry, so it is right as long as the game has no newer one.
"""

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import cast

from rules.core.state import State

from .codec import read_state
from .game import Game

PARSED = 256
"""Games held ready for use, some 30 to 100 kB each: as many channels as may be asked in at the same time."""
PACKED = 2048
"""Games held besides with their state compressed, a few thousand bytes each."""


@dataclass(frozen=True)
class Held:
    """A game with its state packed; in `game` it is left out where only that is held."""

    game: Game
    packed: bytes


class HeldGames:
    """The games of this process's memory, by id, and which of them runs in a channel."""

    def __init__(self, parsed: int = PARSED, packed: int = PACKED) -> None:
        self._most_parsed, self._most_packed = parsed, packed
        self._parsed: OrderedDict[str, Held] = OrderedDict()
        self._packed: OrderedDict[str, Held] = OrderedDict()
        self._running: dict[int, str] = {}

    def hold(self, game: Game, packed: bytes) -> None:
        """Holds the game as it stands now, `packed` being its state."""
        self._packed.pop(game.id, None)
        self._parsed[game.id] = Held(game, packed)
        self._parsed.move_to_end(game.id)
        if game.ended is None:
            self._running[game.channel] = game.id
        elif self._running.get(game.channel) == game.id:
            del self._running[game.channel]
        while len(self._parsed) > self._most_parsed:
            self._pack(*self._parsed.popitem(last=False))

    def packed(self, game_id: str) -> bytes | None:
        """The packed state of a game that is held."""
        held = self._parsed.get(game_id) or self._packed.get(game_id)
        return held.packed if held is not None else None

    async def running(self, channel: int) -> Game | None:
        """The game that ran in the channel when it was last looked at."""
        game_id = self._running.get(channel)
        return await self.get(game_id) if game_id is not None else None

    async def get(self, game_id: str) -> Game | None:
        """The game as it was last known. A packed state is read off the event loop."""
        if held := self._parsed.get(game_id):
            self._parsed.move_to_end(game_id)
            return held.game
        held = self._packed.get(game_id)
        if held is None:
            return None
        state = await asyncio.to_thread(read_state, held.game.ruleset, held.packed)
        game = replace(held.game, state=state)
        if self._packed.get(game_id) is held:
            self.hold(game, held.packed)
        return game

    def _pack(self, game_id: str, held: Held) -> None:
        """Holds it packed from now on; one with a photograph, which is large, not at all."""
        if held.game.photograph is not None:
            self._forget(held)
            return
        self._packed[game_id] = Held(replace(held.game, state=cast(State, None)), held.packed)
        while len(self._packed) > self._most_packed:
            self._forget(self._packed.popitem(last=False)[1])

    def _forget(self, dropped: Held) -> None:
        if self._running.get(dropped.game.channel) == dropped.game.id:
            del self._running[dropped.game.channel]
