"""What is read of a battle: by all the same whichever command fights, by its players the same whatever is hidden."""

import re
from collections.abc import Callable, Sequence

from bot.runtime.client import UmpireBot

from .env import Env
from .table import Table, labels, text
from .test_campaign_fights import FIGHT, follow, rest, thread_of
from .test_tanga_leaks import new_bots

__all__ = ["new_bots"]

VEILED = re.compile(r"\b[0-9a-f]{64}\b|\d{17,20}|<t:\d+:.>")
COLUMNS = ("Wood's column", "Pearson's column")
"""Either of them is beside the Zulus; the other is far away."""


HIDDEN = (
    {"unit": "Horns of the buffalo", "field": "at", "value": "1409"},
    {"unit": "Army of the coast", "field": "supply", "value": "1"},
)
"""What is changed where no column sees it."""


async def fight(table: Table, column: str, hidden: Sequence[dict[str, str]] = ()) -> tuple[list[str], list[str]]:
    """Have a British column fight the Zulus in a thread; return what an onlooker reads, and its player of it all."""
    await table.give(table.umpire, "game new", rules="campaign", scenario="zululand-1879")
    for player, side in ((table.british, "British under Wood"), (table.mahdist, "British under Pearson")):
        await table.give(player, "game join", side=side)
    far = next(candidate for candidate in COLUMNS if candidate != column)
    for name, place in ((column, "0905"), (far, "0301"), ("abaQulusi", "0904")):
        await table.give(table.umpire, "umpire set", unit=name, field="at", value=place)
    for changed in hidden:
        await table.give(table.umpire, "umpire set", **changed)
    await table.give(table.umpire, "move", unit=column, to="0904", **{"with": "attack"})
    await table.give(table.umpire, "move", unit=far, to="0302", **{"with": "hold"})
    await table.give(table.umpire, "move", unit="abaQulusi", to="0905", **{"with": "attack"})
    await table.give(table.umpire, "turn next")
    campaign = await follow(table)
    (battle,) = campaign.state.battles.values()
    assert len([column_id for column_id in battle.columns if campaign.state.units[column_id].name == column]) == 1
    await table.give(table.umpire, "campaign status")
    player = table.british if column == COLUMNS[0] else table.mahdist
    (message,) = [message for message in table.channel.history() if FIGHT in labels(message)]
    await table.press(player, message, FIGHT)
    await table.give(player, "campaign status")
    members = {*thread_of(table)._channel.thread_members} - {table.env.backend.bot_user.id}
    assert members == {table.umpire.id, player.id}
    thread = thread_of(table)
    await table.give(table.umpire, "turn next", channel=thread)
    (question,) = (await table.give(table.umpire, "game end", channel=thread)).private
    await table.press(table.umpire, question, "End the game")
    await follow(table)
    await rest(table)
    status = (await table.give(table.onlooker, "campaign status")).private_text
    log = (await table.give(table.onlooker, "game log")).private_text
    public = [veiled(table, line) for line in (*table.read_by(table.onlooker), status, log)]
    own = [*table.read_by(player), *map(text, thread.history(viewer=player))]
    return public, [veiled(table, line) for line in own]


def veiled(table: Table, line: str) -> str:
    """Return a message with the names of those it mentions, without other ids, seals and moments."""
    for player in (table.umpire, table.british, table.mahdist):
        line = line.replace(f"<@{player.id}>", f"@{player.name}")
    return VEILED.sub("…", line)


async def read_in(
    new_bot: Callable[[], UmpireBot], column: str, hidden: Sequence[dict[str, str]] = ()
) -> tuple[list[str], list[str]]:
    env = Env(new_bot(), check_errors=False, settle_timeout=60.0)
    await env.start()
    try:
        return await fight(Table.create(env, new_bot), column, hidden)
    finally:
        await env.shutdown()
        await env.bot.store.close()


async def test_an_onlooker_reads_the_same_whichever_command_fights(
    new_bots: Callable[[], Callable[[], UmpireBot]],
) -> None:
    first, second = [(await read_in(new_bots(), column))[0] for column in COLUMNS]
    assert any("held the field" in line for line in first)
    assert first == second


async def test_a_player_in_the_battle_reads_the_same_whatever_is_hidden_elsewhere(
    new_bots: Callable[[], Callable[[], UmpireBot]],
) -> None:
    (_, first), (_, second) = [await read_in(new_bots(), COLUMNS[0], hidden) for hidden in ((), HIDDEN)]
    assert any("The result is in the campaign" in line for line in first)
    assert first == second
