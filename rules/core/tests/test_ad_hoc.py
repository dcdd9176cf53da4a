"""Questions without a game: their list, their options, and the words that `with:` accepts."""

from collections.abc import Mapping
from typing import Any

import pytest

from rules.core.action_type import ActionType
from rules.core.refusal import Refused
from rules.core.ruleset import Troop

from .drill import HOLD, Drill, DrillState, Hold, start_drill


class Holding(ActionType[DrillState, Hold, Hold]):
    action = Hold
    question_fields = ("steps",)
    question_circumstances = ("in cover", "general")

    def set_up_question(self, fields: Mapping[str, Any], words: tuple[str, ...]) -> tuple[DrillState, Hold]:
        return start_drill(), Hold.model_validate({"unit": "a", **fields, "with": words})


class Asked(Drill):
    def __init__(self, *types: Any) -> None:
        self.action_types = types
        super().__init__()


SYSTEM = Asked(Holding())


def test_system_lists_its_questions_and_their_options() -> None:
    assert SYSTEM.ad_hoc.question_fields_by_kind == {"hold": ("steps",)}
    assert SYSTEM.ad_hoc.circumstances("hold") == ("in cover", "general")
    assert SYSTEM.ad_hoc.circumstances("dance") == ()
    assert Asked(HOLD).ad_hoc.question_fields_by_kind == {}


def test_question_makes_a_state_and_an_action_from_its_options() -> None:
    state, action = SYSTEM.ad_hoc.set_up("hold", {"steps": 3, "with": "General, in cover", "troop": None})
    assert state == start_drill()
    assert action == Hold(unit="a", steps=3, circumstances=("general", "in cover"))
    assert SYSTEM.ad_hoc.set_up("hold", {"with": ("general",)})[1].circumstances == ("general",)
    assert SYSTEM.ad_hoc.set_up("hold", {})[1] == Hold(unit="a")


def test_unknown_question_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refused, match=r"^Without a game you can ask Drill for hold\. For dance, begin one"):
        SYSTEM.ad_hoc.set_up("dance", {})
    with pytest.raises(Refused, match=r"^Without a game you can ask Drill for nothing\. For hold, begin one"):
        Asked(HOLD).ad_hoc.set_up("hold", {})
    with pytest.raises(Refused, match="“in square” is no circumstance of this"):
        SYSTEM.ad_hoc.set_up("hold", {"with": "in square"})


def test_option_that_a_question_does_not_take_is_refused() -> None:
    class Several(Holding):
        question_fields = ("steps", "losses")

    why = rf"^Without a game, hold takes steps, losses and with\. Leave out “{'z' * 40}”\.$"
    with pytest.raises(Refused, match=why):
        Asked(Several()).ad_hoc.set_up("hold", {"steps": 3, "z" * 41: 1})


class OfTroops(Holding):
    question_fields = ("troop", "steps")

    def set_up_question(self, fields: Mapping[str, Any], words: tuple[str, ...]) -> tuple[DrillState, Hold]:
        return start_drill(), Hold(unit=fields["troop"], steps=fields.get("steps", 1))


def test_missing_troops_are_asked_for_with_an_example() -> None:
    system = Asked(OfTroops())
    system.troops = {"foot": Troop(id="foot", name="Foot"), "horse": Troop(id="horse", name="Horse")}
    assert system.ad_hoc.set_up("hold", {"troop": "b"})[1] == Hold(unit="b")
    with pytest.raises(Refused, match=r"^Say which troops: hold needs “troop”, such as “Foot”"):
        system.ad_hoc.set_up("hold", {"steps": 1})


def test_number_out_of_bounds_is_refused_with_its_name() -> None:
    with pytest.raises(Refused, match=r"^“steps”: .* Change it and try again"):
        SYSTEM.ad_hoc.set_up("hold", {"steps": 0})
