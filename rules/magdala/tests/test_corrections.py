"""The umpire's corrections: changed fields and options, added and removed units."""

import pytest

from rules.core import fields
from rules.core.dice import NoDice
from rules.core.model import UMPIRE, Cite
from rules.core.tabletop.battle import Place
from rules.magdala.model import MagdalaState, Morale, StoredPrompt
from rules.magdala.model import Test as Owing
from rules.magdala.morale.flight import make_unit_flee
from rules.magdala.stored_prompts import add_prompt

from .field import play_part
from .suakin import BERKS, SYSTEM, after_action, refusal, suakin_state


def test_correction_reports_old_and_new_value() -> None:
    order = SYSTEM.parse("set", {"unit": BERKS, "field": "Works", "value": "Behind Earthworks"})
    after, report = SYSTEM.act(suakin_state(), order, NoDice())
    assert after.unit(BERKS).works == "behind earthworks"
    assert report.steps[0].text == "Works: behind a zareba → behind earthworks."


def test_the_umpire_moves_a_unit_and_its_general_with_it() -> None:
    after = after_action(suakin_state(), "set", unit="marines", field="place", value="45, 28, 90")
    assert after.unit("marines").place == Place(x=45, y=28, facing=90) == after.unit("mcneill").place


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"unit": "berkshire", "field": "works", "value": "none"}, "1st Berkshires"),
        ({"unit": BERKS, "field": "wroks", "value": "none"}, "works"),
        ({"unit": BERKS, "field": "works", "value": "a wall"}, "behind a zareba"),
        ({"unit": BERKS, "field": "figures", "value": "0"}, "at least 1"),
        ({"unit": BERKS, "field": "figures", "value": "two"}, "a whole number"),
        ({"unit": BERKS, "field": "casualties", "value": "25"}, "cannot have lost 25"),
        ({"unit": BERKS, "field": "side", "value": "french"}, "There are: British, Army of Osman Digna"),
        ({"unit": BERKS, "field": "general", "value": "nobody"}, "No other unit"),
        ({"unit": BERKS, "field": "general", "value": "osman-digna"}, "their own side"),
        ({"unit": BERKS, "field": "parent", "value": BERKS}, "No other unit"),
        ({"unit": BERKS, "field": "melee_with", "value": "marines"}, "same side"),
        ({"unit": BERKS, "field": "place", "value": "43,32"}, "Royal Marine"),
        ({"unit": BERKS, "field": "place", "value": "90,32"}, "off the table"),
        ({"unit": BERKS, "field": "secret_quality", "value": "1"}, "no field"),
        ({"unit": BERKS, "field": "id", "value": "x"}, "no field"),
        ({"unit": BERKS, "field": "ammunition", "value": "lots"}, "4½"),
    ],
)
def test_invalid_correction_is_refused_with_valid_values(args: dict, reason: str) -> None:
    assert reason in refusal(suakin_state(), "set", **args)


def test_melee_set_by_hand_begins_and_ends_for_both_units() -> None:
    state = after_action(suakin_state(), "set", unit="amarar", field="melee_with", value=BERKS)
    assert state.unit(BERKS).melee_with == "amarar"
    over = after_action(state, "set", unit="amarar", field="melee_with", value="none")
    assert over.unit(BERKS).melee_with is None
    assert over.unit("amarar").melee_round == 0


@pytest.mark.parametrize(("unit", "enemy"), [("amarar", BERKS), (BERKS, "amarar")])
def test_mm_4_5_no_melee_is_set_with_a_unit_off_the_table(unit: str, enemy: str) -> None:
    gone = after_action(suakin_state(), "set", unit="amarar", field="morale", value="off table")
    assert "left the table" in refusal(gone, "set", unit=unit, field="melee_with", value=enemy)


@pytest.mark.parametrize(
    ("unit", "parent", "reason"),
    [
        (BERKS, "amarar", "side and kind"),
        (BERKS, "5th-lancers", "side and kind"),
        (BERKS, "mcneill", "no detachments"),
        (BERKS, BERKS, "No other unit"),
        (BERKS, "marines", "themselves a detachment"),
        ("shropshires", "marines", "themselves a detachment"),
        (BERKS, "shropshires", "a detachment of their own"),
    ],
)
def test_mm_1_parent_by_hand_must_be_able_to_detach(unit: str, parent: str, reason: str) -> None:
    state = after_action(suakin_state(), "set", unit="marines", field="parent", value=BERKS)
    assert state.unit("marines").parent == BERKS
    assert reason in refusal(state, "set", unit=unit, field="parent", value=parent)
    assert after_action(state, "set", unit="marines", field="parent", value="none").unit("marines").parent is None


