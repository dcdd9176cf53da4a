"""Plays one real game by the rules and the program that are on the path, and keeps its database and its export.

Run by `make.py` with the code of any version, so it asks for nothing but what every version has. Knows no rule system.
"""

import asyncio
import gzip
import json
import random
import sqlite3
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bot.journal.game import Actor, Game
from bot.services import Games
from bot.store import Store
from rules.core.ruleset import Refused, Ruleset
from rules.core.state import Action
from rules.registry import rulesets
from tests.readings import export_latest

CHANNEL = 77
UMPIRES, ONLOOKER = Actor(1, "Anna"), Actor(9, "Dora")
PLAYERS = (Actor(2, "Ben"), Actor(3, "Carl"))
LOOKED_AT = 12
"""Legal actions of a kind looked at, before one is taken."""
INTERLUDE, AT_ONCE = 14, 2
"""In so many things done, so many that are not of the rules: rolls, undoing and putting back, coming and going."""


TOWARDS = "towards"
"""The word for moves that bring the sides together: they are made first."""
PASSING = 0.3
"""How often the turn is passed on though units could still act."""


class Player:
    """Plays a game at random, kinds of action not yet seen first."""

    def __init__(self, games: Games, system: Ruleset[Any], seed: int, *, last_interaction: int = 1000) -> None:
        self._games = games
        self._system = system
        self._chance = random.Random(seed)
        self._interaction = last_interaction
        self.kinds: Counter[str] = Counter()

    async def game(self) -> Game:
        """The game as it stands."""
        return await self._games.running(CHANNEL)

    def _next(self) -> int:
        self._interaction += 1
        return self._interaction

    async def act(self) -> None:
        """One action: what the system does by itself, what is owed, or something that a side may do."""
        game = await self.game()
        if self._system.next_by_itself(game.state) is not None:
            await self._games.actions.act_automatically(CHANNEL, UMPIRES)
            return
        for action in self._wanted(game):
            try:
                await self._games.actions.act(CHANNEL, UMPIRES, action, interaction=self._next())
            except Refused:
                continue
            self.kinds[action.kind] += 1
            return
        raise AssertionError(f"nobody may do anything in {game.name}")

    def _wanted(self, game: Game) -> Iterator[Action]:
        state = game.state
        owing = [offer for prompt in self._system.prompts(state) for offer in prompt.offers]
        if owing and self._chance.random() < 0.6:
            offer = self._chance.choice(owing)
            yield self._system.parse(offer.kind, offer.args)
        kinds = [kind for kind, action in self._system.actions.items() if not action.umpire_only]
        self._chance.shuffle(kinds)
        passing = self._chance.random() < PASSING
        kinds.sort(key=lambda kind: (kind == "turn_next" and not passing, self.kinds[kind]))
        for kind in kinds:
            for side in self._chance.sample([side.id for side in state.sides], len(state.sides)):
                found = list(islice(self._system.legal(state, side, kind), LOOKED_AT))
                self._chance.shuffle(found)
                found.sort(key=lambda action: TOWARDS not in str(getattr(action, "to", "")))
                yield from found
        yield from (self._system.parse(offer.kind, offer.args) for offer in owing)

    async def interlude(self, number: int) -> None:
        """Something that is not of the rules, each kind in its turn."""
        games, head = self._games, (await self.game()).seq
        things: tuple[Callable[[], Awaitable[Any]], ...] = (
            lambda: games.undo.take_back(CHANNEL, UMPIRES, 2, progress=str(head)),
            lambda: games.undo.put_back(CHANNEL, UMPIRES, progress=str(head)),
            lambda: games.rolls.roll(CHANNEL, ONLOOKER, "2d6", "the weather", interaction=self._next()),
            lambda: games.rolls.roll(CHANNEL, PLAYERS[0], "d6", "an ambush", secret=True, interaction=self._next()),
            lambda: games.seats.leave(CHANNEL, PLAYERS[0]),
            lambda: games.seats.join(CHANNEL, PLAYERS[0], self._side),
            lambda: games.undo.take_back(CHANNEL, UMPIRES, 1, progress=str(head)),
            lambda: games.dice_seeds.reveal(CHANNEL, UMPIRES),
        )
        await things[number % len(things)]()

    async def sit_down(self) -> None:
        """Takes the players' seats, a side each while there are sides left to play."""
        game = await self.game()
        for actor, side in zip(PLAYERS, game.open_sides, strict=False):
            await self._games.seats.join(CHANNEL, actor, side.id)
        self._side = game.open_sides[0].id

    async def umpires_words(self) -> None:
        """All that the umpire may say, as far as this system has it."""
        game = await self.game()
        units, side = list(game.state.units), game.open_sides[0].id
        option = next(iter(self._system.option_fields))
        value = getattr(game.state.options, option)
        words: list[tuple[str, dict[str, Any]]] = [
            ("set", {"unit": units[0], "field": "name", "value": "The Old Guard"}),
            ("option", {"name": option, "value": str(getattr(value, "value", value))}),
            *(("secret", {"unit": units[1], "field": name, "value": "1"}) for name in self._system.secrets),
            ("reveal", {"unit": units[1]}),
            ("add_unit", {"troop": next(iter(self._system.troops)), "side": side, "name": "Latecomers"}),
            ("remove_unit", {"unit": units[-1]}),
        ]
        for kind, args in words:
            try:
                await self._games.actions.command(CHANNEL, UMPIRES, kind, args, interaction=self._next())
                self.kinds[kind] += 1
            except Refused as refused:
                print(f"  {kind}: {refused}")


