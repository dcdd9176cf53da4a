"""Where units may be hidden it is told who sees all: as the game begins, and when the umpire is another."""

import tomllib

import tomli_w

from rules.registry import rulesets

from .table import Table, text

FIRST = next(iter(rulesets()["magdala"].scenarios))


async def test_a_battle_in_which_units_begin_hidden_says_who_sees_all(table: Table) -> None:
    battle = tomllib.loads(rulesets()["magdala"].battles.text(FIRST))  # type: ignore[attr-defined]
    battle["units"][0]["hidden"] = True
    file = tomli_w.dumps({**battle, "id": "ours"}).encode()
    await table.give(table.umpire, "scenario upload", rules="magdala", file=("ours.toml", file))
    begun = await table.give(table.umpire, "game new", rules="magdala", scenario="ours")
    assert "The umpire, ursula, sees everything that is hidden" in text(begun.announced)


async def test_where_nothing_is_hidden_it_is_not_said(table: Table) -> None:
    begun = await table.give(table.umpire, "game new", rules="magdala", scenario=FIRST)
    assert "hidden in this game" not in text(begun.announced)
    appointed = await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    assert "sees everything" not in text(appointed.announced)


async def test_another_umpire_is_named_as_who_sees_all(table: Table) -> None:
    await table.give(table.umpire, "game new", rules="magdala", scenario=FIRST)
    await table.give(table.umpire, "umpire option", name="hidden troops", value="yes")
    appointed = await table.give(table.umpire, "umpire appoint", user=table.onlooker)
    assert "The umpire, olga, sees everything that is hidden" in text(appointed.announced)