def test_a_unit_set_off_the_table_is_out_of_its_melee() -> None:
    state = after_action(suakin_state(), "set", unit="amarar", field="melee_with", value=BERKS)
    gone = after_action(state, "set", unit="amarar", field="morale", value="off table")
    assert gone.unit(BERKS).melee_with is None


def test_an_option_is_changed_in_words_and_the_report_has_its_rule() -> None:
    after, report = SYSTEM.act(suakin_state(), SYSTEM.parse("option", {"name": "poor shots", "value": "½"}), NoDice())
    assert float(after.options.poor_shots) == 0.5
    assert report.steps[0].cite.rule == "MM-3.6"
    assert "¾ → ½" in report.steps[0].text


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("pour shots", "1", "poor shots"),
        ("risk_hits", "some", "a whole number"),
        ("lancer_bonus", "perhaps", "yes or no"),
    ],
)
def test_invalid_option_is_refused(name: str, value: str, reason: str) -> None:
    assert reason in refusal(suakin_state(), "option", name=name, value=value)


def test_a_unit_of_named_troops_is_brought_on() -> None:
    state = after_action(
        suakin_state(), "add_unit", troop="Rocket battery", side="british", name="Naval Rockets", x=36, y=40
    )
    unit = state.unit("naval-rockets")
    assert (unit.figures, unit.place, unit.this_turn.figures_at_start) == (3, Place(x=36, y=40), 3)
    later = after_action(state, "add_unit", troop="rockets", side="british", name="Naval: Rockets", figures=2)
    assert later.unit("naval-rockets-2").place is None


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"troop": "hussars of fame"}, "nearest"),
        ({"side": "french"}, "british, mahdists"),
        ({"x": 3}, "both x and y"),
        ({"x": 29, "y": 32}, "Berkshires"),
        ({"x": 0, "y": 0}, "off the table"),
        ({"figures": 501}, "500"),
        ({"figures": 0}, "1"),
    ],
)
def test_a_unit_that_cannot_be_brought_on_is_refused(args: dict, reason: str) -> None:
    arguments = {"troop": "rockets", "side": "british", "name": "Rockets", **args}
    assert reason in refusal(suakin_state(), "add_unit", **arguments)


def test_a_unit_may_lose_all_its_figures_and_no_more() -> None:
    assert "cannot have lost 25" in refusal(suakin_state(), "set", unit=BERKS, field="casualties", value="25")
    assert (
        after_action(suakin_state(), "set", unit=BERKS, field="casualties", value="24").unit(BERKS).morale
        is Morale.OFF_TABLE
    )


def test_a_general_is_with_one_unit_and_leads_his_own_side() -> None:
    assert suakin_state().unit("marines").general == "mcneill"
    state = after_action(suakin_state(), "set", unit=BERKS, field="general", value="mcneill")
    assert (state.unit(BERKS).general, state.unit("marines").general) == ("mcneill", None)
    for unit, leader in (("amarar", "mcneill"), ("marines", BERKS)):
        assert "Name a general of their own side" in refusal(
            suakin_state(), "set", unit=unit, field="general", value=leader
        )


def test_general_moved_by_hand_leaves_his_unit() -> None:
    state = after_action(suakin_state(), "set", unit="mcneill", field="place", value="26, 26, 77")
    assert state.unit("marines").general is None
    moved = after_action(state, "set", unit="marines", field="place", value="45, 28, 90")
    assert moved.unit("mcneill").place == Place(x=26, y=26, facing=77)
    turned = after_action(suakin_state(), "set", unit="mcneill", field="place", value="43, 32.4, 90")
    assert turned.unit("marines").general == "mcneill"


def test_a_leader_brought_on_finds_room_among_his_troops() -> None:
    arguments = {"troop": "general", "side": "british", "name": "Sir Gerald Graham", "x": 29, "y": 32}
    assert after_action(suakin_state(), "add_unit", **arguments).unit("sir-gerald-graham").place == Place(x=29, y=32)


def test_mm_1_an_army_has_two_generals_at_most() -> None:
    general = {"troop": "general", "side": "british"}
    state = after_action(suakin_state(), "add_unit", name="Sir Gerald Graham", **general)
    third = refusal(state, "add_unit", name="Lord Chelmsford", **general)
    assert "has Sir John McNeill and Sir Gerald Graham" in third
    assert "MM-1" in third
    three_generals = after_action(state, "option", name="most_generals", value="3")
    assert after_action(three_generals, "add_unit", name="Lord Chelmsford", **general).unit("lord-chelmsford").on_table
    fallen = after_action(state, "set", unit="mcneill", field="morale", value="off table")
    assert after_action(fallen, "add_unit", name="Lord Chelmsford", **general).unit("lord-chelmsford").on_table


