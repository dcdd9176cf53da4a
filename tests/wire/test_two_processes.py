"""Two processes that hear of the same interactions, as while a new version takes over: each is answered once."""

import json
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.daily import one_a_day

from .asked import Asked, words
from .gateway import Session
from .loopback import Loopback
from .process import Process, tracebacks
from .waiting import quiet, until
from .world import CHANNELS, GORDON, KITCHENER, ONLOOKER, Person

pytestmark = pytest.mark.asyncio(loop_scope="module")

CALLBACK = "/interactions/.*/callback"
REFUSALS = (
    "already",
    "no longer",
    "That game is over",
    "There is nothing to",
    "Something went wrong",
    "No game",
    "A game runs",
)
TABLE, BESIDE, NO_GAME, SOLO = CHANNELS

Give = Callable[[Session | None], Asked]
"""Gives a command, or presses a button, of which that process alone hears, or with None both."""


class Pair:
    """Two processes on one database. `first` and `second` by the order of their start."""

    def __init__(self, discord: Loopback, home: Path) -> None:
        self.discord = discord
        hasty = "-m", "tests.wire.hasty"
        self.processes = [Process(discord, home, hasty, UMPIRE_WORKERS="0") for _ in range(2)]

    async def start(self) -> "Pair":
        for process in self.processes:
            await process.start()
        return self

    @property
    def sessions(self) -> list[Session]:
        return [session for session in self.discord.link.sessions if session.socket is not None]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def discord() -> AsyncIterator[Loopback]:
    loopback = Loopback()
    await loopback.start()
    yield loopback
    await loopback.close()
    assert loopback.wrong == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pair(discord: Loopback, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pair]:
    pair = await Pair(discord, tmp_path_factory.mktemp("home")).start()
    yield pair
    for process in pair.processes:
        await process.kill()
        assert not (said := tracebacks(process.log)), "\n\n".join(said)


def told_once(asked: Asked) -> None:
    """Fails where anything is said twice, or one process has refused what the other did."""
    said = Counter("\n".join(words(message)) for message in asked.messages if message is not asked.source)
    assert said, "it was never answered"
    assert max(said.values()) == 1, said
    refused = [line for line in said for refusal in REFUSALS if refusal in line]
    assert not refused, refused


async def both_at_once(discord: Loopback, give: Give) -> Asked:
    return await give(None).done()


async def one_after_the_other(discord: Loopback, give: Give) -> Asked:
    """The second hears of it when the first has answered."""
    first, second = (session for session in discord.link.sessions if session.socket is not None)
    asked = await give(first).done()
    await quiet(0.1)
    discord.pass_on(asked, second)
    return asked


async def the_first_is_slow_to_answer(discord: Loopback, give: Give) -> Asked:
    """The first has done it, and its answer is under way, when the second hears of it."""
    first, second = (session for session in discord.link.sessions if session.socket is not None)
    discord.faults.delay("POST", CALLBACK, 0.4)
    asked = give(first)
    await until(lambda: discord.faults.left == [], "the first's answer")
    discord.pass_on(asked, second)
    return await asked.done()


WAYS = (both_at_once, one_after_the_other, the_first_is_slow_to_answer)


@pytest.mark.parametrize("way", one_a_day(WAYS))
async def test_whatever_is_asked_is_done_once_and_answered_once(discord: Loopback, pair: Pair, way: Any) -> None:
    every: list[Asked] = []

    async def give(command: str, who: Person = GORDON, channel: int = TABLE, **options: Any) -> Asked:
        asked = await way(discord, lambda process: discord.ask(command, who, channel, heard_by=process, **options))
        await settled(asked)
        return asked

    async def press(message: dict[str, Any], custom_id: str, who: Person) -> Asked:
        asked = await way(discord, lambda process: discord.press(message, custom_id, who, heard_by=process))
        await settled(asked)
        return asked

    async def settled(asked: Asked) -> None:
        await until(lambda: any(message is not asked.source for message in asked.messages), "an answer")
        await quiet(0.2)
        every.append(asked)
        told_once(asked)
        assert discord.posted == []

    one, _ = pair.sessions
    await discord.ask("game end", GORDON, TABLE, heard_by=one, confirm=True).done()
    opened = await give("game new", rules="magdala", scenario="suakin-1885")
    assert "Suakin" in opened.text
    await press(opened.messages[0], button(opened, "British"), KITCHENER)
    await give("game leave", KITCHENER)
    await give("game join", KITCHENER, side="British")
    rolled = await give("roll", KITCHENER, dice="2d6", label="wind")
    secret = await give("roll", KITCHENER, dice="2d6", label="ambush", secret=True)
    assert secret.private
    await give("unit add", troop="british-breechloaders", side="british", name="Reserve")
    await give("unit add", troop="british-breechloaders", side="british", name="Reserve 2")
    await give("unit remove", unit="Reserve 2")
    asking = await give("game undo")
    await press(asking.messages[0], button(asking, "Take it back"), GORDON)
    await give("game redo")
    turn = await give("turn next")
    assert turn.text.count(f"<@{KITCHENER.id}>: it is your turn.") == 1
    await give("dice reveal")
    dry = f"Khor {WAYS.index(way)} is dry in summer."
    await give("ruling record", text=dry)
    await give("move", unit="1st Berkshires", to="forward 1")
    await give("turn next")
    await give("fire", unit="Riflemen of Hashin", target="1st Berkshires")  # and no turn after it: a test may be owed
    discord.files.clear()
    log = await discord.ask("game log", GORDON, TABLE, last=100).done()
    assert rolled.text
    told = log_text(discord, log)
    assert told.count("Kitchener rolls wind") == 1
    assert told.count("Kitchener rolls ambush") == 1
    assert told.count("took back 1 action") == 1
    assert told.count("**Riflemen of Hashin fire at 1st Berkshires") == 1
    house = (await discord.ask("ruling list", GORDON, TABLE).done()).text
    assert house.count(dry) == 1
    ended = await give("game end", confirm=True)
    assert "The game is over" in ended.text
    await quiet(0.5)
    for asked in every:
        told_once(asked)
    assert discord.posted == []


