"""A campaign in the chat: orders that the enemy does not read, days that end when all are ready, and battles."""

import pytest

from bot.campaigns import battle_jobs
from rules.campaign.battles import BattleOutcome

from .sheet import PlayersSheet
from .table import Table, labels, text

GRAHAM, OSMAN = "British under Graham", "Mahdists under Osman Digna"


async def begin(table: Table) -> None:
    """Start a campaign of two players; the umpire has no seat."""
    await table.give(table.umpire, "game new", rules="campaign", scenario="suakin-1884")
    await table.give(table.british, "game join", side=GRAHAM)
    await table.give(table.mahdist, "game join", side=OSMAN)


async def meet(table: Table) -> None:
    """Start a campaign and bring two columns together at El Teb."""
    await begin(table)
    await table.give(table.british, "move", unit="Graham's column", to="El Teb", **{"with": "attack"})
    await table.give(table.mahdist, "turn next")
    await table.give(table.british, "turn next")


async def test_orders_are_read_by_their_command_alone(table: Table) -> None:
    await begin(table)
    answer = await table.give(table.british, "move", unit="Graham's column", to="El Teb", **{"with": "attack"})
    assert answer.public == []
    assert "Today: 2316 (impulse 4), 2317 (impulse 8), 2318 (El Teb) (impulse 12)." in answer.private_text
    for reader in (table.mahdist, table.umpire):
        log = (await table.give(reader, "game log")).text
        assert ("El Teb" in log) is (reader is table.umpire)
    assert "El Teb" in (await table.give(table.british, "unit list")).text
    assert "Graham" not in (await table.give(table.mahdist, "unit list")).text


async def test_the_day_ends_when_all_are_ready(table: Table) -> None:
    await begin(table)
    ready = await table.give(table.mahdist, "turn next")
    assert "The day waits for the British under Graham." in ready.text
    (announced,) = ready.public
    await table.press(table.mahdist, announced, f"{OSMAN} not ready yet")
    await table.give(table.british, "turn next")
    assert "Day 2" not in (await table.give(table.british, "game status")).text
    ended = await table.give(table.mahdist, "turn next")
    assert "### Day 2" in ended.text


async def test_who_was_ready_by_the_sheet_takes_it_back_for_good(table: Table) -> None:
    await begin(table)
    sheet = PlayersSheet(table, table.british)
    await sheet.open("Graham's column: to El Teb")
    assert "☐ Be ready when done" in sheet.labels
    ready = await sheet.press("Do all and be ready")
    message = next(message for message in ready.public if f"{GRAHAM} not ready yet" in labels(message))
    await table.press(table.british, message, f"{GRAHAM} not ready yet")
    status = (await table.give(table.british, "campaign status")).private_text
    assert f"Writing orders: {GRAHAM} and {OSMAN}." in status
    await table.give(table.mahdist, "turn next")
    assert "Day 2" not in (await table.give(table.british, "game status")).text


async def test_whoever_joins_is_sent_to_the_first_steps_of_a_campaign(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="campaign", scenario="suakin-1884")
    assert "`/help topic:campaign`" in (await table.give(table.british, "game join", side=GRAHAM)).text


async def test_a_battle_begins_and_the_umpire_enters_its_result(table: Table) -> None:
    await meet(table)
    status = (await table.give(table.mahdist, "campaign status")).private_text
    assert "2318 (El Teb): Horde of El Teb. Since day 1; 2 days left, then the bot plays on." in status
    assert "Writing orders: British under Graham and Mahdists under Osman Digna." in status
    assert "- **Camelmen**: 12 figures, 0810 (Tamanieb), supply 3, stays, hold" in status
    assert "Graham's column" not in status
    assert "- 5: Suakin (1406), British\n" in status
    assert "- 0: Handub (1103), nobody; " in status
    assert "Your columns" not in (await table.give(table.onlooker, "campaign status")).private_text
    result = {"battle": "El Teb", "field": "British", "lost": "Gordons 6, Hadendoa of El Teb all"}
    refused = await table.give(table.british, "campaign result", **result)
    assert refused.public == []
    ended = await table.give(table.umpire, "campaign result", **result)
    assert "Battle in 2318 (El Teb): the British held the field." in ended.text
    assert "102 figures" in (await table.give(table.british, "unit list")).text
    assert "162 figures" in (await table.give(table.mahdist, "unit list")).text


