"""Limits of options, of questions without a game, and of stored states."""

from fractions import Fraction
from typing import Any

import pytest

from rules.charge.model import Arm, ChargeUnit, Fight, Hits
from rules.core.ruleset import Refused
from rules.core.tests.scripted import ScriptedDice

from .field import SYSTEM, act, blue, field, horse, red, refusal

HALF = Fraction(1, 2)
BOUNDS = {
    "cavalry_move": (12, 1, 36),
    "downhill_within": (22.5, 0, 90),
    "change_of_formation": (HALF, 0, 1),
    "sight_through_wood": (2, 0, 72),
    "cover_within": (1, 0, 12),
    "beaten_at": (HALF, 0, 1),
}


@pytest.mark.parametrize(("option", "bounds"), BOUNDS.items(), ids=BOUNDS)
def test_an_option_has_its_default_and_its_bounds(option: str, bounds: tuple[Any, float, float]) -> None:
    state, (default, low, high) = field(red("A"), blue("B")), bounds
    assert getattr(state.options, option) == default
    for value in (low, high):
        after, _ = act(state, "option", name=option, value=str(value))
        assert getattr(after.options, option) == value
    for value in (low - 0.01, high + 0.01):
        assert refusal(state, "option", name=option, value=str(value))


def test_options_of_words_have_their_defaults() -> None:
    options = field(red("A"), blue("B")).options
    assert (options.marsh_for_infantry, options.river) == ("half", "half")
    assert options.woods_cover
    assert options.answers_at_once


@pytest.mark.parametrize(("troop", "most"), [("company", 99), ("hussars", 99), ("gun", 8)])
def test_question_without_a_game_has_bounds_of_figures(troop: str, most: int) -> None:
    question: dict[str, Any] = {"troop": troop, "against": "company"}
    assert ChargeUnit(id="u", name="U", side="s", arm=Arm.INFANTRY, figures=99).at_start == 99
    with pytest.raises(ValueError, match="less than or equal to 99"):
        ChargeUnit(id="u", name="U", side="s", arm=Arm.INFANTRY, figures=100)
    with pytest.raises(ValueError, match="greater than or equal to 0"):
        ChargeUnit(id="u", name="U", side="s", arm=Arm.INFANTRY, figures=-1)
    for figures in (1, most):
        state, _ = SYSTEM.ad_hoc.set_up("melee", {**question, "figures": figures})
        assert state.unit("unit").figures == figures
    for figures in (0, most + 1):
        with pytest.raises(Refused, match="out of bounds"):
            SYSTEM.ad_hoc.set_up("melee", {**question, "figures": figures})


def test_a_range_and_dice_have_bounds() -> None:
    for wrong in ({"range": -0.1}, {"range": 1000.5}, {"dice": 0}, {"dice": 100}):
        with pytest.raises(Refused):
            SYSTEM.parse("fire", {"unit": "a", "target": "b", **wrong})
    for right in ({"range": 0}, {"range": 1000}, {"dice": 1}, {"dice": 99}):
        SYSTEM.parse("fire", {"unit": "a", "target": "b", **right})


def test_unplaced_volley_throws_the_given_number_of_dice() -> None:
    state = field(red("A", figures=20), blue("B"))
    for dice, faces, casualties in ((1, [6], 6), (3, [6, 6, 6], 15)):
        fire = SYSTEM.parse("fire", {"unit": "a", "target": "b", "range": 2, "dice": dice})
        after, _ = SYSTEM.act(state, fire, ScriptedDice(faces))
        assert after.unit("b").hits[0].casualties == casualties, "of 20 the odd four throw one at half its number"
    assert "Give the range" in refusal(state, "fire", unit="a", target="b")


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ({"width": 2.0}, "12 to 240 inches"),
        ({"mover": "nobody"}, "no such side"),
        ({"first": "nobody"}, "no such side"),
        ({"phase": "tea"}, "no such phase"),
        ({"fights": (Fight(units=("a", "ghost"), since=1),)}, "no unit “ghost”"),
        ({"units": {"a": red("A", hits=(Hits(by="ghost", casualties=HALF),))}}, "units.a.hits: there is no unit"),
    ],
)
def test_stored_table_with_unknown_names_is_refused(wrong: dict[str, Any], reason: str) -> None:
    state = field(
        red("A", hits=(Hits(by="b", casualties=HALF),)), blue("B"), fights=(Fight(units=("a", "b"), since=1),)
    )
    SYSTEM.require_valid_state(state)
    with pytest.raises(Refused, match=reason):
        SYSTEM.require_valid_state(state.model_copy(update=wrong))


def test_troops_match_the_rule_page() -> None:
    sizes = {troop: SYSTEM.troops[troop].make_unit("u", "U", "s").figures for troop in SYSTEM.troops}
    assert sizes == {"company": 16, "grenadiers": 20, "light-company": 8, "hussars": 8, "dragoons": 12, "gun": 5}
    assert horse()["figures"] == sizes["hussars"]
