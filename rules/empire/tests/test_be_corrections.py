"""The umpire's corrections keep contacts, kills and attached pieces consistent."""

from typing import Any

import pytest

from rules.core import fields
from rules.core.dice import NoDice
from rules.core.report import Report
from rules.core.ruleset import Refused
from rules.core.tabletop.battle import Place
from rules.empire.corrections import UMPIRE_TOOLS
from rules.empire.model import Blows, Burst, Doom, EmpireState, EmpireUnit, Health, Reserve, Shot, Support
from rules.empire.phases import Phase
from rules.empire.ruleset import Empire
from rules.empire.tests.field import contact_of, field, unit, with_memory

check = Empire().require_valid_state
TYPES = {action_type.action.kind: action_type for action_type in UMPIRE_TOOLS.action_types}


def correct(state: EmpireState, kind: str, **args: Any) -> tuple[EmpireState, Report]:
    action_type = TYPES[kind]
    after, report = action_type.execute(state, action_type.action.model_validate(args), NoDice())
    check(after)
    return after, report


def set_field(state: EmpireState, unit_id: str, field_: str, value: str) -> EmpireState:
    return correct(state, "set", unit=unit_id, field=field_, value=value)[0]


def require_refusal(state: EmpireState, unit_id: str, field_: str, value: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        set_field(state, unit_id, field_, value)


def table(**state_fields: Any) -> EmpireState:
    """Return red Zulus with their chief, in contact with blue regulars to their south; red mates stand beside them."""
    return field(
        unit("zulus", at=(10, 10, 180)),
        unit("zulus", "mate", at=(20, 10, 180)),
        unit("british-regulars", "b", "blue", (10, 11.5, 0)),
        unit("leader", "chief", attached_to="a", at=(10, 10, 180)),
        **{"contacts": (contact_of("a", "b"),), "supports": (Support(unit="mate", friend="a"),), **state_fields},
    )


def test_a_unit_of_named_troops_is_brought_on_its_figures_are_stands() -> None:
    after, report = correct(
        table(), "add_unit", troop="Zulu impi", side="red", name="uVe", figures=5, x=40, y=20, facing=180
    )
    assert after.unit("uve").stands == 5
    assert after.unit("uve").place.facing == 180
    assert report.headline == "The umpire adds uVe."
    usual, _ = correct(table(), "add_unit", troop="zulus", side="red", name="uVe")
    assert (usual.unit("uve").stands, usual.unit("uve").place) == (8, None)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ({"troop": "zoulous"}, "No troops are called"),
        ({"figures": 0}, "stands"),
        ({"figures": 31}, "stands"),
        ({"x": 10, "y": 10}, "would stand on A"),
        ({"x": 71, "y": 10}, 'off the table, which is 72" by 48"'),
        ({"side": "green"}, "There is no side"),
    ],
)
def test_a_unit_that_cannot_be_brought_on_is_refused(args: dict[str, Any], reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        correct(table(), "add_unit", **{"troop": "zulus", "side": "red", "name": "uVe", **args})


def test_a_commander_finds_room_anywhere() -> None:
    after, _ = correct(table(), "add_unit", troop="leader", side="red", name="Dabulamanzi", x=10, y=10)
    assert after.unit("dabulamanzi").place.point == (10, 10)


def test_removed_unit_leaves_no_references() -> None:
    state = table(
        bursts=(Burst(unit="b", target="a", range=3),),
        landed=(Shot(unit="b", target="a", hits=1),),
        dooms=(Doom(unit="mate", rule="BE-6.1", pursuers=("a",)),),
    )
    after, _ = correct(state, "remove_unit", unit="a")
    assert "a" not in after.units
    assert after.unit("chief").attached_to is None
    assert (after.contacts, after.supports, after.bursts, after.landed, after.dooms) == ((), (), (), (), ())


def test_unit_that_attacked_a_removed_unit_may_attack_again() -> None:
    state = table(
        shots=(Shot(unit="b", target="a", hits=1), Shot(unit="b", target="mate", hits=2)),
        blows=(Blows(units=("a",), hits=1, against=("b",), hits_against=2),),
    )
    state = state.with_unit(with_memory(state.unit("b"), shot=True, fought=True))
    after, _ = correct(state, "remove_unit", unit="a")
    assert after.shots == (Shot(unit="b", target="mate", hits=2),)
    assert after.blows == ()
    assert (after.unit("b").this_turn.shot, after.unit("b").this_turn.fought) == (False, False)


def test_moved_unit_takes_its_chief_along_and_loses_its_contacts() -> None:
    after = set_field(table(), "a", "place", "40, 30, 90")
    assert after.unit("chief").place == after.unit("a").place
    assert after.unit("a").place.point == (40, 30)
    assert (after.contacts, after.supports) == ((), ())


def test_a_unit_shifted_along_its_enemy_stays_in_contact() -> None:
    assert set_field(table(), "a", "place", "11, 10, 180").contacts == table().contacts


def test_move_removes_only_the_broken_contact() -> None:
    regulars = unit("british-regulars", "c", "blue", (15.5, 11.5, 0))
    state = table(contacts=(contact_of("a", "b"), contact_of("c", "a"))).with_unit(regulars)
    after = set_field(state, "a", "place", "8, 10, 180")
    assert after.contacts == (contact_of("a", "b"),)


def test_a_unit_set_against_an_enemy_has_met_it() -> None:
    apart = table(contacts=(), supports=())
    away = set_field(apart, "a", "place", "40, 30, 180")
    assert away.contacts == ()
    assert set_field(away, "a", "place", "10, 10, 180").contacts == (contact_of("a", "b"),)
    assert set_field(away, "chief", "attached_to", "none").contacts == ()


def test_a_unit_is_not_set_on_another_or_off_the_table() -> None:
    require_refusal(table(), "a", "place", "20, 10", "would stand on Mate")
    require_refusal(table(), "a", "place", "0, 10", "off the table")
    require_refusal(table(), "mate", "stands", "30", "would stand on A")
    require_refusal(field(unit("british-regulars", at=(10, 47.5))), "a", "formation", "square", "off the table")


def test_be_2_3_unit_set_to_all_its_kills_is_destroyed_and_leaves_its_melee() -> None:
    after = set_field(table(), "a", "kills", "4")
    assert after.unit("a").destroyed
    assert after.contacts == ()
    assert after.unit("chief").attached_to == "a"
    assert after.unit("b").this_turn.opponent_gave_way
    assert not set_field(table(), "a", "kills", "3").unit("a").destroyed
    assert "destroyed" in correct(table(), "set", unit="a", field="kills", value="4")[1].outcome


def test_be_2_3_a_crew_is_gone_with_its_second_kill() -> None:
    assert set_field(field(unit("maxim")), "a", "kills", "2").unit("a").destroyed


def test_unit_set_destroyed_leaves_its_melee_and_can_be_restored() -> None:
    gone = set_field(table(phase=Phase.RIFLES), "a", "destroyed", "yes")
    assert gone.contacts == ()
    assert set_field(gone, "a", "destroyed", "no").unit("a").on_table


def test_unit_with_all_its_kills_cannot_be_restored() -> None:
    gone = set_field(table(), "a", "kills", "4")
    require_refusal(gone, "a", "destroyed", "no", "Lower their kills first")
    assert set_field(set_field(gone, "a", "kills", "1"), "a", "destroyed", "no").unit("a").on_table


def test_a_unit_is_not_set_back_onto_another() -> None:
    gone = set_field(table(), "a", "destroyed", "yes")
    moved = set_field(gone, "mate", "place", "10, 10, 180")
    require_refusal(moved, "a", "destroyed", "no", "would stand on Mate")


def test_a_piece_attached_by_hand_stands_with_its_unit() -> None:
    after = set_field(table(), "chief", "attached_to", "mate")
    assert after.unit("chief").place == after.unit("mate").place
    assert set_field(after, "chief", "attached_to", "none").unit("chief").place == after.unit("mate").place


@pytest.mark.parametrize(
    ("unit_id", "value", "reason"),
    [
        ("chief", "ghost", "No other unit here is called “ghost”"),
        ("chief", "b", "Chief goes with a fighting unit of his own side on the table, which B are not"),
        ("chief", "chief", "No other unit here is called “chief”"),
        ("mate", "a", "Mate go with nobody"),
    ],
)
def test_a_piece_is_attached_only_to_a_fighting_unit_of_its_side(unit_id: str, value: str, reason: str) -> None:
    require_refusal(table(), unit_id, "attached_to", value, reason)


def test_unit_that_changes_sides_loses_contacts_and_pieces() -> None:
    after = set_field(table(), "a", "side", "blue")
    assert after.contacts == ()
    assert after.unit("chief").attached_to is None
    assert set_field(table(), "chief", "side", "blue").unit("chief").attached_to is None
    require_refusal(table(), "a", "side", "green", "There is no side")


def test_unit_made_a_piece_leaves_its_melee() -> None:
    after = set_field(table(), "a", "arm", "wagon")
    assert (after.contacts, after.unit("chief").attached_to) == ((), None)


def test_be_1_a_reserve_set_on_the_table_has_arrived_with_its_chief() -> None:
    coming = Reserve(turn=5, score=6, x=1, y=1)
    state = field(unit("zulus", reserve=coming), unit("leader", "b", attached_to="a", reserve=coming))
    after = set_field(state, "a", "place", "30, 30")
    assert after.unit("a").on_table
    assert after.unit("b").place == after.unit("a").place
    assert after.unit("b").on_table


def test_be_4_a_cleared_gun_has_no_attempts_behind_it() -> None:
    state = field(unit("maxim", jammed=True, clearing=3))
    assert set_field(state, "a", "jammed", "no").unit("a").clearing == 0


def test_be_7_a_commander_set_out_is_out_this_turn() -> None:
    out = set_field(table(turn=4), "chief", "health", "out for a turn").unit("chief")
    assert (out.health, out.out_until) == (Health.OUT, 4)
    assert set_field(table(turn=4).with_unit(out), "chief", "health", "well").unit("chief").out_until == 0


def test_be_4_only_machine_guns_are_jammed() -> None:
    require_refusal(table(phase=Phase.RIFLES), "b", "jammed", "yes", "no machine gun")
    jammed = field(unit("maxim", jammed=True, clearing=2))
    rearmed = set_field(jammed, "a", "weapon", "rifles").unit("a")
    assert (rearmed.jammed, rearmed.clearing) == (False, 0)


def test_be_7_units_that_fight_have_no_health() -> None:
    require_refusal(table(), "b", "health", "killed", "commanders, mules and wagons")
    killed = set_field(field(unit("leader")), "a", "health", "killed")
    assert set_field(killed, "a", "arm", "foot").unit("a").health is Health.WELL


def test_facing_over_360_degrees_is_reduced() -> None:
    assert set_field(table(), "mate", "place", "20,10,1000000090").unit("mate").place == Place(x=20, y=10, facing=10)
    after, _ = correct(table(), "add_unit", troop="zulus", side="red", name="uVe", x=40, y=20, facing=-1e9)
    added = after.unit("uve").place
    assert added is not None
    assert added.facing == 80


def test_no_unit_is_set_off_the_table() -> None:
    require_refusal(set_field(table(), "a", "destroyed", "yes"), "a", "place", "9000,0", "would stand off the table")


def test_a_piece_with_a_destroyed_unit_can_still_be_corrected() -> None:
    gone = set_field(table(), "a", "destroyed", "yes")
    assert set_field(gone, "chief", "name", "Dabulamanzi").unit("chief").name == "Dabulamanzi"


def test_reveal_without_hidden_facts_is_refused() -> None:
    with pytest.raises(Refused, match="no secret"):
        correct(table(), "reveal", unit="a")


@pytest.mark.parametrize("name", fields.editable_fields(EmpireUnit))
def test_every_editable_field_accepts_its_shown_value(name: str) -> None:
    state = table()
    words = fields.value_in_words(getattr(state.unit("a"), name))
    if name == "formations":
        words = "massed, deep massed"
    assert set_field(state, "a", name, words).unit("b") == state.unit("b")


def test_moved_piece_leaves_its_unit() -> None:
    after = set_field(table(), "chief", "place", "30, 20, 90")
    assert after.unit("chief").attached_to is None
    assert set_field(after, "a", "place", "40, 20, 90").unit("chief").place == Place(x=30, y=20, facing=90)
    assert set_field(table(), "chief", "place", "10, 10, 90").unit("chief").attached_to == "a"
