"""Faults of Discord: every action is reported exactly once, whatever happens to the bot's answer."""

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from .interaction import Interaction, list_words
from .loopback import Loopback
from .process import Process, find_tracebacks
from .waiting import pause, wait_until
from .world import CHANNELS, GORDON, KITCHENER, ONLOOKER, Person

pytestmark = pytest.mark.asyncio(loop_scope="module")

CALLBACK = "/interactions/.*/callback"
FOLLOW_UP = r"/webhooks/\d+/token-\d+"
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
    assert loopback.errors == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running_bot(discord: Loopback, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Process]:
    home: Path = tmp_path_factory.mktemp("home")
    process = await Process(discord, home, UMPIRE_WORKERS="0").start()
    yield process
    await process.kill()


@pytest_asyncio.fixture(loop_scope="module")
async def bot(discord: Loopback, running_bot: Process) -> AsyncIterator[Process]:
    """The running bot. Fails if the test leaves a fault unused or the bot logs a traceback."""
    log_start = len(running_bot.log)
    yield running_bot
    assert discord.faults.pending == []
    assert find_tracebacks(running_bot.log[log_start:]) == []


@pytest_asyncio.fixture(loop_scope="module")
async def table(discord: Loopback, bot: Process) -> int:
    """A channel with a game: Gordon umpires, Kitchener plays the British."""
    channel = CHANNELS[0]
    await discord.ask("game end", GORDON, channel, confirm=True).wait()
    opened = await discord.ask("game new", GORDON, channel, rules="magdala", scenario="suakin-1885").wait()
    assert "Suakin" in opened.text
    await discord.ask("game join", KITCHENER, channel, side="British").wait()
    discord.posts.clear()
    return channel


def add_unit(discord: Loopback, channel: int) -> tuple[Interaction, str]:
    """Add a unit with a new name, which everyone may read; return the interaction and the name."""
    name = f"Reserve {next(_numbers):02}"
    return discord.ask("unit add", GORDON, channel, troop="british-breechloaders", side="british", name=name), name


def roll_secretly(discord: Loopback, channel: int, label: str, person: Person = KITCHENER) -> Interaction:
    """Roll dice with an ephemeral answer."""
    return discord.ask("roll", person, channel, dice="3d6", label=label, secret=True)


def read_text(message: dict[str, Any]) -> str:
    return "\n".join(list_words(message))


async def wait_for_post(discord: Loopback) -> str:
    """Wait for the bot's one message that is not an answer; return its text."""
    await wait_until(lambda: discord.posts, "the message to the channel")
    (message,) = discord.posts
    return read_text(message)


async def wait_until_lost(discord: Loopback, interaction: Interaction) -> None:
    """Wait until an answer was refused and the bot has stored its text."""
    await wait_until(lambda: discord.faults.pending == [], "the refusal")
    await pause()
    assert not interaction.messages


