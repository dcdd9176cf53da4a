"""The buttons of an empty local table start one game, and no second one."""

from cogs.game.start import game_choice_card
from rules.registry import rulesets

from .table import Table, labels, text


async def test_a_button_starts_the_first_battle_of_each_system(table: Table) -> None:
    card = game_choice_card()
    channel = table.env.bot.get_partial_messageable(table.channel.id)
    await channel.send(view=card.view())
    (message,) = [message for message in table.channel.history() if "Start a game" in text(message)]
    assert labels(message) == [next(iter(ruleset.scenarios.values())).title for ruleset in rulesets().values()]
    started = await table.press(table.umpire, message, "The trench line")
    assert "Play the British" in labels(started.announced)
    game = await table.env.bot.games.running_game(table.channel.id)
    assert (game.ruleset.id, game.umpire.id) == ("great_war", table.umpire.id)
    refused = await table.press(table.british, message, "The Initial Assault")
    assert refused.private_text, "a game runs here already"
    assert (await table.env.bot.games.running_game(table.channel.id)).id == game.id
