"""Malformed buttons, menus and forms get a polite private refusal, and log no fault."""

import logging
from collections.abc import Iterator
from typing import Any

import discord
import pytest
import simcord
from discord import ui

from bot.games.rulings import LONGEST
from cogs.kit.cards.card import Card
from cogs.kit.controls.control import LARGEST_ID, MOST_SEQ

from .table import Answer, Message, Table, custom_ids, labels, text
from .test_buttons import get_bot, reload, volley

__all__ = ["volley"]

FORM = 5
OTHER_VERSION = "from another version of Umpire"
BAD_NUMBERS = ("", "-1", "+1", "1.5", "one", "²", "１", "0x1", "1e9", " 1", str(MOST_SEQ + 1), str(2**63), "9" * 40)
"""Texts that cannot number an entry."""


@pytest.fixture(autouse=True)
def no_logged_fault(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """A check that the test logs no error."""
    yield
    records = caplog.get_records("call")
    assert [record for record in records if record.levelno >= logging.ERROR or record.exc_info] == []


async def post_buttons(table: Table, *ids: str) -> Message:
    """Post a message with buttons of these custom ids."""
    card = (
        Card()
        .text("Buttons")
        .buttons([ui.Button(label=f"{n}", custom_id=custom_id) for n, custom_id in enumerate(ids)])
    )
    await get_bot(table).get_partial_messageable(table.channel.id).send(view=card.view())
    return table.newest(table.umpire)


async def press_refused(table: Table, presser: simcord.MemberActor, message: Message, custom_id: str) -> str:
    """Press a button and return the private refusal. Fails if the reply is public."""
    pressed = await table.press(presser, message, custom_id=custom_id)
    assert not pressed.public, custom_id
    return text(pressed.private[-1])


async def game_of(table: Table) -> str:
    return (await get_bot(table).games.running_game(table.channel.id)).id


@pytest.mark.parametrize(
    "malformed",
    [
        "umpire",
        "umpire:",
        "umpire:offer",
        "umpire:offer:x",
        "umpire:offer:x:1:2:3",
        "umpire:old:x",
        "other",
    ],
)
async def test_an_unknown_button_is_refused_and_goes(table: Table, malformed: str) -> None:
    message = await post_buttons(table, malformed, "umpire:help:start")
    assert OTHER_VERSION in await press_refused(table, table.onlooker, message, malformed)
    assert custom_ids(reload(table, message)) == ["umpire:help:start"], "the others stay"


@pytest.mark.parametrize("field", ["seq", "index"])
async def test_an_offer_with_a_bad_number_is_refused_and_goes(table: Table, volley: Message, field: str) -> None:
    game, before = await game_of(table), await table.seq()
    ids = [f"umpire:offer:{game}:{n}:0" if field == "seq" else f"umpire:offer:{game}:5:{n}" for n in BAD_NUMBERS]
    message = await post_buttons(table, *ids)
    assert await press_refused(table, table.mahdist, message, ids[0])
    assert labels(reload(table, message)) == [], "a press removes every invalid button"
    for custom_id in ids[1:]:
        assert await press_refused(table, table.mahdist, await post_buttons(table, custom_id), custom_id)
    assert await table.seq() == before


@pytest.mark.parametrize("seq_and_index", ["5:99", "5:2147483647", "2147483647:0", "0:0", "99999:0"])
async def test_an_offer_out_of_range_is_refused(table: Table, volley: Message, seq_and_index: str) -> None:
    custom_id = f"umpire:offer:{await game_of(table)}:{seq_and_index}"
    assert await press_refused(table, table.mahdist, await post_buttons(table, custom_id), custom_id)


@pytest.mark.parametrize("action", ["undo", "ask", "consent"])
async def test_an_undo_with_a_bad_number_is_refused(table: Table, action: str) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="berkshires", field="casualties", value="5")
    game, before, user = await game_of(table), await table.seq(), table.umpire.id
    last = f":{user}:tag" if action == "consent" else ""
    for number in (*BAD_NUMBERS, "0", "101"):
        custom_id = f"umpire:{action}:{game}:4:{number}{last}"
        assert await press_refused(table, table.umpire, await post_buttons(table, custom_id), custom_id), number
    for number in BAD_NUMBERS:
        custom_id = f"umpire:{action}:{game}:{number}:1{last}"
        assert await press_refused(table, table.umpire, await post_buttons(table, custom_id), custom_id), number
    if action == "consent":
        for number in (
            *(bad_number for bad_number in BAD_NUMBERS if bad_number != str(MOST_SEQ + 1)),
            str(LARGEST_ID + 1),
        ):
            custom_id = f"umpire:consent:{game}:4:1:{number}:tag"
            assert await press_refused(table, table.umpire, await post_buttons(table, custom_id), custom_id), number
    assert await table.seq() == before


