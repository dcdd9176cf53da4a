"""The bot acknowledges every interaction in time, even while a worker or the database is slow."""

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from discord import app_commands
from simcord.components import walk_components

from bot.runtime.client import UmpireBot
from cogs import help as help_cog
from cogs import rule as rule_cog
from cogs.kit import errors, illustration, reply, request
from cogs.kit.cards.card import Card
from cogs.kit.command_traits import is_look_up
from cogs.kit.controls import control
from cogs.kit.request import Interaction

from .table import Table, text
from .test_malformed import post_buttons

HELP = "umpire:help:start"
SHOWN, THINKING, DEFERRED_UPDATE = 4, 5, 6
"""Discord's types of first responses: a message, "thinking…", and a deferred update without visible effect."""
GALLERY = 12
MOST_LOOP_TURNS = 2000
"""Maximum number of event loop turns to wait for a condition."""
DONE = "Here it is."


async def wait_until(condition: Callable[[], bool]) -> None:
    """Wait until the condition is true, at most `MOST_LOOP_TURNS` turns of the event loop."""
    for _ in range(MOST_LOOP_TURNS):
        if condition():
            return
        await asyncio.sleep(0)


async def wait_for_acknowledgement(interaction: Interaction) -> None:
    """Wait until the interaction is acknowledged, like a query of a silent database."""
    await wait_until(lambda: reply.is_answered(interaction))


async def wait_and_answer(interaction: Interaction) -> None:
    """Wait until the interaction is acknowledged, then answer publicly."""
    await wait_for_acknowledgement(interaction)
    await reply.send(interaction, Card().text(DONE))


def first_responses(table: Table) -> list[dict[str, Any]]:
    """Return the bodies of the first responses to interactions."""
    return [
        request.json
        for request in table.env.backend.http_requests
        if request.path.endswith("/callback") and request.json
    ]


