"""Units and sides as people type them."""

import pytest

from bot.errors import UserError
from cogs.kit.naming import unit_id
from rules.core.state import UnitCard

from .table import Table, text

HADENDOA = UnitCard(id="hadendoa", name="Hadendoa of Tamai", side="mahdists", line="")
MASKED = UnitCard(id="berkshires-1", name="hadendoa", side="british", line="")
TWINS = [UnitCard(id=f"company-{n}", name="Company", side="british", line="") for n in (1, 2)]


def test_a_unit_named_like_anothers_id_hides_nobody() -> None:
    for typed in ("hadendoa", "Hadendoa", " HADENDOA "):
        assert unit_id([MASKED, HADENDOA], typed) == "hadendoa"
    assert unit_id([MASKED, HADENDOA], "berkshires-1") == "berkshires-1"


def test_units_of_one_name_are_told_apart_by_id_alone() -> None:
    with pytest.raises(UserError, match="2 units named"):
        unit_id(TWINS, "company")
    assert unit_id(TWINS, "company-2") == "company-2"


async def test_a_side_is_known_by_its_name_as_by_its_id(table: Table) -> None:
    await table.start()
    troop = (await table.complete(table.umpire, "unit add", "troop", "british"))[0]
    for n, side in enumerate(("British", "british", "Army of Osman Digna")):
        added = await table.give(table.umpire, "unit add", troop=troop, side=side, name=f"Reserve {n}")
        assert f"Reserve {n}" in text(added.announced)
