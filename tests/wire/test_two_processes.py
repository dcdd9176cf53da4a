"""Two processes that receive the same interactions, as during an update: each interaction is answered once."""

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

from tests.daily_choice import one_a_day

from .gateway import Session
from .interaction import Interaction, list_words
from .loopback import Loopback
from .process import Process, find_tracebacks
from .waiting import pause, wait_until
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
TABLE, SECOND_TABLE, NO_GAME, SOLO = CHANNELS

Give = Callable[[Session | None], Interaction]
"""Gives a command or presses a button. Only the given process receives the interaction; with None, both do."""


class Pair:
    """Two processes on one database, in the order of their start."""

    def __init__(self, discord: Loopback, home: Path) -> None:
        self.discord = discord
        command = "-m", "tests.wire.short_waits"
        self.processes = [Process(discord, home, command, UMPIRE_WORKERS="0") for _ in range(2)]

    async def start(self) -> "Pair":
        for process in self.processes:
            await process.start()
        return self

    @property
    def sessions(self) -> list[Session]:
        return [session for session in self.discord.gateway.sessions if session.socket is not None]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def discord() -> AsyncIterator[Loopback]:
    loopback = Loopback()
    await loopback.start()
    yield loopback
    await loopback.close()
    assert loopback.errors == []


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def pair(discord: Loopback, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Pair]:
    pair = await Pair(discord, tmp_path_factory.mktemp("home")).start()
    yield pair
    for process in pair.processes:
        await process.kill()
        assert not (tracebacks := find_tracebacks(process.log)), "\n\n".join(tracebacks)


def require_answered_once(interaction: Interaction) -> None:
    """Fail if the bot shows a text twice, or if one process refuses an action that the other executed."""
    texts = Counter(
        "\n".join(list_words(message)) for message in interaction.messages if message is not interaction.source
    )
    assert texts, "the interaction was never answered"
    assert max(texts.values()) == 1, texts
    refused = [line for line in texts for refusal in REFUSALS if refusal in line]
    assert not refused, refused


async def deliver_to_both(discord: Loopback, give: Give) -> Interaction:
    return await give(None).wait()


async def deliver_in_turn(discord: Loopback, give: Give) -> Interaction:
    """Deliver the interaction to the second process after the first has answered."""
    first, second = (session for session in discord.gateway.sessions if session.socket is not None)
    interaction = await give(first).wait()
    await pause(0.1)
    discord.deliver_to(interaction, second)
    return interaction


async def deliver_during_answer(discord: Loopback, give: Give) -> Interaction:
    """Deliver the interaction to the second process while the answer of the first is under way."""
    first, second = (session for session in discord.gateway.sessions if session.socket is not None)
    discord.faults.delay("POST", CALLBACK, 0.4)
    interaction = give(first)
    await wait_until(lambda: discord.faults.pending == [], "the first's answer")
    discord.deliver_to(interaction, second)
    return await interaction.wait()


DELIVERIES = (deliver_to_both, deliver_in_turn, deliver_during_answer)


