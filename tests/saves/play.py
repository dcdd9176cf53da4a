"""Plays one real game with the code on the path, and stores its database and export.

`make.py` runs this file with the code of any version. So it uses only features of every version, and no rule system.
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
EXAMINED = 12
"""Legal actions of a kind to examine before one is chosen."""
CYCLE, INTERLUDES = 14, 2
"""Length of a cycle of actions, and the number of interludes in it: rolls, undo, redo, leaving, joining."""
TOWARDS = "towards"
"""Word in the moves that bring the sides together; these moves come first."""
PASS = 0.3
"""Probability of ending the turn although units could act."""


class Player:
    """A random player who prefers rare kinds of action."""

    def __init__(self, games: Games, system: Ruleset[Any], seed: int, *, last_interaction: int = 1000) -> None:
        self._games = games
        self._system = system
        self._chance = random.Random(seed)
        self._interaction = last_interaction
        self.kinds: Counter[str] = Counter()

    async def load_game(self) -> Game:
        """Return the current game."""
        return await self._games.running_game(CHANNEL)

    def _next_interaction(self) -> int:
        self._interaction += 1
        return self._interaction

    async def act(self) -> None:
        """Execute one action: an automatic action, a required answer, or an action of a side."""
        game = await self.load_game()
        if self._system.next_automatic_action(game.state) is not None:
            await self._games.actions.perform_automatic_action(CHANNEL, UMPIRES)
            return
        for action in self._suggest_actions(game):
            try:
                await self._games.actions.act(CHANNEL, UMPIRES, action, interaction=self._next_interaction())
            except Refused:
                continue
            self.kinds[action.kind] += 1
            return
        raise AssertionError(f"no action is allowed in {game.name}")

    def _suggest_actions(self, game: Game) -> Iterator[Action]:
        state = game.state
        required = [offer for prompt in self._system.prompts(state) for offer in prompt.offers]
        if required and self._chance.random() < 0.6:
            offer = self._chance.choice(required)
            yield self._system.parse(offer.kind, offer.args)
        kinds = [kind for kind, action in self._system.actions.items() if not action.umpire_only]
        self._chance.shuffle(kinds)
        passing = self._chance.random() < PASS
        kinds.sort(key=lambda kind: (kind == "turn_next" and not passing, self.kinds[kind]))
        for kind in kinds:
            for side in self._chance.sample([side.id for side in state.sides], len(state.sides)):
                actions = list(islice(self._system.legal_actions(state, side, kind), EXAMINED))
                self._chance.shuffle(actions)
                actions.sort(key=lambda action: TOWARDS not in str(getattr(action, "to", "")))
                yield from actions
        yield from (self._system.parse(offer.kind, offer.args) for offer in required)

    async def play_interlude(self, number: int) -> None:
        """Execute an operation outside the rules, each kind in turn."""
        games, head = self._games, (await self.load_game()).seq
        operations: tuple[Callable[[], Awaitable[Any]], ...] = (
            lambda: games.undo.undo_actions(CHANNEL, UMPIRES, 2, progress=str(head)),
            lambda: games.undo.redo_action(CHANNEL, UMPIRES, progress=str(head)),
            lambda: games.rolls.roll(CHANNEL, ONLOOKER, "2d6", "the weather", interaction=self._next_interaction()),
            lambda: games.rolls.roll(
                CHANNEL, PLAYERS[0], "d6", "an ambush", secret=True, interaction=self._next_interaction()
            ),
            lambda: games.seats.leave(CHANNEL, PLAYERS[0]),
            lambda: games.seats.join(CHANNEL, PLAYERS[0], self._side),
            lambda: games.undo.undo_actions(CHANNEL, UMPIRES, 1, progress=str(head)),
            lambda: games.dice_seeds.reveal_seed(CHANNEL, UMPIRES),
        )
        await operations[number % len(operations)]()

    async def take_seats(self) -> None:
        """Seat each player on an open side, if there are enough sides."""
        game = await self.load_game()
        for actor, side in zip(PLAYERS, game.open_sides, strict=False):
            await self._games.seats.join(CHANNEL, actor, side.id)
        self._side = game.open_sides[0].id

    async def give_umpire_commands(self) -> None:
        """Execute every kind of umpire's command that the system has. Print refusals."""
        game = await self.load_game()
        units, side = list(game.state.units), game.open_sides[0].id
        option = next(iter(self._system.option_fields))
        value = getattr(game.state.options, option)
        words: list[tuple[str, dict[str, Any]]] = [
            ("set", {"unit": units[0], "field": "name", "value": "The Old Guard"}),
            ("option", {"name": option, "value": str(getattr(value, "value", value))}),
            *(("secret", {"unit": units[1], "field": name, "value": "1"}) for name in self._system.secret_fields),
            ("reveal", {"unit": units[1]}),
            ("add_unit", {"troop": next(iter(self._system.troops)), "side": side, "name": "Latecomers"}),
            ("remove_unit", {"unit": units[-1]}),
        ]
        for kind, args in words:
            try:
                await self._games.actions.act_by_kind(
                    CHANNEL, UMPIRES, kind, args, interaction=self._next_interaction()
                )
                self.kinds[kind] += 1
            except Refused as refused:
                print(f"  {kind}: {refused}")


