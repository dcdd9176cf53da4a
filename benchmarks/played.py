"""Games for benchmarks: played through the bot's services, and copied between channels in the database."""

import random
from itertools import count

from sqlalchemy import Connection, inspect, text

from bot.journal.game import Actor
from bot.services import Games
from bot.store import Store
from rules.registry import rulesets
from tests.fuzz import choose_random_action
from tests.wire.world import GORDON

UMPIRE = Actor(GORDON.id, GORDON.name)
GAME_TABLES = {"games": "id", "seats": "game", "seeds": "game", "entries": "game"}
"""Tables of a game with the column of the game's id."""


async def play_game(url: str, channel: int, system: str, scenario: str, entries: int) -> str:
    """Play a game of `entries` entries with random legal actions, then rolls. Return its id."""
    store = Store(url)
    await store.open()
    games, chance, press = Games(store, rulesets()), random.Random(1), count(1)
    played = await games.starter.start(channel, None, UMPIRE, system, scenario, interaction=next(press))
    game, acts = played.game, True
    while game.seq < entries:
        acts = acts and game.state.over is None
        if acts:
            action = choose_random_action(game.ruleset, game.state, chance, 0.05)
            game = (await games.actions.act(channel, UMPIRE, action, interaction=next(press))).game
        else:
            await games.rolls.roll(channel, UMPIRE, "8d6>=5", "Royal Marines fire", interaction=next(press))
            game = await games.running_game(channel)
    await games.wait_for_changes()
    await store.close()
    return game.id


async def copy_game(url: str, game: str, channels: range) -> None:
    """Copy the game into each channel."""
    store = Store(url)
    async with store._engine.begin() as connection:
        await connection.run_sync(_copy, game, channels)
    await store.close()


def _copy(connection: Connection, game: str, channels: range) -> None:
    columns = {table: [column["name"] for column in inspect(connection).get_columns(table)] for table in GAME_TABLES}
    for channel in channels:
        new = {"id": f"{channel:016x}"[-16:], "game": f"{channel:016x}"[-16:], "channel": channel}
        for table, key in GAME_TABLES.items():
            names = ", ".join(f'"{name}"' for name in columns[table])
            values = ", ".join(f":{name}" if name in (key, "channel") else f'"{name}"' for name in columns[table])
            replaced = {name: new[name] for name in columns[table] if name in (key, "channel")}
            copied = text(f'INSERT INTO {table} ({names}) SELECT {values} FROM {table} WHERE "{key}" = :old')
            connection.execute(copied, {**replaced, "old": game})
