"""Tests of counters added and removed by the umpire: their factors, and what else changes."""

import pytest

from rules.core.dice import NoDice
from rules.core.model import Cite
from rules.core.ruleset import Refused
from rules.core.state import Action
from rules.core.umpire import AddUnit, RemoveUnit, SetField
from rules.registry import rulesets
from rules.tanga.model import BRITISH, GERMAN, TangaState, TangaUnit
from rules.tanga.progress import BritishTurn, March, OpenQuestion, QuestionKind

from .field import formation, hex_at, marker, state_of

STATE = state_of("13 A 3010 cf6", "13 B 3011", "61 A 3012", "17.FK 1 2813")


def add_counter(state: TangaState = STATE, side: str = BRITISH, **fields: object) -> TangaUnit:
    order = AddUnit.model_validate({"troop": "infantry", "side": side, "name": "Reserve", **fields})
    correct_during_march, _ = rulesets()["tanga"].act(state, order, NoDice())
    (new,) = (unit for key, unit in correct_during_march.units.items() if key not in state.units)
    return new


def test_a_new_counter_is_of_the_first_formation_of_its_side_and_off_the_map() -> None:
    assert (add_counter().formation, add_counter().at) == ("13", None)
    assert add_counter(side=GERMAN).formation == "17.FK"


def test_a_new_counter_has_the_factors_of_the_first_of_its_arm_on_its_side() -> None:
    assert (add_counter().cf, add_counter().mf, add_counter().eb) == (6, 4, 0)
    assert add_counter(side=GERMAN).cf == 5


@pytest.mark.parametrize(("figures", "cf"), [(1, 1), (20, 20), (21, 20)])
def test_a_combat_factor_may_be_given_up_to_20(figures: int, cf: int) -> None:
    assert add_counter(figures=figures).cf == cf


def test_new_counter_of_a_new_arm_has_the_factors_of_any_counter() -> None:
    gun = add_counter(troop="machine gun")
    blank = TangaUnit(id="x", name="x", side=BRITISH, formation="13", arm=gun.arm)
    assert (gun.cf, gun.mf, gun.eb) == (blank.cf, blank.mf, blank.eb)


def test_counter_in_inches_or_without_a_formation_is_refused() -> None:
    with pytest.raises(Refused, match="This map has hexes, not inches"):
        add_counter(x=3.0, y=4.0)
    with pytest.raises(Refused, match="That side has no formation"):
        add_counter(state_of("17.FK 1 2813"))


def test_removed_counter_loses_its_marker() -> None:
    state = state_of("13 A 3010", "13 B 3011", markers=(marker("13-a"), marker("13-b")), formations=(formation("61"),))
    correct_during_march, _ = rulesets()["tanga"].act(state, RemoveUnit(unit="13-a"), NoDice())
    assert (list(correct_during_march.units), list(correct_during_march.markers)) == (["13-b"], ["13-b-marker"])


def correct_during_march(order: Action) -> TangaState:
    """Apply an umpire's correction during a march of `13-a`, after A and B of the 13th have acted."""
    march = March(units=("13-a",), goal=hex_at("2813"), left=3, way=(hex_at("3010"),))
    british = BritishTurn(formation="13", acted=("13-a", "13-b"), march=march)
    return rulesets()["tanga"].act(STATE.model_copy(update={"british": british}), order, NoDice())[0]


def test_a_new_name_leaves_a_march_as_it_is() -> None:
    renamed = correct_during_march(SetField(unit="13-a", field="name", value="Old A"))
    assert renamed.units["13-a"].name == "Old A"
    assert renamed.british.march is not None


def test_correction_of_a_marching_unit_forces_a_new_decision() -> None:
    weaker = correct_during_march(SetField(unit="13-a", field="cf", value="3"))
    assert (weaker.units["13-a"].cf, weaker.british.march) == (3, None)
    corrected = correct_during_march(SetField(unit="13-b", field="cf", value="3"))
    assert (corrected.units["13-b"].cf, corrected.british.march is not None) == (3, True)


def test_removed_unit_disappears_from_the_turn() -> None:
    assert correct_during_march(RemoveUnit(unit="13-b")).british.acted == ("13-a",)
    gone = correct_during_march(RemoveUnit(unit="13-a")).british
    assert (gone.acted, gone.march) == (("13-b",), None)


@pytest.mark.parametrize(
    ("corrected", "dropped"), [("13-b", True), ("13-a", True), ("17.fk-1", True), ("61-a", False), ("17.fk-2", False)]
)
def test_correction_of_firers_or_targets_drops_the_question(corrected: str, dropped: bool) -> None:
    state = state_of("13 A 3010", "13 B 3010", "61 A 3012", "17.FK 1 2813", "17.FK 2 2713")
    question = OpenQuestion(
        key="k",
        ask=QuestionKind.FIRE_RESULT,
        text="",
        cite=Cite(rule="TA"),
        side=GERMAN,
        answers=(),
        unit="13-a",
        at=hex_at("2813"),
    )
    british = BritishTurn(formation="13", acted=("13-a", "13-b", "61-a"), asked=question)
    order = SetField(unit=corrected, field="cf", value="3")
    now = rulesets()["tanga"].act(state.model_copy(update={"british": british}), order, NoDice())[0].british
    assert now.asked == (None if dropped else question)
    assert now.acted == (("61-a",) if dropped else ("13-a", "13-b", "61-a"))
