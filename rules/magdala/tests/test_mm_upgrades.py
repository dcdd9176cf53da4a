"""Games that began with earlier versions of the state continue."""

from typing import Any

import pytest
from pydantic_core import from_json

from rules.core.dice import NoDice
from rules.magdala.engagement import start_melee
from rules.magdala.model import Attack
from rules.magdala.model import Test as Owing
from rules.magdala.ruleset import Magdala

from .field import BLUE, field, unit

SYSTEM = Magdala()


def version_1_record(**berkshires: Any) -> dict[str, Any]:
    """Return Suakin in the stored form of version 1."""
    data: dict[str, Any] = from_json(SYSTEM.setup("suakin-1885", {}, NoDice()).model_dump_json())
    data["debts"] = data.pop("prompts")
    for unit_data in data["units"].values():
        del unit_data["melee_attack"]
        unit_data["melee_flank"] = False
    del data["options"]["prone_takes_the_move"], data["options"]["broken_at"]
    data["units"]["berkshires"] |= berkshires
    return {**data, "schema_version": 1}


def test_mm_3_4_a_game_begun_before_keeps_its_free_lying_down() -> None:
    state = SYSTEM.parse_state(version_1_record())
    assert not state.options.prone_takes_the_move
    assert SYSTEM.setup("suakin-1885", {}, NoDice()).options.prone_takes_the_move
    assert SYSTEM.read_state(SYSTEM.write_state(state)) == state


@pytest.mark.parametrize(("was", "now"), [(True, Attack.FLANK), (False, Attack.FRONT)])
def test_mm_4_2_stored_flank_attack_stays_one(was: bool, now: Attack) -> None:
    state = SYSTEM.parse_state(version_1_record(melee_flank=was))
    assert {unit.id: unit.melee_attack for unit in state.units.values()} == {
        **dict.fromkeys(state.units, Attack.FRONT),
        "berkshires": now,
    }


@pytest.mark.parametrize(("value", "now"), [("yes", Attack.FLANK), ("no", Attack.FRONT)])
def test_mm_4_2_stored_correction_of_the_flank_keeps_its_meaning(value: str, now: Attack) -> None:
    fields = {"unit": "a", "field": "melee_flank", "value": value}
    action = SYSTEM.read_action("set", fields, 1)
    fighting = start_melee(field(unit("zulus"), unit("zulus", "b", BLUE)), "a", "b", Attack.REAR)
    assert SYSTEM.act(fighting, action, NoDice())[0].unit("a").melee_attack is now
    other_fields = {"unit": "a", "field": "figures", "value": value}
    assert SYSTEM.read_action("set", other_fields, 1) == SYSTEM.parse("set", other_fields)


def test_mm_game_waits_for_tests_owed_in_version_2() -> None:
    data = from_json(SYSTEM.setup("suakin-1885", {}, NoDice()).model_dump_json())
    data["debts"] = [{"key": "under_fire:berkshires:1", "unit": "berkshires", "test": "morale under fire"}]
    del data["prompts"]
    state = SYSTEM.parse_state({**data, "schema_version": 2})
    assert [(prompt.unit, prompt.test) for prompt in state.prompts] == [("berkshires", Owing.UNDER_FIRE)]
    assert [prompt.key for prompt in SYSTEM.prompts(state) if prompt.required] == ["under_fire:berkshires:1"]
