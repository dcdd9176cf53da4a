"""Every interaction is answered, even after a fault: commands, completions, buttons, menus and forms."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from simcord.components import walk_components

from bot.runtime.client import UmpireBot
from cogs import help as help_cog
from cogs import rule as rule_cog
from cogs.kit import errors, reply
from cogs.kit.cards.card import Card
from cogs.kit.controls.form import Form
from cogs.kit.request import Interaction
from rules.core.model import Cite
from rules.core.refusal import Refused
from rules.core.refusal_with_map import RefusedWithSightLines
from rules.core.report import Prompt
from rules.core.scene import SightLines

from .table import Answer, Message, Table, raw, text
from .test_malformed import post_buttons, send_form

Handler = Callable[[Interaction], Awaitable[None]]
HELP, RECORD = "umpire:help:start", "umpire:form:record"
WENT_WRONG = "went wrong on our side"


@pytest.fixture(autouse=True)
def provoked_faults(expected_faults: list[type[Exception]]) -> None:
    """The exceptions that these tests provoke."""
    expected_faults += [ZeroDivisionError, KeyError, TypeError]


async def do_nothing(_: Interaction) -> None:
    """End without an answer."""


async def fail(_: Interaction) -> None:
    """Fail before any answer."""
    raise ZeroDivisionError


async def think_and_fail(interaction: Interaction) -> None:
    """Fail while "thinking…" is shown."""
    await reply.show_thinking(interaction)
    raise ZeroDivisionError


async def answer_and_fail(interaction: Interaction) -> None:
    """Fail after an answer."""
    await reply.send(interaction, Card().text("Answered."))
    raise ZeroDivisionError


async def only_think(interaction: Interaction) -> None:
    """Leave "thinking…" on the screen."""
    await reply.show_thinking(interaction)


HANDLERS = [do_nothing, fail, think_and_fail, answer_and_fail, only_think]


@pytest.fixture(params=HANDLERS, ids=[handler.__name__ for handler in HANDLERS])
def handler(request: pytest.FixtureRequest) -> Handler:
    """A handler that fails to answer its interaction."""
    value: Handler = request.param
    return value


@pytest.fixture(params=[False, True], ids=["", "with a broken handler of errors"])
def error_handler(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """A working and a broken error handler."""

    async def card_of(*_: Any) -> Card:
        raise KeyError("no game")

    if request.param:
        monkeypatch.setattr(errors, "error_card", card_of)


def read_last_answer(answer: Answer) -> str:
    """Return the text of the last private answer. Fails if a message still shows "thinking…"."""
    assert answer.result.acknowledged
    assert not answer.result.deferred or answer.messages
    return text(answer.private[-1])


async def choose_in_menu(table: Table) -> Answer:
    answer = await table.give(table.onlooker, "rule", topic="MM-5")
    (page,) = (await table.press(table.onlooker, answer.announced, "More")).private
    value = next(part["options"][0]["value"] for part in list_parts(page) if part.get("options"))
    return Answer(await table.onlooker.select(page, [value]), pressed=page.id)


def list_parts(message: Message) -> list[dict[str, Any]]:
    return list(walk_components(raw(message)))


@pytest.mark.usefixtures("error_handler")
async def test_a_command_is_answered(table: Table, handler: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    async def show(interaction: Interaction, *_: Any, **__: Any) -> None:
        await handler(interaction)

    monkeypatch.setattr(rule_cog, "answer_question", show)
    assert WENT_WRONG in read_last_answer(await table.give(table.onlooker, "rule", topic="morale"))
    assert WENT_WRONG in read_last_answer(await table.write(table.onlooker, "rule", topic="morale"))


@pytest.mark.usefixtures("error_handler")
async def test_a_button_is_answered(table: Table, handler: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(help_cog.HelpPageButton, "handle", lambda _, interaction: handler(interaction))
    message = await post_buttons(table, HELP)
    assert WENT_WRONG in read_last_answer(await table.press(table.onlooker, message, custom_id=HELP))


@pytest.mark.usefixtures("error_handler")
async def test_a_menu_is_answered(table: Table, handler: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    real = rule_cog.answer_question

    async def show(interaction: Interaction, *args: Any, **kwargs: Any) -> None:
        await (handler(interaction) if interaction.message is not None else real(interaction, *args, **kwargs))

    monkeypatch.setattr(rule_cog, "answer_question", show)
    assert WENT_WRONG in read_last_answer(await choose_in_menu(table))


@pytest.mark.usefixtures("error_handler")
async def test_a_form_is_answered(table: Table, handler: Handler, monkeypatch: pytest.MonkeyPatch) -> None:
    async def submit(interaction: Interaction, _: Any) -> None:
        await handler(interaction)

    monkeypatch.setattr(Form.kinds[RECORD], "submit", submit)
    assert WENT_WRONG in read_last_answer(await send_form(table, RECORD, words="Camels climb."))


async def test_a_button_that_cannot_be_parsed_is_answered(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def from_custom_id(*_: Any) -> help_cog.HelpPageButton:
        raise ZeroDivisionError

    monkeypatch.setattr(help_cog.HelpPageButton, "from_custom_id", from_custom_id)
    message = await post_buttons(table, HELP)
    assert "can no longer be used" in read_last_answer(await table.press(table.onlooker, message, custom_id=HELP))


async def test_a_command_is_answered_when_finding_its_room_fails(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errors, "load_room", fail)
    assert WENT_WRONG in read_last_answer(await table.give(table.onlooker, "rule", topic="morale"))


@pytest.mark.parametrize("broken_part", ["room", "find", "offer"])
async def test_a_completion_is_answered_with_no_choices(
    table: Table, monkeypatch: pytest.MonkeyPatch, broken_part: str
) -> None:
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    if broken_part == "room":
        monkeypatch.setattr(errors, "load_room", fail)
    elif broken_part == "find":
        monkeypatch.setattr(help_cog, "all_help_pages", lambda: 1 // 0)
    else:
        parameter = bot.tree.get_command("help")._params["topic"]  # type: ignore[union-attr]
        monkeypatch.setattr(parameter, "autocomplete", lambda *_: fail)
    assert await table.onlooker.autocomplete(table.channel, "help", "topic", "s") == []


async def test_a_refusal_without_its_game_shows_text(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Refusals with prompts or a picture, without a running game."""
    in_the_way = Prompt(key="k", unit="u", side="s", text="A test", cite=Cite(rule="X-1"), offers=())

    async def show(*_: Any, **__: Any) -> None:
        raise refusals.pop()

    def sight() -> SightLines:
        raise AssertionError("there is nothing to draw")

    refusals = [
        Refused("First the test.", prompts=[in_the_way]),
        RefusedWithSightLines(Refused("It is too far."), sight),
    ]
    monkeypatch.setattr(rule_cog, "answer_question", show)
    assert read_last_answer(await table.give(table.onlooker, "rule", topic="morale")) == "It is too far."
    assert read_last_answer(await table.write(table.onlooker, "rule", topic="morale")) == "First the test."


@pytest.mark.parametrize("first", [fail, think_and_fail], ids=["at once", "after thinking"])
async def test_plain_text_is_sent_when_cards_fail(
    table: Table, monkeypatch: pytest.MonkeyPatch, first: Handler
) -> None:
    async def send(*_: Any, **__: Any) -> None:
        raise TypeError

    async def show(interaction: Interaction, *_: Any, **__: Any) -> None:
        await first(interaction)

    monkeypatch.setattr(reply, "send", send)
    monkeypatch.setattr(rule_cog, "answer_question", show)
    answer = await table.give(table.onlooker, "rule", topic="morale")
    assert WENT_WRONG in answer.messages[-1].content