@pytest.mark.parametrize("way", WAYS)
async def test_a_roll_without_a_game_is_thrown_for_everyone_to_see_by_one_alone(
    discord: Loopback, pair: Pair, way: Any
) -> None:
    asked = await way(discord, lambda process: discord.ask("roll", ONLOOKER, NO_GAME, heard_by=process, dice="6d6"))
    await quiet(0.5)
    assert len(asked.messages) == 1
    assert discord.posted == []
    again = await discord.ask("roll", ONLOOKER, NO_GAME, dice="1d6").done()
    await quiet()
    assert len(again.messages) == 1, "nothing was kept to be told later"


@pytest.mark.parametrize("way", WAYS)
async def test_the_buttons_of_a_game_are_taken_once(discord: Loopback, pair: Pair, way: Any) -> None:
    asked = await new_game(discord, SOLO, "empire", "el-teb-1884")
    for label in ("British done", "British first"):
        custom_id = button(asked, label)
        message = next(one for one in asked.messages if custom_id in str(one["components"]))
        asked = await way(discord, lambda process: discord.press(message, custom_id, GORDON, process))  # noqa: B023
        await quiet(0.6)
        told_once(asked)
    assert discord.posted == []


@pytest.mark.parametrize("way", WAYS)
async def test_rooms_are_made_once_and_either_process_knows_them(discord: Loopback, pair: Pair, way: Any) -> None:
    one, other = pair.sessions
    await new_game(discord, NO_GAME, "magdala", "suakin-1885")
    before = set(discord.world.threads)
    discord.faults.delay("POST", "/channels/.*/threads", 0.3)
    asked = await way(discord, lambda process: discord.ask("umpire rooms", GORDON, NO_GAME, heard_by=process))
    await until(lambda: asked.finished_at is not None, "an answer")
    await quiet(0.6)
    made = sorted({*discord.world.threads} - before)
    assert len(made) == 2
    assert [discord.world.in_thread[thread] for thread in made] == [{GORDON.id}, {GORDON.id}]
    assert asked.private
    assert all(f"/{thread}" in asked.text for thread in made)
    for process in (one, other):
        status = await discord.ask("turn status", GORDON, made[0], heard_by=process).done()
        assert "Turn 1" in status.text
    first = [message for message in discord.posted if int(message["channel_id"]) in made]
    assert len(first) == 2
    await discord.ask("game end", GORDON, NO_GAME, heard_by=one, confirm=True).done()
    await until(lambda: len(discord.posted) == 4, "the last word in each room")
    discord.posted.clear()


async def test_what_is_typed_is_completed_by_one_alone(discord: Loopback, pair: Pair) -> None:
    typed = await discord.type_in("rule", GORDON, NO_GAME, "topic", "mor").answered()
    await quiet()
    assert typed.data["choices"]


@pytest.mark.parametrize("way", WAYS)
async def test_a_form_is_shown_once_and_taken_once(discord: Loopback, pair: Pair, way: Any) -> None:
    asked = await way(
        discord, lambda process: discord.ask("ruling ask", GORDON, NO_GAME, heard_by=process, question="Camels?")
    )
    form = await way(
        discord, lambda process: discord.press(asked.messages[0], button(asked, "Keep"), GORDON, heard_by=process)
    )
    words_of_it = f"Camels climb {WAYS.index(way)} times."
    sent = await way(discord, lambda process: discord.fill_in(form, words_of_it, GORDON, process))
    await quiet(0.5)
    told_once(sent)
    house = await discord.ask("ruling list", GORDON, NO_GAME, search=words_of_it).done()
    assert house.text.count(words_of_it) == 1


