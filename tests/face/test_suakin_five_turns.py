"""Five turns of Suakin 1885 by slash commands and buttons alone, then exported and imported into another channel."""

import json
from typing import Any

import pytest
import simcord

from .loaded_dice import LoadedDice
from .table import Message, Table, labels, text

MOST_PRESSES = 40
"""Maximum number of presses that settle a turn's prompts."""
WHOLE_LOG = 100
"""Number of log entries; more than the game has."""


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    """Loaded dice that show a four by default."""
    return LoadedDice(monkeypatch, default=4)


async def order(table: Table, actor: simcord.MemberActor, command: str, /, **options: Any) -> Message:
    """Give a command and return its public answer."""
    answer = await table.give(actor, command, **options)
    assert len(answer.public) == 1, f"/{command} {options}: {answer.text}"
    return answer.announced


async def press(table: Table, actor: simcord.MemberActor, message: Message, label: str) -> Message:
    """Press a button and return its public answer."""
    answer = await table.press(actor, message, label)
    assert len(answer.public) == 1, f"{label}: {answer.text}"
    return answer.announced


async def settle(table: Table) -> list[str]:
    """Let each side press its prompts until none is left. Return the headlines of the results."""
    lines: list[str] = []
    for _ in range(MOST_PRESSES):
        for actor in (table.mahdist, table.british):
            (status,) = (await table.give(actor, "turn status")).private
            if prompts := [label for label in labels(status) if label != "Give orders"]:
                message = await press(table, actor, status, prompts[0])
                lines.append(text(message).splitlines()[0].removeprefix("### "))
                break
        else:
            return lines
    raise AssertionError(f"prompts are left after {MOST_PRESSES} presses: {lines}")


async def turn_one(table: Table, dice: LoadedDice) -> None:
    """The Mahdists advance. A volley into the scrub costs them two men, but the others pass their morale test."""
    for unit, goal in (
        ("Amarar", "Naval Brigade Gatling"),
        ("Hadendoa of Erkowit", "1st Berkshires"),
        ("Baggara horse", "5th Lancers"),
    ):
        moved = await order(table, table.mahdist, "move", unit=unit, to=f"towards {goal}")
        assert moved.attachments
    assert "British" in text(await order(table, table.mahdist, "turn next"))

    dice.fall(6, 6, 1, 1)
    volley = await order(table, table.british, "fire", unit="1st Berkshires", target="Hadendoa of Erkowit")
    assert "2 hits" in text(volley)
    held_up = await table.pass_on(table.british)
    assert "Hadendoa of Erkowit: morale under fire" in held_up.private_text
    tested = await press(table, table.mahdist, volley, "Morale of Hadendoa of Erkowit")
    assert "they hold" in text(tested)
    assert "Turn 2" in text(await order(table, table.british, "turn next"))


async def turn_two(table: Table, dice: LoadedDice) -> None:
    """Cavalry charges lancers: fire at the chargers, a round of melee, a rout, and its effect on friends."""
    contact = await order(table, table.mahdist, "move", unit="Baggara horse", to="towards 5th Lancers")
    assert "into contact with 5th Lancers" in text(contact)
    dice.fall(6, 6)
    fire = await press(table, table.british, contact, "5th Lancers fire at Baggara horse")
    assert "2 hits" in text(fire)
    await press(table, table.mahdist, fire, "Morale of Baggara horse")
    melee = await order(table, table.mahdist, "melee", unit="Baggara horse", target="5th Lancers")
    assert "5th Lancers have the better of it" in text(melee)
    dice.fall(1)
    broken = await press(table, table.mahdist, melee, "Morale of Baggara horse")
    assert "Baggara horse rout" in text(broken)
    lines = await settle(table)
    assert any("Baggara horse flee" in line for line in lines)
    assert any("5th Lancers: pursuit" in line for line in lines)
    await order(table, table.mahdist, "turn next")

    await settle(table)
    await order(table, table.british, "move", unit="20th Hussars", to="forward 6")
    assert "Turn 3" in text(await order(table, table.british, "turn next"))