async def test_the_umpire_has_the_bot_fight_a_battle(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    await meet(table)

    def win(state: object, battle: object, *_: object) -> BattleOutcome:
        return BattleOutcome(field="mahdists", lost={"graham-s-column": (5, *(0,) * 9), "horde-of-el-teb": (0,) * 7})

    monkeypatch.setattr(battle_jobs, "fight_on_both_sides", win)
    refused = await table.give(table.british, "campaign fight", battle="El Teb", by="the bot")
    assert "Only the umpire" in refused.private_text
    ended = await table.give(table.umpire, "campaign fight", battle="El Teb", by="the bot")
    assert "Battle in 2318 (El Teb): the Mahdists held the field." in ended.text
    assert "King's Royal Rifles 14/18" in (await table.give(table.british, "unit show", unit="Graham's column")).text


async def test_other_games_are_no_campaigns(table: Table) -> None:
    await table.start()
    for command in ("campaign status", "campaign fight"):
        options = {"battle": "x"} if command.endswith("fight") else {}
        assert "This game is no campaign" in (await table.give(table.umpire, command, **options)).private_text


async def test_places_and_powers_are_completed(table: Table) -> None:
    await meet(table)
    assert await table.complete(table.umpire, "campaign result", "battle", "") == ["2318 (El Teb)"]
    powers = await table.complete(table.umpire, "campaign result", "field", "")
    assert powers == ["British", "Mahdists", "nobody"]


async def test_a_command_takes_back_its_own_orders_and_keeps_the_others(table: Table) -> None:
    await begin(table)
    await table.give(table.british, "move", unit="Graham's column", to="El Teb")
    await table.give(table.mahdist, "move", unit="Camelmen", to="Otao")
    (preview,) = (await table.give(table.british, "game undo")).private
    undone = await table.press(table.british, preview, "Take it back")
    assert "takes back:\n- **h1** Graham's column: to 2318 (El Teb)" in undone.private_text
    assert "stays, hold" in (await table.give(table.british, "unit show", unit="Graham's column")).text
    camels = (await table.give(table.mahdist, "unit show", unit="Camelmen")).text
    assert "to 0802 (Otao)" in camels
    assert "taken back" not in (await table.give(table.mahdist, "game log")).text


async def test_an_undo_of_a_days_end_takes_the_next_days_orders_back(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "turn next")
    await table.give(table.mahdist, "move", unit="Camelmen", to="Otao")
    (preview,) = (await table.give(table.british, "game undo")).private
    (question,) = (await table.press(table.british, preview, "Ask the table")).public
    await table.press(table.umpire, question, "Consent")
    assert "Day 1" in (await table.give(table.mahdist, "game status")).text
    assert "stays, hold" in (await table.give(table.mahdist, "unit show", unit="Camelmen")).text
    own_preview = (await table.give(table.mahdist, "game undo")).text
    assert "Camelmen" not in own_preview


async def test_many_commands_share_a_channel(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="campaign", scenario="zululand-1879")
    joined = await table.give(table.british, "game join", side="British under Glyn")
    assert "bertie" in joined.text
    assert len(labels(joined.announced)) == 7
    await table.pass_on(table.umpire)
    own = [text(message) for message in (await table.give(table.british, "game log")).private]
    assert "British under Wood: salt" in own[0]


async def test_the_dice_of_a_day_that_the_umpire_releases_are_verified_once(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "umpire option", name="release", value="by the umpire")
    await table.give(table.umpire, "turn next")
    sheet = PlayersSheet(table, table.british)
    await sheet.open()
    assert "Day 1 is over, and the umpire looks at it." in text(sheet.message)
    await table.give(table.umpire, "turn next")  # tells the day
    own = (await table.give(table.british, "dice verify")).private_text
    assert "not right" not in own
    assert "1 throw" in own
    assert "1 sheet of orders verified" in own
    assert "2 throws" in (await table.give(table.umpire, "dice verify")).private_text


async def test_the_seals_of_orders_are_verified_beside_the_dice(table: Table) -> None:
    await begin(table)
    await table.give(table.british, "move", unit="Graham's column", to="El Teb")
    await table.give(table.umpire, "turn next")
    own = (await table.give(table.british, "dice verify")).private_text
    assert "1 sheet of orders verified: they match their seals." in own
    assert "1 sheet of others can be verified when the game is over." in own
    assert "2 sheets of others" in (await table.give(table.onlooker, "dice verify")).private_text
