"""Tests of counters added and removed by the umpire: their factors, and what else changes."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.umpire import AddUnit, RemoveUnit, SetField
from rules.registry import rulesets
from rules.tanga.model import BRITISH, GERMAN, TangaState, TangaUnit
from rules.tanga.progress import Ask, Asked, BritishTurn, March

from .field import formation, hex_at, marker, state_of

STATE = state_of("13 A 3010 cf6", "13 B 3011", "61 A 3012", "17.FK 1 2813")


def added(state: TangaState = STATE, side: str = BRITISH, **more: object) -> TangaUnit:
    order = AddUnit.model_validate({"troop": "infantry", "side": side, "name": "Reserve", **more})
    after, _ = rulesets()["tanga"].act(state, order, NoDice())
    (new,) = (unit for key, unit in after.units.items() if key not in state.units)
    return new


def test_a_new_counter_is_of_the_first_formation_of_its_side_and_off_the_map() -> None:
    assert (added().formation, added().at) == ("13", None)
    assert added(side=GERMAN).formation == "17.FK"


def test_a_new_counter_has_the_factors_of_the_first_of_its_arm_on_its_side() -> None:
    assert (added().cf, added().mf, added().eb) == (6, 4, 0)
    assert added(side=GERMAN).cf == 5


@pytest.mark.parametrize(("given", "cf"), [(1, 1), (20, 20), (21, 20)])
def test_a_combat_factor_may_be_given_up_to_20(given: int, cf: int) -> None:
    assert added(figures=given).cf == cf


def test_what_there_is_none_of_yet_has_the_factors_of_any_counter() -> None:
    gun = added(troop="machine gun")
    blank = TangaUnit(id="x", name="x", side=BRITISH, formation="13", arm=gun.arm)
    assert (gun.cf, gun.mf, gun.eb) == (blank.cf, blank.mf, blank.eb)


def test_a_counter_is_refused_in_inches_and_without_a_formation_to_belong_to() -> None:
    with pytest.raises(Refused, match="This map has hexes, not inches"):
        added(x=3.0, y=4.0)
    with pytest.raises(Refused, match="That side has no formation"):
        added(state_of("17.FK 1 2813"))


def test_a_counter_that_is_taken_away_goes_with_its_marker() -> None:
    state = state_of("13 A 3010", "13 B 3011", markers=(marker("13-a"), marker("13-b")), formations=(formation("61"),))
    after, _ = rulesets()["tanga"].act(state, RemoveUnit(unit="13-a"), NoDice())
    assert (list(after.units), list(after.markers)) == (["13-b"], ["13-b-marker"])


def after(order: Action) -> TangaState:
    """Apply an umpire's correction during a march of `13-a`, after A and B of the 13th have acted."""
    march = March(units=("13-a",), goal=hex_at("2813"), left=3, way=(hex_at("3010"),))
    british = BritishTurn(formation="13", acted=("13-a", "13-b"), march=march)
    return rulesets()["tanga"].act(STATE.model_copy(update={"british": british}), order, NoDice())[0]


def test_a_new_name_leaves_a_march_as_it_is() -> None:
    renamed = after(SetField(unit="13-a", field="name", value="Old A"))
    assert renamed.units["13-a"].name == "Old A"
    assert renamed.british.march is not None


def test_any_other_correction_of_who_marches_has_the_british_decide_anew() -> None:
    weaker = after(SetField(unit="13-a", field="cf", value="3"))
    assert (weaker.units["13-a"].cf, weaker.british.march) == (3, None)
    other = after(SetField(unit="13-b", field="cf", value="3"))
    assert (other.units["13-b"].cf, other.british.march is not None) == (3, True)


def test_who_is_taken_away_has_neither_acted_nor_marched() -> None:
    assert after(RemoveUnit(unit="13-b")).british.acted == ("13-a",)
    gone = after(RemoveUnit(unit="13-a")).british
    assert (gone.acted, gone.march) == (("13-b",), None)


@pytest.mark.parametrize(
    ("corrected", "dropped"), [("13-b", True), ("13-a", True), ("17.fk-1", True), ("61-a", False), ("17.fk-2", False)]
)
def test_a_question_is_dropped_when_who_fires_who_stands_with_him_or_whom_he_fires_at_is_corrected(
    corrected: str, dropped: bool
) -> None:
    state = state_of("13 A 3010", "13 B 3010", "61 A 3012", "17.FK 1 2813", "17.FK 2 2713")
    asked = Asked(
        key="k",
        ask=Ask.FIRE_RESULT,
        text="",
        cite=Cite(rule="TA"),
        side=GERMAN,
        answers=(),
        unit="13-a",
        at=hex_at("2813"),
    )
    british = BritishTurn(formation="13", acted=("13-a", "13-b", "61-a"), asked=asked)
    order = SetField(unit=corrected, field="cf", value="3")
    now = rulesets()["tanga"].act(state.model_copy(update={"british": british}), order, NoDice())[0].british
    assert now.asked == (None if dropped else asked)
    assert now.acted == (("61-a",) if dropped else ("13-a", "13-b", "61-a"))