async def turn_three(table: Table, dice: LoadedDice) -> None:
    """The umpire corrects casualties. A leader re-rolls a failed test."""
    await settle(table)
    await order(table, table.umpire, "umpire set", unit="Arteiga", field="casualties", value="9")
    await order(table, table.mahdist, "move", unit="Arteiga", to="towards Royal Marine Light Infantry")
    await order(table, table.mahdist, "turn next")

    dice.fall(6, 6, 1, 1, 1, 1, 1, 1)
    volley = await order(table, table.british, "fire", unit="Royal Marine Light Infantry", target="Arteiga")
    assert "Arteiga lose 2" in await table.details(table.onlooker, volley)
    dice.fall(1, 1)
    failed = await press(table, table.mahdist, volley, "Morale of Arteiga")
    assert "they fail" in text(failed)
    dice.fall(6, 5)
    message = await press(table, table.mahdist, failed, "Re-roll Arteiga with Mahmud Ali")
    assert "2D6 6 5" in text(message)
    await settle(table)
    assert "Turn 4" in text(await order(table, table.british, "turn next"))


async def turn_four(table: Table, dice: LoadedDice) -> None:
    """A secret setting, an undo, dice outside the rules, and a volley that halves its target."""
    await settle(table)
    secret = await table.give(
        table.umpire, "umpire secret", unit="Hadendoa of Tamai", field="secret quality", value="1"
    )
    assert not secret.public
    await order(table, table.mahdist, "move", unit="Hadendoa of Tamai", to="forward 5")
    preview = await table.give(table.umpire, "game undo")
    assert "Hadendoa of Tamai move" in preview.private_text
    await table.press(table.umpire, preview.private[0], "Take it back")
    await order(table, table.onlooker, "roll", dice="2d6+1")
    await order(table, table.mahdist, "turn next")

    await settle(table)
    dice.fall(6, 6, 6, 6, 1, 1)
    volley = await order(table, table.british, "fire", unit="G Battery RHA", target="Arteiga")
    assert "half strength" in text(volley)
    await settle(table)
    assert "Turn 5" in text(await order(table, table.british, "turn next"))


async def turn_five(table: Table, dice: LoadedDice) -> None:
    """The last of the five turns: shots by both sides."""
    await settle(table)
    dice.fall(6, 6)
    volley = await order(table, table.mahdist, "fire", unit="Riflemen of Hashin", target="1st Berkshires")
    await press(table, table.british, volley, "Morale of 1st Berkshires")
    await order(table, table.mahdist, "turn next")

    await settle(table)
    await order(table, table.british, "fire", unit="5th Scottish Battery RA", target="Amarar")
    await settle(table)
    assert "Turn 6" in text(await order(table, table.british, "turn next"))


async def export_game(table: Table, channel: simcord.ChannelHandle) -> tuple[str, bytes]:
    """Return the umpire's export of the channel's game."""
    answer = await table.give(table.umpire, "game export", channel=channel)
    (file,) = answer.private[0].attachments
    return file.filename, await file.read()


async def read_log(table: Table, actor: simcord.MemberActor, channel: simcord.ChannelHandle) -> bytes:
    """Return the whole log as this person may read it."""
    answer = await table.give(actor, "game log", last=WHOLE_LOG, channel=channel)
    (file,) = answer.private[0].attachments
    return await file.read()


@pytest.mark.soak
async def test_five_turns_imported_into_another_channel_are_equal(table: Table, dice: LoadedDice) -> None:
    await table.start()
    for turn in (turn_one, turn_two, turn_three, turn_four, turn_five):
        await turn(table, dice)
        assert dice.left == 0

    name, file = await export_game(table, table.channel)
    channel = table.guild.create_text_channel("other")
    message = await order(table, table.umpire, "game import", file=(name, file), channel=channel)
    assert "Turn 6, Army of Osman Digna" in text(message)

    _, second_file = await export_game(table, channel)
    first, second = json.loads(file), json.loads(second_file)
    taken_in = second["entries"].pop()
    assert (taken_in["kind"], taken_in["seq"]) == ("game import", first["head"] + 1)
    assert {**second, "head": first["head"]} == first
    for actor in (table.umpire, table.british, table.mahdist, table.onlooker):
        log = await read_log(table, actor, table.channel)
        assert "Amarar move" in log.decode()
        other_log = await read_log(table, actor, channel)
        assert other_log.startswith(log)
        assert "ursula imported this game from a file" in other_log[len(log) :].decode()
        assert (b"Secret quality" in log) is (actor is table.umpire)

    # The two games are independent from here.
    await order(table, table.mahdist, "move", unit="Hadendoa of Tamai", to="forward 5", channel=channel)
    assert await read_log(table, table.umpire, channel) != await read_log(table, table.umpire, table.channel)
    assert await export_game(table, table.channel) == (name, file)