@pytest.mark.parametrize("way", WAYS)
async def test_an_order_sheet_is_written_and_done_once(discord: Loopback, pair: Pair, way: Any) -> None:
    await new_game(discord, BESIDE, "magdala", "suakin-1885")
    one, _ = pair.sessions
    await discord.ask("game join", KITCHENER, BESIDE, heard_by=one, side="mahdists").done()
    text = "Amarar: forward 3; Arteiga: forward 3"
    sheet = await way(
        discord, lambda heard_by: discord.ask("turn orders", KITCHENER, BESIDE, text=text, heard_by=heard_by)
    )
    await quiet()
    assert sheet.text.count("Amarar: forward 3") == 1
    opened = sheet.messages[0]
    done = await way(discord, lambda heard_by: discord.press(opened, sheet.buttons["Do all"], KITCHENER, heard_by))
    await quiet()
    told_once(done)
    assert done.text.count("2 orders") == 1
    with closing(sqlite3.connect(pair.processes[0].home / "umpire.db")) as database:
        moves = "SELECT part FROM entries JOIN games ON game = games.id WHERE kind = 'move' AND ended IS NULL"
        assert database.execute(f"{moves} AND channel = {BESIDE}").fetchall() == [(0,), (1,)]
    assert not discord.posted


async def test_where_discord_forgot_it_for_both_the_channel_is_told_once(discord: Loopback, pair: Pair) -> None:
    await new_game(discord, BESIDE, "magdala", "suakin-1885")
    discord.faults.refuse("POST", CALLBACK, 404, 10062, times=2)
    discord.ask("unit add", GORDON, BESIDE, troop="british-breechloaders", side="british", name="Reserve")
    await until(lambda: discord.faults.left == [] and discord.posted, "the message to the channel")
    await quiet(0.5)
    (message,) = discord.posted
    assert "Reserve" in "\n".join(words(message))
    discord.posted.clear()


async def test_one_alone_reminds_whose_turn_it_is_and_the_bytes_mention_nobody_else(
    discord: Loopback, pair: Pair
) -> None:
    one, _ = pair.sessions
    await new_game(discord, BESIDE, "magdala", "suakin-1885")
    for who, side in ((KITCHENER, "mahdists"), (ONLOOKER, "british")):
        await discord.ask("game join", who, BESIDE, heard_by=one, side=side).done()
    await discord.ask("game clock", GORDON, BESIDE, heard_by=one, hours=10).done()
    asked = len(discord.sent)
    for count in (1, 2):
        let_pass(pair.processes[0].home, 5)
        await discord.ask("roll", GORDON, BESIDE, heard_by=one, dice="d6").done()
        await until(lambda: len(discord.posted) == count, "the reminder")  # noqa: B023
        await quiet(0.5)
    assert len(discord.posted) == 2
    posts = (one for one in discord.sent[asked:] if one.method == "POST" and one.path.endswith("/messages"))
    sent = [json.loads(one.raw) for one in posts]
    assert [body["allowed_mentions"]["users"] for body in sent] == [[KITCHENER.id], [KITCHENER.id, GORDON.id]]
    assert [body["allowed_mentions"]["parse"] for body in sent] == [[], []]
    assert all(body["enforce_nonce"] and body["nonce"] for body in sent)
    assert f"<@{ONLOOKER.id}>" not in json.dumps(sent)
    discord.posted.clear()


def let_pass(home: Path, hours: float) -> None:
    """As if all had been done so many hours earlier."""
    with closing(sqlite3.connect(home / "umpire.db")) as database, database:
        for game, seq, at in database.execute("SELECT game, seq, at FROM entries").fetchall():
            earlier = str(datetime.fromisoformat(at) - timedelta(hours=hours))
            database.execute("UPDATE entries SET at = ? WHERE game = ? AND seq = ?", (earlier, game, seq))


async def test_what_a_process_did_before_it_died_the_other_answers(discord: Loopback, pair: Pair) -> None:
    await new_game(discord, BESIDE, "magdala", "suakin-1885")
    first, second = pair.sessions
    discord.faults.refuse("POST", CALLBACK, 500)
    options = {"troop": "british-breechloaders", "side": "british", "name": "The last reserve"}
    asked = discord.ask("unit add", GORDON, BESIDE, heard_by=first, **options)
    await until(lambda: discord.faults.left == [], "the first's answer")
    await pair.processes[0].kill()
    assert not asked.messages
    discord.pass_on(asked, second)
    await asked.done()
    assert "The last reserve" in asked.text
    there = await discord.ask("unit list", GORDON, BESIDE, side="British").done()
    assert there.text.count("The last reserve") == 1


async def new_game(discord: Loopback, channel: int, rules: str, scenario: str) -> Asked:
    """A new game, of which one process alone has heard: no answer of the other is still to come."""
    one, _ = (session for session in discord.link.sessions if session.socket is not None)
    await discord.ask("game end", GORDON, channel, heard_by=one, confirm=True).done()
    return await discord.ask("game new", GORDON, channel, heard_by=one, rules=rules, scenario=scenario).done()


def button(asked: Asked, label: str) -> str:
    return next(custom_id for said, custom_id in asked.buttons.items() if label in said)


def log_text(discord: Loopback, log: Asked) -> str:
    """The log, of which a long one is a file."""
    file = next((data for name, data in discord.files.items() if name.startswith("log-")), b"")
    return file.decode() or log.text
