"""Tests that games begun before a ruling keep the options they began with."""

import json

from rules.registry import rulesets

from .field import state_of

NEW = {"begins_melee": 0, "entry_throws": 36}
"""Options unknown to version 1, with the values that reproduce its play."""


def test_game_of_version_1_keeps_unlimited_melees_and_entry_throws() -> None:
    state = state_of("13 A 3305", "17.FK 1 2608")
    old = json.loads(state.model_copy(update={"before_last": state}).model_dump_json())
    for part in (old, old["before_last"]):
        part["schema_version"] = 1
        for name in NEW:
            del part["options"][name]
    upgraded = rulesets()["tanga"].read_state(json.dumps(old))
    for part in (upgraded, upgraded.before_last):
        assert part.options == state.options.model_copy(update=NEW)


def test_old_name_of_a_unit_field_is_read() -> None:
    """The field is renamed in a state, in the state before the last decision, and in an umpire's correction."""
    state = state_of("13 A 3305 acted", "17.FK 1 2608")
    old = json.loads(state.model_copy(update={"before_last": state}).model_dump_json())
    old["schema_version"] = 5
    for part in (old, old["before_last"]):
        for unit in part["units"].values():
            unit["stirred"] = unit.pop("acted")
    upgraded = rulesets()["tanga"].read_state(json.dumps(old))
    assert [unit.acted for unit in upgraded.units.values()] == [True, False]
    assert [unit.acted for unit in upgraded.before_last.units.values()] == [True, False]
    corrected = {"unit": "13-a", "field": "stirred", "value": "yes"}
    assert rulesets()["tanga"].upgrade_action("edit", corrected, 5) == ("edit", {**corrected, "field": "acted"})
    assert rulesets()["tanga"].upgrade_action("edit", {"unit": "13-a", "field": "at"}, 5)[1]["field"] == "at"
