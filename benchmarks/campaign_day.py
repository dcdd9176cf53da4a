"""A day of a campaign on a wide map: `python -m benchmarks.campaign_day [CAMPAIGNS]`.

Sixteen columns march over 600 hexes of random terrain by random orders. Prints the seconds of a day, alone and through
the game's service on SQLite, of a roll in another channel meanwhile, and the event loop's delay.
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
from rules.core.automaton.own_dice import SeededDice
from rules.core.dice import Dice
from rules.core.refusal import Refused
from rules.core.ruleset import Ruleset
from rules.magdala.ruleset import Magdala
from tests.databases import sqlite_url

COLUMNS, ROWS, A_POWER = 30, 20, 8
CAMPAIGNS = 10
MAX_SECONDS = 0.2
"""Maximum seconds for a day."""
UMPIRE = Actor(1, "Anna")
WAR, OTHER = 1, 2
"""Channels."""
TICK = 0.001


def create_wide_campaign(seed: int) -> CampaignState:
    """Return a campaign of sixteen columns on 600 hexes."""
    return random_country(seed, COLUMNS, ROWS, A_POWER)


class WideCampaign(Campaign):
    """Campaigns on wide maps."""

    @override
    def setup(self, scenario: str, choices: Mapping[str, str], dice: Dice) -> CampaignState:
        """Return a wide campaign in place of a scenario."""
        return create_wide_campaign(len(scenario))


def work_out_days(campaigns: int) -> Sequence[float]:
    """Return the seconds of processor time of each day of several campaigns."""
    seconds = []
    for seed in range(campaigns):
        state, chance, dice = create_wide_campaign(seed), random.Random(seed), SeededDice(str(seed))
        while state.over is None and not state.waits_for_battles:
            state = with_orders(state, chance)
            start = time.thread_time()
            state = next_day(state, dice)
            seconds.append(time.thread_time() - start)
    return seconds


async def measure_service(games: Games) -> tuple[float, float, float, float]:
    """Return seconds: of a roll before, a day's end, a roll meanwhile, and the longest block of the event loop."""
    chance = random.Random(1)
    game = await games.starter.start(WAR, None, UMPIRE, "campaign", "suakin-1884")
    for column in game.game.state.units.values():
        to = f"{chance.randrange(COLUMNS):02}{chance.randrange(ROWS):02}"
        with suppress(Refused):  # no way leads there
            await games.actions.act_by_kind(WAR, UMPIRE, "move", {"unit": column.id, "to": to}, interaction=0)
    await games.starter.start(OTHER, None, UMPIRE, "magdala", "suakin-1885")
    before = await measure_seconds(games.rolls.roll(OTHER, UMPIRE, "2d6", "before", interaction=11))
    delays: list[float] = []
    ticking = asyncio.create_task(record_delays(delays))
    day = asyncio.create_task(measure_seconds(games.actions.act_by_kind(WAR, UMPIRE, "turn_next", {}, interaction=12)))
    await asyncio.sleep(TICK)
    meanwhile = await measure_seconds(games.rolls.roll(OTHER, UMPIRE, "2d6", "meanwhile", interaction=13))
    seconds = await day
    ticking.cancel()
    return before, seconds, meanwhile, max(delays)


async def measure_seconds(work: Awaitable[object]) -> float:
    """Await the work and return its seconds."""
    start = time.perf_counter()
    await work
    return time.perf_counter() - start


async def record_delays(delays: list[float]) -> None:
    """Record repeatedly how late the event loop resumes."""
    while True:
        start = time.perf_counter()
        await asyncio.sleep(TICK)
        delays.append(time.perf_counter() - start - TICK)


async def run_service_rounds(rounds: int) -> Sequence[tuple[float, float, float, float]]:
    """Return the results of `ask` for several rounds, each with a new database."""
    results = []
    systems: Mapping[str, Ruleset[Any]] = {"campaign": WideCampaign(), "magdala": Magdala()}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            store = Store(sqlite_url(Path(folder) / "umpire.db"))
            await store.open()
            results.append(await measure_service(Games(store, systems)))
            await store.close()
    return results


def main() -> None:
    """Measure and print; fail if a day takes longer than it may."""
    campaigns = int(sys.argv[1]) if len(sys.argv) > 1 else CAMPAIGNS
    seconds = sorted(work_out_days(campaigns))
    print(
        f"a day of {2 * A_POWER} columns on {COLUMNS * ROWS} hexes, {len(seconds)} days, milliseconds of processor time"
    )
    slowest = seconds[len(seconds) * 99 // 100]
    print(f"  worked out: median {to_ms(statistics.median(seconds))}, of a hundred the slowest {to_ms(slowest)}")
    rows = [statistics.median(column) for column in zip(*asyncio.run(run_service_rounds(5)), strict=True)]
    print("through the service, milliseconds")
    words = ("roll in another channel before", "day's end until stored", "roll meanwhile", "longest hold of the loop")
    for word, value in zip(words, rows, strict=True):
        print(f"  {word}: {to_ms(value)}")
    assert statistics.median(seconds) < MAX_SECONDS, "a day takes too long"
    assert rows[1] < MAX_SECONDS, "a day's end takes too long"


def to_ms(value: float) -> str:
    """Return seconds as milliseconds."""
    return f"{value * 1000:.1f}"


if __name__ == "__main__":
    main()
