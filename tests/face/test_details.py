"""*Details* and `/game detail`: the whole calculation for everyone who may read it, in brief and in full games."""

import pytest
from simcord.components import walk_components

from .loaded_dice import LoadedDice
from .table import DETAILS, Message, Table, has_details, labels, raw, text
from .test_malformed import game_of, post_buttons, press_refused

MAHDISTS, BRITISH = "rifles-hashin", "berkshires"
FIGURES = "2 dice from 12 figures"
"""A part of the volley's calculation."""


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch)


@pytest.fixture
async def volley(table: Table, dice: LoadedDice) -> Message:
    """The message of a volley with two hits, told in brief."""
    await table.start()
    dice.fall(6, 6)
    return (await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)).announced


async def test_details_are_private_and_survive_a_restart(table: Table, volley: Message) -> None:
    assert FIGURES not in text(volley)
    before = list(table.read_by(table.british))
    for _ in range(2):
        details = await table.details(table.onlooker, volley)
        assert "Riflemen of Hashin fire at 1st Berkshires: 2 hits." in details
        assert f"{FIGURES} (MM-3.2): 12, × 1/6 native irregulars, 1 per 6 figures (MM-3.2) = 2" in details
        assert "(MM-3.6): 2D6 [6][6], hits on 6: 2 hits (30.6% to hit at all)" in details
        assert "-# throw 1" in details
        await table.restart()
    assert list(table.read_by(table.british)) == before, "details change no message"
    assert labels(table.newest(table.british)) == labels(volley)


async def test_details_stay_when_the_other_buttons_go(table: Table, volley: Message, dice: LoadedDice) -> None:
    dice.fall(4, 5)
    await table.press(table.british, volley, labels(volley)[0])
    (now,) = (message for message in table.channel.history() if message.id == volley.id)
    assert labels(now) == []
    assert FIGURES in await table.details(table.mahdist, now)


async def test_details_of_an_undone_action_say_so(table: Table, volley: Message) -> None:
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert "taken back" in await table.details(table.onlooker, volley)


async def test_only_its_side_reads_details_of_a_secret_test(table: Table, volley: Message, dice: LoadedDice) -> None:
    dice.fall(4, 5)
    answer = await table.give(table.british, "morale", unit=BRITISH, secret=True)
    name = "british-h1"
    forged = f"umpire:details:{await game_of(table)}:{name}:{name}"
    assert "2D6 [4][5]" in await table.details(table.british, answer.private[0])
    message = await post_buttons(table, forged)
    for actor in (table.mahdist, table.onlooker):
        reply = await press_refused(table, actor, message, forged)
        assert "nothing of this that you may read" in reply
    assert "2D6 [4][5]" in await press_refused(table, table.british, message, forged)
    await table.give(table.umpire, "roll", dice="1d6")
    last = (await table.env.bot.games.running_game(table.channel.id)).counts.entries
    everything = f"umpire:details:{await game_of(table)}:1:{last}"
    message = await post_buttons(table, everything)
    assert "2D6 [4][5]" not in await press_refused(table, table.mahdist, message, everything)
    assert "2D6 [4][5]" in await press_refused(table, table.umpire, message, everything)


async def test_details_hide_a_secret_quality_and_its_sums(table: Table, dice: LoadedDice) -> None:
    await table.start()
    await table.give(table.umpire, "umpire secret", unit=BRITISH, field="secret quality", value="-2")
    dice.fall(6, 6)
    await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)
    dice.fall(3, 4)
    tested = (await table.give(table.british, "morale", unit=BRITISH)).announced
    for actor in (table.british, table.mahdist, table.onlooker):
        details = await table.details(actor, tested)
        assert "umpire's modifier" in details
        assert not any(secret in details for secret in ("-2", "secret quality", "to hold"))
    assert "-2 secret quality" in await table.details(table.umpire, tested)


async def test_long_details_are_a_file(table: Table, volley: Message) -> None:
    for _ in range(12):
        await table.give(table.umpire, "morale", unit=BRITISH, **{"with": "umpire's call"})
    seq = await table.seq()
    custom_id = f"umpire:details:{await game_of(table)}:1:{seq}"
    pressed = await table.press(table.onlooker, await post_buttons(table, custom_id), custom_id=custom_id)
    (file,) = pressed.private[0].attachments
    assert FIGURES in table.env.backend.cdn.get(file.url).decode()


async def test_details_of_another_channels_game_are_refused(table: Table, volley: Message) -> None:
    custom_id = next(part["custom_id"] for part in walk_components(raw(volley)) if part.get("label") == DETAILS)
    elsewhere = table.guild.create_text_channel("elsewhere")
    other_table = Table(
        table.env, table.new_bot, table.guild, elsewhere, table.umpire, table.british, table.mahdist, table.onlooker
    )
    assert "another channel" in await press_refused(
        other_table, table.umpire, await post_buttons(other_table, custom_id), custom_id
    )
    for number in ("x", "", str(2**31), "british-h9", "-h1"):
        wrong = f"umpire:details:{await game_of(table)}:{number}:1"
        assert "no longer here" in await press_refused(table, table.umpire, await post_buttons(table, wrong), wrong)


async def test_the_umpire_switches_reports_to_full_and_back(table: Table, dice: LoadedDice) -> None:
    await table.start()
    assert "Only the umpire, ursula" in (await table.give(table.british, "game detail", answers="full")).private_text
    assert "in brief already" in (await table.give(table.umpire, "game detail", answers="brief")).private_text
    full = await table.give(table.umpire, "game detail", answers="full")
    assert "the whole reckoning from now on" in text(full.announced)
    await table.restart()
    dice.fall(6, 2)
    message = (await table.give(table.mahdist, "fire", unit=MAHDISTS, target=BRITISH)).announced
    assert FIGURES in text(message)
    assert not has_details(message)
    assert "whole reckoning from now on" in (await table.give(table.onlooker, "game log", last=2)).private_text
    await table.give(table.umpire, "game detail", answers="brief")
    dice.fall(6, 2)
    message = (await table.give(table.mahdist, "fire", unit="rifles-tokar", target="marines")).announced
    assert FIGURES not in text(message)