async def not_over(games: Games, player: Player) -> None:
    """Takes the last actions back where they have ended the game."""
    if (await player.game()).state.over is not None:
        await games.undo.take_back(CHANNEL, UMPIRES, 5, progress=str((await player.game()).seq))


async def play_game(database: Path, ruleset: str, scenario: str, seed: int, actions: int) -> bytes:
    """Plays so many actions of a game that is not over then, and gives its export as the umpire has it."""
    store, systems = Store(f"sqlite+aiosqlite:///{database}"), rulesets()
    await store.open()
    games = Games(store, systems)
    await games.starter.start(
        CHANNEL, 5, UMPIRES, ruleset, scenario, name=f"A game of {ruleset.replace('_', ' ')}", interaction=1000
    )
    player = Player(games, systems[ruleset], seed)
    await player.sit_down()
    for number in range(actions):
        await not_over(games, player)
        if number % INTERLUDE < AT_ONCE and number >= INTERLUDE:
            await player.interlude(number // INTERLUDE * AT_ONCE + number % INTERLUDE)
            continue
        if number == actions // 2:
            await player.umpires_words()
        await player.act()
    await not_over(games, player)
    told = await export_latest(games, CHANNEL, UMPIRES)
    print(f"{ruleset}, {scenario}: {(await player.game()).seq} entries; {dict(player.kinds)}")
    await store.close()
    return told


def keep(file: Path, content: bytes) -> None:
    """Writes it packed, the same for the same content."""
    file.write_bytes(gzip.compress(content, mtime=0))


def main(ruleset: str, scenario: str, name: str, directory: Path, seed: int, actions: int) -> None:
    """Plays the game and writes `name.db.gz`, `name.json.gz` and `name.shape.json`."""
    with TemporaryDirectory() as temporary:
        database = Path(temporary) / "umpire.db"
        told = asyncio.run(play_game(database, ruleset, scenario, seed, actions))
        keep(directory / f"{name}.db.gz", _whole(database))
    keep(directory / f"{name}.json.gz", told)
    from shape import shape  # it lies beside this file, and is not of the code that plays

    shown = json.dumps(shape(rulesets()[ruleset]), indent=0, sort_keys=True, ensure_ascii=False)
    (directory / f"{name}.shape.json").write_text(f"{shown}\n", encoding="utf-8")


def _whole(database: Path) -> bytes:
    """The database in one file, with nothing left in its journal."""
    with TemporaryDirectory() as temporary:
        whole = Path(temporary) / "whole.db"
        connection = sqlite3.connect(database)
        connection.execute("VACUUM INTO ?", (str(whole),))
        connection.close()
        return whole.read_bytes()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]), int(sys.argv[5]), int(sys.argv[6]))
