"""/opponent: the bot in a seat, its turns in one message each, and all that comes of it."""

from .table import Table, text


async def begun(table: Table, scenario: str = "trench") -> None:
    """The Great War, with a British player; nobody plays the Germans yet."""
    await table.give(table.umpire, "game new", rules="great_war", scenario=scenario)
    await table.give(table.british, "game join", side="british")


async def test_it_plays_its_turn_by_itself_in_one_message_and_then_calls_the_next_player(table: Table) -> None:
    await begun(table)
    seated = await table.give(table.umpire, "opponent side", side="germans", level="easy")
    assert "Germans: played by the bot (easy)" in seated.said
    before = len(table.channel.history())
    await table.give(table.british, "turn next")
    await table.env.settle()
    ended, told = (text(one) for one in table.channel.history()[before:])
    assert "Germans, orders" in ended
    assert "### Germans: " in told
    assert "**1** " in told
    assert f"<@{table.british.id}>: it is your turn." in told
    assert "Turn 3 of 30, British" in told
    assert "<@-" not in told