@pytest.fixture
def instant_timers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Timers that fire immediately, without a clock."""

    def start(interaction: Interaction) -> asyncio.Handle:
        return asyncio.get_running_loop().call_soon(reply.acknowledge_in_background, interaction)

    monkeypatch.setattr(reply, "start_acknowledgement_timer", start)


def test_a_look_up_is_acknowledged_within_300_milliseconds() -> None:
    assert request.LOOK_UP_SECONDS + illustration.DRAWN_WITHIN <= 0.3
    assert request.ACKNOWLEDGE_SECONDS < 3


@pytest.mark.parametrize(("name", "expected"), [("rule", ["acknowledging"]), ("roll", [])])
async def test_a_look_up_has_less_time_than_another_command(
    table: Table, monkeypatch: pytest.MonkeyPatch, name: str, expected: list[str]
) -> None:
    kinds: list[str] = []

    def do(kind: str, _: Any, work: Any) -> None:
        kinds.append(kind)
        work.close()

    monkeypatch.setattr(request, "LOOK_UP_SECONDS", 0)
    client, command = SimpleNamespace(background_tasks=SimpleNamespace(run=do)), table.env.bot.tree.get_command(name)
    interaction: Any = SimpleNamespace(id=1, command=command, client=client, extras={})
    timer = reply.start_acknowledgement_timer(interaction)
    await asyncio.sleep(0.01)
    timer.cancel()
    assert kinds == expected


def test_some_commands_are_look_ups(table: Table) -> None:
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    every = (command for command in bot.tree.walk_commands() if isinstance(command, app_commands.Command))
    look_ups = {command.qualified_name for command in every if is_look_up(command)}
    lists = {f"{noun} {verb}" for noun in ("unit", "scenario", "army") for verb in ("list", "show")}
    assert look_ups == {
        "rule",
        "help",
        "odds",
        "turn status",
        "campaign status",
        "campaign gazette",
        "campaign dispatches",
        *lists,
    }


@pytest.mark.usefixtures("instant_timers")
async def test_a_slow_look_up_is_acknowledged_first(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def show(interaction: Interaction, *_: Any, **__: Any) -> None:
        await wait_and_answer(interaction)

    monkeypatch.setattr(rule_cog, "answer_question", show)
    answer = await table.give(table.onlooker, "rule", topic="morale")
    assert first_responses(table)[-1]["type"] == THINKING
    assert text(answer.announced) == DONE
    assert [text(message) for message in table.channel.history()] == [DONE], "no message still thinks"


@pytest.mark.usefixtures("instant_timers")
async def test_a_command_that_waits_for_the_database_is_acknowledged(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "load_room", wait_for_acknowledgement)
    rolled = await table.give(table.onlooker, "roll", dice="1d6")
    assert first_responses(table)[-1]["type"] == THINKING
    assert "1d6" in text(rolled.announced).casefold()


@pytest.mark.usefixtures("instant_timers")
async def test_a_button_that_waits_is_acknowledged(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(help_cog.HelpPageButton, "handle", lambda _, interaction: wait_and_answer(interaction))
    pressed = await table.press(table.onlooker, await post_buttons(table, HELP), custom_id=HELP)
    assert first_responses(table)[-1]["type"] == DEFERRED_UPDATE
    assert text(pressed.announced) == DONE


@pytest.mark.usefixtures("instant_timers")
async def test_a_form_too_late_to_open_asks_for_another_press(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    question = await table.give(table.british, "ruling ask", question="May camels climb?")
    monkeypatch.setattr(control, "load_room", wait_for_acknowledgement)
    late = await table.press(table.british, question.announced, "Keep a house rule")
    assert late.result.modal is None
    assert "Try again" in text(late.private[-1])


@pytest.mark.usefixtures("instant_timers")
async def test_a_slow_completion_still_answers(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def enter_slowly(_: Interaction) -> None:
        for _ in range(100):
            await asyncio.sleep(0)

    monkeypatch.setattr(errors, "load_room", enter_slowly)
    assert await table.complete(table.onlooker, "help", "topic", "start") == ["start"]


def delay_drawing(table: Table, monkeypatch: pytest.MonkeyPatch, fails: bool = False) -> None:
    """Let the workers draw only after a message was posted. If `fails`, drawing raises an error."""
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    run = bot.workers.run

    async def busy(job: Callable[..., Any], /, *args: Any, **options: Any) -> Any:
        await wait_until(lambda: bool(table.channel.history()))
        if fails:
            raise ZeroDivisionError
        return await run(job, *args, **options)

    async def never(_: object) -> bool:
        return False

    monkeypatch.setattr(bot.workers, "run", busy)
    monkeypatch.setattr(illustration, "ends_soon", never)


def count_galleries(components: Any) -> int:
    return sum(1 for component in walk_components(components) if component.get("type") == GALLERY)


async def test_a_rules_page_shows_text_before_its_tables_are_drawn(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    delay_drawing(table, monkeypatch)
    answer = await table.give(table.onlooker, "rule", topic="MM-4.4")
    (message,) = (await table.press(table.onlooker, answer.announced, "More")).private
    first = first_responses(table)[-1]
    assert first["type"] == SHOWN
    assert count_galleries(first["data"]["components"]) == 0
    assert "MM-4.4" in str(first["data"]["components"])
    assert count_galleries(message.components) == len(message.attachments) > 0


async def test_a_rule_shows_text_when_its_tables_cannot_be_drawn(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    delay_drawing(table, monkeypatch, fails=True)
    answer = await table.give(table.onlooker, "rule", topic="MM-4.4")
    (message,) = (await table.press(table.onlooker, answer.announced, "More")).private
    assert "MM-4.4" in text(message)
    assert count_galleries(message.components) == 0


async def test_dice_without_a_game_show_text_before_the_picture(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    delay_drawing(table, monkeypatch)
    answer = await table.give(table.onlooker, "fire", rules="great_war", troop="infantry", range=2)
    (first,) = first_responses(table)
    assert count_galleries(first["data"]["components"]) == 0
    assert [attachment.filename for attachment in answer.announced.attachments] == ["dice.png"]
