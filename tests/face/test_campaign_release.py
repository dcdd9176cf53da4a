"""Days of a campaign that the umpire looks at, corrects and releases, in the chat."""

from typing import Any

from .rooms import room_messages
from .table import Table, labels, text
from .test_campaign import GRAHAM, OSMAN, begin

RELEASE = "Release the day"


async def end_day(table: Table) -> Any:
    """Begin a campaign with rooms whose days the umpire releases, and end the first day; return its message."""
    await begin(table)
    await table.give(table.umpire, "umpire option", name="release", value="by the umpire")
    await table.give(table.umpire, "umpire rooms")
    await table.give(table.british, "move", unit="Graham's column", to="El Teb", **{"with": "attack"})
    await table.give(table.mahdist, "turn next")
    ended = await table.give(table.british, "turn next")
    assert not ended.private
    (public,) = ended.public
    return public


async def test_only_the_umpire_sees_the_day_until_it_is_released(table: Table) -> None:
    public = await end_day(table)
    assert "### Day 1 is over." in text(public)
    assert "The umpire looks at it before it is told." in text(public)
    assert f"<@{table.umpire.id}>: the game waits for you." in text(public)
    assert "Battle in 2318 (El Teb)" in await table.details(table.umpire, public)
    assert "2318 (El Teb)" in (await table.give(table.umpire, "unit list")).text
    for player in (table.british, table.mahdist):
        assert "Battle" not in await table.details(player, public)
    assert "2416 (Trinkitat)" in (await table.give(table.british, "unit list")).text
    assert (
        "2318 (El Teb): Graham's column, Horde of El Teb. Since day 1"
        in (await table.give(table.umpire, "campaign status")).private_text
    )
    status = (await table.give(table.british, "campaign status")).private_text
    assert "No battle is open." in status
    assert "Day 1 is over, and the umpire looks at it." in status
    refused = await table.give(table.british, "move", unit="Suakin garrison", to="Hashin")
    assert "the umpire looks at it" in refused.private_text
    assert "Only the umpire" in (await table.press(table.british, table.now(public), RELEASE)).private_text
    assert [len(room_messages(table, side)) for side in (GRAHAM, OSMAN)] == [2, 1], "nothing is told yet"


async def test_a_correction_stays_secret_until_the_button_releases_the_day(table: Table) -> None:
    public = await end_day(table)
    corrected = await table.give(table.umpire, "umpire set", unit="Graham's column", field="supply", value="1")
    assert "Supply: 12 → 1" in corrected.private_text
    assert "supply" not in (await table.give(table.british, "game log", last=1)).text
    answer = await table.press(table.umpire, table.now(public), RELEASE)
    (day,) = answer.public
    assert "**Gazette of day 1**" in text(day)
    assert "What happened to my columns" in labels(day)
    await table.env.settle()
    own = text(room_messages(table, GRAHAM)[-1])
    assert "**The umpire corrects Graham's column: supply**: Supply: 12 → 1." in own
    assert "marches 3 hexes to 2318 (El Teb); is in battle" in own
    assert "supply**" not in text(room_messages(table, OSMAN)[-1])
    assert "supply 1" in (await table.give(table.british, "unit list")).text


async def test_the_umpire_releases_by_turn_next(table: Table) -> None:
    await end_day(table)
    released = await table.give(table.umpire, "turn next")
    assert "**Gazette of day 1**" in "\n".join(map(text, released.public))


async def test_the_umpire_takes_the_day_back(table: Table) -> None:
    await end_day(table)
    (preview,) = (await table.give(table.umpire, "game undo")).private
    await table.press(table.umpire, preview, "Take it back")
    answer = await table.give(table.british, "move", unit="Suakin garrison", to="Hashin")
    assert "1105 (Hashin)" in answer.text
    assert "Day 1" in (await table.give(table.british, "game status")).text


async def test_what_a_player_exports_has_nothing_of_the_day(table: Table) -> None:
    await end_day(table)
    exports = {}
    for actor in (table.british, table.umpire):
        (attachment,) = (await table.give(actor, "game export")).private[0].attachments
        exports[actor.id] = (await attachment.read()).decode()
    assert "battle-1-2318" in exports[table.umpire.id]
    assert "battle-1-2318" not in exports[table.british.id]
    assert "Horde of El Teb" not in exports[table.british.id]


async def test_a_release_is_taken_back_and_the_day_waits_again(table: Table) -> None:
    public = await end_day(table)
    await table.press(table.umpire, table.now(public), RELEASE)
    (preview,) = (await table.give(table.umpire, "game undo")).private
    await table.press(table.umpire, preview, "Take it back")
    refused = await table.give(table.british, "move", unit="Suakin garrison", to="Hashin")
    assert "the umpire looks at it" in refused.private_text
    assert "**Gazette of day 1**" in (await table.give(table.umpire, "turn next")).text
