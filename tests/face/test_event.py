"""/umpire event: a line of the umpire's own in the log and the report."""

import pytest

from rules.registry import rulesets

from .table import Table, text

pytestmark = pytest.mark.usefixtures("drawn")

RAIN = "A cloudburst soaks the powder of both sides."


@pytest.mark.parametrize("rules", ["magdala", "empire", "charge", "great_war", "tanga"])
async def test_what_happens_is_told_kept_and_taken_back(table: Table, rules: str) -> None:
    await table.give(table.umpire, "game new", rules=rules, scenario=next(iter(rulesets()[rules].scenarios)))
    before = (await table.env.bot.games.running(table.channel.id)).state
    said = await table.give(table.umpire, "umpire event", text=RAIN)
    assert RAIN in "\n".join(map(text, said.public))
    assert (await table.env.bot.games.running(table.channel.id)).state == before
    assert RAIN in (await table.give(table.onlooker, "game log")).told
    preview = await table.give(table.umpire, "game undo")
    await table.press(table.umpire, preview.private[0], "Take it back")
    assert "taken back" in (await table.give(table.onlooker, "game log")).told


async def test_only_the_umpire_tells_of_it_and_in_a_line(table: Table) -> None:
    await table.start()
    assert "ursula" in (await table.give(table.british, "umpire event", text=RAIN)).told
    assert "Say what happens" in (await table.give(table.umpire, "umpire event", text="   ")).told