async def test_report_is_posted_in_the_channel_when_the_interaction_expired(discord: Loopback, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    interaction, name = add_unit(discord, table)
    post = await wait_for_post(discord)
    assert name in post
    assert not interaction.messages
    log = await discord.ask("game log", GORDON, table, last=1).wait()
    assert name in log.text, "the unit is added"


async def test_report_is_posted_after_two_server_errors(discord: Loopback, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, 500, times=2)
    _, name = add_unit(discord, table)
    post = await wait_for_post(discord)
    assert name in post


async def test_report_is_posted_when_the_answer_is_too_late(discord: Loopback, table: int) -> None:
    discord.faults.delay("POST", CALLBACK, 3.3)
    _, name = add_unit(discord, table)
    post = await wait_for_post(discord)
    assert name in post


async def test_posted_report_has_its_picture(discord: Loopback, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    unit, target = "Riflemen of Hashin", "1st Berkshires"
    discord.ask("fire", GORDON, table, unit=unit, target=target)
    post = await wait_for_post(discord)
    assert unit in post
    await wait_until(lambda: discord.posts[0]["attachments"], "the picture")
    assert [attachment["filename"] for attachment in discord.posts[0]["attachments"]] == ["table.png"]


async def test_lost_private_answer_is_repeated_to_its_user_alone(discord: Loopback, bot: Process, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    await wait_until_lost(discord, roll_secretly(discord, table, "ambush in the khor"))
    for person in (GORDON, ONLOOKER):
        assert "ambush" not in (await discord.ask("turn status", person, table).wait()).text
    elsewhere = await discord.ask("roll", KITCHENER, CHANNELS[1], dice="1d6").wait()
    status = discord.ask("turn status", KITCHENER, table)
    await wait_until(lambda: len(status.messages) > 1)
    assert "ambush in the khor" in read_text(status.messages[1])
    assert status.messages[1]["flags"] & 64
    assert "ambush" not in elsewhere.text
    assert not [post for post in discord.posts if "ambush" in read_text(post)]
    repeated = await discord.ask("turn status", KITCHENER, table).wait()
    await discord.ask("turn status", KITCHENER, table).wait()
    assert "ambush" not in repeated.text, "it is repeated once"


async def test_unposted_report_is_repeated_with_the_next_answer_in_its_channel(
    discord: Loopback, bot: Process, table: int
) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    discord.faults.refuse("POST", MESSAGES, **FORBIDDEN)
    discord.faults.refuse("POST", FOLLOW_UP, 404, 10015)
    interaction, name = add_unit(discord, table)
    await wait_until_lost(discord, interaction)
    elsewhere = await discord.ask("roll", ONLOOKER, CHANNELS[1], dice="1d6").wait()
    assert name not in elsewhere.text
    status = discord.ask("turn status", ONLOOKER, table)
    await wait_until(lambda: len(status.messages) > 1)
    assert name in read_text(status.messages[1])
    assert not status.messages[1]["flags"] & 64
    repeated = await discord.ask("turn status", ONLOOKER, table).wait()
    await discord.ask("turn status", ONLOOKER, table).wait()
    assert len(repeated.messages) == 1


async def test_lost_private_answer_survives_a_restart(discord: Loopback, bot: Process, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    await wait_until_lost(discord, roll_secretly(discord, table, "a second ambush"))
    await bot.kill()
    await bot.start()
    status = discord.ask("turn status", KITCHENER, table)
    await wait_until(lambda: len(status.messages) > 1)
    assert "a second ambush" in read_text(status.messages[1])


async def test_answer_appears_once_when_discord_executes_it_but_returns_500(discord: Loopback, table: int) -> None:
    """The bot still adds the picture, because the message exists."""
    discord.faults.refuse("POST", CALLBACK, 500, executed=True)
    interaction = discord.ask("fire", GORDON, table, unit="Riflemen of Hashin", target="1st Berkshires")
    await wait_until(lambda: bool(interaction.messages and interaction.messages[0]["attachments"]))
    assert len(interaction.messages) == 1
    assert discord.posts == []


async def test_answer_follows_a_deferral_that_returned_500(discord: Loopback, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, 500, executed=True)
    interaction = await discord.ask("map", GORDON, table).wait()
    assert interaction.pictures
    assert len(interaction.messages) == 1


async def test_post_appears_once_when_discord_executes_it_but_returns_500(discord: Loopback, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    discord.faults.refuse("POST", MESSAGES, 500, executed=True)
    _, name = add_unit(discord, table)

    def statuses() -> list[int | None]:
        posts = (
            request for request in discord.requests if request.method == "POST" and request.path.endswith("/messages")
        )
        return [post.status for post in posts]

    await wait_until(lambda: statuses()[-2:] == [500, 200], "the message, and its second try")
    assert name in await wait_for_post(discord)


async def test_lost_answer_without_an_action_is_not_repeated(discord: Loopback, bot: Process, table: int) -> None:
    discord.faults.refuse("POST", CALLBACK, **UNKNOWN_INTERACTION)
    interaction = discord.ask("game status", GORDON, table)
    await wait_until_lost(discord, interaction)
    assert discord.posts == []
    status = await discord.ask("turn status", GORDON, table).wait()
    await discord.ask("turn status", GORDON, table).wait()
    assert len(status.messages) == 1
