"""The replay and the report of a campaign: a side's while it runs, everyone's after its end."""

from typing import Any

from .rooms import room_messages
from .table import Table, labels, text
from .test_campaign import GRAHAM, OSMAN, begin

ORDER = "Camelmen: to 0802 (Otao), hold"


async def report(table: Table, actor: Any) -> str:
    """Return the report's page as an actor gets it."""
    message = (await table.give(actor, "game report", format="markdown")).private[-1]
    return str((await message.attachments[0].read()).decode())


async def play_a_day(table: Table) -> None:
    """Begin a campaign in which both sides write orders for the first day, and end that day."""
    await begin(table)
    await table.give(table.british, "move", unit="Graham's column", to="El Teb", **{"with": "attack"})
    await table.give(table.mahdist, "move", unit="Camelmen", to="Otao")
    await table.give(table.umpire, "turn next")


async def end_campaign(table: Table) -> Any:
    """Let the Mahdists take Suakin, which ends the campaign; return the answer that ends it."""
    await table.give(table.umpire, "umpire set", unit="Suakin garrison", field="at", value="1205")
    await table.give(table.umpire, "umpire set", unit="Camp of Tamai", field="at", value="1406")
    return await table.give(table.umpire, "turn next")


async def test_a_side_reads_its_own_past_while_the_campaign_runs(table: Table) -> None:
    await play_a_day(table)
    own, enemy_report = await report(table, table.mahdist), await report(table, table.british)
    assert "## Day 1" in own
    assert "## Sealed orders" in own
    assert f"- {ORDER}" in own
    assert "Camelmen" not in enemy_report
    assert "Graham's column: to 2318" in enemy_report.replace("\\", "")
    assert "Sealed orders" not in await report(table, table.onlooker)
    replay = await table.give(table.british, "game replay", side=GRAHAM)
    assert "Graham's column" in replay.private_text
    assert "Osman Digna: Siege" not in replay.private_text
    refused = await table.give(table.british, "game replay", side=OSMAN)
    assert "That view is only for those who play the Mahdists" in refused.private_text
    answer = await table.give(table.british, "game replay")
    assert "figures" not in "\n".join(map(text, answer.public))


async def test_a_room_reads_of_the_last_day_and_the_end_in_one_message(table: Table) -> None:
    await play_a_day(table)
    await table.give(table.umpire, "umpire rooms")
    before = len(room_messages(table, OSMAN))
    await end_campaign(table)
    await table.env.settle()
    (message,) = [message for message in room_messages(table, OSMAN)[before:] if "corrects" not in text(message)]
    assert f"### Day 2: {OSMAN}" in text(message)
    assert "**The Mahdists under Osman Digna won.** The Mahdists hold Suakin." in text(message)


async def test_after_the_end_everybody_reads_everything(table: Table) -> None:
    await play_a_day(table)
    ended = await end_campaign(table)
    assert "The Mahdists hold Suakin." in ended.text
    (public,) = ended.public
    assert "What happened to my columns" in labels(public)
    own = (await table.press(table.mahdist, public, "What happened to my columns")).private_text
    assert f"### Day 2: {OSMAN}" in own
    for reader in (table.british, table.mahdist, table.onlooker):
        page = (await report(table, reader)).replace("\\", "")
        assert f"- {ORDER}" in page
        assert "- Graham's column: to 2318 (El Teb), attack" in page
        assert page.count(", genuine; salt ") == 4
        assert "D1000" not in page.partition("## Luck")[2]
    answer = await table.give(table.onlooker, "game replay")
    assert "Camelmen (12 figures) in 0810" in "\n".join(map(text, answer.public))