async def undo_end(games: Games, player: Player) -> None:
    """Undo the last actions if they ended the game."""
    if (await player.load_game()).state.over is not None:
        await games.undo.undo_actions(CHANNEL, UMPIRES, 5, progress=str((await player.load_game()).seq))


async def play_game(database: Path, ruleset: str, scenario: str, seed: int, actions: int) -> bytes:
    """Play a game of `actions` actions that does not end; return the umpire's export."""
    store, systems = Store(f"sqlite+aiosqlite:///{database}"), rulesets()
    await store.open()
    games = Games(store, systems)
    await games.starter.start(
        CHANNEL, 5, UMPIRES, ruleset, scenario, name=f"A game of {ruleset.replace('_', ' ')}", interaction=1000
    )
    player = Player(games, systems[ruleset], seed)
    await player.take_seats()
    for number in range(actions):
        await undo_end(games, player)
        if number % CYCLE < INTERLUDES and number >= CYCLE:
            await player.play_interlude(number // CYCLE * INTERLUDES + number % CYCLE)
            continue
        if number == actions // 2:
            await player.give_umpire_commands()
        await player.act()
    await undo_end(games, player)
    export = await export_latest(games, CHANNEL, UMPIRES)
    print(f"{ruleset}, {scenario}: {(await player.load_game()).seq} entries; {dict(player.kinds)}")
    await store.close()
    return export


def write_compressed(file: Path, content: bytes) -> None:
    """Write the content compressed. Equal content gives an equal file."""
    file.write_bytes(gzip.compress(content, mtime=0))


def main(ruleset: str, scenario: str, name: str, directory: Path, seed: int, actions: int) -> None:
    """Play the game; write `name.db.gz`, `name.json.gz` and `name.shape.json`."""
    with TemporaryDirectory() as temporary:
        database = Path(temporary) / "umpire.db"
        export = asyncio.run(play_game(database, ruleset, scenario, seed, actions))
        write_compressed(directory / f"{name}.db.gz", _read_database(database))
    write_compressed(directory / f"{name}.json.gz", export)
    from shape import describe_shape  # beside this file, not in the code that plays

    text = json.dumps(describe_shape(rulesets()[ruleset]), indent=0, sort_keys=True, ensure_ascii=False)
    (directory / f"{name}.shape.json").write_text(f"{text}\n", encoding="utf-8")


def _read_database(database: Path) -> bytes:
    """Return the database as a single file, without a write-ahead log."""
    with TemporaryDirectory() as temporary:
        copy = Path(temporary) / "whole.db"
        connection = sqlite3.connect(database)
        connection.execute("VACUUM INTO ?", (str(copy),))
        connection.close()
        return copy.read_bytes()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3], Path(sys.argv[4]), int(sys.argv[5]), int(sys.argv[6]))