def test_removed_unit_leaves_no_references() -> None:
    state = after_action(suakin_state(), "set", unit="amarar", field="melee_with", value=BERKS)
    state = state.model_copy(
        update={"prompts": (StoredPrompt(key="k", unit=BERKS, test=Owing.DEFENSIVE_FIRE, by="amarar"),)}
    )
    state = add_prompt(add_prompt(state, "marines", Owing.UNDER_FIRE), "amarar", Owing.UNDER_FIRE)
    state = after_action(state, "remove_unit", unit="amarar")
    assert "amarar" not in state.units
    assert state.unit(BERKS).melee_with is None
    assert [(prompt.unit, prompt.test) for prompt in state.prompts] == [("marines", Owing.UNDER_FIRE)]
    state = after_action(state, "remove_unit", unit="mcneill")
    assert state.unit("marines").general is None


def test_mm_5_4_a_new_secret_after_a_reveal_is_secret_again() -> None:
    state = after_action(suakin_state(), "secret", unit=BERKS, field="secret_quality", value="-1")
    state = after_action(
        after_action(state, "reveal", unit=BERKS), "secret", unit=BERKS, field="secret_quality", value="-2"
    )
    assert SYSTEM.view(state, "british").unit(BERKS).secret_quality == 0
    card = next(card for card in SYSTEM.roster(state, "british") if card.id == BERKS)
    assert not [value for label, value in card.details if label in ("Secret quality", "Umpire's modifier")]
    assert SYSTEM.view(state, UMPIRE).unit(BERKS).secret_quality == -2


def rout_berkshires(state: MagdalaState) -> MagdalaState:
    return play_part(make_unit_flee, state, BERKS, "", Cite(rule="MM-5.8"), Morale.ROUTED)[0]


@pytest.mark.parametrize("morale", ["steady", "halted"])
def test_mm_5_8_unit_rallied_by_hand_stops_fleeing(morale: str) -> None:
    state = after_action(rout_berkshires(suakin_state()), "set", unit=BERKS, field="morale", value=morale)
    unit = state.unit(BERKS)
    assert (unit.morale.value, unit.leaving, unit.flight_seen_by) == (morale, False, ())
    assert [prompt for prompt in state.prompts if prompt.unit == BERKS] == []


def test_mm_5_10_a_steady_unit_set_halted_still_owes_its_reaction() -> None:
    state = after_action(
        add_prompt(suakin_state(), BERKS, Owing.REACTION), "set", unit=BERKS, field="morale", value="halted"
    )
    assert [prompt.test for prompt in state.prompts] == [Owing.REACTION]


def test_mm_5_8_a_unit_set_in_rout_is_out_of_its_melee() -> None:
    state = after_action(suakin_state(), "set", unit="amarar", field="melee_with", value=BERKS)
    assert after_action(state, "set", unit=BERKS, field="morale", value="routed").unit("amarar").melee_with is None


def test_mm_4_no_melee_of_a_leader_is_set_by_hand() -> None:
    assert "cannot fight" in refusal(suakin_state(), "set", unit="osman-digna", field="melee_with", value="mcneill")


def test_corrections_are_actions_of_the_umpire() -> None:
    kinds = ("set", "option", "secret", "reveal", "add_unit", "remove_unit")
    assert all(SYSTEM.actions[kind].umpire_only for kind in kinds)
    order = SYSTEM.parse("set", {"unit": BERKS, "field": "works", "value": "in cover"})
    assert SYSTEM.side_of(suakin_state(), order) == UMPIRE


@pytest.mark.parametrize(
    ("kind", "args"),
    [
        ("morale", {"unit": BERKS, "with": "umpire's call"}),
        ("morale", {"unit": BERKS, "with": "umpire +1"}),
        ("melee", {"unit": BERKS, "target": "amarar", "with": "target -1"}),
        ("turn_next", {"waive": True}),
    ],
)
def test_mm_4_3_the_umpires_words_are_the_umpires(kind: str, args: dict) -> None:
    assert SYSTEM.side_of(suakin_state(), SYSTEM.parse(kind, args)) == UMPIRE


@pytest.mark.parametrize("name", SYSTEM.editable_fields)
def test_every_editable_field_accepts_its_shown_value(name: str) -> None:
    unit = suakin_state().unit(BERKS)
    words = fields.value_in_words(getattr(unit, name))
    assert getattr(fields.with_field_from_words(unit, name, words), name) == getattr(unit, name)
