"""A turn of Suakin 1885 from the first move to the last test, by slash commands and buttons alone."""

import pytest

from .loaded_dice import LoadedDice
from .table import Message, Table, labels, text

pytestmark = pytest.mark.usefixtures("real_maps")

MARINES = "Royal Marine Light Infantry"


@pytest.fixture
def dice(monkeypatch: pytest.MonkeyPatch) -> LoadedDice:
    return LoadedDice(monkeypatch)


def find_message(messages: list[Message], words: str) -> Message:
    """Return the only message with these words."""
    (message,) = (message for message in messages if words in text(message))
    return message


async def test_a_turn_from_move_to_melee(table: Table, dice: LoadedDice) -> None:
    await table.start()
    await table.give(table.umpire, "umpire set", unit="amarar", field="place", value="43,25,180")
    await table.give(table.umpire, "umpire set", unit="marines", field="casualties", value="8")

    # A move in the open is measured and drawn.
    dice.fall(4, 4)
    moved = await table.give(table.mahdist, "move", unit="ashraf", to="forward 8")
    assert 'Ashraf move 8".' in text(moved.announced)
    assert moved.announced.attachments

    # A volley with two hits brings a morale test with a button.
    dice.fall(6, 6)
    volley = await table.give(table.mahdist, "fire", unit="rifles-tokar", target=MARINES)
    assert f"{MARINES} lose 2" in await table.details(table.onlooker, volley.announced)
    assert labels(volley.announced) == [f"Morale of {MARINES}: 41.7%", "Give orders"]

    # The due test blocks the turn.
    answer = await table.pass_on(table.mahdist)
    assert "morale under fire" in answer.private_text

    # The test fails; the general may re-roll it.
    dice.fall(1, 2)
    tested = await table.press(table.british, volley.announced, f"Morale of {MARINES}")
    failed = find_message(tested.public, "2D6 1 2")
    assert "against 10 casualties (42% to hold)" in text(failed)
    assert f"Re-roll {MARINES} with Sir John McNeill: 41.7%" in labels(failed)

    # An unadjusted eleven always passes (MM-5.5).
    dice.fall(6, 5)
    reroll = await table.press(table.british, failed, f"Re-roll {MARINES} with Sir John McNeill")
    assert "they hold" in text(find_message(reroll.public, "2D6 6 5"))

    # The old button no longer works.
    stale = next(message for message in table.channel.history(viewer=table.british) if message.id == failed.id)
    assert labels(stale) == []

    # Contact: the defender fires first (MM-4.1).
    dice.fall(6, 6)
    contact = await table.give(table.mahdist, "move", unit="Amarar", to=f"towards {MARINES}")
    assert f"Amarar meet {MARINES}" in text(contact.announced)
    dice.fall(1, 1, 6)
    fire = await table.press(table.british, contact.announced, f"{MARINES} fire at Amarar")
    melee_prompt = find_message(fire.public, "no hits")
    assert labels(melee_prompt) == [f"Amarar fight {MARINES}: 35.6%", "Give orders"]

    # A round of melee: five combats, and four of an overlap (MM-4.2 to MM-4.4).
    dice.fall(6, 3, 3, 3, 3, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3)
    melee = await table.give(table.mahdist, "melee", unit="Amarar", target=MARINES)
    assert "Amarar: **6** 3 3 3 3, +1 Zulus or Mahdists" in text(melee.announced), (
        "adjusted dice, with the kill in bold"
    )
    assert "kill 1 (6:1)" in await table.details(table.british, melee.announced)
    assert labels(melee.announced) == [f"Morale of {MARINES}: 27.8%", "Give orders"]
    assert dice.left == 0

    # The loser of the round tests. The test blocks the turn until it is thrown.
    assert "losing a melee" in (await table.pass_on(table.umpire)).private_text
    dice.fall(6, 6)
    fought_on = await table.press(table.british, melee.announced, f"Morale of {MARINES}")
    assert "they fight on" in text(find_message(fought_on.public, "2D6 6 6"))
    passed = await table.pass_on(table.mahdist)
    assert "Turn 1 of 6, British" in text(passed.announced)
    assert dice.left == 0


async def test_everyone_reads_the_whole_turn_in_the_log(table: Table, dice: LoadedDice) -> None:
    await table.start()
    dice.fall(6, 6)
    await table.give(table.mahdist, "fire", unit="rifles-hashin", target="berkshires")
    dice.fall(4, 5)
    await table.give(table.british, "morale", unit="berkshires")
    await table.pass_on(table.mahdist)
    log = (await table.give(table.onlooker, "game log")).text
    assert log.index("Riflemen of Hashin fire") < log.index("2D6 [4][5]") < log.index("Turn 1, British")
