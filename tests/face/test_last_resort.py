"""Whatever goes wrong, whoever asked is answered: commands, completions, buttons, menus and forms."""

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
from rules.core.refusal_with_map import RefusedInSight
from rules.core.report import Prompt
from rules.core.scene import Sight

from .table import Answer, Message, Table, raw, text
from .test_malformed import put_up, send_form

Doing = Callable[[Interaction], Awaitable[None]]
HELP, RECORD = "umpire:help:start", "umpire:form:record"
WENT_WRONG = "went wrong on our side"


@pytest.fixture(autouse=True)
def faults_are_meant(expected_faults: list[type[Exception]]) -> None:
    """The errors that these tests bring about."""
    expected_faults += [ZeroDivisionError, KeyError, TypeError]


async def nothing(_: Interaction) -> None:
    """Ends without an answer."""


async def fails(_: Interaction) -> None:
    """Fails before anything is answered."""
    raise ZeroDivisionError


async def fails_after_thinking(interaction: Interaction) -> None:
    """Fails with "thinking…" on the screen."""
    await reply.think(interaction)
    raise ZeroDivisionError


async def fails_after_an_answer(interaction: Interaction) -> None:
    """Fails with the answer on the screen."""
    await reply.send(interaction, Card().text("Answered."))
    raise ZeroDivisionError


async def only_thinks(interaction: Interaction) -> None:
    """Leaves "thinking…" on the screen."""
    await reply.think(interaction)


DOINGS = [nothing, fails, fails_after_thinking, fails_after_an_answer, only_thinks]


@pytest.fixture(params=DOINGS, ids=[one.__name__ for one in DOINGS])
def doing(request: pytest.FixtureRequest) -> Doing:
    """What becomes of the interaction."""
    found: Doing = request.param
    return found


@pytest.fixture(params=[False, True], ids=["", "with a broken handler of errors"])
def broken(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The handler of errors, too, may fail."""

    async def card_of(*_: Any) -> Card:
        raise KeyError("no game")

    if request.param:
        monkeypatch.setattr(errors, "card_of", card_of)


def private_or_public_text(answered: Answer) -> str:
    """What is told privately at last; nothing is left that says "thinking…"."""
    assert answered.result.acknowledged
    assert not answered.result.deferred or answered.messages
    return text(answered.private[-1])


async def menu_chosen(table: Table) -> Answer:
    asked = await table.give(table.onlooker, "rule", topic="MM-5")
    (page,) = (await table.press(table.onlooker, asked.announced, "More")).private
    value = next(part["options"][0]["value"] for part in parts_of(page) if part.get("options"))
    return Answer(await table.onlooker.select(page, [value]), pressed=page.id)


def parts_of(message: Message) -> list[dict[str, Any]]:
    return list(walk_components(raw(message)))


@pytest.mark.usefixtures("broken")
async def test_a_command_is_answered(table: Table, doing: Doing, monkeypatch: pytest.MonkeyPatch) -> None:
    async def show(interaction: Interaction, *_: Any, **__: Any) -> None:
        await doing(interaction)

    monkeypatch.setattr(rule_cog, "show_rule", show)
    assert WENT_WRONG in private_or_public_text(await table.give(table.onlooker, "rule", topic="morale"))
    assert WENT_WRONG in private_or_public_text(await table.write(table.onlooker, "rule", topic="morale"))


@pytest.mark.usefixtures("broken")
async def test_a_button_is_answered(table: Table, doing: Doing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(help_cog.HelpButton, "handle", lambda _, interaction: doing(interaction))
    message = await put_up(table, HELP)
    assert WENT_WRONG in private_or_public_text(await table.press(table.onlooker, message, custom_id=HELP))


@pytest.mark.usefixtures("broken")
async def test_a_menu_is_answered(table: Table, doing: Doing, monkeypatch: pytest.MonkeyPatch) -> None:
    real = rule_cog.show_rule

    async def show(interaction: Interaction, *given: Any, **more: Any) -> None:
        await (doing(interaction) if interaction.message is not None else real(interaction, *given, **more))

    monkeypatch.setattr(rule_cog, "show_rule", show)
    assert WENT_WRONG in private_or_public_text(await menu_chosen(table))


@pytest.mark.usefixtures("broken")
async def test_a_form_is_answered(table: Table, doing: Doing, monkeypatch: pytest.MonkeyPatch) -> None:
    async def submit(interaction: Interaction, _: Any) -> None:
        await doing(interaction)

    monkeypatch.setattr(Form.kinds[RECORD], "submit", submit)
    assert WENT_WRONG in private_or_public_text(await send_form(table, RECORD, words="Camels climb."))


async def test_a_button_that_cannot_be_made_again_is_answered(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    async def from_custom_id(*_: Any) -> help_cog.HelpButton:
        raise ZeroDivisionError

    monkeypatch.setattr(help_cog.HelpButton, "from_custom_id", from_custom_id)
    message = await put_up(table, HELP)
    assert "can no longer be used" in private_or_public_text(await table.press(table.onlooker, message, custom_id=HELP))


async def test_a_command_whose_room_cannot_be_found_out_is_answered(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errors, "find_room", fails)
    assert WENT_WRONG in private_or_public_text(await table.give(table.onlooker, "rule", topic="morale"))


@pytest.mark.parametrize("broken_part", ["room", "find", "offer"])
async def test_a_completion_is_answered_with_no_choices(
    table: Table, monkeypatch: pytest.MonkeyPatch, broken_part: str
) -> None:
    bot = table.env.bot
    assert isinstance(bot, UmpireBot)
    if broken_part == "room":
        monkeypatch.setattr(errors, "find_room", fails)
    elif broken_part == "find":
        monkeypatch.setattr(help_cog, "topics", lambda: 1 // 0)
    else:
        parameter = bot.tree.get_command("help")._params["topic"]  # type: ignore[union-attr]
        monkeypatch.setattr(parameter, "autocomplete", lambda *_: fails)
    assert await table.onlooker.autocomplete(table.channel, "help", "topic", "s") == []


async def test_a_refusal_whose_game_is_not_there_is_told_in_words(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of prompts that stand in the way, and of a picture, where no game runs."""
    in_the_way = Prompt(key="k", unit="u", side="s", text="A test", cite=Cite(rule="X-1"), offers=())

    async def show(*_: Any, **__: Any) -> None:
        raise refusals.pop()

    def sight() -> Sight:
        raise AssertionError("there is nothing to draw")

    refusals = [Refused("First the test.", prompts=[in_the_way]), RefusedInSight(Refused("It is too far."), sight)]
    monkeypatch.setattr(rule_cog, "show_rule", show)
    assert private_or_public_text(await table.give(table.onlooker, "rule", topic="morale")) == "It is too far."
    assert private_or_public_text(await table.write(table.onlooker, "rule", topic="morale")) == "First the test."


@pytest.mark.parametrize("first", [fails, fails_after_thinking], ids=["at once", "after thinking"])
async def test_where_no_card_can_be_sent_bare_words_are(
    table: Table, monkeypatch: pytest.MonkeyPatch, first: Doing
) -> None:
    async def send(*_: Any, **__: Any) -> None:
        raise TypeError

    async def show(interaction: Interaction, *_: Any, **__: Any) -> None:
        await first(interaction)

    monkeypatch.setattr(reply, "send", send)
    monkeypatch.setattr(rule_cog, "show_rule", show)
    answered = await table.give(table.onlooker, "rule", topic="morale")
    assert WENT_WRONG in answered.messages[-1].content
