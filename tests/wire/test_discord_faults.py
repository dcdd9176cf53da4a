"""What is done is told once, and always, whatever Discord makes of the answer."""

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from .asked import Asked, words
from .loopback import Loopback
from .process import Process, tracebacks
from .waiting import quiet, until
from .world import CHANNELS, GORDON, KITCHENER, ONLOOKER, Person

pytestmark = pytest.mark.asyncio(loop_scope="module")

CALLBACK = "/interactions/.*/callback"
LATER = r"/webhooks/\d+/token-\d+"
MESSAGES = "/channels/.*/messages"
UNKNOWN_INTERACTION = {"status": 404, "code": 10062}
FORBIDDEN = {"status": 403, "code": 50013}

_numbers = count(1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def discord() -> AsyncIterator[Loopback]:
    loopback = Loopback()
    await loopback.start()
    yield loopback
    await loopback.close()
    assert loopback.wrong == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(discord: Loopback, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Process]:
    home: Path = tmp_path_factory.mktemp("home")
    process = await Process(discord, home, UMPIRE_WORKERS="0").start()
    yield process
    await process.kill()


@pytest_asyncio.fixture(loop_scope="module")
async def bot(discord: Loopback, running: Process) -> AsyncIterator[Process]:
    """The bot; whatever Discord does, it is no fault of ours."""
    said = len(running.log)
    yield running
    assert discord.faults.left == []
    assert tracebacks(running.log[said:]) == []


@pytest_asyncio.fixture(loop_scope="module")
async def table(discord: Loopback, bot: Process) -> int:
    """A channel with a game: Gordon umpires, Kitchener plays the British."""
    channel = CHANNELS[0]
    await discord.ask("game end", GORDON, channel, confirm=True).done()
    opened = await discord.ask("game new", GORDON, channel, rules="magdala", scenario="suakin-1885").done()
    assert "Suakin" in opened.text
    await discord.ask("game join", KITCHENER, channel, side="British").done()
    discord.posted.clear()
    return channel


def bring_on(discord: Loopback, channel: int) -> tuple[Asked, str]:
    """Something done that everyone may read, and the name it leaves."""
    name = f"Reserve {next(_numbers):02}"
    return discord.ask("unit add", GORDON, channel, troop="british-breechloaders", side="british", name=name), name


def roll_secretly(discord: Loopback, channel: int, label: str, who: Person = KITCHENER) -> Asked:
    """Something done that only who asked may read."""
    return discord.ask("roll", who, channel, dice="3d6", label=label, secret=True)


def shown(message: dict[str, Any]) -> str:
    return "\n".join(words(message))


async def posted(discord: Loopback) -> str:
    """What the bot posted to a channel by itself, one message."""
    await until(lambda: discord.posted, "the message to the channel")
    (message,) = discord.posted
    return shown(message)


async def lost(discord: Loopback, asked: Asked) -> None:
    """Waits until a private answer was refused, and what it said is kept."""
    await until(lambda: discord.faults.left == [], "the refusal")
    await quiet()
    assert not asked.messages


async def test_what_is_done_is_posted_to_the_channel_when_discord_forgot_the_interaction(
    discord: Loopback, table: int
) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    asked, name = bring_on(discord, table)
    told = await posted(discord)
    assert name in told
    assert not asked.messages
    log = await discord.ask("game log", GORDON, table, last=1).done()
    assert name in log.text, "it is done"


async def test_two_500s_take_so_long_that_the_interaction_is_gone_and_the_channel_is_told(
    discord: Loopback, table: int
) -> None:
    discord.faults.refuse("POST", CALLBACK, 500, times=2)
    _, name = bring_on(discord, table)
    told = await posted(discord)
    assert name in told


async def test_an_answer_that_comes_after_three_seconds_has_the_channel_told(discord: Loopback, table: int) -> None:
    discord.faults.delay("POST", CALLBACK, 3.3)
    _, name = bring_on(discord, table)
    told = await posted(discord)
    assert name in told


async def test_what_is_posted_to_the_channel_has_its_buttons_and_its_picture(discord: Loopback, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    unit, target = "Riflemen of Hashin", "1st Berkshires"
    discord.ask("fire", GORDON, table, unit=unit, target=target)
    told = await posted(discord)
    assert unit in told
    await until(lambda: discord.posted[0]["attachments"], "the picture")
    assert [one["filename"] for one in discord.posted[0]["attachments"]] == ["table.png"]


async def test_a_private_answer_that_is_lost_is_told_to_the_user_alone_with_their_next_command(
    discord: Loopback, bot: Process, table: int
) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    await lost(discord, roll_secretly(discord, table, "ambush in the khor"))
    for other in (GORDON, ONLOOKER):
        assert "ambush" not in (await discord.ask("turn status", other, table).done()).text
    elsewhere = await discord.ask("roll", KITCHENER, CHANNELS[1], dice="1d6").done()
    status = discord.ask("turn status", KITCHENER, table)
    await until(lambda: len(status.messages) > 1)
    assert "ambush in the khor" in shown(status.messages[1])
    assert status.messages[1]["flags"] & 64
    assert "ambush" not in elsewhere.text
    assert not [one for one in discord.posted if "ambush" in shown(one)]
    again = await discord.ask("turn status", KITCHENER, table).done()
    await discord.ask("turn status", KITCHENER, table).done()
    assert "ambush" not in again.text, "it is told once"


async def test_what_the_channel_could_not_be_told_either_is_told_with_the_next_answer_there(
    discord: Loopback, bot: Process, table: int
) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    discord.faults.refuse("POST", MESSAGES, **FORBIDDEN)
    discord.faults.refuse("POST", LATER, 404, 10015)
    asked, name = bring_on(discord, table)
    await lost(discord, asked)
    elsewhere = await discord.ask("roll", ONLOOKER, CHANNELS[1], dice="1d6").done()
    assert name not in elsewhere.text
    status = discord.ask("turn status", ONLOOKER, table)
    await until(lambda: len(status.messages) > 1)
    assert name in shown(status.messages[1])
    assert not status.messages[1]["flags"] & 64
    again = await discord.ask("turn status", ONLOOKER, table).done()
    await discord.ask("turn status", ONLOOKER, table).done()
    assert len(again.messages) == 1


async def test_what_is_not_told_is_kept_over_a_restart(discord: Loopback, bot: Process, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    await lost(discord, roll_secretly(discord, table, "a second ambush"))
    await bot.kill()
    await bot.start()
    status = discord.ask("turn status", KITCHENER, table)
    await until(lambda: len(status.messages) > 1)
    assert "a second ambush" in shown(status.messages[1])


async def test_an_answer_that_discord_took_while_it_said_500_is_given_once(discord: Loopback, table: int) -> None:
    """And its picture comes all the same: the message stands."""
    discord.faults.refuse("POST", CALLBACK, 500, taken=True)
    asked = discord.ask("fire", GORDON, table, unit="Riflemen of Hashin", target="1st Berkshires")
    await until(lambda: bool(asked.messages and asked.messages[0]["attachments"]))
    assert len(asked.messages) == 1
    assert discord.posted == []


async def test_thinking_that_discord_took_while_it_said_500_is_followed_by_the_answer(
    discord: Loopback, table: int
) -> None:
    discord.faults.refuse("POST", CALLBACK, 500, taken=True)
    asked = await discord.ask("map", GORDON, table).done()
    assert asked.pictures
    assert len(asked.messages) == 1


async def test_a_message_to_the_channel_that_discord_took_while_it_said_500_stands_once(
    discord: Loopback, table: int
) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    discord.faults.refuse("POST", MESSAGES, 500, taken=True)
    _, name = bring_on(discord, table)

    def statuses() -> list[int | None]:
        posts = (sent for sent in discord.sent if sent.method == "POST" and sent.path.endswith("/messages"))
        return [sent.status for sent in posts]

    await until(lambda: statuses()[-2:] == [500, 200], "the message, and its second try")
    assert name in await posted(discord)


async def test_a_reading_that_discord_forgot_is_told_nowhere(discord: Loopback, bot: Process, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    asked = discord.ask("game status", GORDON, table)
    await lost(discord, asked)
    assert discord.posted == []
    status = await discord.ask("turn status", GORDON, table).done()
    await discord.ask("turn status", GORDON, table).done()
    assert len(status.messages) == 1
