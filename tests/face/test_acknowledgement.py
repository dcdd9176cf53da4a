"""Nobody waits for a first answer: not for a worker that draws, nor for a database that does not answer."""

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
from .test_malformed import put_up

HELP = "umpire:help:start"
SHOWN, THINKING, HELD = 4, 5, 6
"""Discord's numbers of first answers: a message, "thinking…", and nothing to be seen."""
GALLERY = 12
TURNS = 2000
"""Turns of the loop after which what is waited for will not come."""
DONE = "Here it is."


async def until(true: Callable[[], bool]) -> None:
    """Waits some turns of the loop for it."""
    for _ in range(TURNS):
        if true():
            return
        await asyncio.sleep(0)


async def waits(interaction: Interaction) -> None:
    """As for a database that does not answer, until it is acknowledged."""
    await until(lambda: reply.is_answered(interaction))


async def waits_and_answers(interaction: Interaction) -> None:
    """The same, and then answers everyone."""
    await waits(interaction)
    await reply.send(interaction, Card().text(DONE))


def first_answers(table: Table) -> list[dict[str, Any]]:
    """What interactions were first answered."""
    return [one.json for one in table.env.backend.http_requests if one.path.endswith("/callback") and one.json]


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """All time is up at once, where no clock goes."""

    def start(interaction: Interaction) -> asyncio.Handle:
        return asyncio.get_running_loop().call_soon(reply.acknowledge_aside, interaction)

    monkeypatch.setattr(reply, "start_timer", start)


def test_what_is_looked_up_is_acknowledged_within_three_tenths_of_a_second() -> None:
    assert request.LOOK_UP_SECONDS + illustration.DRAWN_WITHIN <= 0.3
    assert request.ACKNOWLEDGE_SECONDS < 3


@pytest.mark.parametrize(("name", "begun"), [("rule", ["acknowledging"]), ("roll", [])])
async def test_a_look_up_has_less_time_than_another_command(
    table: Table, monkeypatch: pytest.MonkeyPatch, name: str, begun: list[str]
) -> None:
    done: list[str] = []

    def do(what: str, _: Any, work: Any) -> None:
        done.append(what)
        work.close()

    monkeypatch.setattr(request, "LOOK_UP_SECONDS", 0)
    client, command = SimpleNamespace(background_tasks=SimpleNamespace(do=do)), table.env.bot.tree.get_command(name)
    interaction: Any = SimpleNamespace(id=1, command=command, client=client, extras={})
    timer = reply.start_timer(interaction)
    await asyncio.sleep(0.01)
    timer.cancel()
    assert done == begun


def test_these_commands_look_something_up(table: Table) -> None:
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    every = (one for one in bot.tree.walk_commands() if isinstance(one, app_commands.Command))
    marked = {one.qualified_name for one in every if is_look_up(one)}
    lists = {f"{noun} {verb}" for noun in ("unit", "scenario", "army") for verb in ("list", "show")}
    assert marked == {
        "rule",
        "help",
        "odds",
        "turn status",
        "campaign status",
        "campaign gazette",
        "campaign dispatches",
        *lists,
    }


@pytest.mark.usefixtures("at_once")
async def test_a_look_up_that_takes_long_is_acknowledged_before_all_else(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def show(interaction: Interaction, *_: Any, **__: Any) -> None:
        await waits_and_answers(interaction)

    monkeypatch.setattr(rule_cog, "show_rule", show)
    answered = await table.give(table.onlooker, "rule", topic="morale")
    assert first_answers(table)[-1]["type"] == THINKING
    assert text(answered.announced) == DONE
    assert [text(one) for one in table.channel.history()] == [DONE], "nothing is left that thinks"


@pytest.mark.usefixtures("at_once")
async def test_a_command_that_waits_for_the_database_is_acknowledged(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "find_room", waits)
    rolled = await table.give(table.onlooker, "roll", dice="1d6")
    assert first_answers(table)[-1]["type"] == THINKING
    assert "1d6" in text(rolled.announced).casefold()


@pytest.mark.usefixtures("at_once")
async def test_a_button_that_waits_is_acknowledged(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(help_cog.HelpButton, "handle", lambda _, interaction: waits_and_answers(interaction))
    pressed = await table.press(table.onlooker, await put_up(table, HELP), custom_id=HELP)
    assert first_answers(table)[-1]["type"] == HELD
    assert text(pressed.announced) == DONE


@pytest.mark.usefixtures("at_once")
async def test_a_form_that_would_open_too_late_is_asked_for_again(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = await table.give(table.british, "ruling ask", question="May camels climb?")
    monkeypatch.setattr(control, "find_room", waits)
    late = await table.press(table.british, asked.announced, "Keep a house rule")
    assert late.result.modal is None
    assert "Try again" in text(late.private[-1])


@pytest.mark.usefixtures("at_once")
async def test_a_completion_is_left_its_time(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def enters(_: Interaction) -> None:
        for _ in range(100):
            await asyncio.sleep(0)

    monkeypatch.setattr(errors, "find_room", enters)
    assert await table.complete(table.onlooker, "help", "topic", "start") == ["start"]


def drawn_after(table: Table, monkeypatch: pytest.MonkeyPatch, fails: bool = False) -> None:
    """Workers, busy or just starting, that draw when something was answered; not before."""
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    run = bot.workers.run

    async def busy(job: Callable[..., Any], /, *args: Any, **options: Any) -> Any:
        await until(lambda: bool(table.channel.history()))
        if fails:
            raise ZeroDivisionError
        return await run(job, *args, **options)

    async def never(_: object) -> bool:
        return False

    monkeypatch.setattr(bot.workers, "run", busy)
    monkeypatch.setattr(illustration, "ends_soon", never)


def galleries(components: Any) -> int:
    return sum(1 for one in walk_components(components) if one.get("type") == GALLERY)


async def test_a_rules_page_is_told_in_words_and_its_tables_are_added(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_after(table, monkeypatch)
    answered = await table.give(table.onlooker, "rule", topic="MM-4.4")
    (shown,) = (await table.press(table.onlooker, answered.announced, "More")).private
    first = first_answers(table)[-1]
    assert first["type"] == SHOWN
    assert galleries(first["data"]["components"]) == 0
    assert "MM-4.4" in str(first["data"]["components"])
    assert galleries(shown.components) == len(shown.attachments) > 0


async def test_a_rule_whose_tables_cannot_be_drawn_stands_in_words(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_after(table, monkeypatch, fails=True)
    answered = await table.give(table.onlooker, "rule", topic="MM-4.4")
    (shown,) = (await table.press(table.onlooker, answered.announced, "More")).private
    assert "MM-4.4" in text(shown)
    assert galleries(shown.components) == 0


async def test_dice_thrown_without_a_game_are_told_before_they_are_drawn(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn_after(table, monkeypatch)
    answered = await table.give(table.onlooker, "fire", rules="great_war", troop="infantry", range=2)
    (first,) = first_answers(table)
    assert galleries(first["data"]["components"]) == 0
    assert [one.filename for one in answered.announced.attachments] == ["dice.png"]
