"""The bot over the wire: on real time, against sockets that close and limits. One process for all of it."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from .asked import Asked
from .loopback import Loopback
from .process import Process, descendants, tracebacks
from .waiting import until
from .world import CHANNELS, GORDON, KITCHENER, ONLOOKER, Person

pytestmark = pytest.mark.asyncio(loop_scope="module")

TABLE, OTHER = CHANNELS[0], CHANNELS[1]
SOON = 1.5  # seconds, half of what Discord allows for a first answer
WORKERS_START = 60  # seconds at most: the first picture waits for a worker's imports, which give way to all else


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def discord() -> AsyncIterator[Loopback]:
    loopback = Loopback()
    await loopback.start()
    yield loopback
    await loopback.close()
    assert loopback.wrong == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(discord: Loopback, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Process]:
    process = await Process(discord, tmp_path_factory.mktemp("home")).start()
    yield process
    await process.kill()


@pytest_asyncio.fixture(loop_scope="module")
async def bot(discord: Loopback, running: Process) -> AsyncIterator[Process]:
    """The bot, with no fault of Discord's left over, nor one of its own."""
    said = len(running.log)
    discord.files.clear()
    yield running
    assert discord.faults.left == []
    assert tracebacks(running.log[said:]) == []


async def start_game(discord: Loopback, channel: int = TABLE, scenario: str = "suakin-1885") -> Asked:
    """A new game, in place of that of the test before."""
    await discord.ask("game end", GORDON, channel, confirm=True).done()
    asked = await discord.ask("game new", GORDON, channel, rules="magdala", scenario=scenario).done(WORKERS_START)
    assert "Suakin" in asked.text, asked.text
    return asked


def bring_on(discord: Loopback, number: int, channel: int = TABLE) -> Asked:
    """An action that is always allowed to the umpire, and leaves a name by which to find it."""
    return discord.ask(
        "unit add", GORDON, channel, troop="british-breechloaders", side="british", name=f"Reserve {number:02}"
    )


def roll(discord: Loopback, who: Person = GORDON, channel: int = TABLE) -> Asked:
    """What needs no game."""
    return discord.ask("roll", who, channel, dice="2d6")


async def names_on_table(discord: Loopback, channel: int = TABLE) -> str:
    return (await discord.ask("unit list", GORDON, channel, side="British").done()).text


async def test_a_dropped_gateway_is_resumed_and_nothing_is_missed(discord: Loopback, bot: Process) -> None:
    resumed, identified = discord.link.resumed, discord.link.identified
    await discord.link.drop()
    missed = roll(discord)
    await asyncio.wait_for(discord.link.connected.wait(), 30)
    assert discord.link.resumed == resumed + 1
    assert discord.link.identified == identified
    await roll(discord).done()
    await missed.done()


async def test_a_rate_limit_is_waited_out(discord: Loopback, bot: Process) -> None:
    discord.faults.limit("POST", "callback", retry_after=0.8)
    asked = await roll(discord).done()
    tries = [sent for sent in discord.sent if sent.path == f"/interactions/{asked.id}/{asked.token}/callback"]
    assert [sent.status for sent in tries] == [429, 200]
    assert tries[1].at - tries[0].at >= 0.8


async def test_the_first_answer_comes_soon_while_maps_are_drawn(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    maps = [discord.ask("map", GORDON, TABLE, area=area) for area in ("A1-C3", "B2-D4", "C1-E3", "D1-F4")]
    others: list[Asked] = []
    while not all(one.acknowledged for one in maps):
        others.append(roll(discord, KITCHENER, OTHER))
        await asyncio.sleep(0.1)
    await asyncio.gather(*(one.done() for one in [*maps, *others]))
    assert max(one.first_answer for one in [*maps, *others]) < SOON
    assert others


async def test_two_commands_at_the_same_moment_are_both_done(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    both = [bring_on(discord, 1), bring_on(discord, 2)]
    await asyncio.gather(*(one.done() for one in both))
    there = await names_on_table(discord)
    assert there.count("Reserve 01") == 1
    assert there.count("Reserve 02") == 1


async def test_fifty_at_once_are_all_answered_and_none_is_lost(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    fifty = [bring_on(discord, number) for number in range(50)]
    await asyncio.gather(*(one.done(60) for one in fifty))
    there = await names_on_table(discord)
    assert [number for number in range(50) if there.count(f"Reserve {number:02}") != 1] == []


async def test_a_repeated_interaction_acts_once(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    asked = await bring_on(discord, 7).done()
    again = next(event for event in discord.link.events("INTERACTION_CREATE") if event["id"] == str(asked.id))
    discord.link.send("INTERACTION_CREATE", again)
    await bring_on(discord, 8).done()
    assert (await names_on_table(discord)).count("Reserve 07") == 1


async def test_nobody_is_mentioned_but_who_begins_to_be_waited_for(discord: Loopback, bot: Process) -> None:
    """In nothing that was sent until now, and then in the message of his turn alone."""
    await discord.ask("game end", GORDON, TABLE, confirm=True).done()
    await discord.ask(
        "game new", GORDON, TABLE, rules="magdala", scenario="suakin-1885", name="@everyone <@802>"
    ).done()
    await discord.ask("roll", GORDON, OTHER, dice="1d6", label="@everyone <@&801>").done()
    await discord.ask("game join", KITCHENER, TABLE, side="british").done()
    await discord.ask("move", GORDON, TABLE, unit="Amarar", to="forward 2").done()
    turn = await discord.ask("turn next", GORDON, TABLE).done()
    assert f"<@{KITCHENER.id}>: it is your turn." in turn.text
    await until(lambda: bool(turn.pictures), "the map of the turn")
    said = [sent.body.get("data", sent.body) for sent in discord.sent if isinstance(sent.body, dict)]
    shown = [body for body in said if isinstance(body, dict) and ("components" in body or body.get("content"))]
    assert shown
    nobody, him = {"parse": []}, {"parse": [], "users": [KITCHENER.id]}
    called = [json.dumps(body) for body in shown if body.get("allowed_mentions") == him]
    assert called
    assert all(f"<@{KITCHENER.id}>: it is your turn." in body for body in called)
    assert [json.dumps(body)[:200] for body in shown if body.get("allowed_mentions") not in (nobody, him)] == []


async def test_answers_of_every_kind_are_such_as_discord_takes(discord: Loopback, bot: Process) -> None:
    """Checked body by body as they come in; see the fixture."""
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
        answer = await discord.ask(command, GORDON, TABLE, **options).done()
        assert answer.text or answer.pictures, command
    assert {"table.png", "odds.png"} <= discord.files.keys()
    assert all(content for content in discord.files.values())


async def test_a_crowd_that_asks_for_a_report_is_given_one_at_a_time(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    asked = [discord.ask("game report", ONLOOKER, TABLE) for _ in range(6)]
    told = [(await one.done()).text for one in asked]
    assert sum("on its way" in one for one in told) == len(told) - 1, told


async def test_workers_that_are_killed_are_replaced(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    for pid in descendants(bot.pid):
        os.kill(pid, signal.SIGKILL)
    drawn = await discord.ask("map", ONLOOKER, TABLE).done()
    assert not drawn.private, drawn.text
    assert (await roll(discord).done()).acknowledged


async def test_the_token_is_never_said(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    assert b"loopback.token" not in discord.everything_sent()
    assert "loopback.token" not in bot.log
