"""Every refusal of a move names the rule that refuses it."""

from typing import Any

import pytest

from rules.charge.model import ChargeUnit, UnitTurn
from rules.core.scene import Feature

from .field import blue, field, ground, gun, horse, red, refusal

FOOT, FOE, NEAR = red("A", (36, 40)), blue("B", (36, 5)), blue("B", (36, 25))
HORSE, GUN = red("A", (36, 30), **horse()), red("A", (36, 30), **gun())


def rough(feature: Feature) -> dict[str, Any]:
    """Return a piece of terrain in front of the moving unit."""
    return {"terrain": (ground(feature, 30, 20, 42, 29),)}


@pytest.mark.parametrize(
    ("units", "to", "words", "fields", "rule"),
    [
        ((FOOT, FOE), "forward 9", "", {}, "CH-1.1"),
        ((FOOT, FOE), "forward 5", "column", {}, "CH-F, house"),
        ((GUN, FOE), "forward 6", "", rough(Feature.WOOD), "CH-1.2"),
        ((HORSE, FOE), "forward 12", "", rough(Feature.MARSH), "CH-1.2"),
        ((HORSE, NEAR), "36,19", "", {}, "CH-1, ruling"),
        ((red("A", (36, 44)), FOE), "back 6", "", {}, "CH-1, ruling"),
        ((FOOT, FOE, red("C", (38, 38))), "face east", "", {}, "CH-1, ruling"),
        ((FOOT, FOE), "36,40", "", {}, "CH-1, ruling"),
        ((GUN, NEAR), "towards B", "", {}, "CH-4.1, ruling"),
        ((FOOT.model_copy(update={"this_turn": UnitTurn(has_moved=True)}), FOE), "forward 3", "", {}, "CH-1.3, ruling"),
    ],
)
def test_ch_the_rule_that_refuses_a_move_is_named(
    units: tuple[ChargeUnit, ...], to: str, words: str, fields: dict[str, Any], rule: str
) -> None:
    arguments = {"with": words} if words else {}
    why = refusal(field(*units, phase="moves", **fields), "move", unit="a", to=to, **arguments)
    assert f"({rule}" in why, why
