"""Games that began under an earlier version keep its rules."""

from rules.empire.model import EmpireState
from rules.empire.options import EmpireOptions
from rules.empire.ruleset import Empire

from .field import field, unit

NEW_IN_2 = ("theatre_names_nations", "gave_way_in_4a_alone", "dice_of_each_gun", "dice_of_each_machine_gun")


def test_game_of_version_1_has_no_rulings_of_version_2() -> None:
    data = field(unit("field-gun", stands=2)).model_dump(mode="json")
    for name in NEW_IN_2:
        del data["options"][name]
    after = EmpireState.model_validate(Empire.upgrades[0].state(data))
    assert after.options == EmpireOptions(throw_at_once=False, **dict.fromkeys(NEW_IN_2, False))
    assert all(getattr(EmpireOptions(), name) for name in NEW_IN_2)