@pytest.mark.parametrize("deliver", one_a_day(DELIVERIES))
async def test_commands_are_executed_and_answered_once(discord: Loopback, pair: Pair, deliver: Any) -> None:
    answers: list[Interaction] = []

    async def give(command: str, person: Person = GORDON, channel: int = TABLE, **options: Any) -> Interaction:
        interaction = await deliver(
            discord, lambda process: discord.ask(command, person, channel, heard_by=process, **options)
        )
        await require_settled(interaction)
        return interaction

    async def press(message: dict[str, Any], custom_id: str, person: Person) -> Interaction:
        interaction = await deliver(
            discord, lambda process: discord.press(message, custom_id, person, heard_by=process)
        )
        await require_settled(interaction)
        return interaction

    async def require_settled(interaction: Interaction) -> None:
        await wait_until(
            lambda: any(message is not interaction.source for message in interaction.messages), "an answer"
        )
        await pause(0.2)
        answers.append(interaction)
        require_answered_once(interaction)
        assert discord.posts == []

    session, _ = pair.sessions
    await discord.ask("game end", GORDON, TABLE, heard_by=session, confirm=True).wait()
    opened = await give("game new", rules="magdala", scenario="suakin-1885")
    assert "Suakin" in opened.text
    await press(opened.messages[0], find_button(opened, "British"), KITCHENER)
    await give("game leave", KITCHENER)
    await give("game join", KITCHENER, side="British")
    rolled = await give("roll", KITCHENER, dice="2d6", label="wind")
    secret = await give("roll", KITCHENER, dice="2d6", label="ambush", secret=True)
    assert secret.is_private
    await give("unit add", troop="british-breechloaders", side="british", name="Reserve")
    await give("unit add", troop="british-breechloaders", side="british", name="Reserve 2")
    await give("unit remove", unit="Reserve 2")
    asking = await give("game undo")
    await press(asking.messages[0], find_button(asking, "Take it back"), GORDON)
    await give("game redo")
    turn = await give("turn next")
    assert turn.text.count(f"<@{KITCHENER.id}>: it is your turn.") == 1
    await give("dice reveal")
    dry = f"Khor {DELIVERIES.index(deliver)} is dry in summer."
    await give("ruling record", text=dry)
    await give("move", unit="1st Berkshires", to="forward 1")
    await give("turn next")
    await give("fire", unit="Riflemen of Hashin", target="1st Berkshires")  # the last: it may require a test
    discord.sent_files.clear()
    log = await discord.ask("game log", GORDON, TABLE, last=100).wait()
    assert rolled.text
    entries = read_log(discord, log)
    assert entries.count("Kitchener rolls wind") == 1
    assert entries.count("Kitchener rolls ambush") == 1
    assert entries.count("took back 1 action") == 1
    assert entries.count("**Riflemen of Hashin fire at 1st Berkshires") == 1
    house = (await discord.ask("ruling list", GORDON, TABLE).wait()).text
    assert house.count(dry) == 1
    ended = await give("game end", confirm=True)
    assert "The game is over" in ended.text
    await pause(0.5)
    for interaction in answers:
        require_answered_once(interaction)
    assert discord.posts == []


@pytest.mark.parametrize("deliver", DELIVERIES)
async def test_public_roll_without_a_game_is_answered_once(discord: Loopback, pair: Pair, deliver: Any) -> None:
    interaction = await deliver(
        discord, lambda process: discord.ask("roll", ONLOOKER, NO_GAME, heard_by=process, dice="6d6")
    )
    await pause(0.5)
    assert len(interaction.messages) == 1
    assert discord.posts == []
    following = await discord.ask("roll", ONLOOKER, NO_GAME, dice="1d6").wait()
    await pause()
    assert len(following.messages) == 1, "no answer was stored for later"


@pytest.mark.parametrize("deliver", DELIVERIES)
async def test_buttons_of_a_game_are_executed_once(discord: Loopback, pair: Pair, deliver: Any) -> None:
    interaction = await start_game(discord, SOLO, "empire", "el-teb-1884")
    for label in ("British done", "British first"):
        custom_id = find_button(interaction, label)
        message = next(
            sent_message for sent_message in interaction.messages if custom_id in str(sent_message["components"])
        )
        interaction = await deliver(discord, lambda process: discord.press(message, custom_id, GORDON, process))  # noqa: B023
        await pause(0.6)
        require_answered_once(interaction)
    assert discord.posts == []


