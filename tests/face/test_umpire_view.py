"""Games that may hide units name who sees everything, at the start and when the umpire changes."""

import tomllib

import pytest
import tomli_w

from cogs.kit import automatic_play
from rules.registry import rulesets

from .rooms import hide
from .table import Table, text

FIRST = next(iter(rulesets()["magdala"].scenarios))


async def test_a_battle_with_hidden_units_names_who_sees_everything(table: Table) -> None:
    battle = tomllib.loads(rulesets()["magdala"].battles.text(FIRST))  # type: ignore[attr-defined]
    battle["units"][0]["hidden"] = True
    file = tomli_w.dumps({**battle, "id": "ours"}).encode()
    await table.give(table.umpire, "scenario upload", rules="magdala", file=("ours.toml", file))
    begun = await table.give(table.umpire, "game new", rules="magdala", scenario="ours")
    assert "The umpire, ursula, sees everything that is hidden" in text(begun.announced)


async def test_a_game_without_hidden_units_does_not_name_who_sees_everything(table: Table) -> None:
    begun = await table.give(table.umpire, "game new", rules="magdala", scenario=FIRST)
    assert "hidden in this game" not in text(begun.announced)
    appointed = await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    assert "sees everything" not in text(appointed.announced)


async def test_a_new_umpire_is_named_as_the_one_who_sees_everything(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="magdala", scenario=FIRST)
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    appointed = await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    assert "The umpire, olga, sees everything that is hidden" in text(appointed.announced)


async def test_a_playing_umpire_may_not_switch_hidden_troops_off(table: Table) -> None:
    await table.start(seated=False)
    await table.give(table.mahdist, "game join", side="mahdists")
    await hide(table)
    await table.give(table.umpire, "game join", side="british")
    refused = await table.give(table.umpire, "umpire option", name="hidden troops", value="no")
    assert "Troops may be hidden in this game, and so it stays" in refused.private_text
    undone = await table.give(table.umpire, "game undo")
    assert "before troops could be hidden" in undone.private_text
    assert "Amarar" not in (await table.give(table.umpire, "unit list")).private_text


async def test_an_umpire_who_sees_everything_may_undo_the_option(table: Table) -> None:
    await table.start()
    await hide(table)
    undone = await table.give(table.umpire, "game undo", steps=2)
    await table.press(table.umpire, undone.private[0], "Take it back")
    assert "Amarar" in (await table.give(table.british, "unit list")).private_text


@pytest.mark.parametrize("relieved", [False, True])
async def test_a_playing_umpires_view_stays_limited_after_the_bot_leaves(
    table: Table, monkeypatch: pytest.MonkeyPatch, relieved: bool
) -> None:
    monkeypatch.setattr(automatic_play, "start_automatic_play", lambda *_: None)
    await table.start(seated=False)
    await hide(table)
    seated = await table.give(table.umpire, "opponent side", side="mahdists", level="easy")
    nobody = "Nobody sees everything that is hidden: the umpire, ursula, sees what the British see."
    assert nobody in text(seated.announced)
    harder = await table.give(table.umpire, "opponent side", side="mahdists")
    assert nobody not in text(harder.announced)
    if relieved:
        await table.give(table.mahdist, "game join", side="mahdists")
    else:
        await table.give(table.umpire, "opponent side", side="mahdists", level="off")
    assert "Amarar" not in (await table.give(table.umpire, "unit list")).private_text
