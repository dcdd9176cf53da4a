"""Commands of a campaign whose players do not act: their chief, the umpire and the bot act for them (CA-1.10)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from bot.errors import Stale
from bot.games.turn_mentions import users_to_mention
from bot.journal.game import Actor, Game

from .live_page import Browser, open_page
from .table import Table, choices, labels, text
from .test_campaign import meet

GLYN, WOOD, NTSHINGWAYO = "British under Glyn", "British under Wood", "Zulus under Ntshingwayo"


async def begin(table: Table) -> None:
    """Start a campaign of three commands a power, of which a chief on each side is held."""
    await table.give(table.umpire, "game new", rules="campaign", scenario="zululand-1879")
    await table.give(table.british, "game join", side=GLYN)
    await table.give(table.mahdist, "game join", side=NTSHINGWAYO)


async def miss_two_days(table: Table) -> None:
    """Start a campaign, and let two days end on which the chiefs alone write orders."""
    await begin(table)
    for _ in range(2):
        await table.give(table.british, "move", unit="Glyn's column", **{"with": "scout"})
        await table.give(table.mahdist, "move", unit="Chest of the buffalo", **{"with": "scout"})
        await table.pass_on(table.umpire)


async def test_nobody_orders_the_columns_of_another_command_before_it_has_missed_two_days(table: Table) -> None:
    await begin(table)
    refused = await table.give(table.british, "move", unit="Wood's column", **{"with": "dig in"})
    assert "Nobody plays the British under Wood yet" in refused.private_text


async def test_the_chief_orders_an_absent_commands_columns_by_every_way(table: Table) -> None:
    await miss_two_days(table)
    ordered = await table.give(table.british, "move", unit="Wood's column", **{"with": "dig in"})
    assert "Wood's column: stays, hold, dig in." in ordered.private_text
    sheet = await table.give(table.british, "turn orders", text="Wood's column: to Utrecht, attack")
    (message,) = sheet.private
    assert "Utrecht garrison" in choices(message)
    answer = await table.press(table.british, message, "Do all")
    assert "Wood's column: to 0301 (Utrecht), attack" in answer.text
    reply = (await table.give(table.british, "unit show", unit="Wood's column")).text
    assert "to 0301 (Utrecht), attack" in reply
    status = (await table.give(table.british, "turn status")).private[0]
    assert f"{WOOD} ready" in labels(status)
    enemy = await table.give(table.mahdist, "move", unit="Wood's column", **{"with": "dig in"})
    assert "Wood's column" not in enemy.private_text.replace("“Wood's column”", "")


async def test_the_chief_takes_back_what_he_ordered_in_a_commands_stead(table: Table) -> None:
    await miss_two_days(table)
    await table.give(table.british, "move", unit="Wood's column", **{"with": "dig in"})
    (preview,) = (await table.give(table.british, "game undo")).private
    assert "Wood's column: stays, hold, dig in" in text(preview)
    await table.press(table.british, preview, "Take it back")
    assert "dig in" not in (await table.give(table.british, "unit show", unit="Wood's column")).text


async def test_the_chief_takes_back_his_own_orders_after_those_of_others(table: Table) -> None:
    await begin(table)
    await table.give(table.onlooker, "game join", side=WOOD)
    await table.give(table.british, "move", unit="Glyn's column", to="Isandlwana")
    await table.give(table.onlooker, "move", unit="Wood's column", **{"with": "dig in"})
    (preview,) = (await table.give(table.british, "game undo")).private
    assert "Wood's column" not in text(preview)
    await table.press(table.british, preview, "Take it back")
    await table.give(table.onlooker, "move", unit="Utrecht garrison", **{"with": "rest"})
    reply = (await table.give(table.umpire, "unit list")).text
    for name, orders in (("Glyn's column", "stays, hold\n"), ("Wood's column", "dig in"), ("Utrecht garrison", "rest")):
        assert orders in next(f"{line}\n" for line in reply.splitlines() if name in line)
    assert "puts back" in (await table.give(table.british, "game redo")).private_text
    reply = (await table.give(table.umpire, "unit list")).text
    for name, orders in (("Glyn's column", "Isandlwana"), ("Wood's column", "dig in"), ("Utrecht garrison", "rest")):
        assert orders in next(line for line in reply.splitlines() if name in line)


async def test_a_player_takes_another_command_of_the_power_if_it_shares_what_it_sees(table: Table) -> None:
    await begin(table)
    await table.give(table.british, "game leave")
    assert "must play" in (await table.give(table.british, "game join", side=NTSHINGWAYO)).private_text
    assert "plays the **British under Wood**" in (await table.give(table.british, "game join", side=WOOD)).text
    await table.give(table.umpire, "umpire option", name="knowledge", value="own")
    await table.give(table.british, "game leave")
    assert "must play" in (await table.give(table.british, "game join", side=GLYN)).private_text


async def test_an_ally_alone_cannot_consent_to_taking_a_day_back(table: Table) -> None:
    await begin(table)
    await table.give(table.onlooker, "game join", side=WOOD)
    ready = await table.give(table.onlooker, "turn next")
    (preview,) = (await table.give(table.british, "game undo")).private
    assert "olga (British under Wood)" in text(preview), "who is ready may agree to take it back"
    game = await table.env.bot.games.running_game(table.channel.id)
    for side in game.state.acting_sides:
        ready = await table.pass_on(table.umpire, ready.public[0], f"{game.state.side(side).name} ready")
    assert "### Day 2" in ready.text
    (preview,) = (await table.give(table.british, "game undo")).private
    assert "olga" not in text(preview)
    (question,) = (await table.press(table.british, preview, "Ask the table")).public
    assert "needs the consent" in (await table.press(table.onlooker, question, "Consent")).private_text
    await table.press(table.mahdist, question, "Consent")
    assert "Day 1" in (await table.give(table.mahdist, "game status")).text


async def test_the_chief_says_that_an_absent_command_is_ready(table: Table) -> None:
    await miss_two_days(table)
    announced = (await table.give(table.british, "turn next")).announced
    ready = await table.press(table.british, announced, f"{WOOD} ready")
    assert "The British under Wood are ready." in ready.text
    refused = await table.press(table.mahdist, ready.announced, "British under Pearson ready")
    assert "You play the Zulus under Ntshingwayo" in refused.private_text


async def test_whoever_returns_takes_over_by_acting(table: Table) -> None:
    await miss_two_days(table)
    await table.give(table.onlooker, "game join", side=WOOD)
    still = await table.give(table.british, "move", unit="Utrecht garrison", **{"with": "dig in"})
    assert "dig in" in still.private_text
    await table.give(table.onlooker, "move", unit="Wood's column", **{"with": "rest"})
    refused = await table.give(table.british, "move", unit="Utrecht garrison", **{"with": "rest"})
    assert "This is for olga (British under Wood) or the umpire, ursula." in refused.private_text


async def test_the_chief_is_called_for_absent_commands_and_not_the_umpire(table: Table) -> None:
    await begin(table)
    game = await table.env.bot.games.running_game(table.channel.id)
    assert table.umpire.id in users_to_mention(game, game.awaited_viewers)
    await miss_two_days(table)
    game = await table.env.bot.games.running_game(table.channel.id)
    assert {*users_to_mention(game, game.awaited_viewers)} == {table.british.id, table.mahdist.id}
    assert users_to_mention(game, ("pearson",)) == (table.british.id,)


async def test_the_page_lets_the_chief_order_an_absent_commands_columns(table: Table, browser: Browser) -> None:
    await miss_two_days(table)
    page = await open_page(table, table.british, browser)
    view = await page.view()
    assert view["seat"]["represents"] == ["glyn", "pearson", "wood"]
    order = {"units": ["wood-s-column"], "kind": "move", "args": {"to": "Utrecht"}}
    status, draft = await page.post("/api/draft", order)
    assert status == 200, draft


async def absent_wood(table: Table) -> Any:
    """Have olga command Wood's columns and miss two days; return the message of the third day."""
    await begin(table)
    await table.give(table.onlooker, "game join", side=WOOD)
    for _ in range(2):
        for player, unit in ((table.british, "Glyn's column"), (table.mahdist, "Chest of the buffalo")):
            await table.give(player, "move", unit=unit, **{"with": "scout"})
        ended = await table.pass_on(table.umpire)
    return ended.announced


