"""The bot over the wire: on real time, against sockets that close, limits and sudden death."""

import asyncio
import json
import signal
from pathlib import Path

from bot.__main__ import OF_THE_LOCAL_TABLE

from .asked import Asked
from .loopback import Loopback
from .process import Process
from .world import CHANNELS, GORDON, KITCHENER, ONLOOKER, Person

TABLE, OTHER = CHANNELS[0], CHANNELS[1]
SOON = 1.5  # seconds, half of what Discord allows for a first answer


async def start_game(discord: Loopback, channel: int = TABLE, scenario: str = "suakin-1885") -> Asked:
    asked = await discord.ask("game new", GORDON, channel, rules="magdala", scenario=scenario).done()
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


async def test_it_logs_in_and_syncs_its_commands_once(discord: Loopback, bot: Process) -> None:
    await roll(discord).done()
    assert discord.syncs == 1
    assert await bot.stop() == 0
    await bot.start()
    await roll(discord).done()
    assert discord.syncs == 1


async def test_a_game_of_before_a_sudden_death_goes_on_after_it(discord: Loopback, bot: Process) -> None:
    opening = await start_game(discord)
    asked = [bring_on(discord, number) for number in range(10)]
    await asyncio.gather(*(one.done() for one in asked))
    asked += [bring_on(discord, number) for number in range(10, 40)]
    async with asyncio.timeout(20):
        while sum(one.acknowledged for one in asked) < 13:  # noqa: ASYNC110
            await asyncio.sleep(0)
    await bot.kill()
    kept = [number for number, one in enumerate(asked) if one.acknowledged]
    assert 13 <= len(kept) < 40

    await bot.start()
    there = await names_on_table(discord)
    assert [number for number in kept if there.count(f"Reserve {number:02}") != 1] == []

    label, button = next((label, ident) for label, ident in opening.buttons.items() if "British" in label)
    joined = await discord.press(opening.messages[0], button, KITCHENER).done()
    assert "Kitchener" in joined.text, (label, joined.text)
    status = await discord.ask("game status", ONLOOKER, TABLE).done()
    assert "Kitchener" in status.text


async def test_a_dropped_gateway_is_resumed_and_nothing_is_missed(discord: Loopback, bot: Process) -> None:
    await discord.link.drop()
    missed = roll(discord)
    await asyncio.wait_for(discord.link.connected.wait(), 30)
    assert discord.link.resumed == 1
    assert discord.link.identified == 1
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


async def test_a_repeated_interaction_acts_once(discord: Loopback, tmp_path: Path) -> None:
    bot = await Process(discord, tmp_path).start()
    await start_game(discord)
    asked = await bring_on(discord, 7).done()
    again = next(event for event in discord.link.events("INTERACTION_CREATE") if event["id"] == str(asked.id))
    discord.link.send("INTERACTION_CREATE", again)
    await bring_on(discord, 8).done()
    assert (await names_on_table(discord)).count("Reserve 07") == 1
    await bot.kill()


async def test_both_signals_end_it_with_nothing_left_undone(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    last = await bring_on(discord, 1).answered()
    assert await bot.stop(signal.SIGTERM) == 0
    assert last.acknowledged
    await bot.start()
    assert "Reserve 01" in await names_on_table(discord)
    assert await bot.stop(signal.SIGINT) == 0


async def test_nobody_is_ever_mentioned(discord: Loopback, bot: Process) -> None:
    await discord.ask(
        "game new", GORDON, TABLE, rules="magdala", scenario="suakin-1885", name="@everyone <@802>"
    ).done()
    await discord.ask("roll", GORDON, OTHER, dice="1d6", label="@everyone <@&801>").done()
    said = [sent.body.get("data", sent.body) for sent in discord.sent if isinstance(sent.body, dict)]
    shown = [body for body in said if isinstance(body, dict) and ("components" in body or body.get("content"))]
    assert shown
    assert [json.dumps(body)[:200] for body in shown if body.get("allowed_mentions") != {"parse": []}] == []


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


async def test_the_token_is_never_said(discord: Loopback, bot: Process) -> None:
    await start_game(discord)
    assert b"loopback.token" not in discord.everything_sent()
    assert "loopback.token" not in bot.said


async def test_with_a_token_nothing_of_the_local_table_is_needed(discord: Loopback, tmp_path: Path) -> None:
    hide = f"import sys; sys.modules.update(dict.fromkeys({OF_THE_LOCAL_TABLE}))"
    command = ("-c", f"{hide}; from bot.__main__ import main; sys.exit(main())")
    bot = await Process(discord, tmp_path, command, UMPIRE_WORKERS="0").start()
    opening = await start_game(discord)
    assert opening.pictures
    report = await discord.ask("game report", GORDON, TABLE).done()
    assert report.private
    assert "Suakin" in report.text
    assert await bot.stop() == 0
    assert "Traceback" not in bot.said, bot.said
