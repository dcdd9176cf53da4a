"""Hostile uploads: the bot refuses the files, and answers all other users in time."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from .hostile_files import SYSTEM, make_dotted_key, make_faulty_scenario, make_large_export, make_nested_lists
from .interaction import Interaction
from .loopback import Loopback
from .process import Process, find_tracebacks
from .waiting import wait_until
from .world import CHANNELS, GORDON, Person

TABLE, OTHER_CHANNEL = CHANNELS[0], CHANNELS[1]
STRANGERS = tuple(Person(9100 + number, f"Stranger {number}") for number in range(6))
ANSWERED_WITHIN = 3.0
"""Seconds that Discord waits for a first answer."""
REFUSALS = ("too many parts", "nested too deeply", "could not be read within", "entries with a state")


def upload(discord: Loopback, person: Person, file: bytes) -> Interaction:
    return discord.ask("scenario upload", person, TABLE, rules=SYSTEM, file=file)


def is_refused(interaction: Interaction) -> bool:
    return any(why in interaction.text for why in REFUSALS)


async def roll_until_answered(discord: Loopback, interactions: Sequence[Interaction]) -> None:
    """Roll in another channel until the interactions are answered. Raises TimeoutError if a roll is not."""
    while not all(interaction.is_acknowledged for interaction in interactions):
        await discord.ask("roll", GORDON, OTHER_CHANNEL, dice="2d6").wait(ANSWERED_WITHIN)
        await asyncio.sleep(0.05)


@pytest.mark.soak
async def test_hostile_files_are_refused_while_others_are_answered(discord: Loopback, tmp_path: Path) -> None:
    """The bot reads files in a separate process even without workers, and one file per member at a time."""
    bot = await Process(discord, tmp_path, ("-m", "tests.wire.short_read_limit"), UMPIRE_WORKERS="0").start()
    await discord.ask("game new", GORDON, OTHER_CHANNEL, rules="magdala", scenario="suakin-1885").wait()
    await discord.ask("game export", GORDON, OTHER_CHANNEL).wait()
    states = make_large_export(next(data for name, data in discord.sent_files.items() if name.endswith(".json")))
    scenarios = (
        make_dotted_key(),
        make_dotted_key(5000),
        make_nested_lists(),
        make_faulty_scenario(),
    )
    discord.may_send_uploads.clear()
    first = discord.ask("game import", STRANGERS[4], TABLE, file=states)
    await wait_until(lambda: states in discord.fetched_uploads, "the fetch of the first file")
    uploads = [upload(discord, person, file) for person, file in zip(STRANGERS, scenarios, strict=False)]
    uploads += [first, discord.ask("game import", STRANGERS[5], TABLE, file=states)]
    second = discord.ask("game import", STRANGERS[4], TABLE, file=b"{}")
    await roll_until_answered(discord, [second])
    assert "still being read" in second.text
    discord.may_send_uploads.set()
    await roll_until_answered(discord, uploads)
    for interaction in uploads:
        await wait_until(partial(is_refused, interaction))
        assert "Nothing was changed" in interaction.text
    assert "could not be read within" in uploads[3].text, "the file keeps all limits except the time limit"
    next_upload = upload(discord, STRANGERS[3], b"id = 'x'")
    await wait_until(
        lambda: "title" in next_upload.text or is_refused(next_upload), "an answer to the member's next file"
    )
    await bot.kill()
    assert find_tracebacks(bot.log) == []