@pytest.mark.parametrize("deliver", DELIVERIES)
async def test_rooms_are_created_once_and_both_processes_know_them(discord: Loopback, pair: Pair, deliver: Any) -> None:
    first_session, second_session = pair.sessions
    await start_game(discord, NO_GAME, "magdala", "suakin-1885")
    before = set(discord.world.threads)
    discord.faults.delay("POST", "/channels/.*/threads", 0.3)
    interaction = await deliver(discord, lambda process: discord.ask("umpire rooms", GORDON, NO_GAME, heard_by=process))
    await wait_until(lambda: interaction.finished_at is not None, "an answer")
    await pause(0.6)
    rooms = sorted({*discord.world.threads} - before)
    assert len(rooms) == 2
    assert [discord.world.in_thread[thread] for thread in rooms] == [{GORDON.id}, {GORDON.id}]
    assert interaction.is_private
    assert all(f"/{thread}" in interaction.text for thread in rooms)
    for process in (first_session, second_session):
        status = await discord.ask("turn status", GORDON, rooms[0], heard_by=process).wait()
        assert "Turn 1" in status.text
    first = [message for message in discord.posts if int(message["channel_id"]) in rooms]
    assert len(first) == 2
    await discord.ask("game end", GORDON, NO_GAME, heard_by=first_session, confirm=True).wait()
    await wait_until(lambda: len(discord.posts) == 4, "the last word in each room")
    discord.posts.clear()


async def test_autocompletion_is_answered_once(discord: Loopback, pair: Pair) -> None:
    interaction = await discord.type_in("rule", GORDON, NO_GAME, "topic", "mor").wait_for_answer()
    await pause()
    assert interaction.data["choices"]


@pytest.mark.parametrize("deliver", DELIVERIES)
async def test_a_form_is_shown_once_and_taken_once(discord: Loopback, pair: Pair, deliver: Any) -> None:
    interaction = await deliver(
        discord, lambda process: discord.ask("ruling ask", GORDON, NO_GAME, heard_by=process, question="Camels?")
    )
    form = await deliver(
        discord,
        lambda process: discord.press(
            interaction.messages[0], find_button(interaction, "Keep"), GORDON, heard_by=process
        ),
    )
    ruling = f"Camels climb {DELIVERIES.index(deliver)} times."
    submitted = await deliver(discord, lambda process: discord.fill_in(form, ruling, GORDON, process))
    await pause(0.5)
    require_answered_once(submitted)
    house = await discord.ask("ruling list", GORDON, NO_GAME, search=ruling).wait()
    assert house.text.count(ruling) == 1


@pytest.mark.parametrize("deliver", DELIVERIES)
async def test_an_order_sheet_is_written_and_done_once(discord: Loopback, pair: Pair, deliver: Any) -> None:
    await start_game(discord, SECOND_TABLE, "magdala", "suakin-1885")
    session, _ = pair.sessions
    await discord.ask("game join", KITCHENER, SECOND_TABLE, heard_by=session, side="mahdists").wait()
    text = "Amarar: forward 3; Arteiga: forward 3"
    sheet = await deliver(
        discord, lambda heard_by: discord.ask("turn orders", KITCHENER, SECOND_TABLE, text=text, heard_by=heard_by)
    )
    await pause()
    assert sheet.text.count("Amarar: forward 3") == 1
    opened = sheet.messages[0]
    executed = await deliver(
        discord, lambda heard_by: discord.press(opened, sheet.buttons["Do all"], KITCHENER, heard_by)
    )
    await pause()
    require_answered_once(executed)
    assert executed.text.count("2 orders") == 1
    with closing(sqlite3.connect(pair.processes[0].home / "umpire.db")) as database:
        moves = "SELECT part FROM entries JOIN games ON game = games.id WHERE kind = 'move' AND ended IS NULL"
        assert database.execute(f"{moves} AND channel = {SECOND_TABLE}").fetchall() == [(0,), (1,)]
    assert not discord.posts


async def test_report_is_posted_once_when_both_answers_are_refused(discord: Loopback, pair: Pair) -> None:
    await start_game(discord, SECOND_TABLE, "magdala", "suakin-1885")
    discord.faults.refuse("POST", CALLBACK, 404, 10062, times=2)
    discord.ask("unit add", GORDON, SECOND_TABLE, troop="british-breechloaders", side="british", name="Reserve")
    await wait_until(lambda: discord.faults.pending == [] and discord.posts, "the message to the channel")
    await pause(0.5)
    (message,) = discord.posts
    assert "Reserve" in "\n".join(list_words(message))
    discord.posts.clear()


