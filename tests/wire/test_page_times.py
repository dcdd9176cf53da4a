"""Answers to a page take as long after a hidden action as after a pause."""

import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pytest

from rules.core.sealed_dice import SealedDice
from rules.registry import rulesets
from tests.fuzz import get_daily_seed
from tests.hidden_tables import SYSTEMS
from tests.ranks import rank_test
from tests.test_page_times import PAIRS, SIGNIFICANCE

from .conftest import run_process
from .loopback import Loopback
from .page import Page, ask_for_key, find_free_port, make_map_settings
from .process import Process
from .waiting import pause
from .world import CHANNELS, GORDON, KITCHENER

TABLE = CHANNELS[0]
REST = 0.4
"""Seconds after which all work of a command is finished."""
PAGES = 4
"""Sessions that send requests in turn, because of the rate limit per session."""


def list_requests(page: Page, unit: str) -> Mapping[str, Callable[[], Awaitable[Any]]]:
    """Return the functions that send the page's requests, by name."""
    order = {"units": [unit], "kind": "move", "args": {"to": "forward 3"}}
    return {
        "view": lambda: page.get("/api/view"),
        "unit": lambda: page.get("/api/unit", unit=unit),
        "reach": lambda: page.get("/api/reach", unit=unit),
        "history": lambda: page.get("/api/history"),
        "draft": lambda: page.post("/api/draft", order),
    }


@pytest.fixture
def port() -> int:
    return find_free_port()


@pytest.fixture
async def bot(discord: Loopback, tmp_path: Path, port: int) -> AsyncIterator[Process]:
    async for process in run_process(Process(discord, tmp_path, UMPIRE_WORKERS="0", **make_map_settings(port))):
        yield process


@pytest.mark.soak
@pytest.mark.parametrize("system", SYSTEMS)
async def test_answers_take_as_long_after_a_hidden_action(
    discord: Loopback, bot: Process, port: int, system: str
) -> None:
    rules, chance = rulesets()[system], random.Random(get_daily_seed())
    scenario = next(iter(rules.scenarios))
    state = rules.setup(scenario, {}, SealedDice(bytes(32), "game", 1, 1))
    own_side, other_side = (side.id for side in state.sides)
    own, hidden = (
        next(unit for unit in state.units_of(side) if unit.place is not None) for side in (own_side, other_side)
    )
    await discord.ask("game new", GORDON, TABLE, rules=system, scenario=scenario).wait()
    await discord.ask("game join", KITCHENER, TABLE, side=own_side).wait()
    await discord.ask("umpire option", GORDON, TABLE, name="hidden troops", value="yes").wait()
    await discord.ask("unit hide", GORDON, TABLE, unit=hidden.name).wait()

    async def move_hidden_unit(number: int) -> None:
        place = f"{60 + number % 5},{40 - number % 3}"
        interaction = await discord.ask(
            "umpire set", GORDON, TABLE, unit=hidden.name, field="place", value=place
        ).wait()
        assert interaction.is_private, interaction.text

    times: dict[str, tuple[list[float], list[float]]] = {}
    async with AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(Page(port)) for _ in range(PAGES)]
        for page in pages:
            await page.open(await ask_for_key(discord, KITCHENER, TABLE))
            await time_answers(page, own.id)
        for number in range(PAIRS):
            for is_busy in chance.sample((False, True), 2):
                await pause(REST)
                if is_busy:
                    await move_hidden_unit(number)
                    await pause(REST)
                for name, seconds in (await time_answers(pages[number % PAGES], own.id)).items():
                    times.setdefault(name, ([], []))[is_busy].append(seconds)
    probabilities = {name: rank_test(calm, busy) for name, (calm, busy) in times.items()}
    for name, (calm, busy) in times.items():
        print(
            f"{system} {name}: {median(calm) * 1000:.2f} ms, {median(busy) * 1000:.2f} ms, p {probabilities[name]:.3f}"
        )
    assert min(probabilities.values()) > SIGNIFICANCE, probabilities


async def time_answers(page: Page, unit: str) -> Mapping[str, float]:
    """Send each request; return the seconds until each answer, by name."""
    times = {}
    for name, ask in list_requests(page, unit).items():
        start = perf_counter()
        status, _ = await ask()
        times[name] = perf_counter() - start
        assert status == 200, name
    return times
