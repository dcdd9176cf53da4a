"""Commands of a campaign whose players do not act: their chief, the umpire and the bot act for them (CA-1.10)."""

from bot.games.turn_mentions import seat_holders

from .live_page import Browser, open_page
from .table import Table, choices, labels

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
        await table.give(table.mahdist, "move", unit="King's reserve", **{"with": "scout"})
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
    done = await table.press(table.british, message, "Do all")
    assert "Wood's column: to 0301 (Utrecht), attack" in done.text
    shown = (await table.give(table.british, "unit show", unit="Wood's column")).text
    assert "to 0301 (Utrecht), attack" in shown
    status = (await table.give(table.british, "turn status")).private[0]
    assert f"{WOOD} ready" in labels(status)
    enemy = await table.give(table.mahdist, "move", unit="Wood's column", **{"with": "dig in"})
    assert "Wood's column" not in enemy.private_text.replace("“Wood's column”", "")


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
    game = await table.env.bot.games.running(table.channel.id)
    assert table.umpire.id in seat_holders(game, game.waits_for)
    await miss_two_days(table)
    game = await table.env.bot.games.running(table.channel.id)
    assert {*seat_holders(game, game.waits_for)} == {table.british.id, table.mahdist.id}
    assert seat_holders(game, ("pearson",)) == (table.british.id,)


async def test_the_page_lets_the_chief_order_an_absent_commands_columns(table: Table, browser: Browser) -> None:
    await miss_two_days(table)
    page = await open_page(table, table.british, browser)
    view = await page.view()
    assert view["seat"]["represents"] == ["glyn", "pearson", "wood"]
    order = {"units": ["wood-s-column"], "kind": "move", "args": {"to": "Utrecht"}}
    status, drafted = await page.post("/api/draft", order)
    assert status == 200, drafted