async def test_a_forged_consent_button_is_refused(table: Table) -> None:
    """Forged buttons name as requester the umpire, who needs no consent, or another player."""
    await table.start()
    await table.give(table.mahdist, "fire", unit="rifles-hashin", target="berkshires")
    preview = await table.give(table.mahdist, "game undo")
    question = (await table.press(table.mahdist, preview.private[0], "Ask the table")).announced
    (own,) = (custom_id for custom_id in custom_ids(question) if custom_id.startswith("umpire:consent:"))
    before = await table.seq()
    for asker in (table.umpire, table.british):
        forged = own.replace(str(table.mahdist.id), str(asker.id))
        for presser in (table.onlooker, table.mahdist):
            assert await press_refused(table, presser, await post_buttons(table, forged), forged)
    assert await table.seq() == before
    agreed = await table.press(table.british, question, "Consent")
    assert "**bertie** consents" in agreed.text


MISSING_THINGS = [
    "umpire:join:{game}:nobody",
    "umpire:join:nogame:british",
    "umpire:end:nogame",
    "umpire:waive:{game}:x",
    "umpire:owed:{game}:",
    "umpire:owed:nogame:0",
    "umpire:offer:nogame:1:0",
    "umpire:details:nogame:1:1",
    "umpire:details:{game}:9:3",
    "umpire:help:nothing at all",
]


async def test_a_button_that_names_a_missing_thing_is_refused(table: Table) -> None:
    await table.start()
    for custom_id in MISSING_THINGS:
        game_custom_id = custom_id.format(game=await game_of(table))
        pressed = await table.press(table.umpire, await post_buttons(table, game_custom_id), custom_id=game_custom_id)
        assert not pressed.public
        assert text(pressed.private[-1])


async def test_a_button_of_another_channels_game_does_nothing(table: Table, volley: Message) -> None:
    custom_id, _ = custom_ids(volley)
    before = await table.seq()
    elsewhere = table.guild.create_text_channel("elsewhere")
    card = Card().buttons([ui.Button(label="Morale", custom_id=custom_id)])
    await get_bot(table).get_partial_messageable(elsewhere.id).send(view=card.view())
    (message,) = elsewhere.history()
    pressed = await table.press(table.mahdist, message, "Morale")
    assert "No game runs in this channel" in pressed.private_text
    assert await table.seq() == before


async def test_a_menu_without_a_choice_is_refused(table: Table) -> None:
    message = await post_buttons(table, "umpire:rules")
    assert OTHER_VERSION in await press_refused(table, table.onlooker, message, "umpire:rules")


async def test_a_menu_choice_of_an_unknown_rule_is_refused(table: Table) -> None:
    choice = discord.SelectOption(label="Ballistae", value="no-such-system XX-9")
    card = Card().menu(ui.Select(custom_id="umpire:rules", options=[choice]))  # type: ignore[arg-type]
    await get_bot(table).get_partial_messageable(table.channel.id).send(view=card.view())
    chosen = Answer(await table.onlooker.select(table.newest(table.umpire), ["no-such-system XX-9"]))
    assert "No rule matches" in chosen.private_text


async def send_form(table: Table, custom_id: str, **fields: str) -> Answer:
    """Submit a form with this custom id."""
    parts: list[dict[str, Any]] = [
        {"type": 18, "id": number, "component": {"type": 4, "id": number + 10, "custom_id": name, "value": words}}
        for number, (name, words) in enumerate(fields.items(), 1)
    ]
    data = {"custom_id": custom_id, "components": parts}
    result = await table.british._dispatch_interaction(FORM, table.channel, data)
    assert result.acknowledged
    return Answer(result)


async def test_a_form_opened_before_a_restart_is_accepted(table: Table) -> None:
    answer = await table.give(table.british, "ruling ask", question="May camels climb?")
    form = await table.press(table.british, answer.announced, "Keep a house rule")
    (custom_id,) = [component["component"]["custom_id"] for component in form.result.modal["components"]]
    await table.restart()
    result = await table.british.submit_modal(form.result, {custom_id: "A khor is dry in summer."})
    assert "A khor is dry in summer" in text(Answer(result).announced)


async def test_a_form_of_another_version_returns_its_text(table: Table) -> None:
    answer = await send_form(table, "0123456789abcdef", first="A khor is *dry*", second="in summer")
    assert OTHER_VERSION in answer.private_text
    assert "in summer" in answer.private_text


@pytest.mark.parametrize("fields", [{}, {"other": "words"}, {"words": ""}, {"words": "x" * (LONGEST + 1)}])
async def test_a_form_with_unexpected_fields_is_refused(table: Table, fields: dict[str, str]) -> None:
    answer = await send_form(table, "umpire:form:record", **fields)
    assert answer.private_text


async def test_a_removed_command_is_refused_politely(table: Table) -> None:
    get_bot(table).tree.remove_command("roll")
    gone = await table.give(table.onlooker, "roll", dice="1d6")
    assert "has changed" in gone.private_text