async def test_the_seat_of_an_absent_command_is_offered_to_the_bot(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.kit.automatic_play.start_automatic_play", lambda *_: None)
    message = await absent_wood(table)
    offer = f"The bot plays the {WOOD}"
    assert offer in labels(message)
    for actor in (table.mahdist, table.onlooker):
        status = (await table.give(actor, "turn status")).private[0]
        assert offer not in labels(status)
    refused = await table.press(table.mahdist, message, offer)
    assert "You play the Zulus under Ntshingwayo" in refused.private_text
    assert offer in labels((await table.give(table.british, "game status")).private[-1])
    seated = await table.press(table.british, message, offer)
    assert f"bertie has the bot play the {WOOD}, who have missed their turns" in seated.text
    assert "A player who acts takes the seat back at once." in seated.text
    assert offer not in labels(table.now(message))
    game = await table.env.bot.games.running_game(table.channel.id)
    assert {*game.bot_seats} == {"wood"}
    assert "wood" not in game.awaited_viewers
    with pytest.raises(Stale, match="the bot plays for it already"):
        await table.env.bot.games.opponents.seat_substitute_bot(
            table.channel.id, Actor(table.british.id, "bertie"), "wood"
        )


@pytest.mark.soak
async def test_the_bot_goes_on_day_after_day_until_the_absent_player_acts(table: Table) -> None:
    message = await absent_wood(table)
    await table.press(table.british, message, f"The bot plays the {WOOD}")
    games = table.env.bot.games
    for _ in range(2):
        await bot_is_through(table)
        await table.pass_on(table.umpire)
    await bot_is_through(table)
    state = (await games.running_game(table.channel.id)).state
    assert state.missed["wood"] == 2, "neither missed nor come back"
    status = await table.give(table.umpire, "game status")
    assert f"{WOOD}: olga, the bot (hard) until they act" in status.text
    back = await table.give(table.onlooker, "do", action="unready", more="side: wood")
    assert "are not ready yet" in back.text
    await until(lambda game: not game.bot_seats, table)
    assert "wood" in (await games.running_game(table.channel.id)).awaited_viewers
    assert f"olga is back, and plays the {WOOD}" in (await table.give(table.umpire, "game log")).text


async def bot_is_through(table: Table) -> None:
    """Wait until the bot's command is ready."""
    await until(lambda game: "wood" in game.state.done, table)


async def until(holds: Callable[[Game], bool], table: Table) -> None:
    """Wait until something holds of the game."""
    for _ in range(400):
        if holds(await table.env.bot.games.running_game(table.channel.id)):
            return
        await asyncio.sleep(0.02)
    pytest.fail("it does not come so far")


async def test_a_substitute_inherits_orders_and_sightings_of_a_command(table: Table) -> None:
    """The brief tells enemies as they were sighted; the successor has the orders, and the former player nothing."""
    await meet(table)
    await table.give(table.mahdist, "move", unit="Camelmen", to="Otao")
    message = (await table.give(table.mahdist, "game substitute")).announced
    spoiled = await table.press(table.umpire, message, "Play the Mahdists under Osman Digna")
    assert "knows what is hidden there" in spoiled.private_text
    await table.press(table.onlooker, message, "Play the Mahdists under Osman Digna")
    brief = await table.give(table.onlooker, "game brief")
    assert (
        "**Enemies seen now**\n- Graham's column: foot, mounted and wheeled, 105: 2318 (El Teb)" in brief.private_text
    )
    assert "Camelmen: 12 figures, 0810 (Tamanieb), supply 3, to 0802 (Otao), hold" in brief.private_text
    account = await table.press(table.onlooker, brief.private[0], "What happened to my columns")
    assert "**Horde of El Teb**" in account.private_text
    assert "Camelmen" not in (await table.give(table.mahdist, "unit list")).private_text
    british = (await table.give(table.british, "game brief")).private_text
    assert "**Enemies seen now**\n- Horde of El Teb: foot and wheeled, 186: 2318 (El Teb)" in british
    assert "Camelmen" not in british


async def test_a_brief_calls_no_friends_enemies_and_tells_enemies_out_of_sight(table: Table) -> None:
    await begin(table)
    for zulus, british in (("0707", "0706"), ("1216", "0301")):
        await table.give(table.umpire, "umpire set", unit="Wood's column", field="at", value=british)
        await table.give(table.umpire, "umpire set", unit="Abaqulusi", field="at", value=zulus)
        await table.pass_on(table.umpire)
    brief = (await table.give(table.british, "game brief")).private_text
    assert "No enemy is in sight." in brief, brief
    assert ": 0707, turn 2" in brief.partition("**Out of sight, last seen**")[2]
    assert "Wood's column" not in brief.partition("No enemy is in sight")[2].partition("**The last turns**")[0]


async def test_what_a_command_orders_while_it_is_ready_is_done_when_the_next_day_begins(table: Table) -> None:
    """Orders of the sheet wait for the command's next turn; `Carry on` does them without another press."""
    await begin(table)
    await table.give(table.british, "turn next")
    (sheet,) = (await table.give(table.british, "turn orders", text="Helpmekaar garrison: dig in")).private
    await table.press(table.british, sheet, "☐ Carry on without asking me")
    await table.pass_on(table.umpire)
    await until(lambda game: "glyn" in game.state.wrote, table)
    answer = await table.give(table.british, "unit show", unit="Helpmekaar garrison")
    assert "dig in" in answer.private_text


async def test_there_is_nothing_to_answer_beforehand(table: Table) -> None:
    await begin(table)
    assert (
        "nothing is asked of you that could be answered beforehand"
        in (await table.give(table.british, "turn standing")).private_text
    )
    charged = await table.give(table.british, "turn orders", text="Glyn's column: if charged: avoid")
    assert "Write “if an enemy is within 1”" in charged.private_text


@pytest.mark.soak
async def test_the_bot_takes_a_command_in_the_middle_of_a_campaign_and_gives_it_back(table: Table) -> None:
    """Its reasons are its command's alone; what overrules it is done, and the bot goes on after it."""
    await meet(table)
    osman = "Mahdists under Osman Digna"
    await table.give(table.mahdist, "game leave")
    await table.give(table.umpire, "opponent side", side=osman, level="easy")
    await until(lambda game: "osman-digna" in game.state.done, table)
    why = await table.give(table.umpire, "opponent why")
    assert f"Why the {osman} decided so" in why.private_text
    assert "Only their players" in (await table.give(table.british, "opponent why")).private_text
    level = await table.give(table.umpire, "opponent level", level="hard")
    assert "at the level hard" in level.text
    instead = next(label for label in choices(why.private[0]) if label.startswith("Camelmen: "))
    overruled = await table.press(table.umpire, why.private[0], instead)
    assert overruled.messages
    await until(lambda game: "osman-digna" in game.state.done, table)
    camels = await table.give(table.umpire, "unit show", unit="Camelmen")
    assert instead.removeprefix("Camelmen: ") in camels.private_text
    await table.give(table.umpire, "opponent side", side=osman, level="off")
    back = await table.give(table.mahdist, "game join", side=osman)
    assert f"**musa** plays the **{osman}**" in back.text
    await table.give(table.mahdist, "do", action="unready", more="side: osman-digna")
    ordered = await table.give(table.mahdist, "move", unit="Camelmen", **{"with": "rest"})
    assert "rest" in ordered.private_text
    ended = await table.pass_on(table.umpire)
    assert "### Day 3 of 14" in ended.text
