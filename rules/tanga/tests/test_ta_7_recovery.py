"""Tests of recovery from collapse, and of rolling the next entry hex (TA-7, TA-9.A)."""

import pytest

from rules.tanga.options import TangaOptions
from rules.tanga.progress import Stage

from .acting import run
from .field import formation, hex_at, marker, state_of

LOST = ("13 F off eliminated", "13 G off eliminated", "13 H off eliminated")
BROKEN = formation("13", collapsed=True)


def test_ta_9_a_example_1_rolls_again_while_another_marker_lies_there() -> None:
    formations = (formation("61", entry=hex_at("2516")), formation("63", entry=hex_at("2411")))
    ran = run(state_of("13 A 3305", "61 A 3310", "63 A 3313", formations=formations), Stage.RECOVER, 3, 4, 1, 1, 4, 4)
    assert ran.state.formation("13").entry == hex_at("2515")
    assert [step.throws[0].total for step in ran.steps] == [7, 2, 8]
    assert [step.verdict for step in ran.steps] == [
        "2516, where 61 has its marker: again",
        "2411, where 63 has its marker: again",
        "2515",
    ]


def test_ta_9_a_formation_with_an_entry_hex_rolls_no_other() -> None:
    ran = run(state_of("13 A 3305", formations=(formation("13", entry=hex_at("2411")),)), Stage.RECOVER)
    assert ran.state.formation("13").entry == hex_at("2411")


def test_ta_9_a_two_formations_share_an_entry_hex_if_all_are_taken() -> None:
    rolled = {7: "2516", 8: "2515", 9: "2514", 10: "2513", 11: "2512", 12: "2511"}
    rolled |= {2: "2411", 3: "2410", 4: "2309", 5: "2209", 6: "2208"}
    formations = tuple(formation(f"F{total}", side="british", entry=hex_at(hex_)) for total, hex_ in rolled.items())
    ran = run(state_of("13 A 3305", formations=formations), Stage.RECOVER, 3, 4)
    assert ran.state.formation("13").entry == hex_at("2516")


def test_ta_9_a_after_12_throws_that_found_a_marker_the_nearest_free_hex_is_taken() -> None:
    """The last throw gives 2511. Both 2411 and 2512 are adjacent, and 2411 is the lower number."""
    formations = tuple(formation(f"F{hex_}", side="british", entry=hex_at(hex_)) for hex_ in ("2516", "2511"))
    ran = run(state_of("13 A 3305", formations=formations), Stage.RECOVER, *(3, 4) * 11, 6, 6)
    assert ran.state.formation("13").entry == hex_at("2411")
    assert len([step for step in ran.steps if step.throws]) == 12
    assert ran.steps[-2].verdict == "2511, where F2511 has its marker"
    assert (ran.steps[-1].verdict, str(ran.steps[-1].cite)) == (
        "the nearest entry hex without one, 2411",
        "TA-9.A, ruling",
    )


def test_ta_9_a_option_limits_the_throws_for_an_entry_hex() -> None:
    formations = (formation("61", side="british", entry=hex_at("2516")),)
    state = state_of("13 A 3305", formations=formations, options=TangaOptions(entry_throws=2))
    assert run(state, Stage.RECOVER, 3, 4, 3, 4).state.formation("13").entry == hex_at("2515")


@pytest.mark.parametrize("unit_name", ["13 B", "61 A", "61 L1"])
def test_ta_9_a_entry_marker_on_british_units_counts_as_entered(unit_name: str) -> None:
    """British units already in the hex stay there, and other formations keep out, so nobody could enter later."""
    ran = run(state_of("13 A 3305", f"{unit_name} 2516"), Stage.RECOVER, 3, 4)
    assert ran.state.formation("13").entered
    assert "British are in 2516, entry hex of 13||its stacks choose objectives now|TA-9.A, ruling" in ran.said
    assert not run(state_of("13 A 3305", "17.FK 1 2516"), Stage.RECOVER, 3, 4).state.formation("13").entered


def test_ta_9_staffs_roll_no_entry_hex() -> None:
    assert run(state_of("IS hq 3906"), Stage.RECOVER, formation="IS").state.formation("IS").entry is None


def test_ta_7_recovers_on_a_d6_of_fbn_less_fbl_and_rolls_a_new_entry_hex() -> None:
    """FBN 5, FBL 3: recovery on 2 or less (worked example 5)."""
    ran = run(state_of("13 A 3305", "13 B 3305", *LOST, formations=(BROKEN,)), Stage.RECOVER, 2, 3, 4)
    assert not ran.state.formation("13").collapsed
    assert ran.state.formation("13").entry == hex_at("2516")
    assert ran.clauses == ("recovered from collapse", "entry hex 2516")


def test_ta_1_markers_dealt_in_sight_of_germans_are_revealed_at_once() -> None:
    """Of A, C and D, only C in the plantation is out of sight; D has the MG, which then moves with D."""
    state = state_of(*("13 A 2910", "13 C 3310", "13 D 2812", "13 MG off", *LOST, "17.FK 1 2810"), formations=(BROKEN,))
    ran = run(state, Stage.RECOVER, 2, 3, 3, 4)
    assert list(ran.state.markers) == ["13-c-marker"]
    assert ran.at("13-mg") == "2812"


