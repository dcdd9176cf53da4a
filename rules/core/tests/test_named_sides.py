"""`all British` is a side wherever units are listed, even if units have the same word in their names."""

import pytest

from rules.core.model import UMPIRE, Viewer
from rules.core.named_sides import find_named_side
from rules.core.order_book import OrderBook
from rules.core.refusal import Refused
from rules.core.tests.scripted import ScriptedDice
from rules.registry import rulesets

MAGDALA = rulesets()["magdala"]
STATE = MAGDALA.setup("suakin-1885", {}, ScriptedDice([3] * 200))
BRITISH, MAHDISTS = (side.id for side in STATE.sides)
ONE = next(unit for unit in STATE.units.values() if unit.side == MAHDISTS)
SEEN = STATE.with_unit(ONE.model_copy(update={"name": "British deserters"}))
ALL_BRITISH = {unit.id for unit in SEEN.units.values() if unit.side == BRITISH}


def list_units(text: str, viewer: Viewer = UMPIRE) -> set[str]:
    return {*OrderBook(MAGDALA, SEEN, viewer).find_listed_units(text)}


@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("British", BRITISH), ("the british", BRITISH), ("of the British", BRITISH), ("British units", BRITISH),
        (MAHDISTS, MAHDISTS), ("Mahdist", MAHDISTS), ("British regulars", None), ("Brit", None),
        ("", None), ("the", None),
    ],
)  # fmt: skip
def test_a_side_is_named_by_its_whole_name_or_id(text: str, side: str | None) -> None:
    assert find_named_side(SEEN, text, {}) == side


@pytest.mark.parametrize("text", ["all British", "all of the British", "ALL BRITISH", "all the British units"])
def test_all_of_a_side_excludes_enemy_units_with_its_name(text: str) -> None:
    assert list_units(text) == list_units(text, BRITISH) == ALL_BRITISH


def test_a_side_stands_in_a_list_beside_units() -> None:
    assert list_units("all British, British deserters") == ALL_BRITISH | {ONE.id}


def test_a_player_lists_no_side_but_his_own() -> None:
    with pytest.raises(Refused, match="are not yours"):
        list_units("all British", MAHDISTS)
    with pytest.raises(Refused, match="no units of"):
        OrderBook(MAGDALA, SEEN.model_copy(update={"units": {ONE.id: ONE}}), UMPIRE).find_listed_units("all British")


def test_an_order_is_given_to_a_side() -> None:
    (order,) = OrderBook(MAGDALA, SEEN, BRITISH).read("all British: forward 1")
    assert {*order.units} <= ALL_BRITISH
    assert order.args == {"to": "forward 1"}
