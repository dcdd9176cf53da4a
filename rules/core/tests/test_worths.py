"""Values that an opponent of any table system counts."""

import pytest

from rules.core.memo import cache_by_identity
from rules.core.tabletop.battle import Objective, Place, TableState, TableUnit
from rules.core.tabletop.best_targets import BestFoeSearch, group_foes
from rules.core.tabletop.values import (
    angle_off_facing,
    closeness_to_objectives,
    count_held_objectives,
    defence_weight,
    elapsed_share,
    expected_hits,
    inches_between,
    masking_loss,
    sum_best_worths,
)

PLACES = {"ours": Place(x=10, y=10, facing=90), "theirs": Place(x=20, y=10), "far": Place(x=70, y=10), "absent": None}


def company(name: str) -> TableUnit:
    return TableUnit(id=name, name=name, side="red", place=PLACES[name])


def test_units_near_and_facing() -> None:
    ours, theirs, far, absent = map(company, PLACES)
    assert inches_between(ours, theirs) == 10
    assert inches_between(ours, absent) > 72
    assert [angle_off_facing(PLACES["ours"] or Place(x=0, y=0), point) for point in ((20, 10), (0, 10))] == [0, 180]
    assert expected_hits(6, 5) == 2
    assert sum_best_worths((ours, far), (theirs,), inches_between) == 60
    assert sum_best_worths((ours,), (), inches_between) == 0


def test_best_target_is_recalculated_only_for_changed_units() -> None:
    ours, theirs, far, _ = map(company, PLACES)
    pairs = list[str]()

    def worth(unit: TableUnit, foe: TableUnit, add: int) -> float:
        pairs.append(f"{unit.name} {foe.name}")
        return inches_between(unit, foe) + add

    extra = 1
    assert (
        sum_best_worths((ours,), (theirs, far), worth, extra)
        == sum_best_worths((ours,), (theirs, far), worth, extra)
        == 61
    )
    assert sum_best_worths((ours,), (theirs,), worth, extra) == 11
    assert sorted(pairs) == ["ours far", "ours theirs"]
    assert sum_best_worths((ours,), (theirs, far.model_copy(update={"place": theirs.place})), worth, extra) == 11
    assert pairs[2:] == ["ours far"]
    assert sum_best_worths((ours,), (), worth, extra) == 0


def test_closeness_counts_near_units_or_only_the_nearest() -> None:
    crossing = Objective(side="red", name="the ford", at=(20, 10), within=2)
    objectives = {"objectives": (crossing,), "turn_limit": 10}
    state = TableState[TableUnit].model_validate(
        objectives | {"ruleset": "", "scenario": "", "sides": (), "active": ""}
    )
    units = [company(name) for name in PLACES]
    assert closeness_to_objectives(state, units, 16) == pytest.approx(1 + 0.5)
    assert closeness_to_objectives(state, units, 16, 1) == 1
    assert count_held_objectives(state, units) == 1
    assert count_held_objectives(state, units[:1]) == 0
    assert elapsed_share(state) == pytest.approx(state.turn / 10)


def test_unit_value_is_recalculated_only_after_a_change() -> None:
    names = list[str]()
    ask = cache_by_identity(lambda unit: names.append(unit.name) or len(names))
    ours = company("ours")
    assert ask(ours) == ask(ours) == 1
    assert ask(ours.model_copy(update={"place": None})) == 2


def test_masked_gun_loses_the_difference_to_its_best_clear_target() -> None:
    gun, near, far, _ = map(company, PLACES)
    best, foes = BestFoeSearch[TableUnit](inches_between), group_foes((near, far))
    masking = ((), (near,), (far,), (near, far))
    assert [masking_loss(best, gun, foes, lambda _, foe, hid=hid: foe in hid) for hid in masking] == [
        0,
        0,
        50,
        60,
    ]
    assert [foe for _, foe in best.rank_foes(gun, foes)] == [far, near]


def test_attacker_values_its_works_by_the_remaining_turns() -> None:
    ford = Objective(side="red", name="the ford", at=(20, 10), within=2)
    fields = {
        "objectives": (ford,),
        "turn_limit": 10,
        "turn": 4,
        "ruleset": "",
        "scenario": "",
        "sides": (),
        "active": "",
    }
    state = TableState[TableUnit].model_validate(fields)
    assert [defence_weight(state, side) for side in ("red", "blue")] == [pytest.approx(0.6), 1]
