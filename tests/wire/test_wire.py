"""The bot over real sockets: reconnects, rate limits, many commands at once. All tests share one bot."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from .interaction import Interaction
from .loopback import Loopback
from .process import Process, find_tracebacks, list_descendants
from .waiting import wait_until
from .world import CHANNELS, GORDON, KITCHENER, ONLOOKER, Person

pytestmark = pytest.mark.asyncio(loop_scope="module")

TABLE, OTHER = CHANNELS[0], CHANNELS[1]
FIRST_ANSWER_LIMIT = 1.5  # seconds, half of what Discord allows for a first answer
WORKERS_START = 60  # seconds at most: the first picture waits for a worker, which starts with low priority


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def discord() -> AsyncIterator[Loopback]:
    loopback = Loopback()
    await loopback.start()
    yield loopback
    await loopback.close()
    assert loopback.errors == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running_bot(discord: Loopback, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Process]:
    process = await Process(discord, tmp_path_factory.mktemp("home")).start()
    yield process
    await process.kill()


@pytest_asyncio.fixture(loop_scope="module")
async def bot(discord: Loopback, running_bot: Process) -> AsyncIterator[Process]:
    """The running bot. Fails if the test leaves a fault unused or the bot logs a traceback."""
    log_start = len(running_bot.log)
    discord.sent_files.clear()
    yield running_bot
    assert discord.faults.pending == []
    assert find_tracebacks(running_bot.log[log_start:]) == []


async def start_game(discord: Loopback, channel: int = TABLE, scenario: str = "suakin-1885") -> Interaction:
    """End the previous test's game and start a new game."""
    await discord.ask("game end", GORDON, channel, confirm=True).wait()
    interaction = await discord.ask("game new", GORDON, channel, rules="magdala", scenario=scenario).wait(WORKERS_START)
    assert "Suakin" in interaction.text, interaction.text
    return interaction


def add_unit(discord: Loopback, number: int, channel: int = TABLE) -> Interaction:
    """Add a unit named by the number; the umpire may always add units."""
    return discord.ask(
        "unit add", GORDON, channel, troop="british-breechloaders", side="british", name=f"Reserve {number:02}"
    )


def roll(discord: Loopback, person: Person = GORDON, channel: int = TABLE) -> Interaction:
    """Roll dice, which needs no game."""
    return discord.ask("roll", person, channel, dice="2d6")


async def list_british_units(discord: Loopback, channel: int = TABLE) -> str:
    return (await discord.ask("unit list", GORDON, channel, side="British").wait()).text


async def test_a_dropped_gateway_is_resumed_and_nothing_is_missed(discord: Loopback, bot: Process) -> None:
    resumed, identified = discord.gateway.resume_count, discord.gateway.identify_count
    await discord.gateway.drop()
    missed = roll(discord)
    await asyncio.wait_for(discord.gateway.connected.wait(), 30)
    assert discord.gateway.resume_count == resumed + 1
    assert discord.gateway.identify_count == identified
    await roll(discord).wait()
    await missed.wait()


async def test_a_rate_limit_is_waited_out(discord: Loopback, bot: Process) -> None:
    discord.faults.limit("POST", "callback", retry_after=0.8)
    interaction = await roll(discord).wait()
    tries = [
        request
        for request in discord.requests
        if request.path == f"/interactions/{interaction.id}/{interaction.token}/callback"
    ]
    assert [request.status for request in tries] == [429, 200]
    assert tries[1].at - tries[0].at >= 0.8


