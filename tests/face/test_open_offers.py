"""Three commands repeat the buttons of public messages, for everyone who may press them."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
import simcord

from bot.errors import Stale
from bot.journal.game import Actor
from tests.daily_choice import one_a_day

from .table import Table, buttons, choices, labels, text
from .test_clock import later, miss_deadline, reminded

__all__ = ["later"]

COMMANDS = ("game status", "turn status", "game clock")
SEAT = "Play the Army of Osman Digna"
SYSTEMS = (
    ("magdala", "suakin-1885"),
    ("empire", "el-teb-1884"),
    ("charge", "bridge"),
    ("great_war", "trench"),
    ("tanga", "initial-assault"),
)


def list_people(table: Table) -> Sequence[simcord.MemberActor]:
    return table.umpire, table.british, table.mahdist, table.onlooker


async def require_offered_elsewhere(table: Table, *messages: Any) -> None:
    """Fail unless each command repeats every button and choice of the messages, for some person at the table."""
    expected_labels = {label for message in messages for label in (*labels(message), *choices(message))}
    assert expected_labels
    for command in COMMANDS:
        shown_labels = set[str]()
        for actor in list_people(table):
            answer = await table.give(actor, command)
            assert not answer.public
            ids = [button["custom_id"] for message in answer.private for button in buttons(message)]
            assert len(ids) == len({*ids}), f"{command}: {ids}"
            shown_labels |= {label for message in answer.private for label in (*labels(message), *choices(message))}
        assert expected_labels <= shown_labels, f"{command} lacks {expected_labels - shown_labels}"


@pytest.mark.parametrize("battle", one_a_day(SYSTEMS), ids=" ".join)
async def test_every_status_repeats_the_turn_messages_buttons(table: Table, battle: tuple[str, str]) -> None:
    rules, scenario = battle
    await table.give(table.umpire, "game new", rules=rules, scenario=scenario)
    game = await table.env.bot.games.running_game(table.channel.id)
    for actor, side in zip((table.british, table.mahdist), game.open_sides, strict=False):
        await table.give(actor, "game join", side=side.id)
    message_count = 0
    for _ in range(6):
        message = table.newest(table.onlooker)
        if labels(message):
            message_count += 1
            await require_offered_elsewhere(table, message)
        await table.pass_on(table.umpire)
    assert message_count


@pytest.mark.parametrize("missed", ["none", "1 bot", "1 fellow", "1 offer"])
async def test_every_status_repeats_the_reminders_buttons(
    table: Table, later: Any, monkeypatch: pytest.MonkeyPatch, missed: str
) -> None:
    monkeypatch.setattr("cogs.kit.automatic_play.start_automatic_play", lambda *_: None)
    await table.start()
    await table.give(table.umpire, "game clock", hours=10, missed=missed)
    for _ in ("half", "nine tenths", "over"):
        later(5)
        for message in await reminded(table):
            if labels(message):
                await require_offered_elsewhere(table, message)


async def test_an_offered_seat_is_taken_from_every_status(table: Table) -> None:
    await table.start()
    offer = await table.give(table.mahdist, "game substitute")
    await require_offered_elsewhere(table, offer.announced)
    for actor in (table.umpire, table.british, table.mahdist):
        assert SEAT not in labels((await table.give(actor, "game status")).private[-1]), "they cannot take it"
    status = await table.give(table.onlooker, "game clock")
    answer = await table.press(table.onlooker, status.private[-1], SEAT)
    assert "olga plays the Army of Osman Digna in place of musa" in answer.text
    assert SEAT not in labels((await table.give(table.mahdist, "game status")).private[-1]), "it is taken"


async def test_an_offer_ends_when_its_player_leaves(table: Table) -> None:
    await table.start()
    await table.give(table.mahdist, "game substitute")
    await table.give(table.mahdist, "game leave")
    assert SEAT not in labels((await table.give(table.onlooker, "game status")).private[-1])


async def test_a_seat_offered_twice_is_taken_once(table: Table) -> None:
    await table.start()
    first, second = [await table.give(table.mahdist, "game substitute") for _ in range(2)]
    assert "olga plays" in (await table.press(table.onlooker, first.announced, SEAT)).text
    assert "That seat has been taken" in (await table.press(table.mahdist, second.announced, SEAT)).private_text


async def test_an_offer_can_be_withdrawn(table: Table) -> None:
    await table.start()
    offer = await table.give(table.mahdist, "game substitute")
    refused = await table.give(table.british, "game substitute", withdraw=True)
    assert "No seat there is offered that you could take back." in refused.private_text
    back = await table.give(table.mahdist, "game substitute", withdraw=True)
    assert "musa no longer offers a seat for the Army of Osman Digna." in text(back.announced)
    assert not labels(back.announced)
    assert SEAT not in labels((await table.give(table.onlooker, "game status")).private[-1])
    assert "no longer offered" in (await table.press(table.onlooker, offer.announced, SEAT)).private_text
    second_offer = await table.give(table.mahdist, "game substitute")
    await table.give(table.umpire, "game substitute", side="mahdists", withdraw=True)
    assert "no longer offered" in (await table.press(table.onlooker, second_offer.announced, SEAT)).private_text


async def test_a_returning_player_keeps_a_seat_offered_after_a_missed_turn(table: Table, later: Any) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10, missed="1 offer")
    later(10)
    (message,) = await reminded(table)
    assert SEAT in labels((await table.give(table.onlooker, "game status")).private[-1])
    await table.give(table.mahdist, "move", unit="Amarar", to="forward 1")
    assert SEAT not in labels((await table.give(table.onlooker, "game status")).private[-1])
    assert "no longer offered" in (await table.press(table.onlooker, message, SEAT)).private_text


async def test_a_seat_that_is_not_offered_is_refused(table: Table, later: Any) -> None:
    await miss_deadline(table, later)
    games, onlooker = table.env.bot.games, Actor(table.onlooker.id, "olga")
    game = await games.running_game(table.channel.id)
    with pytest.raises(Stale, match="no longer offered"):
        await games.substitutes.take_seat(table.channel.id, onlooker, game.id, game.counts.entries)


async def test_a_pause_is_agreed_from_every_status(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    question = await table.give(table.british, "game clock", pause="further notice")
    assert "bertie asks to stop the clock" in text(question.announced)
    await require_offered_elsewhere(table, question.announced)
    for actor in (table.british, table.onlooker):
        assert "Agree" not in labels((await table.give(actor, "turn status")).private[-1])
    status = await table.give(table.mahdist, "turn status")
    assert "You are asked to stop the clock until further notice." in status.private_text
    agreed = await table.press(table.mahdist, status.private[-1], "Agree")
    assert "All players have agreed: the clock stands still" in agreed.text
    assert "Agree" not in labels((await table.give(table.umpire, "game status")).private[-1])
    await table.give(table.mahdist, "game clock", resume=True)
    assert "You are asked to let the clock run on." in (await table.give(table.british, "game clock")).private_text


async def test_a_request_to_pause_shows_its_end(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "game clock", hours=10)
    question = await table.give(table.british, "game clock", pause="2 weeks")
    assert re.search(r"It would stand still until <t:\d+:f> \(<t:\d+:R>\)\.", text(question.announced))


async def test_game_mine_names_the_status_command(table: Table) -> None:
    await table.start()
    mine = (await table.give(table.mahdist, "game mine")).private_text
    assert f"https://discord.com/channels/{table.guild.id}/{table.channel.id}" in mine
    assert "`/game status` there has everything that they offer." in mine