async def test_each_reminder_is_sent_once_and_mentions_nobody_else(discord: Loopback, pair: Pair) -> None:
    session, _ = pair.sessions
    await start_game(discord, SECOND_TABLE, "magdala", "suakin-1885")
    for person, side in ((KITCHENER, "mahdists"), (ONLOOKER, "british")):
        await discord.ask("game join", person, SECOND_TABLE, heard_by=session, side=side).wait()
    await discord.ask("game clock", GORDON, SECOND_TABLE, heard_by=session, hours=10).wait()
    start = len(discord.requests)
    for count in (1, 2):
        move_entries_back(pair.processes[0].home, 5)
        await discord.ask("roll", GORDON, SECOND_TABLE, heard_by=session, dice="d6").wait()
        await wait_until(lambda: len(discord.posts) == count, "the reminder")  # noqa: B023
        await pause(0.5)
    assert len(discord.posts) == 2
    posts = (
        request
        for request in discord.requests[start:]
        if request.method == "POST" and request.path.endswith("/messages")
    )
    bodies = [json.loads(post.raw) for post in posts]
    assert [body["allowed_mentions"]["users"] for body in bodies] == [[KITCHENER.id], [KITCHENER.id, GORDON.id]]
    assert [body["allowed_mentions"]["parse"] for body in bodies] == [[], []]
    assert all(body["enforce_nonce"] and body["nonce"] for body in bodies)
    assert f"<@{ONLOOKER.id}>" not in json.dumps(bodies)
    discord.posts.clear()


def move_entries_back(home: Path, hours: float) -> None:
    """Move the times of all entries back by `hours`."""
    with closing(sqlite3.connect(home / "umpire.db")) as database, database:
        for game, seq, at in database.execute("SELECT game, seq, at FROM entries").fetchall():
            earlier = str(datetime.fromisoformat(at) - timedelta(hours=hours))
            database.execute("UPDATE entries SET at = ? WHERE game = ? AND seq = ?", (earlier, game, seq))


async def test_second_process_answers_after_the_first_dies(discord: Loopback, pair: Pair) -> None:
    await start_game(discord, SECOND_TABLE, "magdala", "suakin-1885")
    first, second = pair.sessions
    discord.faults.refuse("POST", CALLBACK, 500)
    options = {"troop": "british-breechloaders", "side": "british", "name": "The last reserve"}
    interaction = discord.ask("unit add", GORDON, SECOND_TABLE, heard_by=first, **options)
    await wait_until(lambda: discord.faults.pending == [], "the first's answer")
    await pair.processes[0].kill()
    assert not interaction.messages
    discord.deliver_to(interaction, second)
    await interaction.wait()
    assert "The last reserve" in interaction.text
    roster = await discord.ask("unit list", GORDON, SECOND_TABLE, side="British").wait()
    assert roster.text.count("The last reserve") == 1


async def start_game(discord: Loopback, channel: int, rules: str, scenario: str) -> Interaction:
    """Start a game through one process alone, so that the other process has no pending answer."""
    session, _ = (session for session in discord.gateway.sessions if session.socket is not None)
    await discord.ask("game end", GORDON, channel, heard_by=session, confirm=True).wait()
    return await discord.ask("game new", GORDON, channel, heard_by=session, rules=rules, scenario=scenario).wait()


def find_button(interaction: Interaction, label: str) -> str:
    return next(custom_id for words, custom_id in interaction.buttons.items() if label in words)


def read_log(discord: Loopback, log: Interaction) -> str:
    """Return the text of the log; a long log is a file."""
    file = next((data for name, data in discord.sent_files.items() if name.startswith("log-")), b"")
    return file.decode() or log.text