async def test_the_first_answer_comes_soon_while_maps_are_drawn(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    maps = [discord.ask("map", GORDON, TABLE, area=area) for area in ("A1-C3", "B2-D4", "C1-E3", "D1-F4")]
    rolls: list[Interaction] = []
    while not all(interaction.is_acknowledged for interaction in maps):
        rolls.append(roll(discord, KITCHENER, OTHER))
        await asyncio.sleep(0.1)
    await asyncio.gather(*(interaction.wait() for interaction in [*maps, *rolls]))
    assert max(interaction.first_answer for interaction in [*maps, *rolls]) < FIRST_ANSWER_LIMIT
    assert rolls


async def test_two_commands_at_the_same_moment_are_both_executed(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    both = [add_unit(discord, 1), add_unit(discord, 2)]
    await asyncio.gather(*(interaction.wait() for interaction in both))
    roster = await list_british_units(discord)
    assert roster.count("Reserve 01") == 1
    assert roster.count("Reserve 02") == 1


async def test_fifty_commands_at_once_are_all_answered(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    fifty = [add_unit(discord, number) for number in range(50)]
    await asyncio.gather(*(interaction.wait(60) for interaction in fifty))
    roster = await list_british_units(discord)
    assert [number for number in range(50) if roster.count(f"Reserve {number:02}") != 1] == []


async def test_a_repeated_interaction_acts_once(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    interaction = await add_unit(discord, 7).wait()
    event = next(
        event for event in discord.gateway.list_events("INTERACTION_CREATE") if event["id"] == str(interaction.id)
    )
    discord.gateway.send("INTERACTION_CREATE", event)
    await add_unit(discord, 8).wait()
    assert (await list_british_units(discord)).count("Reserve 07") == 1


async def test_only_the_next_player_is_mentioned(discord: Loopback, bot: Process) -> None:
    """No body that the bot ever sent mentions anybody else, whatever texts users gave."""
    await discord.ask("game end", GORDON, TABLE, confirm=True).wait()
    await discord.ask(
        "game new", GORDON, TABLE, rules="magdala", scenario="suakin-1885", name="@everyone <@802>"
    ).wait()
    await discord.ask("roll", GORDON, OTHER, dice="1d6", label="@everyone <@&801>").wait()
    await discord.ask("game join", KITCHENER, TABLE, side="british").wait()
    await discord.ask("move", GORDON, TABLE, unit="Amarar", to="forward 2").wait()
    turn = await discord.ask("turn next", GORDON, TABLE).wait()
    assert f"<@{KITCHENER.id}>: it is your turn." in turn.text
    await wait_until(lambda: bool(turn.pictures), "the map of the turn")
    bodies = [request.body.get("data", request.body) for request in discord.requests if isinstance(request.body, dict)]
    messages = [body for body in bodies if isinstance(body, dict) and ("components" in body or body.get("content"))]
    assert messages
    nobody, him = {"parse": []}, {"parse": [], "users": [KITCHENER.id]}
    called = [json.dumps(body) for body in messages if body.get("allowed_mentions") == him]
    assert called
    assert all(f"<@{KITCHENER.id}>: it is your turn." in body for body in called)
    assert [json.dumps(body)[:200] for body in messages if body.get("allowed_mentions") not in (nobody, him)] == []


async def test_discord_accepts_every_kind_of_answer(discord: Loopback, bot: Process) -> None:
    """The loopback checks every body; see the fixture `discord`."""
    await start_game(discord)
    unit, target = {"unit": "Riflemen of Hashin"}, {"target": "1st Berkshires"}
    for command, options in (
        ("map", {}),
        ("odds", {"test": "fire", **unit, **target}),
        ("fire", unit | target),
        ("move", {"unit": "Hadendoa of Tamai", "to": "forward 6"}),
        ("rule", {"topic": "MM-5.4"}),
        ("roll", {"dice": "4d6kh3+1", "repeat": 3}),
        ("morale", {"rules": "magdala", "troop": "british-breechloaders", "losses": 5}),
        ("unit show", {"unit": "Amarar"}),
        ("umpire option", {}),
        ("ruling ask", {"question": "May camels climb?"}),
        ("scenario show", {"scenario": "atbara-1898"}),
        ("turn status", {}),
        ("dice luck", {}),
        ("game export", {}),
        ("game report", {}),
        ("game log", {"last": 20}),
        ("game undo", {}),
        ("game end", {}),
        ("help", {}),
    ):
        answer = await discord.ask(command, GORDON, TABLE, **options).wait()
        assert answer.text or answer.pictures, command
    assert {"table.png", "odds.png"} <= discord.sent_files.keys()
    assert all(content for content in discord.sent_files.values())


async def test_reports_for_a_crowd_are_made_one_at_a_time(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    interactions = [discord.ask("game report", ONLOOKER, TABLE) for _ in range(6)]
    texts = [(await interaction.wait()).text for interaction in interactions]
    assert sum("on its way" in text for text in texts) == len(texts) - 1, texts


async def test_killed_workers_are_replaced(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    for pid in list_descendants(bot.pid):
        os.kill(pid, signal.SIGKILL)
    interaction = await discord.ask("map", ONLOOKER, TABLE).wait()
    assert not interaction.is_private, interaction.text
    assert (await roll(discord).wait()).is_acknowledged


async def test_token_is_never_sent_or_logged(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    assert b"loopback.token" not in discord.read_all_bodies()
    assert "loopback.token" not in bot.log