def test_ta_7_collapsed_formation_tries_once_a_turn_and_rolls_no_entry_hex() -> None:
    ran = run(state_of("13 A 3305", "13 B 3305", *LOST, formations=(BROKEN,)), Stage.RECOVER, 3)
    assert ran.state.formation("13").collapsed
    assert ran.state.formation("13").entry is None


def test_ta_7_a_collapsed_formation_neither_moves_nor_attacks() -> None:
    state = state_of("13 A 2712", "13 L1 2712", "17.FK 1 2613", on={"*": "open"}, formations=(BROKEN,))
    for stage in (Stage.REORGANISE, Stage.MOVE, Stage.FIRE, Stage.MELEE):
        assert run(state, stage).state.units == state.units


def test_ta_7_all_units_rout_up_to_6_hexes_with_their_leader() -> None:
    state = state_of("13 A 2712", "13 L1 2712", "17.FK 1 2511", on={"*": "open"}, formations=(BROKEN,))
    ran = run(state, Stage.RETREAT)
    assert ran.at("13-a") == ran.at("13-l1")
    assert hex_at("2712").distance(hex_at(ran.at("13-a"))) == 6
    assert ran.state.units["13-a"].ro == hex_at(ran.at("13-a"))


def test_ta_7_markers_are_dealt_again_after_recovery() -> None:
    state = state_of(
        "13 A 3305", "13 C 3306", "13 E 3307", "13 G 3308", "13 mg off", formations=(BROKEN,), markers=(marker("13-a"),)
    )
    ran = run(state, Stage.RECOVER, 3, 1, 3, 4)
    assert {marker.company for marker in ran.state.markers.values()} == {"13-a", "13-c", "13-e", "13-g"}


def test_ta_6_disrupted_units_retreat_3_hexes_and_are_marked() -> None:
    state = state_of("13 A 2813 disrupted", "13 B 2813", "13 L1 2813", "17.FK 1 2613", on={"*": "open"})
    ran = run(state, Stage.RETREAT)
    assert hex_at("2813").distance(hex_at(ran.at("13-a"))) == 3
    assert ran.state.units["13-a"].retreating
    assert (ran.at("13-b"), ran.at("13-l1")) == ("2813", "2813")


def test_ta_6_leaders_retreat_with_the_last_unit_of_their_stack() -> None:
    state = state_of("13 A 2813 disrupted", "13 B 2813 disrupted", "13 L1 2813", "17.FK 1 2613", on={"*": "open"})
    ran = run(state, Stage.RETREAT)
    assert ran.at("13-a") == ran.at("13-b") == ran.at("13-l1") != "2813"


def test_ta_9_unit_in_its_ro_hex_is_marked_and_stays() -> None:
    state = state_of("13 A 3313 disrupted", "17.FK 1 2613", on={"*": "open"})
    with_goal = state.with_unit(state.units["13-a"].model_copy(update={"ro": hex_at("3313")}))
    ran = run(with_goal, Stage.RETREAT)
    assert ran.at("13-a") == "3313"
    assert ran.state.units["13-a"].retreating
    assert ran.decisions == ()


def test_ta_9_c_german_within_3_hexes_forces_a_new_ro_hex() -> None:
    state = state_of("13 A 3313 disrupted", "17.FK 1 3013", on={"*": "open"})
    with_goal = state.with_unit(state.units["13-a"].model_copy(update={"ro": hex_at("3313")}))
    ran = run(with_goal, Stage.RETREAT)
    assert ran.at("13-a") != "3313"
    assert ran.decisions[0].question.value == "RO hex"


def test_ta_6_a_company_that_retreats_alone_joins_another_for_rallying() -> None:
    """A stays in its RO hex 3313; C, two hexes away and no farther from the Germans, joins A."""
    state = state_of("13 A 3313 disrupted", "13 C 3212 disrupted", "17.FK 1 2613", on={"*": "open"})
    with_goal = state.with_unit(state.units["13-a"].model_copy(update={"ro": hex_at("3313")}))
    ran = run(with_goal, Stage.RETREAT)
    assert ran.at("13-c") == "3313"
    assert ran.state.units["13-c"].ro == hex_at("3313")


def test_ta_6_retreating_company_joins_no_unit_out_of_reach() -> None:
    """As in the test above, but the way round the sea takes 4 hexes, and a retreat covers 3."""
    sea = {"*": "open", "3213": "sea", "3312": "sea"}
    state = state_of("13 A 3313 disrupted", "13 C 3212 disrupted", "17.FK 1 2613", on=sea)
    with_goal = state.with_unit(state.units["13-a"].model_copy(update={"ro": hex_at("3313")}))
    ran = run(with_goal, Stage.RETREAT)
    assert ran.state.units["13-c"].ro != hex_at("3313")
    assert ran.at("13-c") == ran.state.units["13-c"].ro.label
