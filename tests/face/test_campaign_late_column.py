"""A column that marches to the guns waits in its battle's game; only its side reads when it comes (CA-5.6)."""

from .table import Table
from .test_campaign import begin
from .test_campaign_fights import FIGHT, OPEN, follow, posted, thread_of


async def test_only_its_side_and_the_umpire_read_that_a_late_column_comes(table: Table) -> None:
    await begin(table)
    await table.give(table.umpire, "umpire set", unit="Camelmen", field="at", value="2418")
    await table.give(table.mahdist, "move", unit="Camelmen", **{"with": "attack"})
    await table.give(table.british, "move", unit="Graham's column", to="El Teb", **{"with": "attack"})
    await table.give(table.mahdist, "turn next")
    await table.give(table.british, "turn next")
    campaign = await follow(table)
    (battle,) = campaign.state.battles.values()
    (late,) = battle.late
    assert campaign.state.units[late].name == "Camelmen"
    await table.press(table.british, posted(table, OPEN)[0], FIGHT)
    thread = thread_of(table)
    await table.give(table.umpire, "turn next", channel=thread)
    game = await table.env.bot.games.running_game(thread.id)
    coming = {arrival.unit.name for arrival in game.state.arrivals.values()}
    assert coming
    for player, knows in ((table.mahdist, True), (table.british, False), (table.umpire, True)):
        reply = (await table.give(player, "unit list", channel=thread)).text
        assert any(name in reply for name in coming) is knows, (player.name, reply)
        assert ("to come in turn" in reply) is knows
