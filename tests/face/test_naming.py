"""Names of units and sides as people type them."""

from typing import Any

import pytest

from cogs.kit.lookup.name_lookup import find_unit_id
from rules.core.refusal import Refused
from rules.core.state import UnitCard

from .table import Table, text

HADENDOA = UnitCard(id="hadendoa", name="Hadendoa of Tamai", side="mahdists", line="")
AMBIGUOUS = UnitCard(id="berkshires-1", name="hadendoa", side="british", line="")
TWINS = [UnitCard(id=f"company-{n}", name="Company", side="british", line="") for n in (1, 2)]


def test_a_name_equal_to_anothers_id_hides_no_unit() -> None:
    for text_typed in ("hadendoa", "Hadendoa", " HADENDOA "):
        assert find_unit_id([AMBIGUOUS, HADENDOA], text_typed) == "hadendoa"
    assert find_unit_id([AMBIGUOUS, HADENDOA], "berkshires-1") == "berkshires-1"


def test_units_with_one_name_are_found_only_by_id() -> None:
    with pytest.raises(Refused, match="There are 2 named “Company”"):
        find_unit_id(TWINS, "company")
    assert find_unit_id(TWINS, "company-2") == "company-2"


@pytest.mark.parametrize(
    ("command", "options", "expected"),
    [
        ("morale", {"rules": "magdala", "troop": "British breechloaders", "losses": 1}, "British regulars"),
        ("melee", {"rules": "magdala", "troop": "lancers british", "against": "Zulu", "figures": 6}, "Zulu impi"),
        ("conduct", {"rules": "empire", "troop": "Zulu"}, "Zulu impi"),
        ("scenario show", {"scenario": "suakin"}, "Suakin 1885"),
        ("scenario list", {"rules": "Mafeking"}, "Suakin 1885"),
    ],
)
async def test_a_text_that_matches_one_name_is_accepted(
    command: str, options: dict[str, Any], expected: str, table: Table
) -> None:
    assert expected in (await table.give(table.onlooker, command, **options)).text


async def test_troops_of_one_kind_are_distinguished(table: Table) -> None:
    refused = await table.give(table.onlooker, "morale", rules="magdala", troop="regular infantry", losses=1)
    assert "“regular infantry” may be any of these: British regulars, breechloaders" in refused.private_text
    assert "mounted" not in refused.private_text
    refused = await table.give(table.onlooker, "conduct", rules="empire", troop="massed")
    assert "“massed” may be any of these: " in refused.private_text
    assert "Zulu impi" in refused.private_text
    completions = await table.complete(table.onlooker, "conduct", "troop", "massed", rules="empire")
    assert "zulus" in completions
    completions = await table.complete(table.onlooker, "morale", "troop", "regular infantry", rules="magdala")
    assert completions[0] == "british-breechloaders"


async def test_circumstances_options_and_places_are_found_like_units(table: Table) -> None:
    await table.start()
    await table.give(table.umpire, "umpire option", name="goi", value="1/3")
    answer = await table.give(table.umpire, "umpire option", name="going")
    assert "⅓" in answer.private_text
    moved = await table.give(table.mahdist, "move", unit="amarar", to="towards Royal Marine")
    assert "Amarar" in text(moved.announced)
    odds = await table.give(table.british, "odds", test="morale", unit="berk", **{"with": "melee"})
    assert "morale after losing a melee" in odds.text


async def test_a_side_is_found_by_name_or_id(table: Table) -> None:
    await table.start()
    troop = (await table.complete(table.umpire, "unit add", "troop", "british"))[0]
    for n, side in enumerate(("British", "british", "Army of Osman Digna")):
        added = await table.give(table.umpire, "unit add", troop=troop, side=side, name=f"Reserve {n}")
        assert f"Reserve {n}" in text(added.announced)
