"""The umpire's counters at Tanga: of which factors they are made, and what goes away with them."""

import pytest

from rules.core.dice import NoDice
from rules.core.ruleset import Refused
from rules.core.umpire import AddUnit, RemoveUnit
from rules.registry import rulesets
from rules.tanga.model import BRITISH, GERMAN, TangaState, TangaUnit

from .field import formation, marker, state_of

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
