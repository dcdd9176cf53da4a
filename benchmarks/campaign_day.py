"""A day of a campaign on a wide map: `python -m benchmarks.campaign_day [CAMPAIGNS]`.

Sixteen columns march over 600 hexes of random ground by random orders. Prints how long a day takes to work out, alone
and through the game's service on SQLite, how long a roll in another channel takes meanwhile, and how late the event
loop answers.
"""

import asyncio
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from typing_extensions import override

from bot.journal.game import Actor
from bot.services import Games
from bot.store import Store
from rules.campaign.model import CampaignState
from rules.campaign.ruleset import Campaign
from rules.campaign.tests.random_days import next_day, random_country, with_orders
from rules.core.automaton.own_dice import OwnDice
from rules.core.dice import Dice
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.magdala.ruleset import Magdala
from tests.databases import sqlite_url

COLUMNS, ROWS, A_POWER = 30, 20, 8
CAMPAIGNS = 10
MOST = 0.2
"""Seconds that a day may take."""
UMPIRE = Actor(1, "Anna")
WAR, OTHER = 1, 2
"""Channels."""
TICK = 0.001


def wide_country(seed: int) -> CampaignState:
    """Return a campaign of sixteen columns on 600 hexes."""
    return random_country(seed, COLUMNS, ROWS, A_POWER)


class WideCampaign(Campaign):
    """Campaigns on wide maps."""

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> CampaignState:
        """Return a wide campaign in place of a scenario."""
        return wide_country(len(scenario))


def work_out_days(campaigns: int) -> Sequence[float]:
    """Return the seconds of processor time of each day of several campaigns."""
    took = []
    for seed in range(campaigns):
        state, chance, dice = wide_country(seed), random.Random(seed), OwnDice(str(seed))
        while state.over is None and not state.waits_for_battles:
            state = with_orders(state, chance)
            begun = time.thread_time()
            state = next_day(state, dice)
            took.append(time.thread_time() - begun)
    return took


async def ask(games: Games) -> tuple[float, float, float, float]:
    """Return the seconds of a roll before, of a day's end, of a roll meanwhile, and of the longest hold of the loop."""
    chance = random.Random(1)
    game = await games.starter.start(WAR, None, UMPIRE, "campaign", "suakin-1884")
    for column in game.game.state.units.values():
        to = f"{chance.randrange(COLUMNS):02}{chance.randrange(ROWS):02}"
        with suppress(Refused):  # no way leads there
            await games.actions.command(WAR, UMPIRE, "move", {"unit": column.id, "to": to}, interaction=0)
    await games.starter.start(OTHER, None, UMPIRE, "magdala", "suakin-1885")
    before = await seconds(games.rolls.roll(OTHER, UMPIRE, "2d6", "before", interaction=11))
    holds: list[float] = []
    ticking = asyncio.create_task(tick(holds))
    day = asyncio.create_task(seconds(games.actions.command(WAR, UMPIRE, "turn_next", {}, interaction=12)))
    await asyncio.sleep(TICK)
    meanwhile = await seconds(games.rolls.roll(OTHER, UMPIRE, "2d6", "meanwhile", interaction=13))
    took = await day
    ticking.cancel()
    return before, took, meanwhile, max(holds)


async def seconds(work: Awaitable[object]) -> float:
    """Await some work; return its seconds."""
    begun = time.perf_counter()
    await work
    return time.perf_counter() - begun


async def tick(holds: list[float]) -> None:
    """Note how late the event loop comes back, again and again."""
    while True:
        begun = time.perf_counter()
        await asyncio.sleep(TICK)
        holds.append(time.perf_counter() - begun - TICK)


async def through_the_service(rounds: int) -> Sequence[tuple[float, float, float, float]]:
    """Return what `ask` finds, several times, each in a database of its own."""
    found = []
    systems: Mapping[str, Ruleset[Any]] = {"campaign": WideCampaign(), "magdala": Magdala()}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            store = Store(sqlite_url(Path(folder) / "umpire.db"))
            await store.open()
            found.append(await ask(Games(store, systems)))
            await store.close()
    return found


def main() -> None:
    """Measure and print; fail if a day takes longer than it may."""
    campaigns = int(sys.argv[1]) if len(sys.argv) > 1 else CAMPAIGNS
    took = sorted(work_out_days(campaigns))
    print(f"a day of {2 * A_POWER} columns on {COLUMNS * ROWS} hexes, {len(took)} days, milliseconds of processor time")
    slowest = took[len(took) * 99 // 100]
    print(f"  worked out: median {ms(statistics.median(took))}, of a hundred the slowest {ms(slowest)}")
    rows = [statistics.median(column) for column in zip(*asyncio.run(through_the_service(5)), strict=True)]
    print("through the service, milliseconds")
    words = ("roll in another channel before", "day's end until stored", "roll meanwhile", "longest hold of the loop")
    for word, value in zip(words, rows, strict=True):
        print(f"  {word}: {ms(value)}")
    assert statistics.median(took) < MOST, "a day takes too long"
    assert rows[1] < MOST, "a day's end takes too long"


def ms(value: float) -> str:
    """Return seconds as milliseconds."""
    return f"{value * 1000:.1f}"


if __name__ == "__main__":
    main()
